//! The planners of the field, by name. Each is deterministic and takes about n log n steps for most
//! problems; the hill climbs take that many for each of their rounds.
//!
//! Blocks with a fixed offset are placed before all others by each of them.
//!
//! What each one does is taken from its makers' publications: the arena planners of TensorFlow Lite and TensorFlow
//! Lite Micro, `circle-execution-plan` and onert of Samsung ONE, Eclipse Aidge's memory manager, Vela's
//! hill climb allocator, TVM's unified static memory planner, and, by breadth, "Efficient memory management
//! for deep neural net inference" (Pisarchyk and Lee, 2020). They are written anew: where several
//! blocks are equal in all that the original looks at, and its order of them is left to chance, ours is that of the
//! input. Alignment is that of the block placed. Aidge's way with in-place and wrap-around memory is in
//! [`crate::spaces`].

mod bump;
mod by_breadth;
mod by_conflicts;
mod by_lifetime;
mod by_size;
mod by_urgency;
mod hill_climb;
mod online;
mod reversed_ties;
mod tvm;
mod wic;

use std::fmt;
use std::str::FromStr;
use std::time::Instant;

use crate::place::{Fit, Placer};
use crate::problem::{Plan, Problem};

/// A planner with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Planner {
    /// Size descending, ties by first use, blocks that live all the time in front; smallest hole. TFLite's
    /// arena, ONE's circle-execution-plan.
    GreedyBySize,
    /// The same order; lowest hole.
    GreedyBySizeFirstFit,
    /// Ticks with most live bytes first, at each the largest block first; smallest hole. The paper by Pisarchyk
    /// and Lee.
    GreedyByBreadth,
    /// Blocks that meet most others first, then the largest; lowest hole. The order is one of TVM's.
    GreedyByConflicts,
    /// Longest life first, then the largest; lowest hole. Aidge's `OptimizeMaxLifetimeMaxSizeFirst`.
    LifetimeSizeDescending,
    /// Longest life first, then the smallest; lowest hole. Aidge's `OptimizeMaxLifetimeMinSizeFirst`.
    LifetimeSizeAscending,
    /// Largest product of size and lifetime first; lowest hole.
    Area,
    /// Blocks that live when memory is fullest first, then by lifetime, birth and size; lowest hole. What Vela's
    /// search begins with.
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
    /// TVM's greedy by size: ties by blocks met, most first, then by name, last first; above all blocks met that
    /// have a place already, so that no hole is ever filled.
    TvmBySize,
    /// TVM's greedy by conflicts: blocks that meet most others first, then by size, then by name, last first; placed
    /// as by [`Planner::TvmBySize`].
    TvmByConflicts,
    /// In the manner of Vela: hill climb over the order of placing, from that by urgency on, with a fixed seed;
    /// lowest hole.
    HillClimb,
    /// In the manner of TVM: the same from the order of [`Planner::TvmBySize`] on, also taking worse orders
    /// at first, more and more rarely; lowest hole.
    TvmHillClimb,
}

impl Planner {
    /// All planners, those that mostly do best first.
    pub const ALL: [Planner; 16] = [
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
        Planner::TvmBySize,
        Planner::TvmByConflicts,
        Planner::Bump,
        Planner::HillClimb,
        Planner::TvmHillClimb,
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
            Self::TvmBySize => "tvm_greedy_by_size",
            Self::TvmByConflicts => "tvm_greedy_by_conflicts",
            Self::HillClimb => "hill_climb",
            Self::TvmHillClimb => "tvm_hill_climb",
        }
    }

    /// Whether it searches, placing all blocks again and again, which takes much longer than placing them once.
    pub fn searches(self) -> bool {
        matches!(self, Self::HillClimb | Self::TvmHillClimb)
    }

    /// Plans. The plan is valid but for the capacity, which none of these regards.
    pub fn plan(self, problem: &Problem) -> Plan {
        self.plan_until(problem, None)
    }

    /// The same until a deadline: a search then ends with the best plan so far, and the others place what is left
    /// of the blocks without looking for holes, and in the end without a closer look at time.
    pub fn plan_until(self, problem: &Problem, deadline: Option<Instant>) -> Plan {
        if let Some((order, fit)) = self.order(problem) {
            return Placer::new(problem).place(&order, fit, deadline);
        }
        match self {
            Self::HillClimb => hill_climb::plan(problem, deadline),
            Self::TvmHillClimb => tvm::climb(problem, deadline),
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
            Self::TvmBySize => (tvm::by_size(problem), Fit::Above),
            Self::TvmByConflicts => (tvm::by_conflicts(problem), Fit::Above),
            Self::Bump | Self::HillClimb | Self::TvmHillClimb => return None,
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
