//! What must hold of a model at any time. All findings are collected; none stops the search for others.
//!
//! - [`structure`]: who computes and who reads a tensor is told alike by both sides; operators run after what they
//!   read; graph inputs and outputs exist.
//! - [`lineage`]: the conservation law.
//! - [`step`]: one patch carried on what it took, all of it and nothing else.
//! - [`untouched`]: what no step has touched is its original still.
//! - [`watch`]: operators that no patch took are as they were.

pub mod lineage;
pub mod step;
pub mod structure;
pub mod untouched;
pub mod watch;

use std::fmt;

use crate::entity::{OpId, OriginId, SubgraphId};

/// What a finding is about, for those who want to draw it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// An operator, which may have left.
    Operator(SubgraphId, OpId),
    /// An original.
    Origin(OriginId),
    /// Something else; the place says what.
    Other,
}

/// One thing that does not hold, with the place where it does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What it is about.
    pub subject: Subject,
    /// For instance `sg0 op3`.
    pub place: String,
    /// What is wrong there.
    pub text: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.text)
    }
}
