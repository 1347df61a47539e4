//! Why a model cannot be written.

use std::error::Error;
use std::fmt;
use std::io;
use std::ops::Range;
use std::path::PathBuf;

use circle_schema::emit::{MAX_SIZE, TooLarge};
use circle_schema::{RawError, VerifyError};
use circle_tables::SetError;

use crate::fault::{Fault, Place};

/// Why a model cannot be written.
#[derive(Debug)]
pub enum WriteError {
    /// Something in the model does not fit the rest.
    Fault(Box<Fault>),
    /// A field cannot hold its value.
    Field {
        /// Where.
        place: Box<Place>,
        /// Why.
        error: Box<SetError>,
    },
    /// The flatbuffer would be larger than its offsets reach.
    TooLarge {
        /// What it would take, in bytes.
        size: u64,
    },
    /// Bytes that the model takes from its input are not there.
    Input {
        /// What they are for.
        place: Box<Place>,
        /// Their range in bytes.
        range: Range<u64>,
        /// The length of the input in bytes.
        len: u64,
    },
    /// Buffers of the input overlap without measure, so that the output would be many times as large.
    Overlap {
        /// What the buffers hold together, in bytes.
        size: u64,
        /// The length of the input in bytes.
        len: u64,
    },
    /// What was built does not pass the verifier.
    Verify(VerifyError),
    /// What was built cannot be read back.
    Raw(RawError),
    /// The archive that follows the input is none any more.
    Archive,
    /// The destination fails.
    Io(io::Error),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fault(fault) => write!(f, "{fault}"),
            Self::Field { place, error } => write!(f, "{place}: {error}"),
            Self::TooLarge { size } => {
                write!(
                    f,
                    "the flatbuffer would take {size} bytes, and {MAX_SIZE} are the most that one can have"
                )
            }
            Self::Input { place, range, len } => write!(
                f,
                "{place}: bytes {}..{} lie beyond the end of the input, which has {len}",
                range.start, range.end
            ),
            Self::Overlap { size, len } => {
                write!(
                    f,
                    "buffers and custom options overlap: they hold {size} bytes together, and the input has {len}"
                )
            }
            Self::Verify(error) => write!(f, "what was built is not a valid model: {error}"),
            Self::Raw(error) => write!(f, "what was built cannot be read: {error}"),
            Self::Archive => f.write_str("the archive behind the model cannot be read"),
            Self::Io(error) => write!(f, "{error}"),
        }
    }
}

impl Error for WriteError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Field { error, .. } => Some(&**error),
            Self::Verify(error) => Some(error),
            Self::Raw(error) => Some(error),
            Self::Io(error) => Some(error),
            Self::Fault(_)
            | Self::TooLarge { .. }
            | Self::Input { .. }
            | Self::Overlap { .. }
            | Self::Archive => None,
        }
    }
}

impl From<TooLarge> for WriteError {
    fn from(TooLarge { size }: TooLarge) -> Self {
        Self::TooLarge { size }
    }
}

impl From<RawError> for WriteError {
    fn from(error: RawError) -> Self {
        Self::Raw(error)
    }
}

/// Why a file cannot be put in its place.
#[derive(Debug)]
pub struct ReplaceError {
    /// The file that was to be written.
    pub path: PathBuf,
    /// What is wrong.
    pub problem: ReplaceProblem,
}

/// What is wrong with the place of a file.
#[derive(Debug)]
pub enum ReplaceProblem {
    /// There is a directory of that name.
    Directory,
    /// There is a pipe or a device of that name, which cannot be replaced as a whole.
    NotRegular,
    /// The file that is there may not be written.
    ReadOnly,
    /// The name says no file, as `..` and the empty name do.
    NoName,
    /// The folder is not there.
    NoFolder {
        /// The folder.
        folder: PathBuf,
    },
    /// The system refuses.
    Io {
        /// What was tried, as in "cannot ...".
        action: &'static str,
        /// Its reason.
        source: io::Error,
    },
}

/// Without the path of the file, which whoever prints the message puts in front of it.
impl fmt::Display for ReplaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.problem {
            ReplaceProblem::Directory => f.write_str("is a directory, not a file"),
            ReplaceProblem::NotRegular => f.write_str(
                "is a pipe or a device; a file that appears whole or not at all must be a regular file",
            ),
            ReplaceProblem::ReadOnly => f.write_str("the file is there already and is read-only"),
            ReplaceProblem::NoName => f.write_str("names no file"),
            ReplaceProblem::NoFolder { folder } => {
                write!(f, "the folder {} does not exist", folder.display())
            }
            ReplaceProblem::Io { action, source } => write!(f, "cannot {action}: {source}"),
        }
    }
}

impl Error for ReplaceError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.problem {
            ReplaceProblem::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}
