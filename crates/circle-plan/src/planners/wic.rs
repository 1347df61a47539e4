//! onert's WIC planner: size descending, equal sizes as they come, the lowest hole among the blocks
//! that interfere.

use std::cmp::Reverse;

use crate::place::order_by;
use crate::problem::Problem;

pub(super) fn order(problem: &Problem) -> Vec<usize> {
    order_by(problem, |_, b| Reverse(b.size))
}
