//! `ONE_op_table`: operator index to set of source ids, as Samsung ONE's luci reads and writes it.
//!
//! All words are little-endian `u32`; nothing is aligned or padded:
//!
//! ```text
//! count  { operator  length  source * length } * count
//! ```
//!
//! The operator is an index into the first subgraph; the table has no place for a subgraph.
//!
//! ```
//! use circle_metadata::op_table::{OpTable, decode, encode};
//!
//! let table = OpTable::from([(5, [1, 2].into())]);
//! let bytes = encode(&table).unwrap();
//! assert_eq!(bytes, *b"\x01\0\0\0\x05\0\0\0\x02\0\0\0\x01\0\0\0\x02\0\0\0");
//! assert_eq!(decode(&bytes), (table, vec![]));
//! ```

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use crate::one::EncodeError;
use crate::problem::{Problem, Problems};
use crate::records;

/// Key of the entry in the model's metadata.
pub const KEY: &str = "ONE_op_table";

/// Operator index of the first subgraph to source ids. The order of the map is the order of the file.
pub type OpTable = BTreeMap<u32, BTreeSet<u32>>;

/// Reads a table, keeping what can be read of a damaged one.
///
/// Findings of [`Severity::Error`](crate::problem::Severity::Error) are those on which luci dies. An
/// empty record is kept as an empty set: the operator is named, its sources are not.
pub fn decode(payload: &[u8]) -> (OpTable, Vec<Problem>) {
    let mut problems = Problems::new(KEY);
    let mut table = OpTable::new();
    records::scan(payload, "source ids", &mut problems, |problems, at, operator, ids| {
        let sources: BTreeSet<u32> = ids.iter().map(|id| u32::from_le_bytes(*id)).collect();
        if sources.is_empty() {
            problems.error(at, format!("operator {operator} has no source"));
        } else if sources.len() < ids.len() {
            problems.warning(at, format!("operator {operator} names a source twice"));
        }
        if let Entry::Vacant(place) = table.entry(operator) {
            place.insert(sources);
        } else {
            problems.error(at, format!("operator {operator} occurs again; its first record is kept"));
        }
    });
    (table, problems.finish())
}

/// Offset of the record that [`decode`] kept of each operator, in bytes.
pub(crate) fn offsets(payload: &[u8]) -> BTreeMap<u32, usize> {
    let mut offsets = BTreeMap::new();
    records::scan(payload, "source ids", &mut Problems::new(KEY), |_, at, operator, _| {
        offsets.entry(operator).or_insert(at);
    });
    offsets
}

/// Writes a table that luci accepts: operators and source ids ascending.
///
/// # Errors
/// An operator without a source, on which luci would die, or more records or sources than a `u32` counts.
pub fn encode(table: &OpTable) -> Result<Vec<u8>, EncodeError> {
    let length = |what, count: usize| {
        u32::try_from(count).map_err(|_| EncodeError::TooMany { table: KEY, what, count: count as u64 })
    };
    let mut bytes = length("records", table.len())?.to_le_bytes().to_vec();
    for (&operator, sources) in table {
        if sources.is_empty() {
            return Err(EncodeError::NoSource { operator });
        }
        bytes.extend(operator.to_le_bytes());
        bytes.extend(length("sources of an operator", sources.len())?.to_le_bytes());
        bytes.extend(sources.iter().flat_map(|id| id.to_le_bytes()));
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
        let bytes = crate::hex::decode("0100000005000000020000000100000002000000").unwrap();
        let table = OpTable::from([(5, [1, 2].into())]);
        assert_eq!(decode(&bytes), (table.clone(), vec![]));
        assert_eq!(encode(&table).unwrap(), bytes);
    }

    #[test]
    fn empty_table_is_four_zero_bytes() {
        assert_eq!(encode(&OpTable::new()).unwrap(), [0; 4]);
        assert_eq!(decode(&[0; 4]), (OpTable::new(), vec![]));
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
        let (_, problems) = decode(&words(&[1, 7]));
        assert_eq!(only(&problems), (Severity::Error, 4, "record 0 of 1: 4 bytes left, the header takes 8"));
    }

    #[test]
    fn body_past_the_end_keeps_what_came_before() {
        let (table, problems) = decode(&words(&[2, 0, 1, 4, 1, 3, 5, 6]));
        assert_eq!(table, OpTable::from([(0, [4].into())]));
        assert_eq!(only(&problems), (Severity::Error, 16, "record 1 of 2: 3 source ids, 8 bytes left"));
    }

    #[test]
    fn trailing_bytes() {
        let (table, problems) = decode(&words(&[1, 0, 1, 4, 1, 1, 5]));
        assert_eq!(table.len(), 1);
        assert_eq!(only(&problems), (Severity::Error, 16, "12 bytes after the last of 1 records"));
    }

    #[test]
    fn duplicate_operator_keeps_the_first_record() {
        let (table, problems) = decode(&words(&[2, 0, 1, 4, 0, 1, 5]));
        assert_eq!(table, OpTable::from([(0, [4].into())]));
        assert_eq!(
            only(&problems),
            (Severity::Error, 16, "operator 0 occurs again; its first record is kept")
        );
    }

    #[test]
    fn empty_record_is_reported_and_refused_when_written() {
        let (table, problems) = decode(&words(&[1, 6, 0]));
        assert_eq!(table, OpTable::from([(6, BTreeSet::new())]));
        assert_eq!(only(&problems), (Severity::Error, 4, "operator 6 has no source"));
        assert_eq!(encode(&table), Err(EncodeError::NoSource { operator: 6 }));
    }

    #[test]
    fn a_length_whose_byte_count_wraps_in_32_bits_is_refused() {
        let (table, problems) = decode(&words(&[1, 0, 0x4000_0001, 7]));
        assert!(table.is_empty());
        assert_eq!(
            only(&problems),
            (Severity::Error, 4, "record 0 of 1: 1073741825 source ids, 4 bytes left")
        );
    }

    #[test]
    fn a_source_named_twice_counts_once() {
        let (table, problems) = decode(&words(&[1, 0, 3, 8, 2, 8]));
        assert_eq!(table, OpTable::from([(0, [2, 8].into())]));
        assert_eq!(only(&problems), (Severity::Warning, 4, "operator 0 names a source twice"));
        assert_eq!(encode(&table).unwrap(), words(&[1, 0, 2, 2, 8]));
    }
}
