//! Operators of a subgraph as the search sees them.

use std::collections::HashMap;

use circle_ir::{Entity, Model, OpId, Operator, Subgraph, SubgraphId};
use circle_memory::Kind;
use circle_tables::opcode as op;

use crate::inplace;
use crate::lifetimes::{Item, Options, What};
use crate::timeline::Timeline;

/// A tensor that takes memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Tensor {
    pub(super) size: u64,
    /// Operators that read it, each once.
    pub(super) readers: Vec<usize>,
    /// Whether it is needed when all operators have run.
    pub(super) stays: bool,
}

/// An operator.
#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    /// Tensors that it reads, each once.
    pub(super) reads: Vec<usize>,
    /// Tensors that it computes.
    pub(super) writes: Vec<usize>,
    /// Bytes that live only while it runs: scratch memory and the bodies it calls.
    pub(super) extra: u64,
    /// Operators that must run before it, each once.
    pub(super) after: Vec<usize>,
    /// Operators that must run after it.
    pub(super) before: Vec<usize>,
    /// Tensors whose place its output may take if nobody reads them afterwards.
    pub(super) overwrites: Vec<usize>,
}

/// A subgraph; operators are numbered in the order of the file.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
    pub(super) tensors: Vec<Tensor>,
    /// Tensors that are there before the first operator runs.
    pub(super) first: Vec<usize>,
    ids: Vec<OpId>,
}

impl Graph {
    /// `items` are those of the subgraph; `peaks` says of each subgraph that has been searched how many bytes it needs.
    pub(super) fn new(
        model: &Model,
        id: SubgraphId,
        items: &[Item],
        timeline: &Timeline,
        options: &Options,
        peaks: &[u64],
    ) -> Self {
        let mut graph = Self::default();
        let (Some(sg), Some(course)) = (model.subgraph(id), timeline.courses.get(id.index())) else {
            return graph;
        };
        let mut tensor_of = vec![None; sg.next_value().index()];
        let mut kinds = Vec::new();
        let mut scratch: HashMap<OpId, u64> = HashMap::new();
        for item in items {
            match item.what {
                What::Scratch(op, _) => {
                    let bytes = scratch.entry(op).or_default();
                    *bytes = bytes.saturating_add(item.size);
                }
                // Alive whatever the order.
                What::Tensor(_) if matches!(item.kind, Kind::Constant | Kind::Variable) => {}
                What::Tensor(v) => {
                    if let Some(slot) = tensor_of.get_mut(v.index()) {
                        *slot = Some(graph.tensors.len());
                    }
                    if sg.value(v).is_some_and(|value| value.def().is_none()) {
                        graph.first.push(graph.tensors.len());
                    }
                    graph.tensors.push(Tensor { size: item.size, ..Tensor::default() });
                    kinds.push(item.kind);
                }
            }
        }
        let tensor = |v: circle_ir::ValueId| tensor_of.get(v.index()).copied().flatten();
        for &v in sg.outputs() {
            if let Some(tensor) = tensor(v).and_then(|tensor| graph.tensors.get_mut(tensor)) {
                tensor.stays = true;
            }
        }
        let mut number = vec![0usize; sg.operator_bound()];
        let mut held = None;
        for (position, (op, operator)) in sg.operators().enumerate() {
            if let Some(slot) = number.get_mut(op.index()) {
                *slot = position;
            }
            let mut node = Node { extra: scratch.get(&op).copied().unwrap_or(0), ..Node::default() };
            let bodies = course.calls(position).iter().filter_map(|&(_, callee)| peaks.get(callee));
            node.extra = node.extra.saturating_add(bodies.copied().max().unwrap_or(0));
            for &v in operator.inputs().iter().flatten() {
                node.reads.extend(tensor(v));
                if let Some((def, _)) = sg.value(v).and_then(|value| value.def()) {
                    node.after.extend(number.get(def.index()));
                }
            }
            node.writes.extend(operator.outputs().iter().filter_map(|&v| tensor(v)));
            if holds_state(sg, operator) || !course.calls(position).is_empty() {
                node.after.extend(held.replace(position));
            }
            for list in [&mut node.reads, &mut node.writes, &mut node.after] {
                list.sort_unstable();
                list.dedup();
            }
            if options.inplace
                && let [output] = *operator.outputs()
            {
                let inputs = inplace::slots(operator).iter().filter_map(|&slot| operator.input(slot));
                let fits = |v: &circle_ir::ValueId| inplace::may_share(sg, operator, *v, output);
                let inner = |tensor: &usize| kinds.get(*tensor) == Some(&Kind::Activation);
                node.overwrites = inputs.filter(fits).filter_map(tensor).filter(inner).collect();
                let is_output = |tensor: &usize| kinds.get(*tensor) == Some(&Kind::Output);
                if options.apart && node.writes.iter().any(is_output) {
                    node.overwrites.clear();
                }
            }
            graph.ids.push(op);
            graph.nodes.push(node);
        }
        graph.link();
        graph
    }

    /// Fills in what follows from the nodes' own lists.
    fn link(&mut self) {
        for position in 0..self.nodes.len() {
            let node = self.nodes.get(position).cloned().unwrap_or_default();
            for earlier in node.after {
                if let Some(earlier) = self.nodes.get_mut(earlier) {
                    earlier.before.push(position);
                }
            }
            for read in node.reads {
                if let Some(tensor) = self.tensors.get_mut(read) {
                    tensor.readers.push(position);
                }
            }
        }
        // What stays or was there before cannot be overwritten.
        let stays: Vec<bool> = self.tensors.iter().map(|tensor| tensor.stays).collect();
        let mut first = vec![false; self.tensors.len()];
        for &tensor in &self.first {
            if let Some(slot) = first.get_mut(tensor) {
                *slot = true;
            }
        }
        for node in &mut self.nodes {
            let free = |list: &[bool], tensor: usize| !list.get(tensor).copied().unwrap_or(true);
            node.overwrites.retain(|&tensor| free(&stays, tensor) && free(&first, tensor));
        }
    }

    /// Identities of the operators.
    pub(super) fn ids(&self) -> &[OpId] {
        &self.ids
    }

    #[cfg(test)]
    pub(super) fn made(nodes: Vec<Node>, tensors: Vec<Tensor>, first: Vec<usize>) -> Self {
        let ids = (0..nodes.len() as u32).map(OpId::from_number).collect();
        let mut graph = Self { nodes, tensors, first, ids };
        graph.link();
        graph
    }
}

/// Operators that draw from or write to something beside their tensors. Those that are not known do so, too.
const STATEFUL: [i32; 16] = [
    op::ASSIGN_VARIABLE,
    op::CALL,
    op::CALL_ONCE,
    op::CUSTOM,
    op::DELEGATE,
    op::HASHTABLE,
    op::HASHTABLE_FIND,
    op::HASHTABLE_IMPORT,
    op::HASHTABLE_SIZE,
    op::MULTINOMIAL,
    op::RANDOM_STANDARD_NORMAL,
    op::RANDOM_UNIFORM,
    op::READ_VARIABLE,
    op::RUN_MODEL,
    op::STABLEHLO_CUSTOM_CALL,
    op::VAR_HANDLE,
];

fn holds_state(sg: &Subgraph, operator: &Operator) -> bool {
    let code = operator.code();
    let variable = |v: &circle_ir::ValueId| sg.value(*v).is_some_and(circle_ir::Value::is_variable);
    STATEFUL.contains(&code.builtin)
        || op::name(code.builtin).is_none()
        || operator.inputs().iter().flatten().any(variable)
        || operator.outputs().iter().any(variable)
}
