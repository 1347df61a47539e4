//! What the exact search tries next.
//!
//! It takes a section and asks which item lies at the section's floor: one of those whose lowest offset
//! is the floor, or none, in which case all of these move up to the next offset at which anything could
//! carry them. That a plan exists which has every item carried by something is why other offsets need
//! not be tried. An item may only be placed for good if nothing can be fitted in below it later, so a
//! section qualifies if that holds for all its candidates; the section with the lowest floor always
//! does.

use std::cmp::Reverse;

use super::state::{PLACED, State};
use crate::random::Random;

/// Which of the sections is decided first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pick {
    /// With the fewest candidates, then the least space to spare.
    FewestTightest,
    /// With the fewest candidates, then the lowest floor.
    FewestLowest,
    /// With the lowest floor, then the fewest candidates.
    Lowest,
    /// With the least space to spare, then the fewest candidates.
    Tightest,
}

/// Which of the candidates is tried first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Prefer {
    /// Size times number of sections.
    Area,
    /// Number of sections, then size.
    Longest,
    /// Size.
    Largest,
    /// Most waiting bytes in any of its sections, then number of sections.
    Fullest,
}

/// A way to search. Hard problems mostly give in to some way soon or never: it pays to try several.
#[derive(Debug, Clone, Copy)]
pub(super) struct Way {
    pub(super) pick: Pick,
    pub(super) prefer: Prefer,
    /// Percentage by which preferences vary at random.
    pub(super) noise: usize,
}

/// The ways in the order in which they are tried.
pub(super) const WAYS: [(Pick, Prefer); 12] = [
    (Pick::FewestTightest, Prefer::Largest),
    (Pick::FewestLowest, Prefer::Area),
    (Pick::FewestTightest, Prefer::Longest),
    (Pick::FewestLowest, Prefer::Longest),
    (Pick::Lowest, Prefer::Longest),
    (Pick::FewestTightest, Prefer::Fullest),
    (Pick::Lowest, Prefer::Fullest),
    (Pick::Tightest, Prefer::Longest),
    (Pick::FewestLowest, Prefer::Fullest),
    (Pick::Lowest, Prefer::Largest),
    (Pick::Tightest, Prefer::Area),
    (Pick::FewestTightest, Prefer::Area),
];

/// What is to be tried at a section.
#[derive(Debug)]
pub(super) struct Choice {
    /// Items for the floor, the preferred one first.
    pub(super) candidates: Vec<usize>,
    /// Whether the floor may also stay empty.
    pub(super) empty: bool,
}

/// Chooses among the sections `from..to` of a state from which all conclusions are drawn, some of which
/// have items waiting.
pub(super) fn choose(state: &State<'_>, from: usize, to: usize, way: Way, random: &mut Random) -> Choice {
    let mut best: Option<((u64, u64), usize, bool)> = None;
    for s in from..to {
        if state.rest[s] == 0 {
            continue;
        }
        let floor = state.summary[s].floor;
        let spare = (state.capacity - state.rest[s]).saturating_sub(floor);
        let bar = best.map_or((u64::MAX, u64::MAX), |b| b.0);
        // No need to look closer where the first part of the score alone is worse.
        if (way.pick == Pick::Lowest && floor > bar.0) || (way.pick == Pick::Tightest && spare > bar.0) {
            continue;
        }
        let Some((count, empty)) = count(state, s, floor, floor + spare) else { continue };
        let branches = count * 2 + u64::from(empty);
        let score = match way.pick {
            Pick::FewestTightest => (branches, spare),
            Pick::FewestLowest => (branches, floor),
            Pick::Lowest => (floor, branches),
            Pick::Tightest => (spare, branches),
        };
        if score < bar {
            best = Some((score, s, empty));
        }
    }
    let Some((_, s, empty)) = best else { return Choice { candidates: Vec::new(), empty: false } };
    let floor = state.summary[s].floor;
    let here = state.model.sections[s].iter().map(|&x| x as usize);
    let mut candidates: Vec<usize> = here.filter(|&x| state.low[x] == floor).collect();
    candidates.sort_by_cached_key(|&x| {
        let share = 100 + if way.noise > 0 { random.below(way.noise) as u128 } else { 0 };
        Reverse(value(state, x, way.prefer) * share)
    });
    Choice { candidates, empty }
}

/// How many candidates the section has, and whether its floor may stay empty; `None` if something may yet
/// come to lie below a candidate. `limit` is the highest offset of the section's lowest item.
fn count(state: &State<'_>, s: usize, floor: u64, limit: u64) -> Option<(u64, bool)> {
    let mut count = 0;
    // The least offset the section's lowest item may have if no candidate is at the floor.
    let mut next = PLACED;
    for x in state.model.sections[s].iter().map(|&x| x as usize) {
        if state.low[x] != floor {
            next = next.min(state.low[x]);
            continue;
        }
        count += 1;
        let item = &state.model.items[x];
        let tops = state.summary[item.from..item.to].iter().map(|summary| summary.top);
        let least = tops.min().unwrap_or(PLACED);
        if least <= floor {
            return None;
        }
        next = next.min(least);
    }
    Some((count, next <= limit))
}

fn value(state: &State<'_>, x: usize, prefer: Prefer) -> u128 {
    let item = &state.model.items[x];
    let (length, size) = ((item.to - item.from) as u128, u128::from(item.size));
    match prefer {
        Prefer::Area => size * length,
        // Sizes are below 2^62 by the problem's bound, lengths below 2^32: with the share of the noise, at
        // most a percentage of some hundred, all fits into 128 bits.
        Prefer::Longest => (length << 62) + size,
        Prefer::Largest => size,
        Prefer::Fullest => {
            let fullest = state.rest[item.from..item.to].iter().max().copied().unwrap_or(0);
            (u128::from(fullest) << 32) + length
        }
    }
}

/// Lowest offset of waiting item `x` if it is not at its present lowest one: something that waits carries
/// it. `None` if nothing could.
pub(super) fn above(state: &State<'_>, x: usize) -> Option<u64> {
    let item = &state.model.items[x];
    let met = state.model.sections[item.from..item.to].iter().flatten().map(|&y| y as usize);
    let ends = met.filter(|&y| y != x && state.low[y] != PLACED);
    // One that can already end lower may end anywhere above that.
    let ends = ends.map(|y| (state.low[y] + state.model.items[y].size).max(state.low[x] + 1));
    ends.min()
}
