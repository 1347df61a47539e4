//! Bytes by original layer.

use super::alive::Alive;
use crate::form::Segment;
use std::collections::BTreeMap;

/// Bytes of one original layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// [`Origin::id`](crate::Origin::id), `None` for the blocks that have none.
    pub origin: Option<u32>,
    /// Bytes.
    pub bytes: u128,
}

/// What the bytes up to the top of a tick are for; all together they are exactly [`top`](OriginSums::top).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OriginSums {
    /// The layers that have a block alive, most bytes first, of equals the smaller id first; blocks without origin come
    /// last.
    pub shares: Vec<Share>,
    /// Bytes that closed spaces have reserved and no block takes: they are no layer's.
    pub reserved: u128,
    /// Bytes not in use.
    pub gaps: u128,
    /// End of the highest byte in use.
    pub top: u128,
}

/// Bytes by layer of the blocks alive at a tick. The bytes of a block with several origins are [`split`] among them.
pub fn origin_sums(segment: &Segment, alive: &Alive) -> OriginSums {
    let mut sums: BTreeMap<u32, u128> = BTreeMap::new();
    let mut unknown: Option<u128> = None;
    for held in &alive.blocks {
        let Some(block) = segment.blocks.get(held.block) else { continue };
        if block.origins.is_empty() {
            *unknown.get_or_insert(0) += u128::from(held.bytes);
        }
        for (origin, bytes) in split(held.bytes, &block.origins) {
            *sums.entry(origin).or_default() += u128::from(bytes);
        }
    }
    let mut shares: Vec<Share> =
        sums.into_iter().map(|(origin, bytes)| Share { origin: Some(origin), bytes }).collect();
    shares.sort_by_key(|share| std::cmp::Reverse(share.bytes));
    shares.extend(unknown.map(|bytes| Share { origin: None, bytes }));
    OriginSums { shares, reserved: alive.reserved_bytes(), gaps: alive.gap_bytes(), top: alive.top }
}

/// Splits bytes evenly in integers, exactly: what is left over goes to the first origins, one byte each (the method of
/// the largest remainder, where all remainders are equal). An origin that is named twice counts once.
pub fn split(bytes: u64, origins: &[u32]) -> Vec<(u32, u64)> {
    let mut seen = std::collections::BTreeSet::new();
    let distinct: Vec<u32> = origins.iter().copied().filter(|origin| seen.insert(*origin)).collect();
    let count = distinct.len() as u64;
    if count == 0 {
        return Vec::new();
    }
    let (each, left) = (bytes / count, bytes % count);
    distinct.into_iter().zip(0..).map(|(origin, k)| (origin, each + u64::from(k < left))).collect()
}
