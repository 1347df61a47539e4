//! The numbered nodes and what tables need of them.

use std::collections::{HashMap, HashSet};

use circle_ir::{Model, SubgraphId, ValueId};

use super::{Style, Unread};
use crate::luci::{Node, NumberingError, has_outs, nodes};
use crate::names::{Numbers, operator_place};

/// The numbered nodes of the first subgraph with what the table needs of them.
pub(super) struct Nodes<'a> {
    pub(super) sg: &'a circle_ir::Subgraph,
    pub(super) list: Vec<Node>,
    /// The node that each output of the graph comes from.
    outputs: Vec<Option<Node>>,
    numbers: Numbers,
}

impl<'a> Nodes<'a> {
    pub(super) fn new(model: &'a Model) -> Result<Option<Self>, NumberingError> {
        let list = nodes(model)?;
        let Some(sg) = model.subgraph(SubgraphId::from_number(0)) else { return Ok(None) };
        let mut this = Self { sg, list, outputs: Vec::new(), numbers: Numbers::new(sg) };
        let holders: HashMap<ValueId, Node> =
            this.list.iter().filter_map(|&node| Some((this.tensor(node)?, node))).collect();
        this.outputs = sg.outputs().iter().map(|v| holders.get(v).copied()).collect();
        Ok(Some(this))
    }

    /// The tensor that a node holds; an output of the graph shows that of another node.
    fn tensor(&self, node: Node) -> Option<ValueId> {
        match node {
            Node::Input(v) | Node::Constant(v) => Some(v),
            Node::Operator(op) => {
                let operator = self.sg.operator(op)?;
                if has_outs(operator) { None } else { operator.outputs().first().copied() }
            }
            Node::Out(op, port) => self.sg.operator(op)?.outputs().get(port as usize).copied(),
            Node::Shape(_) | Node::Excluded(..) | Node::Output(_) => None,
        }
    }

    /// The tensor whose place a node has.
    pub(super) fn shown(&self, node: Node) -> Option<ValueId> {
        match node {
            Node::Output(position) => self.sg.outputs().get(position as usize).copied(),
            _ => self.tensor(node),
        }
    }

    /// Outputs of numbered operators that have a place and no node.
    pub(super) fn unread(&self, has_place: impl Fn(ValueId) -> bool) -> Vec<Unread> {
        let known: HashSet<Node> = self.list.iter().copied().collect();
        let id = SubgraphId::from_number(0);
        let mut unread = Vec::new();
        for &node in &self.list {
            let Node::Operator(op) = node else { continue };
            let Some(operator) = self.sg.operator(op).filter(|operator| has_outs(operator)) else { continue };
            for (output, &v) in (0..).zip(operator.outputs()) {
                if has_place(v) && !known.contains(&Node::Out(op, output)) {
                    let operator = operator_place(id, self.sg, self.numbers.operator(op), operator);
                    unread.push(Unread { operator, output });
                }
            }
        }
        unread
    }

    /// Whether a node is in a table of a style.
    fn listed(&self, style: Style, producers: &HashSet<Node>, node: Node) -> bool {
        match (style, node) {
            (Style::LuciInterpreter, _) => true,
            (_, Node::Constant(_) | Node::Shape(_) | Node::Excluded(..)) => false,
            (Style::OnertMicro, _) => true,
            (Style::OnertMicroSplit, Node::Input(_) | Node::Output(_)) => true,
            (Style::OnertMicroSplit, _) => !producers.contains(&node),
        }
    }

    fn producers(&self) -> HashSet<Node> {
        self.outputs.iter().copied().flatten().collect()
    }

    /// By position, when each node runs: in the order of positions if operators stand in it in the file, too.
    fn ranks(&self) -> Vec<usize> {
        let time = |node: Node| match node {
            Node::Input(_) | Node::Constant(_) | Node::Shape(_) | Node::Excluded(..) => 0,
            Node::Operator(op) | Node::Out(op, _) => u64::from(self.numbers.operator(op)) + 1,
            Node::Output(_) => u64::MAX,
        };
        let mut order: Vec<usize> = (0..self.list.len()).collect();
        let runs = |node: &&Node| matches!(node, Node::Operator(_) | Node::Out(..));
        if !self.list.iter().filter(runs).map(|&node| time(node)).is_sorted() {
            order.sort_by_key(|&position| (self.list.get(position).map(|&node| time(node)), position));
        }
        let mut ranks = vec![0; order.len()];
        for (rank, position) in order.into_iter().enumerate() {
            if let Some(slot) = ranks.get_mut(position) {
                *slot = rank;
            }
        }
        ranks
    }

    /// By position, the order that a node has in a table of a style; `None` for those that are not in it.
    pub(super) fn orders(&self, style: Style) -> Vec<Option<u32>> {
        let producers = self.producers();
        let ranks = self.ranks();
        let (inputs, outputs) = (self.sg.inputs().len(), self.sg.outputs().len());
        let input_at: HashMap<Node, usize> =
            self.sg.inputs().iter().enumerate().map(|(i, &v)| (Node::Input(v), i)).collect();
        // The first of several outputs that come from one node.
        let mut output_at: HashMap<Node, usize> = HashMap::new();
        for (position, node) in self.outputs.iter().enumerate() {
            if let Some(node) = node {
                output_at.entry(*node).or_insert(position);
            }
        }
        let mut running: Vec<usize> = Vec::new();
        let mut orders = vec![None; self.list.len()];
        for (position, &node) in self.list.iter().enumerate() {
            if !self.listed(style, &producers, node) {
                continue;
            }
            let order = match (style, node) {
                (Style::LuciInterpreter, _) => ranks.get(position).copied(),
                (_, Node::Input(_)) => input_at.get(&node).copied(),
                (Style::OnertMicroSplit, Node::Output(output)) => Some(inputs + output as usize),
                (Style::OnertMicro, _) if output_at.contains_key(&node) => {
                    output_at.get(&node).map(|output| inputs + output)
                }
                _ => {
                    running.push(position);
                    None
                }
            };
            if let Some(slot) = orders.get_mut(position) {
                *slot = order.and_then(|order| u32::try_from(order).ok());
            }
        }
        running.sort_by_key(|&position| ranks.get(position));
        for (count, position) in running.into_iter().enumerate() {
            if let Some(slot) = orders.get_mut(position) {
                *slot = u32::try_from(inputs + outputs + count).ok();
            }
        }
        orders
    }
}
