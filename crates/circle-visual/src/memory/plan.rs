//! What is drawn: plans with a title, and marks on blocks that something is wrong with.

use circle_memory::{Finding, Memory, Place, Severity};

/// A memory plan to draw.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Plan {
    /// What the plan is called, usually its file.
    pub title: String,
    /// The plan.
    pub memory: Memory,
    /// What is wrong with it and its blocks. They are drawn all the same.
    pub marks: Vec<Mark>,
}

impl Plan {
    /// A plan without marks.
    pub fn new(title: impl Into<String>, memory: Memory) -> Plan {
        Plan { title: title.into(), memory, marks: Vec::new() }
    }

    /// Marks what a check found: errors and warnings, of segments and of the file as a whole. A finding that two blocks have
    /// part in marks both. One that stands for many marks all of their blocks.
    #[must_use]
    pub fn with_findings(mut self, findings: &[Finding]) -> Plan {
        for finding in findings.iter().filter(|finding| finding.severity >= Severity::Warning) {
            let block = finding.place.block.as_ref().map(|block| block.index);
            // The segment is told by the place of the mark.
            let place = Place { segment: None, ..finding.place.clone() };
            let message = match place.is_empty() {
                true => finding.message.clone(),
                false => format!("{place}: {}", finding.message),
            };
            self.marks.push(Mark {
                segment: finding.place.segment.as_ref().map(|segment| segment.index),
                block,
                other: finding.other,
                message,
                warning: finding.severity < Severity::Error,
                further: finding.further,
                at_least: finding.at_least,
                rest: finding.blocks.clone(),
            });
        }
        self
    }
}

/// Something that is wrong with a block, with a segment as a whole, or with the whole file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mark {
    /// Position in [`Memory::segments`]; none where it is the file.
    pub segment: Option<usize>,
    /// Position in [`Segment::blocks`](circle_memory::Segment::blocks), where it is a block.
    pub block: Option<usize>,
    /// The other block of the segment that has part in it.
    pub other: Option<usize>,
    /// What is wrong, in words.
    pub message: String,
    /// Whether it is no fault, but odd: it is told, and its blocks are drawn as others are.
    pub warning: bool,
    /// How many it stands for besides itself.
    pub further: usize,
    /// Whether there may be more of them.
    pub at_least: bool,
    /// The blocks of the segment that have part in those.
    pub rest: Vec<usize>,
}

impl Mark {
    /// The blocks that are at fault.
    pub(super) fn blocks(&self) -> impl Iterator<Item = usize> + use<'_> {
        let blocks = self.block.into_iter().chain(self.other).chain(self.rest.iter().copied());
        blocks.filter(|_| !self.warning)
    }

    /// How many findings it stands for.
    pub(super) fn count(&self) -> usize {
        self.further.saturating_add(1)
    }
}
