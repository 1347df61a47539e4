//! Who holds which byte at a tick.

use super::extent::{extents, lives_at};
use crate::form::{Piece, Segment};
use std::collections::BinaryHeap;

/// The blocks alive at a tick and the gaps between them; together they are exactly [`top`](Alive::top) bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Alive {
    /// The tick.
    pub tick: u64,
    /// End of the highest byte in use. At the peak tick this is the peak.
    pub top: u64,
    /// The blocks, in the order of the segment.
    pub blocks: Vec<AliveBlock>,
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

impl Alive {
    /// Bytes in use.
    pub fn used(&self) -> u64 {
        // Each byte is given once, so that the sum is at most the top.
        self.blocks.iter().map(|block| block.bytes).sum()
    }

    /// Bytes of all gaps.
    pub fn gap_bytes(&self) -> u64 {
        self.gaps.iter().map(|gap| gap.size).sum()
    }
}

/// The blocks of a segment that are alive at a tick, and the gaps. Takes O(n + k log k) for n blocks of which k are alive.
pub fn alive_at(segment: &Segment, tick: u64) -> Alive {
    let mut alive = Alive { tick, ..Alive::default() };
    // First byte, end, and who is preferred: the block that began last, then the last one.
    let mut pieces: Vec<(u64, u64, (u64, usize))> = Vec::new();
    for (position, block) in segment.blocks.iter().enumerate().filter(|(_, block)| lives_at(block, tick)) {
        let rank = (block.alive_from, alive.blocks.len());
        pieces.extend(extents(block).map(|extent| (extent.start, extent.end, rank)));
        alive.blocks.push(AliveBlock { block: position, bytes: 0 });
    }
    pieces.sort_unstable();

    let mut at = 0;
    let mut waiting = pieces.into_iter().peekable();
    // Pieces that have begun, the preferred one in front.
    let mut open: BinaryHeap<((u64, usize), u64)> = BinaryHeap::new();
    loop {
        while open.peek().is_some_and(|(_, end)| *end <= at) {
            open.pop();
        }
        while let Some((_, end, rank)) = waiting.next_if(|piece| piece.0 <= at) {
            open.push((rank, end));
        }
        // A piece that ended before it came to the front may be there again.
        while open.peek().is_some_and(|(_, end)| *end <= at) {
            open.pop();
        }
        let next = waiting.peek().map(|piece| piece.0);
        match (open.peek(), next) {
            (Some(((_, owner), end)), next) => {
                let until = next.map_or(*end, |next| next.min(*end));
                if let Some(block) = alive.blocks.get_mut(*owner) {
                    block.bytes += until - at;
                }
                at = until;
                alive.top = at;
            }
            (None, Some(next)) => {
                alive.gaps.push(Piece { offset: at, size: next - at });
                at = next;
            }
            (None, None) => break,
        }
    }
    alive
}
