//! The figures of a segment.

use super::alive::alive_at;
use super::bound::aligned_bound;
use super::extent::lives;
use super::reserved::claims;
use super::usage::steps;
use crate::form::Segment;

/// How much memory a segment needs, and how much it had to need.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Figures {
    /// End of the highest byte that is ever in use: the bytes that the memory has to have.
    pub peak: u128,
    /// Of the ticks at which that byte is in use the first one with most live bytes; `None` if no byte is ever in use.
    pub peak_tick: Option<u64>,
    /// Bytes in use at the peak tick, each once, those included that closed spaces have reserved.
    pub used_at_peak: u128,
    /// Those of them that closed spaces have reserved and no block takes.
    pub reserved_at_peak: u128,
    /// Most bytes live at one tick, with what the alignment of the segment leaves free between them if all blocks keep it:
    /// no plan of these blocks and spaces has a lower peak. More than the peak only where blocks overlap that do not share a space.
    pub lower_bound: u128,
    /// The first tick at which so many are needed.
    pub lower_bound_tick: Option<u64>,
    /// First tick at which a block is alive or a closed space reserved.
    pub first_tick: Option<u64>,
    /// First tick from which on none is.
    pub end_tick: Option<u64>,
    /// Blocks.
    pub blocks: usize,
    /// Those of them that are never alive, since their lifetimes are empty or reversed: they need nothing.
    pub without_lifetime: usize,
}

impl Figures {
    /// Bytes below the peak that are not in use at the peak tick.
    pub fn gaps_at_peak(&self) -> u128 {
        self.peak.saturating_sub(self.used_at_peak)
    }

    /// Bytes by which the peak is above the lower bound; 0 where faulty blocks make the bound the higher one.
    pub fn above_bound(&self) -> u128 {
        self.peak.saturating_sub(self.lower_bound)
    }
}

/// The figures of a segment. Takes O(n log n) for n blocks.
pub fn figures(segment: &Segment) -> Figures {
    let claims = claims(segment);
    let steps = steps(&claims);
    let peak = steps.iter().map(|step| step.top).max().unwrap_or(0);
    let most_live = steps.iter().map(|step| step.live).max().unwrap_or(0);
    let at_top = steps.iter().filter(|step| peak > 0 && step.top == peak);
    // The first of equals: a later one has to have more.
    let peak_tick = at_top.reduce(|best, step| if step.live > best.live { step } else { best });
    let live_tick = steps.iter().find(|step| most_live > 0 && step.live == most_live).map(|step| step.tick);
    let (lower_bound, lower_bound_tick) = match aligned_bound(&claims, segment.alignment) {
        Some((bound, tick)) if bound > most_live => (bound, Some(tick)),
        _ => (most_live, live_tick),
    };
    let at_peak = peak_tick.map(|step| alive_at(segment, step.tick)).unwrap_or_default();
    Figures {
        peak,
        peak_tick: peak_tick.map(|step| step.tick),
        used_at_peak: at_peak.used(),
        reserved_at_peak: at_peak.reserved_bytes(),
        lower_bound,
        lower_bound_tick,
        first_tick: claims.iter().map(|claim| claim.from).min(),
        end_tick: claims.iter().map(|claim| claim.till).max(),
        blocks: segment.blocks.len(),
        without_lifetime: segment.blocks.iter().filter(|block| !lives(block)).count(),
    }
}
