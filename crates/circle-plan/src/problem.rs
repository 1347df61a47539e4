//! What is to be planned: blocks of memory with a size and a lifetime.

use std::collections::BTreeMap;
use std::fmt;

/// Above this, sums of sizes are refused, so that no later addition can overflow 64 bits.
pub const MOST_BYTES: u64 = u64::MAX / 4;

/// A piece of memory that must keep its address as long as it lives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Name of the block, unique within its problem.
    pub id: String,
    /// First tick at which the block is alive.
    pub lower: u64,
    /// First tick at which it is no longer alive (exclusive), more than `lower`.
    pub upper: u64,
    /// Size in bytes; 0 is allowed and occupies nothing.
    pub size: u64,
    /// The offset must be a multiple of this many bytes; at least 1, not necessarily a power of two.
    pub alignment: u64,
    /// The offset in bytes, where it is not for the planner to choose.
    pub fixed: Option<u64>,
}

impl Block {
    /// A block without alignment whose offset is free.
    pub fn new(id: impl Into<String>, lower: u64, upper: u64, size: u64) -> Self {
        Self { id: id.into(), lower, upper, size, alignment: 1, fixed: None }
    }

    /// Ticks during which the block is alive.
    pub fn lifetime(&self) -> u64 {
        self.upper.saturating_sub(self.lower)
    }

    /// Bytes times ticks; 128 bits hold every product.
    pub fn area(&self) -> u128 {
        u128::from(self.size) * u128::from(self.lifetime())
    }

    /// Whether both blocks are alive at some tick.
    pub fn meets(&self, other: &Block) -> bool {
        self.lower < other.upper && other.lower < self.upper
    }
}

/// Blocks that were found to be plannable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    blocks: Vec<Block>,
    capacity: Option<u64>,
}

/// Why blocks cannot be planned. `index` is the position in the list of blocks, from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProblemError {
    /// The lifetime is empty or reversed.
    Lifetime {
        /// Position of the block.
        index: usize,
        /// Name of the block.
        id: String,
        /// Its first tick.
        lower: u64,
        /// Its end.
        upper: u64,
    },
    /// The alignment is 0.
    Alignment {
        /// Position of the block.
        index: usize,
        /// Name of the block.
        id: String,
    },
    /// Two blocks have one name.
    DuplicateId {
        /// Position of the second block.
        index: usize,
        /// Position of the first one.
        first: usize,
        /// The name.
        id: String,
    },
    /// All sizes with their alignment come to more than [`MOST_BYTES`].
    TooMany {
        /// Position of the block at which the sum passes the bound.
        index: usize,
        /// Name of the block.
        id: String,
    },
    /// A fixed offset is no multiple of the block's alignment.
    FixedAlignment {
        /// Position of the block.
        index: usize,
        /// Name of the block.
        id: String,
        /// The offset.
        offset: u64,
        /// The alignment.
        alignment: u64,
    },
    /// A fixed block ends beyond the capacity.
    FixedCapacity {
        /// Position of the block.
        index: usize,
        /// Name of the block.
        id: String,
        /// Where it ends.
        end: u64,
        /// The capacity.
        capacity: u64,
    },
    /// Two fixed blocks share an address at one tick.
    FixedOverlap {
        /// Position of one block.
        index: usize,
        /// Name of that block.
        id: String,
        /// Name of the other one.
        other: String,
    },
}

impl fmt::Display for ProblemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lifetime { index, id, lower, upper } => {
                write!(f, "block {index} `{id}`: lifetime {lower}..{upper} is empty or reversed")
            }
            Self::Alignment { index, id } => {
                write!(f, "block {index} `{id}`: alignment 0, must be at least 1")
            }
            Self::DuplicateId { index, first, id } => {
                write!(f, "block {index}: id `{id}` is that of block {first}")
            }
            Self::TooMany { index, id } => {
                write!(f, "block {index} `{id}`: sizes with alignment add up to more than {MOST_BYTES} bytes")
            }
            Self::FixedAlignment { index, id, offset, alignment } => {
                write!(f, "block {index} `{id}`: fixed offset {offset} is no multiple of {alignment}")
            }
            Self::FixedCapacity { index, id, end, capacity } => {
                write!(f, "block {index} `{id}`: fixed, ends at {end}, beyond the capacity of {capacity}")
            }
            Self::FixedOverlap { index, id, other } => {
                write!(f, "block {index} `{id}`: fixed, overlaps fixed block `{other}` in time and address")
            }
        }
    }
}

impl std::error::Error for ProblemError {}

impl Problem {
    /// Checks the blocks. `capacity` is the size in bytes of the memory they should fit into, if any.
    ///
    /// # Errors
    /// The first fault found, see [`ProblemError`]. That free blocks may not fit into the capacity is
    /// no fault: only planning can tell.
    pub fn new(blocks: Vec<Block>, capacity: Option<u64>) -> Result<Self, ProblemError> {
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        let mut sum = 0u64;
        let mut fixed_end = 0u64;
        for (index, block) in blocks.iter().enumerate() {
            let id = || block.id.clone();
            if block.lower >= block.upper {
                let (lower, upper) = (block.lower, block.upper);
                return Err(ProblemError::Lifetime { index, id: id(), lower, upper });
            }
            if block.alignment == 0 {
                return Err(ProblemError::Alignment { index, id: id() });
            }
            if let Some(first) = seen.insert(&block.id, index) {
                return Err(ProblemError::DuplicateId { index, first, id: id() });
            }
            // Every placement ends at most at the end of a fixed block plus all free sizes, each with
            // the most its alignment can add: below the bound nothing later overflows.
            let padded = block.size.checked_add(block.alignment - 1);
            sum = padded.and_then(|p| sum.checked_add(p)).unwrap_or(u64::MAX);
            if let Some(offset) = block.fixed {
                fixed_end = fixed_end.max(offset.saturating_add(block.size));
            }
            if sum.saturating_add(fixed_end) > MOST_BYTES {
                return Err(ProblemError::TooMany { index, id: id() });
            }
            check_fixed(index, block, capacity)?;
        }
        check_fixed_overlap(&blocks)?;
        Ok(Self { blocks, capacity })
    }

    /// A part of a problem, with blocks that need no check; their ids may be empty.
    pub(crate) fn trusted(blocks: Vec<Block>) -> Self {
        Self { blocks, capacity: None }
    }

    /// The blocks, in the order given.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The bytes the blocks should fit into, if that is known.
    pub fn capacity(&self) -> Option<u64> {
        self.capacity
    }
}

fn check_fixed(index: usize, block: &Block, capacity: Option<u64>) -> Result<(), ProblemError> {
    let Some(offset) = block.fixed else { return Ok(()) };
    let id = || block.id.clone();
    if offset % block.alignment != 0 {
        let alignment = block.alignment;
        return Err(ProblemError::FixedAlignment { index, id: id(), offset, alignment });
    }
    let end = offset.saturating_add(block.size);
    match capacity {
        Some(capacity) if end > capacity => {
            Err(ProblemError::FixedCapacity { index, id: id(), end, capacity })
        }
        _ => Ok(()),
    }
}

fn check_fixed_overlap(blocks: &[Block]) -> Result<(), ProblemError> {
    let fixed: Vec<(usize, u64)> =
        blocks.iter().enumerate().filter_map(|(i, b)| b.fixed.map(|offset| (i, offset))).collect();
    match crate::check::overlaps(blocks, &fixed, 1).first() {
        Some(&(one, two)) => {
            let (index, other) = (one.max(two), one.min(two));
            let name = |i: usize| blocks.get(i).map(|b| b.id.clone()).unwrap_or_default();
            Err(ProblemError::FixedOverlap { index, id: name(index), other: name(other) })
        }
        None => Ok(()),
    }
}

/// Where each block of a problem goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Offset in bytes of each block, in the order of the problem's blocks.
    pub offsets: Vec<u64>,
    /// Bytes that the plan needs: the largest offset plus size.
    pub peak: u64,
}

impl Plan {
    /// Takes offsets, one a block in the problem's order, and works out the peak. Missing offsets
    /// count as 0, surplus ones are dropped.
    pub fn new(problem: &Problem, mut offsets: Vec<u64>) -> Self {
        offsets.resize(problem.blocks().len(), 0);
        let ends = problem.blocks().iter().zip(&offsets).filter(|(b, _)| b.size > 0);
        let peak = ends.map(|(b, &offset)| offset.saturating_add(b.size)).max().unwrap_or(0);
        Self { offsets, peak }
    }
}

/// The least multiple of `alignment` (at least 1) that is not below `offset`.
pub(crate) fn align_up(offset: u64, alignment: u64) -> u64 {
    if alignment <= 1 {
        return offset;
    }
    match offset % alignment {
        0 => offset,
        rest => offset.saturating_add(alignment - rest),
    }
}
