//! What a pipeline is told and what it tells.

use std::time::Duration;

use circle_ir::lineage::history::Run;

/// How a pipeline is run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Repeat the passes in order until none fires any more, instead of running each once.
    pub fixed_point: bool,
    /// Check structure and lineage after each patch, not only at the end, and after each pass that has fired run it
    /// alone on a copy whose operators have an original and a cost each ([`originify`](crate::proof::originify)). What
    /// becomes of the model does not depend on it.
    pub verify_each: bool,
    /// Apply no more than this many patches.
    pub stop_after_patch: Option<u64>,
    /// Keep one line for each patch in the report.
    pub log: bool,
    /// The run, as it is entered in the history.
    pub run: Run,
}

/// What one pass did over all rounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassReport {
    /// The pass.
    pub name: &'static str,
    /// How many patches it applied.
    pub fired: u64,
    /// How many patches it left out when it last ran, because something would stand for more than
    /// [`MOST_ORIGINALS`](circle_ir::patch::MOST_ORIGINALS). No fault of the pass.
    pub full: u64,
    /// Time spent in it.
    pub time: Duration,
}

/// What a pipeline did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The passes in the order in which they were first run.
    pub passes: Vec<PassReport>,
    /// Operators before.
    pub operators_before: usize,
    /// Operators after.
    pub operators_after: usize,
    /// Patches that did not fit the graph and were left out, with the reason. Each is a fault of the rule that made
    /// it, and harmless: the graph is as if the rule had not matched.
    pub refused: Vec<String>,
    /// How many patches were applied.
    pub patches: u64,
    /// One line for each patch, in order, where the settings ask for it.
    pub log: Vec<String>,
}

impl Report {
    /// How many patches were left out in the end because an operator, tensor or constant would stand for more than
    /// [`MOST_ORIGINALS`](circle_ir::patch::MOST_ORIGINALS).
    pub fn full(&self) -> u64 {
        self.passes.iter().fold(0, |sum, pass| sum.saturating_add(pass.full))
    }
}
