//! Greedy by size: the largest block first, among equals the one used first. TFLite's arena and ONE's
//! circle-execution-plan order so, after the tensors that live through the whole model, and then take
//! the smallest hole that fits.

use std::cmp::Reverse;

use crate::place::order_by;
use crate::problem::Problem;

pub(super) fn order(problem: &Problem) -> Vec<usize> {
    let begin = problem.blocks().iter().map(|b| b.lower).min().unwrap_or(0);
    let end = problem.blocks().iter().map(|b| b.upper).max().unwrap_or(0);
    order_by(problem, |_, b| {
        let whole = b.lower == begin && b.upper == end;
        (!whole, Reverse(b.size), b.lower)
    })
}
