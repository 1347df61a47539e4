//! PADV2 whose pad value is zero becomes PAD, which pads with zero, or in a quantised tensor with its zero point.
//!
//! When not: the value is not a constant of one element, or not positive zero (not the zero point); or the value or
//! the result is quantised otherwise than the input. Open dimensions are no obstacle: nothing else changes.
//!
//! Lineage: PAD replaces PADV2.

use circle_ir::patch::{Patch, PatchBuilder};
use circle_ir::{ElementType, OpId, OpSpec, Value, View};
use circle_tables::opcode;

use crate::matcher::shape::holds_same_elements;
use crate::rule::{Change, PassInfo, Rule};

const INFO: PassInfo = PassInfo {
    name: "substitute_padv2_to_pad",
    summary: "PADV2 with zero into PAD",
    change: Change::Replace,
    lineage: "PAD replaces PADV2",
    before: r#"
subgraph sg0 "" (%0) -> (%3)
  %0: f32[2,3] "x"
  %1: i32[2,2] "pads" = [1, 0, 0, 2]
  %2: f32[1] "value" = [0.0]
  %3: f32[3,5] "y"
  op0 PADV2 (%0, %1, %2) -> %3
"#,
    after: r#"
subgraph sg0 "" (%0) -> (%3)
  %0: f32[2,3] "x"
  %1: i32[2,2] "pads" = [1, 0, 0, 2]
  %3: f32[3,5] "y"
  op1 PAD (%0, %1) -> %3  ; @0 replaced by substitute_padv2_to_pad
ledger
  @%2 dead by dead_code
"#,
};

/// See the module.
pub(crate) struct SubstitutePadV2ToPad;

impl Rule for SubstitutePadV2ToPad {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn anchors(&self) -> &'static [i32] {
        &[opcode::PADV2]
    }
    fn rewrite(&self, at: OpId, view: &View<'_>) -> Option<Patch> {
        let pad = view.op(at)?;
        let (input, pads, fill) = (pad.input(0)?, pad.input(1)?, pad.input(2)?);
        let &[output] = pad.outputs() else { return None };
        let (from, to, value) = (view.value(input)?, view.value(output)?, view.value(fill)?);
        let neutral = neutral(to)?;
        if !holds_same_elements(from, to)
            || !holds_same_elements(from, value)
            || view.constant(fill)? != neutral
        {
            return None;
        }
        let mut patch = PatchBuilder::new(view, INFO.name);
        let spec = OpSpec::builtin(opcode::PAD, &[input, pads], &[output]);
        // PAD took up i8 in version 2.
        patch.replace(at, if to.ty() == ElementType::INT8 { spec.version(2) } else { spec });
        Some(patch.finish())
    }
}

/// The bytes of the element with which PAD fills a tensor like `value`, for types that it knows.
fn neutral(value: &Value) -> Option<Vec<u8>> {
    let zero = match value.quantization() {
        Some(q) => q.ints("zero_point").first().copied().unwrap_or(0),
        None => 0,
    };
    match value.ty() {
        ElementType::UINT8 if value.quantization().is_some() => Some(vec![u8::try_from(zero).ok()?]),
        ElementType::INT8 if value.quantization().is_some() => {
            Some(i8::try_from(zero).ok()?.to_le_bytes().to_vec())
        }
        ElementType::FLOAT32 | ElementType::INT32 if value.quantization().is_none() => Some(vec![0; 4]),
        ElementType::INT64 if value.quantization().is_none() => Some(vec![0; 8]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{changed, fires, refuses, refuses_each};

    fn quantised(ty: &str, fill: &str, zero_of_fill: &str) -> String {
        let like = |name: &str, zero: &str| {
            format!("\"{name}\" {{quantization={{scale=[0.5], zero_point=[{zero}]}}}}")
        };
        let value = format!("{} = [{fill}]", like("value", zero_of_fill));
        let (x, y) = (like("x", "3"), like("y", "3"));
        changed(INFO.before, &[("\"value\" = [0.0]", &value), ("\"x\"", &x), ("\"y\"", &y), ("f32", ty)])
    }

    #[test]
    fn pads_quantised_tensors_with_their_zero_point() {
        assert!(fires(&SubstitutePadV2ToPad, &quantised("i8", "3", "3")).contains("PAD v2 ("));
        assert!(fires(&SubstitutePadV2ToPad, &quantised("u8", "3", "3")).contains("PAD ("));
        refuses(&SubstitutePadV2ToPad, &quantised("i8", "0", "3"));
        refuses(&SubstitutePadV2ToPad, &quantised("i8", "3", "0"));
    }

    #[test]
    fn goes_on_with_integers_and_open_dimensions() {
        for ty in ["i32", "i64"] {
            fires(&SubstitutePadV2ToPad, &changed(INFO.before, &[("[0.0]", "[0]"), ("f32", ty)]));
        }
        let open = changed(INFO.before, &[("f32[2,3]", "f32[?,3]"), ("f32[3,5]", "f32[?,5]")]);
        fires(&SubstitutePadV2ToPad, &changed(&open, &[("[1, 0, 0, 2]", "[0, 0, 0, 2]")]));
    }

    #[test]
    fn leaves_the_rest_alone() {
        refuses_each(
            &SubstitutePadV2ToPad,
            INFO.before,
            &[
                &[("[0.0]", "[1.0]")],
                &[("[0.0]", "[-0.0]")],
                &[("f32[1] \"value\"", "f32[2] \"value\"")],
                &[("(%0)", "(%0, %2)"), ("\"value\" = [0.0]", "\"value\"")],
                &[("\"y\"", "\"y\" {quantization={scale=[0.5], zero_point=[0]}}")],
                &[("f32", "f64")],
            ],
        );
    }
}
