//! Measured profiles as runtimes write them, read into plain rows.
//!
//! A [`Row`] is what was measured for one operator, keyed by subgraph and operator index. Everything else
//! a file holds is kept as an [`OtherRow`] with the reason why it is no operator. Nothing is rounded: times
//! are whole nanoseconds, sizes whole bytes, energies whole nanojoules, and a file whose digits go beyond
//! that is refused with the line.

mod chrome;
mod csv;
mod error;
pub mod kinds;
mod lines;
mod litert;
mod litert_json;
mod nesting;
mod row;
mod unit;

use std::collections::BTreeSet;

use crate::lineage::{MAX_WORD, MAX_WORDS};

pub use error::{ProfileError, ProfileFault, ValueFault};
pub use row::{Form, OtherReason, OtherRow, Profile, ProfileProblem, Row, Statistic, Value, lower_median};
pub use unit::Unit;

/// A mark that some editors put before UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Tells the form of a profile by its content, whatever its name; `None` when it is none of them.
///
/// Damaged files are recognised too, so that reading them says where the damage is.
pub fn detect(bytes: &[u8]) -> Option<Form> {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    match bytes.trim_ascii_start().first()? {
        b'{' if contains(bytes, b"\"traceEvents\"") => Some(Form::ChromeTrace),
        b'{' if contains(bytes, b"\"node_type\"") => Some(Form::LitertJson),
        b'[' if contains(bytes, b"\"ph\"") => Some(Form::ChromeTrace),
        b'{' | b'[' => None,
        _ if csv::is_csv(bytes) => Some(Form::Csv),
        _ if contains(bytes, litert::RUN_ORDER.as_bytes()) && contains(bytes, b"[times called]") => {
            Some(Form::LitertTable)
        }
        _ => None,
    }
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// Reads a profile of any form that [`detect`] knows. `name` stands in errors only.
///
/// # Errors
/// An unknown form, the first line that cannot be read exactly, or the first with a metric that no lineage can hold
/// beside those before it; see [`ProfileFault`].
pub fn read(name: &str, bytes: &[u8]) -> Result<Profile, ProfileError> {
    let profile = match detect(bytes) {
        Some(Form::ChromeTrace) => text(bytes).and_then(chrome::read),
        Some(Form::LitertTable) => text(bytes).and_then(litert::read),
        Some(Form::LitertJson) => text(bytes).and_then(litert_json::read),
        Some(Form::Csv) => text(bytes).and_then(csv::read),
        None => Err((0, ProfileFault::Form)),
    };
    let profile = profile.and_then(|profile| metrics(&profile).map(|()| profile));
    profile.map_err(|(line, fault)| ProfileError { name: name.to_owned(), line, fault })
}

/// What readers return when they fail: the line from 1 (0 where the whole file is meant) and the fault.
type Faulty<T> = Result<T, (u64, ProfileFault)>;

/// Holds the metrics of a profile against what a lineage can hold, so that no later step meets more.
fn metrics(profile: &Profile) -> Faulty<()> {
    let mut seen = BTreeSet::new();
    for row in &profile.rows {
        let (name, line) = (row.metric.as_str(), row.line);
        if name.len() > MAX_WORD {
            return Err((line, ProfileFault::MetricName { bytes: name.len(), most: MAX_WORD }));
        }
        if seen.insert((name, row.unit)) && seen.len() > MAX_WORDS {
            return Err((line, ProfileFault::Metrics { most: MAX_WORDS }));
        }
    }
    Ok(())
}

fn text(bytes: &[u8]) -> Faulty<&str> {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
        (lines::count(valid) + 1, ProfileFault::NotText)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_told_by_content() {
        let form = |text: &str| detect(text.as_bytes());
        assert_eq!(form("{\"traceEvents\":["), Some(Form::ChromeTrace));
        assert_eq!(form(" [{\"ph\":\"X\"}]"), Some(Form::ChromeTrace));
        assert_eq!(form("{\"operators\":[{\"node_type\":1}]}"), Some(Form::LitertJson));
        assert_eq!(form("==== Run Order ====\n [node type] [times called] [Name]"), Some(Form::LitertTable));
        assert_eq!(form("\u{feff}# a=b\r\n\r\nsubgraph,op_index,metric,unit,value\r\n"), Some(Form::Csv));
        for other in ["", "  ", "{}", "[]", "CIR0", "a,b,c", "# only a comment", "{\"Execution_Data\":{}}"] {
            assert_eq!(form(other), None, "{other:?}");
        }
        assert_eq!(detect(b"\x1c\0\0\0CIR0\xff\xff"), None);
    }

    #[test]
    fn more_metrics_than_a_lineage_holds_are_refused_where_they_begin() {
        let csv = |metrics: usize| {
            let rows = (0..metrics).map(|i| format!("0,0,m{},{},1\n", i / 2, ["ns", "J"][i % 2]));
            let rows: String = rows.flat_map(|row| [row.clone(), row]).collect();
            format!("subgraph,op_index,metric,unit,value\n{rows}")
        };
        // Each stands twice, under two units.
        assert_eq!(read("m.csv", csv(4096).as_bytes()).unwrap().rows.len(), 4096);
        let error = read("m.csv", csv(4097).as_bytes()).unwrap_err();
        let text = "m.csv line 8194: one metric more than 4096, which are the most of a profile";
        assert_eq!(error.to_string(), text);
        let long = |bytes: usize| {
            let text = format!("subgraph,op_index,metric,unit,value\n0,0,{},ns,1\n", "m".repeat(bytes));
            read("m.csv", text.as_bytes()).map(|profile| profile.rows.len())
        };
        assert_eq!(long(1024), Ok(1));
        let text = "m.csv line 2: a metric with a name of 1025 bytes, and 1024 are the most";
        assert_eq!(long(1025).unwrap_err().to_string(), text);
    }

    #[test]
    fn errors_name_the_file() {
        let error = read("m.circle", b"\x1c\0\0\0CIR0").unwrap_err();
        assert_eq!(error.to_string(), "m.circle: not a profile of a known form");
        let error = read("t.json", b"{\"traceEvents\":\n[\n\"\xff\"]}").unwrap_err();
        assert_eq!(error.to_string(), "t.json line 3: not UTF-8");
    }
}
