//! Doors in the locks, for tests that see whether checks notice what a fault of the engine would do. They are there only
//! with the feature `damage`, which no product turns on.

use std::collections::BTreeMap;

use crate::entity::{ClaimSetId, EventId, OpId, SubgraphId, TensorSetId, ValueId};
use crate::lineage::Store;
use crate::lineage::annotation::Note;
use crate::model::Model;
use crate::subgraph::Subgraph;

/// What an operator carries, to be damaged.
#[derive(Debug)]
pub struct OperatorDoor<'m> {
    /// What its sets are interned in, with history and ledger.
    pub store: &'m mut Store,
    /// Its claims.
    pub claims: &'m mut ClaimSetId,
    /// Its last step.
    pub event: &'m mut Option<EventId>,
    /// What was measured.
    pub notes: &'m mut Vec<Note>,
}

/// What a tensor carries, to be damaged.
#[derive(Debug)]
pub struct ValueDoor<'m> {
    /// What its sets are interned in.
    pub store: &'m mut Store,
    /// The operators folded into it.
    pub claims: &'m mut ClaimSetId,
    /// The original tensors.
    pub tensors: &'m mut TensorSetId,
    /// What was measured on the tensors of its subgraph.
    pub notes: &'m mut BTreeMap<ValueId, Vec<Note>>,
}

impl Model {
    /// The door to operator `op` of subgraph `sg`, if it is there.
    pub fn operator_door(&mut self, sg: SubgraphId, op: OpId) -> Option<OperatorDoor<'_>> {
        let operator = self.subgraphs.get_mut(sg.number() as usize)?.operators.get_mut(op)?;
        let (lineage, notes) = (&mut operator.lineage, &mut operator.notes);
        Some(OperatorDoor {
            store: &mut self.store,
            claims: &mut lineage.claims,
            event: &mut lineage.event,
            notes,
        })
    }
    /// The door to tensor `v` of subgraph `sg`, if it is there.
    pub fn value_door(&mut self, sg: SubgraphId, v: ValueId) -> Option<ValueDoor<'_>> {
        let Subgraph { values, notes, .. } = self.subgraphs.get_mut(sg.number() as usize)?;
        let lineage = &mut values.get_mut(v)?.lineage;
        let (claims, tensors) = (&mut lineage.claims, &mut lineage.tensors);
        Some(ValueDoor { store: &mut self.store, claims, tensors, notes })
    }
    /// The door to the store.
    pub fn store_door(&mut self) -> &mut Store {
        &mut self.store
    }
}
