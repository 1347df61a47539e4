//! Why a profile was not read.

use std::fmt;

/// A fault and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileError {
    /// Name of the profile as the caller gave it.
    pub name: String,
    /// Line from 1; 0 where the whole file is meant.
    pub line: u64,
    /// What is wrong.
    pub fault: ProfileFault,
}

impl fmt::Display for ProfileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.name, self.fault),
            line => write!(f, "{} line {line}: {}", self.name, self.fault),
        }
    }
}

impl std::error::Error for ProfileError {}

/// What is wrong with a profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProfileFault {
    /// Its content is of no known form.
    Form,
    /// Bytes that are not UTF-8.
    NotText,
    /// Not JSON of the shape that is due.
    Json {
        /// What the parser says.
        text: String,
    },
    /// Not a table of comma separated values.
    Csv {
        /// What the parser says.
        text: String,
    },
    /// A column or key that is needed is not there.
    Missing {
        /// Its name.
        field: &'static str,
    },
    /// A column stands twice.
    Twice {
        /// Its name.
        field: &'static str,
    },
    /// A value that cannot be taken as it is.
    Value {
        /// Column or key.
        field: &'static str,
        /// The value as written, shortened.
        text: String,
        /// Why not.
        fault: ValueFault,
    },
    /// It has more metrics than a lineage can hold, metrics being different if their name or their unit is.
    Metrics {
        /// How many are the most.
        most: usize,
    },
    /// The name of a metric is longer than a lineage can hold.
    MetricName {
        /// Its length in bytes.
        bytes: usize,
        /// How many are the most.
        most: usize,
    },
    /// An event that ends before it begins.
    EndBeforeBegin {
        /// Name of the event, shortened.
        event: String,
    },
}

/// Why a value cannot be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueFault {
    /// Not a decimal number; `NaN` and infinities are none.
    NotANumber,
    /// Less than zero, which no duration, size or count is.
    Negative,
    /// It has digits below the smallest unit that is kept, and would have to be rounded.
    Inexact,
    /// It does not fit 63 bits of the smallest unit.
    TooLarge,
    /// Not an index: a whole number below 2^32 - 1.
    NotAnIndex,
    /// Not a unit that is known.
    NotAUnit,
    /// Nothing where something is due.
    Empty,
}

impl fmt::Display for ValueFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotANumber => "is not a decimal number",
            Self::Negative => "is negative",
            Self::Inexact => "has digits below the smallest unit kept (ns, bytes, nJ) and would be rounded",
            Self::TooLarge => "is too large for 63 bits of the smallest unit",
            Self::NotAnIndex => "is not an index below 4294967295",
            Self::NotAUnit => {
                "is not a unit; known are ns us ms s cycles count bytes B KB MB GB KiB MiB GiB nJ uJ mJ J \
                 percent ratio label"
            }
            Self::Empty => "is empty",
        })
    }
}

impl fmt::Display for ProfileFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form => f.write_str("not a profile of a known form"),
            Self::NotText => f.write_str("not UTF-8"),
            Self::Json { text } | Self::Csv { text } => f.write_str(text),
            Self::Missing { field } => write!(f, "no {field}"),
            Self::Twice { field } => write!(f, "column {field} stands twice"),
            Self::Value { field, text, fault } => write!(f, "{field} \"{text}\" {fault}"),
            Self::Metrics { most } => {
                write!(f, "one metric more than {most}, which are the most of a profile")
            }
            Self::MetricName { bytes, most } => {
                write!(f, "a metric with a name of {bytes} bytes, and {most} are the most")
            }
            Self::EndBeforeBegin { event } => write!(f, "event \"{event}\" ends before it begins"),
        }
    }
}

impl ProfileFault {
    pub(super) fn value(field: &'static str, text: &str, fault: ValueFault) -> Self {
        Self::Value { field, text: shown(text), fault }
    }

    /// JSON that is none of the objects that are due.
    pub(super) fn expected_object(found: &str) -> Self {
        Self::Json { text: format!("expected an object, found {}", shown(found)) }
    }
}

/// Text of a file for a message: one line, no control characters, not longer than a line has room for.
pub(super) fn shown(text: &str) -> String {
    const ROOM: usize = 48;
    let mut shown: String = text.chars().take(ROOM).flat_map(char::escape_debug).collect();
    if text.chars().nth(ROOM).is_some() {
        shown.push('…');
    }
    shown
}
