//! TensorFlow Lite Micro's order: size descending, and of equal sizes the last one first.

use std::cmp::Reverse;

use crate::place::order_by;
use crate::problem::Problem;

pub(super) fn order(problem: &Problem) -> Vec<usize> {
    order_by(problem, |index, b| Reverse((b.size, index)))
}
