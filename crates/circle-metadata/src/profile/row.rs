//! The plain form of a profile.

use super::unit::Unit;

/// The form of a profile file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// Chrome trace events, as onert writes them.
    ChromeTrace,
    /// The table that TensorFlow Lite's benchmark tool prints.
    LitertTable,
    /// The operator rows of that table as JSON.
    LitertJson,
    /// Our own comma separated form.
    Csv,
}

/// A profile as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Its form.
    pub form: Form,
    /// What was measured for operators, in the order of first appearance.
    pub rows: Vec<Row>,
    /// What stands in the file but is no measurement of an operator of the model.
    pub other: Vec<OtherRow>,
    /// What is odd, but did not keep the file from being read.
    pub problems: Vec<ProfileProblem>,
    /// What the file says of itself, as key and value in the order of the file.
    pub header: Vec<(String, String)>,
}

impl Profile {
    pub(super) fn new(form: Form) -> Self {
        Self { form, rows: vec![], other: vec![], problems: vec![], header: vec![] }
    }

    /// Notes something odd. A file of nothing but oddities must not make a report longer than itself.
    pub(super) fn problem(&mut self, line: u64, text: String) {
        const LIMIT: usize = 100;
        match self.problems.len() {
            count if count < LIMIT => self.problems.push(ProfileProblem { line, text }),
            LIMIT => self.problems.push(ProfileProblem { line, text: "more findings are not listed".into() }),
            _ => {}
        }
    }
}

/// Something odd in a profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileProblem {
    /// Line from 1.
    pub line: u64,
    /// What is odd; lower case, no full stop.
    pub text: String,
}

/// What was measured for one operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Subgraph index.
    pub subgraph: u32,
    /// Operator index in that subgraph.
    pub operator: u32,
    /// Kind of operator in the runtime's own words, such as `CONV_2D` or `Conv2D`; see [`super::kinds`].
    pub kind: Option<String>,
    /// What was measured, such as `time`.
    pub metric: String,
    /// Unit of `value` and `samples`.
    pub unit: Unit,
    /// The value that stands for all runs.
    pub value: Value,
    /// How that value follows from what was measured.
    pub statistic: Statistic,
    /// How many measurements are behind the value; at least 1 unless the file says otherwise.
    pub count: u64,
    /// All single measurements where the file has them, in its order; else empty.
    pub samples: Vec<i64>,
    /// What the operator ran on, such as `cpu`.
    pub backend: Option<String>,
    /// Name of the instruction or kernel that was measured.
    pub instruction: Option<String>,
    /// The operator (subgraph, operator) during which this one ran, as the body of a loop does: its time
    /// contains this one's.
    pub parent: Option<(u32, u32)>,
    /// Line of the first measurement, from 1.
    pub line: u64,
}

/// A measured value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A whole number of units.
    Integer(i64),
    /// A ratio or percentage, as it was written.
    Decimal(String),
    /// A label.
    Text(String),
}

/// How a value follows from the measurements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statistic {
    /// The file gives one value and does not say how it was made.
    AsWritten,
    /// The lower median of `samples`: the element in the middle, or the smaller of the two.
    Median,
    /// The file gives the mean over `count` runs, rounded by its writer.
    Mean,
}

/// A row that is no measurement of an operator of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherRow {
    /// Why it is none.
    pub reason: OtherReason,
    /// Its name in the file.
    pub name: String,
    /// Subgraph index, where it has one.
    pub subgraph: Option<u32>,
    /// Its time in nanoseconds where that is exactly known: the lower median of `samples`, or as written.
    pub time: Option<i64>,
    /// All single times in nanoseconds where the file has them.
    pub samples: Vec<i64>,
    /// Line of its first appearance, from 1.
    pub line: u64,
}

/// Why a row is no measurement of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OtherReason {
    /// It is the time of a whole subgraph.
    Subgraph,
    /// It counts operators of a delegate, which are not those of the file.
    Delegate,
    /// It sums up rows that stand elsewhere in the file.
    Summary,
    /// It repeats a row in another order.
    Repeated,
    /// It names no operator index.
    NoIndex,
    /// It belongs to another session or model than the first in the file.
    OtherSession,
    /// It is an event without a duration, such as a counter.
    NoDuration,
}

impl OtherReason {
    /// The reason as a phrase.
    pub fn text(self) -> &'static str {
        match self {
            Self::Subgraph => "time of a whole subgraph",
            Self::Delegate => "operator of a delegate, not of the file",
            Self::Summary => "sum of other rows",
            Self::Repeated => "row repeated in another order",
            Self::NoIndex => "no operator index",
            Self::OtherSession => "another session or model",
            Self::NoDuration => "event without a duration",
        }
    }
}

/// The lower median: for an even number of samples the smaller of the two in the middle, so that the value
/// was really measured and does not depend on rounding. `None` without samples.
pub fn lower_median(samples: &[i64]) -> Option<i64> {
    let mut sorted = samples.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len().saturating_sub(1) / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_a_sample() {
        assert_eq!(lower_median(&[]), None);
        assert_eq!(lower_median(&[7]), Some(7));
        assert_eq!(lower_median(&[9, 1]), Some(1));
        assert_eq!(lower_median(&[9, 1, 5]), Some(5));
        assert_eq!(lower_median(&[4, 3, 2, 1]), Some(2));
    }
}
