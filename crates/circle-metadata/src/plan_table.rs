//! `ONE_execution_plan_table`: for nodes of luci's graph, when they run and where their results lie, as Samsung ONE's
//! luci reads and writes it.
//!
//! All words are little-endian `u32`; nothing is aligned or padded:
//!
//! ```text
//! count  { position  length  order  offset * (length - 1) } * count
//! ```
//!
//! The position is that of a node in luci's traversal of the first subgraph, which neither operators nor tensors of the
//! file have. The first offset is where the node's result lies, in bytes; others are those of its scratch memory.
//!
//! ```
//! use circle_metadata::plan_table::{Entry, PlanTable, decode, encode};
//!
//! let table = PlanTable::from([(5, Entry { order: 3, offsets: vec![64] })]);
//! let bytes = encode(&table).unwrap();
//! assert_eq!(bytes, *b"\x01\0\0\0\x05\0\0\0\x02\0\0\0\x03\0\0\0\x40\0\0\0");
//! assert_eq!(decode(&bytes), (table, vec![]));
//! ```

use std::collections::{BTreeMap, btree_map};

use crate::one::EncodeError;
use crate::problem::{Problem, Problems};
use crate::records;

/// Key of the entry in the model's metadata.
pub const KEY: &str = "ONE_execution_plan_table";

/// What is planned for a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// When it runs: nodes of lower numbers run before.
    pub order: u32,
    /// Where its result lies in the arena, in bytes, and behind it where each piece of its scratch memory does.
    pub offsets: Vec<u32>,
}

/// Nodes by position. The order of the map is the order of the file.
pub type PlanTable = BTreeMap<u32, Entry>;

/// Reads a table, keeping what can be read of a damaged one.
///
/// Findings of [`Severity::Error`](crate::problem::Severity::Error) are those on which luci dies.
pub fn decode(payload: &[u8]) -> (PlanTable, Vec<Problem>) {
    let mut problems = Problems::new(KEY);
    let mut table = PlanTable::new();
    records::scan(payload, "words", &mut problems, |problems, at, position, words| {
        let mut words = words.iter().map(|word| u32::from_le_bytes(*word));
        let Some(order) = words.next() else {
            problems.error(at, format!("node {position} has no word for its order"));
            return;
        };
        if let btree_map::Entry::Vacant(place) = table.entry(position) {
            place.insert(Entry { order, offsets: words.collect() });
        } else {
            problems.error(at, format!("node {position} occurs again; its first record is kept"));
        }
    });
    (table, problems.finish())
}

/// Writes a table that luci accepts: positions ascending.
///
/// # Errors
/// More records or offsets than a `u32` counts.
pub fn encode(table: &PlanTable) -> Result<Vec<u8>, EncodeError> {
    let length = |what, count: usize| {
        u32::try_from(count).map_err(|_| EncodeError::TooMany { table: KEY, what, count: count as u64 })
    };
    let mut bytes = length("records", table.len())?.to_le_bytes().to_vec();
    for (position, entry) in table {
        bytes.extend(position.to_le_bytes());
        bytes.extend(length("words of a node", entry.offsets.len().saturating_add(1))?.to_le_bytes());
        bytes.extend(entry.order.to_le_bytes());
        bytes.extend(entry.offsets.iter().flat_map(|offset| offset.to_le_bytes()));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Severity;
    use crate::records::testing::{only, words};

    fn node(order: u32, offsets: &[u32]) -> Entry {
        Entry { order, offsets: offsets.to_vec() }
    }

    #[test]
    fn golden_bytes() {
        let bytes = words(&[2, 0, 2, 0, 16, 3, 4, 1, 32, 64, 80]);
        let table = PlanTable::from([(0, node(0, &[16])), (3, node(1, &[32, 64, 80]))]);
        assert_eq!(decode(&bytes), (table.clone(), vec![]));
        assert_eq!(encode(&table).unwrap(), bytes);
        assert_eq!(encode(&PlanTable::new()).unwrap(), [0; 4]);
    }

    #[test]
    fn what_ends_early_keeps_what_came_before() {
        assert_eq!(
            only(&decode(&[1, 0]).1),
            (Severity::Error, 0, "2 bytes are too few for the record count of 4")
        );
        let (table, problems) = decode(&words(&[2, 1, 1, 7, 4, 3, 5, 6]));
        assert_eq!(table, PlanTable::from([(1, node(7, &[]))]));
        assert_eq!(only(&problems), (Severity::Error, 16, "record 1 of 2: 3 words, 8 bytes left"));
        let (_, problems) = decode(&words(&[1, 7]));
        assert_eq!(only(&problems), (Severity::Error, 4, "record 0 of 1: 4 bytes left, the header takes 8"));
        let (table, problems) = decode(&words(&[1, 0, 0x4000_0001, 7]));
        assert!(table.is_empty());
        assert_eq!(only(&problems), (Severity::Error, 4, "record 0 of 1: 1073741825 words, 4 bytes left"));
    }

    #[test]
    fn what_luci_refuses_is_told_and_the_rest_is_kept() {
        let (table, problems) = decode(&words(&[3, 1, 0, 2, 1, 5, 2, 1, 6]));
        assert_eq!(table, PlanTable::from([(2, node(5, &[]))]));
        let texts: Vec<&str> = problems.iter().map(|problem| &*problem.text).collect();
        assert_eq!(
            texts,
            ["node 1 has no word for its order", "node 2 occurs again; its first record is kept"]
        );
        let (table, problems) = decode(&words(&[1, 1, 1, 4, 9]));
        assert_eq!(table.len(), 1);
        assert_eq!(only(&problems), (Severity::Error, 16, "4 bytes after the last of 1 records"));
    }
}
