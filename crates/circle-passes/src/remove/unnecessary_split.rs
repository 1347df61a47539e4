//! SPLIT and SPLIT_V into one piece go.
//!
//! When not: there are several outputs, shapes differ, or input and output are both known outside the graph.
//!
//! Lineage: the split leaves as identity.

use circle_ir::{OpId, View, patch::Patch};
use circle_tables::opcode;

use super::bypass;
use crate::rule::{Change, PassInfo, Rule};

const INFO: PassInfo = PassInfo {
    name: "remove_unnecessary_split",
    summary: "SPLIT and SPLIT_V into one piece",
    change: Change::Remove,
    lineage: "the split leaves as identity",
    before: r#"
subgraph sg0 "" (%0) -> (%3)
  %0: f32[2,3] "x"
  %1: i32[] "axis" = [1]
  %2: f32[2,3] "same"
  %3: f32[2,3] "y"
  op0 SPLIT {num_splits=1} (%1, %0) -> %2
  op1 ABS (%2) -> %3
"#,
    after: r#"
subgraph sg0 "" (%0) -> (%3)
  %0: f32[2,3] "x"
  %3: f32[2,3] "y"
  op1 ABS (%0) -> %3  ; @1 primary
ledger
  @0 identity by remove_unnecessary_split
  @%1 dead by dead_code
"#,
};

/// See the module.
pub(crate) struct RemoveUnnecessarySplit;

impl Rule for RemoveUnnecessarySplit {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn anchors(&self) -> &'static [i32] {
        &[opcode::SPLIT, opcode::SPLIT_V]
    }
    fn rewrite(&self, at: OpId, view: &View<'_>) -> Option<Patch> {
        let op = view.op(at)?;
        // SPLIT takes the axis first, SPLIT_V the tensor.
        let input = op.input(if op.is(opcode::SPLIT) { 1 } else { 0 })?;
        bypass(view, INFO.name, at, input)
    }
}

#[cfg(test)]
mod tests {
    use super::INFO;
    use crate::testing::{after, fires_but_not};

    #[test]
    fn refuses_pieces() {
        fires_but_not(
            INFO.name,
            INFO.before,
            &[
                ("there are two", "-> %2\n", "-> %2, %4\n  %4: f32[2,3] \"other\"\n"),
                ("the piece is smaller", "%2: f32[2,3]", "%2: f32[2,2]"),
                ("both ends are known outside", "(%0) -> (%3)", "(%0) -> (%3, %2)"),
            ],
        );
    }

    #[test]
    fn takes_the_tensor_of_split_v() {
        let text = INFO.before.replace("SPLIT {num_splits=1} (%1, %0)", "SPLIT_V {num_splits=1} (%0, _, %1)");
        assert!(after(INFO.name, &text).unwrap().contains("ABS (%0) -> %3"));
    }
}
