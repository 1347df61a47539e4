//! One patch: what it took is carried on by what it made or is in the ledger, nothing else is claimed, and operators
//! that it did not take are as they were.
//!
//! The conservation law alone would let an origin that two operators carry vanish from one of them, or move to an
//! operator that has nothing to do with it. This check looks at one patch and at the operators around it, and relies
//! on nothing that applying the patch wrote down of its own accord: claims are held against those before it.

use std::collections::{BTreeMap, BTreeSet};

use super::{Finding, Subject};
use crate::entity::{ClaimSetId, Entity, EventId, OpId, OriginId, SubgraphId, TensorOriginId, ValueId};
use crate::lineage::Store;
use crate::lineage::annotation::{MetricKind, Note, NoteValue};
use crate::model::Model;
use crate::patch::{Applied, Patch};
use crate::text::{Show, print_operator};

/// What an operator carried before a patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Held {
    claims: ClaimSetId,
    event: Option<EventId>,
    /// Sum of all its additive values, of whatever metrics.
    cost: i128,
}

/// A model before a patch, as far as that is needed to judge the patch. Takes time and memory in the number of
/// operators.
#[derive(Clone, Debug)]
pub struct Before {
    subgraph: SubgraphId,
    held: Vec<BTreeMap<OpId, Held>>,
    taken: BTreeSet<OpId>,
    /// The lines of the taken operators.
    lines: BTreeMap<OpId, String>,
    /// The numbers from which on tensors of the subgraph are new.
    next_value: ValueId,
    /// Of the tensors that the taken operators read and wrote.
    tensors: BTreeSet<TensorOriginId>,
    on_tensors: BTreeSet<OriginId>,
    departures: usize,
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

fn held(model: &Model) -> Vec<BTreeMap<OpId, Held>> {
    let store = model.store();
    let one = |op: &crate::Operator| Held {
        claims: op.lineage().claims(),
        event: op.lineage().event(),
        cost: cost(store, op.notes()),
    };
    model.subgraphs().map(|(_, sg)| sg.operators().map(|(id, op)| (id, one(op))).collect()).collect()
}

impl Before {
    /// `model` before `patch` is applied to it.
    pub fn new(model: &Model, patch: &Patch) -> Self {
        let (subgraph, taken, store) = (patch.subgraph(), patch.takes(), model.store());
        let sg = model.subgraph(subgraph);
        let ops = || taken.iter().filter_map(|&op| Some((op, sg?.operator(op)?)));
        let lines = ops().map(|(id, op)| (id, print_operator(model, id, op, Show::Lineage))).collect();
        let near = ops().flat_map(|(_, op)| op.inputs().iter().flatten().chain(op.outputs()));
        let near: BTreeSet<ValueId> = near.copied().collect();
        let near: Vec<_> = near.into_iter().filter_map(|v| Some(*sg?.value(v)?.lineage())).collect();
        let tensors = near.iter().flat_map(|l| store.tensor_sets.get(l.tensors())).copied().collect();
        let on_tensors = origins(store, near.iter().map(|l| l.claims()));
        Self {
            subgraph,
            held: held(model),
            lines,
            next_value: sg.map_or(ValueId::new(0), |sg| sg.next_value()),
            tensors,
            on_tensors,
            departures: store.ledger.len(),
            taken: taken.into_iter().collect(),
        }
    }

    fn of(&self, op: OpId) -> Option<Held> {
        self.held.get(self.subgraph.index())?.get(&op).copied()
    }

    /// The operators that carried `origin`, with their subgraph and, if the patch took them, their line.
    pub fn carriers(&self, store: &Store, origin: OriginId) -> Vec<(SubgraphId, OpId, Option<&str>)> {
        let mut out = Vec::new();
        for (number, operators) in self.held.iter().enumerate() {
            let id = SubgraphId::new(number as u32);
            for (&op, held) in operators {
                if store.claim_sets.get(held.claims).iter().any(|claim| claim.origin == origin) {
                    let line = (id == self.subgraph).then(|| self.lines.get(&op)).flatten();
                    out.push((id, op, line.map(String::as_str)));
                }
            }
        }
        out
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
    for (v, value) in sg.values().filter(|(v, _)| *v >= before.next_value) {
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
    let now = held(model);
    let id = before.subgraph;
    let took = origins(store, before.taken.iter().filter_map(|&op| Some(before.of(op)?.claims)));

    // What the patch left alone is as it was.
    let added: BTreeSet<OpId> = applied.added.iter().copied().collect();
    for (number, (old, new)) in before.held.iter().zip(&now).enumerate() {
        let sg = SubgraphId::new(number as u32);
        for (op, was) in old.iter().filter(|(op, _)| sg != id || !before.taken.contains(op)) {
            let text = match new.get(op) {
                None => "has left, and the patch did not take it",
                Some(is) if is != was => "has other origins or costs, and the patch did not take it",
                Some(_) => continue,
            };
            report(Subject::Operator(sg, *op), format!("{sg} {op}"), text.into());
        }
        for op in new.keys().filter(|op| !old.contains_key(op) && (sg != id || !added.contains(op))) {
            report(
                Subject::Operator(sg, *op),
                format!("{sg} {op}"),
                "has come in, and the patch did not add it".into(),
            );
        }
    }

    // What it made claims nothing else, and has the step as its last.
    let empty = BTreeMap::new();
    let here = now.get(id.index()).unwrap_or(&empty);
    let made = || applied.added.iter().chain(before.taken.iter().filter(|op| here.contains_key(op)));
    let mut spent = 0;
    let mut carried = check_values(before, model, &took, &mut report);
    for op in made() {
        let Some(is) = here.get(op) else {
            report(
                Subject::Operator(id, *op),
                format!("{id} {op}"),
                "was added by the patch and is not there".into(),
            );
            continue;
        };
        spent += is.cost;
        let own = origins(store, [is.claims]);
        for origin in own.difference(&took) {
            let text = format!("claims {origin}, which the patch did not take");
            report(Subject::Operator(id, *op), format!("{id} {op}"), text);
        }
        let untouched = before.of(*op).is_some_and(|was| was == *is);
        if is.event != Some(applied.event) && !untouched {
            let text = "was changed by the patch, and its history does not say so".into();
            report(Subject::Operator(id, *op), format!("{id} {op}"), text);
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
    let had: i128 = before.taken.iter().filter_map(|&op| before.of(op)).map(|was| was.cost).sum();
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
    findings
}

/// The line of an operator as it is now.
pub fn line(model: &Model, subgraph: SubgraphId, op: OpId) -> Option<String> {
    let operator = model.subgraph(subgraph)?.operator(op)?;
    Some(print_operator(model, op, operator, Show::Lineage))
}

#[cfg(test)]
mod tests;
