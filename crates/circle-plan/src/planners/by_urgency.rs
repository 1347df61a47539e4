//! Urgency: the most bytes alive at some tick of a block's life. The most urgent blocks go first, among
//! them those that live longest, then those born first, then the largest. Vela's search over orders
//! starts from this one.

use std::cmp::Reverse;

use crate::place::order_by;
use crate::problem::Problem;
use crate::ticks::{RangeMin, Sections};

pub(super) fn order(problem: &Problem) -> Vec<usize> {
    let sections = Sections::new(problem);
    // The fullest section has the least of what is left to 64 bits.
    let rest: Vec<u64> = sections.live(problem).iter().map(|live| u64::MAX - live).collect();
    let rest = RangeMin::new(&rest);
    order_by(problem, |index, b| {
        let (from, to) = sections.of.get(index).copied().unwrap_or_default();
        (rest.min(from, to), Reverse(b.lifetime()), b.lower, Reverse(b.size))
    })
}
