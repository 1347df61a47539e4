//! Where a block lies, as half-open ranges.

use crate::form::Block;

/// The bytes of a piece, end exclusive and never beyond 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Extent {
    pub(super) start: u64,
    pub(super) end: u64,
}

impl Extent {
    /// So many bytes from an address on; `None` if there are none.
    pub(super) fn new(offset: u64, size: u64) -> Option<Extent> {
        let extent = Extent { start: offset, end: offset.saturating_add(size) };
        (extent.start < extent.end).then_some(extent)
    }

    /// The same with its end rounded up to a multiple of `unit`.
    pub(super) fn rounded(self, unit: u64) -> Extent {
        Extent { end: self.end.checked_next_multiple_of(unit).unwrap_or(u64::MAX), ..self }
    }

    pub(super) fn bytes(self) -> u64 {
        self.end - self.start
    }
}

/// The pieces of a block that have bytes.
pub(super) fn extents(block: &Block) -> impl Iterator<Item = Extent> + use<> {
    block.pieces().filter_map(|piece| Extent::new(piece.offset, piece.size))
}

/// Whether the block is ever alive.
pub(super) fn lives(block: &Block) -> bool {
    block.alive_from < block.alive_till
}

/// Whether the block is alive at a tick.
pub(super) fn lives_at(block: &Block, tick: u64) -> bool {
    block.alive_from <= tick && tick < block.alive_till
}
