//! Blocks that meet most others first, then the largest. TVM's unified static memory planner has
//! a planner that orders so.
//!
//! The blocks met are counted, not listed: all born before a block's end, without those dead by its
//! birth.

use std::cmp::Reverse;

use crate::place::order_by;
use crate::problem::Problem;

pub(super) fn order(problem: &Problem) -> Vec<usize> {
    let sorted = |mut ticks: Vec<u64>| {
        ticks.sort_unstable();
        ticks
    };
    let births = sorted(problem.blocks().iter().map(|b| b.lower).collect());
    let deaths = sorted(problem.blocks().iter().map(|b| b.upper).collect());
    order_by(problem, |_, b| {
        let born = births.partition_point(|&t| t < b.upper);
        let dead = deaths.partition_point(|&t| t <= b.lower);
        Reverse((born.saturating_sub(dead), b.size))
    })
}
