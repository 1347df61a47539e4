//! Memory that two blocks claim at one tick.

use std::collections::HashSet;

use super::Overlaps;
use super::collect::Collector;
use super::fields::common;
use super::overlap::{Found, Item, Total, find, total};
use crate::finding::{Code, Severity};
use crate::form::{Block, Memory, Piece, Segment, Space};
use crate::is_unplanned;
use crate::part::Part;
use crate::place::Place;

/// Finds blocks that overlap and share no space, and what lies in the reserve of a space and is none of it.
pub(super) fn check(index: usize, segment: &Segment, found: &mut Collector<'_>) -> Overlaps {
    if is_unplanned(segment) {
        return Overlaps::default();
    }
    let part = found.part;
    let blocks = segment.blocks.iter().enumerate();
    let items: Vec<Item> = blocks.map(|(at, block)| of_block(at, block, part)).collect();
    let Found { pairs, more } = find(&items);
    for &(one, other) in &pairs {
        let (Some(a), Some(b)) = (segment.blocks.get(one), segment.blocks.get(other)) else { continue };
        let text = |memory: &Memory| {
            let mut place = Place::block(memory, index, one);
            place.segment = None;
            format!("{} with {place}", meeting((a.pieces(), ticks(a)), (b.pieces(), ticks(b))))
        };
        found.block(Severity::Error, Code::Overlap, (index, other), "offset", Some(one), text);
    }
    let listed = pairs.len() as u64;
    let (mut count, mut at_least) = (listed, false);
    if more {
        let all = total(&items, &pairs);
        (count, at_least) = (all.count.max(listed), all.at_least);
        found.further(Severity::Error, Code::Overlap, index, (count - listed, at_least), all.items);
    }
    reserved(index, segment, &pairs, found);
    Overlaps { pairs, count, at_least }
}

/// Blocks of one space may overlap, and have one colour for that.
fn of_block(at: usize, block: &Block, part: &Part) -> Item {
    const ALONE: u64 = 1 << 32;
    let colour = block.space.map_or(ALONE + at as u64, u64::from);
    Item::new(colour, part.cut(ticks(block)), block.pieces())
}

fn ticks(block: &Block) -> (u64, u64) {
    (block.alive_from, block.alive_till)
}

/// What two things have in common, the first address and tick of it at least.
fn meeting(
    (one, (from, till)): (impl Iterator<Item = Piece>, (u64, u64)),
    (other, (other_from, other_till)): (impl Iterator<Item = Piece>, (u64, u64)),
) -> String {
    let other: Vec<Piece> = other.collect();
    let shared = one.flat_map(|a| other.iter().filter_map(move |b| common(a, *b))).next();
    let (start, end) = shared.unwrap_or_default();
    let (from, till) = (from.max(other_from), till.min(other_till));
    format!("shares addresses {start}..{end} at ticks {from}..{till}")
}

/// Spaces against one another, and against blocks that are in none.
/// Where a block of a space has been told to be in the way, the space itself is not told once more.
fn reserved(index: usize, segment: &Segment, told: &[(usize, usize)], found: &mut Collector<'_>) {
    if segment.spaces.is_empty() {
        return;
    }
    let part = found.part;
    let mut blocks_told: HashSet<(u32, usize)> = HashSet::new();
    let mut spaces_told: HashSet<(u32, u32)> = HashSet::new();
    for &(one, other) in told {
        let space = |at: usize| segment.blocks.get(at).and_then(|block| block.space);
        match (space(one), space(other)) {
            (Some(id), None) => _ = blocks_told.insert((id, other)),
            (None, Some(id)) => _ = blocks_told.insert((id, one)),
            (Some(a), Some(b)) => _ = spaces_told.insert((a.min(b), a.max(b))),
            (None, None) => {}
        }
    }
    let piece = |space: &Space| Piece { offset: space.offset, size: space.size };
    let mut items: Vec<Item> = Vec::with_capacity(segment.spaces.len() + segment.blocks.len());
    for (at, space) in segment.spaces.iter().enumerate() {
        // Whatever meets the blocks of an open one was found above; it reserves nothing else.
        let ticks = if space.open { (0, 0) } else { (space.alive_from, space.alive_till) };
        items.push(Item::new(1 + at as u64, part.cut(ticks), std::iter::once(piece(space))));
    }
    let free = segment.blocks.iter().enumerate().filter(|(_, block)| block.space.is_none());
    let free: Vec<(usize, &Block)> = free.collect();
    items.extend(free.iter().map(|(_, block)| Item::new(0, part.cut(ticks(block)), block.pieces())));
    let Found { pairs, more } = find(&items);
    let mut passed = 0;
    for &(one, other) in &pairs {
        // The first of a pair is always a space: blocks stand behind them, and have one colour.
        let Some(space) = segment.spaces.get(one) else { continue };
        let lives = (std::iter::once(piece(space)), (space.alive_from, space.alive_till));
        match (segment.spaces.get(other), free.get(other.wrapping_sub(segment.spaces.len()))) {
            (Some(second), _)
                if spaces_told.contains(&(space.id.min(second.id), space.id.max(second.id))) =>
            {
                passed += 1
            }
            (None, Some((at, _))) if blocks_told.contains(&(space.id, *at)) => passed += 1,
            (Some(second), _) => {
                let other_lives = (std::iter::once(piece(second)), (second.alive_from, second.alive_till));
                let text = format!("{} with space {}", meeting(other_lives, lives), space.id);
                found.segment(Severity::Error, Code::Reserved, index, &format!("spaces {other}"), text);
            }
            (None, Some((at, block))) => {
                let text = |_: &_| {
                    format!(
                        "{} with space {}, of which it is none",
                        meeting((block.pieces(), ticks(block)), lives),
                        space.id
                    )
                };
                found.block(Severity::Error, Code::Reserved, (index, *at), "offset", None, text);
            }
            (None, None) => {}
        }
    }
    if more {
        let Total { count, at_least, items } = total(&items, &pairs);
        // Those of the others that have been told otherwise are not told once more, and of these only the most is known.
        let told = (blocks_told.len() + spaces_told.len()).saturating_sub(passed) as u64;
        let left = count.saturating_sub(pairs.len() as u64).saturating_sub(told);
        let blocks = items.iter().filter_map(|item| free.get(item.checked_sub(segment.spaces.len())?));
        let blocks: Vec<usize> = blocks.map(|(at, _)| *at).collect();
        if left > 0 {
            let more = (left, at_least || told > 0);
            found.further(Severity::Error, Code::Reserved, index, more, blocks);
        }
    }
}
