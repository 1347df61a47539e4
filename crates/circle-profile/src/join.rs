//! Which operator each row of a profile is about. Rows are joined by subgraph and operator index, and only if the
//! kind of operator fits; every row that is not joined is listed with the reason.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use circle_ir::lineage::annotation::MetricKind;
use circle_ir::{Model, OpCode, OpId, SubgraphId};
use circle_metadata::profile::kinds::{self, Fit};
use circle_metadata::profile::{OtherReason, Profile, Row, Unit};

use crate::metric;

/// A row that belongs to an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Joined {
    /// Index in [`Profile::rows`].
    pub row: usize,
    /// The operator's subgraph.
    pub subgraph: SubgraphId,
    /// The operator.
    pub operator: OpId,
    /// How well the kinds fit; `None` if the row names no kind, so that only the index speaks for the join.
    pub fit: Option<Fit>,
}

/// Which row of a profile is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RowRef {
    /// Index in [`Profile::rows`].
    Operator(usize),
    /// Index in [`Profile::other`].
    Other(usize),
}

/// A row that belongs to no operator of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmatched {
    /// The row.
    pub row: RowRef,
    /// Its line in the profile, from 1.
    pub line: u64,
    /// Why.
    pub reason: Reason,
}

/// Why a row was not joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The model has no such subgraph.
    NoSubgraph {
        /// The index in the row.
        index: u32,
        /// How many there are.
        count: usize,
    },
    /// The subgraph has no such operator.
    NoOperator {
        /// The index in the row.
        index: u32,
        /// How many there are.
        count: usize,
    },
    /// The runtime put the operator in: its index lies beyond those of the file, and its kind is one of those that
    /// runtimes insert.
    Inserted {
        /// The kind.
        kind: String,
    },
    /// The operator there is of another kind.
    Kind {
        /// Kind in the row.
        row: String,
        /// Operator code in the model.
        model: String,
    },
    /// The metric of the operator has been given before, and nothing says that the two add up.
    Repeated {
        /// Line of the row that was joined.
        first: u64,
    },
    /// It is no measurement of an operator.
    NoOperatorRow(OtherReason),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSubgraph { index, count } => write!(f, "no subgraph {index} ({count} there)"),
            Self::NoOperator { index, count } => write!(f, "no operator {index} ({count} there)"),
            Self::Inserted { kind } => write!(f, "{kind:?} was put in by the runtime"),
            Self::Kind { row, model } => write!(f, "{:?} does not fit {model}", first(row)),
            Self::Repeated { first } => write!(f, "repeats what line {first} gives"),
            Self::NoOperatorRow(reason) => f.write_str(reason.text()),
        }
    }
}

/// A profile laid beside a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Join {
    /// Rows with an operator, in the order of the profile.
    pub joined: Vec<Joined>,
    /// Rows without, in the order of the profile; those that are no operator's come last.
    pub unmatched: Vec<Unmatched>,
    /// Operators without a row, in execution order.
    pub uncovered: Vec<(SubgraphId, OpId)>,
}

/// The beginning of a kind, which is a word unless somebody means harm.
fn first(kind: &str) -> std::borrow::Cow<'_, str> {
    const ROOM: usize = 64;
    match kind.char_indices().nth(ROOM) {
        Some((end, _)) => format!("{}…", kind.get(..end).unwrap_or_default()).into(),
        None => kind.into(),
    }
}

impl Join {
    /// How many rows are about an operator that the model does not have, or has of another kind.
    ///
    /// Joined rows may be wrong too if there are any: the profile was measured on another model or on another state
    /// of this one, and where kinds repeat, as they do in deep networks, shifted indices fit by chance. Callers
    /// should not go on without being told to.
    pub fn doubts(&self) -> usize {
        let doubt = |unmatched: &&Unmatched| {
            matches!(
                unmatched.reason,
                Reason::NoSubgraph { .. } | Reason::NoOperator { .. } | Reason::Kind { .. }
            )
        };
        self.unmatched.iter().filter(doubt).count()
    }
}

/// Rows of one metric of one operator.
struct Given<'p> {
    line: u64,
    contexts: BTreeSet<Context<'p>>,
}

/// What tells two rows of one metric of one operator apart: instruction, and caller.
type Context<'p> = (Option<&'p str>, Option<(u32, u32)>);

/// Joins `profile` to `model`. The operator index counts in execution order, which is that of the file.
///
/// Several rows of one operator and additive metric are parts of it, and all joined, if they are of different
/// instructions or ran inside different callers. Of other repetitions the first row is joined.
pub fn join(model: &Model, profile: &Profile) -> Join {
    let subgraphs: Vec<Vec<(OpId, &OpCode)>> =
        model.subgraphs().map(|(_, sg)| sg.operators().map(|(id, op)| (id, op.code())).collect()).collect();
    let mut covered: Vec<Vec<bool>> = subgraphs.iter().map(|ops| vec![false; ops.len()]).collect();
    let mut given: BTreeMap<(u32, u32, &str, Unit), Given<'_>> = BTreeMap::new();
    let mut join = Join::default();
    for (index, row) in profile.rows.iter().enumerate() {
        let found = place(&subgraphs, row).and_then(|found| first_or_part(&mut given, row).map(|()| found));
        match found {
            Ok((operator, fit)) => {
                let subgraph = SubgraphId::from_number(row.subgraph);
                join.joined.push(Joined { row: index, subgraph, operator, fit });
                let flags = covered.get_mut(row.subgraph as usize);
                if let Some(flag) = flags.and_then(|flags| flags.get_mut(row.operator as usize)) {
                    *flag = true;
                }
            }
            Err(reason) => {
                join.unmatched.push(Unmatched { row: RowRef::Operator(index), line: row.line, reason })
            }
        }
    }
    for (index, other) in profile.other.iter().enumerate() {
        let reason = Reason::NoOperatorRow(other.reason);
        join.unmatched.push(Unmatched { row: RowRef::Other(index), line: other.line, reason });
    }
    for ((sg, operators), flags) in (0..).zip(&subgraphs).zip(&covered) {
        let bare = operators.iter().zip(flags).filter(|(_, covered)| !**covered);
        join.uncovered.extend(bare.map(|((id, _), _)| (SubgraphId::from_number(sg), *id)));
    }
    join
}

/// The operator that a row is about by its indices and kind.
fn place(subgraphs: &[Vec<(OpId, &OpCode)>], row: &Row) -> Result<(OpId, Option<Fit>), Reason> {
    let operators = subgraphs
        .get(row.subgraph as usize)
        .ok_or(Reason::NoSubgraph { index: row.subgraph, count: subgraphs.len() })?;
    let kind = row.kind.as_deref();
    let Some(&(id, code)) = operators.get(row.operator as usize) else {
        return Err(match kind.filter(|kind| kinds::inserted_by_runtime(kind)) {
            Some(kind) => Reason::Inserted { kind: kind.to_owned() },
            None => Reason::NoOperator { index: row.operator, count: operators.len() },
        });
    };
    let Some(kind) = kind else { return Ok((id, None)) };
    match compare(kind, code) {
        Fit::Different => Err(Reason::Kind { row: kind.to_owned(), model: code.name() }),
        fit => Ok((id, Some(fit))),
    }
}

/// Runtimes call a custom operator `CUSTOM`, or by its own name.
fn compare(kind: &str, code: &OpCode) -> Fit {
    match &code.custom {
        Some(name) if kinds::compare(kind, name) == Fit::Same => Fit::Same,
        Some(_) => kinds::compare(kind, "CUSTOM"),
        None => kinds::compare(kind, &code.name()),
    }
}

/// Whether the row is the first of its metric and operator, or a further part of it.
fn first_or_part<'p>(
    given: &mut BTreeMap<(u32, u32, &'p str, Unit), Given<'p>>,
    row: &'p Row,
) -> Result<(), Reason> {
    let context: Context<'p> = (row.instruction.as_deref(), row.parent);
    let key = (row.subgraph, row.operator, row.metric.as_str(), row.unit);
    let Some(before) = given.get_mut(&key) else {
        given.insert(key, Given { line: row.line, contexts: BTreeSet::from([context]) });
        return Ok(());
    };
    let additive = metric::kind(&row.metric, row.unit) == MetricKind::Additive;
    let nameless = (None, None);
    if !additive || context == nameless || before.contexts.contains(&nameless) {
        return Err(Reason::Repeated { first: before.line });
    }
    if before.contexts.insert(context) { Ok(()) } else { Err(Reason::Repeated { first: before.line }) }
}
