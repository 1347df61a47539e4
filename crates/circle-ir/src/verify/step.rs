//! One patch: what it took is carried on by what it made or is in the ledger, and nothing else is claimed.
//!
//! The conservation law alone would let an origin that two operators carry vanish from one of them, or move to an
//! operator that has nothing to do with it. This check looks at one patch and at the operators that it took and added,
//! in time that grows with them and not with the model, and relies on nothing that applying the patch wrote down of its
//! own accord: claims are held against those before it. That it left all others alone is for [`Watch`](super::watch::Watch)
//! to say.

mod united;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use super::{Finding, Subject};
use crate::entity::{ClaimSetId, Entity, EventId, OpId, OriginId, SubgraphId, TensorOriginId, ValueId};
use crate::lineage::Store;
use crate::lineage::annotation::{MetricKind, Note, NoteValue};
use crate::model::Model;
use crate::operator::Operator;
use crate::patch::{Applied, Patch};
use crate::text::{Show, print_operator};
use united::United;
use words::Words;

/// What an operator carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) claims: ClaimSetId,
    event: Option<EventId>,
    /// Sum of all its additive values, of whatever metrics.
    cost: i128,
}

/// What a patch is about, before it is applied, as far as that is needed to judge it.
#[derive(Clone, Debug)]
pub struct Before {
    subgraph: SubgraphId,
    taken: BTreeMap<OpId, Held>,
    /// The lines of the taken operators, where they were asked for.
    lines: BTreeMap<OpId, String>,
    /// The numbers from which on tensors of the subgraph are new.
    next_value: ValueId,
    /// Of the tensors that the taken operators read and wrote, if the patch makes tensors.
    tensors: BTreeSet<TensorOriginId>,
    on_tensors: BTreeSet<OriginId>,
    departures: usize,
    words: Words,
    united: United,
}

fn cost(store: &Store, notes: &[Note]) -> i128 {
    let additive = |note: &Note| {
        store.metrics.get(note.metric.index()).is_some_and(|metric| metric.kind == MetricKind::Additive)
    };
    let value = |note: &Note| match note.value {
        NoteValue::Integer(value) => i128::from(value),
        NoteValue::Decimal(_) | NoteValue::Text(_) => 0,
    };
    notes.iter().filter(|note| additive(note)).map(value).sum()
}

fn origins(store: &Store, sets: impl IntoIterator<Item = ClaimSetId>) -> BTreeSet<OriginId> {
    let sets: BTreeSet<ClaimSetId> = sets.into_iter().collect();
    sets.into_iter().flat_map(|set| store.claim_sets.get(set)).map(|claim| claim.origin).collect()
}

pub(super) fn held(store: &Store, op: &Operator) -> Held {
    Held { claims: op.lineage().claims(), event: op.lineage().event(), cost: cost(store, op.notes()) }
}

impl Before {
    /// `model` before `patch` is applied to it; with the lines of the operators that it takes if `drawn`.
    pub fn new(model: &Model, patch: &Patch, drawn: bool) -> Self {
        let (subgraph, taken, store) = (patch.subgraph(), patch.takes(), model.store());
        let sg = model.subgraph(subgraph);
        let ops = || taken.iter().filter_map(|&op| Some((op, sg?.operator(op)?)));
        let line = |(id, op)| (id, print_operator(model, id, op, Show::Lineage));
        let lines = if drawn { ops().map(line).collect() } else { BTreeMap::new() };
        let near = ops().flat_map(|(_, op)| op.inputs().iter().flatten().chain(op.outputs()));
        // A constant may stand for many; they are looked at only where something can claim to come of them.
        let near: BTreeSet<ValueId> = near.filter(|_| patch.makes_tensors()).copied().collect();
        let near: Vec<_> = near.into_iter().filter_map(|v| Some(*sg?.value(v)?.lineage())).collect();
        let tensors = near.iter().flat_map(|l| store.tensor_sets.get(l.tensors())).copied().collect();
        let on_tensors = origins(store, near.iter().map(|l| l.claims()));
        Self {
            subgraph,
            taken: ops().map(|(id, op)| (id, held(store, op))).collect(),
            lines,
            next_value: sg.map_or(ValueId::new(0), |sg| sg.next_value()),
            tensors,
            on_tensors,
            departures: store.ledger.len(),
            words: sg.map_or_else(Words::default, |sg| Words::new(patch, sg, &taken)),
            united: sg.map_or_else(United::default, |sg| United::new(patch, sg)),
        }
    }

    /// The subgraph that the patch is about.
    pub fn subgraph(&self) -> SubgraphId {
        self.subgraph
    }

    /// The operators that the patch took.
    pub fn taken(&self) -> impl Iterator<Item = OpId> {
        self.taken.keys().copied()
    }

    /// The tensors of which one takes over what another stood for.
    pub(super) fn united(&self) -> impl Iterator<Item = ValueId> {
        self.united.values()
    }

    /// The operators that the patch took and that carried `origin`, with their lines.
    pub fn carriers(&self, store: &Store, origin: OriginId) -> Vec<(OpId, Option<&str>)> {
        let carried =
            |held: &Held| store.claim_sets.get(held.claims).iter().any(|claim| claim.origin == origin);
        let carriers = self.taken.iter().filter(|(_, held)| carried(held));
        carriers.map(|(&op, _)| (op, self.line(op))).collect()
    }

    /// The line of an operator that the patch took, as it was before.
    pub fn line(&self, op: OpId) -> Option<&str> {
        self.lines.get(&op).map(String::as_str)
    }
}

/// The origins of constants and tensors that a patch has added.
fn check_values(
    before: &Before,
    model: &Model,
    took: &BTreeSet<OriginId>,
    report: &mut dyn FnMut(Subject, String, String),
) -> BTreeSet<OriginId> {
    let store = model.store();
    let mut carried = BTreeSet::new();
    let Some(sg) = model.subgraph(before.subgraph) else { return carried };
    let new = (before.next_value.number()..sg.next_value().number()).map(ValueId::from_number);
    for (v, value) in new.filter_map(|v| Some((v, sg.value(v)?))) {
        let place = || format!("{} {v} \"{}\"", before.subgraph, value.name());
        for claim in store.claim_sets.get(value.lineage().claims()) {
            carried.insert(claim.origin);
            if !took.contains(&claim.origin) && !before.on_tensors.contains(&claim.origin) {
                report(
                    Subject::Origin(claim.origin),
                    place(),
                    format!("claims {}, which the patch did not take", claim.origin),
                );
            }
        }
        for tensor in store.tensor_sets.get(value.lineage().tensors()) {
            if !before.tensors.contains(tensor) {
                report(
                    Subject::Other,
                    place(),
                    format!("claims {tensor}, which no operator read or wrote that the patch took"),
                );
            }
        }
    }
    carried
}

/// Everything about the patch that left `applied` that does not hold.
pub fn check(before: &Before, model: &Model, applied: &Applied) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut report =
        |subject: Subject, place: String, text: String| findings.push(Finding { subject, place, text });
    let store = model.store();
    let id = before.subgraph;
    let took = origins(store, before.taken.values().map(|was| was.claims));
    let now = |op: OpId| Some(held(store, model.subgraph(id)?.operator(op)?));

    // What it made claims nothing else, and has the step as its last.
    let stays = before.taken.keys().filter(|&&op| now(op).is_some());
    let made: Vec<OpId> = applied.added.iter().chain(stays).copied().collect();
    let mut spent = 0;
    let on_constants = check_values(before, model, &took, &mut report);
    let mut carried = on_constants.clone();
    for op in made {
        let Some(is) = now(op) else {
            report(
                Subject::Operator(id, op),
                format!("{id} {op}"),
                "was added by the patch and is not there".into(),
            );
            continue;
        };
        spent += is.cost;
        let own = origins(store, [is.claims]);
        for origin in own.difference(&took) {
            let text = format!("claims {origin}, which the patch did not take");
            report(Subject::Operator(id, op), format!("{id} {op}"), text);
        }
        let untouched = before.taken.get(&op).is_some_and(|was| *was == is);
        if is.event != Some(applied.event) && !untouched {
            let text = "was changed by the patch, and its history does not say so".into();
            report(Subject::Operator(id, op), format!("{id} {op}"), text);
        }
        carried.extend(own);
    }

    // What it took is carried on or in the ledger, cost included.
    for departure in store.ledger.get(before.departures..).unwrap_or_default() {
        spent += cost(store, &departure.notes);
        let gone = origins(store, [departure.claims]);
        for origin in gone.difference(&took) {
            let text = "was entered in the ledger, and the patch did not take it".into();
            report(Subject::Origin(*origin), format!("{origin}"), text);
        }
        if !before.words.retire(before, departure.claims, departure.reason) && gone.is_subset(&took) {
            let text =
                format!("has an entry that is {}, which the patch does not say", departure.reason.name());
            report(Subject::Other, "ledger".into(), text);
        }
        carried.extend(gone);
        if departure.event != applied.event {
            report(
                Subject::Other,
                "ledger".into(),
                "an entry names another step than that of the patch".into(),
            );
        }
    }
    for origin in took.difference(&carried) {
        let name = store.origins.operator(*origin).map_or("", |o| &o.name);
        let text = format!("\"{name}\" was taken and is neither carried on nor in the ledger");
        report(Subject::Origin(*origin), format!("{origin}"), text);
    }
    let had: i128 = before.taken.values().map(|was| was.cost).sum();
    if had != spent {
        let text = format!("the operators that the patch took cost {had} and what they became {spent}");
        report(Subject::Other, format!("{id}"), text);
    }
    match store.history.get(applied.event) {
        Some(event) if origins(store, [event.took]) == took => {}
        _ => report(
            Subject::Other,
            format!("{}", applied.event),
            "does not say in the history what the patch took".into(),
        ),
    }
    findings.extend(before.united.check(model, id, before.next_value));
    findings.extend(before.words.check(before, model, applied, &on_constants));
    findings
}

/// The line of an operator as it is now.
pub fn line(model: &Model, subgraph: SubgraphId, op: OpId) -> Option<String> {
    let operator = model.subgraph(subgraph)?.operator(op)?;
    Some(print_operator(model, op, operator, Show::Lineage))
}

#[cfg(test)]
mod tests;
