//! ADD of zeros goes.
//!
//! When not: the constant holds anything but zeros or makes the result larger; an activation is fused; the tensors
//! are quantised (there the result is rounded to another scale); input and output are both known outside the graph.
//! A negative zero of the input stays one where the sum would have been a positive zero; the two compare equal.
//!
//! Lineage: the addition leaves as identity.

use circle_ir::{ElementType, OpId, ValueId, View, patch::Patch};
use circle_tables::opcode;

use super::bypass;
use crate::matcher::{Activation, activation, operand_and_constant};
use crate::rule::{Change, PassInfo, Rule};

const INFO: PassInfo = PassInfo {
    name: "remove_unnecessary_add",
    summary: "ADD of zeros",
    change: Change::Remove,
    lineage: "the addition leaves as identity",
    before: r#"
subgraph sg0 "" (%0) -> (%3)
  %0: f32[2,3] "x"
  %1: f32[3] "zero" = [0.0]
  %2: f32[2,3] "same"
  %3: f32[2,3] "y"
  op0 ADD (%0, %1) -> %2
  op1 ABS (%2) -> %3
"#,
    after: r#"
subgraph sg0 "" (%0) -> (%3)
  %0: f32[2,3] "x"
  %3: f32[2,3] "y"
  op1 ABS (%0) -> %3  ; @1 primary
ledger
  @0 identity by remove_unnecessary_add
  @%1 dead by dead_code
"#,
};

/// See the module.
pub(crate) struct RemoveUnnecessaryAdd;

impl Rule for RemoveUnnecessaryAdd {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn anchors(&self) -> &'static [i32] {
        &[opcode::ADD]
    }
    fn rewrite(&self, at: OpId, view: &View<'_>) -> Option<Patch> {
        let op = view.op(at)?;
        let (input, constant) = operand_and_constant(view, op)?;
        let is_quantised = |v| view.value(v).is_some_and(|v| v.quantization().is_some());
        let quantised = is_quantised(input) || is_quantised(constant);
        if activation(op) != Some(Activation::None) || quantised || !is_zero(view, constant)? {
            return None;
        }
        // With an open dimension a constant of several elements could still widen the result.
        let grows = !view.value(input)?.is_static() && view.value(constant)?.elements()? != 1;
        if grows { None } else { bypass(view, INFO.name, at, input) }
    }
}

/// Whether all elements of a constant are zero, of either sign.
fn is_zero(view: &View<'_>, constant: ValueId) -> Option<bool> {
    let bytes = view.constant(constant)?;
    match view.value(constant)?.ty() {
        ElementType::FLOAT32 => Some(bytes.chunks_exact(4).all(|c| matches!(c, [0, 0, 0, 0 | 0x80]))),
        ElementType::INT32 | ElementType::INT64 => Some(bytes.iter().all(|&b| b == 0)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::INFO;
    use crate::testing::{after, fires_but_not};

    #[test]
    fn refuses_what_changes_something() {
        fires_but_not(
            INFO.name,
            INFO.before,
            &[
                ("something is added", "= [0.0]", "= [0.0, 0.0, 0.5]"),
                ("the smallest number is added", "= [0.0]", "= [1e-45]"),
                ("what is added is not constant", " = [0.0]", ""),
                ("the result is larger", "%0: f32[2,3]", "%0: f32[1,3]"),
                ("an activation is fused", "ADD", "ADD {fused_activation_function=RELU}"),
                ("it is quantised", "\"x\"", "\"x\" {quantization={scale=[0.5], zero_point=[0]}}"),
                ("an open dimension may be widened", "f32[2,3]", "f32[2,?]"),
                ("both ends are known outside", "(%0) -> (%3)", "(%0) -> (%3, %2)"),
            ],
        );
    }

    #[test]
    fn takes_negative_zeros_on_the_left_and_integers() {
        let text = INFO.before.replace("[0.0]", "[-0.0]").replace("(%0, %1)", "(%1, %0)");
        assert!(after(INFO.name, &text).unwrap().contains("ABS (%0) -> %3"));
        let text = INFO.before.replace("f32", "i32").replace("[0.0]", "[0]");
        assert!(after(INFO.name, &text).is_some());
    }
}
