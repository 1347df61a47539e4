//! A plan as ONE's execution plan table, and back.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

use circle_ir::{Model, OpId, SubgraphId, ValueId};
use circle_metadata::plan_table::{Entry, KEY, PlanTable};

use crate::fixed::{self, Misfit};
use crate::lifetimes::{Liveness, Options, What, lifetimes};
use crate::luci::{Node, NumberingError, has_outs, nodes};
use crate::names::Numbers;
use crate::offline::placed;
use crate::plan::Arena;
use crate::scratch::Platform;

/// Whom the table is for, which decides on the nodes that are in it and on what their order counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// All nodes, in the order in which they run.
    LuciInterpreter,
    /// All but constants and stand-ins for inputs left out. First come the inputs, then the nodes that compute outputs,
    /// then all others in the order in which they run.
    OnertMicro,
    /// The same with three arenas: one for inputs, one for outputs, which lie at nodes of their own, and one for all
    /// others but what computes the outputs.
    OnertMicroSplit,
}

/// Why a plan cannot be written as a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableError {
    /// The nodes of the model have no numbers.
    Numbering(NumberingError),
    /// An offset exceeds the table's 32 bits.
    Offset {
        /// The node.
        node: usize,
        /// The offset.
        offset: u64,
    },
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Numbering(error) => error.fmt(f),
            Self::Offset { node, offset } => {
                write!(f, "node {node}: offset {offset}, the most in {KEY} is {}", u32::MAX)
            }
        }
    }
}

impl std::error::Error for TableError {}

/// The numbered nodes of the first subgraph with what the table needs of them.
struct Nodes<'a> {
    sg: &'a circle_ir::Subgraph,
    list: Vec<Node>,
    /// The node that each output of the graph comes from.
    outputs: Vec<Option<Node>>,
    numbers: Numbers,
}

impl<'a> Nodes<'a> {
    fn new(model: &'a Model) -> Result<Option<Self>, NumberingError> {
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
    fn shown(&self, node: Node) -> Option<ValueId> {
        match node {
            Node::Output(position) => self.sg.outputs().get(position as usize).copied(),
            _ => self.tensor(node),
        }
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
    fn orders(&self, style: Style) -> Vec<Option<u32>> {
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

/// The table of a plan of the first subgraph. Several arenas lie behind one another, but for those of
/// [`Style::OnertMicroSplit`]. Nodes without planned memory get offset 0, as upstream writes it.
///
/// # Errors
/// When nodes have no numbers, or an offset is too large.
pub fn to_table(
    model: &Model,
    liveness: &Liveness,
    arenas: &[Arena],
    style: Style,
) -> Result<PlanTable, TableError> {
    let Some(nodes) = Nodes::new(model).map_err(TableError::Numbering)? else { return Ok(PlanTable::new()) };
    let mut tensors: HashMap<ValueId, u64> = HashMap::new();
    let mut scratch: HashMap<OpId, BTreeMap<u32, u64>> = HashMap::new();
    let apart: Vec<u64> = arenas
        .iter()
        .scan(0u64, |base, arena| {
            let here = *base;
            *base = base.saturating_add(arena.capacity.unwrap_or(arena.peak));
            Some(if style == Style::OnertMicroSplit { here } else { 0 })
        })
        .collect();
    for (item, arena, offset) in placed(liveness, arenas).filter(|(item, ..)| item.subgraph.number() == 0) {
        let offset = offset.saturating_sub(apart.get(arena).copied().unwrap_or(0));
        match item.what {
            What::Tensor(v) => _ = tensors.insert(v, offset),
            What::Scratch(op, piece) => _ = scratch.entry(op).or_default().insert(piece, offset),
        }
    }
    let mut table = PlanTable::new();
    for (position, (&node, order)) in nodes.list.iter().zip(nodes.orders(style)).enumerate() {
        let (Some(order), Ok(key)) = (order, u32::try_from(position)) else { continue };
        let fits =
            |offset: u64| u32::try_from(offset).map_err(|_| TableError::Offset { node: position, offset });
        let place = nodes.shown(node).and_then(|v| tensors.get(&v).copied()).unwrap_or(0);
        let mut offsets = vec![fits(place)?];
        if let Node::Operator(op) = node {
            for &offset in scratch.get(&op).into_iter().flat_map(BTreeMap::values) {
                offsets.push(fits(offset)?);
            }
        }
        table.insert(key, Entry { order, offsets });
    }
    Ok(table)
}

/// A plan that was read from a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// Whom the table is for.
    pub style: Style,
    /// The lifetimes of the model.
    pub liveness: Liveness,
    /// One arena, or three if they are apart.
    pub arenas: Vec<Arena>,
}

/// The plan of a table with the lifetimes of the model, if it fits: the table is of its nodes, runs its operators in the
/// order of the file, and tensors that live at one tick do not overlap. What the table leaves open, such as whether
/// inputs were planned or for which platform, is taken as it fits.
///
/// # Errors
/// When it does not fit.
pub fn from_table(model: &Model, table: &PlanTable) -> Result<Read, Misfit> {
    let Some(nodes) = Nodes::new(model).map_err(Misfit::Numbering)? else {
        return Err(Misfit::Other("the model has no subgraph".into()));
    };
    let style = style_of(&nodes, table).map_err(Misfit::Other)?;
    let given = Given::new(&nodes, table);
    let mut reason = None;
    for options in given.candidates(style) {
        match read(model, &given, style, &options) {
            Ok(read) => return Ok(read),
            Err(misfit) => reason = reason.or(Some(misfit)),
        }
    }
    Err(reason
        .unwrap_or_else(|| Misfit::Other("the plan has scratch memory as no known platform asks for".into())))
}

/// The style whose nodes and orders the table has.
fn style_of(nodes: &Nodes<'_>, table: &PlanTable) -> Result<Style, String> {
    let mut reason = None;
    for style in [Style::LuciInterpreter, Style::OnertMicro, Style::OnertMicroSplit] {
        let due: PlanOrders =
            (0..).zip(nodes.orders(style)).filter_map(|(key, due)| Some((key, due?))).collect();
        if !due.keys().eq(table.keys()) {
            continue;
        }
        match due.iter().zip(table.values()).find(|((_, due), entry)| **due != entry.order) {
            None => return Ok(style),
            Some(((node, due), entry)) => {
                let text =
                    format!("node {node} is number {} in the plan, and {due} in the model", entry.order);
                reason.get_or_insert(text);
            }
        }
    }
    let (planned, there) = (table.len(), nodes.list.len());
    let text = || {
        format!(
            "the plan is of {planned} nodes, which are not those that a runtime takes of the model's {there}"
        )
    };
    Err(reason.unwrap_or_else(text))
}

/// Orders by node.
type PlanOrders = BTreeMap<u32, u32>;

/// Offsets as the table gives them.
struct Given {
    tensors: HashMap<ValueId, u64>,
    scratch: HashMap<OpId, Vec<u64>>,
    outputs: HashSet<ValueId>,
    inputs_at_0: bool,
    constants_at_0: bool,
}

impl Given {
    fn new(nodes: &Nodes<'_>, table: &PlanTable) -> Self {
        let mut this = Self {
            tensors: HashMap::new(),
            scratch: HashMap::new(),
            outputs: nodes.sg.outputs().iter().copied().collect(),
            inputs_at_0: true,
            constants_at_0: true,
        };
        for (&key, entry) in table {
            let Some(&node) = nodes.list.get(key as usize) else { continue };
            let first = entry.offsets.first().map(|&offset| u64::from(offset));
            if let Some((v, offset)) = nodes.shown(node).zip(first) {
                // Nodes of outputs may have places of their own; the tensor's place counts.
                if matches!(node, Node::Output(_)) {
                    this.tensors.entry(v).or_insert(offset);
                } else {
                    this.tensors.insert(v, offset);
                }
                this.inputs_at_0 &= offset == 0 || !matches!(node, Node::Input(_));
                this.constants_at_0 &= offset == 0 || !matches!(node, Node::Constant(_));
            }
            if let Node::Operator(op) = node {
                let pieces = entry.offsets.iter().skip(1).map(|&offset| u64::from(offset));
                this.scratch.insert(op, pieces.collect());
            }
        }
        this
    }

    /// What may have been planned, the likeliest first.
    fn candidates(&self, style: Style) -> Vec<Options> {
        let apart = style == Style::OnertMicroSplit;
        let none = self.scratch.values().all(Vec::is_empty);
        let platforms: Vec<Option<Platform>> =
            if none { vec![None] } else { Platform::ALL.into_iter().map(Some).collect() };
        let inputs = if self.inputs_at_0 { vec![true, false] } else { vec![true] };
        let constants = !self.constants_at_0;
        let options = platforms.into_iter().flat_map(|platform| {
            let with = move |&inputs: &bool| Options {
                inputs,
                constants,
                platform,
                inplace: true,
                apart,
                stated: true,
            };
            inputs.iter().map(with).collect::<Vec<_>>()
        });
        options.collect()
    }
}

fn read(model: &Model, given: &Given, style: Style, options: &Options) -> Result<Read, Misfit> {
    let mut liveness = lifetimes(model, options).map_err(Misfit::Lifetimes)?;
    // Pieces without bytes have no word, so those that have one are counted.
    let mut pieces: HashMap<OpId, usize> = HashMap::new();
    let mut places: Vec<Option<(usize, u64)>> = Vec::with_capacity(liveness.items.len());
    for item in &liveness.items {
        if item.subgraph.number() != 0 {
            places.push(None);
            continue;
        }
        let apart = style == Style::OnertMicroSplit;
        let place = match item.what {
            What::Tensor(v) => {
                let arena = match item.kind {
                    circle_memory::Kind::Input if apart => 0,
                    _ if apart && given.outputs.contains(&v) => 1,
                    _ if apart => 2,
                    _ => 0,
                };
                given.tensors.get(&v).map(|&offset| (arena, offset))
            }
            What::Scratch(op, _) => {
                let next = pieces.entry(op).or_default();
                let offset = given.scratch.get(&op).and_then(|pieces| pieces.get(*next));
                *next += 1;
                offset.map(|&offset| (if apart { 2 } else { 0 }, offset))
            }
        };
        places.push(place);
    }
    let matches = given.scratch.iter().all(|(op, given)| pieces.get(op).copied().unwrap_or(0) == given.len());
    if !matches {
        return Err(Misfit::Other("the plan has scratch memory as no known platform asks for".into()));
    }
    let names: &[&str] =
        if style == Style::OnertMicroSplit { &["inputs", "outputs", "arena"] } else { &["arena"] };
    let mut arenas = Vec::with_capacity(names.len());
    for (number, name) in names.iter().enumerate() {
        let offset = |item: usize| {
            let (arena, offset) = places.get(item).copied().flatten()?;
            (arena == number).then_some(offset)
        };
        arenas.push(fixed::arena(&mut liveness, name, KEY, offset)?);
    }
    Ok(Read { style, liveness, arenas })
}
