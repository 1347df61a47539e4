//! Tables to plans. Mirrors the writing in the module above.

use std::collections::{BTreeMap, HashMap, HashSet};

use circle_ir::{Model, OpId, ValueId};
use circle_memory::Kind;
use circle_metadata::plan_table::{KEY, PlanTable};

use super::Style;
use super::nodes::Nodes;
use crate::fixed::{self, Misfit, Overlaps};
use crate::lifetimes::{Liveness, Options, What, lifetimes};
use crate::luci::Node;
use crate::plan::Arena;
use crate::scratch::Platform;

/// A plan that was read from a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// Whom the table is for.
    pub style: Style,
    /// What was planned, as far as the table tells.
    pub options: Options,
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
    table_as_it_is(model, table).and_then(fixed::sound)
}

/// The same for a table that may have faults: tensors that live at one tick may overlap, which is told. What the table
/// leaves open is taken so that nothing does, or else as little as can be.
///
/// # Errors
/// When it is not of the nodes of the model, runs its operators in another order, or leaves a tensor without a place.
pub fn table_as_it_is(model: &Model, table: &PlanTable) -> Result<(Read, Option<Overlaps>), Misfit> {
    let (nodes, style) = nodes_of(model, table)?;
    let given = Given::new(&nodes, table);
    let mut reason = None;
    let mut least: Option<(Read, Overlaps)> = None;
    for options in given.candidates(style) {
        match read(model, &given, style, &options) {
            Ok((found, None)) => return Ok((found, None)),
            Ok((found, Some(overlaps))) => {
                if least.as_ref().is_none_or(|(_, fewest)| overlaps.count < fewest.count) {
                    least = Some((found, overlaps));
                }
            }
            Err(misfit) => reason = reason.or(Some(misfit)),
        }
    }
    match (least, reason) {
        (Some((found, overlaps)), _) => Ok((found, Some(overlaps))),
        (None, Some(reason)) => Err(reason),
        (None, None) => Err(Misfit::Other(STRANGE_SCRATCH.into())),
    }
}

const STRANGE_SCRATCH: &str = "the plan has scratch memory as no known platform asks for";

fn nodes_of<'a>(model: &'a Model, table: &PlanTable) -> Result<(Nodes<'a>, Style), Misfit> {
    let Some(nodes) = Nodes::new(model).map_err(Misfit::Numbering)? else {
        return Err(Misfit::Other("the model has no subgraph".into()));
    };
    let style = style_of(&nodes, table).map_err(Misfit::Other)?;
    Ok((nodes, style))
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
        if planned == there {
            return format!(
                "the plan is of as many nodes as the model has, {there}, but a runtime takes others"
            );
        }
        format!("the plan is of {planned} nodes, the model has {there}, of which a runtime takes others")
    };
    Err(reason.unwrap_or_else(text))
}

/// Orders by node.
type PlanOrders = BTreeMap<u32, u32>;

/// Offsets as the table gives them.
struct Given {
    tensors: HashMap<ValueId, u64>,
    /// Nodes of tensors that have an entry without an offset.
    missing: HashMap<ValueId, u32>,
    scratch: HashMap<OpId, Vec<u64>>,
    outputs: HashSet<ValueId>,
    inputs_at_0: bool,
    constants_at_0: bool,
}

impl Given {
    fn new(nodes: &Nodes<'_>, table: &PlanTable) -> Self {
        let mut this = Self {
            tensors: HashMap::new(),
            missing: HashMap::new(),
            scratch: HashMap::new(),
            outputs: nodes.sg.outputs().iter().copied().collect(),
            inputs_at_0: true,
            constants_at_0: true,
        };
        for (&key, entry) in table {
            let Some(&node) = nodes.list.get(key as usize) else { continue };
            let first = entry.offsets.first().map(|&offset| u64::from(offset));
            let shown = nodes.shown(node);
            if let (Some(v), None) = (shown, first) {
                this.missing.entry(v).or_insert(key);
            }
            if let Some((v, offset)) = shown.zip(first) {
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
                // luci's numbering is not known of a model with variables, so none has a place here.
                variables: true,
                platform,
                inplace: true,
                rings: None,
                apart,
                stated: true,
            };
            inputs.iter().map(with).collect::<Vec<_>>()
        });
        options.collect()
    }
}

/// The same for a plan of which it is known what was planned: that of [`Read::options`] for a model before it was changed,
/// or what the planner was told. A table that has inputs at offset 0 does not tell whether they lie there.
///
/// # Errors
/// When it does not fit.
pub fn from_table_with(model: &Model, table: &PlanTable, options: &Options) -> Result<Read, Misfit> {
    let (nodes, style) = nodes_of(model, table)?;
    let apart = style == Style::OnertMicroSplit;
    let options = Options { inplace: true, stated: true, apart, ..options.clone() };
    read(model, &Given::new(&nodes, table), style, &options).and_then(fixed::sound)
}

fn read(
    model: &Model,
    given: &Given,
    style: Style,
    options: &Options,
) -> Result<(Read, Option<Overlaps>), Misfit> {
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
                    Kind::Input if apart => 0,
                    _ if apart && given.outputs.contains(&v) => 1,
                    _ if apart => 2,
                    _ => 0,
                };
                match (given.tensors.get(&v), given.missing.get(&v)) {
                    (Some(&offset), _) => Some((arena, offset)),
                    (None, Some(node)) => {
                        return Err(Misfit::Other(format!("node {node} of the plan has no offset")));
                    }
                    (None, None) => None,
                }
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
        return Err(Misfit::Other(STRANGE_SCRATCH.into()));
    }
    let names: &[&str] =
        if style == Style::OnertMicroSplit { &["inputs", "outputs", "arena"] } else { &["arena"] };
    let place_of = |item: usize| places.get(item).copied().flatten();
    // Inputs at 0 may lie anywhere: the table does not say that anything is written over them.
    let (arenas, overlaps) = fixed::arenas(model, &mut liveness, !given.inputs_at_0, names, KEY, place_of)?;
    Ok((Read { style, options: options.clone(), liveness, arenas }, overlaps))
}
