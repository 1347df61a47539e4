//! Metadata of a file to the lineage of a model, and back.
//!
//! - [`identity`]: what a file is known by;
//! - [`binding`]: the digest by which a reader notices that the operators are not those the lineage was written for;
//! - [`constants`]: the digest by which a reader notices that weights are others;
//! - [`import`]: what a file holds, our blob or ONE's tables or nothing, becomes the lineage of every operator;
//! - [`export`]: the lineage becomes metadata entries;
//! - [`audit`]: whether the entries of a file agree with each other;
//! - [`sidecar`]: the lineage in a file beside the model.

pub mod audit;
mod believe;
pub mod binding;
mod codes;
pub mod constants;
pub mod export;
mod from_blob;
mod from_tables;
pub mod identity;
pub mod import;
pub mod sidecar;
