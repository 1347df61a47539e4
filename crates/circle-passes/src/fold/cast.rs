//! CAST of a constant becomes a constant of the new type.
//!
//! When not: a float is no number of the new type after its fraction is cut off (what runtimes do then is undefined);
//! a tensor is quantised or of a type other than bool, 8, 16, 32 and 64-bit integers, f16 (as source), f32 and f64; the
//! constant is packed, or the result is known outside the graph or beyond the budget.
//!
//! Lineage: the cast is folded into the constant and leaves as folded.

use circle_ir::{ElementType, OpId, View, patch::Patch};
use circle_tables::opcode;

use super::half::from_half;
use super::{fold, foldable};
use crate::rule::{Change, PassInfo, Rule};

const INFO: PassInfo = PassInfo {
    name: "fold_cast",
    summary: "CAST of a constant",
    change: Change::Fold,
    lineage: "folded into the constant",
    before: r#"
subgraph sg0 "" (%3) -> (%2)
  %0: i64[3] "n" = [1, -2, 3]
  %1: f32[3] "c"
  %2: f32[3] "y"
  %3: f32[3] "x"
  op0 CAST {in_data_type=INT64, out_data_type=FLOAT32} (%0) -> %1
  op1 MUL (%3, %1) -> %2
"#,
    after: r#"
subgraph sg0 "" (%3) -> (%2)
  %2: f32[3] "y"
  %3: f32[3] "x"
  %4: f32[3] "c" = [1.0, -2.0, 3.0]  ; @0 folded-const
  op1 MUL (%3, %4) -> %2  ; @1 primary
ledger
  @0 folded by fold_cast
"#,
};

/// See the module.
pub(crate) struct FoldCast;

impl Rule for FoldCast {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn anchors(&self) -> &'static [i32] {
        &[opcode::CAST]
    }
    fn rewrite(&self, at: OpId, view: &View<'_>) -> Option<Patch> {
        let input = view.op(at)?.input(0)?;
        let output = foldable(view, at, &[input])?;
        let (value, bytes) = (view.value(input)?, view.constant(input)?);
        let same_count = value.elements() == output.elements();
        if value.quantization().is_some() || output.quantization().is_some() || !same_count {
            return None;
        }
        let width = usize::try_from(value.ty().bytes()?).ok()?;
        let mut data = Vec::new();
        for element in bytes.chunks_exact(width) {
            write(Number::read(value.ty(), element)?, output.ty(), &mut data)?;
        }
        fold(view, INFO.name, at, data, &[input])
    }
}

/// A number without loss.
#[derive(Clone, Copy)]
enum Number {
    Int(i64),
    /// Wide enough for all floats that are read.
    Float(f64),
}

impl Number {
    fn read(ty: ElementType, bytes: &[u8]) -> Option<Self> {
        let mut wide = [0; 8];
        wide.get_mut(..bytes.len())?.copy_from_slice(bytes);
        let bits = u64::from_le_bytes(wide);
        Some(match ty {
            ElementType::BOOL if bits > 1 => return None,
            ElementType::BOOL | ElementType::UINT8 => Self::Int(bits as i64),
            ElementType::INT8 => Self::Int(i64::from(bits as i8)),
            ElementType::INT16 => Self::Int(i64::from(bits as i16)),
            ElementType::INT32 => Self::Int(i64::from(bits as i32)),
            ElementType::INT64 => Self::Int(bits as i64),
            ElementType::FLOAT16 => Self::Float(f64::from(from_half(bits as u16))),
            ElementType::FLOAT32 => Self::Float(f64::from(f32::from_bits(bits as u32))),
            ElementType::FLOAT64 => Self::Float(f64::from_bits(bits)),
            _ => return None,
        })
    }

    /// The integer, or the float without its fraction if that is between `least` and `most`.
    fn whole(self, least: i64, most: i64) -> Option<i64> {
        match self {
            Self::Int(n) => Some(n),
            // Comparing as floats would let 2^63 pass as the largest 64-bit integer, to which it is rounded.
            Self::Float(x) => {
                let cut = x.trunc();
                let inside = cut >= -(2f64.powi(63)) && cut < 2f64.powi(63);
                inside.then_some(cut as i64).filter(|n| (least..=most).contains(n))
            }
        }
    }

    fn is_zero(self) -> bool {
        match self {
            Self::Int(n) => n == 0,
            Self::Float(x) => x == 0.0,
        }
    }
}

/// Integers that do not fit lose their upper bits, as in C.
fn write(number: Number, ty: ElementType, out: &mut Vec<u8>) -> Option<()> {
    match ty {
        ElementType::BOOL => out.push(u8::from(!number.is_zero())),
        ElementType::INT8 => out.push(number.whole(i8::MIN.into(), i8::MAX.into())? as u8),
        ElementType::UINT8 => out.push(number.whole(0, u8::MAX.into())? as u8),
        ElementType::INT16 => {
            out.extend((number.whole(i16::MIN.into(), i16::MAX.into())? as i16).to_le_bytes());
        }
        ElementType::INT32 => {
            out.extend((number.whole(i32::MIN.into(), i32::MAX.into())? as i32).to_le_bytes());
        }
        ElementType::INT64 => out.extend(number.whole(i64::MIN, i64::MAX)?.to_le_bytes()),
        ElementType::FLOAT32 => {
            let x = match number {
                Number::Int(n) => n as f32,
                Number::Float(x) => x as f32,
            };
            out.extend(x.to_le_bytes());
        }
        ElementType::FLOAT64 => {
            let x = match number {
                Number::Int(n) => n as f64,
                Number::Float(x) => x,
            };
            out.extend(x.to_le_bytes());
        }
        _ => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::INFO;
    use crate::testing::{after, fires_but_not};

    #[test]
    fn refuses_what_is_not_known() {
        fires_but_not(
            INFO.name,
            INFO.before,
            &[
                ("the input is computed at run time", " = [1, -2, 3]", ""),
                ("the result is a graph output", "-> (%2)", "-> (%2, %1)"),
                ("the result is quantised", "\"c\"", "\"c\" {quantization={scale=[0.5], zero_point=[0]}}"),
                ("the result is of a type without arithmetic", "%1: f32", "%1: complex64"),
                ("the sizes differ", "%1: f32[3]", "%1: f32[4]"),
            ],
        );
    }

    fn cast(from: &str, numbers: &str, to: &str) -> Option<String> {
        let text =
            INFO.before.replace("i64[3] \"n\" = [1, -2, 3]", &format!("{from}[3] \"n\" = [{numbers}]"));
        let text = after(INFO.name, &text.replace("%1: f32", &format!("%1: {to}")))?;
        let line = text.lines().find(|line| line.contains("\"c\" = "))?;
        Some(line.split(" = ").nth(1)?.to_owned())
    }

    #[test]
    fn numbers_of_all_types() {
        for (from, numbers, to, want) in [
            ("f32", "1.9, -1.9, -0.0", "i32", "[1, -1, 0]"),
            ("f32", "0.5, -0.0, 0.0", "bool", "[1, 0, 0]"),
            ("bool", "1, 0, 1", "f32", "[1.0, 0.0, 1.0]"),
            ("i32", "300, -1, 5", "u8", "[44, 255, 5]"),
            ("i64", "16777217, 2, 3", "f32", "[16777216.0, 2.0, 3.0]"),
            ("i32", "-7, 2147483647, 0", "i64", "[-7, 2147483647, 0]"),
            ("f16", "0x3c00, 0xc000, 0x0001", "f32", "[1.0, -2.0, 5.9604645e-8]"),
            ("i8", "-128, 127, 0", "i16", "[-128, 127, 0]"),
        ] {
            assert_eq!(cast(from, numbers, to).as_deref(), Some(want), "{from} to {to}");
        }
    }

    #[test]
    fn floats_beyond_the_range_are_left() {
        assert_eq!(cast("f32", "2147483648.0, 0.0, 0.0", "i32"), None);
        assert_eq!(cast("f32", "9223372036854775807.0, 0.0, 0.0", "i64"), None);
        assert_eq!(cast("f32", "NaN, 0.0, 0.0", "i32"), None);
        assert_eq!(cast("f32", "-1.0, 0.0, 0.0", "u8"), None);
        assert_eq!(cast("bool", "2, 0, 0", "f32"), None);
    }
}
