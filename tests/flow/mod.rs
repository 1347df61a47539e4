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

/// What a tensor holds, over all seeds: all its elements, or of a large one as many as tell it from others.
#[derive(Clone, Debug, Default)]
pub struct Held {
    /// Extents, outermost first.
    pub shape: Vec<usize>,
    /// Elements in row-major order; of a large tensor those at places that its size alone decides.
    pub in_order: Vec<f64>,
    /// Elements by size; of a large tensor as many, evenly spread over the sorted ones.
    pub sorted: Vec<f64>,
}

/// What each tensor of a subgraph holds that is no constant.
pub type Values = BTreeMap<ValueId, Held>;

/// What was found.
#[derive(Debug, Default)]
pub struct Flow {
    /// Pairs of operator and original that hold, on operators that a pass has made or changed.
    pub confirmed: u64,
    /// Original work that an operator does and does not claim.
    pub missing: Vec<String>,
    /// Original work that an operator claims and does not do.
    pub unfounded: Vec<String>,
    /// Operators that a pass has made or changed and that no look reached.
    pub unjudged: Vec<String>,
}

/// Whether tensors correspond that hold the same in another order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Same,
    Any,
}

/// The operators of one subgraph of the model by their originals, and the other way round.
struct Originals {
    operators: BTreeMap<OriginId, OpId>,
    origins: BTreeMap<OpId, OriginId>,
}

impl Originals {
    /// As the lineage of the result says.
    fn of(result: &Model, subgraph: SubgraphId) -> Self {
        let originals = result.store().origins.operators.iter();
        let here = originals.filter(|(_, origin)| origin.subgraph == subgraph.number());
        let pairs = || here.clone().filter_map(|(&id, o)| Some((id, OpId::from_number(o.operator?))));
        Self { operators: pairs().collect(), origins: pairs().map(|(id, op)| (op, id)).collect() }
    }
    fn operator(&self, origin: OriginId) -> Option<OpId> {
        self.operators.get(&origin).copied()
    }
}

fn operator_of(sg: &Subgraph, id: OpId) -> &Operator {
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
    let count = |held: &Held| held.shape.iter().product::<usize>();
    let same = |a: &Held, b: &Held| match order {
        Order::Same => a.shape == b.shape && close(&a.in_order, &b.in_order),
        Order::Any => count(a) == count(b) && close(&a.sorted, &b.sorted),
    };
    let of = |held: &Held| {
        model.iter().filter(|(_, other)| same(other, held)).map(|(&v, _)| v).collect::<BTreeSet<_>>()
    };
    result.iter().map(|(&v, held)| (v, of(held))).collect()
}

/// Adds that inputs of the graph correspond to those at the same place, whether or not their content was kept: a
/// runtime may write the inputs of a loop's body over.
fn by_position(model: &Subgraph, result: &Subgraph, same: &mut BTreeMap<ValueId, BTreeSet<ValueId>>) {
    for (&of_model, &of_result) in model.inputs().iter().zip(result.inputs()) {
        same.entry(of_result).or_default().insert(of_model);
    }
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

/// Judges a subgraph of `result`, which was made of `model`. The lineage of the result must begin in `model`.
pub fn check(
    model: &Model,
    of_model: &Values,
    result: &Model,
    of_result: &Values,
    subgraph: SubgraphId,
) -> Flow {
    let mut flow = Flow::default();
    let (Some(before), Some(after)) = (model.subgraph(subgraph), result.subgraph(subgraph)) else {
        return flow;
    };
    let originals = Originals::of(result, subgraph);
    let mut judged = BTreeSet::new();
    for order in [Order::Any, Order::Same] {
        let mut own = correspondence(of_model, of_model, order);
        by_position(before, before, &mut own);
        let idle = |op: &Operator| {
            let inputs = || op.inputs().iter().flatten();
            op.outputs().iter().any(|v| own.get(v).is_some_and(|same| inputs().any(|v| same.contains(v))))
        };
        let idle = before.operators().filter(|(_, op)| idle(op)).map(|(id, _)| id).collect();
        let mut same = correspondence(of_model, of_result, order);
        by_position(before, after, &mut same);
        Judge { order, before, result, after, originals: &originals, same, idle }
            .judge(&mut flow, &mut judged);
    }
    let changed = after.operators().filter(|(id, op)| op.lineage().event().is_some() && !judged.contains(id));
    flow.unjudged.extend(changed.map(|(id, op)| print_operator(result, id, op, Show::Lineage)));
    flow
}

/// What one look takes.
struct Judge<'a> {
    order: Order,
    before: &'a Subgraph,
    result: &'a Model,
    after: &'a Subgraph,
    originals: &'a Originals,
    /// For each tensor of the result those of the model that hold the same.
    same: BTreeMap<ValueId, BTreeSet<ValueId>>,
    /// Operators of the model that change nothing.
    idle: BTreeSet<OpId>,
}

impl Judge<'_> {
    fn known(&self, v: ValueId) -> Option<&BTreeSet<ValueId>> {
        self.same.get(&v).filter(|same| !same.is_empty())
    }

    /// Whether an original is looked at. One of another subgraph is: nothing here can do its work.
    fn counts(&self, origin: OriginId) -> bool {
        let operator = self.originals.operator(origin);
        let counts = |op| {
            !self.idle.contains(&op)
                && (self.order == Order::Same || !moves_only(operator_of(self.before, op)))
        };
        operator.is_none_or(counts)
    }

    fn moves(&self, origin: OriginId) -> bool {
        self.originals.operator(origin).is_some_and(|op| moves_only(operator_of(self.before, op)))
    }

    /// The operators of the result that compute what `id` writes from tensors that correspond to some of the model, and
    /// these of the model.
    fn region(&self, id: OpId) -> (BTreeSet<OpId>, BTreeSet<ValueId>) {
        let (mut region, mut reads, mut walk) = (BTreeSet::new(), BTreeSet::new(), vec![id]);
        while let Some(op) = walk.pop() {
            if !region.insert(op) {
                continue;
            }
            for &v in operator_of(self.after, op).inputs().iter().flatten() {
                match (self.known(v), value(self.after, v).def()) {
                    (Some(same), _) => reads.extend(same),
                    (None, Some((def, _))) => walk.push(def),
                    (None, None) => {}
                }
            }
        }
        (region, reads)
    }

    fn judge(&self, flow: &mut Flow, judged: &mut BTreeSet<OpId>) {
        let store = self.result.store();
        let claims = |set| store.claim_sets.get(set).iter();
        let gone: BTreeSet<OriginId> = store
            .ledger
            .iter()
            .filter(|departure| departure.reason == Reason::Identity)
            .flat_map(|departure| claims(departure.claims))
            .map(|claim| claim.origin)
            .collect();
        for (id, op) in self.after.operators() {
            for same in op.outputs().iter().filter_map(|&v| self.known(v)) {
                let (region, reads) = self.region(id);
                let slices = same.iter().filter_map(|&v| between(self.before, v, &reads));
                let origins = |slice: BTreeSet<OpId>| -> BTreeSet<OriginId> {
                    let own = slice.iter().filter_map(|op| self.originals.origins.get(op)).copied();
                    own.filter(|&origin| self.counts(origin)).collect()
                };
                let slices: Vec<BTreeSet<OriginId>> = slices.map(origins).collect();
                let operators = region.iter().map(|&op| operator_of(self.after, op));
                let own: BTreeSet<OriginId> = operators
                    .clone()
                    .flat_map(|op| claims(op.lineage().claims()))
                    .filter(|claim| claim.role != Role::Helper)
                    .map(|claim| claim.origin)
                    .collect();
                let folded = operators
                    .flat_map(|op| op.inputs().iter().flatten())
                    .flat_map(|&v| claims(value(self.after, v).lineage().claims()))
                    .map(|claim| claim.origin);
                let with_folded: BTreeSet<OriginId> = own.iter().copied().chain(folded).collect();
                let owes = |slice: &BTreeSet<OriginId>| -> Vec<OriginId> {
                    let undone = slice.iter().any(|&o| gone.contains(&o) && self.moves(o));
                    slice.difference(&with_folded).copied().filter(|&o| !(undone && self.moves(o))).collect()
                };
                // Tensors that hold the same by chance or by design: one of them must be explained.
                let Some(owed) = slices.iter().map(owes).min_by_key(Vec::len) else { continue };
                judged.extend(&region);
                let line = |what: &str, origin: OriginId| {
                    let code =
                        self.originals.operator(origin).map(|op| operator_of(self.before, op).code().name());
                    let code = code.unwrap_or_else(|| "of another subgraph".into());
                    let text = print_operator(self.result, id, op, Show::Lineage);
                    let way = if self.order == Order::Same { "in order" } else { "in any order" };
                    format!("{text}: {what} {origin} {code} ({way}, among {region:?})")
                };
                flow.missing.extend(owed.into_iter().map(|o| line("does and does not claim", o)));
                let all: BTreeSet<OriginId> = slices.into_iter().flatten().collect();
                let extra = own.difference(&all).filter(|&&o| self.counts(o));
                flow.unfounded.extend(extra.map(|&o| line("claims and does not do", o)));
                if op.lineage().event().is_some() {
                    flow.confirmed += own.intersection(&all).count() as u64;
                }
            }
        }
    }
}
