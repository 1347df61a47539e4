//! Removal of tensors that nothing refers to any more, with their origins into the ledger.

use std::collections::BTreeSet;

use crate::entity::{Entity, RunId, TensorOriginId, ValueId};
use crate::lineage::history::{Action, Event};
use crate::lineage::ledger::{Departure, Reason};
use crate::model::Model;
use crate::value::Value;

impl Model {
    /// Removes tensors that nothing computes, reads or refers to, and enters in the ledger, as part of `run` and by
    /// `rule`, the tensor origins that are carried by nothing any more. Returns how many tensors went.
    pub fn sweep_values(&mut self, run: RunId, rule: &'static str) -> usize {
        let mut gone = 0;
        let mut lost: Vec<TensorOriginId> = Vec::new();
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
                    let origins = self.store.tensor_sets.get(value.lineage.tensors);
                    lost.extend(origins);
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
        if !tensors.is_empty() {
            let tensors: Vec<_> = tensors.into_iter().collect();
            let claims = self.store.claim_sets.empty();
            let pass = self.store.pass(rule);
            let event =
                self.store.history.push(Event { run, pass, action: Action::Retire, took: claims }, []);
            let tensors = self.store.tensor_sets.intern(&tensors);
            self.store.ledger.push(Departure {
                claims,
                tensors,
                reason: Reason::Dead,
                event,
                notes: Vec::new(),
            });
        }
        gone
    }
}
