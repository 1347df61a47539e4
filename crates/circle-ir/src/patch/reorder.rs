//! Another execution order for the operators of a subgraph. No operator is made, changed or erased by it, so there is
//! nothing to derive, and lineage and notes stay where they are.

use std::fmt;

use crate::entity::{Entity, OpId, SubgraphId, ValueId};
use crate::model::Model;
use crate::order::Order;

/// Why an order was refused. The graph is as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrderError {
    /// There is no such subgraph.
    NoSubgraph(SubgraphId),
    /// The order names another number of operators than there are.
    Count {
        /// How many it names.
        named: usize,
        /// How many there are.
        there: usize,
    },
    /// It names an operator that is not there, or one twice.
    Named(OpId),
    /// A tensor would be read before it is computed.
    Early {
        /// The tensor.
        value: ValueId,
        /// Its reader.
        reader: OpId,
    },
}

impl fmt::Display for OrderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSubgraph(id) => write!(f, "{id} is not there"),
            Self::Count { named, there } => write!(f, "the order is of {named} operators, there are {there}"),
            Self::Named(op) => write!(f, "{op} is not there, or it is named twice"),
            Self::Early { value, reader } => {
                write!(f, "{value} would be read by {reader} before it is computed")
            }
        }
    }
}

impl std::error::Error for OrderError {}

impl Model {
    /// Lets the operators of a subgraph run in this order. Whether state that operators keep allows it is for the caller
    /// to know; that every tensor is computed before it is read is checked.
    ///
    /// # Errors
    /// When `order` does not name each operator once, or a tensor would be read too early.
    pub fn reorder(&mut self, subgraph: SubgraphId, order: &[OpId]) -> Result<(), OrderError> {
        let sg = self.subgraphs.get_mut(subgraph.index()).ok_or(OrderError::NoSubgraph(subgraph))?;
        if order.len() != sg.operator_count() {
            return Err(OrderError::Count { named: order.len(), there: sg.operator_count() });
        }
        let mut done = vec![false; sg.operator_bound()];
        for &op in order {
            let operator = sg.operators.get(op).ok_or(OrderError::Named(op))?;
            for &value in operator.inputs.iter().flatten() {
                let def = sg.values.get(value).and_then(|value| value.def());
                if def.is_some_and(|(def, _)| !done.get(def.index()).copied().unwrap_or(false)) {
                    return Err(OrderError::Early { value, reader: op });
                }
            }
            match done.get_mut(op.index()) {
                Some(done) if !*done => *done = true,
                _ => return Err(OrderError::Named(op)),
            }
        }
        let mut new = Order::default();
        order.iter().for_each(|&op| new.push(op));
        sg.order = new;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Show, parse, print};

    fn model() -> Model {
        let tensors: String = (0..4).map(|v| format!("%{v}: f32[1] \"t{v}\"\n")).collect();
        parse(&format!(
            "subgraph sg0 \"\" (%0) -> (%2, %3)\n{tensors}op0 ABS (%0) -> %1\nop1 NEG (%1) -> %2\nop2 EXP (%0) -> %3\n"
        ))
        .unwrap()
    }

    fn order(numbers: &[u32]) -> Vec<OpId> {
        numbers.iter().map(|&number| OpId::from_number(number)).collect()
    }

    const FIRST: SubgraphId = SubgraphId::from_number(0);

    #[test]
    fn operators_run_in_the_new_order_with_their_lineage() {
        let mut model = model();
        let none: &[u8] = &[];
        let before = print(&model, &none, Show::Lineage);
        model.reorder(FIRST, &order(&[2, 0, 1])).unwrap();
        let sg = model.subgraph(FIRST).unwrap();
        assert_eq!(sg.operators().map(|(id, _)| id).collect::<Vec<_>>(), order(&[2, 0, 1]));
        assert_eq!(crate::verify::structure::check(&model), []);
        let sorted = |text: &str| {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            lines.sort();
            lines
        };
        assert_eq!(sorted(&print(&model, &none, Show::Lineage)), sorted(&before));
    }

    #[test]
    fn orders_that_do_not_work_are_refused() {
        let mut model = model();
        let refused = |model: &mut Model, numbers: &[u32]| {
            let error = model.reorder(FIRST, &order(numbers)).unwrap_err().to_string();
            let sg = model.subgraph(FIRST).unwrap();
            assert_eq!(sg.operators().map(|(id, _)| id).collect::<Vec<_>>(), order(&[0, 1, 2]));
            error
        };
        assert_eq!(refused(&mut model, &[1, 0, 2]), "%1 would be read by op1 before it is computed");
        assert_eq!(refused(&mut model, &[0, 1]), "the order is of 2 operators, there are 3");
        assert_eq!(refused(&mut model, &[0, 0, 1]), "op0 is not there, or it is named twice");
        assert_eq!(refused(&mut model, &[0, 1, 9]), "op9 is not there, or it is named twice");
        let gone = model.reorder(SubgraphId::from_number(3), &[]).unwrap_err();
        assert_eq!(gone.to_string(), "sg3 is not there");
    }
}
