//! SQUEEZE becomes RESHAPE, which other passes know better.
//!
//! When not: a dimension is open or zero, the result is a scalar (its shape would be a constant without bytes), or
//! quantization differs before and after or runs along a dimension.
//!
//! Lineage: RESHAPE replaces SQUEEZE. The new shape is noted as the work of SQUEEZE.

use circle_ir::patch::{Patch, PatchBuilder};
use circle_ir::{OpId, View};
use circle_tables::opcode;

use crate::matcher::shape::reshape;
use crate::rule::{Change, PassInfo, Rule};

const INFO: PassInfo = PassInfo {
    name: "substitute_squeeze_to_reshape",
    summary: "SQUEEZE into RESHAPE",
    change: Change::Replace,
    lineage: "RESHAPE replaces SQUEEZE",
    before: r#"
subgraph sg0 "" (%0) -> (%1)
  %0: f32[2,1,3,1] "x"
  %1: f32[2,3] "y"
  op0 SQUEEZE {squeeze_dims=[1, 3]} (%0) -> %1
"#,
    after: r#"
subgraph sg0 "" (%0) -> (%1)
  %0: f32[2,1,3,1] "x"
  %1: f32[2,3] "y"
  %2: i32[2] "y;shape" = [2, 3]  ; @0 folded-const
  op1 RESHAPE {new_shape=[2, 3]} (%0, %2) -> %1  ; @0 replaced by substitute_squeeze_to_reshape
"#,
};

/// See the module.
pub(crate) struct SubstituteSqueezeToReshape;

impl Rule for SubstituteSqueezeToReshape {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn anchors(&self) -> &'static [i32] {
        &[opcode::SQUEEZE]
    }
    fn rewrite(&self, at: OpId, view: &View<'_>) -> Option<Patch> {
        let squeeze = view.op(at)?;
        let &[output] = squeeze.outputs() else { return None };
        let mut patch = PatchBuilder::new(view, INFO.name);
        let spec = reshape(view, &mut patch, squeeze.input(0)?, output, at)?;
        patch.replace(at, spec);
        Some(patch.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{changed, fires, refuses, refuses_each};

    #[test]
    fn moves_any_elements() {
        fires(&SubstituteSqueezeToReshape, &changed(INFO.before, &[("f32", "i64")]));
        let quantised = |y: &str| {
            let y = format!("\"y\" {{quantization={{scale=[{y}], zero_point=[3]}}}}");
            let x = "\"x\" {quantization={scale=[0.5], zero_point=[3]}}";
            changed(INFO.before, &[("f32", "i8"), ("\"x\"", x), ("\"y\"", &y)])
        };
        fires(&SubstituteSqueezeToReshape, &quantised("0.5"));
        refuses(&SubstituteSqueezeToReshape, &quantised("0.25"));
    }

    #[test]
    fn leaves_the_rest_alone() {
        let by_place = "{quantization={scale=[0.5, 0.25], zero_point=[0, 0]}}";
        refuses_each(
            &SubstituteSqueezeToReshape,
            INFO.before,
            &[
                &[("f32[2,1,3,1]", "f32[?,1,3,1]"), ("f32[2,3]", "f32[?,3]")],
                &[("[2,1,3,1]", "[0,1,3,1]"), ("[2,3]", "[0,3]")],
                &[("[2,1,3,1]", "[1,1]"), ("[2,3]", "[]"), ("[1, 3]", "[]")],
                &[("\"x\"", &format!("\"x\" {by_place}")), ("\"y\"", &format!("\"y\" {by_place}"))],
                // A declared shape that cannot be right.
                &[("[2,3]", "[2,4]")],
                &[("f32[2,1,3,1]", "string[2,1,3,1]"), ("f32[2,3]", "string[2,3]")],
                &[("\"x\"", "\"x\" {is_variable=true}")],
            ],
        );
    }
}
