//! What must hold of a model at any time. All findings are collected; none stops the search for others.
//!
//! - [`structure`]: who computes and who reads a tensor is told alike by both sides; operators run after what they
//!   read; graph inputs and outputs exist.
//! - [`lineage`]: the conservation law.

pub mod lineage;
pub mod structure;

use std::fmt;

/// One thing that does not hold, with the place where it does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
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
