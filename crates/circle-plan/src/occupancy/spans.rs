//! Sets of address spans, and reading them upwards past holes that are too small.
//!
//! Mostly a set is a few spans. Where blocks leave holes that nothing fits into, as alignment does, it may be as
//! many as there are blocks. Spans are therefore kept in chunks, each of which knows the widest hole in it: a search
//! passes over the chunks that have none for it.

use std::cell::Cell;

use crate::problem::align_up;

/// A chunk of more spans than this is split in two. Tests of few blocks see several chunks, too.
const CHUNK: usize = if cfg!(test) { 4 } else { 128 };

/// Sorted spans that do not touch each other.
#[derive(Debug, Clone, Default)]
pub(super) struct Spans {
    /// None is empty, but the only one may be.
    chunks: Vec<Chunk>,
}

#[derive(Debug, Clone, Default)]
struct Chunk {
    spans: Vec<(u64, u64)>,
    /// At least the bytes of each hole below one of the spans, from the first multiple of the unit on. `None` where it
    /// is to be found out when it is asked for.
    widest: Cell<Option<u64>>,
}

impl Chunk {
    fn end(&self) -> u64 {
        self.spans.last().map_or(0, |span| span.1)
    }
}

impl Spans {
    pub(super) fn clear(&mut self) {
        self.chunks.truncate(1);
        if let Some(chunk) = self.chunks.first_mut() {
            chunk.spans.clear();
        }
    }

    /// Adds `start..end` where no span begins later.
    pub(super) fn append(&mut self, start: u64, end: u64) {
        match self.chunks.last_mut().and_then(|chunk| chunk.spans.last_mut()) {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => self.push(start, end),
        }
    }

    fn push(&mut self, start: u64, end: u64) {
        match self.chunks.last_mut() {
            Some(chunk) if chunk.spans.len() < CHUNK => chunk.spans.push((start, end)),
            _ => self.chunks.push(Chunk { spans: vec![(start, end)], widest: Cell::new(None) }),
        }
    }

    /// Adds `start..end`.
    pub(super) fn join(&mut self, start: u64, end: u64) {
        if self.chunks.is_empty() {
            self.chunks.push(Chunk::default());
        }
        let number = match self.chunks.len() {
            1 => 0,
            count => self.chunks.partition_point(|chunk| chunk.end() < start).min(count - 1),
        };
        let Some(chunk) = self.chunks.get_mut(number) else { return };
        let spans = &mut chunk.spans;
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
                if from + 1 == spans.len() {
                    self.absorb(number);
                }
            }
            _ => spans.insert(from, (start, end)),
        }
        self.split(number);
        // In between and in the one above, the lowest hole of which begins where this one ends.
        let changed = self.chunks.get(number..).unwrap_or(&[]).iter().take(3);
        changed.for_each(|chunk| chunk.widest.set(None));
    }

    /// Joins the last span of a chunk with those of the following ones that it reaches.
    fn absorb(&mut self, number: usize) {
        let Some(mut reach) = self.chunks.get(number).map(Chunk::end) else { return };
        while let Some(next) = self.chunks.get_mut(number + 1) {
            let reached = next.spans.partition_point(|s| s.0 <= reach);
            if let Some(last) = reached.checked_sub(1).and_then(|last| next.spans.get(last)) {
                reach = reach.max(last.1);
            }
            next.spans.drain(..reached);
            if !next.spans.is_empty() {
                break;
            }
            self.chunks.remove(number + 1);
        }
        if let Some(last) = self.chunks.get_mut(number).and_then(|chunk| chunk.spans.last_mut()) {
            last.1 = reach;
        }
    }

    fn split(&mut self, number: usize) {
        let Some(chunk) = self.chunks.get_mut(number).filter(|chunk| chunk.spans.len() > CHUNK) else {
            return;
        };
        let spans = chunk.spans.split_off(CHUNK / 2);
        self.chunks.insert(number + 1, Chunk { spans, widest: Cell::new(None) });
    }
}

/// A set of spans, and how far it has been read.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    chunks: &'a [Chunk],
    /// The present chunk and the span in it.
    chunk: usize,
    at: usize,
    /// What alignments are multiples of, where that of this search is.
    unit: Option<u64>,
}

impl<'a> Reader<'a> {
    /// At the begin of a set; `None` if there is nothing in it.
    pub(super) fn of(spans: Option<&'a Spans>, unit: Option<u64>) -> Option<Self> {
        let chunks = spans?.chunks.as_slice();
        chunks.first().filter(|chunk| !chunk.spans.is_empty())?;
        Some(Reader { chunks, chunk: 0, at: 0, unit })
    }

    /// Where the last span ends.
    pub(super) fn end(&self) -> u64 {
        self.chunks.last().map_or(0, Chunk::end)
    }

    /// Moves on to the first span that ends beyond `at`, and gives that span.
    pub(super) fn next(&mut self, at: u64) -> Option<(u64, u64)> {
        let spans = self.chunks.get(self.chunk)?.spans.as_slice();
        // Mostly the position is right or off by one; only after some steps is a search worth its while.
        for _ in 0..4 {
            match spans.get(self.at) {
                Some(span) if span.1 <= at => self.at += 1,
                Some(span) => return Some(*span),
                None => break,
            }
        }
        if spans.last().is_some_and(|last| last.1 > at) {
            self.at += spans.get(self.at..).map_or(0, |rest| rest.partition_point(|s| s.1 <= at));
            return self.above();
        }
        let later = self.chunks.get(self.chunk + 1..).unwrap_or(&[]);
        self.chunk += 1 + later.partition_point(|chunk| chunk.end() <= at);
        self.at = 0;
        self.at = self.chunks.get(self.chunk)?.spans.partition_point(|s| s.1 <= at);
        self.above()
    }

    /// The present span.
    pub(super) fn above(&self) -> Option<(u64, u64)> {
        self.chunks.get(self.chunk)?.spans.get(self.at).copied()
    }

    /// The span below the present one.
    pub(super) fn below(&self) -> Option<(u64, u64)> {
        match self.at.checked_sub(1) {
            Some(below) => self.chunks.get(self.chunk)?.spans.get(below).copied(),
            None => self.chunks.get(self.chunk.checked_sub(1)?)?.spans.last().copied(),
        }
    }

    /// The lowest aligned offset above the present span with `size` bytes free in this set. The reader moves there.
    pub(super) fn skip(&mut self, size: u64, alignment: u64) -> u64 {
        let mut offset = 0;
        while let Some(span) = self.above() {
            offset = align_up(span.1, alignment);
            let fits = |next: &(u64, u64)| next.0 >= offset.saturating_add(size);
            let spans = self.chunks.get(self.chunk).map_or(&[][..], |chunk| chunk.spans.as_slice());
            if let Some(next) = spans.get(self.at + 1) {
                self.at += 1;
                if fits(next) {
                    break;
                }
                continue;
            }
            (self.chunk, self.at) = (self.chunk + 1, 0);
            let Some(chunk) = self.chunks.get(self.chunk) else { break };
            if self.widest().is_some_and(|widest| widest < size) {
                self.at = chunk.spans.len().saturating_sub(1);
            } else if chunk.spans.first().is_some_and(fits) {
                break;
            }
        }
        // Alignment may lead past the next spans, but not by more than a hole was too small.
        self.next(offset);
        offset
    }

    /// The widest hole below a span of the present chunk, where that is known.
    fn widest(&self) -> Option<u64> {
        let unit = self.unit?;
        let chunk = self.chunks.get(self.chunk)?;
        if let Some(widest) = chunk.widest.get() {
            return Some(widest);
        }
        let before = self.chunk.checked_sub(1).and_then(|before| self.chunks.get(before));
        let mut below = before.map_or(0, Chunk::end);
        let mut widest = 0;
        for &(start, end) in &chunk.spans {
            widest = widest.max(start.saturating_sub(align_up(below, unit)));
            below = end;
        }
        chunk.widest.set(Some(widest));
        Some(widest)
    }
}
