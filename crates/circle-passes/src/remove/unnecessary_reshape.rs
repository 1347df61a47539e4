//! RESHAPE to the shape that the tensor has already goes.
//!
//! When not: a dimension is open, so that the shapes may differ at run time; quantization changes; input and output
//! are both known outside the graph.
//!
//! Lineage: the reshape leaves as identity.

use circle_ir::{OpId, View, patch::Patch};
use circle_tables::opcode;

use super::{bypass, same_static_shape};
use crate::rule::{Change, PassInfo, Rule};

const INFO: PassInfo = PassInfo {
    name: "remove_unnecessary_reshape",
    summary: "RESHAPE to the shape that is there already",
    change: Change::Remove,
    lineage: "the reshape leaves as identity",
    before: r#"
subgraph sg0 "" (%0) -> (%3)
  %0: f32[2,3] "x"
  %1: i32[2] "shape" = [2, 3]
  %2: f32[2,3] "same"
  %3: f32[2,3] "y"
  op0 RESHAPE (%0, %1) -> %2
  op1 ABS (%2) -> %3
"#,
    after: r#"
subgraph sg0 "" (%0) -> (%3)
  %0: f32[2,3] "x"
  %3: f32[2,3] "y"
  op1 ABS (%0) -> %3  ; @1 primary
ledger
  @0 identity by remove_unnecessary_reshape
  @%1 dead by dead_code
"#,
};

/// See the module.
pub(crate) struct RemoveUnnecessaryReshape;

impl Rule for RemoveUnnecessaryReshape {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn anchors(&self) -> &'static [i32] {
        &[opcode::RESHAPE]
    }
    fn rewrite(&self, at: OpId, view: &View<'_>) -> Option<Patch> {
        let op = view.op(at)?;
        let (input, output) = (op.input(0)?, *op.outputs().first()?);
        same_static_shape(view, input, output).then(|| bypass(view, INFO.name, at, input)).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::INFO;
    use crate::testing::{after, fires_but_not};

    #[test]
    fn refuses_what_changes_something() {
        fires_but_not(
            INFO.name,
            INFO.before,
            &[
                ("another shape results", "%2: f32[2,3]", "%2: f32[3,2]"),
                ("a dimension is open", "f32[2,3]", "f32[?,3]"),
                ("the type differs", "%2: f32[2,3]", "%2: i32[2,3]"),
                ("both ends are known outside", "(%0) -> (%3)", "(%0) -> (%3, %2)"),
            ],
        );
    }

    #[test]
    fn a_graph_output_keeps_its_name() {
        let text = r#"
subgraph sg0 "" (%0) -> (%2)
  %0: f32[2,3] "x"
  %1: f32[2,3] "z"
  %2: f32[2,3] "y"
  op0 ABS (%0) -> %1
  op1 RESHAPE (%1) -> %2
"#;
        assert!(after(INFO.name, text).unwrap().contains("op0 ABS (%0) -> %2"));
    }
}
