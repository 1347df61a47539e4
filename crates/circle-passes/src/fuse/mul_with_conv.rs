//! A product per output channel after CONV_2D goes into its weights and bias, its activation to the convolution.
//!
//! When not: the convolution has an activation, its result is read elsewhere or is a graph output; the constant is not one
//! number or one for each output channel; anything is quantised, packed or not `f32`; the kernel knows no such
//! activation; or a limit of [`crate::matcher::channels`] is passed.
//!
//! Lineage: the convolution stays primary, MUL is absorbed. The new weights and the new bias hold its work.

use circle_ir::patch::Patch;
use circle_ir::{OpId, View};
use circle_tables::opcode;

use crate::matcher::channels::{Kernel, Step, absorb};
use crate::rule::{Change, PassInfo, Rule};

const INFO: PassInfo = PassInfo {
    name: "fuse_mul_with_conv",
    summary: "MUL per channel into the weights and bias of CONV_2D",
    change: Change::Fuse,
    lineage: "convolution primary, MUL absorbed",
    before: r#"
subgraph sg0 "" (%0) -> (%5)
  %0: f32[1,2,2,2] "x"
  %1: f32[2,1,1,2] "w" = [1.0, 2.0, 3.0, 4.0]
  %2: f32[2] "b" = [0.5, -0.5]
  %3: f32[1,2,2,2] "conv"
  %4: f32[2] "scale" = [2.0, -1.0]
  %5: f32[1,2,2,2] "y"
  op0 CONV_2D {stride_w=1, stride_h=1} (%0, %1, %2) -> %3
  op1 MUL {fused_activation_function=RELU} (%3, %4) -> %5
"#,
    after: r#"
subgraph sg0 "" (%0) -> (%5)
  %0: f32[1,2,2,2] "x"
  %5: f32[1,2,2,2] "y"
  %6: f32[2,1,1,2] "w;scaled" = [2.0, 4.0, -3.0, -4.0]  ; @1 folded-const
  %7: f32[2] "b;scaled" = [1.0, 0.5]  ; @1 folded-const
  op2 CONV_2D {stride_w=1, stride_h=1, fused_activation_function=RELU} (%0, %6, %7) -> %5  ; @0 primary + @1 absorbed by fuse_mul_with_conv
ledger
  @%3 dead by dead_code
"#,
};

/// See the module.
pub(crate) struct FuseMulWithConv;

impl Rule for FuseMulWithConv {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn anchors(&self) -> &'static [i32] {
        &[opcode::MUL]
    }
    fn rewrite(&self, at: OpId, view: &View<'_>) -> Option<Patch> {
        let mul = Step::at(view, at, opcode::MUL)?;
        let kernel = Kernel::before(view, mul.input(), opcode::CONV_2D)?;
        absorb(view, INFO.name, &kernel, Some(&mul), None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{changed, fires, refuses_each};

    #[test]
    fn numbers_are_those_of_the_formula() {
        let text = fires(&FuseMulWithConv, INFO.before);
        assert!(text.contains("\"w;scaled\" = [2.0, 4.0, -3.0, -4.0]"), "{text}");
        assert!(text.contains("\"b;scaled\" = [1.0, 0.5]"), "{text}");
    }

    #[test]
    fn takes_one_number_and_a_missing_bias() {
        fires(
            &FuseMulWithConv,
            &changed(INFO.before, &[("f32[2] \"scale\" = [2.0, -1.0]", "f32[] \"scale\" = [3.0]")]),
        );
        let text = fires(&FuseMulWithConv, &changed(INFO.before, &[("(%0, %1, %2)", "(%0, %1, _)")]));
        assert!(text.contains("(%0, %6, _) -> %5"), "{text}");
    }

    #[test]
    fn leaves_the_rest_alone() {
        let quantised = "{quantization={scale=[0.5], zero_point=[0]}}";
        refuses_each(
            &FuseMulWithConv,
            INFO.before,
            &[
                &[("-> (%5)", "-> (%5, %3)")],
                &[
                    ("-> (%5)", "-> (%5, %6)"),
                    ("  op0", "  %6: f32[1,2,2,2] \"other\"\n  op0"),
                    ("-> %5\n", "-> %5\n  op2 ABS (%3) -> %6\n"),
                ],
                &[("{stride_w=1, stride_h=1}", "{stride_w=1, stride_h=1, fused_activation_function=RELU}")],
                &[("MUL {fused_activation_function=RELU}", "MUL {fused_activation_function=TANH}")],
                &[("(%0)", "(%0, %4)"), ("\"scale\" = [2.0, -1.0]", "\"scale\"")],
                &[("f32[2] \"scale\"", "f32[2,1] \"scale\"")],
                &[("\"scale\" = [2.0, -1.0]", "\"scale\" = [nan, 1.0]")],
                &[("(%0)", "(%0, %2)"), ("\"b\" = [0.5, -0.5]", "\"b\"")],
                &[("\"conv\"", &format!("\"conv\" {quantised}"))],
                &[("\"scale\"", &format!("\"scale\" {quantised}"))],
                &[("(%3, %4)", "(%3, %3)")],
                &[("(%0)", "(%0, %1)"), ("\"w\" = [1.0, 2.0, 3.0, 4.0]", "\"w\"")],
            ],
        );
    }
}
