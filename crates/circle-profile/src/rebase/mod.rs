//! Joins a model that went through a tool that keeps no lineage to an earlier state of it.
//!
//! Everything found is a guess, and marked as one: claims have the role `inferred`, the step of each operator names the
//! strategy by which it was found, and where several earlier operators would do equally well, none is taken. Nothing of
//! this is ever mixed with claims that were carried through. Measured values of the earlier model were measured on that
//! model: they go to the ledger.

mod anchors;
mod apply;
mod colours;
mod contents;
mod counted;
mod region;
mod side;

use std::collections::BTreeMap;

use circle_ir::import::{Draft, ImportError, ImportedLineage};
use circle_ir::lineage::history::Run;
use circle_ir::lineage::origin::{FileFormat, OriginFile};
use circle_ir::{Bytes, Model};

pub use anchors::Strategy;
use side::{Side, Vocabulary};

/// A model with inferred lineage.
#[derive(Debug)]
pub struct Rebased {
    /// The model.
    pub model: Model,
    /// What was found.
    pub report: Report,
}

/// How much was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// All operators.
    pub operators: u64,
    /// Those that were joined, by how.
    pub joined: BTreeMap<Strategy, u64>,
    /// Those for which several earlier ones would do.
    pub ambiguous: u64,
    /// Those for which there is none, or one whose own origin is unknown.
    pub unknown: u64,
}

/// Gives `now` the origins of `earlier`, as far as its operators can be told to come from that. `now_bytes` and
/// `earlier_bytes` lend the contents of constants; `run` is entered in the history.
///
/// # Errors
/// When the draft refers to what is not in it.
pub fn rebase(
    now: Draft,
    now_bytes: &dyn Bytes,
    earlier: &Model,
    earlier_bytes: &dyn Bytes,
    run: Run,
) -> Result<Rebased, ImportError> {
    let nobody =
        OriginFile { name: "".into(), format: FileFormat::Other, bytes: 0, md5: [0; 16], sha256: None };
    // A lineage that is thrown away: only to look at the draft as at a model.
    let present = now.clone().adopt(ImportedLineage::fresh(&now, nobody))?;
    let mut words = Vocabulary::new();
    let ours = Side::new(&present, now_bytes, &mut words);
    let theirs = Side::new(earlier, earlier_bytes, &mut words);
    let anchors = anchors::find(&ours, &theirs);
    let (lineage, report) = apply::apply(&ours, &theirs, &anchors, earlier, run);
    Ok(Rebased { model: now.adopt(lineage)?, report })
}
