//! MEAN of a TRANSPOSE becomes MEAN over the axes where the dimensions stood before. Where the result then differs in
//! the place of dimensions of size 1 only, as after global pooling in another layout, a RESHAPE that is its only reader
//! takes it in the new shape.
//!
//! When not: the transposed tensor is read elsewhere or is a graph output; permutation or axes are not constant;
//! anything is quantised or not `f32`; or the dimensions that are left come in another order.
//!
//! Lineage: MEAN stays primary, TRANSPOSE is absorbed. The new axes come from axes and permutation. A RESHAPE that
//! takes another shape is replaced.

use circle_ir::patch::{Patch, PatchBuilder};
use circle_ir::{ElementType, OpId, Operator, ValueId, ValueSpec, View};
use circle_tables::opcode;

use crate::matcher::channels::{changed, is_plain_float};
use crate::matcher::permutation;
use crate::matcher::shape::{axes, extents};
use crate::rule::{Change, PassInfo, Rule};

const INFO: PassInfo = PassInfo {
    name: "fuse_transpose_with_mean",
    summary: "TRANSPOSE before MEAN into the axes of MEAN",
    change: Change::Fuse,
    lineage: "MEAN primary, TRANSPOSE absorbed; a RESHAPE that takes another shape replaced",
    before: r#"
subgraph sg0 "" (%0) -> (%4)
  %0: f32[1,5,6,8] "x"
  %1: i32[4] "to NCHW" = [0, 3, 1, 2]
  %2: f32[1,8,5,6] "nchw"
  %3: i32[2] "axes" = [2, 3]
  %4: f32[1,8] "y"
  op0 TRANSPOSE (%0, %1) -> %2
  op1 MEAN (%2, %3) -> %4
"#,
    after: r#"
subgraph sg0 "" (%0) -> (%4)
  %0: f32[1,5,6,8] "x"
  %4: f32[1,8] "y"
  %5: i32[2] "y;axes" = [1, 2]
  op2 MEAN (%0, %5) -> %4  ; @0 absorbed + @1 primary by fuse_transpose_with_mean
ledger
  @%2 dead by dead_code
"#,
};

/// See the module.
pub(crate) struct FuseTransposeWithMean;

impl Rule for FuseTransposeWithMean {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn anchors(&self) -> &'static [i32] {
        &[opcode::MEAN]
    }
    fn rewrite(&self, at: OpId, view: &View<'_>) -> Option<Patch> {
        let mean = view.op(at)?;
        let (between, old_axes) = (mean.input(0)?, mean.input(1)?);
        let &[output] = mean.outputs() else { return None };
        let (before, transpose) = view.def_is(between, opcode::TRANSPOSE)?;
        let (input, old_perm) = (transpose.input(0)?, transpose.input(1)?);
        let float = [input, between, output].into_iter().all(|v| is_plain_float(view, v));
        if !float || view.only_user(between) != Some(at) {
            return None;
        }
        let perm = permutation(view, transpose)?;
        let reduced: Option<Vec<usize>> =
            axes(view, old_axes, perm.len())?.into_iter().map(|axis| perm.get(axis).copied()).collect();
        let mut reduced = reduced?;
        reduced.sort_unstable();
        let shape = extents(view.value(input)?)?;
        if !keeps_order(&shape, &perm, &reduced) {
            return None;
        }
        let result = shape_of_mean(&shape, &reduced, mean.option("keep_dims") != 0);
        let same = extents(view.value(output)?)? == result;
        let reader = if same { None } else { Some(reshape_after(view, output)?) };

        let bytes: Option<Vec<[u8; 4]>> =
            reduced.iter().map(|&axis| i32::try_from(axis).ok().map(i32::to_le_bytes)).collect();
        let mut patch = PatchBuilder::new(view, INFO.name);
        let name = format!("{};axes", view.value(output)?.name());
        let spec = ValueSpec::new(&name, ElementType::INT32, &[i64::try_from(reduced.len()).ok()?]);
        let axes = patch.constant(spec, bytes?.concat(), &[old_axes, old_perm], &[]);
        let mut spec = mean.spec();
        spec.inputs = vec![Some(input), Some(axes)];
        if let Some((reshape, op)) = reader {
            let old = view.value(output)?;
            let like = changed(old, "mean");
            let open: Vec<i64> = result.iter().map(|&d| if d < 0 { 1 } else { d }).collect();
            let mut like = like.shaped(&open);
            if result.contains(&-1) {
                like = like.with_signature(&result);
            }
            let moved = patch.value(like, &[output]);
            spec.outputs = vec![moved];
            patch.fuse(at, &[before], spec);
            let mut spec = op.spec();
            *spec.inputs.first_mut()? = Some(moved);
            patch.replace(reshape, spec);
        } else {
            patch.fuse(at, &[before], spec);
        }
        Some(patch.finish())
    }
}

/// Whether the dimensions of `shape` that are not reduced come in the same order after permutation, those of size 1
/// apart, which hold nothing apart.
fn keeps_order(shape: &[i64], perm: &[usize], reduced: &[usize]) -> bool {
    let left: Vec<usize> = perm
        .iter()
        .copied()
        .filter(|d| reduced.binary_search(d).is_err() && shape.get(*d) != Some(&1))
        .collect();
    left.is_sorted()
}

fn shape_of_mean(shape: &[i64], reduced: &[usize], keep: bool) -> Vec<i64> {
    let one = |(d, &n): (usize, &i64)| match (reduced.binary_search(&d).is_ok(), keep) {
        (false, _) => Some(n),
        (true, true) => Some(1),
        (true, false) => None,
    };
    shape.iter().enumerate().filter_map(one).collect()
}

/// The RESHAPE that is the only reader of `value`, as the tensor to be reshaped.
fn reshape_after<'m>(view: &View<'m>, value: ValueId) -> Option<(OpId, &'m Operator)> {
    let reader = view.only_user(value)?;
    let op = view.op_is(reader, opcode::RESHAPE)?;
    (op.input(0) == Some(value)).then_some((reader, op))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{changed, fires, refuses_each};

    const POOLED: &[(&str, &str)] = &[
        ("-> (%4)", "-> (%6)"),
        ("f32[1,8] \"y\"", "f32[1,8,1,1] \"pooled\""),
        ("  op0", "  %5: i32[2] \"flat\" = [1, 8]\n  %6: f32[1,8] \"y\"\n  op0"),
        ("MEAN (%2, %3) -> %4\n", "MEAN {keep_dims=true} (%2, %3) -> %4\n  op2 RESHAPE (%4, %5) -> %6\n"),
    ];

    #[test]
    fn gives_a_reshape_the_result_in_another_shape() {
        let text = fires(&FuseTransposeWithMean, &changed(INFO.before, POOLED));
        assert!(text.contains("f32[1,1,1,8] \"pooled;mean\"\n"), "{text}");
        assert!(text.contains("RESHAPE (%8, %5) -> %6  ; @2 replaced by"), "{text}");
        let open = [
            ("f32[1,5,6,8]", "f32[?,5,6,8]"),
            ("f32[1,8,5,6]", "f32[?,8,5,6]"),
            ("f32[1,8,1,1]", "f32[?,8,1,1]"),
            ("f32[1,8] \"y\"", "f32[?,8] \"y\""),
        ];
        let text = fires(&FuseTransposeWithMean, &changed(&changed(INFO.before, POOLED), &open));
        assert!(text.contains("f32[?,1,1,8] \"pooled;mean\"\n"), "{text}");
    }

    #[test]
    fn keeps_dimensions_that_stay_in_place() {
        let kept = [
            ("[0, 3, 1, 2]", "[0, 2, 1, 3]"),
            ("[1,8,5,6]", "[1,6,5,8]"),
            ("[2, 3]", "[-2, 1]"),
            ("f32[1,8]", "f32[1,1,1,8]"),
            ("MEAN (", "MEAN {keep_dims=true} ("),
        ];
        let text = fires(&FuseTransposeWithMean, &changed(INFO.before, &kept));
        assert!(text.contains("i32[2] \"y;axes\" = [1, 2]"), "{text}");
    }

    #[test]
    fn leaves_the_rest_alone() {
        let quantised = "\"nchw\" {quantization={scale=[0.5], zero_point=[0]}}";
        let open = [
            ("f32[1,5,6,8]", "f32[?,5,6,8]"),
            ("f32[1,8,5,6]", "f32[8,?,5,6]"),
            ("[0, 3, 1, 2]", "[3, 0, 1, 2]"),
        ];
        refuses_each(
            &FuseTransposeWithMean,
            INFO.before,
            &[
                &[("-> (%4)", "-> (%4, %2)")],
                &[("-> %4\n", "-> %4\n  op2 ABS (%2) -> %5\n"), ("  op0", "  %5: f32[1,8,5,6] \"z\"\n  op0")],
                &[("\"nchw\"", quantised)],
                &[("f32", "i32")],
                // What is left is [8, 6] of [6, 8].
                &[("= [2, 3]", "= [0, 2]"), ("f32[1,8] \"y\"", "f32[8,6] \"y\"")],
                // The open dimension may be larger than 1.
                &[open[0], open[1], open[2], ("f32[1,8] \"y\"", "f32[8,?] \"y\"")],
                // Another shape, and nothing after it that could take it.
                &[("MEAN (", "MEAN {keep_dims=true} ("), ("f32[1,8] \"y\"", "f32[1,8,1,1] \"y\"")],
                &[("(%0)", "(%0, %1)"), ("\"to NCHW\" = [0, 3, 1, 2]", "\"to NCHW\"")],
                &[("[0, 3, 1, 2]", "[0, 3, 1, 1]")],
                &[("(%0)", "(%0, %3)"), ("\"axes\" = [2, 3]", "\"axes\"")],
                &[("\"axes\" = [2, 3]", "\"axes\" = [2, 4]")],
            ],
        );
        // A RESHAPE does not help where the pooled tensor is known outside.
        let known = changed(&changed(INFO.before, POOLED), &[("-> (%6)", "-> (%6, %4)")]);
        crate::testing::refuses(&FuseTransposeWithMean, &known);
    }
}
