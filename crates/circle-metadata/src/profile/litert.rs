//! The table that TensorFlow Lite's benchmark tool prints, and LiteRT's profilers after it.
//!
//! ```text
//! ============== Run Order ==============
//!     [node type]  [start]  [first]  [avg ms]      [%]   [cdf%]  [mem KB]  [times called]  [Name]
//!         CONV_2D    0.000    0.078     0.057  48.881%  48.881%     0.000               5  [Builtin]:0
//! ```
//!
//! Only the rows under "Run Order" are operators; "Top by Computation Time" repeats them, the summaries add
//! them up. The number after the last colon of the name is the operator index. Rows of a delegate count
//! the delegate's own nodes. Newer tools leave out `[start]`, so columns are found by their heading. The node
//! type may hold spaces and the name anything, so a row is found by its numbers in between. KB is 1000 bytes.

use super::Faulty;
use super::error::{ProfileFault, ValueFault, shown};
use super::row::{Form, OtherReason, OtherRow, Profile, Row, Statistic, Value};
use super::unit::Unit;
use crate::decimal::{exact, number};

/// Title of the section that holds the operators.
pub(super) const RUN_ORDER: &str = "Run Order";

/// Nanoseconds in the milliseconds of the table.
pub(super) const MILLISECOND: u64 = 1_000_000;

/// Bytes in the KB of the table.
const KILOBYTE: u64 = 1_000;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Operators,
    Repeated,
    Summary,
    None,
}

pub(super) fn read(text: &str) -> Faulty<Profile> {
    let mut profile = Profile::new(Form::LitertTable);
    let (mut section, mut columns, mut subgraph) = (Section::None, Vec::new(), 0);
    for (line, row) in (1_u64..).zip(text.lines()) {
        let trimmed = row.trim();
        if trimmed.is_empty() {
            section = Section::None;
        } else if trimmed.starts_with("==") {
            let title = trimmed.trim_matches(['=', ' ']);
            section = match title {
                RUN_ORDER => Section::Operators,
                _ if title.starts_with("Top by ") => Section::Repeated,
                _ if title.starts_with("Summary ") => Section::Summary,
                _ => Section::None,
            };
            columns.clear();
        } else if let Some(named) = heading_subgraph(trimmed) {
            subgraph = named;
        } else if section == Section::None {
            continue;
        } else if trimmed.to_ascii_lowercase().starts_with("[node type]") {
            columns = headings(trimmed);
        } else {
            match Cells::split(trimmed, &columns, section != Section::Summary) {
                Some(cells) => add(&mut profile, section, subgraph, &cells, line)?,
                None => profile.problem(line, format!("not a row of the table: \"{}\"", shown(trimmed))),
            }
        }
    }
    Ok(profile)
}

/// The subgraph that a heading like `Subgraph (index: 2, name: body) Profiling:` names.
fn heading_subgraph(line: &str) -> Option<u32> {
    if line.starts_with("Primary graph") {
        return Some(0);
    }
    let index = line.strip_prefix("Subgraph (index: ")?;
    index.split([',', ')']).next()?.parse().ok()
}

/// Tables have nine columns. Rows are searched for a run of as many cells, so that there must be a bound.
const MAX_COLUMNS: usize = 64;

/// Column headings in lower case, without their brackets.
fn headings(line: &str) -> Vec<String> {
    let inner = line.trim_start_matches('[').trim_end_matches(']');
    inner
        .split(']')
        .take(MAX_COLUMNS)
        .map(|part| part.trim_matches([' ', '[']).to_ascii_lowercase())
        .collect()
}

/// A row cut into its cells.
struct Cells<'a> {
    columns: &'a [String],
    node_type: &'a str,
    numbers: Vec<&'a str>,
    name: &'a str,
}

impl<'a> Cells<'a> {
    fn split(row: &'a str, columns: &'a [String], named: bool) -> Option<Self> {
        let due = columns.len().checked_sub(1 + usize::from(named)).filter(|&due| due > 0)?;
        let words: Vec<&str> = row.split_ascii_whitespace().collect();
        // The first run of words that are numbers and percentages in the order of the headings; a node type
        // may well end in a number of its own.
        let fits = |(heading, word): (&String, &&str)| match word.strip_suffix('%') {
            Some(percentage) => heading.ends_with('%') && number(percentage).is_ok(),
            None => !heading.ends_with('%') && number(word).is_ok(),
        };
        let headings = columns.get(1..=due)?;
        let numbers = words.get(1..)?.windows(due).find(|run| headings.iter().zip(*run).all(fits))?;
        let offset = |part: &str| (part.as_ptr() as usize).saturating_sub(row.as_ptr() as usize);
        let first = numbers.first()?;
        let node_type = row.get(..offset(first))?.trim_end();
        let tail = numbers.last()?;
        let name = row.get(offset(tail) + tail.len()..)?.trim_start();
        (!node_type.is_empty() && name.is_empty() != named).then_some(Self {
            columns,
            node_type,
            numbers: numbers.to_vec(),
            name,
        })
    }

    /// The cell under the heading, where there is one.
    fn cell(&self, heading: &str) -> Option<&'a str> {
        let column = self.columns.iter().position(|column| column == heading)?;
        self.numbers.get(column.checked_sub(1)?).copied()
    }
}

fn add(profile: &mut Profile, section: Section, subgraph: u32, cells: &Cells<'_>, line: u64) -> Faulty<()> {
    let scaled = |field: &'static str, heading: &str, scale: u64| {
        let Some(text) = cells.cell(heading) else { return Ok(None) };
        exact(text, scale).map(Some).map_err(|fault| (line, ProfileFault::value(field, text, fault)))
    };
    let time = scaled("[avg ms]", "avg ms", MILLISECOND)?
        .ok_or((line, ProfileFault::Missing { field: "column [avg ms]" }))?;
    let calls = scaled("[times called]", "times called", 1)?.unwrap_or(1);
    let memory = scaled("[mem KB]", "mem kb", KILOBYTE)?.unwrap_or(0);
    let reason = match section {
        Section::Operators => operator_or_reason(cells.node_type, cells.name),
        Section::Repeated => Err(OtherReason::Repeated),
        Section::Summary | Section::None => Err(OtherReason::Summary),
    };
    match reason {
        Ok(operator) => {
            let row = Measured { subgraph, operator, node_type: cells.node_type, calls, line };
            profile.rows.push(row.row("time", Unit::Nanoseconds, time));
            if memory > 0 {
                profile.rows.push(row.row("memory", Unit::Bytes, memory));
            }
        }
        Err(reason) => profile.other.push(OtherRow {
            reason,
            name: if cells.name.is_empty() {
                cells.node_type.to_owned()
            } else {
                format!("{} {}", cells.node_type, cells.name)
            },
            subgraph: Some(subgraph),
            time: Some(time),
            samples: vec![],
            line,
        }),
    }
    Ok(())
}

/// The operator index at the end of a row's name, or why the row is no operator of the file.
pub(super) fn operator_or_reason(node_type: &str, name: &str) -> Result<u32, OtherReason> {
    if node_type.starts_with("Delegate/") || name.starts_with("[Delegate]") {
        return Err(OtherReason::Delegate);
    }
    name.rsplit_once(':').and_then(|(_, index)| index.parse().ok()).ok_or(OtherReason::NoIndex)
}

/// What the two LiteRT forms know of an operator.
pub(super) struct Measured<'a> {
    pub(super) subgraph: u32,
    pub(super) operator: u32,
    pub(super) node_type: &'a str,
    pub(super) calls: i64,
    pub(super) line: u64,
}

impl Measured<'_> {
    pub(super) fn row(&self, metric: &str, unit: Unit, value: i64) -> Row {
        Row {
            subgraph: self.subgraph,
            operator: self.operator,
            kind: Some(self.node_type.to_owned()),
            metric: metric.to_owned(),
            unit,
            value: Value::Integer(value),
            statistic: Statistic::Mean,
            count: self.calls.unsigned_abs(),
            samples: vec![],
            backend: None,
            instruction: None,
            parent: None,
            line: self.line,
        }
    }
}

/// An index of the JSON form.
pub(super) fn index(field: &'static str, text: &str) -> Result<u32, ProfileFault> {
    text.parse().map_err(|_| ProfileFault::value(field, text, ValueFault::NotAnIndex))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADING: &str = "[node type] [start] [first] [avg ms] [%] [cdf%] [mem KB] [times called] [Name]";

    fn rows(rows: &str) -> Profile {
        read(&format!("== Run Order ==\n{HEADING}\n{rows}")).unwrap()
    }

    #[test]
    fn node_types_and_names_with_spaces_and_numbers() {
        let profile =
            rows(" Weird 2 (ND, X32) 3  0.000 0.1 0.0135 1.5% 2% 1.5 4 [a b, c 1 2 3 4 5 6 7]:12\n");
        let row = &profile.rows[0];
        assert_eq!(row.kind.as_deref(), Some("Weird 2 (ND, X32) 3"));
        assert_eq!((row.operator, row.count), (12, 4));
    }

    #[test]
    fn the_usual_row() {
        let profile = rows("  CONV_2D 0.000 0.078 0.057 48.881% 48.881% 1.500 5 [s0, s1]:7\n");
        let values: Vec<_> =
            profile.rows.iter().map(|row| (row.metric.as_str(), row.unit, row.value.clone())).collect();
        assert_eq!(
            values,
            [
                ("time", Unit::Nanoseconds, Value::Integer(57_000)),
                ("memory", Unit::Bytes, Value::Integer(1_500)),
            ]
        );
        assert!(profile.rows.iter().all(|row| row.operator == 7 && row.count == 5 && row.line == 3));
    }

    #[test]
    fn headings_of_subgraphs_are_followed() {
        let profile = read(&format!(
            "Primary graph (name: main) Profiling:\n== Run Order ==\n{HEADING}\nWHILE 0 0 2 1% 1% 0 1 [w]:0\n\n\
             Subgraph (index: 2, name: body) Profiling:\n== Run Order ==\n{HEADING}\nADD 0 0 1 1% 1% 0 1 [a]:0\n"
        ))
        .unwrap();
        let keys: Vec<_> = profile.rows.iter().map(|row| (row.subgraph, row.operator)).collect();
        assert_eq!(keys, [(0, 0), (2, 0)]);
    }

    #[test]
    fn rows_without_an_index_are_kept_apart_and_broken_rows_reported() {
        let profile = rows("ADD 0 0 1 1% 1% 0 1 [a]\nADD 0 0 1\n");
        assert_eq!(profile.other[0].reason, OtherReason::NoIndex);
        assert_eq!(profile.problems[0].line, 4);
        assert!(profile.rows.is_empty());
    }

    #[test]
    fn values_that_cannot_be_taken_are_located() {
        let fail = |row: &str| read(&format!("== Run Order ==\n{HEADING}\n{row}")).unwrap_err();
        let (line, fault) = fail("ADD 0 0 -1.0 1% 1% 0 1 [a]:0");
        assert_eq!((line, fault.to_string().as_str()), (3, "[avg ms] \"-1.0\" is negative"));
        let (_, fault) = fail("ADD 0 0 0.0000001 1% 1% 0 1 [a]:0");
        assert!(fault.to_string().contains("would be rounded"), "{fault}");
    }
}
