//! What was measured on operators goes where their work goes: shared out over parts exactly, added up in fusions and
//! still told apart there by what it was measured on, and entered in the ledger with what leaves. What was measured on a
//! constant stays on it and goes to the ledger with it.

mod common;

use std::collections::BTreeMap;

use circle_ir::lineage::annotation::{Note, NoteValue};
use circle_ir::lineage::ledger::Reason;
use circle_ir::{ClaimSetId, MetricId, Model, Operator, TensorOriginId};
use circle_passes::registry::{PASSES, find};
use common::measured::{BACKEND, LOAD, PEAK, READ, TIME, measured, time_of};
use common::{MODELS, Random, run_all};

fn integers(notes: &[Note], metric: MetricId) -> Vec<i64> {
    let of_metric = notes.iter().filter(|note| note.metric == metric);
    of_metric
        .filter_map(|n| if let NoteValue::Integer(value) = n.value { Some(value) } else { None })
        .collect()
}

fn texts(notes: &[Note], metric: MetricId) -> Vec<String> {
    let text = |note: &Note| match &note.value {
        NoteValue::Integer(value) => value.to_string(),
        NoteValue::Decimal(text) | NoteValue::Text(text) => text.to_string(),
    };
    notes.iter().filter(|note| note.metric == metric).map(text).collect()
}

/// Time by what it was measured on, over live operators and the ledger.
fn time_by_origin(model: &Model) -> BTreeMap<ClaimSetId, i64> {
    let live = model.subgraphs().flat_map(|(_, sg)| sg.operators()).flat_map(|(_, op)| op.notes());
    let gone = model.store().ledger.iter().flat_map(|departure| &departure.notes);
    let mut sums = BTreeMap::new();
    for note in live.chain(gone).filter(|note| note.metric == TIME) {
        if let NoteValue::Integer(value) = note.value {
            *sums.entry(note.over).or_insert(0) += value;
        }
    }
    sums
}

/// The bytes read on each constant and what it stands for, over live constants and the ledger; by what was read, which no
/// two have in common.
fn reads(model: &Model) -> BTreeMap<i64, Vec<TensorOriginId>> {
    let store = model.store();
    let live = model.subgraphs().flat_map(|(_, sg)| {
        sg.noted().map(|(v, notes)| (notes, sg.value(v).expect("a tensor").lineage().tensors()))
    });
    let gone = store.ledger.iter().map(|departure| (departure.notes.as_slice(), departure.tensors));
    let mut reads = BTreeMap::new();
    for (notes, tensors) in live.chain(gone) {
        for value in integers(notes, READ) {
            assert_eq!(reads.insert(value, store.tensor_sets.get(tensors).to_vec()), None, "{value} twice");
        }
    }
    reads
}

/// Holds the reads of `after` against those of `before`, each constant of which is an original.
fn check_reads(before: &Model, after: &Model, context: &str) {
    let (due, found) = (reads(before), reads(after));
    assert!(due.keys().eq(found.keys()), "{context}: {due:?} and {found:?}");
    for (value, of) in due {
        assert!(of.iter().all(|tensor| found[&value].contains(tensor)), "{context}: {value} of {of:?}");
    }
}

/// The model after one run of a pass over its own example.
fn after_example(pass: &str) -> Model {
    let pass = find(pass).unwrap_or_else(|| panic!("no pass {pass}"));
    let mut model = measured(pass.info().before);
    run_all(&mut model, &[pass], false, pass.name());
    model
}

fn operators(model: &Model) -> Vec<&Operator> {
    model.subgraphs().flat_map(|(_, sg)| sg.operators()).map(|(_, op)| op).collect()
}

#[test]
fn each_pass_keeps_the_time_of_each_original() {
    for pass in PASSES {
        let before = measured(pass.info().before);
        assert_eq!(time_by_origin(&before).values().sum::<i64>(), time_of(before.operator_count()) - 1);
        let after = after_example(pass.name());
        assert_eq!(time_by_origin(&before), time_by_origin(&after), "{}", pass.name());
        check_reads(&before, &after, pass.name());
    }
}

#[test]
fn random_sequences_keep_the_time_of_each_original() {
    for &(name, text) in MODELS {
        let before = measured(text);
        for sequence in 1000..1040 {
            let mut random = Random(sequence);
            let mut model = before.clone();
            for _ in 0..1 + random.below(16) {
                let pass = PASSES[random.below(PASSES.len())];
                let context = format!("{name}, sequence {sequence}, at {}", pass.name());
                run_all(&mut model, &[pass], random.below(2) == 0, &context);
                assert_eq!(time_by_origin(&before), time_by_origin(&model), "{context}");
                check_reads(&before, &model, &context);
            }
        }
    }
}

#[test]
fn a_fusion_carries_the_values_of_all_it_took() {
    let model = after_example("fuse_batchnorm_with_conv");
    let [conv] = operators(&model)[..] else { panic!("one operator is left") };
    let mut times = integers(conv.notes(), TIME);
    times.sort_unstable();
    assert_eq!(times, [time_of(0), time_of(1), time_of(2)]);
    assert_eq!(integers(conv.notes(), PEAK), [100], "the largest peak is that of the fusion");
    assert_eq!(texts(conv.notes(), BACKEND), ["cpu0", "cpu1", "cpu2"]);
    // No utilisation of the whole follows from those of the parts.
    assert_eq!(texts(conv.notes(), LOAD), [""; 0]);
    let dropped = model.store().ledger.iter().filter(|departure| departure.reason == Reason::NotMergeable);
    let dropped: Vec<String> = dropped.flat_map(|departure| texts(&departure.notes, LOAD)).collect();
    assert_eq!(dropped, ["0.0", "0.1", "0.2"]);
}

#[test]
fn a_replacement_has_the_values_of_what_it_replaces() {
    let model = after_example("replace_sub_with_add");
    let [add] = operators(&model)[..] else { panic!("one operator is left") };
    assert_eq!(
        add.notes(),
        operators(&measured(find("replace_sub_with_add").unwrap().info().before))[0].notes()
    );
}

#[test]
fn parts_share_out_time_to_the_last_unit_and_each_have_the_peak() {
    let before = find("decompose_softmax").unwrap().info().before;
    // The sixth operator takes 32 ns, which six do not divide.
    let others: String = (0..5).map(|i| format!("  op{i} ABS (%0) -> %{}\n", i + 2)).collect();
    let declared: String = (2..7).map(|v| format!("  %{v}: f32[2,3] \"t{v}\"\n")).collect();
    let outputs = "-> (%1, %2, %3, %4, %5, %6)";
    let text = before.replace("  op0", &format!("{declared}{others}  op5")).replace("-> (%1)", outputs);
    let mut model = measured(&text);
    run_all(&mut model, &[find("decompose_softmax").unwrap()], false, "softmax");
    let parts = &operators(&model)[5..];
    let times: Vec<i64> = parts.iter().flat_map(|op| integers(op.notes(), TIME)).collect();
    assert_eq!(times, [6, 6, 5, 5, 5, 5]);
    assert!(parts.iter().all(|op| integers(op.notes(), PEAK) == [95]));
}

#[test]
fn half_of_a_division_goes_to_the_reciprocal() {
    let model = after_example("transform_sqrt_div_to_rsqrt_mul");
    let [rsqrt, mul] = operators(&model)[..] else { panic!("two operators are left") };
    // SQRT took 1 ns and DIV 2.
    assert_eq!(integers(rsqrt.notes(), TIME).iter().sum::<i64>(), 1 + 1);
    assert_eq!(integers(mul.notes(), TIME), [1]);
}

#[test]
fn what_leaves_takes_its_values_to_the_ledger() {
    let model = after_example("remove_unnecessary_add");
    let gone = model.store().ledger.iter().find(|departure| departure.reason == Reason::Identity);
    let notes = &gone.expect("the ADD of zero has left").notes;
    assert_eq!(integers(notes, TIME).len(), 1);
    assert_eq!(texts(notes, BACKEND).len(), 1);
}

/// The ledger's entries with something read, by reason, with what was read and what the entry names.
fn read_departures(model: &Model) -> Vec<(&str, Vec<i64>, Vec<TensorOriginId>)> {
    let of = |departure: &circle_ir::lineage::ledger::Departure| {
        let tensors = model.store().tensor_sets.get(departure.tensors).to_vec();
        (departure.reason.name(), integers(&departure.notes, READ), tensors)
    };
    model.store().ledger.iter().map(of).filter(|(_, values, _)| !values.is_empty()).collect()
}

#[test]
fn what_was_measured_on_a_constant_leaves_with_it() {
    let tensor = TensorOriginId::from_number;
    // Of two equal constants one is kept, which stands for both and has its own value only.
    let mut model = measured(
        "subgraph sg0 \"\" (%0) -> (%3, %4)\n  %0: f32[2] \"x\"\n  %1: f32[2] \"a\" = [1.0, 2.0]\n  \
         %2: f32[2] \"b\" = [1.0, 2.0]\n  %3: f32[2] \"y\"\n  %4: f32[2] \"z\"\n  \
         op0 ADD (%0, %1) -> %3\n  op1 MUL (%0, %2) -> %4\n",
    );
    run_all(&mut model, &[find("remove_duplicate_const").unwrap()], false, "merge");
    let (_, sg) = model.subgraphs().next().unwrap();
    let live: Vec<_> = sg.noted().map(|(v, notes)| (v.number(), integers(notes, READ))).collect();
    assert_eq!(live, [(1, vec![1])]);
    assert_eq!(read_departures(&model), [("replaced", vec![2], vec![tensor(2)])]);
    // A constant that was computed from another has not been measured; the other is gone.
    let model = after_example("fold_cast");
    assert!(model.subgraphs().all(|(_, sg)| sg.noted().next().is_none()));
    assert!(matches!(read_departures(&model)[..], [("replaced", ..)]), "{:?}", read_departures(&model));
    // Nothing stands any more for a constant of zeros that an operator added for nothing.
    let model = after_example("remove_unnecessary_add");
    assert!(matches!(read_departures(&model)[..], [("dead", ..)]), "{:?}", read_departures(&model));
}
