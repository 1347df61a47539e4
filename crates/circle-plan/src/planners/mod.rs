//! The planners of the field, by name. Each is deterministic and takes about n log n steps, the
//! hill climb that many for each of its rounds.
//!
//! Blocks with a fixed offset are placed before all others by each of them.

mod bump;
mod by_breadth;
mod by_conflicts;
mod by_lifetime;
mod by_size;
mod by_urgency;
mod hill_climb;
mod online;
mod reversed_ties;
mod wic;

use std::fmt;
use std::str::FromStr;

use crate::place::{Fit, place};
use crate::problem::{Plan, Problem};

/// A planner with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Planner {
    /// Size descending, ties by first use; smallest hole. TFLite's arena, ONE's circle-execution-plan.
    GreedyBySize,
    /// Size descending, ties by first use; lowest hole.
    GreedyBySizeFirstFit,
    /// Ticks with most live bytes first, at each the largest block first; smallest hole.
    GreedyByBreadth,
    /// Blocks that meet most others first; lowest hole. One of TVM's planners.
    GreedyByConflicts,
    /// Longest life first, then the largest; lowest hole. One of Aidge's strategies.
    LifetimeSizeDescending,
    /// Longest life first, then the smallest; lowest hole. One of Aidge's strategies.
    LifetimeSizeAscending,
    /// Largest product of size and lifetime first; lowest hole.
    Area,
    /// Blocks that live when memory is fullest first; lowest hole. What Vela's search begins with.
    Urgency,
    /// Size descending, the later one first among equals; lowest hole. TensorFlow Lite Micro.
    Tflm,
    /// onert's bump planner: every block has memory of its own.
    Bump,
    /// onert's first fit: in the order of birth, as a heap at run time would. Also Aidge without
    /// a strategy.
    FirstFit,
    /// onert's WIC: size descending, ties by input order; lowest hole.
    Wic,
    /// Hill climb over the order of placing, from that by urgency on, with a fixed seed.
    HillClimb,
}

impl Planner {
    /// All planners, those that mostly do best first.
    pub const ALL: [Planner; 13] = [
        Planner::GreedyBySizeFirstFit,
        Planner::Tflm,
        Planner::Wic,
        Planner::GreedyBySize,
        Planner::Urgency,
        Planner::LifetimeSizeDescending,
        Planner::Area,
        Planner::GreedyByBreadth,
        Planner::GreedyByConflicts,
        Planner::LifetimeSizeAscending,
        Planner::FirstFit,
        Planner::Bump,
        Planner::HillClimb,
    ];

    /// Its name, as [`FromStr`] takes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::GreedyBySize => "greedy_by_size",
            Self::GreedyBySizeFirstFit => "greedy_by_size_first_fit",
            Self::GreedyByBreadth => "greedy_by_breadth",
            Self::GreedyByConflicts => "greedy_by_conflicts",
            Self::LifetimeSizeDescending => "lifetime_size_descending",
            Self::LifetimeSizeAscending => "lifetime_size_ascending",
            Self::Area => "area",
            Self::Urgency => "urgency",
            Self::Tflm => "tflm",
            Self::Bump => "bump",
            Self::FirstFit => "first_fit",
            Self::Wic => "wic",
            Self::HillClimb => "hill_climb",
        }
    }

    /// Plans. The plan is valid but for the capacity, which none of these regards.
    pub fn plan(self, problem: &Problem) -> Plan {
        if let Some((order, fit)) = self.order(problem) {
            return place(problem, &order, fit);
        }
        match self {
            Self::HillClimb => hill_climb::plan(problem),
            _ => bump::plan(problem),
        }
    }

    /// The order in which it places blocks and how, for planners that are no more than that.
    pub(crate) fn order(self, problem: &Problem) -> Option<(Vec<usize>, Fit)> {
        Some(match self {
            Self::GreedyBySize => (by_size::order(problem), Fit::Best),
            Self::GreedyBySizeFirstFit => (by_size::order(problem), Fit::First),
            Self::GreedyByBreadth => (by_breadth::order(problem), Fit::Best),
            Self::GreedyByConflicts => (by_conflicts::order(problem), Fit::First),
            Self::LifetimeSizeDescending => (by_lifetime::size_descending(problem), Fit::First),
            Self::LifetimeSizeAscending => (by_lifetime::size_ascending(problem), Fit::First),
            Self::Area => (by_lifetime::area(problem), Fit::First),
            Self::Urgency => (by_urgency::order(problem), Fit::First),
            Self::Tflm => (reversed_ties::order(problem), Fit::First),
            Self::FirstFit => (online::order(problem), Fit::First),
            Self::Wic => (wic::order(problem), Fit::First),
            Self::Bump | Self::HillClimb => return None,
        })
    }
}

impl fmt::Display for Planner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No planner has this name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownPlanner(pub String);

impl fmt::Display for UnknownPlanner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown planner `{}`, known are", self.0)?;
        Planner::ALL
            .iter()
            .enumerate()
            .try_for_each(|(i, planner)| write!(f, "{} {planner}", if i == 0 { "" } else { "," }))
    }
}

impl std::error::Error for UnknownPlanner {}

impl FromStr for Planner {
    type Err = UnknownPlanner;

    fn from_str(name: &str) -> Result<Self, UnknownPlanner> {
        let found = Self::ALL.into_iter().find(|planner| planner.name() == name);
        found.ok_or_else(|| UnknownPlanner(name.to_owned()))
    }
}
