//! A sum per output channel after CONV_2D goes into its bias, its activation to the convolution.
//!
//! When not: the convolution has an activation, its result is read elsewhere or is a graph output; the constant is not one
//! number or one for each output channel; anything is quantised, packed or not `f32`; the kernel knows no such
//! activation; or a limit of [`crate::matcher::channels`] is passed.
//!
//! Lineage: the convolution stays primary, ADD is absorbed. The new bias holds its work.

use circle_ir::patch::Patch;
use circle_ir::{OpId, View};
use circle_tables::opcode;

use crate::matcher::channels::{Kernel, Step, absorb};
use crate::rule::{Change, PassInfo, Rule};

const INFO: PassInfo = PassInfo {
    name: "fuse_add_with_conv",
    summary: "ADD per channel into the bias of CONV_2D",
    change: Change::Fuse,
    lineage: "convolution primary, ADD absorbed",
    before: r#"
subgraph sg0 "" (%0) -> (%5)
  %0: f32[1,2,2,2] "x"
  %1: f32[2,1,1,2] "w" = [1.0, 2.0, 3.0, 4.0]
  %2: f32[2] "b" = [0.5, -0.5]
  %3: f32[1,2,2,2] "conv"
  %4: f32[2] "shift" = [10.0, 0.25]
  %5: f32[1,2,2,2] "y"
  op0 CONV_2D {stride_w=1, stride_h=1} (%0, %1, %2) -> %3
  op1 ADD {fused_activation_function=RELU} (%3, %4) -> %5
"#,
    after: r#"
subgraph sg0 "" (%0) -> (%5)
  %0: f32[1,2,2,2] "x"
  %1: f32[2,1,1,2] "w" = [1.0, 2.0, 3.0, 4.0]
  %5: f32[1,2,2,2] "y"
  %6: f32[2] "b;shifted" = [10.5, -0.25]  ; @1 folded-const
  op2 CONV_2D {stride_w=1, stride_h=1, fused_activation_function=RELU} (%0, %1, %6) -> %5  ; @0 primary + @1 absorbed by fuse_add_with_conv
ledger
  @%3 dead by dead_code
"#,
};

/// See the module.
pub(crate) struct FuseAddWithConv;

impl Rule for FuseAddWithConv {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn anchors(&self) -> &'static [i32] {
        &[opcode::ADD]
    }
    fn rewrite(&self, at: OpId, view: &View<'_>) -> Option<Patch> {
        let add = Step::at(view, at, opcode::ADD)?;
        let kernel = Kernel::before(view, add.input(), opcode::CONV_2D)?;
        absorb(view, INFO.name, &kernel, None, Some(&add))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{changed, fires, refuses_each};

    #[test]
    fn numbers_are_those_of_the_formula() {
        let text = fires(&FuseAddWithConv, INFO.before);
        assert!(text.contains("\"b;shifted\" = [10.5, -0.25]"), "{text}");
        // Weights are as they were, also where they are computed.
        assert!(text.contains("(%0, %1, "), "{text}");
        let computed = [("(%0)", "(%0, %1)"), ("\"w\" = [1.0, 2.0, 3.0, 4.0]", "\"w\"")];
        fires(&FuseAddWithConv, &changed(INFO.before, &computed));
    }

    #[test]
    fn takes_one_number_and_a_missing_bias() {
        fires(
            &FuseAddWithConv,
            &changed(INFO.before, &[("f32[2] \"shift\" = [10.0, 0.25]", "f32[] \"shift\" = [3.0]")]),
        );
        let text = fires(&FuseAddWithConv, &changed(INFO.before, &[("(%0, %1, %2)", "(%0, %1, _)")]));
        assert!(text.contains("\"w;bias\" = [10.0, 0.25]  ; @1 folded-const\n"), "{text}");
    }

    #[test]
    fn leaves_the_rest_alone() {
        let quantised = "{quantization={scale=[0.5], zero_point=[0]}}";
        refuses_each(
            &FuseAddWithConv,
            INFO.before,
            &[
                &[("-> (%5)", "-> (%5, %3)")],
                &[
                    ("-> (%5)", "-> (%5, %6)"),
                    ("  op0", "  %6: f32[1,2,2,2] \"other\"\n  op0"),
                    ("-> %5\n", "-> %5\n  op2 ABS (%3) -> %6\n"),
                ],
                &[("{stride_w=1, stride_h=1}", "{stride_w=1, stride_h=1, fused_activation_function=RELU}")],
                &[("ADD {fused_activation_function=RELU}", "ADD {fused_activation_function=TANH}")],
                &[("(%0)", "(%0, %4)"), ("\"shift\" = [10.0, 0.25]", "\"shift\"")],
                &[("f32[2] \"shift\"", "f32[2,1] \"shift\"")],
                &[("\"shift\" = [10.0, 0.25]", "\"shift\" = [nan, 1.0]")],
                &[("(%0)", "(%0, %2)"), ("\"b\" = [0.5, -0.5]", "\"b\"")],
                &[("\"conv\"", &format!("\"conv\" {quantised}"))],
                &[("\"shift\"", &format!("\"shift\" {quantised}"))],
                &[("(%3, %4)", "(%3, %3)")],
            ],
        );
    }
}
