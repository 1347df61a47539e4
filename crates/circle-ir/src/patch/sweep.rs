//! Removal of tensors that nothing refers to any more, with their origins into the ledger.

use std::collections::BTreeSet;

use crate::entity::{Entity, RunId, TensorOriginId, TensorSetId, ValueId};
use crate::lineage::annotation::Note;
use crate::lineage::history::{Action, Event};
use crate::lineage::ledger::{Departure, Reason};
use crate::model::Model;
use crate::value::Value;

impl Model {
    /// Removes tensors that nothing computes, reads or refers to, and enters in the ledger, as part of `run` and by
    /// `rule`, the tensor origins that are carried by nothing any more. Returns how many tensors went.
    ///
    /// What was measured on a tensor goes with it, in an entry of its own that names all original tensors that it stood
    /// for: as replaced if another tensor stands for one of them now (an equal constant, or one computed from it), and
    /// else as dead. So sums stay exact, and no constant has the cost of another.
    pub fn sweep_values(&mut self, run: RunId, rule: &'static str) -> usize {
        let mut gone = 0;
        let mut lost: Vec<TensorOriginId> = Vec::new();
        let mut noted: Vec<(TensorSetId, Vec<Note>)> = Vec::new();
        for sg in &mut self.subgraphs {
            let idle = |v: &Value| {
                v.def.is_none() && v.uses.is_empty() && v.pins == 0 && !v.is_variable() && !v.is_input()
            };
            let dead: Vec<ValueId> = sg.values.iter().filter(|(_, v)| idle(v)).map(|(id, _)| id).collect();
            for id in dead {
                for v in sg
                    .values
                    .get(id)
                    .map(|v| crate::import::quantization_tensors(&v.record))
                    .unwrap_or_default()
                {
                    if let Some(value) = sg.values.get_mut(v) {
                        value.pins = value.pins.saturating_sub(1);
                    }
                }
                if let Some(value) = sg.values.remove(id) {
                    gone += 1;
                    match sg.notes.remove(&id) {
                        Some(notes) => noted.push((value.lineage.tensors, notes)),
                        None => lost.extend(self.store.tensor_sets.get(value.lineage.tensors)),
                    }
                }
            }
        }
        if gone == 0 {
            return 0;
        }
        let mut carried = vec![false; self.store.origins.tensors.len()];
        let values = self.subgraphs.iter().flat_map(|sg| sg.values.iter());
        for origin in values.flat_map(|(_, v)| self.store.tensor_sets.get(v.lineage.tensors)) {
            if let Some(carried) = carried.get_mut(origin.index()) {
                *carried = true;
            }
        }
        let is_carried = |origin: &TensorOriginId| carried.get(origin.index()) == Some(&true);
        let tensors: BTreeSet<_> = lost.into_iter().filter(|origin| !is_carried(origin)).collect();
        if tensors.is_empty() && noted.is_empty() {
            return gone;
        }
        let claims = self.store.claim_sets.empty();
        let pass = self.store.pass(rule);
        let event = self.store.history.push(Event { run, pass, action: Action::Retire, took: claims }, []);
        if !tensors.is_empty() {
            let tensors: Vec<_> = tensors.into_iter().collect();
            let (tensors, notes) = (self.store.tensor_sets.intern(&tensors), Vec::new());
            self.store.ledger.push(Departure { claims, tensors, reason: Reason::Dead, event, notes });
        }
        for (tensors, notes) in noted {
            let stands = self.store.tensor_sets.get(tensors).iter().any(is_carried);
            let reason = if stands { Reason::Replaced } else { Reason::Dead };
            self.store.ledger.push(Departure { claims, tensors, reason, event, notes });
        }
        gone
    }
}
