//! `circle_lineage`: where every operator and tensor of a file comes from, and through which steps.
//!
//! [`Lineage`] is the plain form. [`encode`] and [`decode`] turn it into the blob that travels in a model
//! (`schema/lineage.fbs` describes it), [`to_json`] and [`from_json`] into a sidecar file; both ways lose
//! nothing. Records refer to each other by index; [`Lineage::check`] states what must hold.

mod check;
mod codes;
mod columns;
mod error;
mod json;
mod pool;
mod read;
mod record;
mod sidecar;
mod write;

pub use check::{Invalid, MAX_WORD, MAX_WORDS};
pub use codes::{Action, Format, MetricKind, Reason, Role};
pub use error::{ColumnFault, DecodeError, EncodeError, JsonError};
pub use json::{from_json, to_json};
pub use read::{Decoded, decode};
pub use record::{
    Claim, Event, FileRecord, LedgerRecord, Lineage, MetricRecord, NoteRecord, NoteValue, OperatorRecord,
    Part, Run, SourceRecord, SubgraphRecord, TensorNotes, TensorRecord, TensorSource, Version,
};
pub use sidecar::{Sidecar, SidecarError};
pub use write::encode;

/// Key of the entry in the model's metadata.
pub const KEY: &str = "circle_lineage";

/// File identifier of the blob, at bytes 4 to 8.
pub const IDENTIFIER: &str = "CLIN";

/// The version of a lineage in which nothing was measured on tensors.
pub const VERSION: Version = Version { major: 1, minor: 0 };

/// The version of one in which something was.
pub const VERSION_TENSOR_NOTES: Version = Version { major: 1, minor: 1 };

/// The version of one in which something is untraced.
pub const VERSION_UNTRACED: Version = Version { major: 1, minor: 2 };
