//! Which addresses are taken during which sections.
//!
//! The sections are cut into buckets of equal width, about as many as the root of their number. Sets of
//! address spans, touching ones joined, are kept
//! - for each node of a binary tree over the buckets: of all blocks that live at any time in its range;
//! - for each bucket: of the blocks that live through all of it.
//!
//! The other blocks of a bucket, those that begin or end in it, are kept as they are. The blocks met by
//! a lifetime are then those of few nodes, and of the first and the last bucket where the lifetime
//! holds only a part of them. Good plans leave few holes between blocks that live at nearly the same
//! time, so the spans to be read are few, whatever the number of blocks. Entering a block takes as many
//! steps as it touches buckets: n blocks are placed in n√n steps at worst, and most lives are short.

use crate::problem::align_up;

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

type Spans = Vec<(u64, u64)>;

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
    sections: usize,
    /// Sections of a bucket.
    width: usize,
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
    /// Nothing taken in `sections` sections.
    pub(crate) fn new(sections: usize) -> Self {
        // Two thirds of the root: measured. More of them cost more to enter long lives, fewer to read.
        let wanted = (sections.isqrt() * 2 / 3).max(1);
        let width = sections.div_ceil(wanted).max(1);
        let buckets = sections.div_ceil(width).max(1);
        let leaves = buckets.next_power_of_two();
        Self {
            sections,
            width,
            leaves,
            meeting: vec![Spans::new(); leaves * 2],
            whole: vec![Spans::new(); buckets],
            parts: vec![Vec::new(); buckets],
            near: [Spans::new(), Spans::new()],
        }
    }

    /// Takes nothing any more.
    pub(crate) fn clear(&mut self) {
        self.meeting.iter_mut().chain(&mut self.whole).for_each(Vec::clear);
        self.parts.iter_mut().for_each(Vec::clear);
    }

    /// Whether `from..to` holds all sections of a bucket.
    fn holds(&self, from: usize, to: usize, bucket: usize) -> bool {
        let begin = bucket * self.width;
        from <= begin && (begin + self.width).min(self.sections) <= to
    }

    /// Takes the addresses `offset..end` during the sections `from..to`.
    pub(crate) fn insert(&mut self, from: usize, to: usize, offset: u64, end: u64) {
        let to = to.min(self.sections);
        if offset >= end || from >= to {
            return;
        }
        let (first, last) = (from / self.width, (to - 1) / self.width);
        for bucket in first..=last {
            if self.holds(from, to, bucket) {
                if let Some(spans) = self.whole.get_mut(bucket) {
                    join(spans, offset, end);
                }
            } else if let Some(parts) = self.parts.get_mut(bucket) {
                let place = parts.partition_point(|part| part.offset < offset);
                parts.insert(place, Part { from, to, offset, end });
            }
        }
        let (mut left, mut right) = (first + self.leaves, last + self.leaves);
        while left > 0 {
            for spans in self.meeting.get_mut(left..=right).unwrap_or_default() {
                join(spans, offset, end);
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
        self.query(from, to, |readers| match fit {
            Fit::First => first(readers, 0, size, alignment),
            Fit::Best => best(readers, size, alignment),
            Fit::Above => {
                let ends = readers.iter().filter_map(|r| Some(r.spans.last()?.1));
                align_up(ends.max().unwrap_or(0), alignment)
            }
        })
    }

    /// The lowest offset, not below `at`, where `size` bytes are free during the sections `from..to`.
    pub(crate) fn free_from(&mut self, from: usize, to: usize, size: u64, at: u64) -> u64 {
        self.query(from, to, |readers| first(readers, at, size, 1))
    }

    /// Calls with what has been taken at any time in `from..to`.
    fn query(&mut self, from: usize, to: usize, call: impl FnOnce(&mut [Reader<'_>]) -> u64) -> u64 {
        let to = to.min(self.sections);
        if from >= to {
            return call(&mut []);
        }
        let mut near = std::mem::take(&mut self.near);
        let mut readers = Vec::with_capacity(32);
        // Buckets held as a whole are read at the nodes that make them up, the other ones by their parts.
        let (mut left, mut right) = (from / self.width, (to - 1) / self.width + 1);
        let ends = [left, right - 1];
        for (number, (&bucket, near)) in ends.iter().zip(&mut near).enumerate() {
            near.clear();
            if self.holds(from, to, bucket) || (number == 1 && bucket == ends[0]) {
                continue;
            }
            for part in self.parts.get(bucket).map_or(&[][..], Vec::as_slice) {
                if part.from < to && from < part.to {
                    append(near, part.offset, part.end);
                }
            }
            readers.extend(Reader::of(self.whole.get(bucket)));
            if bucket == left { left += 1 } else { right -= 1 }
        }
        (left, right) = (left + self.leaves, right + self.leaves);
        while left < right {
            if left & 1 == 1 {
                readers.extend(Reader::of(self.meeting.get(left)));
                left += 1;
            }
            if right & 1 == 1 {
                right -= 1;
                readers.extend(Reader::of(self.meeting.get(right)));
            }
            left >>= 1;
            right >>= 1;
        }
        readers.extend(near.iter().filter_map(|near| Reader::of(Some(near))));
        let found = call(&mut readers);
        self.near = near;
        found
    }
}

/// A set of spans, and how far it has been read.
#[derive(Debug)]
struct Reader<'a> {
    spans: &'a [(u64, u64)],
    at: usize,
}

impl<'a> Reader<'a> {
    /// At the begin of a set; `None` if there is nothing in it.
    fn of(spans: Option<&'a Spans>) -> Option<Self> {
        spans.filter(|s| !s.is_empty()).map(|spans| Reader { spans, at: 0 })
    }

    /// Moves on to the first span that ends beyond `at`, and gives that span.
    fn next(&mut self, at: u64) -> Option<(u64, u64)> {
        // Mostly the position is right or off by one; only after some steps is a search worth its while.
        for _ in 0..4 {
            match self.spans.get(self.at) {
                Some(span) if span.1 <= at => self.at += 1,
                span => return span.copied(),
            }
        }
        self.at += self.spans.get(self.at..).map_or(0, |rest| rest.partition_point(|s| s.1 <= at));
        self.spans.get(self.at).copied()
    }
}

/// The lowest offset, not below `from`, that is free for `size` bytes.
fn first(readers: &mut [Reader<'_>], from: u64, size: u64, alignment: u64) -> u64 {
    let (mut at, sets) = (align_up(from, alignment), readers.len());
    // Ends when all sets in a row had nothing against `at`.
    let mut quiet = 0;
    while quiet < sets {
        for reader in readers.iter_mut() {
            match reader.next(at) {
                Some((start, end)) if start < at.saturating_add(size) => {
                    at = align_up(end, alignment);
                    quiet = 1;
                    // The set itself may have another span close above.
                    if reader.next(at).is_some_and(|s| s.0 < at.saturating_add(size)) {
                        quiet = 0;
                    }
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
            if let Some(below) = reader.at.checked_sub(1).and_then(|p| reader.spans.get(p)) {
                begin = begin.max(below.1);
            }
            if let Some(above) = reader.spans.get(reader.at) {
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

/// Adds `start..end` to sorted spans none of which begins later.
fn append(spans: &mut Spans, start: u64, end: u64) {
    match spans.last_mut() {
        Some(last) if start <= last.1 => last.1 = last.1.max(end),
        _ => spans.push((start, end)),
    }
}

/// Adds `start..end` to sorted spans that do not touch each other.
fn join(spans: &mut Spans, start: u64, end: u64) {
    let from = spans.partition_point(|s| s.1 < start);
    match spans.get_mut(from) {
        // Most joins only lengthen one span.
        Some(span) if span.0 <= end => {
            *span = (span.0.min(start), span.1.max(end));
            let reach = span.1;
            let more = spans.get(from + 1..).map_or(0, |rest| rest.partition_point(|s| s.0 <= reach));
            if more > 0 {
                let last = spans.get(from + more).map_or(reach, |s| s.1);
                if let Some(span) = spans.get_mut(from) {
                    span.1 = reach.max(last);
                }
                spans.drain(from + 1..=from + more);
            }
        }
        _ => spans.insert(from, (start, end)),
    }
}

#[cfg(test)]
mod tests;
