//! Of two RESHAPEs in a row the first goes: only the last shape counts.
//!
//! When not: the first one's result is known outside the graph or read by others than a few reshapes, so that it
//! would stay anyway; the elements are packed.
//!
//! Lineage: the last reshape stays primary, the first is absorbed. Where the first has other readers it stays for
//! them, and its work is shared.

use circle_ir::patch::PatchBuilder;
use circle_ir::{OpId, ValueId, View, patch::Patch};
use circle_tables::opcode;

use crate::rule::{Change, PassInfo, Rule};

const INFO: PassInfo = PassInfo {
    name: "remove_redundant_reshape",
    summary: "RESHAPE of RESHAPE to one",
    change: Change::Fuse,
    lineage: "last reshape primary, first absorbed",
    before: r#"
subgraph sg0 "" (%0) -> (%4)
  %0: f32[2,6] "x"
  %1: i32[1] "flat" = [12]
  %2: f32[12] "z"
  %3: i32[2] "shape" = [3, 4]
  %4: f32[3,4] "y"
  op0 RESHAPE (%0, %1) -> %2
  op1 RESHAPE (%2, %3) -> %4
"#,
    after: r#"
subgraph sg0 "" (%0) -> (%4)
  %0: f32[2,6] "x"
  %3: i32[2] "shape" = [3, 4]
  %4: f32[3,4] "y"
  op2 RESHAPE (%0, %3) -> %4  ; @0 absorbed + @1 primary by remove_redundant_reshape
ledger
  @%1 + @%2 dead by dead_code
"#,
};

/// With more readers than these the first reshape is let be, so that looking at them all stays cheap.
const MAX_READERS: usize = 16;

/// See the module.
pub(crate) struct RemoveRedundantReshape;

impl Rule for RemoveRedundantReshape {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn anchors(&self) -> &'static [i32] {
        &[opcode::RESHAPE]
    }
    fn rewrite(&self, at: OpId, view: &View<'_>) -> Option<Patch> {
        let last = view.op(at)?;
        let middle = last.input(0)?;
        let (first, first_op) = view.def_is(middle, opcode::RESHAPE)?;
        let source = first_op.input(0)?;
        let (from, to) = (view.value(source)?, view.value(*last.outputs().first()?)?);
        if from.ty() != to.ty()
            || from.is_packed()
            || from.is_variable()
            || !only_reshapes_read(view, middle)?
        {
            return None;
        }
        let mut patch = PatchBuilder::new(view, INFO.name);
        let mut spec = last.spec();
        *spec.inputs.first_mut()? = Some(source);
        if view.only_user(middle) == Some(at) {
            patch.fuse(at, &[first], spec);
        } else {
            patch.fuse_beside(at, &[], &[first], spec);
        }
        Some(patch.finish())
    }
}

fn only_reshapes_read(view: &View<'_>, value: ValueId) -> Option<bool> {
    let value = view.value(value)?;
    let reshapes = value.uses().len() <= MAX_READERS
        && value.uses().iter().all(|&(op, slot)| slot == 0 && view.op_is(op, opcode::RESHAPE).is_some());
    Some(value.pins() == 0 && reshapes)
}

#[cfg(test)]
mod tests {
    use super::INFO;
    use crate::testing::{after, fires_but_not};

    #[test]
    fn refuses_a_first_reshape_that_stays() {
        let other = "op1 RESHAPE (%2, %3) -> %4\n  %5: f32[12] \"n\"\n  op2 ABS (%2) -> %5\n";
        fires_but_not(
            INFO.name,
            INFO.before,
            &[
                ("another operator reads it", "op1 RESHAPE (%2, %3) -> %4\n", other),
                ("it is a graph output", "-> (%4)", "-> (%4, %2)"),
                ("the type changes on the way", "%4: f32[3,4]", "%4: i32[3,4]"),
                ("it is no reshape", "op0 RESHAPE (%0, %1)", "op0 GATHER (%0, %1)"),
            ],
        );
    }

    #[test]
    fn several_reshapes_share_the_first() {
        let text = format!("{}  %5: f32[4,3] \"w\"\n  op2 RESHAPE (%2) -> %5\n", INFO.before)
            .replace("-> (%4)", "-> (%4, %5)");
        let text = after(INFO.name, &text).unwrap();
        assert!(text.contains("RESHAPE (%0, %3) -> %4") && text.contains("RESHAPE (%0) -> %5"), "{text}");
        assert_eq!(text.matches("RESHAPE").count(), 2);
    }
}
