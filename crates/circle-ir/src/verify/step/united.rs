//! Tensors that take over what others stood for: all of it, and nothing else.

use std::collections::{BTreeMap, BTreeSet};

use crate::entity::{ClaimSetId, SubgraphId, TensorOriginId, TensorSetId, ValueId};
use crate::lineage::Store;
use crate::model::Model;
use crate::patch::Patch;
use crate::subgraph::Subgraph;
use crate::verify::{Finding, Subject};

use super::origins;

/// Sets of what a tensor stands for.
type Sets = (BTreeSet<TensorSetId>, BTreeSet<ClaimSetId>);

/// Two tensors of which one takes over what the other stands for.
#[derive(Clone, Debug)]
struct Pair {
    from: ValueId,
    to: ValueId,
    /// Whether it is the first that stays if it is known outside the graph.
    pinned: bool,
}

/// The pairs of tensors that a patch unites, as they were before.
#[derive(Clone, Debug, Default)]
pub(super) struct United {
    pairs: Vec<Pair>,
    /// What those of them that were there stood for.
    stood: BTreeMap<ValueId, (TensorSetId, ClaimSetId)>,
}

impl United {
    pub(super) fn new(patch: &Patch, sg: &Subgraph) -> Self {
        let mut united = Self::default();
        for (from, to, pinned) in patch.unites(sg) {
            for v in [from, to] {
                if let Some(lineage) = sg.value(v).map(|value| value.lineage()) {
                    united.stood.insert(v, (lineage.tensors(), lineage.claims()));
                }
            }
            united.pairs.push(Pair { from, to, pinned });
        }
        united
    }

    /// The tensors concerned.
    pub(super) fn values(&self) -> impl Iterator<Item = ValueId> {
        self.pairs.iter().flat_map(|pair| [pair.from, pair.to])
    }

    /// What does not hold of subgraph `id` now that the patch is applied, which made the tensors from `new` on.
    pub(super) fn check(&self, model: &Model, id: SubgraphId, new: ValueId) -> Vec<Finding> {
        let (store, mut findings) = (model.store(), Vec::new());
        let Some(sg) = model.subgraph(id) else { return findings };
        let own = |v: ValueId| -> Sets {
            let sets = self.stood.get(&v);
            (sets.map(|sets| sets.0).into_iter().collect(), sets.map(|sets| sets.1).into_iter().collect())
        };
        // What must be in each tensor that stays, and what may: one may take over from another that took over before.
        let mut must: BTreeMap<ValueId, Sets> = BTreeMap::new();
        let mut may: BTreeMap<ValueId, Sets> = BTreeMap::new();
        for &Pair { from, to, pinned } in &self.pairs {
            let swapped = pinned && sg.value(from).is_some_and(|value| value.pins() > 0);
            let (gone, stays) = if swapped { (to, from) } else { (from, to) };
            let all = may.get(&gone).cloned().unwrap_or_else(|| own(gone));
            for (into, sets) in [(&mut must, own(gone)), (&mut may, all)] {
                let into = into.entry(stays).or_insert_with(|| own(stays));
                into.0.extend(sets.0);
                into.1.extend(sets.1);
            }
        }
        for (v, must) in must {
            let Some(value) = sg.value(v) else { continue };
            let mut report = |text: String| {
                findings.push(Finding { subject: Subject::Other, place: format!("{id} {v}"), text });
            };
            let is = value.lineage();
            let (tensors, claims) = (members(store, [is.tensors()]), origins(store, [is.claims()]));
            let lacks = |what: &dyn std::fmt::Display| format!("took over {what} and does not stand for it");
            members(store, must.0).difference(&tensors).for_each(|tensor| report(lacks(tensor)));
            origins(store, must.1).difference(&claims).for_each(|origin| report(lacks(origin)));
            // What a new one comes from besides is judged with the other new ones.
            let Some(may) = may.get(&v).filter(|_| v < new) else { continue };
            let more =
                |what: &dyn std::fmt::Display| format!("stands for {what}, which it did not take over");
            let (all, from) = (members(store, may.0.iter().copied()), origins(store, may.1.iter().copied()));
            tensors.difference(&all).for_each(|tensor| report(more(tensor)));
            claims.difference(&from).for_each(|origin| report(more(origin)));
        }
        findings
    }
}

fn members(store: &Store, sets: impl IntoIterator<Item = TensorSetId>) -> BTreeSet<TensorOriginId> {
    sets.into_iter().flat_map(|set| store.tensor_sets.get(set)).copied().collect()
}
