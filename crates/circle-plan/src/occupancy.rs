//! Which addresses are taken during which sections.
//!
//! The sections are cut into buckets in which about as many lives begin and end, the root of the number of
//! blocks; a section where more of them do has a bucket of its own. Sets of
//! address spans, touching ones joined, are kept
//! - for each node of a binary tree over the buckets: of all blocks that live at any time in its range;
//! - for each bucket: of the blocks that live through all of it.
//!
//! The other blocks of a bucket, those that begin or end in it, are kept as they are. The blocks met by
//! a lifetime are then those of few nodes, and of the first and the last bucket where the lifetime
//! holds only a part of them. Good plans leave few holes between blocks that live at nearly the same
//! time, so the spans to be read are few, whatever the number of blocks. Entering a block takes as many
//! steps as it touches buckets: n blocks are placed in n√n steps at worst, and most lives are short.

mod spans;
mod tops;

use crate::problem::align_up;
use spans::{Reader, Spans};

pub(crate) use tops::Tops;

/// How a block chooses among the holes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fit {
    /// The lowest hole that is large enough.
    First,
    /// The smallest hole that is large enough, the lowest among equals; beyond all blocks if none is.
    Best,
    /// Beyond all blocks, holes or not.
    Above,
}

/// Addresses taken by a block that does not live through all of a bucket.
#[derive(Debug, Clone, Copy)]
struct Part {
    from: usize,
    to: usize,
    offset: u64,
    end: u64,
}

/// Taken addresses over time.
#[derive(Debug)]
pub(crate) struct Occupancy {
    /// The bucket of each section.
    bucket: Vec<usize>,
    /// Where each bucket begins, and behind the last one the number of sections.
    begins: Vec<usize>,
    /// Alignments are multiples of this mostly; where one is not, holes are read one by one.
    unit: u64,
    /// Places for buckets in the tree, a power of two.
    leaves: usize,
    /// Of each node, numbered as in a heap: 1 is the root, the buckets follow from `leaves`.
    meeting: Vec<Spans>,
    /// Of each bucket, the blocks that live through it.
    whole: Vec<Spans>,
    /// Of each bucket, the others, by offset.
    parts: Vec<Vec<Part>>,
    /// Spans of parts met by the present query in its first and its last bucket. Kept to be used again.
    near: [Spans; 2],
}

impl Occupancy {
    /// Nothing taken in `sections` sections. `lives` are the sections from and to of what will be taken, and alignments
    /// multiples of `unit`: neither need be so, but serves speed.
    pub(crate) fn new(sections: usize, lives: impl Iterator<Item = (usize, usize)>, unit: u64) -> Self {
        let begins = cut(sections, lives);
        let buckets = begins.len().saturating_sub(1).max(1);
        let mut bucket = Vec::with_capacity(sections);
        for (number, pair) in begins.windows(2).enumerate() {
            if let [_, till] = pair {
                bucket.resize(*till, number);
            }
        }
        let leaves = buckets.next_power_of_two();
        Self {
            bucket,
            begins,
            unit: unit.max(1),
            leaves,
            meeting: vec![Spans::default(); leaves * 2],
            whole: vec![Spans::default(); buckets],
            parts: vec![Vec::new(); buckets],
            near: Default::default(),
        }
    }

    fn sections(&self) -> usize {
        self.bucket.len()
    }

    /// The bucket of a section.
    fn bucket(&self, section: usize) -> usize {
        self.bucket.get(section).copied().unwrap_or(0)
    }

    /// Takes nothing any more.
    pub(crate) fn clear(&mut self) {
        self.meeting.iter_mut().chain(&mut self.whole).for_each(Spans::clear);
        self.parts.iter_mut().for_each(Vec::clear);
    }

    /// Whether `from..to` holds all sections of a bucket.
    fn holds(&self, from: usize, to: usize, bucket: usize) -> bool {
        match self.begins.get(bucket..) {
            Some([begin, end, ..]) => from <= *begin && *end <= to,
            _ => false,
        }
    }

    /// Takes the addresses `offset..end` during the sections `from..to`.
    pub(crate) fn insert(&mut self, from: usize, to: usize, offset: u64, end: u64) {
        let to = to.min(self.sections());
        if offset >= end || from >= to {
            return;
        }
        let (first, last) = (self.bucket(from), self.bucket(to - 1));
        for bucket in first..=last {
            if self.holds(from, to, bucket) {
                if let Some(spans) = self.whole.get_mut(bucket) {
                    spans.join(offset, end);
                }
            } else if let Some(parts) = self.parts.get_mut(bucket) {
                let place = parts.partition_point(|part| part.offset < offset);
                parts.insert(place, Part { from, to, offset, end });
            }
        }
        let (mut left, mut right) = (first + self.leaves, last + self.leaves);
        while left > 0 {
            for spans in self.meeting.get_mut(left..=right).unwrap_or_default() {
                spans.join(offset, end);
            }
            left >>= 1;
            right >>= 1;
        }
    }

    /// An offset for `size` bytes that is free during the sections `from..to`.
    pub(crate) fn find(&mut self, from: usize, to: usize, size: u64, alignment: u64, fit: Fit) -> u64 {
        if size == 0 {
            return 0;
        }
        self.query(from, to, alignment, |readers| match fit {
            Fit::First => first(readers, 0, size, alignment),
            Fit::Best => best(readers, size, alignment),
            Fit::Above => align_up(readers.iter().map(Reader::end).max().unwrap_or(0), alignment),
        })
    }

    /// The lowest offset, not below `at`, where `size` bytes are free during the sections `from..to`.
    pub(crate) fn free_from(&mut self, from: usize, to: usize, size: u64, at: u64) -> u64 {
        self.query(from, to, 1, |readers| first(readers, at, size, 1))
    }

    /// Calls with what has been taken at any time in `from..to`.
    fn query(
        &mut self,
        from: usize,
        to: usize,
        alignment: u64,
        call: impl FnOnce(&mut [Reader<'_>]) -> u64,
    ) -> u64 {
        let to = to.min(self.sections());
        if from >= to {
            return call(&mut []);
        }
        let mut near = std::mem::take(&mut self.near);
        // What spans know of their holes is true of multiples of the unit.
        let known = Some(self.unit).filter(|unit| alignment.is_multiple_of(*unit));
        let mut readers = Vec::with_capacity(32);
        // Buckets held as a whole are read at the nodes that make them up, the other ones by their parts.
        let (mut left, mut right) = (self.bucket(from), self.bucket(to - 1) + 1);
        let ends = [left, right - 1];
        for (number, (&bucket, near)) in ends.iter().zip(&mut near).enumerate() {
            near.clear();
            if self.holds(from, to, bucket) || (number == 1 && bucket == ends[0]) {
                continue;
            }
            for part in self.parts.get(bucket).map_or(&[][..], Vec::as_slice) {
                if part.from < to && from < part.to {
                    near.append(part.offset, part.end);
                }
            }
            readers.extend(Reader::of(self.whole.get(bucket), known));
            if bucket == left { left += 1 } else { right -= 1 }
        }
        (left, right) = (left + self.leaves, right + self.leaves);
        while left < right {
            if left & 1 == 1 {
                readers.extend(Reader::of(self.meeting.get(left), known));
                left += 1;
            }
            if right & 1 == 1 {
                right -= 1;
                readers.extend(Reader::of(self.meeting.get(right), known));
            }
            left >>= 1;
            right >>= 1;
        }
        readers.extend(near.iter().filter_map(|near| Reader::of(Some(near), known)));
        let found = call(&mut readers);
        self.near = near;
        found
    }
}

/// Where buckets begin, and the number of sections behind them: so that few blocks live in a part of a bucket only.
fn cut(sections: usize, lives: impl Iterator<Item = (usize, usize)>) -> Vec<usize> {
    // How many lives begin or end at the begin of each section, and of all.
    let (mut edges, mut all) = (vec![0usize; sections + 1], 0usize);
    for edge in lives.flat_map(|(from, to)| [from, to]).filter(|&edge| edge > 0 && edge < sections) {
        if let Some(count) = edges.get_mut(edge) {
            (*count, all) = (*count + 1, all + 1);
        }
    }
    // Two thirds of the root: measured. More of them cost more to enter long lives, fewer to read.
    let wanted = (sections.max(all / 2).isqrt() * 2 / 3).max(1);
    let (most, width) = (all / wanted, sections.div_ceil(wanted).max(1));
    let (mut begins, mut inside) = (vec![0], 0);
    for (section, count) in edges.iter().enumerate().take(sections).skip(1) {
        inside += count;
        if inside > most || section - begins.last().copied().unwrap_or(0) >= width {
            begins.push(section);
            inside = 0;
        }
    }
    begins.push(sections);
    begins
}

/// The lowest offset, not below `from`, that is free for `size` bytes.
fn first(readers: &mut [Reader<'_>], from: u64, size: u64, alignment: u64) -> u64 {
    let (mut at, sets) = (align_up(from, alignment), readers.len());
    // Ends when all sets in a row had nothing against `at`.
    let mut quiet = 0;
    while quiet < sets {
        for reader in readers.iter_mut() {
            match reader.next(at) {
                Some((start, _)) if start < at.saturating_add(size) => {
                    at = reader.skip(size, alignment);
                    quiet = 1;
                }
                _ => quiet += 1,
            }
            if quiet >= sets {
                break;
            }
        }
    }
    at
}

/// Goes from one hole that is large enough to the next, passing over all others.
fn best(readers: &mut [Reader<'_>], size: u64, alignment: u64) -> u64 {
    let (mut at, mut best) = (0u64, None);
    loop {
        let offset = first(readers, at, size, alignment);
        // All readers stand behind the hole now.
        let (mut begin, mut end) = (at, u64::MAX);
        for reader in readers.iter() {
            if let Some(below) = reader.below() {
                begin = begin.max(below.1);
            }
            if let Some(above) = reader.above() {
                end = end.min(above.0);
            }
        }
        if end == u64::MAX {
            return best.map_or(offset, |(_, offset)| offset);
        }
        let hole = end - begin;
        if hole == size {
            return offset;
        }
        if best.is_none_or(|(least, _)| hole < least) {
            best = Some((hole, offset));
        }
        at = end;
    }
}

#[cfg(test)]
mod tests;
