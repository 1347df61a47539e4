//! TRANSPOSE of a constant becomes a constant with its elements in the new order.
//!
//! When not: the permutation is computed at run time, elements are not whole bytes, the constant is packed, or the
//! result is known outside the graph or beyond the budget.
//!
//! Lineage: the transpose is folded into the constant and leaves as folded.

use circle_ir::{OpId, View, patch::Patch};
use circle_tables::opcode;

use super::{fold, foldable};
use crate::matcher::{permutation, transpose_bytes};
use crate::rule::{Change, PassInfo, Rule};

const INFO: PassInfo = PassInfo {
    name: "fold_transpose",
    summary: "TRANSPOSE of a constant",
    change: Change::Fold,
    lineage: "folded into the constant",
    before: r#"
subgraph sg0 "" (%4) -> (%3)
  %0: f32[2,3] "w" = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
  %1: i32[2] "perm" = [1, 0]
  %2: f32[3,2] "wt"
  %3: f32[3,2] "y"
  %4: f32[3,2] "x"
  op0 TRANSPOSE (%0, %1) -> %2
  op1 MUL (%4, %2) -> %3
"#,
    after: r#"
subgraph sg0 "" (%4) -> (%3)
  %3: f32[3,2] "y"
  %4: f32[3,2] "x"
  %5: f32[3,2] "wt" = [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]  ; @0 folded-const
  op1 MUL (%4, %5) -> %3  ; @1 primary
ledger
  @0 folded by fold_transpose
  @%1 dead by dead_code
"#,
};

/// See the module.
pub(crate) struct FoldTranspose;

impl Rule for FoldTranspose {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn anchors(&self) -> &'static [i32] {
        &[opcode::TRANSPOSE]
    }
    fn rewrite(&self, at: OpId, view: &View<'_>) -> Option<Patch> {
        let op = view.op(at)?;
        let from = op.input(0)?;
        let output = foldable(view, at, &[from])?;
        let input = view.value(from)?;
        let perm = permutation(view, op)?;
        let shape: Option<Vec<usize>> = input.shape().iter().map(|&d| usize::try_from(d).ok()).collect();
        let shape = shape?;
        let moved = perm.iter().map(|&p| input.shape().get(p).copied());
        if !moved.eq(output.shape().iter().map(|&d| Some(d))) || input.ty() != output.ty() {
            return None;
        }
        let width = usize::try_from(input.ty().bytes()?).ok()?;
        fold(view, INFO.name, at, transpose_bytes(view.constant(from)?, &shape, &perm, width), &[from])
    }
}

#[cfg(test)]
mod tests {
    use super::INFO;
    use crate::testing::{after, fires_but_not};

    #[test]
    fn refuses_what_is_not_constant_or_known_outside() {
        fires_but_not(
            INFO.name,
            INFO.before,
            &[
                ("the input is computed at run time", " = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]", ""),
                ("the permutation is computed at run time", " = [1, 0]", ""),
                ("the permutation is none", "[1, 0]", "[1, 1]"),
                ("the result is a graph output", "-> (%3)", "-> (%3, %2)"),
                ("the shapes do not fit", "%2: f32[3,2]", "%2: f32[2,3]"),
                ("the type changes", "%2: f32", "%2: i32"),
            ],
        );
    }

    #[test]
    fn moves_elements_of_any_width() {
        let text = INFO.before.replace("f32", "i8").replace(".0", "");
        assert!(after(INFO.name, &text).unwrap().contains("\"wt\" = [1, 4, 2, 5, 3, 6]"));
    }
}
