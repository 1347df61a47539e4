//! Which operators may write their output over an input.
//!
//! The output takes the place of an input if both have as many bytes, the operator is the last that reads the input,
//! and the input is a value of the graph alone: no input or output of its subgraph, no constant, no variable. Two kinds
//! of operators allow it: those that only give the same bytes another shape, and those that compute each element of the
//! output from the element of the input at the same place and elements have one width. Operands that are stretched
//! over the output stay where they are.

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

/// What is asked of a subgraph for each of its operators.
struct Graph<'a> {
    sg: &'a Subgraph,
    items: &'a [Item],
    of_value: &'a [Option<usize>],
    /// By identity of a tensor, the operator that reads it last.
    last: Vec<Option<OpId>>,
    outputs: HashSet<ValueId>,
    apart: bool,
}

/// Appends the chains of items of one subgraph that can share memory. `of_value` says which item a tensor has; with
/// `apart`, outputs of the model take no place of others.
pub(crate) fn chains(
    sg: &Subgraph,
    items: &[Item],
    of_value: &[Option<usize>],
    apart: bool,
    shared: &mut Vec<(Vec<usize>, SpaceReason)>,
) {
    let mut last = vec![None; of_value.len()];
    for (id, operator) in sg.operators() {
        for v in operator.inputs().iter().flatten() {
            if let Some(last) = last.get_mut(v.index()) {
                *last = Some(id);
            }
        }
    }
    let graph = Graph { sg, items, of_value, last, outputs: sg.outputs().iter().copied().collect(), apart };
    let mut next: Vec<Option<(usize, bool)>> = vec![None; of_value.len()];
    let mut follows = vec![false; of_value.len()];
    for (id, operator) in sg.operators() {
        let [output] = *operator.outputs() else { continue };
        let inputs = slots(operator).iter().filter_map(|&slot| operator.input(slot));
        let Some(input) = inputs.into_iter().find(|&input| graph.may_follow(id, operator, input, output))
        else {
            continue;
        };
        let view = VIEWS.contains(&operator.code().builtin);
        if let (Some(next), Some(follows)) = (next.get_mut(input.index()), follows.get_mut(output.index())) {
            *next = Some((output.index(), view));
            *follows = true;
        }
    }
    for start in (0..next.len()).filter(|&v| !follows.get(v).copied().unwrap_or(true)) {
        let (mut at, mut views) = (start, true);
        let mut members: Vec<usize> = of_value.get(at).copied().flatten().into_iter().collect();
        while let Some((to, view)) = next.get(at).copied().flatten() {
            views &= view;
            members.extend(of_value.get(to).copied().flatten());
            at = to;
        }
        if members.len() > 1 {
            shared.push((members, if views { SpaceReason::Shared } else { SpaceReason::InPlace }));
        }
    }
}

impl Graph<'_> {
    fn item(&self, v: ValueId) -> Option<&Item> {
        self.of_value.get(v.index()).copied().flatten().and_then(|index| self.items.get(index))
    }

    /// Whether the output of an operator can take the place of an input.
    fn may_follow(&self, id: OpId, operator: &Operator, input: ValueId, output: ValueId) -> bool {
        let (Some(from), Some(to)) = (self.item(input), self.item(output)) else { return false };
        let (Some(old), Some(new)) = (self.sg.value(input), self.sg.value(output)) else { return false };
        from.kind == Kind::Activation
            // Inputs of bodies are filled by their callers, and what a graph gives out must stay as it is.
            && old.def().is_some()
            && !self.outputs.contains(&input)
            && (to.kind == Kind::Activation || (to.kind == Kind::Output && !self.apart))
            && from.size == to.size
            && self.last.get(input.index()) == Some(&Some(id))
            && fitting(operator, old, new)
    }
}

/// Whether the output of an operator has the size of an input and its elements stand at the same places, whatever the
/// order in which operators run.
pub(crate) fn may_share(sg: &Subgraph, operator: &Operator, input: ValueId, output: ValueId) -> bool {
    let (Some(old), Some(new)) = (sg.value(input), sg.value(output)) else { return false };
    size::stated(old).is_ok_and(|bytes| size::stated(new) == Ok(bytes)) && fitting(operator, old, new)
}

fn fitting(operator: &Operator, old: &Value, new: &Value) -> bool {
    VIEWS.contains(&operator.code().builtin) || same_width(old, new)
}

/// Whether elements stand at the same places.
fn same_width(old: &Value, new: &Value) -> bool {
    let width = |value: &Value| value.ty().bytes();
    old.shape() == new.shape() && (old.ty() == new.ty() || (width(old).is_some() && width(old) == width(new)))
}
