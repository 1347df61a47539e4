//! A ZIP archive behind a model. TFLite's metadata tools append one with files that belong to the model, such as the
//! names of its classes; a model file then is a valid archive as well.
//!
//! Of the format (PKWARE's APPNOTE, version 6.3) this knows what it takes to move an archive: at its end the end
//! record, before it the central directory, and in both the places of other parts. Those count from the start of the
//! file, or, where two files were simply put together, from the start of the archive. ZIP64 and archives in several
//! volumes are none for this purpose.

use std::ops::Range;

const LOCAL: &[u8] = b"PK\x03\x04";
const CENTRAL: &[u8] = b"PK\x01\x02";
const END: &[u8] = b"PK\x05\x06";

/// Bytes of an end record without its comment, and of an entry of the directory without its names.
const END_SIZE: usize = 22;
const CENTRAL_SIZE: usize = 46;

/// Where the end record has its number of entries, the size of the directory, its place, and the comment's length.
const ENTRIES: usize = 10;
const SIZE: usize = 12;
const PLACE: usize = 16;
const COMMENT: usize = 20;

/// Where an entry of the directory has the length of the first of its three names and the place of its file.
const NAMES: usize = 28;
const FILE: usize = 42;

/// An archive that can be moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Archive {
    /// The directory and the end record, in the archive.
    end: Range<usize>,
    /// The fields of 4 bytes that hold places: where they stand, counted from the directory, and what they mean,
    /// counted from the start of the archive.
    places: Vec<(usize, u64)>,
}

impl Archive {
    /// The archive that `bytes` are from the first to the last, if they are one.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let record = end_record(bytes)?;
        let entries = u16_at(bytes, record + ENTRIES)?;
        let size = u32_at(bytes, record + SIZE)? as usize;
        let place = i64::from(u32_at(bytes, record + PLACE)?);
        let directory = record.checked_sub(size)?;
        // What has to be added to a place to count from the start of the archive.
        let base = i64::try_from(directory).ok()? - place;
        let mut places = vec![(size + PLACE, directory as u64)];
        let mut at = directory;
        for _ in 0..entries {
            if bytes.get(at..at.checked_add(CENTRAL.len())?)? != CENTRAL {
                return None;
            }
            let file = usize::try_from(i64::from(u32_at(bytes, at + FILE)?) + base).ok()?;
            if file >= directory || bytes.get(file..file + LOCAL.len())? != LOCAL {
                return None;
            }
            places.push((at - directory + FILE, file as u64));
            let names = (0..3).map(|i| u16_at(bytes, at + NAMES + 2 * i).map(usize::from));
            at += CENTRAL_SIZE + names.sum::<Option<usize>>()?;
        }
        (at == record).then_some(Self { end: directory..bytes.len(), places })
    }

    /// The archive `bytes` as it has to be written from byte `start` of a file on: what stays as it is, and what
    /// follows.
    pub(crate) fn moved<'a>(&self, bytes: &'a [u8], start: u64) -> (&'a [u8], Vec<u8>) {
        let (files, end) = bytes.split_at(self.end.start.min(bytes.len()));
        let mut end = end.to_vec();
        // Beyond 4 GiB places can only count from the start of the archive, which most readers accept.
        let furthest = self.places.iter().map(|&(_, place)| place).max().unwrap_or(0);
        let start = if start.saturating_add(furthest) < u64::from(u32::MAX) { start } else { 0 };
        for &(at, place) in &self.places {
            if let Some(field) = end.get_mut(at..at + 4) {
                field.copy_from_slice(&((start + place) as u32).to_le_bytes());
            }
        }
        (files, end)
    }
}

/// Where the end record stands: so far from the end as the length of its comment says.
fn end_record(bytes: &[u8]) -> Option<usize> {
    let last = bytes.len().checked_sub(END_SIZE)?;
    let first = last.saturating_sub(usize::from(u16::MAX));
    (first..=last).rev().find(|&at| {
        let single = u32_at(bytes, at + 4) == Some(0);
        bytes.get(at..at + END.len()) == Some(END)
            && single
            && u16_at(bytes, at + COMMENT).map(usize::from) == Some(last - at)
    })
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at.checked_add(2)?)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An archive of one stored file, with places that count from `from` bytes before it.
    fn archive(from: u32) -> Vec<u8> {
        let le = |n: u32| n.to_le_bytes().to_vec();
        let name_and_content = [&b"labels.txt"[..], &b"cat\ndog\n"[..]].concat();
        // Version, flags, method, time, date; checksum and two sizes; lengths of name and extra field.
        let common = [vec![20, 0, 0, 0, 0, 0, 0, 0, 33, 0], le(0x1234_5678), le(8), le(8), le(10)].concat();
        let local = [LOCAL, &common, &name_and_content].concat();
        let central = [CENTRAL, &[20, 3], &common, &[0; 10], &le(from), b"labels.txt"].concat();
        let size = central.len() as u32;
        let record =
            [END, &[0, 0, 0, 0, 1, 0, 1, 0], &le(size), &le(from + local.len() as u32), &[2, 0], b"hi"]
                .concat();
        [local, central, record].concat()
    }

    #[test]
    fn archives_move_and_come_back() {
        for from in [0, 1000] {
            let bytes = archive(from);
            let parsed = Archive::parse(&bytes).expect("an archive");
            for (start, expected) in [(0, 0), (1000, 1000), (1 << 32, 0)] {
                let (files, end) = parsed.moved(&bytes, start);
                assert_eq!([files, &end].concat(), archive(expected));
            }
        }
    }

    #[test]
    fn what_is_no_whole_archive_is_none() {
        let bytes = archive(50);
        assert!((0..bytes.len()).all(|len| Archive::parse(&bytes[..len]).is_none()));
        assert!(Archive::parse(&[&bytes[..], b"x"].concat()).is_none());
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] = !damaged[at];
            // Damage to what is not looked at passes; none of it panics.
            if let Some(parsed) = Archive::parse(&damaged) {
                parsed.moved(&damaged, 77);
            }
        }
        let signatures = [0, bytes.len() - 24 - 56, bytes.len() - 24];
        for at in signatures {
            let mut damaged = bytes.clone();
            damaged[at] = b'Q';
            assert!(Archive::parse(&damaged).is_none(), "{at}");
        }
    }
}
