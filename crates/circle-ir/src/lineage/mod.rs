//! Lineage: for every operator and tensor, where it comes from. It sits inside the element and has neither a
//! `Default` nor a public constructor: it comes to be at import ([`crate::import`]) and by patches
//! ([`crate::patch`]), and nowhere else.

pub mod annotation;
pub mod attach;
pub mod claims;
mod close;
pub mod history;
pub mod ledger;
pub mod origin;

use std::sync::Arc;

use crate::entity::{ClaimSetId, EventId, MetricId, PassId, ReasonId, RunId, TensorSetId};
use annotation::Metric;
use claims::{ClaimSets, TensorSets};
use history::{Event, History, Run};
use ledger::Departure;
use origin::Origins;

/// Where an operator comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lineage {
    pub(crate) claims: ClaimSetId,
    pub(crate) event: Option<EventId>,
    pub(crate) unknown: Option<ReasonId>,
}

impl Lineage {
    /// The origins with their roles. Empty only if [`unknown`](Self::unknown) says why.
    pub fn claims(&self) -> ClaimSetId {
        self.claims
    }
    /// The last step that made or changed the operator; `None` if it is as it was imported.
    pub fn event(&self) -> Option<EventId> {
        self.event
    }
    /// Why (part of) the origin is not known.
    pub fn unknown(&self) -> Option<ReasonId> {
        self.unknown
    }
}

/// Where a tensor comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueLineage {
    pub(crate) tensors: TensorSetId,
    pub(crate) claims: ClaimSetId,
    pub(crate) event: Option<EventId>,
    pub(crate) unknown: Option<ReasonId>,
}

impl ValueLineage {
    /// The original tensors it holds or was computed from.
    pub fn tensors(&self) -> TensorSetId {
        self.tensors
    }
    /// For constants, the original operators that were folded into it.
    pub fn claims(&self) -> ClaimSetId {
        self.claims
    }
    /// The last step that made or changed it.
    pub fn event(&self) -> Option<EventId> {
        self.event
    }
    /// Why (part of) the origin is not known.
    pub fn unknown(&self) -> Option<ReasonId> {
        self.unknown
    }
}

/// Everything lineage refers to: origins, interned sets, history, ledger, metrics.
#[derive(Clone, Debug, Default)]
pub struct Store {
    /// The originals.
    pub origins: Origins,
    /// Interned claim sets.
    pub claim_sets: ClaimSets,
    /// Interned sets of tensor origins.
    pub tensor_sets: TensorSets,
    /// The steps.
    pub history: History,
    /// The runs of tools.
    pub runs: Vec<Run>,
    /// Names of passes, by [`PassId`].
    pub passes: Vec<Arc<str>>,
    /// Texts of reasons, by [`ReasonId`].
    pub reasons: Vec<Arc<str>>,
    /// What left.
    pub ledger: Vec<Departure>,
    /// What was measured, by [`MetricId`].
    pub metrics: Vec<Metric>,
}

fn intern(texts: &mut Vec<Arc<str>>, text: &str) -> u32 {
    let at = texts.iter().position(|t| &**t == text).unwrap_or_else(|| {
        texts.push(Arc::from(text));
        texts.len() - 1
    });
    at as u32
}

impl Store {
    /// The number of the pass called `name`.
    pub fn pass(&mut self, name: &str) -> PassId {
        PassId::from_number(intern(&mut self.passes, name))
    }
    /// The name of a pass.
    pub fn pass_name(&self, id: PassId) -> &str {
        self.passes.get(id.number() as usize).map_or("", |name| name)
    }
    /// The number of a reason.
    pub fn reason(&mut self, text: &str) -> ReasonId {
        ReasonId::from_number(intern(&mut self.reasons, text))
    }
    /// The text of a reason.
    pub fn reason_text(&self, id: ReasonId) -> &str {
        self.reasons.get(id.number() as usize).map_or("", |text| text)
    }
    /// The number of a metric, which is added if it is new.
    pub fn metric(&mut self, metric: &Metric) -> MetricId {
        let at = self.metrics.iter().position(|m| m == metric).unwrap_or_else(|| {
            self.metrics.push(metric.clone());
            self.metrics.len() - 1
        });
        MetricId::from_number(at as u32)
    }
    /// Enters a run.
    pub fn run(&mut self, run: Run) -> RunId {
        self.runs.push(run);
        RunId::from_number((self.runs.len() - 1) as u32)
    }
    /// The passes that led to a step, oldest first, each named once per uninterrupted stretch. Of a long history only
    /// the latest 256 steps are looked at, and `...` stands first.
    pub fn pass_chain(&self, event: Option<EventId>) -> Vec<&str> {
        // Asked for each operator, whose histories may all be the same long one.
        const MOST: usize = 256;
        let (steps, more) = event.map(|id| self.history.latest(id, MOST)).unwrap_or_default();
        let mut names: Vec<&str> = Vec::new();
        if more {
            names.push("...");
        }
        for step in steps {
            if let Some(Event { pass, .. }) = self.history.get(step) {
                let name = self.pass_name(*pass);
                if names.last() != Some(&name) {
                    names.push(name);
                }
            }
        }
        names
    }
}
