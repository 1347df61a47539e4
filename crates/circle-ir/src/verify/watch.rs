//! What every operator and tensor carries, kept up with patch by patch, so that a change that no patch stands for shows: at
//! once where a patch takes the operator next, and otherwise when all are looked at.
//!
//! Keeping up costs what the patch is about; only [`Watch::new`] and [`Watch::scan`] look at everything.

use std::collections::{BTreeMap, BTreeSet};

use super::step::{Before, Held, held};
use super::{Finding, Subject};
use crate::entity::{Entity, OpId, OriginId, SubgraphId, ValueId};
use crate::lineage::annotation::Note;
use crate::lineage::{Store, ValueLineage};
use crate::model::Model;
use crate::patch::{Applied, Patch};
use crate::subgraph::Subgraph;

/// What the operators and tensors of a model are known to carry, by subgraph and number.
#[derive(Clone, Debug)]
pub struct Watch {
    held: Vec<Vec<Option<Held>>>,
    values: Vec<Vec<Option<ValueLineage>>>,
    /// What was measured on tensors, which no patch changes.
    notes: Vec<BTreeMap<ValueId, Vec<Note>>>,
}

impl Watch {
    /// The operators and tensors of `model` as they are.
    pub fn new(model: &Model) -> Self {
        let notes = model.subgraphs().map(|(_, sg)| sg.notes.clone()).collect();
        Self { notes, ..Self::without_notes(model) }
    }

    /// The same without what was measured on tensors, which can be compared where it is.
    fn without_notes(model: &Model) -> Self {
        let store = model.store();
        let of = |(_, sg): (SubgraphId, &Subgraph)| {
            let mut all = vec![None; sg.operator_bound()];
            for (id, op) in sg.operators() {
                if let Some(place) = all.get_mut(id.index()) {
                    *place = Some(held(store, op));
                }
            }
            all
        };
        let values = |(_, sg): (SubgraphId, &Subgraph)| {
            let mut all = vec![None; sg.next_value().index()];
            for (v, value) in sg.values() {
                if let Some(place) = all.get_mut(v.index()) {
                    *place = Some(*value.lineage());
                }
            }
            all
        };
        Self {
            held: model.subgraphs().map(of).collect(),
            values: model.subgraphs().map(values).collect(),
            notes: Vec::new(),
        }
    }

    fn get(&self, subgraph: SubgraphId, op: OpId) -> Option<Held> {
        self.held.get(subgraph.index())?.get(op.index()).copied().flatten()
    }

    /// The operators that `patch` is about to take and that are not as they were left: what an earlier patch did behind
    /// the back of the checks.
    pub fn astray(&self, model: &Model, patch: &Patch) -> Vec<Finding> {
        let id = patch.subgraph();
        let Some(sg) = model.subgraph(id) else { return Vec::new() };
        let taken = patch.takes().into_iter().filter_map(|op| Some((op, sg.operator(op)?)));
        taken
            .filter_map(|(op, operator)| {
                compare((id, op), self.get(id, op), Some(held(model.store(), operator)))
            })
            .collect()
    }

    /// Takes over what the operators carry that a patch took or added, and the tensors that it made or united, now that it
    /// is applied.
    pub fn follow(&mut self, model: &Model, before: &Before, applied: &Applied) {
        let id = before.subgraph();
        let (Some(sg), Some(all)) = (model.subgraph(id), self.held.get_mut(id.index())) else { return };
        for op in before.taken().chain(applied.added.iter().copied()) {
            if all.len() <= op.index() && op.index() < sg.operator_bound() {
                all.resize(sg.operator_bound(), None);
            }
            if let Some(place) = all.get_mut(op.index()) {
                *place = sg.operator(op).map(|operator| held(model.store(), operator));
            }
        }
        let Some(values) = self.values.get_mut(id.index()) else { return };
        let new = (values.len()..sg.next_value().index()).map(|v| ValueId::new(v as u32));
        let touched: Vec<ValueId> = before.united().chain(new).collect();
        values.resize(sg.next_value().index(), None);
        for v in touched {
            if let Some(place) = values.get_mut(v.index()) {
                *place = sg.value(v).map(|value| *value.lineage());
            }
        }
    }

    /// The tensors that are not as the patches left them.
    fn scan_values(&self, now: &Self, findings: &mut Vec<Finding>) {
        for (number, (old, new)) in self.values.iter().zip(&now.values).enumerate() {
            for (v, (old, new)) in old.iter().zip(new).enumerate().filter(|(_, (old, new))| old != new) {
                let (id, v) = (SubgraphId::new(number as u32), ValueId::new(v as u32));
                let text = match (old, new) {
                    (Some(_), None) => "has left, and no patch lets a tensor leave",
                    _ => "stands for other originals, and the patch did not touch it",
                };
                findings.push(Finding {
                    subject: Subject::Other,
                    place: format!("{id} {v}"),
                    text: text.into(),
                });
            }
        }
    }

    /// The tensors that do not have the costs that they had.
    fn scan_notes(&self, model: &Model, findings: &mut Vec<Finding>) {
        for (old, (id, sg)) in self.notes.iter().zip(model.subgraphs()) {
            let all: BTreeSet<ValueId> = old.keys().chain(sg.notes.keys()).copied().collect();
            for v in all.into_iter().filter(|v| old.get(v).map_or(&[][..], Vec::as_slice) != sg.notes(*v)) {
                let text = "has other costs, and no patch moves those of a tensor".into();
                findings.push(Finding { subject: Subject::Other, place: format!("{id} {v}"), text });
            }
        }
    }

    /// The operators and tensors that are not as the patches left them.
    pub fn scan(&self, model: &Model) -> Vec<Finding> {
        let now = Self::without_notes(model);
        let mut findings = Vec::new();
        let none = Vec::new();
        for number in 0..self.held.len().max(now.held.len()) {
            let id = SubgraphId::new(number as u32);
            let (old, new) = (self.held.get(number).unwrap_or(&none), now.held.get(number).unwrap_or(&none));
            for op in (0..old.len().max(new.len())).map(|op| OpId::new(op as u32)) {
                findings.extend(compare((id, op), self.get(id, op), now.get(id, op)));
            }
        }
        self.scan_values(&now, &mut findings);
        self.scan_notes(model, &mut findings);
        findings
    }

    /// The operators that carry `origin`. Looks at every operator.
    pub fn carriers(&self, store: &Store, origin: OriginId) -> Vec<(SubgraphId, OpId)> {
        let mut found = Vec::new();
        for (number, operators) in self.held.iter().enumerate() {
            for (op, held) in operators.iter().enumerate() {
                let claims = held.map_or(&[][..], |held| store.claim_sets.get(held.claims));
                if claims.iter().any(|claim| claim.origin == origin) {
                    found.push((SubgraphId::new(number as u32), OpId::new(op as u32)));
                }
            }
        }
        found
    }
}

/// What there is to say of an operator that no patch has taken since it was as `old`.
fn compare((id, op): (SubgraphId, OpId), old: Option<Held>, new: Option<Held>) -> Option<Finding> {
    let text = match (old, new) {
        (Some(_), None) => "has left, and the patch did not take it",
        (None, Some(_)) => "has come in, and the patch did not add it",
        (old, new) if old != new => "has other origins or costs, and the patch did not take it",
        _ => return None,
    };
    Some(Finding { subject: Subject::Operator(id, op), place: format!("{id} {op}"), text: text.into() })
}
