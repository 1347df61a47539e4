//! Constants that hold the same are read as one, the earliest.
//!
//! When not: type, shape or quantization differ, the constant is packed, or it is a variable. A constant that is known
//! outside the graph keeps its place; only its readers move.
//!
//! Lineage: operators keep theirs; the constant that stays also stands for the tensors whose readers it got.

use std::collections::BTreeMap;

use circle_ir::ValueId;
use circle_ir::patch::PatchBuilder;

use super::constants::duplicates;
use crate::driver::Context;
use crate::rule::{Change, ModelPass, PassInfo};

const INFO: PassInfo = PassInfo {
    name: "remove_duplicate_const",
    summary: "equal constants to one",
    change: Change::Merge,
    lineage: "operators keep theirs; the constant takes over the tensors it stands for",
    before: r#"
subgraph sg0 "" (%0) -> (%4)
  %0: f32[4] "x"
  %1: f32[4] "half" = [0.5]
  %2: f32[4] "z"
  %3: f32[4] "half too" = [0.5]
  %4: f32[4] "y"
  op0 MUL (%0, %1) -> %2
  op1 SUB (%2, %3) -> %4
"#,
    after: r#"
subgraph sg0 "" (%0) -> (%4)
  %0: f32[4] "x"
  %1: f32[4] "half" = [0.5]
  %2: f32[4] "z"
  %4: f32[4] "y"
  op0 MUL (%0, %1) -> %2  ; @0 primary
  op1 SUB (%2, %1) -> %4  ; @1 primary
"#,
};

/// See the module.
pub(crate) struct RemoveDuplicateConst;

impl ModelPass for RemoveDuplicateConst {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }

    fn run(&self, context: &mut Context<'_>) {
        for id in context.subgraphs() {
            let found = context.view(id).map(|view| duplicates(&view)).unwrap_or_default();
            let mut classes: BTreeMap<ValueId, Vec<ValueId>> = BTreeMap::new();
            for (later, earlier) in found {
                classes.entry(earlier).or_default().push(later);
            }
            for (earlier, all) in classes {
                let Some(view) = context.view(id) else { break };
                let mut patch = PatchBuilder::new(&view, INFO.name);
                let mut moves = false;
                for &(op, slot) in all.iter().filter_map(|&v| view.value(v)).flat_map(|v| v.uses()) {
                    patch.reread(op, slot, earlier);
                    moves = true;
                }
                let patch = patch.finish();
                if moves {
                    context.commit(patch);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::INFO;
    use crate::testing::{after, fires_but_not};

    #[test]
    fn refuses_what_differs() {
        fires_but_not(
            INFO.name,
            INFO.before,
            &[
                ("the numbers differ", "\"half too\" = [0.5]", "\"half too\" = [0.25]"),
                ("zeros of two signs differ", "\"half\" = [0.5]", "\"half\" = [-0.0]"),
                ("the shape differs", "%3: f32[4]", "%3: f32[1,4]"),
                (
                    "the type differs",
                    "%3: f32[4] \"half too\" = [0.5]",
                    "%3: i32[4] \"half too\" = [1056964608]",
                ),
                (
                    "quantization differs",
                    "\"half too\"",
                    "\"half too\" {quantization={scale=[0.5], zero_point=[0]}}",
                ),
                ("one is a variable", "\"half too\"", "\"half too\" {is_variable=true}"),
            ],
        );
    }

    #[test]
    fn a_graph_output_keeps_its_constant() {
        let text = after(INFO.name, &INFO.before.replace("-> (%4)", "-> (%4, %3)")).unwrap();
        assert!(text.contains("SUB (%2, %1)") && text.contains("\"half too\" = [0.5]"), "{text}");
        assert!(after(INFO.name, &text).is_none());
    }
}
