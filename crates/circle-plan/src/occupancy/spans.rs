//! Sets of address spans.
//!
//! Mostly a set is a few spans. Where blocks leave holes that nothing fits into, as alignment does, it may be as
//! many as there are blocks. Spans are therefore kept in chunks, each of which knows the widest hole in it: a search
//! passes over the chunks that have none for it.
//!
//! Most sets are written to more often than they are read. What is added waits until it is, or until there is enough
//! of it to be worth a pass over all spans.

use std::cell::Cell;

/// A chunk of more spans than this is split in two. Tests of few blocks see several chunks, too.
pub(super) const CHUNK: usize = if cfg!(test) { 4 } else { 128 };

/// So many spans may always wait.
const WAITING: usize = if cfg!(test) { 5 } else { 64 };

/// Spans are added one by one where they are fewer than all spans by more than this factor.
const JOINS: usize = 8;

/// Sorted spans that do not touch each other.
#[derive(Debug, Clone, Default)]
pub(super) struct Spans {
    /// None is empty, but the only one may be.
    pub(super) chunks: Vec<Chunk>,
    /// Bytes in all spans of the chunks.
    pub(super) covered: u64,
    /// Spans to be added, in any order.
    waiting: Vec<Span>,
}

/// Begin and end.
pub(super) type Span = (u64, u64);

#[derive(Debug, Clone, Default)]
pub(super) struct Chunk {
    pub(super) spans: Vec<Span>,
    /// At least the bytes of each hole below one of the spans, from the first multiple of the unit on. `None` where it
    /// is to be found out when it is asked for.
    pub(super) widest: Cell<Option<u64>>,
}

impl Chunk {
    pub(super) fn end(&self) -> u64 {
        self.spans.last().map_or(0, |span| span.1)
    }
}

/// Adds a span that begins no earlier than all others.
fn append(spans: &mut Vec<Span>, span: Span) {
    match spans.last_mut() {
        Some(last) if span.0 <= last.1 => last.1 = last.1.max(span.1),
        _ => spans.push(span),
    }
}

impl Spans {
    pub(super) fn clear(&mut self) {
        self.chunks.truncate(1);
        if let Some(chunk) = self.chunks.first_mut() {
            chunk.spans.clear();
            chunk.widest.set(None);
        }
        self.waiting.clear();
        self.covered = 0;
    }

    /// Adds spans to an empty set, none of which begins before the one in front of it.
    pub(super) fn fill(&mut self, spans: impl Iterator<Item = Span>) {
        let mut open: Option<Span> = None;
        for (start, end) in spans {
            open = match open {
                Some(last) if start <= last.1 => Some((last.0, last.1.max(end))),
                before => {
                    before.into_iter().for_each(|span| self.push(span));
                    Some((start, end))
                }
            };
        }
        open.into_iter().for_each(|span| self.push(span));
    }

    fn push(&mut self, span: Span) {
        self.covered += span.1 - span.0;
        match self.chunks.last_mut() {
            Some(chunk) if chunk.spans.len() < CHUNK => chunk.spans.push(span),
            _ => self.chunks.push(Chunk { spans: vec![span], widest: Cell::new(None) }),
        }
    }

    /// Adds `start..end`, sooner or later.
    pub(super) fn add(&mut self, start: u64, end: u64) {
        // Most spans lengthen the one added before.
        match self.waiting.last_mut() {
            Some(last) if last.1 == start => last.1 = end,
            Some(last) if last.0 == end => last.0 = start,
            _ => self.waiting.push((start, end)),
        }
        if self.waiting.len() >= WAITING.max(self.chunks.len() * (CHUNK / 8)) {
            self.settle();
        }
    }

    /// Adds what waits.
    pub(super) fn settle(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        let mut waiting = std::mem::take(&mut self.waiting);
        let spans = match self.chunks.as_slice() {
            [only] => only.spans.len(),
            more => more.len() * CHUNK,
        };
        if waiting.len() * JOINS < spans.max(JOINS * 2) {
            waiting.iter().for_each(|&(start, end)| self.join(start, end));
        } else {
            waiting.sort_unstable();
            self.merge(&waiting, spans);
        }
        waiting.clear();
        self.waiting = waiting;
    }

    /// Adds sorted spans in one pass over `spans` at most.
    fn merge(&mut self, more: &[Span], spans: usize) {
        let mut all = Vec::with_capacity(more.len() + spans);
        let mut more = more.iter().copied().peekable();
        for &span in self.chunks.iter().flat_map(|chunk| &chunk.spans) {
            while let Some(new) = more.next_if(|new| new.0 < span.0) {
                append(&mut all, new);
            }
            append(&mut all, span);
        }
        more.for_each(|new| append(&mut all, new));
        self.covered = all.iter().map(|span| span.1 - span.0).sum();
        if all.len() <= CHUNK {
            self.chunks.truncate(1);
            match self.chunks.first_mut() {
                Some(chunk) => *chunk = Chunk { spans: all, widest: Cell::new(None) },
                None => self.chunks.push(Chunk { spans: all, widest: Cell::new(None) }),
            }
            return;
        }
        // Room in each for spans to come.
        let chunk = |spans: &[Span]| Chunk { spans: spans.to_vec(), widest: Cell::new(None) };
        self.chunks = all.chunks(CHUNK * 3 / 4).map(chunk).collect();
    }

    /// Adds `start..end` at once.
    fn join(&mut self, start: u64, end: u64) {
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
                let before = span.1 - span.0;
                *span = (span.0.min(start), span.1.max(end));
                self.covered += span.1 - span.0 - before;
                let reach = span.1;
                let more = spans.get(from + 1..).map_or(0, |rest| rest.partition_point(|s| s.0 <= reach));
                if more > 0 {
                    let eaten = spans.drain(from + 1..=from + more);
                    let last = eaten.fold(reach, |last, s| {
                        self.covered -= reach.min(s.1) - s.0;
                        last.max(s.1)
                    });
                    if let Some(span) = spans.get_mut(from) {
                        span.1 = last;
                    }
                }
                if from + 1 == spans.len() {
                    self.absorb(number);
                }
            }
            _ => {
                spans.insert(from, (start, end));
                self.covered += end - start;
            }
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
            for (start, end) in next.spans.drain(..reached) {
                self.covered -= reach.min(end) - start;
                reach = reach.max(end);
            }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Sets hold what was added and nothing else, however it came in.
    #[test]
    fn sets_hold_what_was_added() {
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let mut spans = Spans::default();
            let mut taken = [false; 400];
            for turn in 0..120 {
                let start = random.below(380);
                let end = start + 1 + random.below(if seed % 2 == 0 { 3 } else { 20 });
                spans.add(start as u64, end as u64);
                taken[start..end].iter_mut().for_each(|byte| *byte = true);
                if random.below(4) > 0 {
                    continue;
                }
                spans.settle();
                let held: Vec<Span> = spans.chunks.iter().flat_map(|chunk| chunk.spans.clone()).collect();
                let mut wanted: Vec<Span> = Vec::new();
                for byte in (0..400u64).filter(|&byte| taken[byte as usize]) {
                    append(&mut wanted, (byte, byte + 1));
                }
                assert_eq!(held, wanted, "seed {seed}, turn {turn}");
                assert_eq!(spans.covered, wanted.iter().map(|span| span.1 - span.0).sum::<u64>());
            }
        }
    }
}
