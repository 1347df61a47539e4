//! SQUEEZE of a constant becomes a constant of the new shape.
//!
//! When not: the constant is packed or the result known outside the graph or beyond the budget.
//!
//! Lineage: the squeeze is folded into the constant and leaves as folded.

use circle_ir::{OpId, View, patch::Patch};
use circle_tables::opcode;

use super::fold_reshaped;
use crate::rule::{Change, PassInfo, Rule};

const INFO: PassInfo = PassInfo {
    name: "fold_squeeze",
    summary: "SQUEEZE of a constant",
    change: Change::Fold,
    lineage: "folded into the constant",
    before: r#"
subgraph sg0 "" (%3) -> (%2)
  %0: f32[3,1,2] "w" = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
  %1: f32[3,2] "w2"
  %2: f32[3,2] "y"
  %3: f32[3,2] "x"
  op0 SQUEEZE (%0) -> %1
  op1 MUL (%3, %1) -> %2
"#,
    after: r#"
subgraph sg0 "" (%3) -> (%2)
  %2: f32[3,2] "y"
  %3: f32[3,2] "x"
  %4: f32[3,2] "w2" = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]  ; @0 folded-const
  op1 MUL (%3, %4) -> %2  ; @1 primary
ledger
  @0 folded by fold_squeeze
"#,
};

/// See the module.
pub(crate) struct FoldSqueeze;

impl Rule for FoldSqueeze {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn anchors(&self) -> &'static [i32] {
        &[opcode::SQUEEZE]
    }
    fn rewrite(&self, at: OpId, view: &View<'_>) -> Option<Patch> {
        fold_reshaped(view, INFO.name, at)
    }
}

#[cfg(test)]
mod tests {
    use super::INFO;
    use crate::testing::fires_but_not;

    #[test]
    fn refuses_what_is_not_constant_or_known_outside() {
        fires_but_not(
            INFO.name,
            INFO.before,
            &[
                ("the input is computed at run time", " = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]", ""),
                ("the result is a graph output", "-> (%2)", "-> (%2, %1)"),
                ("the size of the result is open", "%1: f32[3,2]", "%1: f32[?,2]"),
                ("the sizes do not fit", "%1: f32[3,2]", "%1: f32[3,3]"),
                ("the type changes", "%1: f32", "%1: i32"),
                ("the constant is compressed", "\"w\"", "\"w\" {compression_type=HUFFMAN}"),
            ],
        );
    }
}
