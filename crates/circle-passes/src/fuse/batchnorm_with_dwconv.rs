//! A product and then a sum per output channel after DEPTHWISE_CONV_2D go into its weights and bias, the activation of
//! the last to the convolution. A product alone and a sum alone are taken up in the same way, since there are no passes
//! of their own for them.
//!
//! When not: the convolution or the product has an activation, the result of either is read elsewhere or is a graph output;
//! a constant is not one number or one for each output channel; anything is quantised, packed or not `f32`; or a limit
//! of [`crate::matcher::channels`] is passed.
//!
//! Lineage: the convolution stays primary, MUL and ADD are absorbed. The new weights hold the work of MUL, the new bias that of
//! both.

use circle_ir::patch::Patch;
use circle_ir::{OpId, View};
use circle_tables::opcode;

use crate::matcher::channels::{Kernel, Step, absorb};
use crate::rule::{Change, PassInfo, Rule};

const INFO: PassInfo = PassInfo {
    name: "fuse_batchnorm_with_dwconv",
    summary: "MUL and ADD per channel into the weights and bias of DEPTHWISE_CONV_2D",
    change: Change::Fuse,
    lineage: "convolution primary, MUL and ADD absorbed",
    before: r#"
subgraph sg0 "" (%0) -> (%7)
  %0: f32[1,2,2,2] "x"
  %1: f32[1,2,1,2] "w" = [1.0, 2.0, 3.0, 4.0]
  %2: f32[2] "b" = [0.5, -0.5]
  %3: f32[1,2,2,2] "dwconv"
  %4: f32[1,1,1,2] "gamma" = [2.0, -1.0]
  %5: f32[1,2,2,2] "scaled"
  %6: f32[2] "beta" = [10.0, 0.25]
  %7: f32[1,2,2,2] "y"
  op0 DEPTHWISE_CONV_2D {stride_w=1, stride_h=1, depth_multiplier=1} (%0, %1, %2) -> %3
  op1 MUL (%3, %4) -> %5
  op2 ADD {fused_activation_function=RELU6} (%5, %6) -> %7
"#,
    after: r#"
subgraph sg0 "" (%0) -> (%7)
  %0: f32[1,2,2,2] "x"
  %7: f32[1,2,2,2] "y"
  %8: f32[1,2,1,2] "w;scaled" = [2.0, -2.0, 6.0, -4.0]  ; @1 folded-const
  %9: f32[2] "b;shifted" = [11.0, 0.75]  ; @1 folded-const + @2 folded-const
  op3 DEPTHWISE_CONV_2D {stride_w=1, stride_h=1, depth_multiplier=1, fused_activation_function=RELU6} (%0, %8, %9) -> %7  ; @0 primary + @1 absorbed + @2 absorbed by fuse_batchnorm_with_dwconv
ledger
  @%3 + @%5 dead by dead_code
"#,
};

/// See the module.
pub(crate) struct FuseBatchnormWithDwconv;

impl Rule for FuseBatchnormWithDwconv {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn anchors(&self) -> &'static [i32] {
        &[opcode::ADD, opcode::MUL]
    }
    fn rewrite(&self, at: OpId, view: &View<'_>) -> Option<Patch> {
        let (mul, add) = match view.op_is(at, opcode::ADD) {
            Some(_) => {
                let add = Step::at(view, at, opcode::ADD)?;
                (Step::before(view, add.input(), opcode::MUL), Some(add))
            }
            None => (Some(Step::at(view, at, opcode::MUL)?), None),
        };
        let input = mul.as_ref().or(add.as_ref())?.input();
        let conv = Kernel::before(view, input, opcode::DEPTHWISE_CONV_2D)?;
        if add.is_none() && mul.as_ref().is_some_and(|mul| is_taken_with_sum(view, &conv, mul)) {
            return None;
        }
        absorb(view, INFO.name, &conv, mul.as_ref(), add.as_ref())
    }
}

/// Whether the rule takes up `mul` together with the sum after it, when it comes to that.
fn is_taken_with_sum(view: &View<'_>, conv: &Kernel<'_>, mul: &Step<'_>) -> bool {
    let sum = view.only_user(mul.output()).and_then(|next| Step::at(view, next, opcode::ADD));
    sum.is_some_and(|add| Step::before(view, add.input(), opcode::MUL).is_some() && add.can_end(view, conv))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{changed, fires, refuses_each};

    #[test]
    fn numbers_are_those_of_the_formula() {
        // Channels alternate in these weights.
        let text = fires(&FuseBatchnormWithDwconv, INFO.before);
        assert!(text.contains("\"w;scaled\" = [2.0, -2.0, 6.0, -4.0]"), "{text}");
        assert!(text.contains("\"b;shifted\" = [11.0, 0.75]"), "{text}");
        assert!(text.contains("(%0, %8, %9) -> %7  ; @0 primary + @1 absorbed + @2 absorbed by"), "{text}");
    }

    #[test]
    fn takes_a_product_or_a_sum_alone() {
        let product = changed(
            INFO.before,
            &[("  op2 ADD {fused_activation_function=RELU6} (%5, %6) -> %7\n", ""), ("-> (%7)", "-> (%5)")],
        );
        let text = fires(&FuseBatchnormWithDwconv, &product);
        assert!(text.contains("\"w;scaled\"") && text.contains("\"b;scaled\" = [1.0, 0.5]"), "{text}");
        let sum = changed(
            INFO.before,
            &[("  op1 MUL (%3, %4) -> %5\n", ""), ("op2", "op1"), ("(%5, %6)", "(%3, %6)")],
        );
        let text = fires(&FuseBatchnormWithDwconv, &sum);
        assert!(text.contains("\"b;shifted\" = [10.5, -0.25]") && text.contains("(%0, %1, "), "{text}");
    }

    #[test]
    fn takes_the_product_alone_before_a_sum_that_does_not_suit() {
        let text = changed(
            INFO.before,
            &[("f32[2] \"beta\" = [10.0, 0.25]", "f32[1,2,1,1] \"beta\" = [10.0, 0.25]")],
        );
        let text = fires(&FuseBatchnormWithDwconv, &text);
        assert!(text.contains("\"b;scaled\"") && text.contains("op2 ADD"), "{text}");
    }

    #[test]
    fn takes_a_product_with_an_activation_alone() {
        let text = changed(INFO.before, &[("MUL (", "MUL {fused_activation_function=RELU} (")]);
        let text = fires(&FuseBatchnormWithDwconv, &text);
        assert!(text.contains("fused_activation_function=RELU}") && text.contains("op2 ADD"), "{text}");
    }

    #[test]
    fn leaves_the_rest_alone() {
        let quantised = "{quantization={scale=[0.5], zero_point=[0]}}";
        refuses_each(
            &FuseBatchnormWithDwconv,
            INFO.before,
            &[
                &[("-> (%7)", "-> (%7, %3)"), ("(%5, %6)", "(%5, %5)")],
                &[("depth_multiplier=1", "depth_multiplier=1, fused_activation_function=RELU")],
                &[("f32[1,1,1,2] \"gamma\"", "f32[1,2,1,1] \"gamma\"")],
                &[("\"dwconv\"", &format!("\"dwconv\" {quantised}"))],
                &[("f32[1,2,1,2] \"w\"", "f32[2,1,1,2] \"w\"")],
            ],
        );
    }
}
