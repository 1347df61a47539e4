//! SOFTMAX becomes what runtimes compute: `e / sum(e)` with `e = exp(beta * (x - max(x)))`, maximum and sum over the
//! last dimension, in REDUCE_MAX, SUB, MUL (unless beta is 1), EXP, SUM and DIV.
//!
//! When not: a dimension is open or zero, or there is none; the options are missing or beta is not finite; anything is
//! quantised, packed or not `f32`.
//!
//! Lineage: the five or six are parts of SOFTMAX, whose parameters the constants are.

use circle_ir::patch::{Patch, PatchBuilder};
use circle_ir::{ElementType, OpId, OpSpec, ValueSpec, View};
use circle_tables::opcode;

use crate::matcher::all_float;
use crate::matcher::channels::changed;
use crate::rule::{Change, PassInfo, Rule};

const INFO: PassInfo = PassInfo {
    name: "decompose_softmax",
    summary: "SOFTMAX into REDUCE_MAX, SUB, MUL, EXP, SUM, DIV",
    change: Change::Split,
    lineage: "each new operator a part of SOFTMAX",
    before: r#"
subgraph sg0 "" (%0) -> (%1)
  %0: f32[2,3] "x"
  %1: f32[2,3] "y"
  op0 SOFTMAX {beta=0.5} (%0) -> %1
"#,
    after: r#"
subgraph sg0 "" (%0) -> (%1)
  %0: f32[2,3] "x"
  %1: f32[2,3] "y"
  %2: i32[1] "y;axis" = [1]  ; @0 folded-const
  %3: f32[2,1] "y;max"
  %4: f32[2,1] "y;sum"
  %5: f32[2,3] "y;shifted"
  %6: f32[2,3] "y;exp"
  %7: f32[1] "y;beta" = [0.5]  ; @0 folded-const
  %8: f32[2,3] "y;scaled"
  op1 REDUCE_MAX {keep_dims=true} (%0, %2) -> %3  ; @0 cloned 1/6 by decompose_softmax
  op2 SUB (%0, %3) -> %5  ; @0 cloned 2/6 by decompose_softmax
  op3 MUL (%5, %7) -> %8  ; @0 cloned 3/6 by decompose_softmax
  op4 EXP (%8) -> %6  ; @0 cloned 4/6 by decompose_softmax
  op5 SUM {keep_dims=true} (%6, %2) -> %4  ; @0 cloned 5/6 by decompose_softmax
  op6 DIV (%6, %4) -> %1  ; @0 cloned 6/6 by decompose_softmax
"#,
};

/// See the module.
pub(crate) struct DecomposeSoftmax;

impl Rule for DecomposeSoftmax {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn anchors(&self) -> &'static [i32] {
        &[opcode::SOFTMAX]
    }
    fn rewrite(&self, at: OpId, view: &View<'_>) -> Option<Patch> {
        let op = view.op(at)?;
        let input = op.input(0)?;
        let &[output] = op.outputs() else { return None };
        let y = view.value(output)?;
        let options = op.options().filter(|o| o.def().field("beta").is_some())?;
        let beta = options.f32("beta");
        let (_, others) = y.shape().split_last()?;
        let fits = all_float(view, [input, output])
            && view.value(input)?.is_like(y)
            && y.elements().is_some_and(|n| n > 0)
            && beta.is_finite();
        if !fits {
            return None;
        }
        let axis = i32::try_from(others.len()).ok()?;
        let reduced: Vec<i64> = others.iter().copied().chain([1]).collect();

        let mut patch = PatchBuilder::new(view, INFO.name);
        let named = |suffix: &str| format!("{};{suffix}", y.name());
        let axis_spec = ValueSpec::new(&named("axis"), ElementType::INT32, &[1]);
        let axis = patch.constant(axis_spec, axis.to_le_bytes().to_vec(), &[], &[at]);
        let [max, sum] =
            ["max", "sum"].map(|suffix| patch.value(changed(y, suffix).shaped(&reduced), &[output]));
        let [shifted, exp] = ["shifted", "exp"].map(|suffix| patch.value(changed(y, suffix), &[output]));
        let reduce = |code, from, to| OpSpec::builtin(code, &[from, axis], &[to]).with("keep_dims", 1);
        let mut parts = vec![
            reduce(opcode::REDUCE_MAX, input, max),
            OpSpec::builtin(opcode::SUB, &[input, max], &[shifted]),
        ];
        let mut exponent = shifted;
        if beta != 1.0 {
            let spec = ValueSpec::new(&named("beta"), ElementType::FLOAT32, &[1]);
            let factor = patch.floats(spec, &[beta], &[], &[at]);
            exponent = patch.value(changed(y, "scaled"), &[output]);
            parts.push(OpSpec::builtin(opcode::MUL, &[shifted, factor], &[exponent]));
        }
        parts.extend([
            OpSpec::builtin(opcode::EXP, &[exponent], &[exp]),
            reduce(opcode::SUM, exp, sum),
            OpSpec::builtin(opcode::DIV, &[exp, sum], &[output]),
        ]);
        patch.split(at, parts);
        Some(patch.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{changed, fires, refuses_each};

    #[test]
    fn needs_no_product_where_beta_is_one() {
        let text = fires(&DecomposeSoftmax, &changed(INFO.before, &[("beta=0.5", "beta=1.0")]));
        assert!(!text.contains("MUL") && text.contains("cloned 5/5"), "{text}");
    }

    #[test]
    fn reduces_the_last_of_any_number_of_dimensions() {
        let text = fires(&DecomposeSoftmax, &changed(INFO.before, &[("f32[2,3]", "f32[1,2,2,5]")]));
        assert!(text.contains("f32[1,2,2,1] \"y;max\"") && text.contains("\"y;axis\" = [3]"), "{text}");
        fires(&DecomposeSoftmax, &changed(INFO.before, &[("f32[2,3]", "f32[4]")]));
    }

    #[test]
    fn leaves_the_rest_alone() {
        refuses_each(
            &DecomposeSoftmax,
            INFO.before,
            &[
                &[("\"y\"", "\"y\" {quantization={scale=[0.5], zero_point=[0]}}")],
                &[("f32", "i8")],
                &[("f32[2,3]", "f32[?,3]")],
                &[("f32[2,3]", "f32[2,0]")],
                &[("f32[2,3]", "f32[]")],
                &[("beta=0.5", "beta=inf")],
                // Options of another operator, which have no beta.
                &[("SOFTMAX {beta=0.5}", "SOFTMAX ExpOptions{}")],
                &[("f32[2,3] \"y\"", "f32[3,2] \"y\"")],
            ],
        );
    }
}
