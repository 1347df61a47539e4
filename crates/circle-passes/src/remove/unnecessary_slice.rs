//! SLICE of the whole tensor goes.
//!
//! When not: where it begins is not a constant of zeros, a dimension is open, or input and output are both known
//! outside the graph.
//!
//! Lineage: the slice leaves as identity.

use circle_ir::{OpId, View, patch::Patch};
use circle_tables::opcode;

use super::{bypass, same_static_shape};
use crate::rule::{Change, PassInfo, Rule};

const INFO: PassInfo = PassInfo {
    name: "remove_unnecessary_slice",
    summary: "SLICE of the whole tensor",
    change: Change::Remove,
    lineage: "the slice leaves as identity",
    before: r#"
subgraph sg0 "" (%0) -> (%4)
  %0: f32[2,3] "x"
  %1: i32[2] "begin" = [0, 0]
  %2: i32[2] "size" = [2, -1]
  %3: f32[2,3] "same"
  %4: f32[2,3] "y"
  op0 SLICE (%0, %1, %2) -> %3
  op1 ABS (%3) -> %4
"#,
    after: r#"
subgraph sg0 "" (%0) -> (%4)
  %0: f32[2,3] "x"
  %4: f32[2,3] "y"
  op1 ABS (%0) -> %4  ; @1 primary
ledger
  @0 identity by remove_unnecessary_slice
  @%1 + @%2 dead by dead_code
"#,
};

/// See the module.
pub(crate) struct RemoveUnnecessarySlice;

impl Rule for RemoveUnnecessarySlice {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn anchors(&self) -> &'static [i32] {
        &[opcode::SLICE]
    }
    fn rewrite(&self, at: OpId, view: &View<'_>) -> Option<Patch> {
        let op = view.op(at)?;
        let (input, output) = (op.input(0)?, *op.outputs().first()?);
        // As large as the input and from its start: then it is all of it, whatever `size` says.
        let from_start = view.ints(op.input(1)?)?.iter().all(|&begin| begin == 0);
        (from_start && same_static_shape(view, input, output))
            .then(|| bypass(view, INFO.name, at, input))
            .flatten()
    }
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
                ("it is smaller", "%3: f32[2,3]", "%3: f32[2,2]"),
                ("it begins later", "[0, 0]", "[0, 1]"),
                ("where it begins is not known", " = [0, 0]", ""),
                ("a dimension is open", "f32[2,3]", "f32[?,3]"),
            ],
        );
    }
}
