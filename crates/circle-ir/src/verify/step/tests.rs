use std::sync::Arc;

use super::*;
use crate::lineage::annotation::Metric;
use crate::lineage::claims::{Claim, Role};
use crate::lineage::history::Run;
use crate::lineage::ledger::Reason;
use crate::operator::OpSpec;
use crate::patch::PatchBuilder;
use crate::value::{ElementType, ValueSpec};
use crate::verify::watch::Watch;
use crate::view::View;
use circle_tables::opcode;

const TEXT: &str = r#"
subgraph sg0 "" (%0) -> (%5)
  %0: f32[2] "x"
  %1: f32[2] "c" = [1.0, 2.0]
  %2: f32[2] "scaled"
  %3: f32[2] "clipped"
  %4: f32[2] "other" = [3.0, 4.0]
  %5: f32[2] "y"
  op0 MUL (%0, %1) -> %2
  op1 RELU (%2) -> %3
  op2 ADD (%3, %4) -> %5
"#;

fn op(number: u32) -> OpId {
    OpId::from_number(number)
}

fn origin(number: u32) -> OriginId {
    OriginId::from_number(number)
}

/// The model after the MUL and RELU were fused, reading a new constant, in which `damage` is then done.
fn findings(damage: impl FnOnce(&mut Model, &Applied)) -> Vec<String> {
    let mut model = crate::text::parse(TEXT).unwrap();
    let sg = SubgraphId::from_number(0);
    let metric = Metric { name: Arc::from("time"), unit: Arc::from("ns"), kind: MetricKind::Additive };
    let metric = model.metric(&metric).unwrap();
    for (number, value) in [1, 2, 4].into_iter().enumerate() {
        model.annotate(sg, op(number as u32), metric, NoteValue::Integer(value), "p.csv:1").unwrap();
    }
    let word = |w: &str| Arc::from(w);
    let run = model.enter_run(Run { tool: word("t"), version: word("0"), options: word("") });
    let none: &[u8] = &[];
    let view = View::new(&model, sg, &none).unwrap();
    let mut patch = PatchBuilder::new(&view, "test");
    let [x, c] = [0, 1].map(ValueId::from_number);
    let halves =
        patch.floats(ValueSpec::new("half", ElementType::FLOAT32, &[2]), &[0.5, 1.0], &[c], &[op(0)]);
    let y = ValueId::from_number(3);
    patch.fuse(op(0), &[op(1)], OpSpec::builtin(opcode::MUL, &[x, halves], &[y]));
    let patch = patch.finish();
    let mut watch = Watch::new(&model);
    assert_eq!(watch.astray(&model, &patch), []);
    let before = Before::new(&model, &patch, true);
    assert_eq!(before.line(op(1)), Some("op1 RELU (%2) -> %3  ; @1 primary"));
    assert_eq!(before.carriers(model.store(), origin(2)), [], "the patch does not take it");
    assert_eq!(watch.carriers(model.store(), origin(2)), [(sg, op(2))]);
    let applied = model.apply(patch, run).unwrap();
    damage(&mut model, &applied);
    let mut findings = check(&before, &model, &applied);
    watch.follow(&model, &before, &applied);
    findings.extend(watch.scan(&model));
    findings.iter().map(Finding::to_string).collect()
}

fn set_claims(model: &mut Model, of: OpId, claims: &[(u32, Role)]) {
    let claim = |&(number, role)| Claim { origin: origin(number), role, part: None };
    let claims: Vec<Claim> = claims.iter().map(claim).collect();
    let set = model.store.claim_sets.intern(&claims);
    model.subgraphs[0].operators.get_mut(of).unwrap().lineage.claims = set;
}

#[test]
fn a_sound_patch_gives_nothing() {
    assert_eq!(findings(|_, _| {}), [""; 0]);
}

#[test]
fn an_origin_that_vanishes_is_missed_though_others_might_carry_it() {
    let lost = findings(|model, applied| {
        set_claims(model, applied.added[0], &[(0, Role::Primary)]);
    });
    assert_eq!(lost, ["@1: \"clipped\" was taken and is neither carried on nor in the ledger"]);
}

#[test]
fn a_claim_on_what_was_not_taken_is_found() {
    let all = [(0, Role::Primary), (1, Role::Absorbed), (2, Role::Absorbed)];
    let invented = findings(|model, applied| set_claims(model, applied.added[0], &all));
    assert_eq!(invented, ["sg0 op3: claims @2, which the patch did not take"]);
    let constant = findings(|model, _| {
        let all = model.subgraphs[0].operators.get(op(2)).unwrap().lineage.claims;
        model.subgraphs[0].values.get_mut(ValueId::from_number(6)).unwrap().lineage.claims = all;
    });
    assert_eq!(constant, ["sg0 %6 \"half\": claims @2, which the patch did not take"]);
}

#[test]
fn a_constant_comes_from_what_the_patch_saw() {
    let foreign = findings(|model, _| {
        let other = model.subgraphs[0].values.get(ValueId::from_number(4)).unwrap().lineage.tensors;
        model.subgraphs[0].values.get_mut(ValueId::from_number(6)).unwrap().lineage.tensors = other;
    });
    assert_eq!(foreign, ["sg0 %6 \"half\": claims @%4, which no operator read or wrote that the patch took"]);
}

#[test]
fn operators_that_were_not_taken_stay_as_they_are() {
    let changed = findings(|model, _| set_claims(model, op(2), &[(2, Role::Replaced)]));
    assert_eq!(changed, ["sg0 op2: has other origins or costs, and the patch did not take it"]);
    let costs = findings(|model, _| model.subgraphs[0].operators.get_mut(op(2)).unwrap().notes.clear());
    assert_eq!(costs, ["sg0 op2: has other origins or costs, and the patch did not take it"]);
    let gone = findings(|model, _| {
        model.subgraphs[0].operators.remove(op(2));
    });
    assert_eq!(gone, ["sg0 op2: has left, and the patch did not take it"]);
}

#[test]
fn values_of_tensors_stay_where_they_are() {
    let told = "has other costs, and no patch moves those of a tensor";
    let from_operator = |model: &mut Model, v: u32| {
        let notes = std::mem::take(&mut model.subgraphs[0].operators.get_mut(op(2)).unwrap().notes);
        model.subgraphs[0].notes.insert(ValueId::from_number(v), notes);
    };
    let moved = findings(|model, _| from_operator(model, 4));
    assert_eq!(
        moved,
        ["sg0 op2: has other origins or costs, and the patch did not take it", &format!("sg0 %4: {told}")]
    );
    let new = findings(|model, _| from_operator(model, 6));
    assert_eq!(new[1..], [format!("sg0 %6: {told}")]);
}

#[test]
fn cost_and_history_are_held_to_account() {
    let cost = findings(|model, applied| {
        model.subgraphs[0].operators.get_mut(applied.added[0]).unwrap().notes.pop();
    });
    assert_eq!(cost, ["sg0: the operators that the patch took cost 3 and what they became 1"]);
    let event = findings(|model, applied| {
        model.subgraphs[0].operators.get_mut(applied.added[0]).unwrap().lineage.event = None;
    });
    assert_eq!(event, ["sg0 op3: was changed by the patch, and its history does not say so"]);
}

#[test]
fn the_ledger_takes_what_was_taken_only() {
    let entered = findings(|model, applied| {
        let claims = model.subgraphs[0].operators.get(op(2)).unwrap().lineage.claims;
        model.store.ledger.push(crate::lineage::ledger::Departure {
            claims,
            tensors: model.store.tensor_sets.empty(),
            reason: Reason::Dead,
            event: applied.event,
            notes: Vec::new(),
        });
    });
    assert_eq!(entered, ["@2: was entered in the ledger, and the patch did not take it"]);
}

#[test]
fn what_was_changed_behind_the_checks_shows_before_it_is_taken() {
    let mut model = crate::text::parse(TEXT).unwrap();
    let sg = SubgraphId::from_number(0);
    let watch = Watch::new(&model);
    set_claims(&mut model, op(1), &[(0, Role::Primary)]);
    let none: &[u8] = &[];
    let view = View::new(&model, sg, &none).unwrap();
    let retire = |number| {
        let mut patch = PatchBuilder::new(&view, "test");
        patch.retire(op(number), Reason::Dead);
        let findings = watch.astray(&model, &patch.finish());
        findings.iter().map(Finding::to_string).collect::<Vec<_>>()
    };
    assert_eq!(retire(0), [""; 0]);
    assert_eq!(retire(1), ["sg0 op1: has other origins or costs, and the patch did not take it"]);
}
