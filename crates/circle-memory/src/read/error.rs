//! Why a file could not be read.

use std::fmt;

use crate::check::MOST;
use crate::finding::Located;
use crate::place::{Place, printable, shortened};
use crate::read::forms::Foreign;

/// A file that could not be read, with the first place at which it was not possible.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadError {
    /// Name of the file.
    pub file: String,
    /// Line from 1, 0 where the whole file is meant.
    pub line: u64,
    /// Segment, block and field, as far as they are known.
    pub place: Box<Place>,
    /// What is the matter.
    pub fault: ReadFault,
}

/// What is the matter with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadFault {
    /// The file holds no memory data.
    Foreign(Foreign),
    /// The bytes are no UTF-8.
    NotText,
    /// The text is no JSON.
    Json(String),
    /// The text is no CSV.
    Csv(String),
    /// The version of the form is not known.
    Version {
        /// What the file says.
        found: String,
        /// The versions that can be read.
        known: Vec<u32>,
    },
    /// Something that must be there is not.
    Missing(String),
    /// A field that the form does not have.
    Unknown {
        /// Its name.
        name: String,
        /// Those the form has.
        known: &'static [&'static str],
    },
    /// A field, column or identity that is there twice.
    Twice(String),
    /// Text that is no whole number within the bounds.
    Number {
        /// The text.
        text: String,
        /// The least value.
        least: i64,
        /// The largest one.
        most: u64,
    },
    /// Something else than what must stand here.
    Expected {
        /// What must stand here.
        expected: &'static str,
        /// What stands here.
        found: String,
    },
    /// An end that lies before its beginning.
    Reversed {
        /// The beginning.
        from: u64,
        /// The end.
        to: u64,
    },
    /// A number that is too large once the last tick of a lifetime is made its end.
    Beyond(u64),
    /// Two numbers that must agree.
    Disagree {
        /// What the first one is, with its value.
        one: String,
        /// What the other one is, with its value.
        other: String,
    },
    /// A line of a log that does not follow from those before it.
    Sequence(String),
}

impl ReadFault {
    /// A field or column that the form does not have.
    pub(super) fn unknown(name: &str, known: &'static [&'static str]) -> Self {
        Self::Unknown { name: shortened(name), known }
    }

    /// A name that is there twice.
    pub(super) fn twice(name: &str) -> Self {
        Self::Twice(shortened(name))
    }

    /// Text that is no number of 64 bits without sign. The form's own bound is told, which is lower: what lies between
    /// is read, for a check to find.
    pub(super) fn number(text: &str) -> Self {
        Self::Number { text: shortened(text), least: 0, most: MOST }
    }

    /// Something else than what must stand here.
    pub(super) fn expected(expected: &'static str, found: &str) -> Self {
        Self::Expected { expected, found: shortened(found) }
    }
}

impl fmt::Display for ReadFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign(foreign) => write!(f, "no memory data: {foreign}"),
            Self::NotText => f.write_str("not UTF-8"),
            Self::Json(text) | Self::Csv(text) | Self::Sequence(text) => f.write_str(text),
            Self::Version { found, known } => {
                let known: Vec<String> = known.iter().map(u32::to_string).collect();
                write!(f, "version {found} is not known, known are: {}", known.join(", "))
            }
            Self::Missing(what) => write!(f, "no {what}"),
            Self::Unknown { name, known } => {
                write!(f, "{name:?} is not known here, known are: {}", known.join(", "))
            }
            Self::Twice(what) => write!(f, "{what:?} is there twice"),
            Self::Number { text, least, most } => {
                write!(f, "{} is no whole number from {least} to {most}", printable(text))
            }
            Self::Expected { expected, found } => write!(f, "expected {expected}, found {found:?}"),
            Self::Reversed { from, to } => write!(f, "ends at {to}, before it begins at {from}"),
            Self::Beyond(last) => write!(f, "the tick after {last} is beyond {MOST}"),
            Self::Disagree { one, other } => write!(f, "{one}, but {other}"),
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Located { file: &self.file, line: self.line, place: &self.place, message: &self.fault }.fmt(f)
    }
}

impl std::error::Error for ReadError {}

/// A fault before the name of the file is known: line (0 for none), place, fault.
pub(super) type Faulty<T> = Result<T, Box<Fault>>;

/// See [`ReadError`].
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) line: u64,
    pub(super) place: Place,
    pub(super) fault: ReadFault,
}

/// A fault of a whole line.
pub(super) fn at<T>(line: u64, fault: ReadFault) -> Faulty<T> {
    in_place(line, Place::default(), fault)
}

/// A fault of a field of a line.
pub(super) fn at_field<T>(line: u64, field: &str, fault: ReadFault) -> Faulty<T> {
    in_place(line, Place::field(field), fault)
}

/// A fault with its place.
pub(super) fn in_place<T>(line: u64, place: Place, fault: ReadFault) -> Faulty<T> {
    Err(Box::new(Fault { line, place, fault }))
}
