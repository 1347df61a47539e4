//! A product and then a sum per output channel after CONV_2D (a batch norm at inference) go into its weights and bias,
//! the activation of the sum to the convolution.
//!
//! When not: the convolution or the product has an activation, the result of either is read elsewhere or is a graph output;
//! a constant is not one number or one for each output channel; anything is quantised, packed or not `f32`; or a limit
//! of [`crate::matcher::channels`] is passed. A product or a sum alone is the business of fuse_mul_with_conv and
//! fuse_add_with_conv.
//!
//! Lineage: the convolution stays primary, MUL and ADD are absorbed. The new weights hold the work of MUL, the new bias that of
//! both.

use circle_ir::patch::Patch;
use circle_ir::{OpId, View};
use circle_tables::opcode;

use crate::matcher::channels::{Kernel, Step, absorb};
use crate::rule::{Change, PassInfo, Rule};

const INFO: PassInfo = PassInfo {
    name: "fuse_batchnorm_with_conv",
    summary: "MUL and ADD per channel into the weights and bias of CONV_2D",
    change: Change::Fuse,
    lineage: "convolution primary, MUL and ADD absorbed",
    before: r#"
subgraph sg0 "" (%0) -> (%7)
  %0: f32[1,2,2,2] "x"
  %1: f32[2,1,1,2] "w" = [1.0, 2.0, 3.0, 4.0]
  %2: f32[2] "b" = [0.5, -0.5]
  %3: f32[1,2,2,2] "conv"
  %4: f32[1,1,1,2] "gamma" = [2.0, -1.0]
  %5: f32[1,2,2,2] "scaled"
  %6: f32[2] "beta" = [10.0, 0.25]
  %7: f32[1,2,2,2] "y"
  op0 CONV_2D {stride_w=1, stride_h=1} (%0, %1, %2) -> %3
  op1 MUL (%3, %4) -> %5
  op2 ADD {fused_activation_function=RELU6} (%5, %6) -> %7
"#,
    after: r#"
subgraph sg0 "" (%0) -> (%7)
  %0: f32[1,2,2,2] "x"
  %7: f32[1,2,2,2] "y"
  %8: f32[2,1,1,2] "w;scaled" = [2.0, 4.0, -3.0, -4.0]  ; @1 folded-const
  %9: f32[2] "b;shifted" = [11.0, 0.75]  ; @1 folded-const + @2 folded-const
  op3 CONV_2D {stride_w=1, stride_h=1, fused_activation_function=RELU6} (%0, %8, %9) -> %7  ; @0 primary + @1 absorbed + @2 absorbed by fuse_batchnorm_with_conv
ledger
  @%3 + @%5 dead by dead_code
"#,
};

/// See the module.
pub(crate) struct FuseBatchnormWithConv;

impl Rule for FuseBatchnormWithConv {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn anchors(&self) -> &'static [i32] {
        &[opcode::ADD]
    }
    fn rewrite(&self, at: OpId, view: &View<'_>) -> Option<Patch> {
        let add = Step::at(view, at, opcode::ADD)?;
        let mul = Step::before(view, add.input(), opcode::MUL)?;
        let conv = Kernel::before(view, mul.input(), opcode::CONV_2D)?;
        absorb(view, INFO.name, &conv, Some(&mul), Some(&add))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{changed, fires, refuses_each};

    #[test]
    fn numbers_are_those_of_the_formula() {
        // 2 * (1, 2) and -1 * (3, 4); 2 * 0.5 + 10 and -1 * -0.5 + 0.25.
        let text = fires(&FuseBatchnormWithConv, INFO.before);
        assert!(text.contains("\"w;scaled\" = [2.0, 4.0, -3.0, -4.0]"), "{text}");
        assert!(text.contains("\"b;shifted\" = [11.0, 0.75]"), "{text}");
    }

    #[test]
    fn takes_constants_of_any_shape_that_suits() {
        for shape in ["f32[2]", "f32[1,2]", "f32[1,1,2]"] {
            fires(
                &FuseBatchnormWithConv,
                &changed(INFO.before, &[("f32[1,1,1,2] \"gamma\"", &format!("{shape} \"gamma\""))]),
            );
        }
        for shape in ["f32[]", "f32[1]", "f32[1,1,1,1]"] {
            let one = format!("{shape} \"gamma\" = [3.0]");
            fires(
                &FuseBatchnormWithConv,
                &changed(INFO.before, &[("f32[1,1,1,2] \"gamma\" = [2.0, -1.0]", &one)]),
            );
        }
    }

    #[test]
    fn takes_the_constant_on_either_side_and_a_missing_bias() {
        let sides = [("(%3, %4)", "(%4, %3)"), ("(%5, %6)", "(%6, %5)")];
        fires(&FuseBatchnormWithConv, &changed(INFO.before, &sides));
        for missing in ["(%0, %1, _)", "(%0, %1)"] {
            let text = changed(
                INFO.before,
                &[("(%0, %1, %2)", missing), ("  %2: f32[2] \"b\" = [0.5, -0.5]\n", "")],
            );
            let text = text.replace("%7", "%2");
            let text = fires(&FuseBatchnormWithConv, &text);
            // The product has nothing to do in a bias that was not there.
            assert!(text.contains("\"w;bias\" = [10.0, 0.25]  ; @2 folded-const\n"), "{text}");
        }
    }

    #[test]
    fn goes_on_where_the_batch_is_open() {
        let open = [
            ("f32[1,2,2,2] \"x\"", "f32[?,2,2,2] \"x\""),
            ("f32[1,2,2,2] \"conv\"", "f32[?,2,2,2] \"conv\""),
            ("f32[1,2,2,2] \"scaled\"", "f32[?,2,2,2] \"scaled\""),
            ("f32[1,2,2,2] \"y\"", "f32[?,2,2,2] \"y\""),
        ];
        fires(&FuseBatchnormWithConv, &changed(INFO.before, &open));
    }

    #[test]
    fn leaves_a_weight_that_others_read_to_them() {
        let text = changed(
            INFO.before,
            &[
                ("-> (%7)", "-> (%7, %8)"),
                ("  op0", "  %8: f32[1,2,2,2] \"other\"\n  op0"),
                ("-> %7\n", "-> %7\n  op3 CONV_2D {stride_w=1, stride_h=1} (%0, %1, _) -> %8\n"),
            ],
        );
        let text = fires(&FuseBatchnormWithConv, &text);
        assert!(text.contains("op3 CONV_2D {stride_w=1, stride_h=1} (%0, %1, _) -> %8"), "{text}");
    }

    #[test]
    fn leaves_the_rest_alone() {
        let quantised = "{quantization={scale=[0.5], zero_point=[0]}}";
        refuses_each(
            &FuseBatchnormWithConv,
            INFO.before,
            &[
                // Results known outside or read twice.
                &[("-> (%7)", "-> (%7, %3)")],
                &[("-> (%7)", "-> (%7, %5)")],
                &[
                    ("-> (%7)", "-> (%7, %8)"),
                    ("  op0", "  %8: f32[1,2,2,2] \"other\"\n  op0"),
                    ("-> %7\n", "-> %7\n  op3 ABS (%3) -> %8\n"),
                ],
                // Activations in between, and one that convolutions do not know.
                &[("{stride_w=1, stride_h=1}", "{stride_w=1, stride_h=1, fused_activation_function=RELU}")],
                &[("MUL (", "MUL {fused_activation_function=RELU} (")],
                &[("RELU6", "TANH")],
                // Constants that are none, or not per channel, or not finite.
                &[("(%0)", "(%0, %4)"), ("\"gamma\" = [2.0, -1.0]", "\"gamma\"")],
                &[("f32[1,1,1,2] \"gamma\"", "f32[1,2,1,1] \"gamma\"")],
                &[("f32[1,1,1,2] \"gamma\" = [2.0, -1.0]", "f32[1,1,2,2] \"gamma\" = [2.0, -1.0, 1.0, 1.0]")],
                &[("[2.0, -1.0]", "[inf, -1.0]")],
                &[("[2.0, -1.0]", "[3e38, -1.0]")],
                &[("(%0)", "(%0, %1)"), ("\"w\" = [1.0, 2.0, 3.0, 4.0]", "\"w\"")],
                &[("(%0)", "(%0, %2)"), ("\"b\" = [0.5, -0.5]", "\"b\"")],
                // Quantised.
                &[("\"conv\"", &format!("\"conv\" {quantised}"))],
                &[("\"w\"", &format!("\"w\" {quantised}"))],
                &[("\"y\"", &format!("\"y\" {quantised}"))],
                // A sum with itself.
                &[("(%5, %6)", "(%5, %5)")],
            ],
        );
    }
}
