//! Where a block lies, as half-open ranges.

use crate::form::Block;

/// The bytes of a piece, end exclusive and never beyond 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Extent {
    pub(super) start: u64,
    pub(super) end: u64,
}

/// The pieces of a block that have bytes.
pub(super) fn extents(block: &Block) -> impl Iterator<Item = Extent> + use<> {
    block
        .pieces()
        .map(|piece| Extent { start: piece.offset, end: piece.offset.saturating_add(piece.size) })
        .filter(|extent| extent.start < extent.end)
}

/// The pieces of a block that have bytes, their ends rounded up to a multiple of `unit`.
pub(super) fn rounded(block: &Block, unit: u64) -> impl Iterator<Item = Extent> + use<> {
    extents(block).map(move |extent| Extent {
        end: extent.end.checked_next_multiple_of(unit).unwrap_or(u64::MAX),
        ..extent
    })
}

/// Whether the block is ever alive.
pub(super) fn lives(block: &Block) -> bool {
    block.alive_from < block.alive_till
}

/// Whether the block is alive at a tick.
pub(super) fn lives_at(block: &Block, tick: u64) -> bool {
    block.alive_from <= tick && tick < block.alive_till
}
