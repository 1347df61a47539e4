//! A part of a memory: some of its segments, some of its ticks.
//!
//! Whoever shows a part shows what is in use then, so that lives are cut to its ticks: [`Part::shown`]. Whoever writes one
//! keeps the blocks that live then as they are, with the spaces that they lie in: [`Part::kept`]. Both say where blocks
//! stand in the whole, since that is where a user looks for them.

use std::collections::HashSet;
use std::ops::Range;

use crate::form::{Memory, Segment, Space};

/// What of a memory is asked for. All of it by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Part {
    /// Only what is alive at one of these ticks. A range that ends at 2^64 - 1 has no end.
    pub ticks: Option<Range<u64>>,
    /// Only the segments of these names; all if there are none.
    pub segments: Vec<String>,
}

/// Where what is left of a segment stands in the whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Positions {
    /// Position of the segment.
    pub segment: usize,
    /// Positions of its blocks.
    pub blocks: Vec<usize>,
    /// Positions of its spaces.
    pub spaces: Vec<usize>,
}

impl Part {
    /// Whether all is asked for.
    pub fn is_whole(&self) -> bool {
        self.ticks.is_none() && self.segments.is_empty()
    }

    /// Whether a segment is asked for.
    pub fn has(&self, segment: &Segment) -> bool {
        self.segments.is_empty() || self.segments.contains(&segment.name)
    }

    /// Whether something that is alive from a tick until before another is asked for. What has no lifetime is seen at the
    /// tick at which it begins.
    pub fn meets(&self, from: u64, till: u64) -> bool {
        self.ticks.as_ref().is_none_or(|ticks| {
            let open = ticks.end == u64::MAX;
            (from < ticks.end || open) && (till.max(from.saturating_add(1)) > ticks.start)
        })
    }

    /// A lifetime as far as it is asked for; one that is not becomes empty.
    pub(crate) fn cut(&self, (from, till): (u64, u64)) -> (u64, u64) {
        match &self.ticks {
            Some(ticks) => (from.max(ticks.start), till.min(ticks.end)),
            None => (from, till),
        }
    }

    /// The first segment asked for whose name is none of these.
    pub fn missing<'a>(&self, names: impl Iterator<Item = &'a str>) -> Option<&str> {
        let known: HashSet<&str> = names.collect();
        self.segments.iter().map(String::as_str).find(|name| !known.contains(name))
    }

    /// What of a segment is in use at the ticks asked for: blocks and spaces that are alive then, their lives cut to these.
    pub fn within(&self, at: usize, segment: &Segment) -> (Segment, Positions) {
        let (mut left, mut positions) = self.blocks(at, segment);
        for block in &mut left.blocks {
            // What has no lifetime has none of the ticks either, and stays as it is.
            if block.alive_from < block.alive_till {
                (block.alive_from, block.alive_till) = self.cut((block.alive_from, block.alive_till));
            }
        }
        for (position, space) in segment.spaces.iter().enumerate() {
            if !self.meets(space.alive_from, space.alive_till) {
                continue;
            }
            let (mut alive_from, mut alive_till) = (space.alive_from, space.alive_till);
            if alive_from < alive_till {
                (alive_from, alive_till) = self.cut((alive_from, alive_till));
            }
            left.spaces.push(Space { alive_from, alive_till, ..space.clone() });
            positions.spaces.push(position);
        }
        (left, positions)
    }

    /// What of the memory is in use in this part. Lives are cut to its ticks, so that figures are those of the part.
    pub fn shown(&self, memory: &Memory) -> Memory {
        let segments = memory.segments.iter().enumerate().filter(|(_, segment)| self.has(segment));
        Memory {
            segments: segments.map(|(at, segment)| self.within(at, segment).0).collect(),
            ..head(memory)
        }
    }

    /// The blocks of this part as they are, with their whole lives; spaces and origins go with the last of their blocks.
    pub fn kept(&self, memory: &Memory) -> (Memory, Vec<Positions>) {
        let mut kept = head(memory);
        let mut positions = Vec::new();
        for (at, segment) in memory.segments.iter().enumerate().filter(|(_, segment)| self.has(segment)) {
            let (mut left, mut places) = self.blocks(at, segment);
            let filled = |blocks: &[crate::form::Block]| -> HashSet<u32> {
                blocks.iter().filter_map(|block| block.space).collect()
            };
            let (before, after) = (filled(&segment.blocks), filled(&left.blocks));
            for (position, space) in segment.spaces.iter().enumerate() {
                // One that never had a block is there for another reason, and goes by its own ticks.
                let stays = after.contains(&space.id)
                    || !before.contains(&space.id) && self.meets(space.alive_from, space.alive_till);
                if stays {
                    left.spaces.push(space.clone());
                    places.spaces.push(position);
                }
            }
            kept.segments.push(left);
            positions.push(places);
        }
        let named = |memory: &Memory| -> HashSet<u32> {
            let blocks = memory.segments.iter().flat_map(|segment| &segment.blocks);
            blocks.flat_map(|block| block.origins.iter().copied()).collect()
        };
        let (before, after) = (named(memory), named(&kept));
        kept.origins.retain(|origin| after.contains(&origin.id) || !before.contains(&origin.id));
        (kept, positions)
    }

    /// A segment with the blocks asked for, and no space yet.
    fn blocks(&self, at: usize, segment: &Segment) -> (Segment, Positions) {
        let mut left = Segment {
            name: segment.name.clone(),
            size: segment.size,
            alignment: segment.alignment,
            tick: segment.tick.clone(),
            // Among others whether offsets have been planned.
            extra: segment.extra.clone(),
            ..Segment::default()
        };
        let mut positions = Positions { segment: at, ..Positions::default() };
        for (position, block) in segment.blocks.iter().enumerate() {
            if self.meets(block.alive_from, block.alive_till) {
                left.blocks.push(block.clone());
                positions.blocks.push(position);
            }
        }
        (left, positions)
    }
}

/// A memory without its segments.
fn head(memory: &Memory) -> Memory {
    Memory {
        format: memory.format.clone(),
        schema_version: memory.schema_version,
        producer: memory.producer.clone(),
        model: memory.model.clone(),
        tick: memory.tick.clone(),
        files: memory.files.clone(),
        origins: memory.origins.clone(),
        segments: Vec::new(),
        extra: memory.extra.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::{Block, Origin};

    fn block(from: u64, till: u64, space: Option<u32>, origin: u32) -> Block {
        Block {
            size: 8,
            alive_from: from,
            alive_till: till,
            space,
            origins: vec![origin],
            ..Block::default()
        }
    }

    fn space(id: u32, from: u64, till: u64, open: bool) -> Space {
        Space { id, size: 8, alive_from: from, alive_till: till, open, ..Space::default() }
    }

    fn memory() -> Memory {
        let origin = |id| Origin { id, name: format!("layer {id}"), ..Origin::default() };
        let sram = Segment {
            name: "SRAM".into(),
            spaces: vec![
                space(7, 0, 9, false),
                space(8, 0, 9, true),
                space(9, 4, 9, false),
                space(4, 0, 2, false),
            ],
            blocks: vec![
                block(0, 3, Some(7), 0),
                block(2, 8, Some(9), 1),
                block(5, 5, None, 2),
                block(0, 4, Some(8), 0),
                block(9, 12, None, 3),
            ],
            ..Segment::default()
        };
        let dram = Segment { name: "DRAM".into(), blocks: vec![block(0, 12, None, 3)], ..Segment::default() };
        Memory { origins: (0..5).map(origin).collect(), segments: vec![sram, dram], ..Memory::default() }
    }

    #[test]
    fn shown_is_what_is_in_use_then() {
        let part = Part { ticks: Some(4..7), segments: vec!["SRAM".into()] };
        let (left, positions) = part.within(0, &memory().segments[0]);
        assert_eq!((positions.blocks, positions.spaces), (vec![1, 2], vec![0, 1, 2]));
        let lives: Vec<_> = left.blocks.iter().map(|b| (b.alive_from, b.alive_till)).collect();
        assert_eq!(lives, [(4, 7), (5, 5)], "a block without lifetime is seen where it begins");
        assert!(left.spaces.iter().all(|space| (space.alive_from, space.alive_till) == (4, 7)));
        let shown = part.shown(&memory());
        assert_eq!((shown.segments.len(), &shown.segments[0]), (1, &left));
    }

    #[test]
    fn kept_are_whole_blocks_with_their_spaces_and_origins() {
        let part = Part { ticks: Some(4..7), segments: vec!["SRAM".into()] };
        let (kept, positions) = part.kept(&memory());
        let [sram] = kept.segments.as_slice() else { panic!("{} segments", kept.segments.len()) };
        assert_eq!(positions, [Positions { segment: 0, blocks: vec![1, 2], spaces: vec![2] }]);
        assert_eq!((sram.blocks[0].alive_from, sram.blocks[0].alive_till), (2, 8));
        assert_eq!(sram.spaces, [space(9, 4, 9, false)]);
        // The fifth has no block anywhere.
        assert_eq!(kept.origins.iter().map(|origin| origin.id).collect::<Vec<_>>(), [1, 2, 4]);
        let (all, _) = Part::default().kept(&memory());
        assert_eq!(all, memory());
    }

    #[test]
    fn a_range_without_an_end_has_the_last_tick() {
        let open = Part { ticks: Some(3..u64::MAX), ..Part::default() };
        assert!(open.meets(u64::MAX, u64::MAX) && open.meets(0, 4) && !open.meets(0, 3));
        assert_eq!(open.missing(["SRAM"].into_iter()), None);
        let named = Part { segments: vec!["DRAM".into(), "flash".into()], ..Part::default() };
        assert_eq!(named.missing(["SRAM", "DRAM"].into_iter()), Some("flash"));
    }
}
