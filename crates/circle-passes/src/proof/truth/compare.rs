//! What operators claim, and which differ between two results of the same passes.

use std::collections::{BTreeMap, BTreeSet};

use circle_ir::lineage::claims::Role;
use circle_ir::verify::step as steps;
use circle_ir::{Bytes, EventId, Model, Operator, OriginId, Subgraph, ValueId};

use super::Place;
use super::perturb::computes_with;

/// The constants that `op` reads.
fn constants<'a>(sg: &'a Subgraph, op: &'a Operator) -> impl Iterator<Item = ValueId> + 'a {
    op.inputs().iter().flatten().copied().filter(|&v| sg.value(v).is_some_and(|value| value.def().is_none()))
}

/// What operators and the constants that they compute with claim: of each the originals with their roles. A constant
/// that says what its reader does, a shape for instance, depends on no numbers.
pub(super) fn claims(model: &Model) -> BTreeMap<Place, BTreeMap<OriginId, Role>> {
    let roles = |set| -> BTreeMap<OriginId, Role> {
        model.store().claim_sets.get(set).iter().map(|claim| (claim.origin, claim.role)).collect()
    };
    let mut out = BTreeMap::new();
    for (id, sg) in model.subgraphs() {
        for (op, operator) in sg.operators() {
            out.insert(Place::Operator(id, op), roles(operator.lineage().claims()));
            for v in constants(sg, operator) {
                let number = |(slot, input): (usize, &Option<ValueId>)| {
                    *input == Some(v) && computes_with(operator.code().builtin, slot)
                };
                let is_number = operator.inputs().iter().enumerate().any(number);
                let value = sg.value(v).filter(|value| is_number || value.ty().is_float());
                if let Some(value) = value {
                    out.insert(Place::Constant(id, v), roles(value.lineage().claims()));
                }
            }
        }
    }
    out
}

/// The operators that differ between two results, in code, options, other fields or the bytes of constants, each with
/// the constants that differ. `None` if the results are not of one course, in which operators read and write tensors of
/// the same numbers.
pub(super) fn changed(a: &Model, b: &Model, bytes: &dyn Bytes) -> Option<BTreeMap<Place, BTreeSet<Place>>> {
    let mut out = BTreeMap::new();
    for (id, sg) in a.subgraphs() {
        let other_sg = b.subgraph(id)?;
        if other_sg.operator_count() != sg.operator_count() {
            return None;
        }
        for (op, operator) in sg.operators() {
            let other = other_sg.operator(op)?;
            if other.inputs() != operator.inputs() || other.outputs() != operator.outputs() {
                return None;
            }
            let differ: BTreeSet<Place> = constants(sg, operator)
                .filter(|&v| !is_same(a, sg, b, other_sg, v, bytes))
                .map(|v| Place::Constant(id, v))
                .collect();
            let same = other.code() == operator.code()
                && other.options() == operator.options()
                && other.extra() == operator.extra();
            if !same || !differ.is_empty() {
                out.insert(Place::Operator(id, op), differ);
            }
        }
    }
    Some(out)
}

fn is_same(a: &Model, of_a: &Subgraph, b: &Model, of_b: &Subgraph, v: ValueId, bytes: &dyn Bytes) -> bool {
    let (Some(x), Some(y)) = (of_a.value(v), of_b.value(v)) else { return false };
    let (x, y) = (a.buffer(x.buffer()), b.buffer(y.buffer()));
    x == y || x.map(|x| bytes.bytes(x)) == y.map(|y| bytes.bytes(y))
}

/// Whether all bytes of a constant are zero. What is multiplied into it cannot show.
pub(super) fn is_zero(model: &Model, place: Place, bytes: &dyn Bytes) -> bool {
    let Place::Constant(sg, v) = place else { return false };
    let buffer = model.subgraph(sg).and_then(|sg| model.buffer(sg.value(v)?.buffer()));
    buffer.and_then(|buffer| bytes.bytes(buffer)).is_some_and(|bytes| bytes.iter().all(|&b| b == 0))
}

/// Whether a pass has made or changed the operator or a constant that it reads, or the constant.
pub(super) fn is_changed(model: &Model, place: Place) -> bool {
    let made = |sg: &Subgraph, v: ValueId| sg.value(v).is_some_and(|value| value.lineage().event().is_some());
    match place {
        Place::Constant(sg, v) => model.subgraph(sg).is_some_and(|sg| made(sg, v)),
        Place::Operator(sg, op) => model.subgraph(sg).is_some_and(|sg| {
            sg.operator(op)
                .is_some_and(|op| op.lineage().event().is_some() || constants(sg, op).any(|v| made(sg, v)))
        }),
    }
}

/// The last step that made or changed an operator.
pub(super) fn step(model: &Model, place: Place) -> Option<EventId> {
    match place {
        Place::Constant(..) => None,
        Place::Operator(sg, op) => model.subgraph(sg)?.operator(op)?.lineage().event(),
    }
}

/// The operator in one line, or the constant with its name.
pub(super) fn line(model: &Model, place: Place) -> String {
    match place {
        Place::Operator(sg, op) => {
            steps::line(model, sg, op).map_or_else(|| format!("{sg} {op}"), |line| format!("{sg} {line}"))
        }
        Place::Constant(sg, v) => {
            let name = model.subgraph(sg).and_then(|sg| sg.value(v)).map_or("", |value| value.name());
            format!("{sg} {v} {name:?}")
        }
    }
}
