//! How memory in use changes over time.

use super::cover::Cover;
use super::extent::{extents, lives, rounded};
use crate::form::{Block, Segment};
use std::collections::{BTreeMap, BinaryHeap};

/// What is in use from a tick on, until the next step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// First tick.
    pub tick: u64,
    /// Bytes that the blocks alive need; what blocks of one space share counts once.
    pub live: u128,
    /// End of the highest byte in use, 0 if there is none.
    pub top: u64,
}

/// The steps of a segment, by tick; the last one has nothing in use. Takes O(n log n) for n blocks.
pub fn usage(segment: &Segment) -> Vec<Step> {
    let mut changes = live_changes(segment, 1);
    changes.sort_unstable_by_key(|(tick, _)| *tick);

    // Ends in use, the highest first; one that is over is taken off when it comes to the front.
    let mut begin: Vec<&Block> = segment.blocks.iter().filter(|block| lives(block)).collect();
    begin.sort_unstable_by_key(|block| block.alive_from);
    let mut begin = begin.into_iter().peekable();
    let mut ends: BinaryHeap<(u64, u64)> = BinaryHeap::new();

    let mut steps: Vec<Step> = Vec::new();
    let mut live: i128 = 0;
    let mut changes = changes.into_iter().peekable();
    while let Some((tick, change)) = changes.next() {
        // Sums of all sizes stay within 128 bits: a size has 64, and there are fewer than 2^63 blocks.
        live += change;
        while let Some((_, more)) = changes.next_if(|next| next.0 == tick) {
            live += more;
        }
        while let Some(block) = begin.next_if(|block| block.alive_from <= tick) {
            ends.extend(extents(block).map(|extent| (extent.end, block.alive_till)));
        }
        while ends.peek().is_some_and(|(_, till)| *till <= tick) {
            ends.pop();
        }
        let top = ends.peek().map_or(0, |(end, _)| *end);
        let live = u128::try_from(live).unwrap_or(0);
        steps.push(Step { tick, live, top });
    }
    steps
}

/// Ticks at which live bytes change and by how much, in no order, the end of each piece rounded up to a multiple of
/// `unit`. Every tick at which a block begins or ends is there.
pub(super) fn live_changes(segment: &Segment, unit: u64) -> Vec<(u64, i128)> {
    let mut changes = Vec::with_capacity(2 * segment.blocks.len());
    let mut spaces: BTreeMap<u32, Vec<&Block>> = BTreeMap::new();
    for block in segment.blocks.iter().filter(|block| lives(block)) {
        match block.space {
            Some(space) => spaces.entry(space).or_default().push(block),
            None => {
                let bytes: i128 =
                    rounded(block, unit).map(|extent| i128::from(extent.end - extent.start)).sum();
                changes.push((block.alive_from, bytes));
                changes.push((block.alive_till, -bytes));
            }
        }
    }
    for blocks in spaces.values() {
        shared_changes(blocks, unit, &mut changes);
    }
    changes
}

/// The same for the blocks of one space.
fn shared_changes(blocks: &[&Block], unit: u64, changes: &mut Vec<(u64, i128)>) {
    let bounds =
        blocks.iter().flat_map(|block| rounded(block, unit)).flat_map(|extent| [extent.start, extent.end]);
    let mut cover = Cover::new(bounds.collect());
    let mut events: Vec<(u64, bool, &Block)> = Vec::with_capacity(2 * blocks.len());
    for block in blocks {
        events.push((block.alive_from, true, block));
        events.push((block.alive_till, false, block));
    }
    events.sort_by_key(|(tick, begins, _)| (*tick, *begins));
    for (tick, begins, block) in events {
        let before = cover.bytes();
        for extent in rounded(block, unit) {
            cover.change(extent, begins);
        }
        changes.push((tick, i128::from(cover.bytes()) - i128::from(before)));
    }
}
