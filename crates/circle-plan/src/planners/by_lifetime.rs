//! Orders by lifetime: Aidge places the blocks that live longest first, then by size either way.
//!
//! Its third strategy, spaces with the biggest hole first, speaks of spaces that several in-place
//! tensors share; a block here is such a space already and has no hole, so that strategy is the
//! order by lifetime. Wrap-around spaces, which lie in two pieces, are outside of this problem.

use std::cmp::Reverse;

use crate::place::order_by;
use crate::problem::Problem;

pub(super) fn size_descending(problem: &Problem) -> Vec<usize> {
    order_by(problem, |_, b| Reverse((b.lifetime(), b.size)))
}

pub(super) fn size_ascending(problem: &Problem) -> Vec<usize> {
    order_by(problem, |_, b| (Reverse(b.lifetime()), b.size))
}

/// The blocks that take most bytes for most ticks first.
pub(super) fn area(problem: &Problem) -> Vec<usize> {
    order_by(problem, |_, b| Reverse(b.area()))
}
