//! A model as the comparison sees it: operators and tensors of all subgraphs in two lists, contents and options as
//! numbers that are equal on both sides if the things are.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use circle_ir::{Bytes, Model, Operator, SubgraphId, Value, ValueId};

use super::contents::Contents;

/// Gives equal things equal numbers. Exact: no two things share a number by accident.
#[derive(Debug)]
pub(super) struct Numbers<K>(HashMap<K, u32>);

impl<K: Eq + Hash> Numbers<K> {
    pub(super) fn new() -> Self {
        Self(HashMap::new())
    }
    pub(super) fn of(&mut self, key: K) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry(key).or_insert(next)
    }
}

/// What both sides number together.
#[derive(Debug)]
pub(super) struct Vocabulary {
    contents: Numbers<(String, [u8; 32])>,
    kinds: Numbers<String>,
    signatures: Numbers<(u32, String, Vec<Option<u32>>)>,
    weights: Numbers<(u32, u32)>,
}

impl Vocabulary {
    pub(super) fn new() -> Self {
        Self {
            contents: Numbers::new(),
            kinds: Numbers::new(),
            signatures: Numbers::new(),
            weights: Numbers::new(),
        }
    }
}

/// Constants with fewer bytes are too common to tell an operator by.
const TELLING: u64 = 64;

/// A tensor.
#[derive(Debug)]
pub(super) struct Tensor<'m> {
    pub(super) subgraph: SubgraphId,
    pub(super) value: &'m Value,
    pub(super) producer: Option<usize>,
    pub(super) port: u32,
    /// Operators that read it, and in which slot.
    pub(super) users: Vec<(usize, u32)>,
    /// For constants, type, shape and bytes as a number.
    pub(super) content: Option<u32>,
    /// Whether it is a constant of zeros.
    zero: bool,
    /// Whether it is a constant of ones.
    one: bool,
    /// Position among the graph inputs.
    pub(super) input: Option<u32>,
}

/// An operator.
#[derive(Debug)]
pub(super) struct Op<'m> {
    pub(super) subgraph: SubgraphId,
    pub(super) op: &'m Operator,
    pub(super) inputs: Vec<Option<usize>>,
    pub(super) outputs: Vec<usize>,
    /// Whether all that it reads follows from constants.
    pub(super) constant: bool,
    /// Whether it adds zeros or multiplies by ones, and so changes nothing.
    pub(super) idle: bool,
    /// Operator code.
    pub(super) kind: u32,
    /// Operator code, options, and constant inputs.
    pub(super) signature: u32,
    /// Operator code and the largest constant input, if that is large enough to tell it by.
    pub(super) weights: Option<u32>,
}

/// One of the two models.
#[derive(Debug)]
pub(super) struct Side<'m> {
    pub(super) tensors: Vec<Tensor<'m>>,
    pub(super) ops: Vec<Op<'m>>,
    /// By subgraph, the tensors that are its outputs.
    pub(super) outputs: Vec<Vec<usize>>,
    places: HashMap<(SubgraphId, ValueId), usize>,
}

impl<'m> Side<'m> {
    pub(super) fn new(model: &'m Model, bytes: &dyn Bytes, words: &mut Vocabulary) -> Self {
        let mut side =
            Self { tensors: Vec::new(), ops: Vec::new(), outputs: Vec::new(), places: HashMap::new() };
        let mut contents = Contents::new(model, bytes);
        for (subgraph, sg) in model.subgraphs() {
            let inputs: HashMap<ValueId, u32> =
                sg.inputs().iter().enumerate().map(|(index, &v)| (v, index as u32)).collect();
            for (id, value) in sg.values() {
                let is_constant = value.def().is_none() && !inputs.contains_key(&id) && !value.is_variable();
                let held = if is_constant { contents.of(value) } else { None };
                let form = || format!("{} {:?}", value.ty(), value.shape());
                let content = held.map(|held| words.contents.of((form(), held.digest)));
                side.places.insert((subgraph, id), side.tensors.len());
                side.tensors.push(Tensor {
                    subgraph,
                    value,
                    producer: None,
                    port: 0,
                    users: Vec::new(),
                    content,
                    zero: held.is_some_and(|held| held.is_zero(value)),
                    one: held.is_some_and(|held| held.is_one(value)),
                    input: inputs.get(&id).copied(),
                });
            }
            for (_, op) in sg.operators() {
                side.add(model, subgraph, op, words);
            }
            let outputs = sg.outputs().iter().filter_map(|&v| side.at(subgraph, v)).collect();
            side.outputs.push(outputs);
        }
        side
    }

    /// The tensor with that identity.
    pub(super) fn at(&self, subgraph: SubgraphId, v: ValueId) -> Option<usize> {
        self.places.get(&(subgraph, v)).copied()
    }

    fn add(&mut self, model: &Model, subgraph: SubgraphId, op: &'m Operator, words: &mut Vocabulary) {
        let number = self.ops.len();
        let inputs: Vec<Option<usize>> =
            op.inputs().iter().map(|v| v.and_then(|v| self.at(subgraph, v))).collect();
        let outputs: Vec<usize> = op.outputs().iter().filter_map(|&v| self.at(subgraph, v)).collect();
        for (slot, &tensor) in inputs.iter().enumerate() {
            if let Some(tensor) = tensor.and_then(|t| self.tensors.get_mut(t)) {
                tensor.users.push((number, slot as u32));
            }
        }
        for (port, &tensor) in outputs.iter().enumerate() {
            if let Some(tensor) = self.tensors.get_mut(tensor) {
                (tensor.producer, tensor.port) = (Some(number), port as u32);
            }
        }
        let read = || inputs.iter().flatten().filter_map(|&t| self.tensors.get(t));
        let fixed = |tensor: &Tensor<'_>| {
            tensor.content.is_some()
                || tensor.producer.and_then(|p| self.ops.get(p)).is_some_and(|op| op.constant)
        };
        let constant = read().next().is_some() && read().all(fixed);
        let kind = words.kinds.of(op.code().name());
        let options = op.options().map(ToString::to_string).unwrap_or_default() + &op.extra().to_string();
        let contents = inputs.iter().map(|t| t.and_then(|t| self.tensors.get(t)?.content)).collect();
        let signature = words.signatures.of((kind, options, contents));
        let largest = read()
            .filter_map(|tensor| Some((model.buffer(tensor.value.buffer())?.len(), tensor.content?)))
            .max()
            .filter(|&(bytes, _)| bytes >= TELLING);
        let weights = largest.map(|(_, content)| words.weights.of((kind, content)));
        let constants =
            inputs.iter().enumerate().filter_map(|(slot, t)| Some((slot, self.tensors.get((*t)?)?)));
        let idle = idle(op, constants);
        self.ops.push(Op { subgraph, op, inputs, outputs, constant, idle, kind, signature, weights });
    }

    /// The inputs of an operator that are computed or given, with their slots.
    pub(super) fn variable_inputs(&self, op: usize) -> impl Iterator<Item = (usize, usize)> {
        let inputs = self.ops.get(op).map_or(&[][..], |op| &op.inputs);
        let constant = |t: usize| self.tensors.get(t).is_some_and(|tensor| tensor.content.is_some());
        inputs.iter().enumerate().filter_map(move |(slot, t)| Some((slot, t.filter(|&t| !constant(t))?)))
    }

    /// Things that only one has, by key; `None` where several have it.
    pub(super) fn unique<K: Eq + Hash, T: Copy>(
        pairs: impl Iterator<Item = (K, T)>,
    ) -> HashMap<K, Option<T>> {
        let mut map = HashMap::new();
        for (key, thing) in pairs {
            map.entry(key).and_modify(|slot| *slot = None).or_insert(Some(thing));
        }
        map
    }

    /// The operators of which everything that is read follows from constants.
    pub(super) fn constants(&self) -> HashSet<usize> {
        self.ops.iter().enumerate().filter(|(_, op)| op.constant).map(|(index, _)| index).collect()
    }
}

/// Whether `op` adds zeros or multiplies by ones, given what it reads and in which slots.
fn idle<'a, 'm: 'a>(op: &Operator, mut read: impl Iterator<Item = (usize, &'a Tensor<'m>)>) -> bool {
    if op.option("fused_activation_function") != 0 {
        return false;
    }
    match op.code().name().as_str() {
        "ADD" => read.any(|(_, tensor)| tensor.zero),
        "SUB" => read.any(|(slot, tensor)| slot == 1 && tensor.zero),
        "MUL" => read.any(|(_, tensor)| tensor.one),
        "DIV" => read.any(|(slot, tensor)| slot == 1 && tensor.one),
        _ => false,
    }
}
