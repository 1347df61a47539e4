//! Placing blocks one after the other in a given order: what almost all heuristics come down to.

use std::time::{Duration, Instant};

use crate::bound::gcd;
use crate::clock::now;
use crate::coarse::Coarse;
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
    /// When to stop, blocks that have no place yet, and steps until the next look at the clock.
    deadline: Option<Instant>,
    left: usize,
    unseen: usize,
    haste: Haste,
    /// Once haste is great.
    coarse: Option<Coarse>,
}

/// What there is time for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Haste {
    /// Looking for holes.
    None,
    /// Placing each block above those that it meets.
    Some,
    /// Placing each block above what lives at about the same time.
    Great,
}

impl<'a> Placer<'a> {
    pub(crate) fn new(problem: &'a Problem) -> Self {
        Self::with(problem, Sections::new(problem))
    }

    /// The same with the problem's sections.
    pub(crate) fn with(problem: &'a Problem, sections: Sections) -> Self {
        let free = problem.blocks().iter().filter(|b| b.fixed.is_none());
        let unit = free.fold(0, |unit, b| gcd(unit, b.alignment)).max(1);
        let taken = Occupancy::new(sections.count, sections.of.iter().copied(), unit);
        let tops = Tops::new(sections.count);
        let (waiting, deadline, left, unseen) = (Vec::new(), None, 0, 0);
        let (haste, coarse) = (Haste::None, None);
        Self { problem, sections, unit, tops, taken, waiting, deadline, left, unseen, haste, coarse }
    }

    /// Places the fixed blocks, then those of `order`. Blocks that `order` lacks stay at 0, so it must
    /// hold every block once; where fixed blocks stand in it does not matter. Shortly before the deadline blocks begin to be
    /// placed without regard to holes, and from it on without a closer look at time, which takes next to none of it.
    pub(crate) fn place(&mut self, order: &[usize], fit: Fit, deadline: Option<Instant>) -> Plan {
        self.taken.clear();
        self.tops.clear();
        self.waiting.clear();
        (self.deadline, self.left, self.unseen, self.haste) = (deadline, order.len(), 0, Haste::None);
        self.coarse = None;
        let blocks = self.problem.blocks();
        let mut offsets = vec![0u64; blocks.len()];
        for (index, (block, slot)) in blocks.iter().zip(&mut offsets).enumerate() {
            if let Some(offset) = block.fixed {
                *slot = offset;
                self.enter(index, block, offset);
            }
        }
        for &index in order {
            self.left = self.left.saturating_sub(1);
            let (Some(block), Some(&life)) = (blocks.get(index), self.sections.of.get(index)) else {
                continue;
            };
            if block.fixed.is_some() || block.size == 0 {
                continue;
            }
            self.look(1);
            let found = if self.haste == Haste::None { self.find(life, block, fit) } else { None };
            let offset = match found {
                Some(offset) => offset,
                None if self.haste == Haste::Great => {
                    let (count, tops) = (self.sections.count, &self.tops);
                    let coarse = || Coarse::new(count, |from, to| tops.look(from, to).top);
                    self.coarse.get_or_insert_with(coarse).place(life, block)
                }
                None => align_up(self.tops.look(life.0, life.1).top, block.alignment),
            };
            if self.haste < Haste::Great {
                self.enter(index, block, offset);
            }
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

    /// A place for a block; `None` if there is no time to find one.
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
            self.look(2);
            if self.haste > Haste::None {
                return None;
            }
        }
        self.waiting.clear();
        self.look(BETWEEN_LOOKS);
        if self.haste > Haste::None {
            return None;
        }
        Some(match fit {
            Fit::Best => self.taken.smallest(from, to, block.size, block.alignment),
            _ => self.taken.lowest(from, to, block.size, block.alignment, 0),
        })
    }

    /// Looks at the clock after so many steps, and makes haste if need be.
    fn look(&mut self, steps: usize) {
        let Some(deadline) = self.deadline.filter(|_| self.haste < Haste::Great) else { return };
        if self.unseen > steps {
            self.unseen -= steps;
            return;
        }
        self.unseen = BETWEEN_LOOKS;
        let left = deadline.saturating_duration_since(now());
        let need = |each: Duration| each.saturating_mul(u32::try_from(self.left).unwrap_or(u32::MAX));
        self.haste = match left {
            left if left <= need(COARSE) => Haste::Great,
            left if left < need(ABOVE) => Haste::Some,
            _ => self.haste,
        };
    }
}

/// Steps between two looks at the clock. A search for a hole is worth a look, as is a bunch of what is next to nothing.
const BETWEEN_LOOKS: usize = 32;

/// What it takes at most to place a block in great haste.
const COARSE: Duration = Duration::from_nanos(100);

/// What it takes to place a block above those that it meets.
const ABOVE: Duration = Duration::from_nanos(800);

/// Whether the deadline has passed.
pub(crate) fn late(deadline: Option<Instant>) -> bool {
    deadline.is_some_and(|deadline| now() >= deadline)
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
