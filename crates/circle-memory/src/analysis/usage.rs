//! How memory in use changes over time.

use super::cover::Cover;
use super::number::{Number, are_narrow};
use super::reserved::{Claim, claims};
use crate::form::Segment;
use std::collections::{BTreeMap, BinaryHeap};

/// What is in use from a tick on, until the next step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// First tick.
    pub tick: u64,
    /// Bytes that the blocks alive and closed spaces need; what blocks of one space share counts once, and a closed space as
    /// a whole.
    pub live: u128,
    /// End of the highest byte in use, 0 if there is none.
    pub top: u128,
}

/// The steps of a segment, by tick; the last one has nothing in use. Takes O(n log n) for n blocks.
pub fn usage(segment: &Segment) -> Vec<Step> {
    steps(&claims(segment))
}

/// The steps of what is claimed.
pub(super) fn steps(claims: &[Claim]) -> Vec<Step> {
    if are_narrow(claims, 1) { steps_in::<i64>(claims) } else { steps_in::<i128>(claims) }
}

fn steps_in<N: Number>(claims: &[Claim]) -> Vec<Step> {
    let mut changes = live_changes::<N>(claims, 1);
    changes.sort_unstable_by_key(|(tick, _)| *tick);

    // Ends in use, the highest first; one that is over is taken off when it comes to the front.
    let mut begin: Vec<&Claim> = claims.iter().collect();
    begin.sort_unstable_by_key(|claim| claim.from);
    let mut begin = begin.into_iter().peekable();
    let mut ends: BinaryHeap<(N, u64)> = BinaryHeap::new();

    let mut steps: Vec<Step> = Vec::new();
    let mut live = N::default();
    let mut changes = changes.into_iter().peekable();
    while let Some((tick, change)) = changes.next() {
        live += change;
        while let Some((_, more)) = changes.next_if(|next| next.0 == tick) {
            live += more;
        }
        while let Some(claim) = begin.next_if(|claim| claim.from <= tick) {
            ends.extend(claim.extents().map(|extent| (N::of(extent.end()), claim.till)));
        }
        while ends.peek().is_some_and(|(_, till)| *till <= tick) {
            ends.pop();
        }
        let top = ends.peek().map_or(0, |(end, _)| end.bytes());
        steps.push(Step { tick, live: live.bytes(), top });
    }
    steps
}

/// Ticks at which live bytes change and by how much, in no order, the end of each piece rounded up to a multiple of
/// `unit`. Every tick at which a claim begins or ends is there.
pub(super) fn live_changes<N: Number>(claims: &[Claim], unit: u64) -> Vec<(u64, N)> {
    let mut changes = Vec::with_capacity(2 * claims.len());
    let mut spaces: BTreeMap<u32, Vec<&Claim>> = BTreeMap::new();
    for claim in claims {
        match claim.space {
            Some(space) => spaces.entry(space).or_default().push(claim),
            None => {
                let bytes = N::of(claim.extents().map(|extent| extent.bytes(unit)).sum());
                changes.push((claim.from, bytes));
                changes.push((claim.till, -bytes));
            }
        }
    }
    for claims in spaces.values() {
        shared_changes(claims, unit, &mut changes);
    }
    changes
}

/// The same for the claims of one space.
fn shared_changes<N: Number>(claims: &[&Claim], unit: u64, changes: &mut Vec<(u64, N)>) {
    let rounded = |claim: &Claim| {
        claim.extents().map(move |extent| N::of(extent.start.into())..N::of(extent.rounded_end(unit)))
    };
    let bounds = claims.iter().flat_map(|claim| rounded(claim)).flat_map(|extent| [extent.start, extent.end]);
    let mut cover = Cover::new(bounds.collect());
    let mut events: Vec<(u64, bool, &Claim)> = Vec::with_capacity(2 * claims.len());
    for claim in claims {
        events.push((claim.from, true, claim));
        events.push((claim.till, false, claim));
    }
    events.sort_by_key(|(tick, begins, _)| (*tick, *begins));
    for (tick, begins, claim) in events {
        let before = cover.bytes();
        for extent in rounded(claim) {
            cover.change(extent, begins);
        }
        changes.push((tick, cover.bytes() - before));
    }
}
