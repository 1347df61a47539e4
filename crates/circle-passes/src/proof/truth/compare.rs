//! What operators claim, and which differ between two results of the same passes.

use std::collections::{BTreeMap, BTreeSet};

use circle_ir::lineage::claims::Role;
use circle_ir::verify::step;
use circle_ir::{Bytes, Model, Operator, OriginId, Subgraph, ValueId};

use super::Place;

/// The constants that `op` reads.
fn constants<'a>(sg: &'a Subgraph, op: &'a Operator) -> impl Iterator<Item = ValueId> + 'a {
    op.inputs().iter().flatten().copied().filter(|&v| sg.value(v).is_some_and(|value| value.def().is_none()))
}

/// The originals of each operator, its own and those folded into constants that it reads, with its strongest role.
pub(super) fn claims(model: &Model) -> BTreeMap<Place, BTreeMap<OriginId, Role>> {
    let sets = &model.store().claim_sets;
    let mut out = BTreeMap::new();
    for (id, sg) in model.subgraphs() {
        for (op, operator) in sg.operators() {
            let folded = constants(sg, operator).filter_map(|v| Some(sg.value(v)?.lineage().claims()));
            let all = std::iter::once(operator.lineage().claims()).chain(folded);
            let mut roles: BTreeMap<OriginId, Role> = BTreeMap::new();
            for claim in all.flat_map(|set| sets.get(set)) {
                let role = roles.entry(claim.origin).or_insert(claim.role);
                *role = claim.role.min(*role);
            }
            out.insert((id, op), roles);
        }
    }
    out
}

/// The operators that differ between two results of the same course, in which operators and tensors have the same
/// numbers: in code, options, other fields, or the bytes of constants.
pub(super) fn changed(a: &Model, b: &Model, bytes: &dyn Bytes) -> BTreeSet<Place> {
    let mut out = BTreeSet::new();
    for (id, sg) in a.subgraphs() {
        let other = b.subgraph(id);
        for (op, operator) in sg.operators() {
            let same = other.zip(other.and_then(|sg| sg.operator(op))).is_some_and(|(other_sg, other)| {
                other.code() == operator.code()
                    && other.options() == operator.options()
                    && other.extra() == operator.extra()
                    && other.inputs() == operator.inputs()
                    && constants(sg, operator).all(|v| is_same(a, sg, b, other_sg, v, bytes))
            });
            if !same {
                out.insert((id, op));
            }
        }
    }
    out
}

fn is_same(a: &Model, of_a: &Subgraph, b: &Model, of_b: &Subgraph, v: ValueId, bytes: &dyn Bytes) -> bool {
    let (Some(x), Some(y)) = (of_a.value(v), of_b.value(v)) else { return false };
    let (x, y) = (a.buffer(x.buffer()), b.buffer(y.buffer()));
    x == y || x.map(|x| bytes.bytes(x)) == y.map(|y| bytes.bytes(y))
}

/// Whether a pass has made or changed the operator or a constant that it reads.
pub(super) fn is_changed(model: &Model, (sg, op): Place) -> bool {
    let Some(sg) = model.subgraph(sg) else { return false };
    let made = |v: ValueId| sg.value(v).is_some_and(|value| value.lineage().event().is_some());
    sg.operator(op).is_some_and(|op| op.lineage().event().is_some() || constants(sg, op).any(made))
}

/// The operator in one line.
pub(super) fn line(model: &Model, (sg, op): Place) -> String {
    step::line(model, sg, op).map_or_else(|| format!("{sg} {op}"), |line| format!("{sg} {line}"))
}
