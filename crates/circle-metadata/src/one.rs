//! Samsung ONE's two profile tables as a pair, since each is worthless without the other.

use std::collections::BTreeMap;
use std::fmt;

use crate::name::Name;
use crate::op_table::{self, OpTable};
use crate::problem::{Problem, Problems, Severity};
use crate::source_table::{self, SourceTable};

/// Source id that ONE's backends give to what they cannot name, and that no real source may have.
pub const UNKNOWN_ID: u32 = u32::MAX;

/// Name that goes with [`UNKNOWN_ID`].
pub const UNKNOWN_NAME: &str = "Unknown";

/// Why a table would not be accepted by luci.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EncodeError {
    /// A record of the op table without any source.
    NoSource {
        /// Operator index of the record.
        operator: u32,
    },
    /// A source id in the op table that the source table lacks.
    MissingSource {
        /// Operator index of the record.
        operator: u32,
        /// The id that has no name.
        source: u32,
    },
    /// A real source under the id that means "unknown".
    ReservedId {
        /// The name given to it.
        name: Name,
    },
    /// More of something than the format's `u32` can count.
    TooMany {
        /// Key of the table.
        table: &'static str,
        /// What there is too much of.
        what: &'static str,
        /// How many there are.
        count: u64,
    },
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSource { operator } => {
                write!(f, "{}: operator {operator} has no source", op_table::KEY)
            }
            Self::MissingSource { operator, source } => {
                write!(
                    f,
                    "{}: operator {operator} names source {source}, which {} lacks",
                    op_table::KEY,
                    source_table::KEY
                )
            }
            Self::ReservedId { name } => write!(
                f,
                "{}: source {UNKNOWN_ID} is named \"{name}\", only \"{UNKNOWN_NAME}\" may have that id",
                source_table::KEY
            ),
            Self::TooMany { table, what, count } => {
                write!(f, "{table}: {count} {what}, at most {} can be written", u32::MAX)
            }
        }
    }
}

impl std::error::Error for EncodeError {}

/// Both tables of one model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OneTables {
    /// Source id to name.
    pub sources: SourceTable,
    /// Operator of the first subgraph to source ids.
    pub operators: OpTable,
}

impl OneTables {
    /// Reads both tables out of a model's metadata.
    ///
    /// `entries` are `(name, payload)` in file order, the payload `None` where the buffer holds none;
    /// `operators` is the number of operators of the first subgraph. `None` when the metadata has neither
    /// table, which is no fault. As in luci the last entry of a name wins. A source id without a name is
    /// kept in the operator's set and reported: whoever joins the tables decides.
    pub fn decode<'a>(
        entries: impl IntoIterator<Item = (&'a [u8], Option<&'a [u8]>)>,
        operators: usize,
    ) -> (Option<Self>, Vec<Problem>) {
        let mut source_entry = Entry::new(source_table::KEY);
        let mut op_entry = Entry::new(op_table::KEY);
        for (name, payload) in entries {
            source_entry.offer(name, payload);
            op_entry.offer(name, payload);
        }
        let mut problems = Vec::new();
        let sources = source_entry.decode(source_table::decode, &mut problems);
        let ops = op_entry.decode(op_table::decode, &mut problems);
        if sources.is_none() && ops.is_none() {
            return (None, problems);
        }
        let one_sided = |present: &'static str, absent: &str| Problem {
            severity: Severity::Warning,
            entry: present,
            at_byte: 0,
            text: format!("stands without {absent}, so no operator has an origin"),
        };
        let (has_sources, has_ops) =
            (sources.as_ref().is_some_and(|t| !t.is_empty()), ops.as_ref().is_some_and(|t| !t.is_empty()));
        if has_sources && !has_ops {
            problems.push(one_sided(source_table::KEY, op_table::KEY));
        }
        if has_ops && !has_sources {
            problems.push(one_sided(op_table::KEY, source_table::KEY));
        }
        let tables = Self { sources: sources.unwrap_or_default(), operators: ops.unwrap_or_default() };
        if has_sources && has_ops {
            let offsets = op_table::offsets(op_entry.payload.unwrap_or(&[]));
            problems.extend(tables.check(operators, &offsets));
        }
        (Some(tables), problems)
    }

    /// Findings that concern the pair: sources without a name, operators that the model does not have.
    fn check(&self, operators: usize, offsets: &BTreeMap<u32, usize>) -> Vec<Problem> {
        let mut problems = Problems::new(op_table::KEY);
        for (&operator, sources) in &self.operators {
            let at = offsets.get(&operator).copied().unwrap_or(0);
            for source in sources.iter().filter(|source| !self.sources.contains_key(source)) {
                problems.error(
                    at,
                    format!("operator {operator} names source {source}, which {} lacks", source_table::KEY),
                );
            }
            if u64::from(operator) >= operators as u64 {
                problems.warning(
                    at,
                    format!("operator {operator} does not exist, the first subgraph has {operators}"),
                );
            }
        }
        problems.finish()
    }

    /// Writes `(source table, op table)`, both acceptable to luci.
    ///
    /// # Errors
    /// What luci would refuse or die on, now or in the next tool of the chain: see [`EncodeError`].
    pub fn encode(&self) -> Result<(Vec<u8>, Vec<u8>), EncodeError> {
        if let Some(name) = self.sources.get(&UNKNOWN_ID).filter(|name| name.as_str() != Some(UNKNOWN_NAME)) {
            return Err(EncodeError::ReservedId { name: name.clone() });
        }
        for (&operator, sources) in &self.operators {
            if let Some(&source) = sources.iter().find(|source| !self.sources.contains_key(source)) {
                return Err(EncodeError::MissingSource { operator, source });
            }
        }
        Ok((source_table::encode(&self.sources)?, op_table::encode(&self.operators)?))
    }

    /// Names of the sources of one operator, in ascending order of their ids; ids without a name are
    /// left out. `None` when the operator is not in the table, which means unknown, never "itself".
    pub fn sources_of(&self, operator: u32) -> Option<BTreeMap<u32, &Name>> {
        let ids = self.operators.get(&operator)?;
        Some(ids.iter().filter_map(|id| Some((*id, self.sources.get(id)?))).collect())
    }
}

/// All metadata entries of one name, reduced to the last.
struct Entry<'a> {
    key: &'static str,
    count: u32,
    payload: Option<&'a [u8]>,
}

impl<'a> Entry<'a> {
    fn new(key: &'static str) -> Self {
        Self { key, count: 0, payload: None }
    }

    fn offer(&mut self, name: &[u8], payload: Option<&'a [u8]>) {
        if name == self.key.as_bytes() {
            self.count = self.count.saturating_add(1);
            self.payload = payload;
        }
    }

    fn decode<T>(
        &self,
        decode: impl Fn(&[u8]) -> (T, Vec<Problem>),
        problems: &mut Vec<Problem>,
    ) -> Option<T> {
        if self.count == 0 {
            return None;
        }
        if self.count > 1 {
            problems.push(Problem {
                severity: Severity::Warning,
                entry: self.key,
                at_byte: 0,
                text: format!("{} entries have this name, the last one counts", self.count),
            });
        }
        let (table, found) = decode(self.payload.unwrap_or(&[]));
        problems.extend(found);
        Some(table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tables() -> OneTables {
        OneTables {
            sources: [(0, "conv".into()), (1, "relu".into()), (2, "gone".into())].into(),
            operators: [(0, [0, 1].into())].into(),
        }
    }

    fn texts(problems: &[Problem]) -> Vec<String> {
        problems.iter().map(ToString::to_string).collect()
    }

    const S: &[u8] = source_table::KEY.as_bytes();
    const O: &[u8] = op_table::KEY.as_bytes();

    #[test]
    fn a_pair_comes_back_among_foreign_entries() {
        let (sources, ops) = tables().encode().unwrap();
        let entries = [(&b"min_runtime_version"[..], None), (O, Some(&ops[..])), (S, Some(&sources[..]))];
        assert_eq!(OneTables::decode(entries, 1), (Some(tables()), vec![]));
        assert_eq!(
            tables().sources_of(0).unwrap().into_values().map(Name::to_string).collect::<Vec<_>>(),
            ["conv", "relu"]
        );
        assert_eq!(tables().sources_of(1), None);
    }

    #[test]
    fn neither_table_is_no_fault() {
        assert_eq!(OneTables::decode([(&b"source_table"[..], None)], 3), (None, vec![]));
    }

    #[test]
    fn data_outside_the_flatbuffer_is_a_payload_too_short() {
        let (sources, _) = tables().encode().unwrap();
        let (read, problems) = OneTables::decode([(S, Some(&sources[..])), (O, None)], 1);
        assert_eq!(read.unwrap().sources, tables().sources);
        assert_eq!(
            texts(&problems),
            [
                "error: ONE_op_table byte 0: 0 bytes are too few for the record count of 4",
                "warning: ONE_source_table byte 0: stands without ONE_op_table, so no operator has an origin",
            ]
        );
    }

    #[test]
    fn one_table_alone_names_no_origin() {
        let (_, ops) = tables().encode().unwrap();
        let (read, problems) = OneTables::decode([(O, Some(&ops[..]))], 1);
        assert_eq!(read.unwrap().operators, tables().operators);
        assert_eq!(
            texts(&problems),
            ["warning: ONE_op_table byte 0: stands without ONE_source_table, so no operator has an origin"]
        );
    }

    #[test]
    fn both_tables_empty_is_no_fault() {
        let zero = [0; 4];
        let (read, problems) = OneTables::decode([(S, Some(&zero[..])), (O, Some(&zero[..]))], 1);
        assert_eq!((read, problems), (Some(OneTables::default()), vec![]));
    }

    #[test]
    fn the_last_of_several_entries_wins() {
        let (sources, ops) = tables().encode().unwrap();
        let old = source_table::encode(&[(0, "old".into()), (1, "old".into())].into()).unwrap();
        let (read, problems) =
            OneTables::decode([(S, Some(&old[..])), (O, Some(&ops[..])), (S, Some(&sources[..]))], 1);
        assert_eq!(read, Some(tables()));
        assert_eq!(
            texts(&problems),
            ["warning: ONE_source_table byte 0: 2 entries have this name, the last one counts"]
        );
    }

    #[test]
    fn a_source_without_a_name_is_found_on_reading_and_refused_on_writing() {
        let (sources, _) = tables().encode().unwrap();
        let ops = op_table::encode(&[(0, [0].into()), (1, [7].into())].into()).unwrap();
        let (read, problems) = OneTables::decode([(S, Some(&sources[..])), (O, Some(&ops[..]))], 2);
        assert_eq!(
            texts(&problems),
            ["error: ONE_op_table byte 16: operator 1 names source 7, which ONE_source_table lacks"]
        );
        assert_eq!(read.unwrap().encode(), Err(EncodeError::MissingSource { operator: 1, source: 7 }));
    }

    #[test]
    fn an_operator_beyond_the_model_is_only_odd() {
        let (sources, ops) = tables().encode().unwrap();
        let (_, problems) = OneTables::decode([(S, Some(&sources[..])), (O, Some(&ops[..]))], 0);
        assert_eq!(
            texts(&problems),
            ["warning: ONE_op_table byte 4: operator 0 does not exist, the first subgraph has 0"]
        );
    }

    /// Records out of order, as no writer is known to leave them, are still found where they stand.
    #[test]
    fn findings_point_at_the_record_in_the_file() {
        let (sources, _) = tables().encode().unwrap();
        let ops: Vec<u8> = [2_u32, 5, 1, 0, 1, 1, 8].iter().flat_map(|word| word.to_le_bytes()).collect();
        let (_, problems) = OneTables::decode([(S, Some(&sources[..])), (O, Some(&ops[..]))], 2);
        assert_eq!(
            texts(&problems),
            [
                "error: ONE_op_table byte 16: operator 1 names source 8, which ONE_source_table lacks",
                "warning: ONE_op_table byte 4: operator 5 does not exist, the first subgraph has 2",
            ]
        );
    }

    #[test]
    fn only_unknown_may_have_the_reserved_id() {
        let mut pair = tables();
        pair.sources.insert(UNKNOWN_ID, UNKNOWN_NAME.into());
        pair.operators.insert(1, [UNKNOWN_ID].into());
        assert!(pair.encode().is_ok());
        pair.sources.insert(UNKNOWN_ID, "conv".into());
        let error = pair.encode().unwrap_err();
        assert_eq!(
            error.to_string(),
            "ONE_source_table: source 4294967295 is named \"conv\", only \"Unknown\" may have that id"
        );
    }

    /// Any bytes decode without a panic, and what was decoded can be written unless it is faulty.
    #[test]
    fn damaged_bytes_never_panic() {
        let (sources, ops) = tables().encode().unwrap();
        for table in [&sources, &ops] {
            for cut in 0..table.len() {
                for (byte, flip) in [(cut, 0xff), (cut, 0x01), (cut, 0x80)] {
                    let mut bad = table.clone();
                    bad[byte] ^= flip;
                    source_table::decode(&bad);
                    op_table::decode(&bad);
                    source_table::decode(&bad[..cut]);
                    op_table::decode(&bad[..cut]);
                }
            }
        }
    }
}
