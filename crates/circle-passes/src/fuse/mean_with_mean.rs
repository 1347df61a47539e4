//! MEAN of a MEAN becomes one MEAN over the axes of both.
//!
//! When not: the inner result is read elsewhere or is a graph output; the axes are not constant; anything is quantised
//! or not `f32`; or one keeps the dimensions it reduces and the other does not, unless the outer one, which drops
//! them, reduces all of them once more.
//!
//! Lineage: the inner MEAN, which reads the large tensor, stays primary, the outer one is absorbed. The new axes come
//! from those of both.

use circle_ir::patch::{Patch, PatchBuilder};
use circle_ir::{ElementType, OpId, ValueSpec, View};
use circle_tables::opcode;

use crate::matcher::channels::is_plain_float;
use crate::matcher::shape::axes;
use crate::rule::{Change, PassInfo, Rule};

const INFO: PassInfo = PassInfo {
    name: "fuse_mean_with_mean",
    summary: "two MEANs in a row into one",
    change: Change::Fuse,
    lineage: "inner MEAN primary, outer absorbed",
    before: r#"
subgraph sg0 "" (%0) -> (%4)
  %0: f32[2,3,4,5] "x"
  %1: i32[] "first" = [1]
  %2: f32[2,4,5] "rows"
  %3: i32[1] "second" = [-1]
  %4: f32[2,4] "y"
  op0 MEAN (%0, %1) -> %2
  op1 MEAN (%2, %3) -> %4
"#,
    after: r#"
subgraph sg0 "" (%0) -> (%4)
  %0: f32[2,3,4,5] "x"
  %4: f32[2,4] "y"
  %5: i32[2] "y;axes" = [1, 3]
  op2 MEAN (%0, %5) -> %4  ; @0 primary + @1 absorbed by fuse_mean_with_mean
ledger
  @%2 dead by dead_code
"#,
};

/// See the module.
pub(crate) struct FuseMeanWithMean;

impl Rule for FuseMeanWithMean {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn anchors(&self) -> &'static [i32] {
        &[opcode::MEAN]
    }
    fn rewrite(&self, at: OpId, view: &View<'_>) -> Option<Patch> {
        let outer = view.op(at)?;
        let (between, outer_axes) = (outer.input(0)?, outer.input(1)?);
        let &[output] = outer.outputs() else { return None };
        let (first, inner) = view.def_is(between, opcode::MEAN)?;
        let (input, inner_axes) = (inner.input(0)?, inner.input(1)?);
        let float = [input, between, output].into_iter().all(|v| is_plain_float(view, v));
        if !float || view.only_user(between) != Some(at) {
            return None;
        }
        let rank = view.value(input)?.shape().len();
        let once = axes(view, inner_axes, rank)?;
        let again = axes(view, outer_axes, view.value(between)?.shape().len())?;
        let keeps = |op: &circle_ir::Operator| op.option("keep_dims") != 0;
        let all = match (keeps(inner), keeps(outer)) {
            (true, true) => union(&once, &again),
            (true, false) if once.iter().all(|axis| again.contains(axis)) => again,
            (false, false) => {
                let left: Vec<usize> = (0..rank).filter(|d| !once.contains(d)).collect();
                let again: Option<Vec<usize>> = again.iter().map(|&d| left.get(d).copied()).collect();
                union(&once, &again?)
            }
            _ => return None,
        };
        let bytes: Option<Vec<[u8; 4]>> =
            all.iter().map(|&axis| i32::try_from(axis).ok().map(i32::to_le_bytes)).collect();

        let mut patch = PatchBuilder::new(view, INFO.name);
        let name = format!("{};axes", view.value(output)?.name());
        let shape = [i64::try_from(all.len()).ok()?];
        let spec = ValueSpec::new(&name, ElementType::INT32, &shape);
        let axes = patch.constant(spec, bytes?.concat(), &[inner_axes, outer_axes], &[]);
        let mut spec = outer.spec();
        spec.inputs = vec![Some(input), Some(axes)];
        patch.fuse(first, &[at], spec);
        Some(patch.finish())
    }
}

/// The members of both, ascending, each once.
fn union(a: &[usize], b: &[usize]) -> Vec<usize> {
    let mut all = [a, b].concat();
    all.sort_unstable();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{changed, fires, refuses_each};

    #[test]
    fn counts_axes_in_the_input() {
        // Axis -1 of [2,4,5] is axis 3 of [2,3,4,5].
        assert!(fires(&FuseMeanWithMean, INFO.before).contains("= [1, 3]\n"));
        let reversed = [("i32[] \"first\" = [1]", "i32[2] \"first\" = [2, 0]"), ("[2,4,5]", "[3,5]")];
        let reversed = changed(INFO.before, &reversed);
        let reversed = changed(&reversed, &[("f32[2,4] \"y\"", "f32[3] \"y\"")]);
        assert!(fires(&FuseMeanWithMean, &reversed).contains("= [0, 2, 3]\n"));
    }

    #[test]
    fn keeps_dimensions_where_both_do() {
        let kept = [
            ("MEAN (", "MEAN {keep_dims=true} ("),
            ("f32[2,4,5]", "f32[2,1,4,5]"),
            ("f32[2,4]", "f32[2,1,4,1]"),
        ];
        let kept = changed(INFO.before, &kept);
        assert!(fires(&FuseMeanWithMean, &kept).contains("MEAN {keep_dims=true} (%0, %5) -> %4"));
        let same = [("i32[1] \"second\" = [-1]", "i32[2] \"second\" = [1, 2]"), ("[2,1,4,1]", "[2,1,1,5]")];
        assert!(fires(&FuseMeanWithMean, &changed(&kept, &same)).contains("= [1, 2]\n"));
    }

    #[test]
    fn drops_kept_dimensions_that_are_reduced_again() {
        let dropped = [
            ("op0 MEAN (", "op0 MEAN {keep_dims=true} ("),
            ("f32[2,4,5]", "f32[2,1,4,5]"),
            ("i32[1] \"second\" = [-1]", "i32[2] \"second\" = [1, 3]"),
        ];
        let text = fires(&FuseMeanWithMean, &changed(INFO.before, &dropped));
        assert!(text.contains("MEAN (%0, %5) -> %4"), "{text}");
    }

    #[test]
    fn leaves_the_rest_alone() {
        let quantised = "\"rows\" {quantization={scale=[0.5], zero_point=[0]}}";
        refuses_each(
            &FuseMeanWithMean,
            INFO.before,
            &[
                &[("-> (%4)", "-> (%4, %2)")],
                &[
                    ("(%2, %3) -> %4", "(%2, %3) -> %4\n  op2 ABS (%2) -> %5"),
                    ("  op0", "  %5: f32[2,4,5] \"z\"\n  op0"),
                ],
                &[("\"rows\"", quantised)],
                &[("f32", "i32")],
                // Kept by the inner one, dropped by the outer one, and the other way round.
                &[
                    ("op0 MEAN (", "op0 MEAN {keep_dims=true} ("),
                    ("[2,4,5]", "[2,1,4,5]"),
                    ("[2,4]", "[2,1,4]"),
                ],
                &[("op1 MEAN (", "op1 MEAN {keep_dims=true} ("), ("[2,4]", "[2,4,1]")],
                // Axes that are not known, none, or outside.
                &[("(%0)", "(%0, %1)"), ("\"first\" = [1]", "\"first\"")],
                &[("i32[1] \"second\" = [-1]", "i32[0] \"second\" = []")],
                &[("\"second\" = [-1]", "\"second\" = [3]")],
                &[("\"second\" = [-1]", "\"second\" = [-4]")],
            ],
        );
    }
}
