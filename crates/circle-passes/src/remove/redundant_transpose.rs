//! Two TRANSPOSEs in a row become one, or vanish where the second undoes the first.
//!
//! When not: a permutation is computed at run time, or quantization changes on the way. Where the two undo each other
//! but input and output are both known outside the graph, they become one that moves nothing.
//!
//! Lineage: the last transpose stays primary, the first is absorbed; a pair that vanishes leaves as identity. Where
//! the first has other readers it stays for them.

use circle_ir::lineage::ledger::Reason;
use circle_ir::patch::PatchBuilder;
use circle_ir::{OpId, ValueSpec, View, patch::Patch};
use circle_tables::opcode;

use crate::matcher::permutation;
use crate::matcher::permutation::{compose, integer_bytes, is_identity};
use crate::rule::{Change, PassInfo, Rule};

const INFO: PassInfo = PassInfo {
    name: "remove_redundant_transpose",
    summary: "TRANSPOSE of TRANSPOSE to one or none",
    change: Change::Fuse,
    lineage: "last transpose primary, first absorbed; or both leave as identity",
    before: r#"
subgraph sg0 "" (%0) -> (%6)
  %0: f32[1,4,5,3] "x"
  %1: i32[4] "to nchw" = [0, 3, 1, 2]
  %2: f32[1,3,4,5] "nchw"
  %3: i32[4] "swap" = [0, 1, 3, 2]
  %4: f32[1,3,5,4] "swapped"
  %5: i32[4] "swap again" = [0, 1, 3, 2]
  %6: f32[1,3,4,5] "y"
  op0 TRANSPOSE (%0, %1) -> %2
  op1 TRANSPOSE (%2, %3) -> %4
  op2 TRANSPOSE (%4, %5) -> %6
"#,
    after: r#"
subgraph sg0 "" (%0) -> (%6)
  %0: f32[1,4,5,3] "x"
  %6: f32[1,3,4,5] "y"
  %8: i32[4] "swap again;merged" = [0, 3, 1, 2]
  op4 TRANSPOSE (%0, %8) -> %6  ; @0 absorbed + @1 absorbed + @2 primary by remove_redundant_transpose
ledger
  @%2 + @%4 dead by dead_code
"#,
};

/// See the module.
pub(crate) struct RemoveRedundantTranspose;

impl Rule for RemoveRedundantTranspose {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn anchors(&self) -> &'static [i32] {
        &[opcode::TRANSPOSE]
    }
    fn rewrite(&self, at: OpId, view: &View<'_>) -> Option<Patch> {
        merge_transposes(view, INFO.name, at)
    }
}

/// The change of `rule` that merges the transpose `at` with the transpose before it.
pub(crate) fn merge_transposes(view: &View<'_>, rule: &'static str, at: OpId) -> Option<Patch> {
    let last = view.op_is(at, opcode::TRANSPOSE)?;
    let middle = last.input(0)?;
    let (first, first_op) = view.def_is(middle, opcode::TRANSPOSE)?;
    let (source, output) = (first_op.input(0)?, *last.outputs().first()?);
    let perm = compose(&permutation(view, first_op)?, &permutation(view, last)?)?;
    let (from, to) = (view.value(source)?, view.value(output)?);
    if from.ty() != to.ty()
        || from.quantization() != to.quantization()
        || from.is_packed()
        || from.is_variable()
    {
        return None;
    }
    let alone = view.only_user(middle) == Some(at);
    let mut patch = PatchBuilder::new(view, rule);
    if is_identity(&perm) && view.can_forward(output, source) {
        patch.retire(at, Reason::Identity);
        if alone {
            patch.retire(first, Reason::Identity);
        }
        patch.forward(output, source);
        return Some(patch.finish());
    }
    let mut spec = last.spec();
    let old = last.input(1)?;
    let numbers: Vec<i64> = perm.iter().map(|&p| p as i64).collect();
    let data = integer_bytes(view.value(old)?.ty(), &numbers)?;
    let described = ValueSpec::like(view.value(old)?, &format!("{};merged", view.value(old)?.name()));
    let merged = patch.constant(described, data, &[first_op.input(1)?, old], &[]);
    spec.inputs = vec![Some(source), Some(merged)];
    if alone {
        patch.fuse(at, &[first], spec);
    } else {
        patch.fuse_beside(at, &[], &[first], spec);
    }
    Some(patch.finish())
}

#[cfg(test)]
mod tests {
    use super::INFO;
    use crate::testing::{after, fires_but_not};

    #[test]
    fn refuses_what_is_not_known() {
        let one = INFO
            .before
            .replace("  op1 TRANSPOSE (%2, %3) -> %4\n  op2 TRANSPOSE (%4, %5)", "  op1 TRANSPOSE (%2, %5)");
        let one = one.replace("f32[1,3,4,5] \"y\"", "f32[1,3,5,4] \"y\"");
        fires_but_not(
            INFO.name,
            &one,
            &[
                ("the first permutation is not constant", " = [0, 3, 1, 2]", ""),
                ("the last permutation is not constant", "\"swap again\" = [0, 1, 3, 2]", "\"swap again\""),
                ("a permutation is none", "= [0, 3, 1, 2]", "= [0, 3, 3, 2]"),
                ("quantization changes", "\"x\"", "\"x\" {quantization={scale=[0.5], zero_point=[0]}}"),
            ],
        );
    }

    #[test]
    fn a_pair_vanishes_and_the_first_stays_for_others() {
        let text = r#"
subgraph sg0 "" (%0) -> (%5, %2)
  %0: f32[2,3] "x"
  %1: i32[2] "perm" = [1, 0]
  %2: f32[3,2] "t"
  %3: f32[2,3] "back"
  %5: f32[2,3] "y"
  %4: f32[2,3] "unused"
  op0 TRANSPOSE (%0, %1) -> %2
  op1 TRANSPOSE (%2, %1) -> %3
  op2 ABS (%3) -> %5
"#;
        let text = after(INFO.name, text).unwrap();
        assert!(text.contains("op0 TRANSPOSE (%0, %1) -> %2"), "{text}");
        assert!(text.contains("op2 ABS (%0) -> %5"), "{text}");
        assert_eq!(text.matches("TRANSPOSE").count(), 1);
    }

    #[test]
    fn a_pair_between_ends_known_outside_becomes_one() {
        let text = r#"
subgraph sg0 "" (%0) -> (%3)
  %0: f32[2,3] "x"
  %1: i32[2] "perm" = [1, 0]
  %2: f32[3,2] "t"
  %3: f32[2,3] "y"
  op0 TRANSPOSE (%0, %1) -> %2
  op1 TRANSPOSE (%2, %1) -> %3
"#;
        let text = after(INFO.name, text).unwrap();
        assert!(text.contains("= [0, 1]") && text.contains("-> %3"), "{text}");
        assert_eq!(text.matches("TRANSPOSE").count(), 1);
    }
}
