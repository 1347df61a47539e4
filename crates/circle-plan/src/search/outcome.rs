//! What the search is asked, and what it answers.

use std::time::Duration;

use crate::planners::Planner;
use crate::problem::Plan;

/// How long to search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Time after which the best plan so far is taken.
    pub time_limit: Duration,
    /// Seed of the random choices: with the same one, all searches that end before the time limit
    /// give the same plan.
    pub seed: u64,
    /// Stop as soon as the peak is at most this many bytes, even if a lower one may exist.
    pub enough: Option<u64>,
}

impl Default for Options {
    /// Ten seconds, seed 1, the lowest peak.
    fn default() -> Self {
        Self { time_limit: Duration::from_secs(10), seed: 1, enough: None }
    }
}

/// What found the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// One of the planners of the field.
    Heuristic(Planner),
    /// None of them, for want of time: above what lives at about the same time.
    Hasty,
    /// The climb over orders.
    Local,
    /// An order of placing that is in no one's planner.
    Order,
    /// Blocks that took the places of others below a target.
    Ejection,
    /// The repair of parts of the plan by the exact search.
    Repair,
    /// The exact search.
    Exact,
}

/// A plan and what is known of better ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The plan.
    pub plan: Plan,
    /// Bytes that no plan can be below: that of [`lower_bound`](crate::bound::lower_bound), or more where the exact
    /// search proved it.
    pub lower_bound: u64,
    /// What found the plan.
    pub stage: Stage,
}

impl Outcome {
    /// Whether no plan needs less.
    pub fn is_optimal(&self) -> bool {
        self.plan.peak <= self.lower_bound
    }

    /// Bytes by which another plan may be better; 0 if it is optimal.
    pub fn gap(&self) -> u64 {
        self.plan.peak.saturating_sub(self.lower_bound)
    }

    /// Whether the blocks fit into `capacity` bytes: `false` if that is proven to be impossible, `None` if
    /// it is not known.
    pub fn fits(&self, capacity: u64) -> Option<bool> {
        if self.plan.peak <= capacity {
            return Some(true);
        }
        (self.lower_bound > capacity).then_some(false)
    }
}
