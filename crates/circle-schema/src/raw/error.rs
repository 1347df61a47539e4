//! Why a checked read failed.

use std::error::Error;
use std::fmt;

/// Why a checked read failed, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawError {
    /// The table that was read.
    pub table: &'static str,
    /// Its field; empty for the table itself.
    pub field: &'static str,
    /// Where the table or field stands, in bytes from the start of the file.
    pub byte: u64,
    /// What is wrong.
    pub problem: RawProblem,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RawProblem {
    /// Something lies beyond the end of the file.
    OutOfBounds {
        /// Its place.
        at: u64,
        /// Its size in bytes.
        size: u64,
        /// The size of the file in bytes.
        len: u64,
    },
    /// The vtable would lie before the start of the file.
    Vtable {
        /// The distance from the table back to it, in bytes.
        distance: i32,
    },
    /// A string is not UTF-8.
    NotUtf8 {
        /// How many of its bytes are.
        valid: u64,
        /// How many there are.
        len: u64,
    },
}

impl fmt::Display for RawError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.table)?;
        if !self.field.is_empty() {
            write!(f, ".{}", self.field)?;
        }
        write!(f, " at byte {}: ", self.byte)?;
        match &self.problem {
            RawProblem::OutOfBounds { at, size, len } => {
                write!(f, "{size} bytes at {at} lie beyond the end of the file, which has {len}")
            }
            RawProblem::Vtable { distance } => {
                write!(f, "its vtable, {distance} bytes before it, lies before the start of the file")
            }
            RawProblem::NotUtf8 { valid, len } => {
                write!(f, "a string of {len} bytes is not UTF-8 from its byte {valid} on")
            }
        }
    }
}

impl Error for RawError {}
