//! Greedy by breadth: the tick with most live bytes first, there the largest block first, then the next
//! fullest tick. Equal ticks go by time, equal blocks by input order.
//!
//! Not tick by tick, which would visit long-lived blocks again and again: a block's turn comes with the
//! best rank among its ticks.

use std::cmp::Reverse;

use crate::place::order_by;
use crate::problem::Problem;
use crate::ticks::{RangeMin, Sections};

pub(super) fn order(problem: &Problem) -> Vec<usize> {
    let sections = Sections::new(problem);
    let live = sections.live(problem);
    let mut fullest: Vec<usize> = (0..live.len()).collect();
    fullest.sort_by_key(|&s| Reverse(live.get(s).copied()));
    let mut rank = vec![0u64; live.len()];
    for (place, &section) in (0u64..).zip(&fullest) {
        if let Some(slot) = rank.get_mut(section) {
            *slot = place;
        }
    }
    let ranks = RangeMin::new(&rank);
    order_by(problem, |index, b| {
        let (from, to) = sections.of.get(index).copied().unwrap_or_default();
        (ranks.min(from, to), Reverse(b.size))
    })
}
