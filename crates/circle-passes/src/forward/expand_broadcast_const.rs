//! A constant that an operator spreads over its result is written out in the result's full shape.
//!
//! When not: the constant has that shape already, holds one element (every kernel has a path for those), or is packed
//! or quantised; a shape is not known; the constant would grow beyond the budget.
//!
//! Lineage: the operator is replaced by itself; the new constant comes from the old one.

use circle_ir::patch::PatchBuilder;
use circle_ir::{OpId, ValueId, ValueSpec, View, patch::Patch};
use circle_tables::opcode;

use crate::matcher::operand_and_constant;
use crate::rule::{Change, PassInfo, Rule};

const INFO: PassInfo = PassInfo {
    name: "expand_broadcast_const",
    summary: "constants spread over a result to its full shape",
    change: Change::Forward,
    lineage: "operator replaced by itself",
    before: r#"
subgraph sg0 "" (%0) -> (%2)
  %0: f32[2,3] "x"
  %1: f32[2,1] "c" = [1.0, 2.0]
  %2: f32[2,3] "y"
  op0 ADD (%0, %1) -> %2
"#,
    after: r#"
subgraph sg0 "" (%0) -> (%2)
  %0: f32[2,3] "x"
  %2: f32[2,3] "y"
  %3: f32[2,3] "c;expanded" = [1.0, 1.0, 1.0, 2.0, 2.0, 2.0]
  op1 ADD (%0, %3) -> %2  ; @0 replaced by expand_broadcast_const
"#,
};

/// No constant becomes larger than this many bytes.
const MAX_BYTES: u64 = 4 << 20;

/// See the module.
pub(crate) struct ExpandBroadcastConst;

impl Rule for ExpandBroadcastConst {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn anchors(&self) -> &'static [i32] {
        &[
            opcode::ADD,
            opcode::SUB,
            opcode::MUL,
            opcode::DIV,
            opcode::MAXIMUM,
            opcode::MINIMUM,
            opcode::POW,
            opcode::SQUARED_DIFFERENCE,
        ]
    }
    fn rewrite(&self, at: OpId, view: &View<'_>) -> Option<Patch> {
        let op = view.op(at)?;
        let (input, constant) = operand_and_constant(view, op)?;
        let output = view.value(*op.outputs().first()?)?;
        let old = view.value(constant)?;
        let known = output.is_static() && view.value(input)?.is_static();
        if !known || old.quantization().is_some() || old.shape() == output.shape() || old.elements()? < 2 {
            return None;
        }
        let data = spread(view, constant, output.shape())?;
        let mut patch = PatchBuilder::new(view, INFO.name);
        let spec = ValueSpec::like(old, &format!("{};expanded", old.name())).shaped(output.shape());
        let full = patch.constant(spec, data, &[constant], &[]);
        let mut spec = op.spec();
        for slot in spec.inputs.iter_mut().filter(|slot| **slot == Some(constant)) {
            *slot = Some(full);
        }
        patch.replace(at, spec);
        Some(patch.finish())
    }
}

/// The bytes of a constant spread over `shape`, each dimension that it lacks or has as one repeated.
fn spread(view: &View<'_>, constant: ValueId, shape: &[i64]) -> Option<Vec<u8>> {
    let value = view.value(constant)?;
    let width = value.ty().bytes()?;
    let size = shape.iter().try_fold(width, |n, &d| n.checked_mul(u64::try_from(d).ok()?))?;
    let mut own = vec![1; shape.len().checked_sub(value.shape().len())?];
    own.extend_from_slice(value.shape());
    let fits = own.iter().zip(shape).all(|(&from, &to)| from == to || from == 1);
    if size > MAX_BYTES || size == 0 || !fits {
        return None;
    }
    // From the last dimension outwards: each block of what is there so far is repeated as often as asked.
    let mut data = view.constant(constant)?.to_vec();
    let mut block = usize::try_from(width).ok()?;
    for (&from, &to) in own.iter().zip(shape).rev() {
        let to = usize::try_from(to).ok()?;
        if from == 1 && to > 1 {
            data = data
                .chunks_exact(block)
                .flat_map(|chunk| std::iter::repeat_n(chunk, to))
                .flatten()
                .copied()
                .collect();
        }
        block = block.checked_mul(to)?;
    }
    Some(data)
}

#[cfg(test)]
mod tests {
    use super::INFO;
    use crate::testing::{after, fires_but_not};

    #[test]
    fn refuses_what_does_not_spread() {
        fires_but_not(
            INFO.name,
            INFO.before,
            &[
                (
                    "the shape is full already",
                    "%1: f32[2,1] \"c\" = [1.0, 2.0]",
                    "%1: f32[2,3] \"c\" = [1.0]",
                ),
                ("one element is spread", "%1: f32[2,1] \"c\" = [1.0, 2.0]", "%1: f32[1] \"c\" = [1.0]"),
                ("the operand is no constant", " = [1.0, 2.0]", ""),
                ("a shape is open", "%2: f32[2,3]", "%2: f32[2,?]"),
                ("the shapes do not fit", "%2: f32[2,3]", "%2: f32[5,3]"),
                ("the result is huge", "[2,3]", "[2,1000000]"),
                ("the constant is quantised", "\"c\"", "\"c\" {quantization={scale=[0.5], zero_point=[0]}}"),
            ],
        );
    }

    #[test]
    fn repeats_what_is_asked() {
        let text =
            INFO.before.replace("f32[2,1] \"c\"", "f32[1,2,1] \"c\"").replace("f32[2,3]", "f32[2,2,2]");
        let text = after(INFO.name, &text).unwrap();
        assert!(text.contains("= [1.0, 1.0, 2.0, 2.0, 1.0, 1.0, 2.0, 2.0]"), "{text}");
        let text = after(
            INFO.name,
            &INFO.before.replace("%1: f32[2,1] \"c\" = [1.0, 2.0]", "%1: f32[3] \"c\" = [1.0, 2.0, 3.0]"),
        );
        assert!(text.unwrap().contains("= [1.0, 2.0, 3.0, 1.0, 2.0, 3.0]"));
    }
}
