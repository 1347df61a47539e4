//! Strings that many records share, written once each in the order of first use, and each without what it has in
//! common with the start of the one before: names of one model differ in their tails.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::columns::{ColumnReader, ColumnWriter};
use super::error::{ColumnFault, DecodeError};
use crate::name::{Name, Text};

/// Hands out indices of shared strings. The map is only ever looked into, so its order does not show.
#[derive(Debug, Default)]
pub(super) struct PoolWriter<'a> {
    indices: HashMap<&'a [u8], u32, RandomState>,
    previous: &'a [u8],
    count: usize,
    /// What the strings come to, each counted wherever it stands.
    used: u64,
    pub(super) rows: ColumnWriter,
}

/// How many bytes `a` and `b` have in common at their start.
fn common(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

impl<'a> PoolWriter<'a> {
    /// The index of `bytes`. Where the strings would come to more than a reader lets those of so few bytes come to, it is
    /// written once more, whole. Saturates beyond `u32`; the caller checks [`count`](Self::count) at the end.
    pub(super) fn index(&mut self, bytes: &'a [u8]) -> u32 {
        self.used = self.used.saturating_add(bytes.len() as u64);
        let most = most(self.rows.bytes.len());
        if self.used <= most
            && let Some(&index) = self.indices.get(bytes)
        {
            return index;
        }
        let shared = if self.used <= most { common(self.previous, bytes) } else { 0 };
        self.rows.unsigned(shared as u64);
        self.rows.unsigned((bytes.len() - shared) as u64);
        self.rows.bytes.extend_from_slice(&bytes[shared..]);
        self.previous = bytes;
        let index = u32::try_from(self.count).unwrap_or(u32::MAX);
        self.count += 1;
        self.indices.insert(bytes, index);
        index
    }

    /// How many strings were written.
    pub(super) fn count(&self) -> usize {
        self.count
    }
}

/// The shared strings of a blob. Names and texts of one string share its memory.
#[derive(Debug)]
pub(super) struct PoolReader {
    names: Vec<Name>,
    texts: Vec<Option<Text>>,
    /// How many bytes the strings may still come to, each counted wherever it stands.
    left: u64,
}

/// Strings may come to this many times the blob when each is written out where it stands, and to so many bytes in
/// any case. Whoever shows or exports a lineage does write them out; names of operator codes come to about ten times.
const SHARING: u64 = 64;
const SLACK: u64 = 16 << 20;

/// What the strings of a blob of `blob` bytes may come to.
fn most(blob: usize) -> u64 {
    (blob as u64).saturating_mul(SHARING).saturating_add(SLACK)
}

impl PoolReader {
    /// The strings of a blob of `blob` bytes.
    pub(super) fn new(rows: ColumnReader<'_>, count: u32, blob: usize) -> Result<Self, DecodeError> {
        let most = most(blob);
        // A few bytes can name a long string by its start, so the sum is bounded as it is for uses.
        let (mut string, mut left, mut index) = (Vec::new(), most, 0);
        let names = rows.rows(count, 2, |row| {
            let shared = row.unsigned()?;
            let length = row.unsigned()?;
            let tail = row.take(length)?;
            let Some(kept) = usize::try_from(shared).ok().filter(|&shared| shared <= string.len()) else {
                return row.fail(ColumnFault::Start { shared, length: string.len() as u64 });
            };
            string.truncate(kept);
            string.extend_from_slice(tail);
            match left.checked_sub(string.len() as u64) {
                Some(rest) => left = rest,
                None => return row.fail(ColumnFault::Sharing { index }),
            }
            index += 1;
            Ok(Name::from(string.as_slice()))
        })?;
        Ok(Self { texts: vec![None; names.len()], names, left: most })
    }

    pub(super) fn name(&mut self, at: &ColumnReader<'_>, index: u32) -> Result<Name, DecodeError> {
        let Some(name) = self.names.get(index as usize) else {
            return at.fail(ColumnFault::Shared { index, count: self.names.len() as u64 });
        };
        match self.left.checked_sub(name.as_bytes().len() as u64) {
            Some(left) => self.left = left,
            None => return at.fail(ColumnFault::Sharing { index }),
        }
        Ok(name.clone())
    }

    pub(super) fn text(&mut self, at: &ColumnReader<'_>, index: u32) -> Result<Text, DecodeError> {
        let name = self.name(at, index)?;
        if let Some(Some(text)) = self.texts.get(index as usize) {
            return Ok(text.clone());
        }
        let Some(text) = name.as_str().map(Text::from) else {
            return at.fail(ColumnFault::NotText { index });
        };
        if let Some(place) = self.texts.get_mut(index as usize) {
            *place = Some(text.clone());
        }
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8], count: u32) -> Result<Vec<Vec<u8>>, DecodeError> {
        let pool = PoolReader::new(ColumnReader::new("pool", bytes), count, bytes.len())?;
        Ok(pool.names.iter().map(|name| name.as_bytes().to_vec()).collect())
    }

    #[test]
    fn strings_come_back_whole() {
        let mut writer = PoolWriter::default();
        let strings: [&[u8]; 4] = [b"conv1", b"conv12", b"", b"relu"];
        for (index, string) in strings.iter().enumerate() {
            assert_eq!(writer.index(string), index as u32);
        }
        assert_eq!(writer.index(b"conv12"), 1);
        assert_eq!(read(&writer.rows.bytes, 4).unwrap(), strings);
    }

    #[test]
    fn a_start_longer_than_the_string_before_is_an_error() {
        let error = read(&[0, 1, b'a', 2, 0], 2).unwrap_err();
        assert!(error.to_string().contains("begins with 2 bytes of the one before, which has 1"), "{error}");
    }

    /// Ten thousand uses of one string of 20 kB, and strings that are each the start of the next.
    #[test]
    fn what_is_written_is_never_used_too_often_to_be_read() {
        let long = vec![b'x'; 20_000];
        let mut writer = PoolWriter::default();
        let uses: Vec<&[u8]> = (0..10_000).map(|_| &long[..]).chain((0..7_000).map(|i| &long[..i])).collect();
        let indices: Vec<u32> = uses.iter().map(|string| writer.index(string)).collect();
        let bytes = &writer.rows.bytes;
        assert!(bytes.len() < 4_000_000, "{} bytes", bytes.len());
        let rows = ColumnReader::new("pool", bytes);
        let mut pool = PoolReader::new(rows, writer.count() as u32, bytes.len()).unwrap();
        for (string, index) in uses.into_iter().zip(indices) {
            let name = pool.name(&ColumnReader::new("uses", &[]), index).unwrap();
            assert_eq!(name.as_bytes(), string);
        }
    }

    /// One string of 1 MiB that a thousand records share.
    #[test]
    fn a_string_that_is_used_without_measure_is_refused() {
        let mut writer = PoolWriter::default();
        let long = vec![b'x'; 1 << 20];
        let index = writer.index(&long);
        let bytes = &writer.rows.bytes;
        let mut pool = PoolReader::new(ColumnReader::new("pool", bytes), 1, bytes.len()).unwrap();
        let uses = ColumnReader::new("uses", &[]);
        let read = (0..1_000).map_while(|_| pool.name(&uses, index).ok()).count();
        assert_eq!(read, 64 + 16);
        let error = pool.name(&uses, index).unwrap_err();
        assert!(error.to_string().contains("used too often"), "{error}");
    }

    /// Each string of three bytes is the one before and a letter more: together they grow with the square.
    #[test]
    fn strings_that_grow_without_measure_are_refused() {
        let mut rows = ColumnWriter::default();
        for length in 0..7_000u64 {
            rows.unsigned(length);
            rows.unsigned(1);
            rows.bytes.push(b'x');
        }
        let error = read(&rows.bytes, 7_000).unwrap_err();
        assert!(error.to_string().contains("used too often"), "{error}");
    }
}
