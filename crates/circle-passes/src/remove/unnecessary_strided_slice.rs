//! STRIDED_SLICE of the whole tensor with strides of one goes.
//!
//! When not: a stride is not one or not constant; a begin is neither masked nor the first element; an ellipsis, a new
//! or a dropped dimension; a dimension is open; input and output are both known outside the graph.
//!
//! Lineage: the slice leaves as identity.

use circle_ir::{OpId, Operator, View, patch::Patch};
use circle_tables::opcode;

use super::{bypass, same_static_shape};
use crate::rule::{Change, PassInfo, Rule};

const INFO: PassInfo = PassInfo {
    name: "remove_unnecessary_strided_slice",
    summary: "STRIDED_SLICE of the whole tensor",
    change: Change::Remove,
    lineage: "the slice leaves as identity",
    before: r#"
subgraph sg0 "" (%0) -> (%5)
  %0: f32[2,3] "x"
  %1: i32[2] "begin" = [0, 7]
  %2: i32[2] "end" = [2, 3]
  %3: i32[2] "strides" = [1]
  %4: f32[2,3] "same"
  %5: f32[2,3] "y"
  op0 STRIDED_SLICE {begin_mask=2} (%0, %1, %2, %3) -> %4
  op1 ABS (%4) -> %5
"#,
    after: r#"
subgraph sg0 "" (%0) -> (%5)
  %0: f32[2,3] "x"
  %5: f32[2,3] "y"
  op1 ABS (%0) -> %5  ; @1 primary
ledger
  @0 identity by remove_unnecessary_strided_slice
  @%1 + @%2 + @%3 dead by dead_code
"#,
};

/// See the module.
pub(crate) struct RemoveUnnecessaryStridedSlice;

impl Rule for RemoveUnnecessaryStridedSlice {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn anchors(&self) -> &'static [i32] {
        &[opcode::STRIDED_SLICE]
    }
    fn rewrite(&self, at: OpId, view: &View<'_>) -> Option<Patch> {
        let op = view.op(at)?;
        let (input, output) = (op.input(0)?, *op.outputs().first()?);
        let plain = ["ellipsis_mask", "new_axis_mask", "shrink_axis_mask", "offset"];
        if plain.iter().any(|field| op.option(field) != 0)
            || !same_static_shape(view, input, output)
            || !is_from_start_in_steps_of_one(view, op)?
        {
            return None;
        }
        bypass(view, INFO.name, at, input)
    }
}

/// With the output as large as the input, it is then all of the input, whatever the ends are.
fn is_from_start_in_steps_of_one(view: &View<'_>, op: &Operator) -> Option<bool> {
    let (begin, strides) = (view.ints(op.input(1)?)?, view.ints(op.input(3)?)?);
    let shape = view.value(op.input(0)?)?.shape();
    let masked = |dim: usize| dim < 32 && op.option("begin_mask") >> dim & 1 == 1;
    let first = begin
        .iter()
        .zip(shape)
        .enumerate()
        .all(|(i, (&begin, &size))| masked(i) || begin == 0 || begin.checked_add(size) == Some(0));
    Some(first && begin.len() <= shape.len() && strides.iter().all(|&stride| stride == 1))
}

#[cfg(test)]
mod tests {
    use super::INFO;
    use crate::testing::fires_but_not;

    #[test]
    fn refuses_a_part() {
        fires_but_not(
            INFO.name,
            INFO.before,
            &[
                ("it is smaller", "%4: f32[2,3]", "%4: f32[2,2]"),
                ("it begins later", "begin_mask=2", "begin_mask=1"),
                ("it runs backwards", "= [1]", "= [1, -1]"),
                ("strides are not known", " = [1]", ""),
                ("a dimension is new", "begin_mask=2", "begin_mask=2, new_axis_mask=1"),
                ("a dimension is dropped", "begin_mask=2", "begin_mask=2, shrink_axis_mask=1"),
                ("a dimension is open", "f32[2,3]", "f32[?,3]"),
            ],
        );
    }
}
