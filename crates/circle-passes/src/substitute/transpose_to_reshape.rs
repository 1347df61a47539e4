//! TRANSPOSE that moves dimensions of size 1 past others and nothing else becomes RESHAPE: the elements stay where
//! they are.
//!
//! When not: a dimension is open or zero; the permutation is not constant, or changes nothing at all (which
//! remove_unnecessary_transpose takes); or quantization differs before and after or runs along a dimension.
//!
//! Lineage: RESHAPE replaces TRANSPOSE. The new shape comes from the permutation and is noted as the work of TRANSPOSE.

use circle_ir::patch::{Patch, PatchBuilder};
use circle_ir::{OpId, View};
use circle_tables::opcode;

use crate::matcher::permutation;
use crate::matcher::shape::reshape;
use crate::rule::{Change, PassInfo, Rule};

const INFO: PassInfo = PassInfo {
    name: "substitute_transpose_to_reshape",
    summary: "TRANSPOSE that moves no element into RESHAPE",
    change: Change::Replace,
    lineage: "RESHAPE replaces TRANSPOSE",
    before: r#"
subgraph sg0 "" (%0) -> (%2)
  %0: f32[1,1,3,4] "x"
  %1: i32[4] "perm" = [2, 0, 3, 1]
  %2: f32[3,1,4,1] "y"
  op0 TRANSPOSE (%0, %1) -> %2
"#,
    after: r#"
subgraph sg0 "" (%0) -> (%2)
  %0: f32[1,1,3,4] "x"
  %2: f32[3,1,4,1] "y"
  %3: i32[4] "y;shape" = [3, 1, 4, 1]  ; @0 folded-const
  op1 RESHAPE {new_shape=[3, 1, 4, 1]} (%0, %3) -> %2  ; @0 replaced by substitute_transpose_to_reshape
"#,
};

/// See the module.
pub(crate) struct SubstituteTransposeToReshape;

impl Rule for SubstituteTransposeToReshape {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn anchors(&self) -> &'static [i32] {
        &[opcode::TRANSPOSE]
    }
    fn rewrite(&self, at: OpId, view: &View<'_>) -> Option<Patch> {
        let transpose = view.op(at)?;
        let &[output] = transpose.outputs() else { return None };
        let (input, perm) = (transpose.input(0)?, permutation(view, transpose)?);
        let shape = view.value(input)?.shape();
        let large = perm.iter().filter(|&&d| shape.get(d) != Some(&1));
        let moved: Option<Vec<i64>> = perm.iter().map(|&d| shape.get(d).copied()).collect();
        let right = view.value(output)?.shape() == moved?;
        if perm.is_sorted() || !large.is_sorted() || !right {
            return None;
        }
        let mut patch = PatchBuilder::new(view, INFO.name);
        let spec = reshape(view, &mut patch, input, output, at)?;
        patch.replace(at, spec);
        Some(patch.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{changed, fires, refuses_each};

    #[test]
    fn moves_quantised_elements() {
        let quantised = "{quantization={scale=[0.5], zero_point=[3]}}";
        let (x, y) = (format!("\"x\" {quantised}"), format!("\"y\" {quantised}"));
        fires(
            &SubstituteTransposeToReshape,
            &changed(INFO.before, &[("f32", "u8"), ("\"x\"", &x), ("\"y\"", &y)]),
        );
    }

    #[test]
    fn leaves_the_rest_alone() {
        let by_place = "{quantization={scale=[0.5, 0.25], zero_point=[0, 0]}}";
        refuses_each(
            &SubstituteTransposeToReshape,
            INFO.before,
            &[
                &[("[2, 0, 3, 1]", "[3, 0, 2, 1]"), ("[3,1,4,1]", "[4,1,3,1]")],
                &[("[2, 0, 3, 1]", "[0, 1, 2, 3]"), ("[3,1,4,1]", "[1,1,3,4]")],
                &[("f32[1,1,3,4]", "f32[?,1,3,4]"), ("f32[3,1,4,1]", "f32[3,?,4,1]")],
                &[("(%0)", "(%0, %1)"), ("\"perm\" = [2, 0, 3, 1]", "\"perm\"")],
                &[("[3,1,4,1]", "[3,4,1,1]")],
                &[("\"x\"", &format!("\"x\" {by_place}")), ("\"y\"", &format!("\"y\" {by_place}"))],
            ],
        );
    }
}
