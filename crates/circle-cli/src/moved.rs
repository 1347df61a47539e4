//! Blocks of a memory plan that get new offsets.

use std::collections::HashMap;

use circle_memory::Segment;
use circle_plan::spaces::Plane;

/// What is moved as a whole: a block, or a space with all that lies in it.
#[derive(Default)]
pub(crate) struct Unit {
    /// Of the space, or position of the block.
    pub(crate) name: String,
    pub(crate) offset: u64,
    pub(crate) size: u64,
    pub(crate) from: u64,
    pub(crate) till: u64,
    pub(crate) space: Option<usize>,
    /// Positions of blocks.
    pub(crate) blocks: Vec<usize>,
    /// Of a space that is open to others, what its blocks take.
    pub(crate) planes: Vec<Plane>,
}

impl Unit {
    /// Moves all of it, which lies in the segment, to another offset.
    pub(crate) fn move_to(&self, offset: u64, segment: &mut Segment) {
        // All lies within the unit.
        let moved = |old: u64| offset.saturating_add(old.saturating_sub(self.offset));
        for &position in &self.blocks {
            let Some(block) = segment.blocks.get_mut(position) else { continue };
            block.offset = moved(block.offset);
            if let Some(piece) = &mut block.wrap {
                piece.offset = moved(piece.offset);
            }
        }
        if let Some(space) = self.space.and_then(|space| segment.spaces.get_mut(space)) {
            (space.offset, space.size) = (offset, self.size);
        }
    }

    /// Leaves out what lies below and above all blocks of an open space: it is free for others, and nobody needs it. What
    /// is left begins at the same multiple of `alignment`.
    fn trim(&mut self, segment: &Segment, alignment: u64) {
        let blocks = self.blocks.iter().filter_map(|&position| segment.blocks.get(position));
        let pieces = blocks.flat_map(|block| block.pieces());
        let within = pieces.map(|piece| {
            let start = piece.offset.saturating_sub(self.offset);
            (start, start.saturating_add(piece.size))
        });
        let Some((start, end)) = within.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))) else { return };
        let cut = start - start % alignment.max(1);
        self.offset = self.offset.saturating_add(cut);
        self.size = end.min(self.size).saturating_sub(cut);
        for plane in &mut self.planes {
            plane.start = plane.start.saturating_sub(cut);
        }
    }
}

/// The units of a segment: its spaces, then its blocks that are in none.
///
/// # Errors
/// When a space is there twice or not at all, a block does not lie in its own, or nothing in an open one is ever alive.
pub(crate) fn units(segment: &Segment) -> Result<Vec<Unit>, String> {
    let mut units = Vec::new();
    let mut of_space = HashMap::new();
    for (index, space) in segment.spaces.iter().enumerate() {
        if of_space.insert(space.id, index).is_some() {
            return Err(format!("two spaces have the id {}", space.id));
        }
        units.push(Unit {
            name: format!("space {}", space.id),
            offset: space.offset,
            size: space.size,
            from: space.alive_from,
            till: space.alive_till,
            space: Some(index),
            ..Unit::default()
        });
    }
    for (position, block) in segment.blocks.iter().enumerate() {
        let second = block.wrap.as_ref().map_or(0, |piece| piece.size);
        let Some(id) = block.space else {
            if block.wrap.is_some() {
                return Err(format!("block {position} is in two pieces, and in no space"));
            }
            units.push(Unit {
                name: format!("block {position}"),
                offset: block.offset,
                size: block.size,
                from: block.alive_from,
                till: block.alive_till,
                blocks: vec![position],
                ..Unit::default()
            });
            continue;
        };
        let unit = of_space.get(&id).and_then(|&index| units.get_mut(index));
        let Some(unit) = unit else { return Err(format!("block {position}: space {id} does not exist")) };
        let within = |offset: u64, size: u64| {
            let start = offset.checked_sub(unit.offset);
            start.and_then(|start| start.checked_add(size)).is_some_and(|end| end <= unit.size)
        };
        let first = block.size.checked_sub(second);
        let inside = first.is_some_and(|first| within(block.offset, first))
            && block.wrap.as_ref().is_none_or(|piece| within(piece.offset, piece.size))
            && (unit.from..=unit.till).contains(&block.alive_from)
            && (unit.from..=unit.till).contains(&block.alive_till);
        if !inside {
            return Err(format!("block {position} lies outside of its space {id}"));
        }
        unit.blocks.push(position);
        if unit.space.and_then(|space| segment.spaces.get(space)).is_some_and(|space| space.open) {
            let (lower, upper) = (block.alive_from, block.alive_till);
            for (number, piece) in block.pieces().enumerate().filter(|(_, p)| p.size > 0 && lower < upper) {
                let start = piece.offset.saturating_sub(unit.offset);
                let id = format!("block {position}, piece {number}");
                unit.planes.push(Plane { id, lower, upper, size: piece.size, start });
            }
        }
    }
    let alignment = segment.alignment.unwrap_or(1);
    for unit in &mut units {
        let space = unit.space.and_then(|space| segment.spaces.get(space));
        let Some(space) = space.filter(|space| space.open) else { continue };
        if unit.planes.is_empty() {
            // As a block of its own that is never alive, which planners refuse, too.
            return Err(format!("space {} is open, and none of its blocks is ever alive", space.id));
        }
        unit.trim(segment, alignment);
    }
    Ok(units)
}
