//! The numbers that operators, tensors and operator codes have in the file.

use std::collections::{BTreeMap, BTreeSet};

use circle_ir::{Entity, Model, OpCode, OpId, Subgraph, ValueId};

use super::WriteError;
use crate::fault::{Fault, Place};

/// What is written in which order; position in these lists is the number in the file.
#[derive(Clone, Debug)]
pub struct Numbering {
    /// By subgraph, operators in file order.
    pub operators: Vec<Vec<OpId>>,
    /// By subgraph, tensors in file order.
    pub values: Vec<Vec<ValueId>>,
}

/// By subgraph, operators in execution order and tensors by ascending identity.
pub fn number(model: &Model) -> Numbering {
    Numbering {
        operators: model.subgraphs().map(|(_, sg)| sg.operators().map(|(id, _)| id).collect()).collect(),
        values: model.subgraphs().map(|(_, sg)| sg.values().map(|(id, _)| id).collect()).collect(),
    }
}

/// Numbers by identity.
#[derive(Debug)]
pub(super) struct Numbers {
    /// By subgraph and identity of a tensor.
    values: Vec<Vec<Option<u32>>>,
    /// The codes that are written: those of the input, by index in its list, and then new ones.
    pub(super) listed: Vec<usize>,
    pub(super) new: Vec<OpCode>,
    codes: BTreeMap<OpCode, u32>,
}

impl Numbers {
    pub(super) fn new(model: &Model, numbering: &Numbering) -> Result<Self, WriteError> {
        let count = model.subgraphs().count();
        same("subgraphs with operators", numbering.operators.len(), count, Place::default())?;
        same("subgraphs with tensors", numbering.values.len(), count, Place::default())?;
        let mut values = Vec::with_capacity(count);
        for ((id, sg), (ops, listed)) in
            model.subgraphs().zip(numbering.operators.iter().zip(&numbering.values))
        {
            let place = place(id.index(), sg);
            same("operators", ops.len(), sg.operator_count(), place.clone())?;
            same("different operators", ops.iter().collect::<BTreeSet<_>>().len(), ops.len(), place.clone())?;
            same("tensors", listed.len(), sg.value_count(), place.clone())?;
            let mut numbers = vec![None; sg.next_value().index()];
            for (number, &v) in listed.iter().enumerate() {
                let slot = numbers.get_mut(v.index()).filter(|slot| slot.is_none() && sg.value(v).is_some());
                let Some(slot) = slot else {
                    return Err(fault(place, format!("the numbering lists {v} twice, or it does not exist")));
                };
                *slot = u32::try_from(number).ok();
            }
            values.push(numbers);
        }
        let mut numbers = Self { values, listed: Vec::new(), new: Vec::new(), codes: BTreeMap::new() };
        numbers.codes(model, numbering);
        Ok(numbers)
    }

    /// The input's list without what passes have made superfluous, and after it what they have brought in, by first
    /// use.
    fn codes(&mut self, model: &Model, numbering: &Numbering) {
        let operators = || {
            let lists = model.subgraphs().zip(&numbering.operators);
            lists.flat_map(|((_, sg), ops)| ops.iter().filter_map(|&op| sg.operator(op)))
        };
        let used: BTreeSet<&OpCode> = operators().map(|op| op.code()).collect();
        for (index, listed) in model.frame().codes.iter().enumerate() {
            if !listed.used || used.contains(&listed.code) {
                let number = self.listed.len() as u32;
                self.listed.push(index);
                // The first of several equal ones is as good as any.
                self.codes.entry(listed.code.clone()).or_insert(number);
            }
        }
        for op in operators() {
            if !self.codes.contains_key(op.code()) {
                let number = (self.listed.len() + self.new.len()) as u32;
                self.codes.insert(op.code().clone(), number);
                self.new.push(op.code().clone());
            }
        }
    }

    /// The number of an operator code.
    pub(super) fn code(&self, code: &OpCode) -> Option<u32> {
        self.codes.get(code).copied()
    }

    /// The number of a tensor of a subgraph.
    pub(super) fn value(
        &self,
        subgraph: usize,
        v: ValueId,
        place: impl FnOnce() -> Place,
    ) -> Result<i64, WriteError> {
        let number = self.values.get(subgraph).and_then(|values| values.get(v.index())).copied().flatten();
        number.map(i64::from).ok_or_else(|| fault(place(), format!("tensor {v} is not in the model")))
    }
}

/// The place of a subgraph.
pub(super) fn place(index: usize, sg: &Subgraph) -> Place {
    Place { subgraph: Some((index, sg.name().to_owned())), ..Place::default() }
}

/// An error at a place.
pub(super) fn fault(place: Place, text: String) -> WriteError {
    WriteError::Fault(Box::new(Fault { place, text }))
}

fn same(what: &str, listed: usize, there: usize, place: Place) -> Result<(), WriteError> {
    if listed == there {
        return Ok(());
    }
    let place = Place { part: Some("numbering".into()), ..place };
    Err(fault(place, format!("lists {listed} {what}, and there are {there}")))
}
