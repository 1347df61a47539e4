//! What was measured on constants: it comes back from the file on the same constants, whatever their numbers have become,
//! and in the ledger with those that are gone.

use circle_format::lineage::export::export;
use circle_format::lineage::identity::identify;
use circle_format::lineage::import::{Basis, Imported, import, import_with};
use circle_format::lineage::sidecar::{Sidecar, make};
use circle_format::read::{LINEAGE, ONE_OP_TABLE, ONE_SOURCE_TABLE, ReadOptions, read};
use circle_format::write::{Extra, WriteOptions, number, write};
use circle_ir::import::{ImportedLineage, TensorNotes};
use circle_ir::lineage::annotation::{Metric, MetricKind, Note, NoteValue};
use circle_ir::lineage::history::Run;
use circle_ir::patch::PatchBuilder;
use circle_ir::text::{Show, parse, print};
use circle_ir::{Model, OpId, OpSpec, SubgraphId, ValueId, View};
use circle_metadata::lineage::{Decoded, Version, decode};
use circle_tables::opcode;

const TEXT: &str = r#"subgraph sg0 "" (%0) -> (%4)
  %0: f32[2] "x"
  %1: f32[2] "a" = [1.0, 2.0]
  %2: f32[2] "t"
  %3: f32[2] "b" = [3.0, 4.0]
  %4: f32[2] "y"
  op0 ADD (%0, %1) -> %2
  op1 MUL (%2, %3) -> %4
"#;

const SG: SubgraphId = SubgraphId::from_number(0);

/// The model with 5 bytes read on `a` and 6 on `b`, after `a` has left with the ADD that read it.
fn model() -> Model {
    let draft = parse(TEXT).expect("a text").to_draft().expect("nothing has left");
    let mut lineage = ImportedLineage::fresh(&draft, identify("in.circle", None, b""));
    let (name, unit) = ("read".into(), "bytes".into());
    let metric = lineage.store.metric(&Metric { name, unit, kind: MetricKind::Additive });
    for (tensor, value) in [(1, 5), (3, 6)] {
        let (over, from) = (lineage.store.claim_sets.empty(), format!("reads.csv:{tensor}").into());
        let notes = vec![Note { metric, over, value: NoteValue::Integer(value), from }];
        lineage.tensor_notes.push(TensorNotes { subgraph: SG, tensor: ValueId::from_number(tensor), notes });
    }
    let mut model = draft.adopt(lineage).expect("a lineage that fits");
    let run = model.enter_run(Run { tool: "test".into(), version: "0".into(), options: "".into() });
    let view = View::new(&model, SG, &(&[] as &[u8])).expect("a subgraph");
    let mut patch = PatchBuilder::new(&view, "replace_add");
    let [x, t] = [0, 2].map(ValueId::from_number);
    patch.replace(OpId::from_number(0), OpSpec::builtin(opcode::RELU, &[x], &[t]));
    let patch = patch.finish();
    model.apply(patch, run).expect("a patch that fits");
    assert_eq!(model.sweep_values(run, "dead_code"), 1);
    model
}

fn file(model: &Model, with_entries: bool) -> Vec<u8> {
    let numbering = number(model);
    let entries = export(model, &numbering, None).expect("a lineage that can be written");
    let mut extra = vec![
        Extra { name: ONE_SOURCE_TABLE, payload: &entries.source_table },
        Extra { name: ONE_OP_TABLE, payload: &entries.op_table },
        Extra { name: LINEAGE, payload: &entries.lineage },
    ];
    extra.retain(|_| with_entries);
    let mut bytes = Vec::new();
    write(model, &[], &numbering, &extra, WriteOptions::default(), &mut bytes)
        .expect("a model that can be written");
    bytes
}

/// What was measured: on which tensor of which number and name, or with which original tensors in the ledger.
fn measured(model: &Model) -> Vec<String> {
    let store = model.store();
    let text = |notes: &[Note]| {
        let one = |note: &Note| {
            let metric = &store.metrics[note.metric.number() as usize];
            format!("{} {:?} {} {}", metric.name, note.value, metric.unit, note.from)
        };
        notes.iter().map(one).collect::<Vec<_>>().join(", ")
    };
    let live = model.subgraphs().flat_map(|(id, sg)| {
        sg.noted().map(move |(v, notes)| {
            let place = sg.values().position(|(other, _)| other == v);
            (format!("{id}:{place:?} {}", sg.value(v).map_or("", |value| value.name())), notes)
        })
    });
    let gone = store.ledger.iter().filter(|departure| !departure.notes.is_empty()).map(|departure| {
        let place = format!("{} {:?}", departure.reason.name(), store.tensor_sets.get(departure.tensors));
        (place, departure.notes.as_slice())
    });
    live.chain(gone).map(|(place, notes)| format!("{place}: {}", text(notes))).collect()
}

#[test]
fn values_of_constants_come_back_with_them() {
    let model = model();
    let due =
        ["sg0:Some(2) b: read Integer(6) bytes reads.csv:3", "dead [@%1]: read Integer(5) bytes reads.csv:1"];
    assert_eq!(measured(&model), due);
    let bytes = file(&model, true);
    let loaded = read(&bytes, ReadOptions::default()).unwrap();
    let imported = import(&bytes, loaded, identify("out.circle", None, &bytes)).unwrap();
    assert_eq!((imported.basis, imported.stale), (Basis::Lineage, None));
    assert_eq!(measured(&imported.model), due);
    // Written again it is the same file.
    let blob = |model: &Model| export(model, &number(model), None).unwrap().lineage;
    assert_eq!(blob(&imported.model), blob(&model));
    let text = print(&imported.model, &bytes.as_slice(), Show::Lineage);
    assert!(text.contains("\"b\" = [3.0, 4.0]  ; read 6 bytes\n"), "{text}");
    assert!(!print(&imported.model, &bytes.as_slice(), Show::Graph).contains("read"));
}

#[test]
fn values_of_constants_come_back_from_a_sidecar() {
    let model = model();
    let bytes = file(&model, false);
    let known = identify("out.circle", None, &bytes);
    let sidecar = make(&model, &number(&model), &known, &(&[] as &[u8])).unwrap();
    let json = sidecar.to_json();
    assert!(json.contains("\"tensor_notes\": [\n"), "{json}");
    let back = Sidecar::from_json(json.as_bytes()).unwrap();
    assert_eq!(back, sidecar);
    let loaded = read(&bytes, ReadOptions::default()).unwrap();
    let Imported { model: after, basis, .. } = import_with(&bytes, loaded, known, Some(&back)).unwrap();
    assert_eq!((basis, measured(&after)), (Basis::Sidecar, measured(&model)));
}

#[test]
fn a_lineage_says_that_there_are_such_values_only_if_there_are() {
    let version = |model: &Model| {
        let blob = export(model, &number(model), None).unwrap().lineage;
        let Ok(Decoded::Known(lineage)) = decode(&blob) else { panic!("a blob that was just written") };
        (lineage.version, lineage.tensor_notes.len())
    };
    assert_eq!(version(&model()), (Version { major: 1, minor: 1 }, 1));
    assert_eq!(version(&parse(TEXT).unwrap()), (Version { major: 1, minor: 0 }, 0));
}
