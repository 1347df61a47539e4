//! Why a pipeline was given up, drawn so that it can be found: the operator, what is wrong with it, which patch did it.

use std::fmt;

use circle_ir::verify::step::{self, Before};
use circle_ir::verify::watch::Watch;
use circle_ir::verify::{Finding, Subject};
use circle_ir::{Model, OriginId};

use super::MAX_ROUNDS;

/// Why a pipeline was given up. The model may be half way through and must not be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DriverError {
    /// Passes undo each other's work.
    NoEnd {
        /// The passes that fired in the last round.
        passes: Vec<&'static str>,
    },
    /// A check found something.
    Broken {
        /// When it was found.
        when: When,
        /// What was found.
        findings: Vec<Drawn>,
    },
}

/// When a check found something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum When {
    /// Before the first patch: the model came in like that.
    Before,
    /// After a patch.
    Patch {
        /// The rule that made it.
        rule: &'static str,
        /// Its number, from 1.
        number: u64,
        /// The patch in one line.
        text: String,
        /// Whether it was found on a copy on whose operators originals and costs were planted before the pass.
        planted: bool,
    },
    /// After a pass, where it is not known after which of its patches.
    Pass {
        /// The pass.
        name: &'static str,
        /// The number of its first patch that may have done it.
        first: u64,
        /// The number of the last.
        last: u64,
    },
    /// After the last patch.
    End,
}

/// A finding and what is known of the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// The finding.
    pub finding: Finding,
    /// The line of the operator that it is about, or of the one that carried the origin last; `None` if it is about no
    /// operator or if that is not known.
    pub line: Option<String>,
    /// What else is known.
    pub notes: Vec<String>,
}

/// The last patch: what it took, what operators carry, its number.
type Last<'a> = Option<(&'a Before, &'a Watch, u64)>;

impl Drawn {
    /// Draws findings about `model`; of the last patch, if there is one, is known what it took, what the operators carry
    /// that it did not take, and its number. Of many findings only the first are drawn, the others are as they are.
    pub(super) fn all(findings: &[Finding], model: &Model, last: Last<'_>) -> Vec<Self> {
        let draw = |(number, finding): (usize, &Finding)| match number {
            0..MAX_DRAWN => Self::new(finding.clone(), model, last),
            _ => Self { finding: finding.clone(), line: None, notes: Vec::new() },
        };
        findings.iter().enumerate().map(draw).collect()
    }

    fn new(finding: Finding, model: &Model, last: Last<'_>) -> Self {
        let (line, notes) = match (finding.subject, last) {
            (Subject::Operator(sg, op), last) => {
                let now = step::line(model, sg, op).map(|line| format!("{sg} {line}"));
                let was = last.and_then(|(before, ..)| before.line(op)).map(|line| format!("{sg} {line}"));
                let notes = match (&now, &was) {
                    (Some(now), Some(was)) if now != was => vec![format!("it was {was}")],
                    _ => Vec::new(),
                };
                (now.or(was), notes)
            }
            (Subject::Origin(origin), Some(last)) => last_on(origin, model, last),
            (Subject::Origin(_) | Subject::Other, _) => (None, Vec::new()),
        };
        Self { finding, line, notes }
    }
}

/// The operator that carried `origin` before the last patch, and what became of it.
fn last_on(
    origin: OriginId,
    model: &Model,
    (before, watch, patch): (&Before, &Watch, u64),
) -> (Option<String>, Vec<String>) {
    let taken = before.carriers(model.store(), origin).into_iter().next();
    let taken = taken.map(|(op, line)| (before.subgraph(), op, line));
    let others = || watch.carriers(model.store(), origin).into_iter().next().map(|(sg, op)| (sg, op, None));
    let Some((sg, op, line)) = taken.or_else(others) else {
        return (None, vec![format!("it was on no operator before patch {patch}")]);
    };
    let now = step::line(model, sg, op);
    let fate = match (&now, line) {
        (None, _) => "erased",
        (Some(_), Some(_)) => "changed",
        (Some(_), None) => "did not take",
    };
    let code =
        line.or(now.as_deref()).and_then(|line| line.split_whitespace().nth(1)).unwrap_or("an operator");
    let note = format!("it was last on {op} {code}, which patch {patch} {fate}");
    (line.map(str::to_owned).or(now).map(|line| format!("{sg} {line}")), vec![note])
}

impl fmt::Display for Drawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.line {
            Some(line) => write!(f, "  {line}\n  ^~~ {}", self.finding)?,
            None => write!(f, "  {}", self.finding)?,
        }
        self.notes.iter().try_for_each(|note| write!(f, "\n      {note}"))
    }
}

fn problems(count: usize) -> String {
    if count == 1 { "1 problem".into() } else { format!("{count} problems") }
}

/// So many findings are drawn; a broken model may have one for each operator.
const MAX_DRAWN: usize = 10;

/// What the originals are where a planted model is spoken of.
const PLANTED: &str = "\nnote: found on a copy in which each operator is an original of its own as of before this pass, \
                       numbered in execution order, and costs a power of two";

impl DriverError {
    /// The error for findings about `model` whose patch is not known.
    pub(super) fn broken(when: When, findings: Vec<Finding>, model: &Model) -> Self {
        Self::Broken { when, findings: Drawn::all(&findings, model, None) }
    }
}

impl fmt::Display for DriverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoEnd { passes } => {
                write!(f, "no end after {MAX_ROUNDS} rounds: these passes keep firing: {}", passes.join(", "))
            }
            Self::Broken { when, findings } => {
                let count = problems(findings.len());
                match when {
                    When::Before => write!(f, "before the first patch: {count}")?,
                    When::Patch { rule, number, text, .. } => {
                        write!(f, "after pass {rule} (patch {number}, {text}): {count}")?;
                    }
                    When::Pass { name, first, last } => {
                        write!(f, "after pass {name} (one of the patches {first} to {last}): {count}")?;
                    }
                    When::End => write!(f, "after the last pass: {count}")?,
                }
                findings.iter().take(MAX_DRAWN).try_for_each(|finding| write!(f, "\n{finding}"))?;
                if findings.len() > MAX_DRAWN {
                    write!(f, "\n  and {} more", findings.len() - MAX_DRAWN)?;
                }
                if let When::Patch { planted: true, .. } = when {
                    f.write_str(PLANTED)?;
                }
                match when {
                    When::Before => {
                        f.write_str("\nnote: the model came in like that; no pass has touched it")
                    }
                    When::Patch { number, .. } | When::Pass { first: number, .. } => write!(
                        f,
                        "\nnote: run with --stop_after_patch {} to keep the model as it was before",
                        number.saturating_sub(1)
                    ),
                    When::End => {
                        f.write_str("\nnote: run with --verify_each to see which patch brought it about")
                    }
                }
            }
        }
    }
}

impl std::error::Error for DriverError {}
