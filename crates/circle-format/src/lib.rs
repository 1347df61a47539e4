//! Model files to the graph in memory and back, without copying weights.
//!
//! - [`read`]: bytes to a [`Draft`](circle_ir::import::Draft), after the verifier and after checks of meaning, with
//!   everything the file holds or a refusal that names what cannot be held;
//! - [`lineage`]: metadata of the file to the lineage of the model and back;
//! - [`mod@write`]: the model to bytes. Weights go from the input's range to the output.
#![forbid(unsafe_code)]

pub mod amend;
mod archive;
pub mod fault;
pub mod lineage;
pub mod read;
pub mod write;
