//! To which model a sidecar belongs.
//!
//! A model is known by the digests of its file; after a tool has rewritten that file without touching its operators,
//! by its *structure*: the binding digest with both of ONE's tables left out. Whether the constants are still the
//! same is told apart.

use std::fmt;

use circle_ir::Bytes;
use circle_ir::import::Draft;
use circle_ir::lineage::origin::OriginFile;
use circle_metadata::hex;
pub use circle_metadata::lineage::{Sidecar, SidecarError};

use super::believe::{contradiction, untrue};
use super::from_blob::Taken;
use super::{binding, constants, export};
use crate::write::Numbering;

/// By what a sidecar was found to belong to a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// The file is the one it was written with.
    File,
    /// The file was rewritten, and its operators and their tensors are those it was written for.
    Structure {
        /// Whether the constants hold what they held; `None` if that is not known.
        same_constants: Option<bool>,
    },
}

/// A sidecar that belongs to another model, or to another state of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Foreign {
    /// md5 of the file it was written with.
    pub wanted: [u8; 16],
    /// md5 of the file at hand.
    pub given: [u8; 16],
    /// In what the models differ.
    pub text: &'static str,
}

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (wanted, given) = (hex::encode(&self.wanted), hex::encode(&self.given));
        if wanted == given {
            return write!(f, "the sidecar is of this file, with md5 {given}, and {}", self.text);
        }
        write!(f, "the sidecar is of the file with md5 {wanted}; this one has md5 {given}, and {}", self.text)
    }
}

impl std::error::Error for Foreign {}

/// The sidecar of `model`, which was written with `numbering` to the file `file`, its constants from `bytes`.
///
/// # Errors
/// When ONE's tables, to which the records are bound, cannot hold the lineage.
pub fn make(
    model: &circle_ir::Model,
    numbering: &Numbering,
    file: &OriginFile,
    bytes: &dyn Bytes,
) -> Result<Sidecar, export::ExportError> {
    let (lineage, structure) = export::records(model, numbering)?;
    let held = constants::of_model(model, numbering, bytes);
    Ok(Sidecar::new(export::file_record(file), structure, held, lineage))
}

/// Whether `sidecar` was written with the file `file`, whatever that is called.
pub fn is_of(sidecar: &Sidecar, file: &OriginFile) -> bool {
    let model = &sidecar.model;
    model.md5 == file.md5
        && model.bytes == file.bytes
        && (model.sha256.is_none() || model.sha256 == file.sha256)
}

/// By what `sidecar` belongs to `draft`, which was read from `file`, its constants in `bytes`.
///
/// # Errors
/// When it does not.
pub fn fit(sidecar: &Sidecar, draft: &Draft, file: &OriginFile, bytes: &dyn Bytes) -> Result<Fit, Foreign> {
    let foreign = |text| Foreign { wanted: sidecar.model.md5, given: file.md5, text };
    if !Taken::fits(&sidecar.lineage, draft) {
        return Err(foreign("it has another number of operators or tensors"));
    }
    let is_file = is_of(sidecar, file);
    let fits = is_file || sidecar.structure == binding::of_draft(draft, &[], &[]);
    let refuted = || if fits { untrue(&sidecar.lineage, draft) } else { None };
    if contradiction(&sidecar.lineage).or_else(refuted).is_some() {
        return Err(foreign("the sidecar contradicts itself"));
    }
    if is_file {
        return Ok(Fit::File);
    }
    if fits {
        let known = sidecar.constants.and_then(|known| Some((known, constants::of_draft(draft, bytes)?)));
        return Ok(Fit::Structure { same_constants: known.map(|(then, now)| then == now) });
    }
    Err(foreign("its operators or their tensors are others"))
}
