//! Blocks that meet most others first, then the largest.
//!
//! The blocks met are counted, not listed: all born before a block's end, without those dead by its
//! birth.

use std::cmp::Reverse;

use crate::place::order_by;
use crate::problem::Problem;

pub(super) fn order(problem: &Problem) -> Vec<usize> {
    let conflicts = conflicts(problem);
    order_by(problem, |index, b| Reverse((conflicts.get(index).copied(), b.size)))
}

/// How many blocks each block meets, itself among them.
pub(super) fn conflicts(problem: &Problem) -> Vec<usize> {
    let sorted = |mut ticks: Vec<u64>| {
        ticks.sort_unstable();
        ticks
    };
    let births = sorted(problem.blocks().iter().map(|b| b.lower).collect());
    let deaths = sorted(problem.blocks().iter().map(|b| b.upper).collect());
    let met = problem.blocks().iter().map(|b| {
        let born = births.partition_point(|&t| t < b.upper);
        let dead = deaths.partition_point(|&t| t <= b.lower);
        born.saturating_sub(dead)
    });
    met.collect()
}
