//! Operators that compute the same from the same become one, the earliest.
//!
//! When not: the operator has effects or state (variables, random numbers, calls, custom operators); code, version,
//! options or any other field differ; an input is another tensor, unless both are equal constants; results are of
//! different form, or both are known outside the graph.
//!
//! Lineage: the operator that stays also claims what the others stood for, as duplicates.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, Hash, Hasher};

use foldhash::fast::RandomState;

use circle_ir::patch::PatchBuilder;
use circle_ir::{OpId, Operator, SubgraphId, ValueId, View};

use super::constants::duplicates;
use crate::driver::Context;
use crate::matcher::is_pure;
use crate::rule::{Change, ModelPass, PassInfo};

const INFO: PassInfo = PassInfo {
    name: "common_subexpression_elimination",
    summary: "operators that compute the same to one",
    change: Change::Merge,
    lineage: "the operator that stays claims the others as duplicates",
    before: r#"
subgraph sg0 "" (%0) -> (%5)
  %0: f32[2,3] "x"
  %1: i32[2] "perm" = [1, 0]
  %2: f32[3,2] "t"
  %3: i32[2] "same perm" = [1, 0]
  %4: f32[3,2] "same t"
  %5: f32[3,2] "y"
  op0 TRANSPOSE (%0, %1) -> %2
  op1 TRANSPOSE (%0, %3) -> %4
  op2 MUL (%2, %4) -> %5
"#,
    after: r#"
subgraph sg0 "" (%0) -> (%5)
  %0: f32[2,3] "x"
  %1: i32[2] "perm" = [1, 0]
  %2: f32[3,2] "t"
  %5: f32[3,2] "y"
  op0 TRANSPOSE (%0, %1) -> %2  ; @0 primary + @1 duplicate by common_subexpression_elimination
  op2 MUL (%2, %2) -> %5  ; @2 primary
ledger
  @%3 dead by dead_code
"#,
};

/// See the module.
pub(crate) struct CommonSubexpressionElimination;

impl ModelPass for CommonSubexpressionElimination {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }

    fn run(&self, context: &mut Context<'_>) {
        for id in context.subgraphs() {
            run_on(context, id);
        }
    }
}

fn run_on(context: &mut Context<'_>, id: SubgraphId) {
    let Some(view) = context.view(id) else { return };
    for (winner, losers) in find(&view) {
        let Some(view) = context.view(id) else { return };
        let outputs = |op: OpId| view.op(op).map(|op| op.outputs()).unwrap_or_default();
        let can_forward = |&op: &OpId| {
            outputs(op).iter().zip(outputs(winner)).all(|(&from, &to)| view.can_forward(from, to))
        };
        let is_known_outside =
            |&op: &OpId| outputs(op).iter().any(|&v| view.value(v).is_some_and(|v| v.pins() > 0));
        let (outside, inside): (Vec<OpId>, Vec<OpId>) = losers.into_iter().partition(is_known_outside);
        let mut patch = PatchBuilder::new(&view, INFO.name);
        let inside: Vec<OpId> = inside.into_iter().filter(can_forward).collect();
        inside.iter().for_each(|&op| patch.merge(op, winner));
        let patch = patch.finish();
        if !inside.is_empty() {
            context.commit(patch);
        }
        // Where a caller knows the loser's result, the winner now writes that, and so can do it for one only.
        for op in outside {
            let Some(view) = context.view(id) else { return };
            let outputs = |op: OpId| view.op(op).map(|op| op.outputs()).unwrap_or_default();
            if outputs(op).iter().zip(outputs(winner)).all(|(&from, &to)| view.can_forward(from, to)) {
                let mut patch = PatchBuilder::new(&view, INFO.name);
                patch.merge(op, winner);
                let patch = patch.finish();
                context.commit(patch);
            }
        }
    }
}

/// The operators that compute the same as an earlier one, by that one. One walk finds chains, too: what reads the
/// result of a later operator counts as reading that of the first of its kind.
fn find(view: &View<'_>) -> BTreeMap<OpId, Vec<OpId>> {
    let hasher = RandomState::default();
    let mut equal: HashMap<ValueId, ValueId, RandomState> = duplicates(view).into_iter().collect();
    let mut seen: HashMap<u64, OpId, RandomState> = HashMap::default();
    let mut found: BTreeMap<OpId, Vec<OpId>> = BTreeMap::new();
    for (id, op) in view.subgraph().operators() {
        if !is_pure(view, op) || op.outputs().is_empty() {
            continue;
        }
        let key = key(&hasher, op, &equal);
        let Some(&earlier) = seen.get(&key) else {
            seen.insert(key, id);
            continue;
        };
        let Some(first) = view.op(earlier).filter(|first| is_same(view, first, op, &equal)) else { continue };
        found.entry(earlier).or_default().push(id);
        equal.extend(op.outputs().iter().copied().zip(first.outputs().iter().copied()));
    }
    found
}

/// The inputs, with equal tensors counted as one.
fn inputs<'a>(
    op: &'a Operator,
    equal: &'a HashMap<ValueId, ValueId, RandomState>,
) -> impl Iterator<Item = Option<ValueId>> + 'a {
    op.inputs().iter().map(|v| v.map(|v| equal.get(&v).copied().unwrap_or(v)))
}

fn key(hasher: &RandomState, op: &Operator, equal: &HashMap<ValueId, ValueId, RandomState>) -> u64 {
    let mut hasher = hasher.build_hasher();
    (op.code(), op.options(), op.extra(), op.outputs().len()).hash(&mut hasher);
    inputs(op, equal).for_each(|v| v.hash(&mut hasher));
    hasher.finish()
}

fn is_same(
    view: &View<'_>,
    a: &Operator,
    b: &Operator,
    equal: &HashMap<ValueId, ValueId, RandomState>,
) -> bool {
    let is_like =
        |(&x, &y): (&ValueId, &ValueId)| view.value(x).zip(view.value(y)).is_some_and(|(x, y)| x.is_like(y));
    a.code() == b.code()
        && a.options() == b.options()
        && a.extra() == b.extra()
        && a.outputs().len() == b.outputs().len()
        && inputs(a, equal).eq(inputs(b, equal))
        && a.outputs().iter().zip(b.outputs()).all(is_like)
}

#[cfg(test)]
mod tests {
    use super::INFO;
    use crate::testing::{after, fires_but_not};

    #[test]
    fn refuses_what_differs() {
        let text = INFO.before.replace("(%0) ->", "(%0, %6) ->") + "  %6: f32[2,3] \"w\"\n";
        fires_but_not(
            INFO.name,
            &text,
            &[
                ("a constant differs", "\"same perm\" = [1, 0]", "\"same perm\" = [0, 1]"),
                ("an input is another", "TRANSPOSE (%0, %3)", "TRANSPOSE (%6, %3)"),
                ("the version differs", "op1 TRANSPOSE", "op1 TRANSPOSE v2"),
                ("the result is of another form", "%4: f32[3,2]", "%4: f32[?,2]"),
                ("both results are graph outputs", "-> (%5)", "-> (%5, %2, %4)"),
                ("the operators may have effects", "TRANSPOSE", "CUSTOM:Print"),
                ("the operators draw random numbers", "TRANSPOSE", "MULTINOMIAL"),
            ],
        );
    }

    #[test]
    fn refuses_other_options() {
        let text = r#"
subgraph sg0 "" (%0) -> (%3)
  %0: f32[4] "x"
  %1: f32[4] "a"
  %2: f32[4] "b"
  %3: f32[4] "y"
  op0 LEAKY_RELU {alpha=0.5} (%0) -> %1
  op1 LEAKY_RELU {alpha=0.5} (%0) -> %2
  op2 MUL (%1, %2) -> %3
"#;
        fires_but_not(
            INFO.name,
            text,
            &[("alpha differs", "op1 LEAKY_RELU {alpha=0.5}", "op1 LEAKY_RELU {alpha=0.25}")],
        );
    }

    #[test]
    fn finds_chains_in_one_walk_and_keeps_a_graph_output() {
        let text = r#"
subgraph sg0 "" (%0) -> (%4, %5)
  %0: f32[4] "x"
  %1: f32[4] "a"
  %2: f32[4] "b"
  %3: f32[4] "c"
  %4: f32[4] "y"
  %5: f32[4] "z"
  op0 ABS (%0) -> %1
  op1 ABS (%0) -> %2
  op2 NEG (%1) -> %3
  op3 NEG (%2) -> %4
  op4 EXP (%3) -> %5
"#;
        let text = after(INFO.name, text).unwrap();
        assert!(text.contains("op2 NEG (%1) -> %4") && text.contains("op4 EXP (%4) -> %5"), "{text}");
        assert_eq!(text.matches("  op").count(), 3, "{text}");
    }
}
