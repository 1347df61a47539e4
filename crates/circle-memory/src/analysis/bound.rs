//! What alignment adds to the lower bound.
//!
//! Where every block begins at a multiple of `a`, no two blocks touch the same `a` bytes between two multiples, unless
//! they share a space: the one that reaches there from below would lie on the first of them, where the other one begins.
//! So what is alive together takes whole multiples of `a`, all but the highest piece, which may end early. Which one that
//! is depends on the plan; the most that any piece then alive leaves free is taken off.

use super::number::{Number, are_narrow};
use super::reserved::Claim;
use super::usage::live_changes;
use std::collections::BinaryHeap;

/// Bytes that any plan that keeps an alignment needs for what is claimed, and the first tick that shows it; `None` where
/// alignment must not be counted: there is none, a block or a closed space does not keep it, or one lies in two pieces and
/// in no closed space, so that another plan may divide it elsewhere or not at all.
pub(super) fn aligned_bound(claims: &[Claim], alignment: Option<u64>) -> Option<(u128, u64)> {
    let unit = alignment.filter(|unit| *unit > 1)?;
    if are_narrow(claims, unit) { bound_in::<i64>(claims, unit) } else { bound_in::<i128>(claims, unit) }
}

/// The same for an alignment of at least 2.
fn bound_in<N: Number>(claims: &[Claim], unit: u64) -> Option<(u128, u64)> {
    // When pieces begin, what they leave free, when they end.
    let mut pieces: Vec<(u64, u64, u64)> = Vec::with_capacity(claims.len());
    for claim in claims {
        if claim.wrapped {
            return None;
        }
        for extent in claim.extents() {
            if !extent.start.is_multiple_of(unit) {
                return None;
            }
            pieces.push((claim.from, extent.free(unit), claim.till));
        }
    }
    pieces.sort_unstable();
    let mut pieces = pieces.into_iter().peekable();
    // Those that leave most in front; one that is over is taken off when it comes there.
    let mut free: BinaryHeap<(u64, u64)> = BinaryHeap::new();

    let mut changes = live_changes::<N>(claims, unit);
    changes.sort_unstable_by_key(|(tick, _)| *tick);
    let mut changes = changes.into_iter().peekable();
    let (mut held, mut found) = (N::default(), None);
    while let Some((tick, change)) = changes.next() {
        held += change;
        while let Some((_, more)) = changes.next_if(|next| next.0 == tick) {
            held += more;
        }
        while let Some((_, bytes, till)) = pieces.next_if(|piece| piece.0 <= tick) {
            free.push((bytes, till));
        }
        while free.peek().is_some_and(|(_, till)| *till <= tick) {
            free.pop();
        }
        let most_free = free.peek().map_or(0, |(bytes, _)| *bytes);
        let needed = (held - N::of(most_free.into())).bytes();
        if found.is_none_or(|(most, _)| needed > most) {
            found = Some((needed, tick));
        }
    }
    found
}
