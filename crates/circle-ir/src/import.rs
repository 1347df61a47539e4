//! The one door through which operators and tensors come in: a draft without lineage meets an imported lineage of
//! the same size, and only the two together make a model.

mod fresh;
pub use fresh::Noted;

use std::collections::BTreeMap;
use std::fmt;

use circle_tables::{Datum, Record};

use crate::buffer::Buffer;
use crate::entity::{
    BufferId, ClaimSetId, Entity, EventId, ReasonId, SubgraphId, Table, TensorSetId, ValueId,
};
use crate::lineage::annotation::Note;
use crate::lineage::{Lineage, Store, ValueLineage};
use crate::model::{Frame, Model};
use crate::operator::{OpSpec, Operator};
use crate::order::Order;
use crate::subgraph::Subgraph;
use crate::value::{Ends, Value};

/// A tensor before its lineage is known.
#[derive(Clone, Debug)]
pub struct DraftValue {
    /// The tensor's table, all fields but `buffer`.
    pub record: Record,
    /// Its buffer.
    pub buffer: BufferId,
}

/// A subgraph before its lineage is known. Tensor numbers are positions in `values`.
#[derive(Clone, Debug)]
pub struct DraftSubgraph {
    /// The subgraph's table, all fields but tensors, operators, inputs and outputs.
    pub record: Record,
    /// Tensors in file order.
    pub values: Vec<DraftValue>,
    /// Operators in file order.
    pub operators: Vec<OpSpec>,
    /// Graph inputs.
    pub inputs: Vec<ValueId>,
    /// Graph outputs.
    pub outputs: Vec<ValueId>,
}

/// A model before its lineage is known.
#[derive(Clone, Debug)]
pub struct Draft {
    /// What is neither graph nor lineage.
    pub frame: Frame,
    /// Subgraphs in file order.
    pub subgraphs: Vec<DraftSubgraph>,
    /// Buffers in file order.
    pub buffers: Vec<Buffer>,
}

/// Lineage of one imported operator.
#[derive(Clone, Debug)]
pub struct OperatorLineage {
    /// Its claims; empty only with `unknown`.
    pub claims: ClaimSetId,
    /// Its last step in an earlier run.
    pub event: Option<EventId>,
    /// Why its origin is not known.
    pub unknown: Option<ReasonId>,
    /// Its annotations.
    pub notes: Vec<Note>,
}

/// Lineage of one imported tensor.
#[derive(Clone, Copy, Debug)]
pub struct TensorLineage {
    /// The original tensors.
    pub tensors: TensorSetId,
    /// Operators folded into it.
    pub claims: ClaimSetId,
    /// Its last step in an earlier run.
    pub event: Option<EventId>,
    /// Why its origin is not known.
    pub unknown: Option<ReasonId>,
}

/// What was measured on one imported tensor, a constant as a rule.
#[derive(Clone, Debug)]
pub struct TensorNotes {
    /// Its subgraph.
    pub subgraph: SubgraphId,
    /// The tensor.
    pub tensor: ValueId,
    /// Its annotations.
    pub notes: Vec<Note>,
}

/// The lineage of a whole draft: one entry for each operator and each tensor of each subgraph.
#[derive(Clone, Debug)]
pub struct ImportedLineage {
    /// What the entries refer to.
    pub store: Store,
    /// By subgraph and operator.
    pub operators: Vec<Vec<OperatorLineage>>,
    /// By subgraph and tensor.
    pub tensors: Vec<Vec<TensorLineage>>,
    /// Annotations of tensors, for the few that have any, in any order.
    pub tensor_notes: Vec<TensorNotes>,
}

/// A draft and a lineage that do not fit each other, or a draft that refers to what is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImportError {
    /// The number of subgraphs, operators or tensors differs.
    Size {
        /// What was counted.
        what: &'static str,
        /// In the draft.
        draft: usize,
        /// In the lineage.
        lineage: usize,
    },
    /// An operator without claims and without a reason.
    NoOrigin {
        /// Subgraph index.
        subgraph: usize,
        /// Operator index.
        operator: usize,
    },
    /// A tensor or buffer number with nothing behind it.
    Missing {
        /// What it was wanted for.
        what: &'static str,
        /// The number.
        number: u32,
        /// Subgraph index.
        subgraph: usize,
    },
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { what, draft, lineage } => {
                write!(f, "the model has {draft} {what} and its lineage {lineage}")
            }
            Self::NoOrigin { subgraph, operator } => {
                write!(
                    f,
                    "subgraph {subgraph}, operator {operator}: neither an origin nor a reason for its absence"
                )
            }
            Self::Missing { what, number, subgraph } => {
                write!(f, "subgraph {subgraph}: {what} {number} does not exist")
            }
        }
    }
}

impl std::error::Error for ImportError {}

fn same_size(what: &'static str, draft: usize, lineage: usize) -> Result<(), ImportError> {
    if draft == lineage { Ok(()) } else { Err(ImportError::Size { what, draft, lineage }) }
}

impl Draft {
    /// Makes the model.
    ///
    /// # Errors
    /// When the lineage has another size than the draft, leaves an operator without origin or reason, or a tensor
    /// number leads nowhere.
    pub fn adopt(self, lineage: ImportedLineage) -> Result<Model, ImportError> {
        let Self { frame, subgraphs, buffers } = self;
        same_size("subgraphs", subgraphs.len(), lineage.operators.len())?;
        same_size("subgraphs", subgraphs.len(), lineage.tensors.len())?;
        let mut table = Table::default();
        for buffer in buffers {
            table.push(buffer);
        }
        let mut out = Vec::with_capacity(subgraphs.len());
        for (sg, (draft, (ops, tensors))) in
            subgraphs.into_iter().zip(lineage.operators.into_iter().zip(lineage.tensors)).enumerate()
        {
            same_size("operators", draft.operators.len(), ops.len())?;
            same_size("tensors", draft.values.len(), tensors.len())?;
            out.push(adopt_subgraph(sg, draft, ops, tensors, &table)?);
        }
        let mut model = Model { frame, subgraphs: out, buffers: table, store: lineage.store };
        model.pin_signatures()?;
        model.take_notes(lineage.tensor_notes)?;
        Ok(model)
    }
}

fn adopt_subgraph(
    sg: usize,
    draft: DraftSubgraph,
    lineages: Vec<OperatorLineage>,
    tensors: Vec<TensorLineage>,
    buffers: &Table<BufferId, Buffer>,
) -> Result<Subgraph, ImportError> {
    let missing = |what, number| ImportError::Missing { what, number, subgraph: sg };
    let mut values: Table<ValueId, Value> = Table::default();
    for (value, TensorLineage { tensors, claims, event, unknown }) in draft.values.into_iter().zip(tensors) {
        if buffers.get(value.buffer).is_none() {
            return Err(missing("buffer", value.buffer.number()));
        }
        values.push(Value {
            record: value.record,
            buffer: value.buffer,
            def: None,
            uses: Default::default(),
            pins: 0,
            ends: Ends::default(),
            lineage: ValueLineage { tensors, claims, event, unknown },
        });
    }
    let mut operators = Table::default();
    let mut order = Order::default();
    for (index, (spec, lineage)) in draft.operators.into_iter().zip(lineages).enumerate() {
        if lineage.claims.number() == 0 && lineage.unknown.is_none() {
            return Err(ImportError::NoOrigin { subgraph: sg, operator: index });
        }
        let id = operators.next_key();
        for (slot, input) in spec.inputs.iter().enumerate() {
            if let Some(v) = input {
                let value = values.get_mut(*v).ok_or_else(|| missing("tensor", v.number()))?;
                value.uses.insert((id, slot as u32));
            }
        }
        for (port, v) in spec.outputs.iter().enumerate() {
            let value = values.get_mut(*v).ok_or_else(|| missing("tensor", v.number()))?;
            value.def = Some((id, port as u32));
        }
        for v in spec.intermediates.iter().flatten() {
            values.get_mut(*v).ok_or_else(|| missing("tensor", v.number()))?.pins += 1;
        }
        let OpSpec { code, options, extra, inputs, outputs, intermediates } = spec;
        let OperatorLineage { claims, event, unknown, notes } = lineage;
        let lineage = Lineage { claims, event, unknown };
        operators.push(Operator { code, options, extra, inputs, outputs, intermediates, lineage, notes });
        order.push(id);
    }
    for v in &draft.inputs {
        values.get_mut(*v).ok_or_else(|| missing("tensor", v.number()))?.ends.input = true;
    }
    for v in &draft.outputs {
        let value = values.get_mut(*v).ok_or_else(|| missing("tensor", v.number()))?;
        value.ends.output = true;
        value.pins += 1;
    }
    let referred: Vec<ValueId> =
        values.iter().flat_map(|(_, value)| quantization_tensors(&value.record)).collect();
    for v in referred {
        values.get_mut(v).ok_or_else(|| missing("quantization tensor", v.number()))?.pins += 1;
    }
    Ok(Subgraph {
        record: draft.record,
        operators,
        order,
        values,
        inputs: draft.inputs,
        outputs: draft.outputs,
        notes: BTreeMap::new(),
    })
}

/// The tensors that a tensor's quantization details refer to (block-wise scales and zero points); negative numbers
/// mean none.
pub fn quantization_tensors(record: &Record) -> Vec<ValueId> {
    const QUANTIZATION: u16 = circle_tables::circle::TENSOR.slot("quantization");
    let Some(Datum::Record(q)) = record.get_at(QUANTIZATION) else { return Vec::new() };
    let Some(Datum::Union(details)) = q.get("details") else { return Vec::new() };
    if details.def().name != "BlockwiseQuantization" {
        return Vec::new();
    }
    ["scales", "zero_points"]
        .into_iter()
        .filter(|field| details.get(field).is_some())
        .filter_map(|field| u32::try_from(details.int(field)).ok())
        .map(ValueId::from_number)
        .collect()
}

impl Model {
    fn take_notes(&mut self, all: Vec<TensorNotes>) -> Result<(), ImportError> {
        for TensorNotes { subgraph, tensor, notes } in all {
            let number = subgraph.index();
            let missing =
                ImportError::Missing { what: "noted tensor", number: tensor.number(), subgraph: number };
            let sg = self.subgraphs.get_mut(number).filter(|sg| sg.values.get(tensor).is_some());
            let sg = sg.ok_or(missing)?;
            if !notes.is_empty() {
                sg.notes.entry(tensor).or_default().extend(notes);
            }
        }
        Ok(())
    }

    fn pin_signatures(&mut self) -> Result<(), ImportError> {
        for signature in self.frame.signatures.iter().flatten() {
            let sg = signature.subgraph.index();
            for (_, v) in signature.inputs.iter().chain(&signature.outputs).flatten() {
                let value = self.subgraphs.get_mut(sg).and_then(|s| s.values.get_mut(*v));
                let missing =
                    ImportError::Missing { what: "signature tensor", number: v.number(), subgraph: sg };
                value.ok_or(missing)?.pins += 1;
            }
        }
        Ok(())
    }
}
