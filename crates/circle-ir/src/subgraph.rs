//! A subgraph: operators in execution order over tensors.

use std::collections::BTreeMap;

use circle_tables::Record;

use crate::entity::{BufferId, OpId, Table, ValueId};
use crate::lineage::annotation::Note;
use crate::operator::Operator;
use crate::order::Order;
use crate::value::Value;

/// One subgraph. Read by passes; written by import and by patches only.
#[derive(Clone, Debug)]
pub struct Subgraph {
    pub(crate) record: Record,
    pub(crate) operators: Table<OpId, Operator>,
    pub(crate) order: Order,
    pub(crate) values: Table<ValueId, Value>,
    pub(crate) inputs: Vec<ValueId>,
    pub(crate) outputs: Vec<ValueId>,
    /// What was measured on tensors. Few have any, so it does not stand in each; no list in it is empty.
    pub(crate) notes: BTreeMap<ValueId, Vec<Note>>,
}

impl Subgraph {
    /// The subgraph's table as in the file, all fields but tensors, operators, inputs and outputs.
    pub fn record(&self) -> &Record {
        &self.record
    }
    /// Its name; empty if it has none.
    pub fn name(&self) -> &str {
        self.record.str("name").unwrap_or("")
    }
    /// The operator `id`, if it is (still) there.
    pub fn operator(&self, id: OpId) -> Option<&Operator> {
        self.operators.get(id)
    }
    /// Operators in execution order.
    pub fn operators(&self) -> impl Iterator<Item = (OpId, &Operator)> {
        self.order.iter().filter_map(|id| Some((id, self.operators.get(id)?)))
    }
    /// How many operators there are.
    pub fn operator_count(&self) -> usize {
        self.operators.len()
    }
    /// One past the highest operator number.
    pub fn operator_bound(&self) -> usize {
        self.operators.bound()
    }
    /// The execution order.
    pub fn order(&self) -> &Order {
        &self.order
    }
    /// The tensor `id`, if it is (still) there.
    pub fn value(&self, id: ValueId) -> Option<&Value> {
        self.values.get(id)
    }
    /// Tensors by ascending number.
    pub fn values(&self) -> impl Iterator<Item = (ValueId, &Value)> {
        self.values.iter()
    }
    /// What was measured on tensor `id`; empty for most.
    ///
    /// The notes of a constant stay on it as long as it is there, whatever takes over what it stands for, and go to the
    /// ledger with it: a tensor is never changed, and a copy or a computed constant has not been measured.
    pub fn notes(&self, id: ValueId) -> &[Note] {
        self.notes.get(&id).map_or(&[], Vec::as_slice)
    }
    /// The tensors on which something was measured, by ascending number, with that.
    pub fn noted(&self) -> impl Iterator<Item = (ValueId, &[Note])> {
        self.notes.iter().map(|(&v, notes)| (v, notes.as_slice()))
    }
    /// How many tensors there are.
    pub fn value_count(&self) -> usize {
        self.values.len()
    }
    /// The number the next new tensor will get.
    pub fn next_value(&self) -> ValueId {
        self.values.next_key()
    }
    /// Graph inputs, in order.
    pub fn inputs(&self) -> &[ValueId] {
        &self.inputs
    }
    /// Graph outputs, in order.
    pub fn outputs(&self) -> &[ValueId] {
        &self.outputs
    }
    /// The buffer of tensor `id`.
    pub fn buffer_of(&self, id: ValueId) -> Option<BufferId> {
        self.values.get(id).map(Value::buffer)
    }
}
