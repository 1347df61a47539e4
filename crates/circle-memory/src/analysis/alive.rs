//! Who holds which byte at a tick.

use super::extent::{extents, lives_at};
use super::reserved::reserved_at;
use crate::form::{Piece, Segment};
use std::collections::BinaryHeap;

/// The blocks alive at a tick, what closed spaces have reserved besides, and the gaps between them; together they are exactly [`top`](Alive::top) bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Alive {
    /// The tick.
    pub tick: u64,
    /// End of the highest byte in use. At the peak tick this is the peak.
    pub top: u128,
    /// The blocks, in the order of the segment.
    pub blocks: Vec<AliveBlock>,
    /// The closed spaces reserved then, in the order of the segment.
    pub reserved: Vec<ReservedSpace>,
    /// Bytes below the top that are not in use, from low to high, none next to another.
    pub gaps: Vec<Piece>,
}

/// A block alive at a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AliveBlock {
    /// Position in [`Segment::blocks`].
    pub block: usize,
    /// Bytes that are given to this block. A byte that several blocks lie on is given to the one that became alive last,
    /// of those that did at once to the last one of the segment: what is written in place belongs to the writer. A block
    /// that others lie on altogether has 0.
    pub bytes: u64,
}

/// A space that is reserved as a whole at a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReservedSpace {
    /// Position in [`Segment::spaces`].
    pub space: usize,
    /// Its rest: bytes that no block takes. Where spaces overlap (a fault), a byte is that of the last one.
    pub bytes: u64,
}

impl Alive {
    /// Bytes in use, those of blocks and those that are reserved besides.
    pub fn used(&self) -> u128 {
        // Each byte is given once, so that the sum is at most the top.
        self.blocks.iter().map(|block| u128::from(block.bytes)).sum::<u128>() + self.reserved_bytes()
    }

    /// Bytes that closed spaces have reserved and no block takes.
    pub fn reserved_bytes(&self) -> u128 {
        self.reserved.iter().map(|space| u128::from(space.bytes)).sum()
    }

    /// Bytes of all gaps.
    pub fn gap_bytes(&self) -> u128 {
        self.gaps.iter().map(|gap| u128::from(gap.size)).sum()
    }
}

/// The blocks of a segment that are alive at a tick, what is reserved besides, and the gaps. Takes O(n + k log k) for n blocks and spaces of
/// which k are alive.
pub fn alive_at(segment: &Segment, tick: u64) -> Alive {
    let mut alive = Alive { tick, ..Alive::default() };
    // First byte, end, and who is preferred: blocks to spaces, the block that began last, then the last one.
    let mut pieces: Vec<(u64, u128, (bool, u64, usize))> = Vec::new();
    for (space, extent) in reserved_at(segment, tick) {
        pieces.push((extent.start, extent.end(), (false, 0, alive.reserved.len())));
        alive.reserved.push(ReservedSpace { space, bytes: 0 });
    }
    for (position, block) in segment.blocks.iter().enumerate().filter(|(_, block)| lives_at(block, tick)) {
        let rank = (true, block.alive_from, alive.blocks.len());
        pieces.extend(extents(block).map(|extent| (extent.start, extent.end(), rank)));
        alive.blocks.push(AliveBlock { block: position, bytes: 0 });
    }
    pieces.sort_unstable();

    let mut at = 0_u128;
    let mut waiting = pieces.into_iter().peekable();
    // Pieces that have begun, the preferred one in front.
    let mut open: BinaryHeap<((bool, u64, usize), u128)> = BinaryHeap::new();
    loop {
        while open.peek().is_some_and(|(_, end)| *end <= at) {
            open.pop();
        }
        while let Some((_, end, rank)) = waiting.next_if(|piece| u128::from(piece.0) <= at) {
            open.push((rank, end));
        }
        // A piece that ended before it came to the front may be there again.
        while open.peek().is_some_and(|(_, end)| *end <= at) {
            open.pop();
        }
        let next = waiting.peek().map(|piece| piece.0);
        match (open.peek(), next) {
            (Some(((block, _, owner), end)), next) => {
                let until = next.map_or(*end, |next| u128::from(next).min(*end));
                let held = if *block {
                    alive.blocks.get_mut(*owner).map(|block| &mut block.bytes)
                } else {
                    alive.reserved.get_mut(*owner).map(|space| &mut space.bytes)
                };
                if let Some(bytes) = held {
                    // No more than the block or the space has.
                    *bytes += u64::try_from(until - at).unwrap_or(u64::MAX);
                }
                at = until;
                alive.top = at;
            }
            (None, Some(next)) => {
                // What lies below the first byte of something has 64 bits.
                let offset = u64::try_from(at).unwrap_or(next);
                alive.gaps.push(Piece { offset, size: next - offset });
                at = next.into();
            }
            (None, None) => break,
        }
    }
    alive
}
