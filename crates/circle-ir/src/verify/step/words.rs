//! What a patch says of the operators that it takes and what the graph around them denies: that one had no use, that one
//! did nothing, that one was folded, that several belong together.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::unionfind::UnionFind;

use super::{Before, origins};
use crate::entity::{ClaimSetId, OpId, OriginId, ValueId};
use crate::lineage::Store;
use crate::lineage::ledger::Reason;
use crate::model::Model;
use crate::patch::{Applied, Patch};
use crate::subgraph::Subgraph;
use crate::verify::{Finding, Subject};

/// What a patch says, as far as the graph before it is needed to judge that.
#[derive(Clone, Debug, Default)]
pub(super) struct Words {
    /// Operators that leave for a reason, with what they computed.
    retired: Vec<(OpId, Reason, Vec<ValueId>)>,
    /// Operators that leave as dead and whose results others use.
    used: Vec<OpId>,
    /// New operators by index, with an operator that they do work of and that has nothing to do with the rest.
    apart: Vec<(usize, OpId)>,
}

/// The operators that a patch takes, and which of them compute something for one another.
struct Together {
    numbers: BTreeMap<OpId, usize>,
    sets: UnionFind<usize>,
}

impl Together {
    fn new(sg: &Subgraph, taken: &[OpId]) -> Self {
        let numbers: BTreeMap<OpId, usize> =
            taken.iter().enumerate().map(|(number, &op)| (op, number)).collect();
        let mut sets = UnionFind::new(taken.len());
        for (&op, &number) in &numbers {
            for &v in sg.operator(op).into_iter().flat_map(|op| op.inputs()).flatten() {
                let def = sg.value(v).and_then(|value| value.def());
                if let Some(&by) = def.and_then(|(def, _)| numbers.get(&def)) {
                    sets.union(number, by);
                }
            }
        }
        Self { numbers, sets }
    }

    /// Of `group`, the first operator that is not connected with the first of all, over whatever others the patch takes.
    fn apart(&self, group: &[OpId]) -> Option<OpId> {
        let first = *self.numbers.get(group.first()?)?;
        let is_apart =
            |op: &OpId| self.numbers.get(op).is_some_and(|&number| !self.sets.equiv(first, number));
        group.iter().copied().find(is_apart)
    }
}

impl Words {
    pub(super) fn new(patch: &Patch, sg: &Subgraph, taken: &[OpId]) -> Self {
        let gone: BTreeSet<OpId> = taken.iter().copied().collect();
        let retired = || {
            patch.retired().filter_map(|(op, reason)| Some((op, reason, sg.operator(op)?.outputs().to_vec())))
        };
        let is_used = |v: &ValueId| {
            sg.value(*v).is_some_and(|value| {
                value.pins() > 0 || value.uses().iter().any(|(reader, _)| !gone.contains(reader))
            })
        };
        let dead = retired().filter(|(_, reason, _)| *reason == Reason::Dead);
        let groups = patch.works().enumerate().filter(|(_, group)| group.len() > 1);
        let together = Together::new(sg, taken);
        Self {
            retired: retired().collect(),
            used: dead.filter(|(.., outputs)| outputs.iter().any(is_used)).map(|(op, ..)| op).collect(),
            apart: groups.filter_map(|(index, group)| Some((index, together.apart(&group)?))).collect(),
        }
    }

    /// Whether it says that an operator with these claims leaves for that reason. Notes alone leave without being
    /// mentioned, where they cannot be merged.
    pub(super) fn retire(&self, before: &Before, claims: ClaimSetId, reason: Reason) -> bool {
        let is_it = |(op, said, _): &(OpId, Reason, Vec<ValueId>)| {
            *said == reason && before.taken.get(op).is_some_and(|held| held.claims == claims)
        };
        let only_notes = reason == Reason::NotMergeable && claims.number() == 0;
        only_notes || self.retired.iter().any(is_it)
    }

    /// Everything that it says and that is not so, now that it is applied; `folded` are the originals on constants that
    /// it made.
    pub(super) fn check(
        &self,
        before: &Before,
        model: &Model,
        applied: &Applied,
        folded: &BTreeSet<OriginId>,
    ) -> Vec<Finding> {
        let (id, store) = (before.subgraph, model.store());
        let mut findings = Vec::new();
        let mut report = |op: OpId, text: String| {
            findings.push(Finding { subject: Subject::Operator(id, op), place: format!("{id} {op}"), text });
        };
        self.used.iter().for_each(|&op| report(op, "left as dead, and its result is used".into()));
        let added: BTreeSet<OpId> = applied.added.iter().copied().collect();
        let by = |v: &ValueId| model.subgraph(id)?.value(*v)?.def().map(|(op, _)| op);
        for (op, reason, outputs) in &self.retired {
            if let Some(by) = outputs.iter().filter_map(by).find(|by| added.contains(by)) {
                report(*op, format!("left as {}, and {by} computes its result", reason.name()));
            }
            let missing = self.unfolded(before, store, (*op, *reason), folded);
            if let Some(origin) = missing {
                report(
                    *op,
                    format!("left as folded, and no constant of the patch says that {origin} is in it"),
                );
            }
        }
        for &(index, op) in &self.apart {
            if let Some(&new) = applied.added.get(index) {
                report(
                    new,
                    format!("claims the work of {op}, which is not connected with the rest that it does"),
                );
            }
        }
        findings
    }

    fn unfolded(
        &self,
        before: &Before,
        store: &Store,
        (op, reason): (OpId, Reason),
        folded: &BTreeSet<OriginId>,
    ) -> Option<OriginId> {
        let held = before.taken.get(&op).filter(|_| reason == Reason::Folded)?;
        origins(store, [held.claims]).difference(folded).next().copied()
    }
}
