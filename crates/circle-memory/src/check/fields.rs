//! Numbers of each block, for themselves and against its segment and its space.

use std::collections::BTreeMap;

use super::MOST;
use super::collect::Collector;
use crate::finding::{Code, Severity};
use crate::form::{Block, Piece, Segment, Space};
use crate::is_unplanned;

/// Checks a segment's own numbers and those of its blocks. `spaces` are its spaces by identity.
pub(super) fn check(
    index: usize,
    segment: &Segment,
    spaces: &BTreeMap<u32, &Space>,
    found: &mut Collector<'_>,
) {
    let unplanned = is_unplanned(segment);
    if unplanned {
        let text = "no block has an offset, they have not been planned".to_owned();
        found.segment(Severity::Note, Code::Unplanned, index, "blocks", text);
    }
    if let Some(size) = segment.size.filter(|size| *size > MOST) {
        found.segment(Severity::Error, Code::TooLarge, index, "size", too_large(size));
    }
    if segment.alignment == Some(0) {
        let text = "an alignment of 0 bytes, 1 is the least".to_owned();
        found.segment(Severity::Error, Code::Alignment, index, "alignment", text);
    }
    for (at, block) in segment.blocks.iter().enumerate() {
        let place = (index, at);
        numbers(block, place, found);
        if unplanned && block.offset != 0 {
            let text = |_: &_| format!("{}, but the segment says that none is planned", block.offset);
            found.block(Severity::Error, Code::Contradiction, (index, at), "offset", None, text);
        }
        if !unplanned {
            addresses(block, place, segment, found);
            wrapped(block, place, found);
            if let Some(space) = block.space.and_then(|id| spaces.get(&id)) {
                in_space(block, place, space, found);
            }
        }
    }
}

fn too_large(value: u64) -> String {
    format!("{value} is beyond {MOST}")
}

/// The fields of a block or a space whose numbers the form does not have, and what is said of them.
pub(super) fn numbers_too_large(
    offset: u64,
    size: u64,
    alive_from: u64,
    alive_till: u64,
) -> impl Iterator<Item = (&'static str, String)> {
    let fields = [("offset", offset), ("size", size), ("alive_from", alive_from), ("alive_till", alive_till)];
    let beyond = fields.into_iter().filter(|(_, value)| *value > MOST);
    beyond.map(|(field, value)| (field, too_large(value)))
}

fn numbers(block: &Block, place: (usize, usize), found: &mut Collector<'_>) {
    for (field, text) in numbers_too_large(block.offset, block.size, block.alive_from, block.alive_till) {
        found.block(Severity::Error, Code::TooLarge, place, field, None, |_| text);
    }
    if let Some(text) = lifetime(block.alive_from, block.alive_till) {
        found.block(Severity::Error, Code::Lifetime, place, "alive_till", None, |_| text);
    }
    let mut shape = block.tensor.iter().flat_map(|tensor| tensor.shape.iter().flatten());
    if let Some(dimension) = shape.find(|dimension| **dimension < -1) {
        let text = |_: &_| format!("dimension {dimension}, the least is -1, which is one that is not known");
        found.block(Severity::Error, Code::Dimension, place, "tensor", None, text);
    }
    if block.size == 0 {
        found.block(Severity::Warning, Code::NoBytes, place, "size", None, |_| "no bytes".to_owned());
    }
}

/// What is wrong with a lifetime.
pub(super) fn lifetime(from: u64, till: u64) -> Option<String> {
    let what = if till == from { "empty" } else { "reversed" };
    (till <= from).then(|| format!("the lifetime {from}..{till} is {what}"))
}

fn addresses(block: &Block, place: (usize, usize), segment: &Segment, found: &mut Collector<'_>) {
    for piece in block.pieces() {
        let end = u128::from(piece.offset) + u128::from(piece.size);
        if end > u128::from(MOST) {
            let text = |_: &_| format!("ends at {end}, beyond {MOST}");
            found.block(Severity::Error, Code::TooLarge, place, "size", None, text);
        } else if let Some(size) = segment.size.filter(|size| end > u128::from(*size)) {
            let text = |_: &_| format!("ends at {end}, the segment at {size}");
            found.block(Severity::Error, Code::OutsideSegment, place, "size", None, text);
        }
    }
    if let Some(alignment) = segment.alignment.filter(|a| *a > 0 && !block.offset.is_multiple_of(*a)) {
        let text = |_: &_| format!("{} is no multiple of {alignment}", block.offset);
        found.block(Severity::Error, Code::Alignment, place, "offset", None, text);
    }
    let second = block.wrap.map_or(0, |piece| piece.offset);
    if let Some(alignment) = segment.alignment.filter(|a| *a > 0 && !second.is_multiple_of(*a)) {
        let text = |_: &_| format!("{second} is no multiple of {alignment}");
        found.block(Severity::Error, Code::Alignment, place, "wrap", None, text);
    }
}

fn wrapped(block: &Block, place: (usize, usize), found: &mut Collector<'_>) {
    let Some(second) = block.wrap else { return };
    let mut fault = |severity, text: String| found.block(severity, Code::Wrap, place, "wrap", None, |_| text);
    if second.size > block.size {
        fault(
            Severity::Error,
            format!("the second piece has {} bytes, the block {}", second.size, block.size),
        );
    } else if second.size == 0 || second.size == block.size {
        fault(Severity::Warning, "one of the two pieces has no bytes".to_owned());
    } else if common(block.first(), second).is_some() {
        fault(Severity::Error, "the two pieces overlap".to_owned());
    }
    if block.space.is_none() {
        fault(Severity::Warning, "in two pieces, but in no space to run around".to_owned());
    }
}

/// The addresses that two pieces have in common, first and end.
pub(super) fn common(one: Piece, other: Piece) -> Option<(u64, u128)> {
    let start = one.offset.max(other.offset);
    let ends = |piece: Piece| u128::from(piece.offset) + u128::from(piece.size);
    let end = ends(one).min(ends(other));
    (u128::from(start) < end).then_some((start, end))
}

fn in_space(block: &Block, place: (usize, usize), space: &Space, found: &mut Collector<'_>) {
    let (id, offset) = (space.id, space.offset);
    let end = u128::from(offset) + u128::from(space.size);
    for piece in block.pieces().filter(|piece| piece.size > 0) {
        let last = u128::from(piece.offset) + u128::from(piece.size);
        if piece.offset < offset || last > end {
            let text = |_: &_| format!("lies at {}..{last}, its space {id} at {offset}..{end}", piece.offset);
            found.block(Severity::Error, Code::OutsideSpace, place, "offset", None, text);
        }
    }
    around(block, place, space, found);
    let (from, till) = (space.alive_from, space.alive_till);
    if block.alive_from < from || block.alive_till > till {
        let field = if block.alive_from < from { "alive_from" } else { "alive_till" };
        let text = |_: &_| {
            format!("alive at {}..{}, its space {id} at {from}..{till}", block.alive_from, block.alive_till)
        };
        found.block(Severity::Error, Code::OutsideSpace, place, field, None, text);
    }
}

/// Of a block in two pieces the first ends where its space does, and the second begins where that begins.
fn around(block: &Block, place: (usize, usize), space: &Space, found: &mut Collector<'_>) {
    let (first, Some(second)) = (block.first(), block.wrap) else { return };
    // Pieces that are at fault for themselves have been told.
    if first.size == 0 || second.size == 0 || common(first, second).is_some() {
        return;
    }
    let ends = |piece: Piece| u128::from(piece.offset) + u128::from(piece.size);
    let end = u128::from(space.offset) + u128::from(space.size);
    let id = space.id;
    if ends(first) < end {
        let text = |_: &_| format!("the first piece ends at {}, its space {id} at {end}", ends(first));
        found.block(Severity::Error, Code::Wrap, place, "wrap", None, text);
    }
    if second.offset > space.offset {
        let text = |_: &_| {
            format!("the second piece begins at {}, its space {id} at {}", second.offset, space.offset)
        };
        found.block(Severity::Error, Code::Wrap, place, "wrap", None, text);
    }
}
