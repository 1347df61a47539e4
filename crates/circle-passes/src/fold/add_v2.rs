//! ADD of two constants, builtin or the custom operator AddV2, becomes a constant.
//!
//! When not: an activation is fused, types differ or are others than f32, i32 and i64, a tensor is quantised, an
//! integer leaves its range, or the result is known outside the graph or beyond the budget.
//!
//! Lineage: the addition is folded into the constant and leaves as folded.

use circle_ir::{OpId, View, patch::Patch};
use circle_tables::opcode;

use super::broadcast::{Arithmetic, fold_pair};
use crate::rule::{Change, PassInfo, Rule};

const INFO: PassInfo = PassInfo {
    name: "fold_add_v2",
    summary: "ADD of two constants, builtin or the custom operator AddV2",
    change: Change::Fold,
    lineage: "folded into the constant",
    before: r#"
subgraph sg0 "" (%4) -> (%3)
  %0: f32[2,2] "a" = [1.0, 2.0, 3.0, 4.0]
  %1: f32[2] "b" = [10.0, 20.0]
  %2: f32[2,2] "c"
  %3: f32[2,2] "y"
  %4: f32[2,2] "x"
  op0 CUSTOM:AddV2 (%0, %1) -> %2
  op1 SUB (%4, %2) -> %3
"#,
    after: r#"
subgraph sg0 "" (%4) -> (%3)
  %3: f32[2,2] "y"
  %4: f32[2,2] "x"
  %5: f32[2,2] "c" = [11.0, 22.0, 13.0, 24.0]  ; @0 folded-const
  op1 SUB (%4, %5) -> %3  ; @1 primary
ledger
  @0 folded by fold_add_v2
"#,
};

const ARITHMETIC: Arithmetic =
    Arithmetic { float: |a, b| a + b, int32: |a, b| a.checked_add(b), int64: |a, b| a.checked_add(b) };

/// See the module.
pub(crate) struct FoldAddV2;

impl Rule for FoldAddV2 {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn anchors(&self) -> &'static [i32] {
        &[opcode::ADD, opcode::CUSTOM]
    }
    fn rewrite(&self, at: OpId, view: &View<'_>) -> Option<Patch> {
        let code = view.op(at)?.code();
        if code.builtin == opcode::CUSTOM && code.custom.as_deref() != Some("AddV2") {
            return None;
        }
        fold_pair(view, INFO.name, at, &ARITHMETIC)
    }
}

#[cfg(test)]
mod tests {
    use super::INFO;
    use crate::testing::{after, fires_but_not};

    #[test]
    fn refuses_what_is_not_plain() {
        let text = INFO.before.replace("CUSTOM:AddV2", "ADD");
        fires_but_not(
            INFO.name,
            &text,
            &[
                ("an operand is computed at run time", " = [10.0, 20.0]", ""),
                ("an activation is fused", "op0 ADD", "op0 ADD {fused_activation_function=RELU}"),
                ("the result is a graph output", "-> (%3)", "-> (%3, %2)"),
                ("the shapes do not fit", "%2: f32[2,2]", "%2: f32[2,3]"),
                ("the type changes", "%2: f32", "%2: i32"),
                ("it is quantised", "\"b\"", "\"b\" {quantization={scale=[0.5], zero_point=[0]}}"),
            ],
        );
    }

    #[test]
    fn refuses_other_custom_operators() {
        fires_but_not(INFO.name, INFO.before, &[("it is called otherwise", "AddV2", "AddN")]);
    }

    #[test]
    fn integers_must_stay_in_range() {
        let text = INFO.before.replace("f32", "i32").replace(".0", "");
        assert!(after(INFO.name, &text).unwrap().contains("\"c\" = [11, 22, 13, 24]"));
        assert!(after(INFO.name, &text.replace("20]", "2147483647]")).is_none());
    }
}
