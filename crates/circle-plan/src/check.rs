//! Checks a plan against its problem, sharing no code with the planners.
//!
//! Blocks alive at one tick and valid so far never overlap, so they are kept sorted by address while
//! a sweep goes through time: a new block needs to be compared with its neighbours only. That makes
//! n log n for valid plans; a block that overlaps is reported and left out of the sorted set, so that
//! it costs no more than the findings it makes.

use std::collections::BTreeMap;
use std::fmt;

use crate::problem::{Block, Plan, Problem};

/// At most this many findings of one kind are collected.
pub const MOST_FINDINGS: usize = 1000;

/// A fault of a plan, naming blocks by id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The plan has another number of offsets than the problem has blocks.
    Count {
        /// Offsets of the plan.
        offsets: usize,
        /// Blocks of the problem.
        blocks: usize,
    },
    /// The offset is no multiple of the block's alignment.
    Alignment {
        /// The block.
        id: String,
        /// Its offset.
        offset: u64,
        /// Its alignment.
        alignment: u64,
    },
    /// A fixed block was moved.
    Moved {
        /// The block.
        id: String,
        /// Its offset.
        offset: u64,
        /// Where it must be.
        fixed: u64,
    },
    /// Offset plus size exceeds 64 bits.
    Overflow {
        /// The block.
        id: String,
        /// Its offset.
        offset: u64,
        /// Its size.
        size: u64,
    },
    /// The block ends beyond the capacity.
    Capacity {
        /// The block.
        id: String,
        /// Its end.
        end: u64,
        /// The capacity.
        capacity: u64,
    },
    /// Two blocks share an address at one tick.
    Overlap {
        /// The one that begins to live first.
        first: String,
        /// The other.
        second: String,
    },
    /// The peak that the plan states is not that of its offsets.
    Peak {
        /// As stated.
        stated: u64,
        /// As it is.
        actual: u64,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count { offsets, blocks } => write!(f, "{offsets} offsets for {blocks} blocks"),
            Self::Alignment { id, offset, alignment } => {
                write!(f, "block `{id}`: offset {offset} is no multiple of {alignment}")
            }
            Self::Moved { id, offset, fixed } => {
                write!(f, "block `{id}`: offset {offset}, fixed at {fixed}")
            }
            Self::Overflow { id, offset, size } => {
                write!(f, "block `{id}`: offset {offset} plus size {size} exceeds 64 bits")
            }
            Self::Capacity { id, end, capacity } => {
                write!(f, "block `{id}`: ends at {end}, beyond the capacity of {capacity}")
            }
            Self::Overlap { first, second } => {
                write!(f, "blocks `{first}` and `{second}` overlap in time and address")
            }
            Self::Peak { stated, actual } => write!(f, "peak {stated} stated, {actual} found"),
        }
    }
}

/// Every fault of the plan, block by block, then overlaps; of overlaps at most [`MOST_FINDINGS`].
/// Empty means that the plan is valid, within the capacity if there is one.
pub fn check(problem: &Problem, plan: &Plan) -> Vec<Fault> {
    let blocks = problem.blocks();
    if plan.offsets.len() != blocks.len() {
        return vec![Fault::Count { offsets: plan.offsets.len(), blocks: blocks.len() }];
    }
    let mut faults = Vec::new();
    let mut actual = 0u64;
    for (block, &offset) in blocks.iter().zip(&plan.offsets) {
        let id = || block.id.clone();
        if offset % block.alignment != 0 {
            faults.push(Fault::Alignment { id: id(), offset, alignment: block.alignment });
        }
        if let Some(fixed) = block.fixed.filter(|&fixed| fixed != offset) {
            faults.push(Fault::Moved { id: id(), offset, fixed });
        }
        let Some(end) = offset.checked_add(block.size) else {
            faults.push(Fault::Overflow { id: id(), offset, size: block.size });
            continue;
        };
        if block.size > 0 {
            actual = actual.max(end);
        }
        if let Some(capacity) = problem.capacity().filter(|&capacity| end > capacity && block.size > 0) {
            faults.push(Fault::Capacity { id: id(), end, capacity });
        }
    }
    if actual != plan.peak {
        faults.push(Fault::Peak { stated: plan.peak, actual });
    }
    let placed: Vec<(usize, u64)> = plan.offsets.iter().copied().enumerate().collect();
    for (one, two) in overlaps(blocks, &placed, MOST_FINDINGS) {
        if let (Some(one), Some(two)) = (blocks.get(one), blocks.get(two)) {
            faults.push(Fault::Overlap { first: one.id.clone(), second: two.id.clone() });
        }
    }
    faults
}

/// Pairs of blocks that share an address at a tick, at most `most`, the one alive first in front.
/// `placed` gives positions in `blocks` and offsets. Every block that overlaps one that is valid so
/// far is in a pair, but not every pair of a heap of overlapping blocks is listed.
pub(crate) fn overlaps(blocks: &[Block], placed: &[(usize, u64)], most: usize) -> Vec<(usize, usize)> {
    let mut events: Vec<(u64, bool, usize, u64)> = Vec::with_capacity(placed.len().saturating_mul(2));
    for &(index, offset) in placed {
        if let Some(block) = blocks.get(index).filter(|b| b.size > 0) {
            // `false` sorts first: at one tick, blocks die before others are born.
            events.push((block.upper, false, index, offset));
            events.push((block.lower, true, index, offset));
        }
    }
    events.sort_unstable();
    let mut alive: BTreeMap<u64, (u64, usize)> = BTreeMap::new();
    let mut pairs = Vec::new();
    for (_, born, index, offset) in events {
        if !born {
            // A block that was left out has another one's index at its offset, or none.
            if alive.get(&offset).is_some_and(|&(_, at)| at == index) {
                alive.remove(&offset);
            }
            continue;
        }
        let size = blocks.get(index).map_or(0, |b| b.size);
        let end = offset.saturating_add(size);
        let below = alive.range(..=offset).next_back().filter(|(_, (e, _))| *e > offset);
        let above = alive.range(offset..end).filter(|(start, _)| **start > offset);
        let before = pairs.len();
        for (_, &(_, other)) in below.into_iter().chain(above) {
            if pairs.len() == most {
                return pairs;
            }
            pairs.push((other, index));
        }
        if pairs.len() == before {
            alive.insert(offset, (end, index));
        }
    }
    pairs
}
