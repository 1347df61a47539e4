//! Orders by lifetime: Aidge places the blocks that live longest first, then by size either way.
//!
//! Its third strategy begins with the space that has the biggest hole. A block has no hole; for memory in
//! which several tensors share a space see [`crate::spaces`].

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
