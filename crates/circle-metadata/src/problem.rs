//! What a tolerant decoder found wrong, and where.

use std::fmt;

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Odd, but other readers of the format accept it and the meaning is clear.
    Warning,
    /// Other readers of the format refuse or crash on it, or data was lost.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Warning => "warning",
            Severity::Error => "error",
        })
    }
}

/// One finding of a decoder that goes on after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// How much it matters.
    pub severity: Severity,
    /// Name of the metadata entry that was decoded, such as `ONE_op_table`.
    pub entry: &'static str,
    /// Offset from the start of that entry's payload, in bytes.
    pub at_byte: u64,
    /// What is wrong, with the value and the bound; lower case, no full stop.
    pub text: String,
}

impl Problem {
    /// Where the finding is, as one phrase: `ONE_op_table byte 12`.
    pub fn place(&self) -> String {
        format!("{} byte {}", self.entry, self.at_byte)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} byte {}: {}", self.severity, self.entry, self.at_byte, self.text)
    }
}

/// Collects findings up to a bound, so that a table of a million bad records makes a short report.
#[derive(Debug)]
pub(crate) struct Problems {
    entry: &'static str,
    kept: Vec<Problem>,
    dropped: u64,
    worst_dropped: Severity,
}

impl Problems {
    /// More findings than anybody reads; the rest are counted.
    const LIMIT: usize = 64;

    pub(crate) fn new(entry: &'static str) -> Self {
        Self { entry, kept: Vec::new(), dropped: 0, worst_dropped: Severity::Warning }
    }

    pub(crate) fn error(&mut self, at_byte: usize, text: String) {
        self.push(Severity::Error, at_byte, text);
    }

    pub(crate) fn warning(&mut self, at_byte: usize, text: String) {
        self.push(Severity::Warning, at_byte, text);
    }

    fn push(&mut self, severity: Severity, at_byte: usize, text: String) {
        if self.kept.len() < Self::LIMIT {
            self.kept.push(Problem { severity, entry: self.entry, at_byte: at_byte as u64, text });
        } else {
            self.dropped += 1;
            self.worst_dropped = self.worst_dropped.max(severity);
        }
    }

    pub(crate) fn finish(mut self) -> Vec<Problem> {
        if self.dropped > 0 {
            let at_byte = self.kept.last().map_or(0, |last| last.at_byte);
            self.kept.push(Problem {
                severity: self.worst_dropped,
                entry: self.entry,
                at_byte,
                text: format!("{} more findings after this byte are not listed", self.dropped),
            });
        }
        self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_findings_is_counted_not_kept() {
        let mut problems = Problems::new("t");
        for at in 0..1000 {
            problems.warning(at, "odd".into());
        }
        problems.error(1000, "bad".into());
        let kept = problems.finish();
        assert_eq!(kept.len(), Problems::LIMIT + 1);
        let last = kept.last().unwrap();
        assert_eq!(last.severity, Severity::Error);
        assert_eq!(last.text, "937 more findings after this byte are not listed");
        assert_eq!(last.place(), "t byte 63");
    }
}
