//! A product per output channel after FULLY_CONNECTED goes into its weights and bias, its activation to the operator.
//!
//! When not: the operator has an activation, its result is read elsewhere or is a graph output; the constant is not one
//! number or one for each output channel; anything is quantised, packed or not `f32`, or the weights are shuffled; the kernel knows no such
//! activation; or a limit of [`crate::matcher::channels`] is passed.
//!
//! Lineage: the operator stays primary, MUL is absorbed. The new weights and the new bias hold its work.

use circle_ir::patch::Patch;
use circle_ir::{OpId, View};
use circle_tables::opcode;

use crate::matcher::channels::{Kernel, Step, absorb};
use crate::rule::{Change, PassInfo, Rule};

const INFO: PassInfo = PassInfo {
    name: "fuse_mul_with_fullyconnected",
    summary: "MUL per channel into the weights and bias of FULLY_CONNECTED",
    change: Change::Fuse,
    lineage: "FULLY_CONNECTED primary, MUL absorbed",
    before: r#"
subgraph sg0 "" (%0) -> (%5)
  %0: f32[3,2] "x"
  %1: f32[2,2] "w" = [1.0, 2.0, 3.0, 4.0]
  %2: f32[2] "b" = [0.5, -0.5]
  %3: f32[3,2] "fc"
  %4: f32[2] "scale" = [2.0, -1.0]
  %5: f32[3,2] "y"
  op0 FULLY_CONNECTED (%0, %1, %2) -> %3
  op1 MUL {fused_activation_function=RELU} (%3, %4) -> %5
"#,
    after: r#"
subgraph sg0 "" (%0) -> (%5)
  %0: f32[3,2] "x"
  %5: f32[3,2] "y"
  %6: f32[2,2] "w;scaled" = [2.0, 4.0, -3.0, -4.0]  ; @1 folded-const
  %7: f32[2] "b;scaled" = [1.0, 0.5]  ; @1 folded-const
  op2 FULLY_CONNECTED {fused_activation_function=RELU} (%0, %6, %7) -> %5  ; @0 primary + @1 absorbed by fuse_mul_with_fullyconnected
ledger
  @%3 dead by dead_code
"#,
};

/// See the module.
pub(crate) struct FuseMulWithFullyConnected;

impl Rule for FuseMulWithFullyConnected {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn anchors(&self) -> &'static [i32] {
        &[opcode::MUL]
    }
    fn rewrite(&self, at: OpId, view: &View<'_>) -> Option<Patch> {
        let mul = Step::at(view, at, opcode::MUL)?;
        let kernel = Kernel::before(view, mul.input(), opcode::FULLY_CONNECTED)?;
        absorb(view, INFO.name, &kernel, Some(&mul), None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{changed, fires, refuses, refuses_each};

    #[test]
    fn numbers_are_those_of_the_formula() {
        let text = fires(&FuseMulWithFullyConnected, INFO.before);
        assert!(text.contains("\"w;scaled\" = [2.0, 4.0, -3.0, -4.0]"), "{text}");
        assert!(text.contains("\"b;scaled\" = [1.0, 0.5]"), "{text}");
    }

    #[test]
    fn takes_one_number_and_a_missing_bias() {
        fires(
            &FuseMulWithFullyConnected,
            &changed(INFO.before, &[("f32[2] \"scale\" = [2.0, -1.0]", "f32[] \"scale\" = [3.0]")]),
        );
        let text =
            fires(&FuseMulWithFullyConnected, &changed(INFO.before, &[("(%0, %1, %2)", "(%0, %1, _)")]));
        assert!(text.contains("(%0, %6, _) -> %5"), "{text}");
    }

    #[test]
    fn stores_no_large_constant_twice() {
        let large = |width: usize| {
            let x = format!("f32[3,{width}] \"x\"");
            let w = format!("f32[2,{width}] \"w\" = [0.5]");
            changed(
                INFO.before,
                &[
                    ("f32[3,2] \"x\"", &x),
                    ("f32[2,2] \"w\" = [1.0, 2.0, 3.0, 4.0]", &w),
                    ("-> (%5)", "-> (%5, %6)"),
                    ("  op0", "  %6: f32[3,2] \"other\"\n  op0"),
                    ("-> %5\n", "-> %5\n  op2 FULLY_CONNECTED (%0, %1, _) -> %6\n"),
                ],
            )
        };
        // 64 KiB are 8192 numbers for each of the two units.
        fires(&FuseMulWithFullyConnected, &large(8192));
        refuses(&FuseMulWithFullyConnected, &large(8193));
        // Nobody else reads it here.
        let alone = changed(&large(8193), &[("(%0, %1, _) -> %6", "(%0, %0, _) -> %6")]);
        let alone = alone.replace("f32[3,2] \"other\"", "f32[3,3] \"other\"");
        fires(&FuseMulWithFullyConnected, &alone);
    }

    #[test]
    fn leaves_the_rest_alone() {
        let quantised = "{quantization={scale=[0.5], zero_point=[0]}}";
        refuses_each(
            &FuseMulWithFullyConnected,
            INFO.before,
            &[
                &[("-> (%5)", "-> (%5, %3)")],
                &[
                    ("-> (%5)", "-> (%5, %6)"),
                    ("  op0", "  %6: f32[3,2] \"other\"\n  op0"),
                    ("-> %5\n", "-> %5\n  op2 ABS (%3) -> %6\n"),
                ],
                &[("FULLY_CONNECTED (", "FULLY_CONNECTED {fused_activation_function=RELU} (")],
                &[("MUL {fused_activation_function=RELU}", "MUL {fused_activation_function=TANH}")],
                &[("(%0)", "(%0, %4)"), ("\"scale\" = [2.0, -1.0]", "\"scale\"")],
                &[("f32[2] \"scale\" = [2.0, -1.0]", "f32[3,2] \"scale\" = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]")],
                &[("FULLY_CONNECTED (", "FULLY_CONNECTED {weights_format=SHUFFLED4x16INT8} (")],
                &[("\"scale\" = [2.0, -1.0]", "\"scale\" = [nan, 1.0]")],
                &[("(%0)", "(%0, %2)"), ("\"b\" = [0.5, -0.5]", "\"b\"")],
                &[("\"fc\"", &format!("\"fc\" {quantised}"))],
                &[("\"scale\"", &format!("\"scale\" {quantised}"))],
                &[("(%3, %4)", "(%3, %3)")],
                &[("(%0)", "(%0, %1)"), ("\"w\" = [1.0, 2.0, 3.0, 4.0]", "\"w\"")],
            ],
        );
    }
}
