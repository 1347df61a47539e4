//! CAST to the type that the tensor has already goes.
//!
//! When not: types, shapes or quantization differ, or input and output are both known outside the graph.
//!
//! Lineage: the cast leaves as identity.

use circle_ir::{OpId, View, patch::Patch};
use circle_tables::opcode;

use super::bypass;
use crate::rule::{Change, PassInfo, Rule};

const INFO: PassInfo = PassInfo {
    name: "remove_unnecessary_cast",
    summary: "CAST to the type that is there already",
    change: Change::Remove,
    lineage: "the cast leaves as identity",
    before: r#"
subgraph sg0 "" (%0) -> (%2)
  %0: i32[4] "x"
  %1: i32[4] "same"
  %2: i32[4] "y"
  op0 CAST {in_data_type=INT32, out_data_type=INT32} (%0) -> %1
  op1 ABS (%1) -> %2
"#,
    after: r#"
subgraph sg0 "" (%0) -> (%2)
  %0: i32[4] "x"
  %2: i32[4] "y"
  op1 ABS (%0) -> %2  ; @1 primary
ledger
  @0 identity by remove_unnecessary_cast
"#,
};

/// See the module.
pub(crate) struct RemoveUnnecessaryCast;

impl Rule for RemoveUnnecessaryCast {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn anchors(&self) -> &'static [i32] {
        &[opcode::CAST]
    }
    fn rewrite(&self, at: OpId, view: &View<'_>) -> Option<Patch> {
        // That types are equal is what `can_forward` asks; the runtimes go by the tensors' types, not the options.
        bypass(view, INFO.name, at, view.op(at)?.input(0)?)
    }
}

#[cfg(test)]
mod tests {
    use super::INFO;
    use crate::testing::fires_but_not;

    #[test]
    fn refuses_what_changes_something() {
        fires_but_not(
            INFO.name,
            INFO.before,
            &[
                ("the type changes", "%0: i32", "%0: f32"),
                (
                    "the quantization changes",
                    "\"same\"",
                    "\"same\" {quantization={scale=[0.5], zero_point=[0]}}",
                ),
                ("both ends are known outside", "(%0) -> (%2)", "(%0) -> (%2, %1)"),
            ],
        );
    }
}
