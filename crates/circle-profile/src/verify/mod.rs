//! Proves or refutes what a model says of its provenance. Every finding is located; all are collected.
//!
//! - [`law`]: the lineage in itself: every operator resolves, every original is accounted for, every reference leads
//!   somewhere;
//! - [`against`]: the lineage against the file it starts from.
//!
//! What concerns the bytes of the file (tables, digests) is checked where files are known.

pub mod against;
mod json;
pub mod law;
mod text;

use circle_ir::lineage::origin::OriginFile;
use serde::Serialize;

use crate::coverage::{Coverage, Percent};
pub use against::Compared;
pub use json::to_json;
pub use law::Originals;
pub use text::to_text;

/// One thing that is wrong, or worth knowing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What sort of thing it is, for programs: `stale`, `coverage`, `tables`, ….
    pub code: &'static str,
    /// Where: operator, original, file, metadata entry.
    #[serde(rename = "where")]
    pub place: String,
    /// What is wrong there.
    pub text: String,
}

impl Finding {
    /// A finding.
    pub fn new(code: &'static str, place: impl Into<String>, text: impl Into<String>) -> Self {
        Self { code, place: place.into(), text: text.into() }
    }
}

/// Everything that was found about one model.
#[derive(Clone, Debug)]
pub struct Report<'a> {
    /// The model's file.
    pub file: &'a OriginFile,
    /// Where the lineage was taken from, as in the dump's `profile_data`.
    pub profile_data: &'static str,
    /// The files that the lineage starts from.
    pub origin_files: &'a [OriginFile],
    /// How many operators are accounted for.
    pub coverage: Coverage,
    /// The least that was asked for.
    pub minimum: Option<Percent>,
    /// Where the originals are.
    pub originals: Originals,
    /// Origin files that were compared.
    pub compared: Vec<Compared>,
    /// What refutes the provenance.
    pub findings: Vec<Finding>,
    /// What does not, and is worth knowing.
    pub remarks: Vec<Finding>,
}

impl Report<'_> {
    /// Whether nothing was found.
    pub fn holds(&self) -> bool {
        self.findings.is_empty()
    }
}
