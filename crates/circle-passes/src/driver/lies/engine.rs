//! An engine with a fault: the rule is honest, and what is entered of operators for its patch is not.

use circle_ir::lineage::Store;
use circle_ir::lineage::annotation::{Note, NoteValue};
use circle_ir::lineage::claims::{Claim, Role};
use circle_ir::lineage::ledger::{Departure, Reason};
use circle_ir::{ClaimSetId, EventId, OriginId};

use super::*;

pub(super) fn breaks(damage: fn(&mut Model, &Applied)) -> Lie {
    Lie { info: &FUSE, lies: honest, damage }
}

/// Changes the claims of `op`, given as lists of origins and roles.
fn claim(model: &mut Model, op: OpId, change: impl FnOnce(&mut Vec<Claim>)) {
    let door = model.operator_door(SG, op).expect("the operator is there");
    let mut claims = door.store.claim_sets.get(*door.claims).to_vec();
    change(&mut claims);
    claims.sort();
    *door.claims = door.store.claim_sets.intern(&claims);
}

pub(super) fn primary(origin: u32) -> Claim {
    Claim { origin: OriginId::from_number(origin), role: Role::Primary, part: None }
}

/// The operator behind the one that was added, which the patch did not take.
fn bystander(model: &Model, applied: &Applied) -> OpId {
    let sg = model.subgraph(SG).expect("a subgraph");
    sg.order().next(applied.added[0]).expect("a NEG")
}

fn notes(model: &mut Model, op: OpId, change: impl FnOnce(&mut Vec<Note>)) {
    change(model.operator_door(SG, op).expect("the operator is there").notes);
}

fn value(note: &Note) -> i64 {
    match note.value {
        NoteValue::Integer(value) => value,
        _ => panic!("{note:?} is no planted cost"),
    }
}

#[test]
fn a_lost_origin_is_found() {
    let lie = breaks(|model, applied| {
        claim(model, applied.added[0], |claims| claims.retain(|claim| claim.role == Role::Primary));
    });
    caught(
        lie,
        &["  sg0 op{1} ADD (%{1}, %{constant}) -> %{2}  ; @{1} primary\n  \
             ^~~ @{1}: \"t{1}\" was taken and is neither carried on nor in the ledger\n      \
             it was last on op{1} ADD, which patch"],
    );
}

#[test]
fn an_invented_origin_is_found() {
    let lie = breaks(|model, applied| {
        claim(model, applied.added[0], |claims| claims.push(primary(9999)));
    });
    caught(
        lie,
        &[
            "  sg0 op{new} ADD {fused_activation_function=RELU} (%{1}, %{constant}) -> %{3}",
            "^~~ sg0 op{new}: claims @9999, which the patch did not take",
        ],
    );
}

#[test]
fn an_origin_of_another_operator_is_found() {
    let lie = breaks(|model, applied| {
        let other = OpId::from_number(victim(model).number() + 2);
        claim(model, applied.added[0], |claims| claims.push(primary(other.number())));
    });
    caught(lie, &["^~~ sg0 op{new}: claims @{3}, which the patch did not take"]);
}

#[test]
fn an_origin_that_moves_to_another_operator_is_found() {
    let lie = breaks(|model, applied| {
        let (other, add) = (bystander(model, applied), victim(model).number());
        claim(model, other, |claims| claims.push(primary(add)));
    });
    caught(
        lie,
        &["  sg0 op{3} NEG", "^~~ sg0 op{3}: has other origins or costs, and the patch did not take it"],
    );
}

#[test]
fn what_is_done_to_an_operator_that_is_taken_next_is_not_blamed_on_that() {
    // In the long model the next patch takes the ADD of the next link, before everything is looked at again.
    let lie = breaks(|model, applied| {
        let next = OpId::from_number(victim(model).number() + LINK);
        let is_there = model.subgraph(SG).is_some_and(|sg| sg.operator(next).is_some());
        let other = if is_there { next } else { bystander(model, applied) };
        claim(model, other, |claims| claims.iter_mut().for_each(|claim| claim.role = Role::Absorbed));
    });
    caught(lie, &["has other origins or costs, and the patch did not take it"]);
}

#[test]
fn a_role_that_no_such_pass_gives_is_found() {
    let lie = breaks(|model, applied| {
        claim(model, applied.added[0], |claims| claims.iter_mut().for_each(|c| c.role = Role::Recomputed));
    });
    caught(
        lie,
        &[
            "  sg0 op{new} ADD",
            "^~~ sg0 op{new}: is recomputed for @{1}, and to fuse makes nothing that",
            "found on a copy",
        ],
    );
}

#[test]
fn costs_that_are_dropped_or_doubled_are_found() {
    let dropped = breaks(|model, applied| {
        notes(model, applied.added[0], |notes| {
            notes.pop();
        });
    });
    caught(dropped, &["sg0: the operators that the patch took cost ", "found on a copy"]);
    let part = breaks(|model, applied| {
        notes(model, applied.added[0], |notes| {
            if let Some(note) = notes.first_mut() {
                note.value = NoteValue::Integer(value(note) / 2);
            }
        });
    });
    caught(part, &["sg0: the operators that the patch took cost "]);
    let doubled = breaks(|model, applied| {
        notes(model, applied.added[0], |notes| notes.extend(notes.clone()));
    });
    caught(doubled, &["sg0: the operators that the patch took cost "]);
}

#[test]
fn a_cost_at_an_operator_that_does_not_claim_its_original_is_found() {
    // To another operator, with the sum as it was.
    let moved = breaks(|model, applied| {
        let (from, to) = (applied.added[0], bystander(model, applied));
        let mut all = Vec::new();
        notes(model, from, |notes| all = std::mem::take(notes));
        notes(model, to, |notes| notes.extend(all));
    });
    caught(moved, &["^~~ sg0 op{3}: has other origins or costs, and the patch did not take it"]);
    // At the same operator, in the name of another original.
    let renamed = breaks(|model, applied| {
        let other = bystander(model, applied);
        let door = model.operator_door(SG, other).expect("the operator is there");
        let foreign: ClaimSetId = *door.claims;
        notes(model, applied.added[0], |notes| notes.iter_mut().for_each(|note| note.over = foreign));
    });
    caught(renamed, &["  sg0 op{new} ADD", "^~~ sg0 op{new}: has the cost of @{3}, which it does not claim"]);
    // Between two originals of one operator.
    let between = breaks(|model, applied| {
        notes(model, applied.added[0], |notes| {
            if let [first, second] = &mut notes[..] {
                std::mem::swap(&mut first.over, &mut second.over);
            }
        });
    });
    caught(between, &["^~~ @{1}: cost ", "^~~ @{2}: cost "]);
}

/// The RELU leaves, truly or not, as something that changes nothing.
fn removed(at: OpId, view: &View<'_>) -> Option<Patch> {
    let (relu, _) = fused(at, view)?;
    let (from, to) = (*view.op(relu)?.outputs().first()?, *view.op(at)?.outputs().first()?);
    let mut patch = PatchBuilder::new(view, "lying");
    patch.retire(relu, Reason::Identity);
    patch.forward(from, to);
    Some(patch.finish())
}

pub(super) fn loses(damage: fn(&mut Model, &Applied)) -> Lie {
    Lie { info: &REMOVE, lies: removed, damage }
}

#[test]
fn an_honest_removal_is_not_found_fault_with() {
    let lie: &'static Lie = Box::leak(Box::new(loses(no_damage)));
    assert!(told(lie, 1).is_none() && told(lie, 100).is_none());
}

#[test]
fn an_entry_that_is_missing_in_the_ledger_is_found() {
    let lie = loses(|model, _| {
        model.store_door().ledger.pop();
    });
    caught(
        lie,
        &["  sg0 op{2} RELU (%{2}) -> %{3}  ; @{2} primary\n  \
             ^~~ @{2}: \"t{2}\" was taken and is neither carried on nor in the ledger\n      \
             it was last on op{2} RELU, which patch 1 erased"],
    );
}

fn last(store: &mut Store) -> &mut Departure {
    store.ledger.last_mut().expect("an entry")
}

#[test]
fn an_entry_with_another_reason_or_step_or_claim_is_found() {
    let reason = loses(|model, _| last(model.store_door()).reason = Reason::Dead);
    caught(reason, &["ledger: has an entry that is dead, which the patch does not say"]);
    let step = loses(|model, _| last(model.store_door()).event = EventId::from_number(77));
    caught(step, &["ledger: an entry names another step than that of the patch"]);
    let claims = loses(|model, _| {
        let set = model.store_door().claim_sets.intern(&[primary(0)]);
        last(model.store_door()).claims = set;
    });
    caught(claims, &["@0: was entered in the ledger, and the patch did not take it", "  sg0 op0 EXP"]);
}

#[test]
fn a_step_that_is_not_entered_with_the_operator_is_found() {
    let lie = breaks(|model, applied| {
        *model.operator_door(SG, applied.added[0]).expect("the operator is there").event = None;
    });
    caught(
        lie,
        &["  sg0 op{new} ADD", "^~~ sg0 op{new}: was changed by the patch, and its history does not say so"],
    );
}
