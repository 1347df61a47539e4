//! Which operators may write their output over an input.
//!
//! The output takes the place of an input if both have as many bytes, the operator is the last that reads the input,
//! and the input is a value of the graph alone: no input or output of its subgraph, no constant, no variable. Two kinds
//! of operators allow it: those that only give the same bytes another shape, and those that compute each element of the
//! output from the element of the input at the same place and elements have one width. Operands that are stretched
//! over the output stay where they are; where one does not fit the output, all do. Where it is asked for, outputs of other sizes run around a ring behind their
//! inputs (`rings.rs`).

mod rings;

use std::collections::HashSet;

use circle_ir::{Entity, OpId, Operator, Subgraph, Value, ValueId};
use circle_memory::{Kind, SpaceReason};
use circle_tables::opcode as op;

use crate::lifetimes::Item;
use crate::size;

/// Operators whose output holds the bytes of their first input.
const VIEWS: [i32; 4] = [op::RESHAPE, op::SQUEEZE, op::EXPAND_DIMS, op::BITCAST];

/// Operators that compute elements from elements of one input.
const UNARY: [i32; 30] = [
    op::ABS,
    op::CAST,
    op::CEIL,
    op::COS,
    op::DEQUANTIZE,
    op::ELU,
    op::EXP,
    op::FAKE_QUANT,
    op::FLOOR,
    op::GELU,
    op::HARD_SWISH,
    op::LEAKY_RELU,
    op::LOG,
    op::LOGICAL_NOT,
    op::LOGISTIC,
    op::NEG,
    op::PRELU,
    op::QUANTIZE,
    op::RELU,
    op::RELU6,
    op::RELU_0_TO_1,
    op::RELU_N1_TO_1,
    op::ROUND,
    op::RSQRT,
    op::SIGN,
    op::SIN,
    op::SQRT,
    op::SQUARE,
    op::TANH,
    op::ZEROS_LIKE,
];

/// Operators that compute elements from elements of two inputs.
const BINARY: [i32; 15] = [
    op::ADD,
    op::ATAN2,
    op::BITWISE_XOR,
    op::DIV,
    op::FLOOR_DIV,
    op::FLOOR_MOD,
    op::LOGICAL_AND,
    op::LOGICAL_OR,
    op::MAXIMUM,
    op::MINIMUM,
    op::MUL,
    op::POW,
    op::RIGHT_SHIFT,
    op::SQUARED_DIFFERENCE,
    op::SUB,
];

/// The inputs that an operator may write over, by slot, the one to prefer first.
pub(crate) fn slots(operator: &Operator) -> &'static [usize] {
    let code = operator.code().builtin;
    if VIEWS.contains(&code) || UNARY.contains(&code) {
        &[0]
    } else if BINARY.contains(&code) {
        &[0, 1]
    } else {
        &[]
    }
}

/// Items that share memory.
pub(crate) struct Shared {
    /// Positions, in the order in which they live.
    pub(crate) members: Vec<usize>,
    /// Why; none of a single one.
    pub(crate) reason: Option<SpaceReason>,
    /// If they run around a ring, its bytes and where each begins; all begin where the memory does otherwise.
    pub(crate) ring: Option<(u64, Vec<u64>)>,
}

impl Shared {
    pub(crate) fn alone(member: usize) -> Self {
        Self { members: vec![member], reason: None, ring: None }
    }

    pub(crate) fn in_one_place(members: Vec<usize>, reason: SpaceReason) -> Self {
        Self { members, reason: Some(reason), ring: None }
    }
}

/// What may share memory.
pub(crate) struct Wanted<'p> {
    /// Whether outputs of the model take no place of others.
    pub(crate) apart: bool,
    /// As in [`crate::Options`].
    pub(crate) rings: Option<u64>,
    /// Whether inputs of the model may be written over.
    pub(crate) over_inputs: bool,
    /// Where items lie, if that is given: then whatever lies in one place and may shares memory.
    pub(crate) places: Option<&'p PlaceOf<'p>>,
}

/// The memory and the offset of an item that has a place.
pub(crate) type PlaceOf<'p> = dyn Fn(usize) -> Option<(usize, u64)> + 'p;

/// How a tensor lies to the one before it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Link {
    /// In its place; whether it is a view.
    Place(bool),
    /// Behind it, in a ring of at least so many bytes.
    Ring(u64),
}

/// What is asked of a subgraph for each of its operators.
struct Graph<'a> {
    sg: &'a Subgraph,
    items: &'a [Item],
    of_value: &'a [Option<usize>],
    /// By identity of a tensor, the operator that reads it last.
    last: Vec<Option<OpId>>,
    outputs: HashSet<ValueId>,
    wanted: &'a Wanted<'a>,
}

/// Appends the chains of items of one subgraph that can share memory. `of_value` says which item a tensor has.
pub(crate) fn chains(
    sg: &Subgraph,
    items: &[Item],
    of_value: &[Option<usize>],
    wanted: &Wanted<'_>,
    shared: &mut Vec<Shared>,
) {
    let mut last = vec![None; of_value.len()];
    for (id, operator) in sg.operators() {
        for v in operator.inputs().iter().flatten() {
            if let Some(last) = last.get_mut(v.index()) {
                *last = Some(id);
            }
        }
    }
    let outputs = sg.outputs().iter().copied().collect();
    let graph = Graph { sg, items, of_value, last, outputs, wanted };
    let mut next: Vec<Option<(ValueId, Link)>> = vec![None; of_value.len()];
    let mut follows = vec![false; of_value.len()];
    for (id, operator) in sg.operators() {
        let [output] = *operator.outputs() else { continue };
        let Some((input, link)) = graph.link(id, operator, output) else { continue };
        if let (Some(next), Some(follows)) = (next.get_mut(input.index()), follows.get_mut(output.index())) {
            *next = Some((output, link));
            *follows = true;
        }
    }
    for (start, _) in sg.values().filter(|(v, _)| !follows.get(v.index()).copied().unwrap_or(true)) {
        let mut chain = vec![(start, None)];
        let mut at = start;
        while let Some((to, link)) = next.get(at.index()).copied().flatten() {
            chain.push((to, Some(link)));
            at = to;
        }
        graph.share(&chain, shared);
    }
}

/// Tensors, each but the first with its link to the one before.
type Chain = [(ValueId, Option<Link>)];

impl Graph<'_> {
    fn item(&self, v: ValueId) -> Option<&Item> {
        self.of_value.get(v.index()).copied().flatten().and_then(|index| self.items.get(index))
    }

    /// The input after which the output of an operator can come, and how.
    fn link(&self, id: OpId, operator: &Operator, output: ValueId) -> Option<(ValueId, Link)> {
        let inputs = |slots: &'static [usize]| slots.iter().filter_map(|&slot| operator.input(slot));
        if let Some(input) = inputs(slots(operator)).find(|&v| self.may_follow(id, operator, v, output)) {
            return Some((input, Link::Place(VIEWS.contains(&operator.code().builtin))));
        }
        self.wanted.rings?;
        inputs(rings::slots(operator)).find_map(|input| {
            let (from, to) = (self.item(input)?, self.item(output)?);
            let may = self.may_be_left(id, input, from)
                && to.kind == Kind::Activation
                && !self.outputs.contains(&output);
            let bytes = may.then(|| rings::demand(self.sg, operator, (input, from), (output, to)))??;
            // A ring that holds both at once saves nothing.
            (bytes < from.size.saturating_add(to.size)).then_some((input, Link::Ring(bytes)))
        })
    }

    /// Whether nothing needs an input of an operator any more once that has run.
    fn may_be_left(&self, id: OpId, input: ValueId, from: &Item) -> bool {
        // Whoever made a plan may know that nobody needs an input of the model any more.
        let given = from.kind == Kind::Input && self.wanted.over_inputs;
        // Inputs of bodies are filled by their callers, and what a graph gives out must stay as it is.
        let computed =
            from.kind == Kind::Activation && self.sg.value(input).is_some_and(|value| value.def().is_some());
        (given || computed)
            && !self.outputs.contains(&input)
            && self.last.get(input.index()) == Some(&Some(id))
    }

    /// Whether the output of an operator can take the place of an input.
    fn may_follow(&self, id: OpId, operator: &Operator, input: ValueId, output: ValueId) -> bool {
        let (Some(from), Some(to)) = (self.item(input), self.item(output)) else { return false };
        let (Some(old), Some(new)) = (self.sg.value(input), self.sg.value(output)) else { return false };
        self.may_be_left(id, input, from)
            && (to.kind == Kind::Activation || (to.kind == Kind::Output && !self.wanted.apart))
            && from.size == to.size
            && self.may_meet(input, output)
            && fitting(self.sg, operator, old, new)
    }

    /// Whether places are open yet, or two tensors have one.
    fn may_meet(&self, one: ValueId, other: ValueId) -> bool {
        let Some(place_of) = self.wanted.places else { return true };
        let place = |v: ValueId| place_of(self.of_value.get(v.index()).copied().flatten()?);
        place(one).is_some_and(|first| place(other) == Some(first))
    }

    /// Appends what of a chain shares memory: all that is in one place, and runs of such around a ring as long as whoever
    /// writes or reads them can do so in two pieces.
    fn share(&self, chain: &Chain, shared: &mut Vec<Shared>) {
        let is_ring = |link: &Option<Link>| matches!(link, Some(Link::Ring(_)));
        let mut group: Vec<&Chain> = Vec::new();
        let mut was_in_order = false;
        for run in chain.chunk_by(|_, (_, link)| !is_ring(link)) {
            let in_order = run.iter().all(|&(v, _)| self.in_order(v));
            if !(in_order && was_in_order) {
                self.share_group(&std::mem::take(&mut group), shared);
            }
            group.push(run);
            was_in_order = in_order;
        }
        self.share_group(&group, shared);
    }

    /// Whether a tensor may lie in two pieces.
    fn in_order(&self, v: ValueId) -> bool {
        let Some(value) = self.sg.value(v).filter(|_| !self.outputs.contains(&v)) else { return false };
        let read =
            |(op, slot)| self.sg.operator(op).is_some_and(|op| rings::reads_in_order(self.sg, op, slot));
        let written = |op| self.sg.operator(op).is_some_and(|op| rings::writes_in_order(self.sg, op));
        value.uses().iter().all(|&(op, slot)| read((op, slot as usize)))
            && value.def().is_none_or(|(op, _)| written(op))
    }

    fn share_group(&self, runs: &[&Chain], shared: &mut Vec<Shared>) {
        let members = |run: &Chain| -> Vec<usize> {
            run.iter().filter_map(|(v, _)| self.of_value.get(v.index()).copied().flatten()).collect()
        };
        if runs.len() > 1 {
            let all: Vec<usize> = runs.iter().flat_map(|run| members(run)).collect();
            let sizes: Vec<u64> =
                all.iter().filter_map(|&item| self.items.get(item)).map(|item| item.size).collect();
            let links: Vec<Option<u64>> = (runs.iter().copied().flatten().skip(1))
                .map(|(_, link)| match link {
                    Some(Link::Ring(bytes)) => Some(*bytes),
                    _ => None,
                })
                .collect();
            let ring = rings::lay_out(&sizes, &links, self.wanted.rings.unwrap_or(1));
            // For alignment it may come to more than the tensors by themselves.
            let largest =
                |run: &&Chain| run.iter().filter_map(|&(v, _)| self.item(v)).map(|item| item.size).max();
            let most = runs.iter().filter_map(largest).fold(0, u64::saturating_add);
            if let Some(ring) = ring.filter(|(bytes, starts)| *bytes < most && starts.len() == all.len()) {
                shared.push(Shared { members: all, reason: Some(SpaceReason::Wrapped), ring: Some(ring) });
                return;
            }
        }
        for run in runs {
            let members = members(run);
            if members.len() > 1 {
                let views = run.iter().skip(1).all(|(_, link)| *link == Some(Link::Place(true)));
                let reason = if views { SpaceReason::Shared } else { SpaceReason::InPlace };
                shared.push(Shared::in_one_place(members, reason));
            }
        }
    }
}

/// Whether the output of an operator has the size of an input and its elements stand at the same places, whatever the
/// order in which operators run.
pub(crate) fn may_share(sg: &Subgraph, operator: &Operator, input: ValueId, output: ValueId) -> bool {
    let (Some(old), Some(new)) = (sg.value(input), sg.value(output)) else { return false };
    size::stated(old).is_ok_and(|bytes| size::stated(new) == Ok(bytes)) && fitting(sg, operator, old, new)
}

fn fitting(sg: &Subgraph, operator: &Operator, old: &Value, new: &Value) -> bool {
    VIEWS.contains(&operator.code().builtin) || (same_width(old, new) && stretch(sg, operator, new))
}

/// Whether all operands can be stretched over the output of an operator that works on single elements. Kernels compute its shape
/// from theirs, so that of another one it is not known what they write.
fn stretch(sg: &Subgraph, operator: &Operator, new: &Value) -> bool {
    let fits = |value: &Value| {
        let (own, whole) = (value.shape(), new.shape());
        own.len() <= whole.len()
            && own.iter().rev().zip(whole.iter().rev()).all(|(&dim, &due)| dim == due || dim == 1)
    };
    operator.inputs().iter().flatten().all(|&v| sg.value(v).is_some_and(fits))
}

/// Whether elements stand at the same places.
fn same_width(old: &Value, new: &Value) -> bool {
    let width = |value: &Value| value.ty().bytes();
    old.shape() == new.shape() && (old.ty() == new.ty() || (width(old).is_some() && width(old) == width(new)))
}
