//! Why a text is not a record.

use std::error::Error;
use std::fmt;

use crate::schema::Scalar;

/// Why a text is not a record, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Bytes before the place.
    pub offset: usize,
    /// What is wrong there.
    pub problem: ParseProblem,
}

/// Why a text is not a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseProblem {
    /// Something else should stand here.
    Expected(&'static str),
    /// The table has no such field.
    NoSuchField {
        /// The table.
        table: &'static str,
        /// The name that was read.
        field: String,
    },
    /// A field is given twice.
    Twice {
        /// The field.
        field: &'static str,
    },
    /// The enumeration or union has no such member.
    NoSuchMember {
        /// The enumeration or union.
        of: &'static str,
        /// The name that was read.
        member: String,
    },
    /// The number does not fit its type.
    OutOfRange {
        /// The number as it was read.
        number: String,
        /// The type.
        scalar: Scalar,
    },
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: ", self.offset)?;
        match &self.problem {
            ParseProblem::Expected(what) => write!(f, "{what} is expected"),
            ParseProblem::NoSuchField { table, field } => write!(f, "{table} has no field {field:?}"),
            ParseProblem::Twice { field } => write!(f, "field {field} is given twice"),
            ParseProblem::NoSuchMember { of, member } => write!(f, "{of} has no member {member:?}"),
            ParseProblem::OutOfRange { number, scalar } => write!(f, "{number} does not fit {scalar:?}"),
        }
    }
}

impl Error for ParseError {}
