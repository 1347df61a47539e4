//! TRANSPOSE that moves no dimension goes.
//!
//! When not: the permutation is computed at run time; quantization changes; input and output are both known outside
//! the graph.
//!
//! Lineage: the transpose leaves as identity.

use circle_ir::{OpId, View, patch::Patch};
use circle_tables::opcode;

use super::bypass;
use crate::matcher::permutation;
use crate::matcher::permutation::is_identity;
use crate::rule::{Change, PassInfo, Rule};

const INFO: PassInfo = PassInfo {
    name: "remove_unnecessary_transpose",
    summary: "TRANSPOSE that moves no dimension",
    change: Change::Remove,
    lineage: "the transpose leaves as identity",
    before: r#"
subgraph sg0 "" (%0) -> (%3)
  %0: f32[2,3] "x"
  %1: i32[2] "perm" = [0, 1]
  %2: f32[2,3] "same"
  %3: f32[2,3] "y"
  op0 TRANSPOSE (%0, %1) -> %2
  op1 ABS (%2) -> %3
"#,
    after: r#"
subgraph sg0 "" (%0) -> (%3)
  %0: f32[2,3] "x"
  %3: f32[2,3] "y"
  op1 ABS (%0) -> %3  ; @1 primary
ledger
  @0 identity by remove_unnecessary_transpose
  @%1 dead by dead_code
"#,
};

/// See the module.
pub(crate) struct RemoveUnnecessaryTranspose;

impl Rule for RemoveUnnecessaryTranspose {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn anchors(&self) -> &'static [i32] {
        &[opcode::TRANSPOSE]
    }
    fn rewrite(&self, at: OpId, view: &View<'_>) -> Option<Patch> {
        let op = view.op(at)?;
        is_identity(&permutation(view, op)?).then(|| bypass(view, INFO.name, at, op.input(0)?)).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::INFO;
    use crate::testing::fires_but_not;

    #[test]
    fn refuses_what_moves_or_is_not_known() {
        fires_but_not(
            INFO.name,
            INFO.before,
            &[
                ("dimensions move", "[0, 1]", "[1, 0]"),
                ("the permutation is no permutation", "[0, 1]", "[0, 0]"),
                ("the permutation is not constant", " = [0, 1]", ""),
                ("both ends are known outside", "(%0) -> (%3)", "(%0) -> (%3, %2)"),
            ],
        );
    }
}
