//! Whether operators do the work that they claim, by the values of tensors.
//!
//! Model and result are evaluated on the same inputs. A tensor of the result that holds the values of a tensor of the
//! model corresponds to it. What an operator of the result does between the tensors it reads and the one it writes is
//! what the operators of the model do between the corresponding ones: those that a change of their output would reach
//! the result through, with what is read held fixed. It must claim these, and no others.
//!
//! This is looked at twice. *In order*: with equal shape and order of elements, so that operators that move elements
//! count. *In any order*: with equal elements, so that an operator is judged alone whose result lies in another layout;
//! operators that move elements do not count then. Operators between which nothing corresponds (the parts of one that
//! was split) are judged together.
//!
//! Not counted are operators of the model that change nothing on these inputs (an addition of zeros), and where one that
//! moves elements has left because it undoes another, that other one: it may live on for other readers.

use std::collections::{BTreeMap, BTreeSet};

use circle_ir::lineage::claims::Role;
use circle_ir::lineage::ledger::Reason;
use circle_ir::text::{Show, print_operator};
use circle_ir::{Model, OpId, Operator, OriginId, Subgraph, SubgraphId, Value, ValueId};
use circle_tables::opcode;

/// Values of each tensor, over all seeds.
pub type Values = BTreeMap<ValueId, (Vec<usize>, Vec<f64>)>;

/// What was found.
#[derive(Debug, Default)]
pub struct Flow {
    /// Pairs of operator and original that hold, on operators that a pass has made or changed.
    pub confirmed: u64,
    /// Original work that an operator does and does not claim.
    pub missing: Vec<String>,
    /// Original work that an operator claims and does not do.
    pub unfounded: Vec<String>,
}

/// Whether tensors correspond that hold the same in another order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Same,
    Any,
}

fn main_of(model: &Model) -> &Subgraph {
    model.subgraph(SubgraphId::from_number(0)).expect("models have a main subgraph")
}

fn operator(sg: &Subgraph, id: OpId) -> &Operator {
    sg.operator(id).expect("the operator is there")
}

fn value(sg: &Subgraph, v: ValueId) -> &Value {
    sg.value(v).expect("what operators read is there")
}

fn moves_only(op: &Operator) -> bool {
    let code = op.code().builtin;
    [opcode::TRANSPOSE, opcode::RESHAPE, opcode::SQUEEZE, opcode::EXPAND_DIMS].contains(&code)
}

fn close(a: &[f64], b: &[f64]) -> bool {
    let peak = a.iter().filter(|x| x.is_finite()).fold(0.0f64, |peak, x| peak.max(x.abs()));
    let same = |(x, y): (&f64, &f64)| x == y || (x.is_nan() && y.is_nan()) || (x - y).abs() <= 1e-5 * peak;
    a.len() == b.len() && a.iter().zip(b).all(same)
}

/// For each tensor of the result the tensors of the model that it corresponds to.
fn correspondence(model: &Values, result: &Values, order: Order) -> BTreeMap<ValueId, BTreeSet<ValueId>> {
    let form = |values: &Values| -> Values {
        let sorted = |data: &[f64]| {
            let mut data = data.to_vec();
            data.sort_by(f64::total_cmp);
            data
        };
        let one = |(&v, (shape, data)): (&ValueId, &(Vec<usize>, Vec<f64>))| match order {
            Order::Same => (v, (shape.clone(), data.clone())),
            Order::Any => (v, (Vec::new(), sorted(data))),
        };
        values.iter().map(one).collect()
    };
    let (model, result) = (form(model), form(result));
    let of = |(shape, data): &(Vec<usize>, Vec<f64>)| {
        let same = |(_, (s, d)): &(&ValueId, &(Vec<usize>, Vec<f64>))| s == shape && close(d, data);
        model.iter().filter(same).map(|(&v, _)| v).collect::<BTreeSet<_>>()
    };
    result.iter().map(|(&v, values)| (v, of(values))).collect()
}

/// The operators of the model between `from` and `to`; `None` if `to` depends on a graph input past `from`.
fn between(sg: &Subgraph, to: ValueId, from: &BTreeSet<ValueId>) -> Option<BTreeSet<OpId>> {
    let (mut found, mut walk) = (BTreeSet::new(), vec![to]);
    while let Some(v) = walk.pop() {
        if from.contains(&v) {
            continue;
        }
        if sg.inputs().contains(&v) {
            return None;
        }
        if let Some((op, _)) = sg.value(v).and_then(|value| value.def())
            && found.insert(op)
        {
            walk.extend(sg.operator(op).into_iter().flat_map(|op| op.inputs().iter().flatten()));
        }
    }
    Some(found)
}

/// Judges `result`, made of `model`, whose operators are their own originals.
pub fn check(model: &Model, of_model: &Values, result: &Model, of_result: &Values) -> Flow {
    let mut flow = Flow::default();
    for order in [Order::Any, Order::Same] {
        let own = correspondence(of_model, of_model, order);
        let idle = |op: &Operator| {
            let inputs = || op.inputs().iter().flatten();
            op.outputs().iter().any(|v| own.get(v).is_some_and(|same| inputs().any(|v| same.contains(v))))
        };
        let main = main_of(model);
        let idle = main.operators().filter(|(_, op)| idle(op)).map(|(id, _)| id).collect();
        check_in(order, model, result, &correspondence(of_model, of_result, order), &idle, &mut flow);
    }
    flow
}

fn check_in(
    order: Order,
    model: &Model,
    result: &Model,
    same: &BTreeMap<ValueId, BTreeSet<ValueId>>,
    idle: &BTreeSet<OpId>,
    flow: &mut Flow,
) {
    let (before, after) = (main_of(model), main_of(result));
    let store = result.store();
    let gone: BTreeSet<OriginId> = store
        .ledger
        .iter()
        .filter(|departure| departure.reason == Reason::Identity)
        .flat_map(|departure| store.claim_sets.get(departure.claims))
        .map(|claim| claim.origin)
        .collect();
    let none = BTreeSet::new();
    let known = |v: &ValueId| same.get(v).unwrap_or(&none);
    for (id, op) in after.operators() {
        for output in op.outputs().iter().filter(|v| !known(v).is_empty()) {
            let (mut region, mut reads, mut walk) = (BTreeSet::new(), BTreeSet::new(), vec![id]);
            while let Some(op) = walk.pop() {
                if !region.insert(op) {
                    continue;
                }
                for v in operator(after, op).inputs().iter().flatten() {
                    match value(after, *v).def() {
                        _ if !known(v).is_empty() => reads.extend(known(v)),
                        Some((def, _)) => walk.push(def),
                        None => {}
                    }
                }
            }
            let slices: Vec<BTreeSet<OpId>> =
                known(output).iter().filter_map(|&v| between(before, v, &reads)).collect();
            let origin = |op: &OpId| OriginId::from_number(op.number());
            let counts = |op: &OpId| {
                !idle.contains(op) && (order == Order::Same || !moves_only(operator(before, *op)))
            };
            let slices: Vec<BTreeSet<OriginId>> =
                slices.iter().map(|s| s.iter().filter(|op| counts(op)).map(origin).collect()).collect();
            let operators = region.iter().map(|op| operator(after, *op));
            let claims = |set| store.claim_sets.get(set).iter();
            let own: BTreeSet<OriginId> = operators
                .clone()
                .flat_map(|op| claims(op.lineage().claims()))
                .filter(|claim| claim.role != Role::Helper)
                .map(|claim| claim.origin)
                .collect();
            let folded = operators
                .flat_map(|op| op.inputs().iter().flatten())
                .flat_map(|v| claims(value(after, *v).lineage().claims()))
                .map(|claim| claim.origin);
            let with_folded: BTreeSet<OriginId> = own.iter().copied().chain(folded).collect();
            let moves = |o: &OriginId| moves_only(operator(before, OpId::from_number(o.number())));
            let owes = |slice: &BTreeSet<OriginId>| -> Vec<OriginId> {
                let undone = slice.iter().any(|o| gone.contains(o) && moves(o));
                slice.difference(&with_folded).filter(|o| !(undone && moves(o))).copied().collect()
            };
            // Tensors that hold the same by chance or by design: one of them must be explained.
            let Some(owed) = slices.iter().map(owes).min_by_key(Vec::len) else { continue };
            let line = |what: &str, origin: OriginId| {
                let code = operator(before, OpId::from_number(origin.number())).code().name();
                let text = print_operator(result, id, op, Show::Lineage);
                let way = if order == Order::Same { "in order" } else { "in any order" };
                format!("{text}: {what} {origin} {code} ({way}, among {region:?})")
            };
            flow.missing.extend(owed.into_iter().map(|o| line("does and does not claim", o)));
            let all: BTreeSet<OriginId> = slices.into_iter().flatten().collect();
            let judged = |o: &&OriginId| counts(&OpId::from_number(o.number()));
            let extra = own.difference(&all).filter(judged);
            flow.unfounded.extend(extra.map(|&o| line("claims and does not do", o)));
            if op.lineage().event().is_some() {
                flow.confirmed += own.intersection(&all).count() as u64;
            }
        }
    }
}
