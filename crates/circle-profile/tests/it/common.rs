//! Models and profiles for tests.

use std::fmt::Write as _;

use circle_ir::lineage::history::Run;
use circle_ir::{Model, OpId, RunId, SubgraphId, View};
use circle_metadata::profile::Profile;
use circle_profile::attach::{Attached, attach};
use circle_profile::join::join;

pub(crate) const MAIN: SubgraphId = SubgraphId::from_number(0);

/// No bytes of an input file: these models have no constants.
const NOTHING: &[u8] = &[];

/// A chain of operators, each reading what the one before wrote.
pub(crate) fn chain(kinds: &[&str]) -> Model {
    let count = kinds.len();
    let mut text = format!("subgraph sg0 \"main\" (%0) -> (%{count})\n  %0: f32[8] \"t0\"\n");
    for (index, kind) in kinds.iter().enumerate() {
        let next = index + 1;
        let _ = writeln!(text, "  %{next}: f32[8] \"t{next}\"\n  op{index} {kind} (%{index}) -> %{next}");
    }
    circle_ir::text::parse(&text).unwrap()
}

pub(crate) fn profile(name: &str, text: &str) -> Profile {
    circle_metadata::profile::read(name, text.as_bytes()).unwrap()
}

/// Joins and attaches all rows of a CSV with the columns `op_index,value` of nanoseconds.
pub(crate) fn attach_times(model: &mut Model, name: &str, times: &[(usize, i64)]) -> Attached {
    let mut text = "subgraph,op_index,metric,unit,value\n".to_owned();
    for (operator, time) in times {
        let _ = writeln!(text, "0,{operator},time,ns,{time}");
    }
    let profile = profile(name, &text);
    let joined = join(model, &profile);
    assert_eq!(joined.unmatched, []);
    attach(model, name, &profile, &joined).unwrap()
}

pub(crate) fn run(model: &mut Model) -> RunId {
    model.enter_run(Run { tool: "test".into(), version: "0".into(), options: "".into() })
}

/// The operators of the main subgraph in execution order.
pub(crate) fn operators(model: &Model) -> Vec<OpId> {
    model.subgraph(MAIN).unwrap().operators().map(|(id, _)| id).collect()
}

/// Makes one operator of the `at`th and the next, if there is one.
pub(crate) fn fuse(model: &mut Model, at: usize, run: RunId) {
    let all = operators(model);
    let (Some(&first), Some(&second)) = (all.get(at), all.get(at + 1)) else { return };
    let view = View::new(model, MAIN, &NOTHING).unwrap();
    let mut spec = view.op(second).unwrap().spec();
    spec.inputs = view.op(first).unwrap().inputs().to_vec();
    let mut patch = circle_ir::patch::PatchBuilder::new(&view, "fuse");
    patch.fuse(second, &[first], spec);
    let patch = patch.finish();
    model.apply(patch, run).unwrap();
}

/// Takes the `at`th operator out, as if it had changed nothing.
pub(crate) fn retire(model: &mut Model, at: usize, run: RunId) {
    let all = operators(model);
    if all.len() < 2 || at + 1 >= all.len() {
        return;
    }
    let view = View::new(model, MAIN, &NOTHING).unwrap();
    let op = view.op(all[at]).unwrap();
    let (from, to) = (op.outputs()[0], op.input(0).unwrap());
    let mut patch = circle_ir::patch::PatchBuilder::new(&view, "identity");
    patch.retire(all[at], circle_ir::lineage::ledger::Reason::Identity);
    patch.forward(from, to);
    let patch = patch.finish();
    model.apply(patch, run).unwrap();
}
