//! What is noticed about a memory: faults and notes, each with its place.

use std::fmt;

use crate::place::Place;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Something to know, no fault.
    Note,
    /// Odd, and likely not meant.
    Warning,
    /// A fault: a plan with it does not work, or says nothing.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

/// What a finding is about, for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Code {
    /// Two blocks share an address at one tick, and no space.
    Overlap,
    /// A block, or another space, lies in what a space has reserved.
    Reserved,
    /// The two pieces of one block overlap, or do not fit its size, or it has no space.
    Wrap,
    /// A block ends behind its segment.
    OutsideSegment,
    /// A block lies outside its space, in address or time.
    OutsideSpace,
    /// An offset is no multiple of the alignment, or that is 0.
    Alignment,
    /// A lifetime is empty or reversed.
    Lifetime,
    /// A dimension of a tensor is below -1.
    Dimension,
    /// A block or space has no bytes.
    NoBytes,
    /// A number, or an end, is beyond 2^63 - 1.
    TooLarge,
    /// An identity or name is given twice.
    Duplicate,
    /// A reference to what does not exist.
    Reference,
    /// The file says it is another form or version than it is.
    Version,
    /// A text has not the form it should have, for example a digest.
    Text,
    /// Offsets have not been planned yet.
    Unplanned,
    /// Something about how the file was read.
    Reading,
    /// Two statements of the file contradict each other.
    Contradiction,
}

impl Code {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Overlap => "overlap",
            Self::Reserved => "reserved",
            Self::Wrap => "wrap",
            Self::OutsideSegment => "outside_segment",
            Self::OutsideSpace => "outside_space",
            Self::Alignment => "alignment",
            Self::Lifetime => "lifetime",
            Self::Dimension => "dimension",
            Self::NoBytes => "no_bytes",
            Self::TooLarge => "too_large",
            Self::Duplicate => "duplicate",
            Self::Reference => "reference",
            Self::Version => "version",
            Self::Text => "text",
            Self::Unplanned => "unplanned",
            Self::Reading => "reading",
            Self::Contradiction => "contradiction",
        }
    }
}

/// Something noticed about a memory or about the file it was read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// What it is about.
    pub code: Code,
    /// Where it is.
    pub place: Place,
    /// The other block of the same segment that has part in it, by position.
    pub other: Option<usize>,
    /// How many findings this one stands for besides itself, where not each is told.
    pub further: usize,
    /// Whether that is the least number, and there may be more.
    pub at_least: bool,
    /// The blocks of the segment that have part in those, by position, ascending, each once.
    pub blocks: Vec<usize>,
    /// Line of the file, from 1, where that is known.
    pub line: Option<u64>,
    /// What is the matter, with values and bounds.
    pub message: String,
}

impl Finding {
    /// A finding without a line.
    pub fn new(severity: Severity, code: Code, place: Place, message: impl Into<String>) -> Self {
        Self {
            severity,
            code,
            place,
            other: None,
            line: None,
            message: message.into(),
            further: 0,
            at_least: false,
            blocks: Vec::new(),
        }
    }

    /// The finding with the name of its file in front, as compilers show them.
    pub fn in_file<'a>(&'a self, file: &'a str) -> impl fmt::Display + use<'a> {
        Located { file, line: self.line.unwrap_or(0), place: &self.place, message: &self.message }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        if !self.place.is_empty() {
            write!(f, "{}: ", self.place)?;
        }
        f.write_str(&self.message)
    }
}

/// `file:line: place: message`, without what is not known.
pub(crate) struct Located<'a, M> {
    pub(crate) file: &'a str,
    /// 0 where it is not known.
    pub(crate) line: u64,
    pub(crate) place: &'a Place,
    pub(crate) message: M,
}

impl<M: fmt::Display> fmt::Display for Located<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.file)?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        if self.place.is_empty() {
            write!(f, ": {}", self.message)
        } else {
            write!(f, ": {}: {}", self.place, self.message)
        }
    }
}
