//! Reading the holes between spans upwards, past those that are too small.

use super::spans::{CHUNK, Chunk, Span, Spans};
use crate::problem::align_up;

/// What holes are looked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    pub(super) size: u64,
    pub(super) alignment: u64,
    /// What alignments are multiples of, where this one is.
    pub(super) unit: Option<u64>,
}

impl Wanted {
    /// Whether a hole is large enough.
    fn fits(&self, start: u64, end: u64) -> bool {
        end.saturating_sub(start) >= self.size
            && (self.alignment <= 1 || align_up(start, self.alignment).saturating_add(self.size) <= end)
    }
}

/// The smallest hole so far.
#[derive(Debug, Clone, Copy)]
pub(super) struct Narrowest {
    /// Bytes that are left in it. Those of one without end come to nearly all there are.
    pub(super) rest: u64,
    pub(super) start: u64,
}

impl Narrowest {
    /// Of none.
    pub(super) const NONE: Self = Self { rest: u64::MAX, start: 0 };

    fn take(&mut self, start: u64, end: u64, wanted: &Wanted) {
        let rest = end.saturating_sub(start).wrapping_sub(wanted.size);
        if rest < self.rest && wanted.fits(start, end) {
            *self = Self { rest, start };
        }
    }
}

/// A set of spans, and how far it has been read.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    chunks: &'a [Chunk],
    /// The present chunk and the span in it.
    chunk: usize,
    at: usize,
    /// Bytes in all spans.
    pub(super) covered: u64,
}

impl<'a> Reader<'a> {
    /// At the begin of a settled set; `None` if there is nothing in it.
    pub(super) fn of(spans: Option<&'a Spans>) -> Option<Self> {
        let Spans { chunks, covered, .. } = spans?;
        chunks.first().filter(|chunk| !chunk.spans.is_empty())?;
        Some(Reader { chunks, chunk: 0, at: 0, covered: *covered })
    }

    /// Adds to `holes` what is free in `low..till` and fits, until there are `most` of them: then it tells from where
    /// to go on. What is asked for must not lie below what was asked for before.
    pub(super) fn holes(
        &mut self,
        (mut low, till): Span,
        wanted: &Wanted,
        holes: &mut Vec<Span>,
        most: usize,
    ) -> Option<u64> {
        self.seek(low);
        while let Some(chunk) = self.chunks.get(self.chunk) {
            let spans = chunk.spans.get(self.at..).unwrap_or(&[]);
            for (passed, &(start, end)) in spans.iter().enumerate() {
                if start >= till || holes.len() >= most {
                    self.at += passed;
                    if start < till {
                        return Some(low);
                    }
                    if wanted.fits(low, till) {
                        holes.push((low, till));
                    }
                    return None;
                }
                if start.saturating_sub(low) >= wanted.size && wanted.fits(low, start) {
                    holes.push((low, start));
                }
                // It may reach into what is asked for next.
                if end >= till {
                    self.at += passed;
                    return None;
                }
                low = end;
            }
            low = self.pass(till, wanted).unwrap_or(low);
        }
        if wanted.fits(low, till) {
            holes.push((low, till));
        }
        None
    }

    /// Makes `best` the smallest hole in `low..till` that fits if that is smaller. What is asked for must not lie below
    /// what was asked for before.
    pub(super) fn narrowest(&mut self, (mut low, till): Span, wanted: &Wanted, best: &mut Narrowest) {
        self.seek(low);
        while let Some(chunk) = self.chunks.get(self.chunk) {
            let spans = chunk.spans.get(self.at..).unwrap_or(&[]);
            for (passed, &(start, end)) in spans.iter().enumerate() {
                if end >= till {
                    self.at += passed;
                    best.take(low, start.min(till), wanted);
                    return;
                }
                // Of a hole that is too small this is more than of any other.
                if start.saturating_sub(low).wrapping_sub(wanted.size) < best.rest {
                    best.take(low, start, wanted);
                }
                low = end;
            }
            low = self.pass(till, wanted).unwrap_or(low);
        }
        best.take(low, till, wanted);
    }

    /// Moves on to the next chunk, past those that end below `till` and have no hole that is large enough. Where the last
    /// of these ends, if there are any.
    fn pass(&mut self, till: u64, wanted: &Wanted) -> Option<u64> {
        (self.chunk, self.at) = (self.chunk + 1, 0);
        let mut passed = None;
        while let Some(next) = self.chunks.get(self.chunk)
            && next.end() < till
            && self.widest(wanted).is_some_and(|widest| widest < wanted.size)
        {
            passed = Some(next.end());
            self.chunk += 1;
        }
        passed
    }

    /// About how many spans there are.
    pub(super) fn count(&self) -> usize {
        match self.chunks {
            [only] => only.spans.len(),
            more => more.len() * CHUNK,
        }
    }

    /// Moves on to the first span that ends beyond `at`.
    fn seek(&mut self, at: u64) {
        let Some(chunk) = self.chunks.get(self.chunk) else { return };
        let spans = chunk.spans.as_slice();
        // Mostly the position is right or off by a few; only after some steps is a search worth its while.
        for _ in 0..4 {
            match spans.get(self.at) {
                Some(span) if span.1 <= at => self.at += 1,
                Some(_) => return,
                None => break,
            }
        }
        if chunk.end() > at {
            self.at += spans.get(self.at..).map_or(0, |rest| rest.partition_point(|s| s.1 <= at));
            return;
        }
        let later = self.chunks.get(self.chunk + 1..).unwrap_or(&[]);
        self.chunk += 1 + later.partition_point(|chunk| chunk.end() <= at);
        self.at = self.chunks.get(self.chunk).map_or(0, |c| c.spans.partition_point(|s| s.1 <= at));
    }

    /// The widest hole below a span of the present chunk, where that is known.
    fn widest(&self, wanted: &Wanted) -> Option<u64> {
        let unit = wanted.unit?;
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
