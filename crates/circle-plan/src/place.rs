//! Placing blocks one after the other in a given order: what almost all heuristics come down to.

use std::time::Instant;

use crate::bound::gcd;
use crate::occupancy::{Occupancy, Taken, Tops};
use crate::problem::{Block, Plan, Problem, align_up};
use crate::ticks::Sections;

/// How a block chooses among the holes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fit {
    /// The lowest hole that is large enough.
    First,
    /// The smallest hole that is large enough, the lowest among equals; beyond all blocks if none is.
    Best,
    /// Beyond all blocks, holes or not.
    Above,
}

/// Places blocks in orders, again and again if wanted, keeping what does not depend on the order.
#[derive(Debug)]
pub(crate) struct Placer<'a> {
    problem: &'a Problem,
    sections: Sections,
    /// What all offsets of blocks that are not fixed are multiples of.
    unit: u64,
    /// Of all blocks that have a place.
    tops: Tops,
    taken: Occupancy,
    /// Blocks with a place that are not in `taken` yet: there may be no need for them to be.
    waiting: Vec<Taken>,
    /// When to stop, and steps until the next look at the clock.
    deadline: Option<Instant>,
    unseen: usize,
}

impl<'a> Placer<'a> {
    pub(crate) fn new(problem: &'a Problem) -> Self {
        let sections = Sections::new(problem);
        let free = problem.blocks().iter().filter(|b| b.fixed.is_none());
        let unit = free.fold(0, |unit, b| gcd(unit, b.alignment)).max(1);
        let taken = Occupancy::new(sections.count, sections.of.iter().copied(), unit);
        let tops = Tops::new(sections.count);
        Self { problem, sections, unit, tops, taken, waiting: Vec::new(), deadline: None, unseen: 0 }
    }

    /// Places the fixed blocks, then those of `order`. Blocks that `order` lacks stay at 0, so it must
    /// hold every block once; where fixed blocks stand in it does not matter. From the deadline on, blocks are
    /// placed above all others, which takes next to no time.
    pub(crate) fn place(&mut self, order: &[usize], fit: Fit, deadline: Option<Instant>) -> Plan {
        self.taken.clear();
        self.tops.clear();
        self.waiting.clear();
        (self.deadline, self.unseen) = (deadline, BETWEEN_LOOKS);
        let blocks = self.problem.blocks();
        let mut offsets = vec![0u64; blocks.len()];
        for (index, (block, slot)) in blocks.iter().zip(&mut offsets).enumerate() {
            if let Some(offset) = block.fixed {
                *slot = offset;
                self.enter(index, block, offset);
            }
        }
        let mut fit = fit;
        for &index in order {
            let (Some(block), Some(&life)) = (blocks.get(index), self.sections.of.get(index)) else {
                continue;
            };
            if block.fixed.is_some() || block.size == 0 {
                continue;
            }
            let offset = self.find(life, block, fit).unwrap_or_else(|| {
                fit = Fit::Above;
                align_up(self.tops.look(life.0, life.1).top, block.alignment)
            });
            self.enter(index, block, offset);
            if let Some(slot) = offsets.get_mut(index) {
                *slot = offset;
            }
        }
        Plan::new(self.problem, offsets)
    }

    /// Takes the place of a block.
    fn enter(&mut self, index: usize, block: &Block, offset: u64) {
        if let Some(&(from, to)) = self.sections.of.get(index)
            && block.size > 0
        {
            let end = offset.saturating_add(block.size);
            // Bytes up to the next multiple are of no use to others: they count as taken.
            let rounded = align_up(end, self.unit).saturating_sub(align_up(offset, self.unit));
            self.tops.insert(from, to, rounded, end);
            self.waiting.push(Taken { from, to, offset, end });
        }
    }

    /// A place for a block; `None` from the deadline on.
    fn find(&mut self, (from, to): (usize, usize), block: &Block, fit: Fit) -> Option<u64> {
        let below = self.tops.look(from, to);
        // Where all holes of one section are too small together, no section needs to be looked at.
        if fit == Fit::Above || align_up(below.top, self.unit).saturating_sub(below.most) < block.size {
            return Some(align_up(below.top, block.alignment));
        }
        for number in 0..self.waiting.len() {
            if let Some(&waiting) = self.waiting.get(number) {
                self.taken.insert(waiting);
            }
            if self.late() {
                return None;
            }
        }
        self.waiting.clear();
        if self.late() {
            return None;
        }
        Some(match fit {
            Fit::Best => self.taken.smallest(from, to, block.size, block.alignment),
            _ => self.taken.lowest(from, to, block.size, block.alignment, 0),
        })
    }

    /// Whether the deadline has passed, as seen at the last look at the clock.
    fn late(&mut self) -> bool {
        self.unseen = self.unseen.saturating_sub(1);
        if self.unseen > 0 {
            return false;
        }
        self.unseen = BETWEEN_LOOKS;
        late(self.deadline)
    }
}

/// Blocks searched for or entered between two looks at the clock, which may take a while where there are many of them.
const BETWEEN_LOOKS: usize = 16;

/// Whether the deadline has passed.
pub(crate) fn late(deadline: Option<Instant>) -> bool {
    deadline.is_some_and(|deadline| Instant::now() >= deadline)
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
