//! Findings as they are made: told up to a number of each kind, then counted.

use std::collections::{BTreeMap, BTreeSet};

use crate::finding::{Code, Finding, Severity};
use crate::form::Memory;
use crate::part::Part;
use crate::place::{Place, Places};

/// Takes findings of one part of the file after the other.
pub(super) struct Collector<'a> {
    pub(super) memory: &'a Memory,
    /// What is asked about. Findings about anything else are not taken.
    pub(super) part: &'a Part,
    places: &'a Places,
    each: usize,
    findings: Vec<Finding>,
    /// What was found of each kind in this part.
    counts: BTreeMap<(Code, Severity), Count>,
}

/// Findings of one kind and severity.
#[derive(Default)]
struct Count {
    found: usize,
    told: usize,
    /// Whether there are that many at least.
    at_least: bool,
    /// That of the last one.
    segment: Option<usize>,
    /// Blocks of those that are not told.
    blocks: BTreeSet<usize>,
}

impl<'a> Collector<'a> {
    pub(super) fn new(memory: &'a Memory, places: &'a Places, each: usize, part: &'a Part) -> Self {
        Self { memory, part, places, each, findings: Vec::new(), counts: BTreeMap::new() }
    }

    /// Whether a finding of this kind is told rather than counted; it is counted in any case.
    fn tells(
        &mut self,
        severity: Severity,
        code: Code,
        segment: Option<usize>,
        blocks: impl IntoIterator<Item = usize>,
    ) -> bool {
        let count = self.counts.entry((code, severity)).or_default();
        (count.found, count.segment) = (count.found.saturating_add(1), segment);
        let tells = count.told < self.each;
        if tells {
            count.told += 1;
        } else {
            count.blocks.extend(blocks);
        }
        tells
    }

    /// Counts `more` findings about a segment, with the blocks that have part in them, none of which is told by itself.
    pub(super) fn further(
        &mut self,
        severity: Severity,
        code: Code,
        segment: usize,
        (more, at_least): (u64, bool),
        blocks: impl IntoIterator<Item = usize>,
    ) {
        let count = self.counts.entry((code, severity)).or_default();
        let more = usize::try_from(more).unwrap_or(usize::MAX);
        (count.found, count.segment) = (count.found.saturating_add(more), Some(segment));
        count.at_least |= at_least;
        count.blocks.extend(blocks);
    }

    /// Whether a segment is asked about.
    fn has(&self, segment: usize) -> bool {
        self.memory.segments.get(segment).is_none_or(|segment| self.part.has(segment))
    }

    /// Whether a block is asked about.
    fn has_block(&self, segment: usize, block: usize) -> bool {
        let found = self.memory.segments.get(segment).and_then(|segment| segment.blocks.get(block));
        self.has(segment) && found.is_none_or(|block| self.part.meets(block.alive_from, block.alive_till))
    }

    fn push(&mut self, finding: Finding) {
        let line = finding.line.or_else(|| self.places.of(&finding.place));
        self.findings.push(Finding { line, ..finding });
    }

    /// Something about the file.
    pub(super) fn file(&mut self, severity: Severity, code: Code, field: &str, message: String) {
        if self.tells(severity, code, None, []) {
            self.push(Finding::new(severity, code, Place::field(field), message));
        }
    }

    /// Something about a segment.
    pub(super) fn segment(
        &mut self,
        severity: Severity,
        code: Code,
        segment: usize,
        field: &str,
        message: String,
    ) {
        if self.has(segment) && self.tells(severity, code, Some(segment), []) {
            let place = Place::segment(self.memory, segment).with(field);
            self.push(Finding::new(severity, code, place, message));
        }
    }

    /// Something about a block and perhaps another one. The text is made only where it is told.
    pub(super) fn block(
        &mut self,
        severity: Severity,
        code: Code,
        (segment, block): (usize, usize),
        field: &str,
        other: Option<usize>,
        message: impl FnOnce(&Memory) -> String,
    ) {
        let asked = std::iter::once(block).chain(other).any(|block| self.has_block(segment, block));
        if asked && self.tells(severity, code, Some(segment), std::iter::once(block).chain(other)) {
            let place = Place::block(self.memory, segment, block).with(field);
            let finding = Finding::new(severity, code, place, message(self.memory));
            self.push(Finding { other, ..finding });
        }
    }

    /// Says how many findings of each kind of this part were not told.
    pub(super) fn close(&mut self) {
        for ((code, severity), count) in std::mem::take(&mut self.counts) {
            let Count { found, told, at_least, segment, blocks } = count;
            let left = found.saturating_sub(told);
            if left > 0 {
                let place = segment.map(|at| Place::segment(self.memory, at)).unwrap_or_default();
                let least = if at_least { "at least " } else { "" };
                let text = format!("{least}{left} more findings of this kind ({})", name(code));
                let blocks = blocks.into_iter().collect();
                let finding = Finding::new(severity, code, place, text);
                self.push(Finding { further: left - 1, at_least, blocks, ..finding });
            }
        }
    }

    pub(super) fn finish(self) -> Vec<Finding> {
        self.findings
    }
}

/// What a code is called in a text.
fn name(code: Code) -> &'static str {
    match code {
        Code::Overlap => "overlap",
        Code::Reserved => "reserved memory",
        Code::Wrap => "wrapped block",
        Code::OutsideSegment => "outside of the segment",
        Code::OutsideSpace => "outside of the space",
        Code::Alignment => "alignment",
        Code::Lifetime => "lifetime",
        Code::Dimension => "dimension",
        Code::NoBytes => "no bytes",
        Code::TooLarge => "number too large",
        Code::Duplicate => "given twice",
        Code::Reference => "reference",
        Code::Version => "version",
        Code::Text => "text",
        Code::Unplanned => "no offsets",
        Code::Reading => "reading",
        Code::Contradiction => "contradiction",
    }
}
