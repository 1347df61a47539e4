//! Rules that say what is not so. Nothing of this is out of their reach, so all of it must be found.

use circle_ir::lineage::ledger::Reason;
use circle_ir::{OpSpec, ValueSpec};

use super::*;

/// The ADD is replaced by one with an activation, and the RELU is said to have left for `reason`.
fn retires(at: OpId, view: &View<'_>, reason: Reason) -> Option<Patch> {
    let (relu, spec) = fused(at, view)?;
    let mut patch = PatchBuilder::new(view, "lying");
    patch.replace(at, spec);
    patch.retire(relu, reason);
    Some(patch.finish())
}

fn tells(info: &'static PassInfo, lies: fn(OpId, &View<'_>) -> Option<Patch>) -> Lie {
    Lie { info, lies, damage: no_damage }
}

#[test]
fn an_operator_that_is_done_elsewhere_has_not_left() {
    let lie = |at, view: &View<'_>| retires(at, view, Reason::Identity);
    caught(
        tells(&FUSE, lie),
        &[
            "  sg0 op{2} RELU (%{2}) -> %{3}",
            "^~~ sg0 op{2}: left as identity, and op{new} computes its result",
        ],
    );
}

#[test]
fn an_operator_whose_result_is_used_is_not_dead() {
    let lie = |at, view: &View<'_>| retires(at, view, Reason::Dead);
    caught(
        tells(&FUSE, lie),
        &["  sg0 op{2} RELU (%{2}) -> %{3}", "^~~ sg0 op{2}: left as dead, and its result is used"],
    );
}

#[test]
fn a_reason_that_is_none_of_the_kind_of_change_is_found() {
    // Both leave, and the second reads what the first computed: nothing of that is untrue, but to fuse is not to fold.
    let lie = |at, view: &View<'_>| {
        let (relu, _) = fused(at, view)?;
        let (from, to) = (*view.op(relu)?.outputs().first()?, view.op(at)?.input(0)?);
        let mut patch = PatchBuilder::new(view, "lying");
        patch.retire(at, Reason::Identity);
        patch.retire(relu, Reason::Merged);
        patch.forward(from, to);
        Some(patch.finish())
    };
    caught(
        tells(&FUSE, lie),
        &[
            "  sg0 op{2} RELU (%{2}) -> %{3}",
            "left as merged, and to fuse gives no such reason",
            "found on a copy",
        ],
    );
}

#[test]
fn what_a_rule_did_not_match_is_not_its_to_claim() {
    // The RELU stays what it is and claims the work of the EXP as well, two steps away.
    let lie = |at, view: &View<'_>| {
        let (relu, _) = fused(at, view)?;
        let (exp, _) = view.def(view.op(at)?.input(0)?)?;
        let mut patch = PatchBuilder::new(view, "lying");
        patch.fuse_beside(relu, &[], &[exp], view.op(relu)?.spec());
        Some(patch.finish())
    };
    caught(
        tells(&FUSE, lie),
        &[
            "  sg0 op{new} RELU (%{2}) -> %{3}",
            "^~~ sg0 op{new}: claims the work of op{0}, which is not connected with the rest that it does",
        ],
    );
}

#[test]
fn a_helper_does_nobodys_work() {
    let lie = |at, view: &View<'_>| {
        let (relu, spec) = fused(at, view)?;
        let mut patch = PatchBuilder::new(view, "lying");
        patch.helper(at, spec);
        patch.retire(at, Reason::Identity);
        patch.retire(relu, Reason::Identity);
        Some(patch.finish())
    };
    caught(tells(&FUSE, lie), &["^~~ sg0 op{2}: left as identity, and op{new} computes its result"]);
}

#[test]
fn a_role_that_is_none_of_the_kind_of_change_is_found() {
    // The step is called a replacement, and the second operator is a copy.
    let lie = |at, view: &View<'_>| {
        let add = view.op(at)?;
        let mut patch = PatchBuilder::new(view, "lying");
        patch.replace(at, add.spec());
        let copied = patch.value(ValueSpec::new("copied", circle_ir::ElementType::FLOAT32, &[2]), &[]);
        let exp = view.def(add.input(0)?)?.0;
        let spec = OpSpec { outputs: vec![copied], ..view.op(exp)?.spec() };
        patch.copy(exp, spec);
        Some(patch.finish())
    };
    caught(
        tells(&REPLACE, lie),
        &["is cloned for @{0}, and to replace makes nothing that", "  sg0 op{0} EXP (%{0}) -> %{1}"],
    );
}

#[test]
fn a_step_that_is_none_of_the_kind_of_change_is_found() {
    caught(tells(&REMOVE, honest), &["lying: a pass that is to remove must not fuse"]);
}

#[test]
fn a_pass_enters_its_steps_in_its_own_name() {
    let lie = |at, view: &View<'_>| {
        let (relu, spec) = fused(at, view)?;
        let mut patch = PatchBuilder::new(view, "another");
        patch.fuse(relu, &[at], spec);
        Some(patch.finish())
    };
    let lie: &'static Lie = Box::leak(Box::new(tells(&FUSE, lie)));
    let text = told(lie, 1).expect("it is found").to_string();
    assert!(text.contains("lying: has a step entered in the name of another"), "{text}");
}

#[test]
fn what_is_folded_is_in_a_constant() {
    // The constant does not say that the ADD is in it.
    let lie = |at, view: &View<'_>| {
        let out = *view.op(at)?.outputs().first()?;
        let mut patch = PatchBuilder::new(view, "lying");
        let spec = ValueSpec::new("sum", circle_ir::ElementType::FLOAT32, &[2]);
        let sum = patch.floats(spec, &[0.0, 0.0], &[], &[]);
        patch.retire(at, Reason::Folded);
        patch.forward(out, sum);
        Some(patch.finish())
    };
    caught(
        tells(&FOLD, lie),
        &[
            "  sg0 op{1} ADD (%{1}, %{constant}) -> %{2}",
            "^~~ sg0 op{1}: left as folded, and no constant of the patch says that @{1} is in it",
        ],
    );
}

#[test]
fn a_pass_does_the_same_whatever_the_lineage() {
    // It spares operators on which something was measured.
    let lie = |at, view: &View<'_>| view.op(at)?.notes().is_empty().then(|| honest(at, view)).flatten();
    let lie: &'static Lie = Box::leak(Box::new(tells(&FUSE, lie)));
    let text = told(lie, 1).expect("it is found").to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "after pass lying (one of the patches 1 to 1): 1 problem");
    assert!(lines[1].starts_with("  lying: patches applied: 1, and 0 to the same graph"), "{text}");
}
