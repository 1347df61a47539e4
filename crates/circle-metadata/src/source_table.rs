//! `ONE_source_table`: source id to name, as Samsung ONE's luci reads and writes it.
//!
//! All words are little-endian `u32`; nothing is aligned or padded:
//!
//! ```text
//! count  { id  length  byte * length } * count        length counts a closing NUL
//! ```
//!
//! ```
//! use circle_metadata::source_table::{SourceTable, decode, encode};
//!
//! let table = SourceTable::from([(0, "ofm".into())]);
//! let bytes = encode(&table).unwrap();
//! assert_eq!(bytes, *b"\x01\0\0\0\x00\0\0\0\x04\0\0\0ofm\0");
//! assert_eq!(decode(&bytes), (table, vec![]));
//! ```

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::cursor::Cursor;
use crate::name::Name;
use crate::one::EncodeError;
use crate::problem::{Problem, Problems};

/// Key of the entry in the model's metadata.
pub const KEY: &str = "ONE_source_table";

/// Source id to name. The order of the map is the order of the file.
pub type SourceTable = BTreeMap<u32, Name>;

/// Bytes of a record before the name: id and length.
const RECORD_HEADER: usize = 8;

/// Reads a table, keeping what can be read of a damaged one.
///
/// Findings of [`Severity::Error`](crate::problem::Severity::Error) are those on which luci dies.
/// Records after the first one that runs past the end are lost, since nothing marks where they start.
pub fn decode(payload: &[u8]) -> (SourceTable, Vec<Problem>) {
    let mut problems = Problems::new(KEY);
    let mut table = SourceTable::new();
    let mut cursor = Cursor::new(payload);
    let Some(count) = cursor.word() else {
        problems.error(0, format!("{} bytes are too few for the record count of 4", payload.len()));
        return (table, problems.finish());
    };
    for record in 0..count {
        let at = cursor.at();
        let (Some(id), Some(length)) = (cursor.word(), cursor.word()) else {
            problems.error(
                at,
                format!(
                    "record {record} of {count}: {} bytes left, the header takes {RECORD_HEADER}",
                    payload.len() - at
                ),
            );
            return (table, problems.finish());
        };
        let Some(stored) = cursor.take(u64::from(length)) else {
            problems.error(
                at,
                format!(
                    "record {record} of {count}: name of {length} bytes, {} bytes left",
                    cursor.remaining()
                ),
            );
            return (table, problems.finish());
        };
        let name = match stored.split_last() {
            Some((0, name)) => name,
            Some(_) => {
                problems.warning(at, format!("name of source {id} has no closing NUL"));
                stored
            }
            None => {
                problems.error(at, format!("name of source {id} has length 0, at least the NUL is due"));
                stored
            }
        };
        if let Entry::Vacant(place) = table.entry(id) {
            place.insert(name.into());
        } else {
            problems.error(at, format!("source {id} occurs again; its first name is kept"));
        }
    }
    if cursor.remaining() > 0 {
        problems
            .error(cursor.at(), format!("{} bytes after the last of {count} records", cursor.remaining()));
    }
    (table, problems.finish())
}

/// Writes a table that luci accepts: ascending ids, closing NUL, and any NUL within a name written as
/// the two characters `\0`, because C readers would stop there.
///
/// # Errors
/// A name or a number of records that a `u32` cannot count.
pub fn encode(table: &SourceTable) -> Result<Vec<u8>, EncodeError> {
    let count = u32::try_from(table.len()).map_err(|_| EncodeError::TooMany {
        table: KEY,
        what: "records",
        count: table.len() as u64,
    })?;
    let mut bytes = count.to_le_bytes().to_vec();
    for (&id, name) in table {
        bytes.extend(id.to_le_bytes());
        let length_at = bytes.len();
        bytes.extend([0; 4]);
        for &byte in name.as_bytes() {
            match byte {
                0 => bytes.extend(b"\\0"),
                _ => bytes.push(byte),
            }
        }
        bytes.push(0);
        let length = bytes.len() - length_at - 4;
        let length = u32::try_from(length).map_err(|_| EncodeError::TooMany {
            table: KEY,
            what: "bytes of a name",
            count: length as u64,
        })?;
        if let Some(place) = bytes.get_mut(length_at..length_at + 4) {
            place.copy_from_slice(&length.to_le_bytes());
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Severity;
    use crate::records::testing::{only, words};

    #[test]
    fn golden_bytes() {
        let bytes = crate::hex::decode("0100000000000000040000006f666d00").unwrap();
        let table = SourceTable::from([(0, "ofm".into())]);
        assert_eq!(decode(&bytes), (table.clone(), vec![]));
        assert_eq!(encode(&table).unwrap(), bytes);
    }

    #[test]
    fn empty_table_is_four_zero_bytes() {
        assert_eq!(encode(&SourceTable::new()).unwrap(), [0; 4]);
        assert_eq!(decode(&[0; 4]), (SourceTable::new(), vec![]));
    }

    #[test]
    fn payload_shorter_than_its_count() {
        for short in [&[][..], &[1, 0, 0]] {
            let (table, problems) = decode(short);
            assert!(table.is_empty());
            assert_eq!(only(&problems).0, Severity::Error);
        }
    }

    #[test]
    fn header_past_the_end() {
        let (table, problems) = decode(&words(&[1, 7]));
        assert!(table.is_empty());
        assert_eq!(only(&problems), (Severity::Error, 4, "record 0 of 1: 4 bytes left, the header takes 8"));
    }

    #[test]
    fn body_past_the_end_keeps_what_came_before() {
        let mut bytes = encode(&SourceTable::from([(0, "a".into()), (1, "long".into())])).unwrap();
        bytes.truncate(bytes.len() - 2);
        let (table, problems) = decode(&bytes);
        assert_eq!(table, SourceTable::from([(0, "a".into())]));
        assert_eq!(only(&problems), (Severity::Error, 14, "record 1 of 2: name of 5 bytes, 3 bytes left"));
    }

    #[test]
    fn trailing_bytes() {
        let mut bytes = encode(&SourceTable::from([(3, "a".into())])).unwrap();
        bytes.extend(words(&[9]));
        let (table, problems) = decode(&bytes);
        assert_eq!(table.len(), 1);
        assert_eq!(only(&problems), (Severity::Error, 14, "4 bytes after the last of 1 records"));
    }

    #[test]
    fn duplicate_id_keeps_the_first_name() {
        let mut bytes = words(&[2, 5, 2]);
        bytes.extend(b"a\0");
        bytes.extend(words(&[5, 2]));
        bytes.extend(b"b\0");
        let (table, problems) = decode(&bytes);
        assert_eq!(table, SourceTable::from([(5, "a".into())]));
        assert_eq!(only(&problems), (Severity::Error, 14, "source 5 occurs again; its first name is kept"));
    }

    #[test]
    fn length_zero_is_reported_and_never_written() {
        let (table, problems) = decode(&words(&[1, 4, 0]));
        assert_eq!(table, SourceTable::from([(4, "".into())]));
        assert_eq!(only(&problems).0, Severity::Error);
        assert_eq!(encode(&table).unwrap(), [words(&[1, 4, 1]), vec![0]].concat());
    }

    #[test]
    fn missing_nul_keeps_the_last_byte() {
        let (table, problems) = decode(&[words(&[1, 4, 2]), b"ab".to_vec()].concat());
        assert_eq!(table, SourceTable::from([(4, "ab".into())]));
        assert_eq!(only(&problems), (Severity::Warning, 4, "name of source 4 has no closing NUL"));
    }

    #[test]
    fn a_count_beyond_all_bytes_allocates_nothing() {
        let (table, problems) = decode(&words(&[u32::MAX, 1, u32::MAX]));
        assert!(table.is_empty());
        assert_eq!(only(&problems).0, Severity::Error);
    }

    #[test]
    fn nul_within_a_name_is_escaped_and_any_other_byte_kept() {
        let table = SourceTable::from([(2, Name::from(&b"a\0\xff\n"[..]))]);
        let bytes = encode(&table).unwrap();
        assert_eq!(bytes, [words(&[1, 2, 6]), b"a\\0\xff\n\0".to_vec()].concat());
    }

    #[test]
    fn unsorted_input_is_read_and_written_sorted() {
        let mut bytes = words(&[2, 9, 1]);
        bytes.push(0);
        bytes.extend(words(&[3, 1]));
        bytes.push(0);
        let (table, problems) = decode(&bytes);
        assert_eq!(problems, vec![]);
        assert_eq!(table.keys().copied().collect::<Vec<_>>(), [3, 9]);
        assert_eq!(decode(&encode(&table).unwrap()).0, table);
    }
}
