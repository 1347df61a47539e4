//! Removes operators whose results nothing uses.
//!
//! When not: operators with effects (variables, calls, random numbers, custom operators), and whatever a graph
//! output, a signature or another operator refers to.
//!
//! Lineage: the origins leave as dead.

use circle_ir::lineage::ledger::Reason;
use circle_ir::patch::PatchBuilder;

use crate::driver::Context;
use crate::matcher::is_pure;
use crate::rule::{Change, ModelPass, PassInfo};

const INFO: PassInfo = PassInfo {
    name: "dead_code",
    summary: "removes operators whose results nothing uses",
    change: Change::Remove,
    lineage: "the removed operators leave as dead",
    before: r#"
subgraph sg0 "" (%0) -> (%1)
  %0: f32[4] "x"
  %1: f32[4] "y"
  %2: f32[4] "unused"
  %3: f32[4] "unused too"
  op0 ABS (%0) -> %2
  op1 NEG (%2) -> %3
  op2 RELU (%0) -> %1
"#,
    after: r#"
subgraph sg0 "" (%0) -> (%1)
  %0: f32[4] "x"
  %1: f32[4] "y"
  op2 RELU (%0) -> %1  ; @2 primary
ledger
  @1 dead by dead_code
  @0 dead by dead_code
  @%2 + @%3 dead by dead_code
"#,
};

/// See the module.
pub(crate) struct DeadCode;

impl ModelPass for DeadCode {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }

    fn run(&self, context: &mut Context<'_>) {
        for id in context.subgraphs() {
            // Backwards, so that one walk finds whole dead branches.
            let mut at = context.model().subgraph(id).and_then(|sg| sg.order().iter().last());
            while let (Some(op), Some(view)) = (at, context.view(id)) {
                at = view.subgraph().order().previous(op);
                let unused = |v| view.value(v).is_some_and(|v| v.uses().is_empty() && v.pins() == 0);
                let dead =
                    view.op(op).is_some_and(|o| is_pure(&view, o) && o.outputs().iter().all(|&v| unused(v)));
                if dead {
                    let mut patch = PatchBuilder::new(&view, INFO.name);
                    patch.retire(op, Reason::Dead);
                    let patch = patch.finish();
                    context.commit(patch);
                }
            }
        }
    }
}
