//! Which addresses are taken during which sections, as a tree over time.
//!
//! A binary tree over the sections. A block is entered at the few nodes whose ranges together are its
//! lifetime. Each node keeps two sets of address spans, touching ones joined: `cover`, of blocks that
//! live through its whole range, and `within`, of all blocks entered at it or below it. The blocks met
//! by a lifetime are then `within` at its own nodes and `cover` at the nodes above them. Good plans
//! leave few holes, so the joined spans are few, whatever the number of blocks: placing n blocks takes
//! about n log n steps.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use crate::problem::align_up;

/// How a block chooses among the holes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fit {
    /// The lowest hole that is large enough.
    First,
    /// The smallest hole that is large enough, the lowest among equals; beyond all blocks if none is.
    Best,
}

type Spans = Vec<(u64, u64)>;

/// The tree.
#[derive(Debug)]
pub(crate) struct Occupancy {
    leaves: usize,
    cover: Vec<Spans>,
    within: Vec<Spans>,
    /// Spans met by the present query, with how far each has been read. Kept to be used again.
    met: Vec<(bool, usize, usize)>,
}

impl Occupancy {
    /// Nothing taken in `sections` sections.
    pub(crate) fn new(sections: usize) -> Self {
        let leaves = sections.max(1).next_power_of_two();
        Self {
            leaves,
            cover: vec![Spans::new(); leaves * 2],
            within: vec![Spans::new(); leaves * 2],
            met: Vec::new(),
        }
    }

    /// Takes nothing any more.
    pub(crate) fn clear(&mut self) {
        self.cover.iter_mut().chain(&mut self.within).for_each(Vec::clear);
    }

    /// Takes the addresses `offset..end` during the sections `from..to`.
    pub(crate) fn insert(&mut self, from: usize, to: usize, offset: u64, end: u64) {
        if offset >= end {
            return;
        }
        let (cover, within) = (&mut self.cover, &mut self.within);
        visit(self.leaves, from, to, |own, node| {
            if own && let Some(spans) = cover.get_mut(node) {
                join(spans, offset, end);
            }
            if let Some(spans) = within.get_mut(node) {
                join(spans, offset, end);
            }
        });
    }

    /// An offset for `size` bytes that is free during the sections `from..to`.
    pub(crate) fn find(&mut self, from: usize, to: usize, size: u64, alignment: u64, fit: Fit) -> u64 {
        if size == 0 {
            return 0;
        }
        let mut met = std::mem::take(&mut self.met);
        met.clear();
        visit(self.leaves, from, to, |own, node| {
            let spans = if own { self.within.get(node) } else { self.cover.get(node) };
            if spans.is_some_and(|s| !s.is_empty()) {
                met.push((own, node, 0));
            }
        });
        let offset = match fit {
            Fit::First => self.first(&mut met, size, alignment),
            Fit::Best => self.best(&mut met, size, alignment),
        };
        self.met = met;
        offset
    }

    fn spans(&self, own: bool, node: usize) -> &[(u64, u64)] {
        let spans = if own { self.within.get(node) } else { self.cover.get(node) };
        spans.map_or(&[], Vec::as_slice)
    }

    /// Moves a reading position to the first span that ends beyond `at`, and gives that span.
    fn next(&self, met: &mut (bool, usize, usize), at: u64) -> Option<(u64, u64)> {
        let spans = self.spans(met.0, met.1);
        let rest = spans.get(met.2..).unwrap_or(&[]);
        // Mostly the position is right or off by one; only then is a search worth its while.
        met.2 += match rest.iter().take(4).position(|s| s.1 > at) {
            Some(step) => step,
            None => rest.partition_point(|s| s.1 <= at),
        };
        spans.get(met.2).copied()
    }

    fn first(&self, met: &mut [(bool, usize, usize)], size: u64, alignment: u64) -> u64 {
        let (mut at, sets) = (0u64, met.len());
        // Ends when all sets in a row had nothing against `at`.
        let mut quiet = 0;
        while quiet < sets {
            for one in met.iter_mut() {
                match self.next(one, at) {
                    Some((start, end)) if start < at.saturating_add(size) => {
                        at = align_up(end, alignment);
                        quiet = 1;
                        // The set itself may have another span close above.
                        if self.next(one, at).is_some_and(|s| s.0 < at.saturating_add(size)) {
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

    fn best(&self, met: &mut [(bool, usize, usize)], size: u64, alignment: u64) -> u64 {
        // The next span of each set, the one that begins lowest on top.
        let heads = met.iter().enumerate().filter_map(|(set, one)| {
            let &(start, end) = self.spans(one.0, one.1).first()?;
            Some(Reverse((start, end, set)))
        });
        let mut heads: BinaryHeap<Reverse<(u64, u64, usize)>> = heads.collect();
        // All below `at` has been looked at; `best` is the smallest hole so far.
        let (mut at, mut best) = (0u64, None);
        while let Some(mut top) = heads.peek_mut() {
            let Reverse((start, end, set)) = *top;
            let offset = align_up(at, alignment);
            if start > at && offset.saturating_add(size) <= start {
                let hole = start - at;
                if hole == size {
                    return offset;
                }
                if best.is_none_or(|(least, _)| hole < least) {
                    best = Some((hole, offset));
                }
            }
            at = at.max(end);
            match met.get_mut(set).and_then(|one| self.next(one, at)) {
                Some((start, end)) => *top = Reverse((start, end, set)),
                None => _ = PeekMut::pop(top),
            }
        }
        best.map_or_else(|| align_up(at, alignment), |(_, offset)| offset)
    }
}

/// Calls with `true` and each node whose ranges make up `from..to`, and with `false` and each node
/// above these. Nodes are numbered as in a heap: 1 is the root, the leaves follow from `leaves`.
fn visit(leaves: usize, from: usize, to: usize, mut call: impl FnMut(bool, usize)) {
    let (from, to) = (from.min(leaves), to.min(leaves));
    if from >= to {
        return;
    }
    let (mut left, mut right) = (from + leaves, to + leaves);
    // The paths from both outermost leaves to the root hold all nodes above.
    let (mut first, mut last) = (from + leaves, to - 1 + leaves);
    let mut width = 1usize;
    while first > 0 {
        if left < right {
            if left & 1 == 1 {
                call(true, left);
                left += 1;
            }
            if right & 1 == 1 {
                right -= 1;
                call(true, right);
            }
            left >>= 1;
            right >>= 1;
        }
        first >>= 1;
        last >>= 1;
        width <<= 1;
        // A node inside the lifetime is one of its own, or below one.
        let inside = |node: usize| {
            let begin = (node * width).saturating_sub(leaves);
            from <= begin && begin + width <= to
        };
        if first > 0 && !inside(first) {
            call(false, first);
        }
        if last > 0 && last != first && !inside(last) {
            call(false, last);
        }
    }
}

/// Adds `start..end` to sorted spans that do not touch each other.
fn join(spans: &mut Spans, mut start: u64, mut end: u64) {
    let from = spans.partition_point(|s| s.1 < start);
    let to = from + spans.get(from..).map_or(0, |rest| rest.partition_point(|s| s.0 <= end));
    if let (Some(first), Some(last)) = (spans.get(from), spans.get(to.wrapping_sub(1)))
        && from < to
    {
        start = start.min(first.0);
        end = end.max(last.1);
    }
    spans.splice(from..to, [(start, end)]);
}
