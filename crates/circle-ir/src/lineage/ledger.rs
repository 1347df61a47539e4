//! The ledger: where origins went that left the graph, through which pass and why.

use crate::entity::{ClaimSetId, EventId, TensorSetId};
use crate::lineage::annotation::Note;

/// Why something left the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// Nothing used its result.
    Dead,
    /// Its result is a constant now.
    Folded,
    /// It changed nothing.
    Identity,
    /// An equal one is kept.
    Merged,
    /// It became part of another operator.
    Fused,
    /// Another stands in its place.
    Replaced,
    /// Several stand in its place.
    Split,
    /// It left in another tool, before this lineage was taken over.
    Foreign,
    /// A value that has no meaning for the merged operator (a ratio).
    NotMergeable,
    /// Nothing tells whether it has left: a tool that keeps no record changed the operators, so that none of them is known
    /// to be it, and none is known not to be.
    Untraced,
}

impl Reason {
    /// All reasons.
    pub const ALL: [Self; 10] = [
        Self::Dead,
        Self::Folded,
        Self::Identity,
        Self::Merged,
        Self::Fused,
        Self::Replaced,
        Self::Split,
        Self::Foreign,
        Self::NotMergeable,
        Self::Untraced,
    ];
    /// The name that users and files see.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dead => "dead",
            Self::Folded => "folded",
            Self::Identity => "identity",
            Self::Merged => "merged",
            Self::Fused => "fused",
            Self::Replaced => "replaced",
            Self::Split => "split",
            Self::Foreign => "foreign",
            Self::NotMergeable => "not-mergeable",
            Self::Untraced => "untraced",
        }
    }
    /// The reason of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.name() == name)
    }
}

/// One departure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Departure {
    /// The claims of the operator that left; empty when only tensors or notes did.
    pub claims: ClaimSetId,
    /// The tensor origins that left; with notes of a constant, all that it stood for.
    pub tensors: TensorSetId,
    /// Why.
    pub reason: Reason,
    /// The step in which they left.
    pub event: EventId,
    /// The annotations that left with it.
    pub notes: Vec<Note>,
}
