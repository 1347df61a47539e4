//! Division by SQRT becomes MUL by RSQRT.
//!
//! When not: the root is read elsewhere or is a graph output; the dividend is a constant of ones (which fuse_rsqrt
//! takes, without a product); anything is quantised, packed or not `f32`; or MUL knows no such activation.
//!
//! Lineage: RSQRT does the work of SQRT and, in the reciprocal, half of that of DIV, which it absorbs; MUL is the other
//! half of DIV.

use circle_ir::patch::{Patch, PatchBuilder};
use circle_ir::{OpId, OpSpec, View};
use circle_tables::opcode;

use crate::matcher::channels::{changed, is_plain_float};
use crate::matcher::{Activation, activation, can_fuse_activation};
use crate::rule::{Change, PassInfo, Rule};

const INFO: PassInfo = PassInfo {
    name: "transform_sqrt_div_to_rsqrt_mul",
    summary: "division by SQRT into MUL by RSQRT",
    change: Change::Split,
    lineage: "SQRT primary and DIV absorbed in RSQRT, MUL the other part of DIV",
    before: r#"
subgraph sg0 "" (%0, %1) -> (%3)
  %0: f32[2,3] "x"
  %1: f32[2,1] "variance"
  %2: f32[2,1] "deviation"
  %3: f32[2,3] "y"
  op0 SQRT (%1) -> %2
  op1 DIV (%0, %2) -> %3
"#,
    after: r#"
subgraph sg0 "" (%0, %1) -> (%3)
  %0: f32[2,3] "x"
  %1: f32[2,1] "variance"
  %3: f32[2,3] "y"
  %4: f32[2,1] "deviation;inverse"
  op2 RSQRT (%1) -> %4  ; @0 primary + @1 absorbed by transform_sqrt_div_to_rsqrt_mul
  op3 MUL (%0, %4) -> %3  ; @1 cloned 2/2 by transform_sqrt_div_to_rsqrt_mul
"#,
};

/// See the module.
pub(crate) struct TransformSqrtDivToRsqrtMul;

impl Rule for TransformSqrtDivToRsqrtMul {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn anchors(&self) -> &'static [i32] {
        &[opcode::DIV]
    }
    fn rewrite(&self, at: OpId, view: &View<'_>) -> Option<Patch> {
        let div = view.op(at)?;
        let (dividend, root) = (div.input(0)?, div.input(1)?);
        let &[output] = div.outputs() else { return None };
        let (before, sqrt) = view.def_is(root, opcode::SQRT)?;
        let input = sqrt.input(0)?;
        let act = activation(div)?;
        let fits = [dividend, input, root, output].into_iter().all(|v| is_plain_float(view, v))
            && view.only_user(root) == Some(at)
            && (act == Activation::None || can_fuse_activation(opcode::MUL, act))
            && !view.floats(dividend).is_some_and(|ones| ones.iter().all(|&x| x == 1.0));
        if !fits {
            return None;
        }
        let old = view.value(root)?;
        let mut patch = PatchBuilder::new(view, INFO.name);
        let inverse = patch.value(changed(old, "inverse"), &[root]);
        let mul = OpSpec::builtin(opcode::MUL, &[dividend, inverse], &[output]);
        patch.fuse(before, &[at], OpSpec::builtin(opcode::RSQRT, &[input], &[inverse]));
        patch.replace(
            at,
            match act {
                Activation::None => mul,
                act => mul.with("fused_activation_function", act.code()),
            },
        );
        Some(patch.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{changed, fires, refuses_each};

    #[test]
    fn keeps_the_activation_and_open_dimensions() {
        let open = [
            ("f32[2,3]", "f32[?,3]"),
            ("f32[2,1]", "f32[?,1]"),
            ("DIV (", "DIV {fused_activation_function=RELU6} ("),
        ];
        let text = fires(&TransformSqrtDivToRsqrtMul, &changed(INFO.before, &open));
        assert!(text.contains("MUL {fused_activation_function=RELU6} (%0, %4)"), "{text}");
        assert!(text.contains("f32[?,1] \"deviation;inverse\""), "{text}");
    }

    #[test]
    fn takes_constants_other_than_one() {
        let two = changed(INFO.before, &[("(%0, %1) ->", "(%1) ->"), ("\"x\"", "\"x\" = [2.0]")]);
        fires(&TransformSqrtDivToRsqrtMul, &two);
    }

    #[test]
    fn leaves_the_rest_alone() {
        refuses_each(
            &TransformSqrtDivToRsqrtMul,
            INFO.before,
            &[
                &[("-> (%3)", "-> (%3, %2)")],
                &[("-> %3\n", "-> %3\n  op2 ABS (%2) -> %4\n"), ("  op0", "  %4: f32[2,1] \"z\"\n  op0")],
                &[("(%0, %1) ->", "(%1) ->"), ("\"x\"", "\"x\" = [1.0]")],
                &[("(%0, %2)", "(%2, %0)")],
                &[("(%0, %2)", "(%2, %2)"), ("f32[2,3] \"y\"", "f32[2,1] \"y\"")],
                &[("DIV (", "DIV {fused_activation_function=TANH} (")],
                &[("\"deviation\"", "\"deviation\" {quantization={scale=[0.5], zero_point=[0]}}")],
            ],
        );
    }
}
