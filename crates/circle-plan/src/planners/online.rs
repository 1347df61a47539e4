//! First fit in the order of birth. Blocks born earlier that meet a new one are exactly those alive at
//! its birth, so this is what a heap that gives the lowest free address does while a model runs: onert's
//! first fit planner.

use crate::place::order_by;
use crate::problem::Problem;

pub(super) fn order(problem: &Problem) -> Vec<usize> {
    order_by(problem, |_, b| b.lower)
}
