//! Verified, memory-mapped flatbuffers: generated accessors, verifier limits, checked raw tables.
//!
//! The way of a file through this crate:
//! 1. [`MappedFile`] gives its bytes without reading them;
//! 2. [`verify`] tells circle from tflite, or what else it is, and runs the generated verifier;
//! 3. [`RawTable`] walks the verified bytes by the descriptions of `circle-tables`, checks every
//!    access again, and reports what is newer than our schema as [`Findings`];
//! 4. [`emit`] is the way back, from a [`Record`](circle_tables::Record) into a flatbuffer builder.
//!
//! This is the only crate with `unsafe`: the code that flatc generated, and the mapping of a file.

pub mod emit;
mod format;
pub mod generated;
mod limits;
mod mapped;
mod raw;
mod verify;

pub use format::{Format, NotAModel, format_of};
pub use limits::verifier_options;
pub use mapped::{MappedFile, Metadata, OpenError};
pub use raw::{Finding, Findings, RawError, RawProblem, RawTable, RawTables, RawUnion};
pub use verify::{VerifyError, verify, verify_circle, verify_tflite};
