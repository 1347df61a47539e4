//! Lineage that begins here: every operator and every tensor is its own origin.

use std::collections::HashMap;
use std::sync::Arc;

use circle_tables::{Datum, Record};

use super::{Draft, ImportedLineage, OperatorLineage, TensorLineage};
use crate::entity::{ClaimSetId, Entity, FileId, OpId, OriginId, TensorOriginId, TensorSetId, ValueId};
use crate::lineage::annotation::Note;
use crate::lineage::claims::{Claim, Role};
use crate::lineage::origin::{Origin, OriginFile, TensorOrigin};
use crate::lineage::{Lineage, Store, ValueLineage};
use crate::model::Model;
use crate::operator::OpCode;

/// What a planted note is for; operators and constants are counted for themselves, through all subgraphs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noted {
    /// The operator of that number, in execution order.
    Operator(usize),
    /// The constant of that number, by ascending tensor number.
    Constant(usize),
}

/// A store that is filled with the origins of one file.
struct Fresh {
    store: Store,
    operators: Vec<(OriginId, Origin)>,
    nameless: Arc<str>,
    /// Built-in operators of one code share its name.
    opcodes: HashMap<i32, Arc<str>>,
}

impl Fresh {
    fn new(file: OriginFile) -> Self {
        let mut store = Store::default();
        store.origins.files.push(file);
        Self { store, operators: Vec::new(), nameless: Arc::from(""), opcodes: HashMap::new() }
    }

    /// Makes room for so many more operators and tensors.
    fn reserve(&mut self, operators: usize, tensors: usize) {
        self.store.claim_sets.reserve(operators);
        self.store.tensor_sets.reserve(tensors);
        self.store.origins.tensors.reserve(tensors);
        self.operators.reserve(operators);
    }

    fn name(&self, tensor: Option<&Record>) -> Arc<str> {
        const NAME: u16 = circle_tables::circle::TENSOR.slot("name");
        match tensor.and_then(|record| record.get_at(NAME)) {
            Some(Datum::Str(name)) => name.clone(),
            _ => self.nameless.clone(),
        }
    }

    /// The next operator, `index` of its subgraph, whose first output is `output`.
    fn operator(&mut self, subgraph: u32, index: u32, code: &OpCode, output: Option<&Record>) -> ClaimSetId {
        let origin = OriginId::from_number(self.operators.len() as u32);
        let opcode = match code.custom {
            None => self.opcodes.entry(code.builtin).or_insert_with(|| Arc::from(code.name())).clone(),
            Some(_) => Arc::from(code.name()),
        };
        let (file, operator, name) = (Some(FileId::new(0)), Some(index), self.name(output));
        self.operators.push((origin, Origin { file, subgraph, operator, opcode, name }));
        self.store.claim_sets.intern(&[Claim { origin, role: Role::Primary, part: None }])
    }

    /// The next tensor, number `tensor` of its subgraph.
    fn tensor(&mut self, subgraph: u32, tensor: u32, record: &Record) -> TensorSetId {
        let id = TensorOriginId::from_number(self.store.origins.tensors.len() as u32);
        let (file, name) = (Some(FileId::new(0)), self.name(Some(record)));
        self.store.origins.tensors.push(TensorOrigin { file, subgraph, tensor, name });
        self.store.tensor_sets.intern(&[id])
    }

    fn finish(mut self) -> Store {
        self.store.origins.operators = self.operators.into_iter().collect();
        self.store
    }
}

impl ImportedLineage {
    /// Every operator and tensor is its own origin, in `file`. Operators of subgraph 0 have their index as id, as
    /// ONE's tools number them; those of other subgraphs follow above.
    pub fn fresh(draft: &Draft, file: OriginFile) -> Self {
        let mut fresh = Fresh::new(file);
        let (mut operators, mut tensors) = (Vec::new(), Vec::new());
        for (sg, subgraph) in draft.subgraphs.iter().enumerate() {
            fresh.reserve(subgraph.operators.len(), subgraph.values.len());
            let mut ops = Vec::with_capacity(subgraph.operators.len());
            for (index, op) in subgraph.operators.iter().enumerate() {
                let output = op.outputs.first().and_then(|v| subgraph.values.get(v.index()));
                let claims = fresh.operator(sg as u32, index as u32, &op.code, output.map(|v| &v.record));
                ops.push(OperatorLineage { claims, event: None, unknown: None, notes: Vec::new() });
            }
            operators.push(ops);
            let mut values = Vec::with_capacity(subgraph.values.len());
            for (index, value) in subgraph.values.iter().enumerate() {
                let tensors = fresh.tensor(sg as u32, index as u32, &value.record);
                let claims = fresh.store.claim_sets.empty();
                values.push(TensorLineage { tensors, claims, event: None, unknown: None });
            }
            tensors.push(values);
        }
        Self { store: fresh.finish(), operators, tensors, tensor_notes: Vec::new() }
    }
}

impl Model {
    /// The same graph, whose lineage begins here: every operator and tensor is its own origin, in `file`, in execution
    /// order; nothing has happened to them and nothing has left. Operators and tensors keep their numbers. What was
    /// measured is replaced by the notes that `notes` gives for an operator or constant, which has these claims.
    ///
    /// For proofs that work on a copy; a model that is to be written keeps the lineage that it has.
    #[must_use]
    pub fn anew(
        mut self,
        file: OriginFile,
        mut notes: impl FnMut(&mut Store, Noted, ClaimSetId) -> Vec<Note>,
    ) -> Self {
        let mut fresh = Fresh::new(file);
        let (mut count, mut constants) = (0, 0);
        for (number, sg) in self.subgraphs.iter_mut().enumerate() {
            fresh.reserve(sg.operator_count(), sg.value_count());
            let order: Vec<OpId> = sg.order.iter().collect();
            for (index, id) in order.into_iter().enumerate() {
                let Some(op) = sg.operators.get_mut(id) else { continue };
                let output = op.outputs.first().and_then(|&v| sg.values.get(v)).map(|value| &value.record);
                let claims = fresh.operator(number as u32, index as u32, &op.code, output);
                op.lineage = Lineage { claims, event: None, unknown: None };
                op.notes = notes(&mut fresh.store, Noted::Operator(count), claims);
                count += 1;
            }
            sg.notes.clear();
            let values: Vec<ValueId> = sg.values.keys().collect();
            for (index, id) in values.into_iter().enumerate() {
                let Some(value) = sg.values.get_mut(id) else { continue };
                let tensors = fresh.tensor(number as u32, index as u32, &value.record);
                let claims = fresh.store.claim_sets.empty();
                value.lineage = ValueLineage { tensors, claims, event: None, unknown: None };
                if !value.is_constant(&self.buffers) {
                    continue;
                }
                let notes = notes(&mut fresh.store, Noted::Constant(constants), claims);
                if !notes.is_empty() {
                    sg.notes.insert(id, notes);
                }
                constants += 1;
            }
        }
        self.store = fresh.finish();
        self
    }
}
