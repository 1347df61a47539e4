//! Placing blocks one after the other in a given order: what almost all heuristics come down to.

pub(crate) use crate::occupancy::Fit;
use crate::occupancy::Occupancy;
use crate::problem::{Plan, Problem};
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
        let taken = Occupancy::new(sections.count);
        Self { problem, sections, taken }
    }

    /// Places the fixed blocks, then those of `order`. Blocks that `order` lacks stay at 0, so it must
    /// hold every block once; where fixed blocks stand in it does not matter.
    pub(crate) fn place(&mut self, order: &[usize], fit: Fit) -> Plan {
        self.taken.clear();
        let blocks = self.problem.blocks();
        let mut offsets = vec![0u64; blocks.len()];
        for ((block, slot), &(from, to)) in blocks.iter().zip(&mut offsets).zip(&self.sections.of) {
            if let Some(offset) = block.fixed {
                *slot = offset;
                self.taken.insert(from, to, offset, offset.saturating_add(block.size));
            }
        }
        for &index in order {
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
}

/// Places the blocks in `order`, each in the hole that `fit` says.
pub(crate) fn place(problem: &Problem, order: &[usize], fit: Fit) -> Plan {
    Placer::new(problem).place(order, fit)
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
