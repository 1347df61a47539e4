//! DEQUANTIZE of a constant becomes a constant of floats: int8, uint8 and int16 with one scale or one a channel, and
//! 16-bit floats.
//!
//! When not: scales are missing or do not fit the shape, the constant is packed or of another type, or the result is
//! known outside the graph or beyond the budget.
//!
//! Lineage: the operator is folded into the constant and leaves as folded.

use circle_ir::{ElementType, OpId, Value, View, patch::Patch};
use circle_tables::opcode;

use super::half::from_half;
use super::{fold, foldable};
use crate::rule::{Change, PassInfo, Rule};

const INFO: PassInfo = PassInfo {
    name: "fold_dequantize",
    summary: "DEQUANTIZE of a constant",
    change: Change::Fold,
    lineage: "folded into the constant",
    before: r#"
subgraph sg0 "" (%3) -> (%2)
  %0: i8[2,2] "q" {quantization={scale=[0.5], zero_point=[-1]}} = [2, 3, -4, -128]
  %1: f32[2,2] "w"
  %2: f32[2,2] "y"
  %3: f32[2,2] "x"
  op0 DEQUANTIZE (%0) -> %1
  op1 MUL (%3, %1) -> %2
"#,
    after: r#"
subgraph sg0 "" (%3) -> (%2)
  %2: f32[2,2] "y"
  %3: f32[2,2] "x"
  %4: f32[2,2] "w" = [1.5, 2.0, -1.5, -63.5]  ; @0 folded-const
  op1 MUL (%3, %4) -> %2  ; @1 primary
ledger
  @0 folded by fold_dequantize
"#,
};

/// See the module.
pub(crate) struct FoldDequantize;

impl Rule for FoldDequantize {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn anchors(&self) -> &'static [i32] {
        &[opcode::DEQUANTIZE]
    }
    fn rewrite(&self, at: OpId, view: &View<'_>) -> Option<Patch> {
        let input = view.op(at)?.input(0)?;
        let output = foldable(view, at, &[input])?;
        let (value, bytes) = (view.value(input)?, view.constant(input)?);
        if output.ty() != ElementType::FLOAT32 || output.quantization().is_some() {
            return None;
        }
        let floats = match value.ty() {
            ElementType::FLOAT16 if value.quantization().is_none() => {
                let halves = bytes.chunks_exact(2).map(|c| from_half(u16::from_le_bytes([c[0], c[1]])));
                halves.collect()
            }
            ElementType::INT8 => scaled(value, bytes.iter().map(|&b| i64::from(b as i8)))?,
            ElementType::UINT8 => scaled(value, bytes.iter().map(|&b| i64::from(b)))?,
            ElementType::INT16 => {
                scaled(value, bytes.chunks_exact(2).map(|c| i64::from(i16::from_le_bytes([c[0], c[1]]))))?
            }
            _ => return None,
        };
        let data = floats.into_iter().flat_map(f32::to_le_bytes).collect();
        fold(view, INFO.name, at, data, &[input])
    }
}

/// `scale * (number - zero point)`, of the channel the number is in. The difference has at most 17 bits here and the
/// scale 24, so the product is rounded once however wide the runtime calculates.
fn scaled(value: &Value, numbers: impl Iterator<Item = i64>) -> Option<Vec<f32>> {
    let quantization = value.quantization().filter(|q| q.get("details").is_none())?;
    let (scales, zeros) = (quantization.f32s("scale"), quantization.ints("zero_point"));
    let channels = scales.len();
    // How many elements of one channel follow one another.
    let run = if channels > 1 {
        let dim = usize::try_from(quantization.int("quantized_dimension")).ok()?;
        let (size, inner) = value.shape().get(dim..)?.split_first()?;
        if usize::try_from(*size).ok()? != channels {
            return None;
        }
        inner.iter().try_fold(1usize, |n, &d| n.checked_mul(usize::try_from(d).ok()?))?
    } else {
        1
    };
    if !(zeros.is_empty() || zeros.len() == channels)
        || zeros.iter().any(|zero| zero.unsigned_abs() > 1 << 16)
    {
        return None;
    }
    let one = |(place, number): (usize, i64)| {
        let channel = place.checked_div(run)?.checked_rem(channels)?;
        let zero = zeros.get(channel).copied().unwrap_or(0);
        Some((f64::from(*scales.get(channel)?) * (number - zero) as f64) as f32)
    };
    numbers.enumerate().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::INFO;
    use crate::testing::{after, fires_but_not};

    const TEXT: &str = r#"
subgraph sg0 "" (%3) -> (%2)
  %0: i8[2,2] "q" {quantization={scale=[0.5, 0.25], zero_point=[0, -1], quantized_dimension=1}} = [2, 3, -4, -128]
  %1: f32[2,2] "w"
  %2: f32[2,2] "y"
  %3: f32[2,2] "x"
  op0 DEQUANTIZE (%0) -> %1
  op1 MUL (%3, %1) -> %2
"#;

    #[test]
    fn refuses_what_is_not_known() {
        fires_but_not(
            INFO.name,
            TEXT,
            &[
                ("the input is computed at run time", " = [2, 3, -4, -128]", ""),
                ("there are no scales", "scale=[0.5, 0.25], ", ""),
                ("there are too few scales", "[0.5, 0.25]", "[0.5, 0.25, 1.0]"),
                ("there are too few zero points", "[0, -1]", "[0, -1, 3]"),
                ("there is no such dimension", "dimension=1", "dimension=2"),
                ("the result is a graph output", "-> (%2)", "-> (%2, %1)"),
                ("the result is of another type", "%1: f32", "%1: i32"),
            ],
        );
    }

    #[track_caller]
    fn check(constant: &str, want: &str) {
        let line = TEXT.lines().find(|line| line.contains("%0: i8")).unwrap();
        let text = TEXT.replace(line, constant);
        let text = after(INFO.name, &text).unwrap();
        assert!(text.contains(want), "{text}");
    }

    #[test]
    fn types_and_dimensions() {
        let one = "{quantization={scale=[0.5], zero_point=[10]}} = [0, 10, 11, 255]";
        check(&format!("  %0: u8[2,2] \"q\" {one}"), "\"w\" = [-5.0, 0.0, 0.5, 122.5]");
        let no_zero = "{quantization={scale=[0.1]}} = [-32768, 0, 1, 3]";
        check(&format!("  %0: i16[2,2] \"q\" {no_zero}"), "\"w\" = [-3276.8, 0.0, 0.1, 0.3]");
        let rows = "{quantization={scale=[1.0, 2.0], zero_point=[0, 1]}} = [1, 2, 3, 4]";
        check(&format!("  %0: i8[2,2] \"q\" {rows}"), "\"w\" = [1.0, 2.0, 4.0, 6.0]");
        check("  %0: f16[2,2] \"q\" = [0x3c00, 0x3800, 0xc000, 0x0001]", "[1.0, 0.5, -2.0, 5.9604645e-8]");
    }
}
