//! Numbers and names of operators and tensors as a file has them: operators by execution order, tensors by ascending
//! identity.

use circle_ir::{Entity, Model, OpId, Operator, Subgraph, SubgraphId, ValueId};

use crate::error::Place;

/// By identity, the numbers that operators and tensors of a subgraph have in its file.
#[derive(Clone, Debug)]
pub(crate) struct Numbers {
    pub(crate) operators: Vec<OpId>,
    values: Vec<u32>,
    positions: Vec<u32>,
}

impl Numbers {
    pub(crate) fn new(sg: &Subgraph) -> Self {
        let operators: Vec<OpId> = sg.operators().map(|(id, _)| id).collect();
        let mut positions = vec![0; sg.operator_bound()];
        for (position, op) in operators.iter().enumerate() {
            set(&mut positions, op.index(), position);
        }
        let mut values = vec![0; sg.next_value().index()];
        for (number, (id, _)) in sg.values().enumerate() {
            set(&mut values, id.index(), number);
        }
        Self { operators, values, positions }
    }

    /// By subgraph.
    pub(crate) fn of(model: &Model) -> Vec<Self> {
        model.subgraphs().map(|(_, sg)| Self::new(sg)).collect()
    }

    /// The number of a tensor.
    pub(crate) fn value(&self, id: ValueId) -> u32 {
        self.values.get(id.index()).copied().unwrap_or(0)
    }

    /// The position of an operator.
    pub(crate) fn operator(&self, id: OpId) -> u32 {
        self.positions.get(id.index()).copied().unwrap_or(0)
    }
}

fn set(numbers: &mut [u32], index: usize, number: usize) {
    if let Some(slot) = numbers.get_mut(index) {
        *slot = u32::try_from(number).unwrap_or(u32::MAX);
    }
}

/// The name of an operator: that of its first output tensor.
pub(crate) fn operator_name<'a>(sg: &'a Subgraph, op: &Operator) -> &'a str {
    op.outputs().first().and_then(|&v| sg.value(v)).map_or("", |value| value.name())
}

pub(crate) fn subgraph_place(id: SubgraphId, sg: &Subgraph) -> Place {
    Place { subgraph: (id.number(), sg.name().to_owned()), part: None }
}

pub(crate) fn operator_place(id: SubgraphId, sg: &Subgraph, position: u32, op: &Operator) -> Place {
    let name = operator_name(sg, op);
    let label = if name.is_empty() { op.code().name() } else { format!("{} {name}", op.code().name()) };
    Place { part: Some(("operator", position, label)), ..subgraph_place(id, sg) }
}

pub(crate) fn tensor_place(id: SubgraphId, sg: &Subgraph, number: u32, name: &str) -> Place {
    Place { part: Some(("tensor", number, name.to_owned())), ..subgraph_place(id, sg) }
}
