//! An engine with a fault: the rule is honest, and what is entered of tensors for its patch is not.

use circle_ir::lineage::annotation::{Note, NoteValue};
use circle_ir::lineage::ledger::{Departure, Reason};
use circle_ir::{TensorOriginId, ValueSpec};

use super::engine::{breaks, loses, primary};
use super::*;

/// The ADD becomes a constant, truly or not.
fn folded(at: OpId, view: &View<'_>) -> Option<Patch> {
    let add = view.op(at)?;
    let (out, c) = (*add.outputs().first()?, add.input(1)?);
    let mut patch = PatchBuilder::new(view, "lying");
    let spec = ValueSpec::new("sum", circle_ir::ElementType::FLOAT32, &[2]);
    let sum = patch.floats(spec, &[0.0, 0.0], &[c], &[at]);
    patch.retire(at, Reason::Folded);
    patch.forward(out, sum);
    Some(patch.finish())
}

fn folds(damage: fn(&mut Model, &Applied)) -> Lie {
    Lie { info: &FOLD, lies: folded, damage }
}

/// The newest tensor.
fn newest(model: &Model) -> ValueId {
    ValueId::from_number(model.subgraph(SG).map_or(0, |sg| sg.next_value().number() - 1))
}

#[test]
fn constants_are_held_to_account() {
    assert!(told(Box::leak(Box::new(folds(no_damage))), 100).is_none());
    let role = folds(|model, _| {
        let v = newest(model);
        let add = victim(model).number();
        let door = model.value_door(SG, v).expect("a constant");
        *door.claims = door.store.claim_sets.intern(&[primary(add)]);
    });
    caught(role, &["sg0 %{made}: is primary for @{1}, which no constant can be", "  sg0 op{1} ADD"]);
    let origin = folds(|model, _| {
        let v = newest(model);
        let door = model.value_door(SG, v).expect("a constant");
        *door.claims = door.store.claim_sets.empty();
    });
    caught(origin, &["^~~ sg0 op{1}: left as folded, and no constant of the patch says that @{1} is in it"]);
    let tensor = folds(|model, _| {
        let v = newest(model);
        let door = model.value_door(SG, v).expect("a constant");
        *door.tensors = door.store.tensor_sets.intern(&[TensorOriginId::from_number(4)]);
    });
    caught(tensor, &["sg0 %{made} \"sum\": claims @%4, which no operator read or wrote that the patch took"]);
}

#[test]
fn a_tensor_that_stands_for_something_else_is_found() {
    let vanished = breaks(|model, _| {
        let door = model.value_door(SG, ValueId::from_number(0)).expect("the graph input");
        *door.tensors = door.store.tensor_sets.empty();
    });
    caught(
        vanished,
        &[
            "@%0: is carried by nothing and is not in the ledger",
            "sg0 %0: stands for other originals, and the patch did not touch it",
        ],
    );
    // Nothing of it is lost: it is one more that stands for the graph input.
    let more = breaks(|model, applied| {
        let sg = model.subgraph(SG).expect("a subgraph");
        let out = sg.operator(applied.added[0]).expect("the operator is there").outputs()[0];
        let sets = [TensorOriginId::from_number(0), TensorOriginId::from_number(out.number())];
        let door = model.value_door(SG, out).expect("a tensor");
        *door.tensors = door.store.tensor_sets.intern(&sets);
    });
    caught(more, &["sg0 %{3}: stands for other originals, and the patch did not touch it"]);
}

/// The constant that the ADD adds.
fn constant(model: &Model) -> ValueId {
    let sg = model.subgraph(SG).expect("a subgraph");
    let is = |v: &ValueId| sg.value(*v).is_some_and(|value| value.name() == "c");
    sg.values().map(|(v, _)| v).find(is).expect("a constant")
}

/// What was planted on that constant, to be damaged; nothing before anything is planted.
fn cost(model: &mut Model, damage: impl FnOnce(&mut Vec<Note>)) {
    let c = constant(model);
    let door = model.value_door(SG, c).expect("a constant");
    if let Some(notes) = door.notes.get_mut(&c) {
        damage(notes);
    }
}

/// That, taken off it.
fn take_cost(model: &mut Model) -> Option<Vec<Note>> {
    let c = constant(model);
    model.value_door(SG, c).expect("a constant").notes.remove(&c)
}

#[test]
fn the_cost_of_a_constant_stays_where_it_is() {
    let moved = "sg0 %{constant}: has other costs, and no patch moves those of a tensor";
    let lost = breaks(|model, _| {
        take_cost(model);
    });
    caught(lost, &[moved, "sg0 %{constant}: had a cost that is nowhere now", "found on a copy"]);
    let doubled = breaks(|model, _| cost(model, |notes| notes.extend(notes.clone())));
    caught(doubled, &[moved, "sg0 %{constant}: had a cost that is there 2 times"]);
    let other = breaks(|model, _| {
        cost(model, |notes| notes.iter_mut().for_each(|note| note.value = NoteValue::Integer(7)));
    });
    caught(other, &[moved, "sg0 %{constant}: has a cost of 7 that no constant had"]);
    // To a tensor that has nothing to do with it, with the sum as it was.
    let input = breaks(|model, _| {
        let v = ValueId::from_number(0);
        if let Some(own) = take_cost(model) {
            model.value_door(SG, v).expect("the graph input").notes.insert(v, own);
        }
    });
    caught(input, &[moved, "sg0 %0: has the cost of @%{constant}, for which it does not stand"]);
    let operator = breaks(|model, applied| {
        let own = take_cost(model);
        let door = model.operator_door(SG, applied.added[0]).expect("the operator is there");
        door.notes.extend(own.into_iter().flatten());
    });
    caught(operator, &["sg0 op{new}: has the cost of @%{constant}, for which it does not stand"]);
}

#[test]
fn the_cost_of_a_constant_that_is_in_the_ledger_with_another_tensor_is_found() {
    let lie = loses(|model, applied| {
        if let Some(notes) = take_cost(model) {
            let store = model.store_door();
            let tensors = store.tensor_sets.intern(&[TensorOriginId::from_number(0)]);
            let (claims, reason, event) = (store.claim_sets.empty(), Reason::Identity, applied.event);
            store.ledger.push(Departure { claims, tensors, reason, event, notes });
        }
    });
    caught(lie, &["the ledger: has the cost of @%{constant}, for which it does not stand"]);
}

/// What the RELU read, which stands for what the RELU computed as well once that is gone.
fn before_relu(model: &Model) -> ValueId {
    ValueId::from_number(victim(model).number() + 1)
}

#[test]
fn a_tensor_that_takes_another_over_stands_for_both() {
    let lost = loses(|model, _| {
        let v = before_relu(model);
        let door = model.value_door(SG, v).expect("a tensor");
        *door.tensors = door.store.tensor_sets.intern(&[TensorOriginId::from_number(v.number())]);
    });
    caught(lost, &["sg0 %{2}: took over @%{3} and does not stand for it"]);
    let more = loses(|model, _| {
        let v = before_relu(model);
        let door = model.value_door(SG, v).expect("a tensor");
        let mut tensors = door.store.tensor_sets.get(*door.tensors).to_vec();
        tensors.insert(0, TensorOriginId::from_number(0));
        *door.tensors = door.store.tensor_sets.intern(&tensors);
    });
    caught(more, &["sg0 %{2}: stands for @%0, which it did not take over"]);
    let claims = loses(|model, _| {
        let v = before_relu(model);
        let door = model.value_door(SG, v).expect("a tensor");
        *door.claims = door.store.claim_sets.intern(&[primary(0)]);
    });
    caught(claims, &["sg0 %{2}: stands for @0, which it did not take over"]);
}
