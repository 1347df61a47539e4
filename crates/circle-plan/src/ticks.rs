//! Time, compressed to the sections between which the set of live blocks changes.
//!
//! Only blocks that begin to live split sections: a block's end can be moved to the next birth, or
//! to the end of time, without meeting any block that it did not meet before. So there are at most
//! as many sections as blocks.

use crate::problem::Problem;

/// The sections of a problem, numbered from 0 in the order of time.
#[derive(Debug, Clone)]
pub(crate) struct Sections {
    /// First and last-exclusive section of each block.
    pub(crate) of: Vec<(usize, usize)>,
    /// Number of sections.
    pub(crate) count: usize,
}

impl Sections {
    /// Of the problem's blocks that occupy memory; blocks of size 0 get their place all the same.
    pub(crate) fn new(problem: &Problem) -> Self {
        let mut births: Vec<u64> = problem.blocks().iter().map(|b| b.lower).collect();
        births.sort_unstable();
        births.dedup();
        let of = problem.blocks().iter().map(|block| {
            let from = births.partition_point(|&t| t < block.lower);
            (from, births.partition_point(|&t| t < block.upper))
        });
        Self { of: of.collect(), count: births.len() }
    }

    /// Bytes alive in each section, without alignment.
    pub(crate) fn live(&self, problem: &Problem) -> Vec<u64> {
        self.sums(problem.blocks().iter().map(|b| b.size))
    }

    /// Sum in each section of the values of the blocks alive in it. The values are at most sizes
    /// with alignment, so [`crate::problem::MOST_BYTES`] bounds the sums.
    pub(crate) fn sums(&self, values: impl Iterator<Item = u64>) -> Vec<u64> {
        let mut change = vec![(0u64, 0u64); self.count + 1];
        for (&(from, to), value) in self.of.iter().zip(values) {
            if let Some(at) = change.get_mut(from) {
                at.0 = at.0.saturating_add(value);
            }
            if let Some(at) = change.get_mut(to) {
                at.1 = at.1.saturating_add(value);
            }
        }
        let mut live = 0u64;
        let sums = change.iter().map(|(born, died)| {
            live = live.saturating_sub(*died).saturating_add(*born);
            live
        });
        sums.take(self.count).collect()
    }
}

/// Least value of any range of a list, in log n steps after n.
#[derive(Debug)]
pub(crate) struct RangeMin {
    leaves: usize,
    nodes: Vec<u64>,
}

impl RangeMin {
    /// Over these values.
    pub(crate) fn new(values: &[u64]) -> Self {
        let leaves = values.len();
        let mut nodes = vec![u64::MAX; leaves];
        nodes.extend_from_slice(values);
        for node in (1..leaves).rev() {
            let pair = nodes.get(node * 2..node * 2 + 2).unwrap_or(&[]);
            let least = pair.iter().copied().min().unwrap_or(u64::MAX);
            if let Some(slot) = nodes.get_mut(node) {
                *slot = least;
            }
        }
        Self { leaves, nodes }
    }

    /// Least of the values from position `from` to before `to`; the greatest number if there are none.
    pub(crate) fn min(&self, from: usize, to: usize) -> u64 {
        let (mut left, mut right) = (from + self.leaves, to.min(self.leaves) + self.leaves);
        let mut least = u64::MAX;
        while left < right {
            if left & 1 == 1 {
                least = least.min(self.nodes.get(left).copied().unwrap_or(u64::MAX));
                left += 1;
            }
            if right & 1 == 1 {
                right -= 1;
                least = least.min(self.nodes.get(right).copied().unwrap_or(u64::MAX));
            }
            left >>= 1;
            right >>= 1;
        }
        least
    }
}
