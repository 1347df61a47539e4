//! Placing blocks one after the other in a given order: what almost all heuristics come down to.

use std::time::Instant;

pub(crate) use crate::occupancy::Fit;
use crate::occupancy::{Occupancy, Tops};
use crate::problem::{Plan, Problem, align_up};
use crate::ticks::Sections;

/// Places blocks in orders, again and again if wanted, keeping what does not depend on the order.
#[derive(Debug)]
pub(crate) struct Placer<'a> {
    problem: &'a Problem,
    sections: Sections,
    taken: Occupancy,
}

impl<'a> Placer<'a> {
    pub(crate) fn new(problem: &'a Problem) -> Self {
        let sections = Sections::new(problem);
        let unit =
            problem.blocks().iter().filter(|b| b.fixed.is_none()).fold(0, |unit, b| gcd(unit, b.alignment));
        let taken = Occupancy::new(sections.count, sections.of.iter().copied(), unit);
        Self { problem, sections, taken }
    }

    /// Places the fixed blocks, then those of `order`. Blocks that `order` lacks stay at 0, so it must
    /// hold every block once; where fixed blocks stand in it does not matter. From the deadline on, blocks are
    /// placed above all others, which takes next to no time.
    pub(crate) fn place(&mut self, order: &[usize], fit: Fit, deadline: Option<Instant>) -> Plan {
        self.taken.clear();
        let blocks = self.problem.blocks();
        let mut offsets = vec![0u64; blocks.len()];
        for ((block, slot), &(from, to)) in blocks.iter().zip(&mut offsets).zip(&self.sections.of) {
            if let Some(offset) = block.fixed {
                *slot = offset;
                self.taken.insert(from, to, offset, offset.saturating_add(block.size));
            }
        }
        for (turn, &index) in order.iter().enumerate() {
            if turn % BETWEEN_LOOKS == BETWEEN_LOOKS - 1 && late(deadline) {
                let (done, left) = order.split_at(turn);
                self.pile(done, left, &mut offsets);
                break;
            }
            let (Some(block), Some(&(from, to))) = (blocks.get(index), self.sections.of.get(index)) else {
                continue;
            };
            if block.fixed.is_some() {
                continue;
            }
            let offset = self.taken.find(from, to, block.size, block.alignment, fit);
            self.taken.insert(from, to, offset, offset.saturating_add(block.size));
            if let Some(slot) = offsets.get_mut(index) {
                *slot = offset;
            }
        }
        Plan::new(self.problem, offsets)
    }

    /// Places what is left above what it meets.
    fn pile(&self, done: &[usize], left: &[usize], offsets: &mut [u64]) {
        let blocks = self.problem.blocks();
        let mut tops = Tops::new(self.sections.count);
        let fixed = (0..blocks.len()).filter(|&i| blocks.get(i).is_some_and(|block| block.fixed.is_some()));
        let known = fixed.chain(done.iter().copied()).map(|index| (index, true));
        for (index, placed) in known.chain(left.iter().map(|&index| (index, false))) {
            let (Some(block), Some(&(from, to)), Some(offset)) =
                (blocks.get(index), self.sections.of.get(index), offsets.get_mut(index))
            else {
                continue;
            };
            if !placed && block.fixed.is_none() && block.size > 0 {
                *offset = align_up(tops.top(from, to), block.alignment);
            }
            if block.size > 0 {
                tops.insert(from, to, offset.saturating_add(block.size));
            }
        }
    }
}

/// Blocks placed between two looks at the clock, which may take a while where there are many of them.
const BETWEEN_LOOKS: usize = 64;

/// Whether the deadline has passed.
pub(crate) fn late(deadline: Option<Instant>) -> bool {
    deadline.is_some_and(|deadline| Instant::now() >= deadline)
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The positions of the problem's blocks, sorted by what `key` says of each; ties in input order.
pub(crate) fn order_by<'a, K: Ord>(
    problem: &'a Problem,
    mut key: impl FnMut(usize, &'a crate::problem::Block) -> K,
) -> Vec<usize> {
    let mut keyed: Vec<(K, usize)> =
        problem.blocks().iter().enumerate().map(|(i, b)| (key(i, b), i)).collect();
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, i)| i).collect()
}
