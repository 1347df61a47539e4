//! The cost of each original operator, shared out from what was measured. All arithmetic is exact: what is shared
//! out, what is not and why, and what was measured are the two sides of an equation that is checked.
//!
//! A value was measured over the origins that the operator had at that time. With one origin, the value is that
//! origin's. With several it is shared out by weights, and the share is a guess between two bounds: at least what
//! was measured for the origin alone, at most everything measured in which it took part.

use std::collections::BTreeMap;
use std::fmt;

use circle_ir::lineage::Store;
use circle_ir::lineage::annotation::{Metric, MetricKind, Note, NoteValue, share_out};
use circle_ir::lineage::attach::file_of;
use circle_ir::lineage::claims::Role;
use circle_ir::{MetricId, Model, OriginId};

use crate::outside::{Outside, What};
use crate::weights::Weights;

/// What one original cost. In the unit of the metric.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// Measured for it alone.
    pub low: i128,
    /// Its part by weight of everything in which it took part.
    pub share: i128,
    /// Everything in which it took part.
    pub high: i128,
    /// How much of `share` was measured on operators that only serve it, such as layout changes: they have no
    /// original of their own and are charged to the one they were put in for.
    pub helper: i128,
    /// How much of `share` rests on relations that were not carried through passes but inferred or recorded
    /// without a role.
    pub inferred: i128,
    /// How many values it took part in.
    pub values: u64,
}

/// Why a cost stands for no original.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rest {
    /// The operator it was measured on has no known origin.
    Unattributed,
    /// The operator it was measured on has left since, and nothing does its work.
    Retired,
    /// Measured, but on no operator of the model; see [`crate::outside`].
    Overhead,
    /// What nested operators cost beyond the one around them: a number below 0.
    Overlap,
}

impl Rest {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unattributed => "unattributed",
            Self::Retired => "retired",
            Self::Overhead => "overhead",
            Self::Overlap => "overlap",
        }
    }
}

/// The costs of one metric from one profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// What was measured.
    pub metric: Metric,
    /// Base name of the profile.
    pub file: String,
    /// The name of the weights.
    pub weights: String,
    /// By original; those that nothing was measured for are left out.
    pub shares: BTreeMap<OriginId, Share>,
    /// What stands for no original that is still there, the reason, and the original where it is known.
    pub rest: BTreeMap<(Rest, String, Option<OriginId>), i128>,
    /// Everything that was measured.
    pub total: i128,
}

/// A table whose parts do not add up to what was measured, or lie outside their bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imbalance {
    /// The metric and profile.
    pub table: String,
    /// Sum of the parts.
    pub sum: i128,
    /// What was measured.
    pub total: i128,
}

impl fmt::Display for Imbalance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { table, sum, total } = self;
        if sum == total {
            return write!(f, "{table}: a share lies outside its bounds");
        }
        write!(f, "{table}: the parts add up to {sum} and {total} was measured")
    }
}

impl std::error::Error for Imbalance {}

impl Table {
    /// The sum of all shares.
    pub fn shared(&self) -> i128 {
        self.shares.values().map(|share| share.share).sum()
    }

    /// The part of [`shared`](Self::shared) that is no guess: measured for one original alone.
    pub fn exact(&self) -> i128 {
        self.shares.values().map(|share| share.low).sum()
    }

    /// The sum of what stands for no original, for one reason or for another.
    pub fn rest_of(&self, kind: Rest) -> i128 {
        self.rest.iter().filter(|((rest, ..), _)| *rest == kind).map(|(_, value)| value).sum()
    }

    /// Checks that shares and rest add up to what was measured, and that every share lies between its bounds.
    ///
    /// # Errors
    /// The two sums when they differ, or equal sums when a share is out of bounds.
    pub fn check(&self) -> Result<(), Imbalance> {
        let sum = self.shared() + self.rest.values().sum::<i128>();
        let bounded = self.shares.values().all(|s| s.low <= s.share && s.share <= s.high);
        if sum == self.total && bounded {
            return Ok(());
        }
        let table = format!("{} from {}", self.metric.name, self.file);
        Err(Imbalance { table, sum, total: self.total })
    }

    fn new(metric: Metric, file: &str, weights: &Weights) -> Self {
        let (file, weights) = (file.to_owned(), weights.name().to_owned());
        Self { metric, file, weights, shares: BTreeMap::new(), rest: BTreeMap::new(), total: 0 }
    }

    fn put_aside(&mut self, rest: Rest, reason: &str, value: i128) {
        *self.rest.entry((rest, reason.to_owned(), None)).or_insert(0) += value;
    }

    /// Shares out a value of an operator that has left over the originals it was measured on.
    fn retire(&mut self, store: &Store, note: &Note, value: i64, reason: &str, weights: &Weights) {
        let claims = store.claim_sets.get(note.over);
        if claims.is_empty() {
            return self.put_aside(Rest::Retired, reason, value.into());
        }
        for (claim, part) in claims.iter().zip(share_out(value, &weights.of(claims))) {
            let key = (Rest::Retired, reason.to_owned(), Some(claim.origin));
            *self.rest.entry(key).or_insert(0) += i128::from(part);
        }
    }

    /// Shares out a value of an operator that is still there.
    fn share(&mut self, store: &Store, note: &Note, value: i64, unknown: Option<&str>, weights: &Weights) {
        let claims = store.claim_sets.get(note.over);
        if value < 0 {
            return self.put_aside(
                Rest::Overlap,
                "nested operators cost more than what is around them",
                value.into(),
            );
        }
        if claims.is_empty() {
            let reason = unknown.unwrap_or("measured when its origin was not known");
            return self.put_aside(Rest::Unattributed, reason, value.into());
        }
        for (claim, part) in claims.iter().zip(share_out(value, &weights.of(claims))) {
            let part = i128::from(part);
            let share = self.shares.entry(claim.origin).or_default();
            share.share += part;
            share.high += i128::from(value);
            share.values += 1;
            if claims.len() == 1 {
                share.low += part;
            }
            match claim.role {
                Role::Helper => share.helper += part,
                role if !role.is_carried() => share.inferred += part,
                _ => {}
            }
        }
    }
}

/// One table for each additive metric and profile that the model's annotations hold, and for those in `outside`,
/// by name of metric and profile. Values of operators that have left are in it: everything that was ever attached is
/// accounted for.
pub fn attribute(model: &Model, weights: &Weights, outside: &[Outside]) -> Vec<Table> {
    let store = model.store();
    let mut tables: BTreeMap<(Metric, String), Table> = BTreeMap::new();
    let mut table = |metric: &Metric, file: &str, fill: &mut dyn FnMut(&mut Table)| {
        let key = (metric.clone(), file.to_owned());
        fill(tables.entry(key).or_insert_with(|| Table::new(metric.clone(), file, weights)));
    };
    for (_, sg) in model.subgraphs() {
        for (_, op) in sg.operators() {
            let unknown = op.lineage().unknown().map(|reason| store.reason_text(reason));
            for note in op.notes() {
                let Some((metric, value)) = additive(store, note) else { continue };
                table(metric, file_of(&note.from), &mut |table| {
                    table.total += i128::from(value);
                    table.share(store, note, value, unknown, weights);
                });
            }
        }
    }
    for (_, notes) in model.subgraphs().flat_map(|(_, sg)| sg.noted()) {
        for note in notes {
            let Some((metric, value)) = additive(store, note) else { continue };
            table(metric, file_of(&note.from), &mut |table| {
                table.total += i128::from(value);
                table.share(store, note, value, Some("measured on a constant"), weights);
            });
        }
    }
    for departure in &store.ledger {
        for note in &departure.notes {
            let Some((metric, value)) = additive(store, note) else { continue };
            table(metric, file_of(&note.from), &mut |table| {
                table.total += i128::from(value);
                table.retire(store, note, value, departure.reason.name(), weights);
            });
        }
    }
    // The whole run comes last: what it holds beyond everything else is the time between operators.
    let (whole, others): (Vec<&Outside>, Vec<&Outside>) =
        outside.iter().partition(|outside| outside.what == What::Wall);
    for outside in others.into_iter().chain(whole) {
        table(&outside.metric, &outside.file, &mut |table| match outside.what {
            What::Wall => {
                let between = outside.value - table.total;
                let reason = if between < 0 { "operators ran side by side" } else { "between operators" };
                table.put_aside(Rest::Overhead, reason, between);
                table.total = outside.value;
            }
            what => {
                table.put_aside(Rest::Overhead, what.text(), outside.value);
                table.total += outside.value;
            }
        });
    }
    tables.into_values().collect()
}

fn additive<'s>(store: &'s Store, note: &Note) -> Option<(&'s Metric, i64)> {
    let metric = store.metrics.get(MetricId::number(note.metric) as usize)?;
    match note.value {
        NoteValue::Integer(value) if metric.kind == MetricKind::Additive => Some((metric, value)),
        _ => None,
    }
}
