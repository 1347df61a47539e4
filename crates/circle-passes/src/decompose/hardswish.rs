//! HARD_SWISH becomes what it is defined as: `x * (relu6(x + 3) * (1 / 6))`, in ADD, RELU6, MUL and MUL.
//!
//! When not: anything is quantised, packed or not `f32`, or input and output differ in shape.
//!
//! Lineage: the four are parts of HARD_SWISH, whose numbers the two constants are.

use circle_ir::patch::{Patch, PatchBuilder};
use circle_ir::{ElementType, OpId, OpSpec, ValueSpec, View};
use circle_tables::opcode;

use crate::matcher::channels::{changed, is_plain_float};
use crate::rule::{Change, PassInfo, Rule};

const INFO: PassInfo = PassInfo {
    name: "decompose_hardswish",
    summary: "HARD_SWISH into ADD, RELU6, MUL, MUL",
    change: Change::Split,
    lineage: "each new operator a part of HARD_SWISH",
    before: r#"
subgraph sg0 "" (%0) -> (%1)
  %0: f32[2,3] "x"
  %1: f32[2,3] "y"
  op0 HARD_SWISH (%0) -> %1
"#,
    after: r#"
subgraph sg0 "" (%0) -> (%1)
  %0: f32[2,3] "x"
  %1: f32[2,3] "y"
  %2: f32[1] "y;three" = [3.0]  ; @0 folded-const
  %3: f32[1] "y;sixth" = [0.16666667]  ; @0 folded-const
  %4: f32[2,3] "y;sum"
  %5: f32[2,3] "y;relu6"
  %6: f32[2,3] "y;share"
  op1 ADD (%0, %2) -> %4  ; @0 cloned 1/4 by decompose_hardswish
  op2 RELU6 (%4) -> %5  ; @0 cloned 2/4 by decompose_hardswish
  op3 MUL (%5, %3) -> %6  ; @0 cloned 3/4 by decompose_hardswish
  op4 MUL (%0, %6) -> %1  ; @0 cloned 4/4 by decompose_hardswish
"#,
};

/// See the module.
pub(crate) struct DecomposeHardswish;

impl Rule for DecomposeHardswish {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn anchors(&self) -> &'static [i32] {
        &[opcode::HARD_SWISH]
    }
    fn rewrite(&self, at: OpId, view: &View<'_>) -> Option<Patch> {
        let op = view.op(at)?;
        let input = op.input(0)?;
        let &[output] = op.outputs() else { return None };
        let y = view.value(output)?;
        if ![input, output].into_iter().all(|v| is_plain_float(view, v)) || !view.value(input)?.is_like(y) {
            return None;
        }
        let mut patch = PatchBuilder::new(view, INFO.name);
        let named = |suffix: &str| format!("{};{suffix}", y.name());
        let mut number = |suffix: &str, number: f32| {
            let spec = ValueSpec::new(&named(suffix), ElementType::FLOAT32, &[1]);
            patch.floats(spec, &[number], &[], &[at])
        };
        let (three, sixth) = (number("three", 3.0), number("sixth", 1.0 / 6.0));
        let [sum, clamped, share] =
            ["sum", "relu6", "share"].map(|suffix| patch.value(changed(y, suffix), &[output]));
        let parts = vec![
            OpSpec::builtin(opcode::ADD, &[input, three], &[sum]),
            OpSpec::builtin(opcode::RELU6, &[sum], &[clamped]),
            OpSpec::builtin(opcode::MUL, &[clamped, sixth], &[share]),
            OpSpec::builtin(opcode::MUL, &[input, share], &[output]),
        ];
        patch.split(at, parts);
        Some(patch.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{changed, fires, refuses_each};

    #[test]
    fn keeps_open_dimensions_open() {
        let text = fires(&DecomposeHardswish, &changed(INFO.before, &[("f32[2,3]", "f32[?,3]")]));
        assert_eq!(text.matches("f32[?,3]").count(), 5, "{text}");
    }

    #[test]
    fn leaves_the_rest_alone() {
        refuses_each(
            &DecomposeHardswish,
            INFO.before,
            &[
                &[("\"x\"", "\"x\" {quantization={scale=[0.5], zero_point=[0]}}")],
                &[("f32", "i8")],
                &[("f32", "f16")],
                &[("f32[2,3] \"y\"", "f32[3,2] \"y\"")],
                &[("\"x\"", "\"x\" {is_variable=true}")],
            ],
        );
    }
}
