//! RELU, RELU6, RELU_N1_TO_1 and TANH after an operator that can apply them itself become part of it.
//!
//! When not: the operator has an activation already, its result is read elsewhere, is a graph output or is
//! quantised (the activation would then also change the scale), or its kernel knows no such activation.
//!
//! Lineage: the operator stays primary, the activation is absorbed.

use circle_ir::patch::PatchBuilder;
use circle_ir::{OpId, View, patch::Patch};
use circle_tables::opcode;

use crate::matcher::channels::is_plain_float;
use crate::matcher::{Activation, activation, can_fuse_activation};
use crate::rule::{Change, PassInfo, Rule};

const INFO: PassInfo = PassInfo {
    name: "fuse_activation_function",
    summary: "RELU, RELU6, RELU_N1_TO_1, TANH into the operator before",
    change: Change::Fuse,
    lineage: "operator primary, activation absorbed",
    before: r#"
subgraph sg0 "" (%0) -> (%3)
  %0: f32[1,4,4,1] "x"
  %1: f32[1,3,3,1] "w" = [0.5]
  %2: f32[1,4,4,1] "conv"
  %3: f32[1,4,4,1] "relu"
  %4: f32[1] "b" = [0.25]
  op0 CONV_2D {padding=SAME, stride_w=1, stride_h=1} (%0, %1, %4) -> %2
  op1 RELU (%2) -> %3
"#,
    after: r#"
subgraph sg0 "" (%0) -> (%3)
  %0: f32[1,4,4,1] "x"
  %1: f32[1,3,3,1] "w" = [0.5]
  %3: f32[1,4,4,1] "relu"
  %4: f32[1] "b" = [0.25]
  op2 CONV_2D {padding=SAME, stride_w=1, stride_h=1, fused_activation_function=RELU} (%0, %1, %4) -> %3  ; @0 primary + @1 absorbed by fuse_activation_function
ledger
  @%2 dead by dead_code
"#,
};

/// See the module.
pub(crate) struct FuseActivationFunction;

impl Rule for FuseActivationFunction {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn anchors(&self) -> &'static [i32] {
        &[opcode::RELU, opcode::RELU6, opcode::RELU_N1_TO_1, opcode::TANH]
    }
    fn rewrite(&self, at: OpId, view: &View<'_>) -> Option<Patch> {
        let act = view.op(at)?;
        let input = act.input(0)?;
        let (main, op) = view.def(input)?;
        let kind = Activation::of_operator(act.code().builtin)?;
        let float = act.outputs().iter().chain([&input]).all(|&v| is_plain_float(view, v));
        if !float
            || view.only_user(input) != Some(at)
            || activation(op) != Some(Activation::None)
            || op.outputs().len() != 1
        {
            return None;
        }
        if !can_fuse_activation(op.code().builtin, kind) {
            return None;
        }
        let mut patch = PatchBuilder::new(view, INFO.name);
        let mut spec = op.spec().with("fused_activation_function", kind.code());
        spec.outputs = act.outputs().to_vec();
        patch.fuse(main, &[at], spec);
        Some(patch.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{changed, fires, refuses, refuses_each};

    const TEXT: &str = r#"
subgraph sg0 "" (%0) -> (%3)
  %0: f32[1,4,4,1] "x"
  %1: f32[1,3,3,1] "w" = [0.5]
  %2: f32[1,4,4,1] "conv"
  %3: f32[1,4,4,1] "relu"
  op0 CONV_2D {padding=SAME, stride_w=1, stride_h=1} (%0, %1, _) -> %2
  op1 RELU (%2) -> %3
"#;

    #[test]
    fn takes_the_clamping_activations_into_all_kernels_that_know_them() {
        for (op, name) in [("RELU", "RELU"), ("RELU6", "RELU6"), ("RELU_N1_TO_1", "RELU_N1_TO_1")] {
            let text = changed(TEXT, &[("op1 RELU ", &format!("op1 {op} "))]);
            let text = fires(&FuseActivationFunction, &text);
            assert!(text.contains(&format!("fused_activation_function={name}}}")), "{text}");
        }
        for op in ["ADD", "SUB", "MUL", "DIV"] {
            let op = format!("op0 {op} (%0, %0) ->");
            let conv = "op0 CONV_2D {padding=SAME, stride_w=1, stride_h=1} (%0, %1, _) ->";
            fires(&FuseActivationFunction, &changed(TEXT, &[(conv, &op)]));
        }
    }

    #[test]
    fn leaves_the_rest_alone() {
        refuses_each(
            &FuseActivationFunction,
            TEXT,
            &[
                &[("-> (%3)", "-> (%3, %2)")],
                &[("-> %3\n", "-> %3\n  op2 ABS (%2) -> %4\n"), ("  op0", "  %4: f32[1,4,4,1] \"z\"\n  op0")],
                &[("stride_h=1}", "stride_h=1, fused_activation_function=RELU6}")],
                &[("op1 RELU ", "op1 TANH ")],
                &[("\"conv\"", "\"conv\" {quantization={scale=[0.5], zero_point=[0]}}")],
                &[("\"relu\"", "\"relu\" {quantization={scale=[0.5], zero_point=[0]}}")],
                &[("f32", "i32"), ("[0.5]", "[2]")],
            ],
        );
        let of_input = changed(TEXT, &[("op1 RELU (%2)", "op1 RELU (%0)")]);
        refuses(&FuseActivationFunction, &of_input);
    }
}
