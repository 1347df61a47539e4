//! Where a block lies, as half-open ranges.

use crate::form::Block;
use std::num::NonZeroU64;

/// The bytes of a piece, at least one. Ends may need 65 bits: offset and size have 64 each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Extent {
    pub(super) start: u64,
    size: NonZeroU64,
}

impl Extent {
    /// So many bytes from an address on; `None` if there are none.
    pub(super) fn new(start: u64, size: u64) -> Option<Extent> {
        NonZeroU64::new(size).map(|size| Extent { start, size })
    }

    /// The first byte behind it.
    pub(super) fn end(self) -> u128 {
        u128::from(self.start) + u128::from(self.size.get())
    }

    /// Bytes between its end and the next multiple of `unit`, which is at least 1.
    pub(super) fn free(self, unit: u64) -> u64 {
        if unit == 1 {
            return 0;
        }
        // Remainders are taken in 64 bits, for that is much faster.
        let (a, b) = (self.start % unit, self.size.get() % unit);
        // Their sum is less than twice the unit.
        let over = if a >= unit - b { a - (unit - b) } else { a + b };
        if over == 0 { 0 } else { unit - over }
    }

    /// Its bytes with those up to the next multiple of `unit`.
    pub(super) fn bytes(self, unit: u64) -> u128 {
        u128::from(self.size.get()) + u128::from(self.free(unit))
    }

    /// Its end with the bytes up to the next multiple of `unit`.
    pub(super) fn rounded_end(self, unit: u64) -> u128 {
        self.end() + u128::from(self.free(unit))
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
