//! The conservation law: what came in is carried by live operators and constants or is in the ledger, nothing is
//! invented, every operator has an origin or a reason, and additive annotations add up to what they were.

use std::collections::{BTreeMap, BTreeSet};

use super::{Finding, Subject};
use crate::entity::{MetricId, OriginId, TensorOriginId};
use crate::lineage::annotation::{MetricKind, Note, NoteValue};
use crate::model::Model;

/// What a model's lineage amounts to; taken before a pipeline and compared after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Balance {
    /// Sum of each additive metric over live operators, tensors and the ledger.
    pub additive: BTreeMap<MetricId, i128>,
    /// How many operator origins there are.
    pub origins: usize,
    /// How many tensor origins there are.
    pub tensor_origins: usize,
}

/// The balance of `model` as it is.
pub fn balance(model: &Model) -> Balance {
    let store = model.store();
    let mut additive = BTreeMap::new();
    let live = model.subgraphs().flat_map(|(_, sg)| sg.operators()).flat_map(|(_, op)| op.notes());
    let gone = store.ledger.iter().flat_map(|departure| &departure.notes);
    let tensors = model.subgraphs().flat_map(|(_, sg)| sg.noted()).flat_map(|(_, notes)| notes);
    for Note { metric, value, .. } in live.chain(tensors).chain(gone) {
        let kind = store.metrics.get(metric.number() as usize).map(|m| m.kind);
        if let (Some(MetricKind::Additive), NoteValue::Integer(value)) = (kind, value) {
            *additive.entry(*metric).or_insert(0) += i128::from(*value);
        }
    }
    Balance { additive, origins: store.origins.operators.len(), tensor_origins: store.origins.tensors.len() }
}

/// The operator origins that live operators carry.
pub fn live_origins(model: &Model) -> BTreeSet<OriginId> {
    let sets: BTreeSet<_> =
        model.subgraphs().flat_map(|(_, sg)| sg.operators()).map(|(_, op)| op.lineage().claims()).collect();
    sets.into_iter().flat_map(|set| model.store().claim_sets.get(set)).map(|claim| claim.origin).collect()
}

/// Everything of the law that does not hold, given the balance at import.
pub fn check(model: &Model, before: &Balance) -> Vec<Finding> {
    let mut findings = Vec::new();
    let store = model.store();
    let mut report =
        |subject: Subject, place: String, text: String| findings.push(Finding { subject, place, text });

    for (id, sg) in model.subgraphs() {
        for (op, operator) in sg.operators() {
            let claims = store.claim_sets.get(operator.lineage().claims());
            if claims.is_empty() && operator.lineage().unknown().is_none() {
                report(
                    Subject::Operator(id, op),
                    format!("{id} {op}"),
                    format!("{} has neither an origin nor a reason", operator.code().name()),
                );
            }
        }
    }

    let mut accounted = live_origins(model);
    let on_constants: BTreeSet<_> =
        model.subgraphs().flat_map(|(_, sg)| sg.values()).map(|(_, v)| v.lineage().claims()).collect();
    accounted.extend(on_constants.into_iter().flat_map(|s| store.claim_sets.get(s)).map(|c| c.origin));
    accounted.extend(store.ledger.iter().flat_map(|d| store.claim_sets.get(d.claims)).map(|c| c.origin));
    for origin in store.origins.operators.keys().filter(|id| !accounted.contains(id)) {
        let name = store.origins.operator(*origin).map_or("", |o| &o.name);
        let subject = Subject::Origin(*origin);
        report(
            subject,
            format!("{origin}"),
            format!("\"{name}\" is carried by nothing and is not in the ledger"),
        );
    }
    for origin in accounted.iter().filter(|id| !store.origins.operators.contains_key(id)) {
        report(Subject::Origin(*origin), format!("{origin}"), "is claimed and does not exist".into());
    }

    let mut tensors: BTreeSet<TensorOriginId> = BTreeSet::new();
    let sets: BTreeSet<_> =
        model.subgraphs().flat_map(|(_, sg)| sg.values()).map(|(_, v)| v.lineage().tensors()).collect();
    tensors.extend(sets.into_iter().flat_map(|set| store.tensor_sets.get(set)));
    tensors.extend(store.ledger.iter().flat_map(|d| store.tensor_sets.get(d.tensors)));
    let count = store.origins.tensors.len() as u32;
    for number in (0..count).filter(|&n| !tensors.contains(&TensorOriginId::from_number(n))) {
        report(
            Subject::Other,
            format!("@%{number}"),
            "is carried by nothing and is not in the ledger".into(),
        );
    }
    for origin in tensors.iter().filter(|id| id.number() >= count) {
        report(Subject::Other, format!("{origin}"), "is claimed and does not exist".into());
    }

    let after = balance(model);
    if (after.origins, after.tensor_origins) != (before.origins, before.tensor_origins) {
        report(Subject::Other, "origins".into(), "were added or removed after import".into());
    }
    let metrics: BTreeSet<MetricId> = before.additive.keys().chain(after.additive.keys()).copied().collect();
    for metric in metrics {
        let sum = |balance: &Balance| balance.additive.get(&metric).copied().unwrap_or(0);
        if sum(before) != sum(&after) {
            let name = store.metrics.get(metric.number() as usize).map_or("", |m| &m.name);
            report(
                Subject::Other,
                format!("{metric} {name}"),
                format!("summed to {} and sums to {}", sum(before), sum(&after)),
            );
        }
    }
    findings
}
