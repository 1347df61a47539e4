//! Positions of the exact search that are known to have no solution.
//!
//! A position is what waits for its place and how low each of it may begin, so different orders of
//! placing the same items lead to the same position. Positions are known by 128 bits of hash, which
//! also take in the capacity: one table serves all questions about a problem. Of two positions with the
//! same slot the later one stays.

use crate::random::mix;

/// The hash of a position; never that of an empty slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Key(u64, u64);

impl Key {
    /// Of a position with nothing in it, in this capacity.
    pub(super) fn new(capacity: u64) -> Self {
        Self(mix(capacity ^ 0x5bd1_e995), mix(capacity.wrapping_add(1)))
    }

    /// Takes in that item `index` begins at `low` at least. The order does not matter.
    pub(super) fn add(&mut self, index: usize, low: u64) {
        let one = mix(mix(index as u64 ^ 0x6a09_e667_f3bc_c908) ^ low);
        self.0 ^= one;
        self.1 = self.1.wrapping_add(mix(one.rotate_left(23) ^ 0xbb67_ae85_84ca_a73b));
    }
}

/// The table.
#[derive(Debug)]
pub(super) struct Table {
    slots: Vec<Option<Key>>,
    mask: usize,
}

impl Table {
    /// With two to the power of `bits` slots.
    pub(super) fn new(bits: u32) -> Self {
        let count = 1usize << bits.min(24);
        Self { slots: vec![None; count], mask: count - 1 }
    }

    pub(super) fn has(&self, key: Key) -> bool {
        self.slots.get(key.0 as usize & self.mask).is_some_and(|slot| *slot == Some(key))
    }

    pub(super) fn put(&mut self, key: Key) {
        if let Some(slot) = self.slots.get_mut(key.0 as usize & self.mask) {
            *slot = Some(key);
        }
    }
}
