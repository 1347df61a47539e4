//! Bytes to a draft.
//!
//! The order: verifier, then everything into memory but the weights, then checks of meaning. A draft that comes out
//! has indices in range, tensors with one producer, operators in an order that works, and constants as large as
//! their shape.

mod buffers;
mod check;
mod model;
mod operator;
mod own;
mod record;
mod subgraph;

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;

use circle_ir::import::Draft;
use circle_schema::{Format, RawError, VerifyError};

use crate::fault::Fault;
pub(crate) use check::untold;
pub use own::{LINEAGE, ONE_OP_TABLE, ONE_SOURCE_TABLE, ORIGIN_ID, is_own};

/// How tolerant the reading is.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadOptions {
    /// Leave out what cannot be carried (fields of newer schemas, trailing bytes) instead of refusing the file.
    pub allow_loss: bool,
}

/// Payloads of the metadata entries that this project interprets, as ranges of the file; the last entry of a name
/// counts, as it does for luci.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnMetadata {
    /// `ONE_source_table`.
    pub source_table: Option<Range<u64>>,
    /// `ONE_op_table`.
    pub op_table: Option<Range<u64>>,
    /// `circle_origin_id`.
    pub origin_id: Option<Range<u64>>,
    /// `circle_lineage`.
    pub lineage: Option<Range<u64>>,
    /// Names that more than one entry has; the others are not read, and not written again.
    pub repeated: BTreeSet<String>,
}

/// A model as read.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The model without lineage, in circle's terms whatever the file's format.
    pub draft: Draft,
    /// The file's format.
    pub format: Format,
    /// The metadata entries that are not in the draft because lineage is made of them.
    pub own: OwnMetadata,
    /// What was left out, with `allow_loss`.
    pub lost: Vec<String>,
    /// What is odd and was accepted.
    pub warnings: Vec<String>,
}

/// Why a file cannot be read.
#[derive(Clone, Debug)]
pub enum ReadError {
    /// The bytes do not hold together.
    Verify(VerifyError),
    /// An access led out of the file.
    Raw(RawError),
    /// The bytes hold together and mean nothing sensible.
    Faults {
        /// The first of them.
        faults: Vec<Fault>,
        /// How many there are beyond those.
        more: usize,
    },
    /// Writing the model again would lose this.
    Loss {
        /// The first of what would be lost.
        what: Vec<String>,
        /// How many there are beyond those.
        more: u64,
    },
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Verify(error) => write!(f, "{error}"),
            Self::Raw(error) => write!(f, "{error}"),
            Self::Faults { faults, more } => {
                let mut lines = faults.iter();
                if let Some(first) = lines.next() {
                    write!(f, "{first}")?;
                }
                for fault in lines {
                    write!(f, "\n  {fault}")?;
                }
                if *more > 0 { write!(f, "\n  and {more} more") } else { Ok(()) }
            }
            Self::Loss { what, more } => {
                f.write_str("the file holds what this version cannot carry; --allow_loss leaves it out")?;
                for line in what.iter().take(10) {
                    write!(f, "\n  {line}")?;
                }
                let more = *more + what.len().saturating_sub(10) as u64;
                if more > 0 { write!(f, "\n  and {more} more") } else { Ok(()) }
            }
        }
    }
}

impl std::error::Error for ReadError {}

impl From<RawError> for ReadError {
    fn from(error: RawError) -> Self {
        Self::Raw(error)
    }
}

/// Reads a circle or tflite model.
///
/// # Errors
/// When the bytes are no model, do not hold together, or mean something impossible; and, unless `allow_loss` is
/// given, when they hold something that writing the model again would lose.
pub fn read(bytes: &[u8], options: ReadOptions) -> Result<Loaded, ReadError> {
    let (format, root) = circle_schema::verify(bytes).map_err(ReadError::Verify)?;
    model::read(bytes, format, &root, options)
}
