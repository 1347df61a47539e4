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
//! steps as it touches buckets: n blocks are entered in n√n steps at worst, and most lives are short.
//! Blocks are entered only once there is something to be searched for: [`Tops`] tells where there can be no hole.

mod reader;
mod spans;
mod tops;

use std::cmp::Reverse;

use crate::problem::align_up;
use reader::{Narrowest, Reader, Wanted};
use spans::{Span, Spans};

pub(crate) use tops::Tops;

/// The addresses `offset..end` during the sections `from..to`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Taken {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) offset: u64,
    pub(crate) end: u64,
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
    parts: Vec<Vec<Taken>>,
    /// Blocks met by the present query in its first and its last bucket, and holes. Kept to be used again.
    room: Room,
}

#[derive(Debug, Default)]
struct Room {
    near: [Spans; 2],
    holes: Holes,
}

/// Holes found so far, and room for those found next.
#[derive(Debug, Default)]
struct Holes {
    found: Vec<Span>,
    next: Vec<Span>,
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
            room: Room::default(),
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

    /// Takes addresses.
    pub(crate) fn insert(&mut self, Taken { from, to, offset, end }: Taken) {
        let to = to.min(self.sections());
        if offset >= end || from >= to {
            return;
        }
        let (first, last) = (self.bucket(from), self.bucket(to - 1));
        for bucket in first..=last {
            if self.holds(from, to, bucket) {
                if let Some(spans) = self.whole.get_mut(bucket) {
                    spans.add(offset, end);
                }
            } else if let Some(parts) = self.parts.get_mut(bucket) {
                let place = parts.partition_point(|part| part.offset < offset);
                parts.insert(place, Taken { from, to, offset, end });
            }
        }
        let (mut left, mut right) = (first + self.leaves, last + self.leaves);
        while left > 0 {
            for spans in self.meeting.get_mut(left..=right).unwrap_or_default() {
                spans.add(offset, end);
            }
            left >>= 1;
            right >>= 1;
        }
    }

    /// The lowest offset, not below `at`, where `size` bytes are free during the sections `from..to`.
    pub(crate) fn lowest(&mut self, from: usize, to: usize, size: u64, alignment: u64, at: u64) -> u64 {
        let wanted = self.wanted(size, alignment);
        self.query(from, to, |readers, holes| first(readers, holes, at, &wanted))
    }

    /// The offset in the smallest hole that is large enough, the lowest among equals, or beyond all that is taken if
    /// there is none.
    pub(crate) fn smallest(&mut self, from: usize, to: usize, size: u64, alignment: u64) -> u64 {
        let wanted = self.wanted(size, alignment);
        self.query(from, to, |readers, holes| best(readers, holes, &wanted))
    }

    fn wanted(&self, size: u64, alignment: u64) -> Wanted {
        // What spans know of their holes is true of multiples of the unit.
        let unit = Some(self.unit).filter(|unit| alignment.is_multiple_of(*unit));
        Wanted { size, alignment, unit }
    }

    /// Calls with what has been taken at any time in `from..to`.
    fn query(
        &mut self,
        from: usize,
        to: usize,
        call: impl FnOnce(&mut [Reader<'_>], &mut Holes) -> u64,
    ) -> u64 {
        let to = to.min(self.sections());
        let mut room = std::mem::take(&mut self.room);
        let Room { near, holes } = &mut room;
        let mut readers = Vec::with_capacity(32);
        if from < to {
            // Buckets held as a whole are read at the nodes that make them up, the other ones by their parts.
            let (mut left, mut right) = (self.bucket(from), self.bucket(to - 1) + 1);
            let ends = [left, right - 1];
            let mut cut = [None, None];
            for (number, (&bucket, near)) in ends.iter().zip(near.iter_mut()).enumerate() {
                near.clear();
                if self.holds(from, to, bucket) || (number == 1 && bucket == ends[0]) {
                    continue;
                }
                let parts = self.parts.get(bucket).map_or(&[][..], Vec::as_slice);
                near.fill(parts.iter().filter(|p| p.from < to && from < p.to).map(|p| (p.offset, p.end)));
                if let Some(spans) = self.whole.get_mut(bucket) {
                    spans.settle();
                    cut[number] = Some(bucket);
                }
                if bucket == left { left += 1 } else { right -= 1 }
            }
            let nodes = tops::parts(left + self.leaves, right + self.leaves);
            for node in nodes.clone() {
                if let Some(spans) = self.meeting.get_mut(node) {
                    spans.settle();
                }
            }
            readers.extend(cut.into_iter().flatten().filter_map(|bucket| Reader::of(self.whole.get(bucket))));
            readers.extend(nodes.filter_map(|node| Reader::of(self.meeting.get(node))));
            readers.extend(near.iter().filter_map(|near| Reader::of(Some(near))));
        }
        let found = call(&mut readers, holes);
        drop(readers);
        self.room = room;
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

/// The lowest offset, not below `low`, in a hole that is large enough.
///
/// The holes of the fullest set that are large enough are taken a few at a time, and what the other sets leave of
/// them is found set by set.
fn first(readers: &mut [Reader<'_>], holes: &mut Holes, mut low: u64, wanted: &Wanted) -> u64 {
    readers.sort_unstable_by_key(|reader| Reverse(reader.covered));
    let mut most = 4;
    loop {
        let more = holes.left(readers, low, wanted, most);
        match (holes.found.first(), more) {
            (Some(&(start, _)), _) => return align_up(start, wanted.alignment),
            (None, Some(next)) => low = next,
            // The last hole has no end.
            (None, None) => return align_up(low, wanted.alignment),
        }
        most = (most * 2).min(256);
    }
}

/// The offset in the smallest hole that is large enough, the lowest among equals.
///
/// Of the set with most spans no list of holes is made: what the others leave is looked for in it last.
fn best(readers: &mut [Reader<'_>], holes: &mut Holes, wanted: &Wanted) -> u64 {
    readers.sort_unstable_by_key(|reader| Reverse(reader.covered));
    let most = (0..readers.len()).max_by_key(|&number| readers.get(number).map(Reader::count));
    if let Some(most) = most {
        readers.get_mut(most..).unwrap_or_default().rotate_left(1);
    }
    let Some((last, others)) = readers.split_last_mut() else { return 0 };
    let (mut low, mut best) = (Some(0), Narrowest::NONE);
    while let Some(from) = low {
        low = holes.left(others, from, wanted, 256);
        for &hole in &holes.found {
            last.narrowest(hole, wanted, &mut best);
            if best.rest == 0 {
                low = None;
                break;
            }
        }
    }
    align_up(best.start, wanted.alignment)
}

impl Holes {
    /// Finds some of the holes above `low` that are large enough, by `most` holes of the first set, and tells from
    /// where to go on.
    fn left(&mut self, readers: &mut [Reader<'_>], low: u64, wanted: &Wanted, most: usize) -> Option<u64> {
        self.found.clear();
        let Some((first, others)) = readers.split_first_mut() else {
            self.found.push((low, u64::MAX));
            return None;
        };
        let more = first.holes((low, u64::MAX), wanted, &mut self.found, most);
        for reader in others.iter_mut() {
            self.next.clear();
            for &hole in &self.found {
                reader.holes(hole, wanted, &mut self.next, usize::MAX);
            }
            std::mem::swap(&mut self.found, &mut self.next);
        }
        more
    }
}

#[cfg(test)]
mod tests;
