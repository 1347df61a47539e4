//! What needs memory of its own: blocks, and spaces that are reserved as a whole.
//!
//! A space that is not open is *closed*: all of it is reserved from its first tick to its last, and what lies in it, in
//! address and in time, needs nothing besides. Bytes of it that no block takes at a tick are its *rest*: they are in use,
//! but nobody's. Blocks of open spaces, of spaces that are not described, and those that reach out of their own (a fault)
//! need what they take; blocks of one space, and the space itself, may lie on one another.

use super::extent::{Extent, extents, lives};
use crate::form::{Block, Segment, Space};
use std::collections::BTreeMap;

/// Memory that is needed for some ticks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Claim {
    first: Option<Extent>,
    second: Option<Extent>,
    pub(super) from: u64,
    pub(super) till: u64,
    /// Claims of one space may share bytes.
    pub(super) space: Option<u32>,
    /// Whether another plan may divide it elsewhere.
    pub(super) wrapped: bool,
}

impl Claim {
    /// The runs of bytes, none empty.
    pub(super) fn extents(&self) -> impl Iterator<Item = Extent> + use<> {
        self.first.into_iter().chain(self.second)
    }

    fn of_block(block: &Block) -> Claim {
        let mut pieces = extents(block);
        Claim {
            first: pieces.next(),
            second: pieces.next(),
            from: block.alive_from,
            till: block.alive_till,
            space: block.space,
            wrapped: block.wrap.is_some_and(|piece| piece.size > 0),
        }
    }

    fn of_space(space: &Space) -> Claim {
        Claim {
            first: extent(space),
            second: None,
            from: space.alive_from,
            till: space.alive_till,
            space: Some(space.id),
            wrapped: false,
        }
    }
}

/// The bytes of a space, if it has any.
fn extent(space: &Space) -> Option<Extent> {
    Extent::new(space.offset, space.size)
}

/// The spaces that are reserved as a whole at some tick, with their positions in [`Segment::spaces`].
fn closed(segment: &Segment) -> impl Iterator<Item = (usize, &Space, Extent)> {
    let spaces = segment.spaces.iter().enumerate();
    let spaces = spaces.filter(|(_, space)| !space.open && space.alive_from < space.alive_till);
    spaces.filter_map(|(position, space)| Some((position, space, extent(space)?)))
}

/// The closed spaces that are reserved at a tick: positions in [`Segment::spaces`] and bytes.
pub(super) fn reserved_at(segment: &Segment, tick: u64) -> impl Iterator<Item = (usize, Extent)> {
    let at = move |space: &Space| space.alive_from <= tick && tick < space.alive_till;
    closed(segment).filter(move |(_, space, _)| at(space)).map(|(position, _, extent)| (position, extent))
}

/// All that a segment needs. What is never alive needs nothing.
pub(super) fn claims(segment: &Segment) -> Vec<Claim> {
    let mut spaces: BTreeMap<u32, &Space> = BTreeMap::new();
    for space in segment.spaces.iter().filter(|space| space.alive_from < space.alive_till) {
        spaces.entry(space.id).or_insert(space);
    }
    let inside = |block: &Block| {
        let space = block.space.and_then(|id| spaces.get(&id)).filter(|space| !space.open);
        space.is_some_and(|space| lies_in(block, space))
    };
    let mut claims: Vec<Claim> = closed(segment).map(|(_, space, _)| Claim::of_space(space)).collect();
    let blocks = segment.blocks.iter().filter(|block| lives(block) && !inside(block));
    claims.extend(blocks.map(Claim::of_block));
    claims
}

/// Whether a block lies in a space, in address and in time.
fn lies_in(block: &Block, space: &Space) -> bool {
    let Some(whole) = extent(space) else { return false };
    space.alive_from <= block.alive_from
        && block.alive_till <= space.alive_till
        && extents(block).all(|extent| whole.start <= extent.start && extent.end() <= whole.end())
}
