//! What was measured on constants, in dumps, in costs of originals and where it is wrong.

use circle_format::lineage::identity::identify;
use circle_ir::import::{ImportedLineage, TensorNotes};
use circle_ir::lineage::annotation::{Metric, MetricKind, Note, NoteValue};
use circle_ir::lineage::claims::{Claim, Role};
use circle_ir::lineage::history::Run;
use circle_ir::text::parse;
use circle_ir::verify::lineage::balance;
use circle_ir::{MetricId, Model, OriginId, ValueId};
use circle_profile::attribute::{Rest, attribute};
use circle_profile::dump::{About, collect, to_text};
use circle_profile::rebase::rebase;
use circle_profile::verify::law::check;
use circle_profile::weights::Weights;

use crate::common::MAIN;

const TEXT: &str = r#"subgraph sg0 "" (%0) -> (%4)
  %0: f32[2] "x"
  %1: f32[2] "a" = [1.0, 2.0]
  %2: f32[2] "t"
  %3: f32[2] "b" = [3.0, 4.0]
  %4: f32[2] "y"
  op0 ADD (%0, %1) -> %2
  op1 MUL (%2, %3) -> %4
"#;

/// The model with 5 bytes read on `a`, of whose metric the number is `metric`, and 6 on `b`, into which the ADD was
/// folded.
fn model(metric: u32) -> Model {
    let draft = parse(TEXT).unwrap().to_draft().unwrap();
    let mut lineage = ImportedLineage::fresh(&draft, identify("in.circle", None, b""));
    let (name, unit) = ("read".into(), "bytes".into());
    lineage.store.metric(&Metric { name, unit, kind: MetricKind::Additive });
    let folded = Claim { origin: OriginId::from_number(0), role: Role::FoldedConst, part: None };
    let folded = lineage.store.claim_sets.intern(&[folded]);
    lineage.tensors[0][3].claims = folded;
    let none = lineage.store.claim_sets.empty();
    for (tensor, value, metric, over) in [(1, 5, metric, none), (3, 6, 0, folded)] {
        let metric = MetricId::from_number(metric);
        let notes = vec![Note { metric, over, value: NoteValue::Integer(value), from: "reads.csv:1".into() }];
        lineage.tensor_notes.push(TensorNotes {
            subgraph: MAIN,
            tensor: ValueId::from_number(tensor),
            notes,
        });
    }
    draft.adopt(lineage).unwrap()
}

#[test]
fn a_dump_shows_them() {
    let file = identify("in.circle", None, b"");
    let about = About { file: &file, profile_data: "lineage", stale: None, problems: &[], metadata: &[] };
    let dump = collect(&model(0), &about);
    let text = to_text(&dump);
    let due = "\nconstants that hold the work of originals\n  0:3 b  read 6 bytes\n         folded-const  @0 ADD t\n\
               \nother constants on which something was measured\n  0:1 a  read 5 bytes\n";
    assert!(text.contains(due), "{text}");
    let json: serde_json::Value = serde_json::from_str(&dump.to_json()).unwrap();
    let constants = json["constants"].as_array().unwrap();
    let row = |at: usize| (&constants[at]["tensor"], &constants[at]["metrics"][0]["value"]);
    assert_eq!((row(0), row(1)), ((&1.into(), &5.into()), (&3.into(), &6.into())));
    assert_eq!(constants[0]["tensors"][0]["name"], "a");
    // Where nothing was measured there is no word of it.
    let plain = collect(&parse(TEXT).unwrap(), &about);
    assert!(plain.constants.is_empty() && !to_text(&plain).contains("constants"));
}

#[test]
fn costs_of_originals_account_for_them() {
    let tables = attribute(&model(0), &Weights::Equal, &[]);
    let [table] = &tables[..] else { panic!("{tables:?}") };
    table.check().unwrap();
    assert_eq!((table.total, table.shared()), (11, 6));
    let rest = (Rest::Unattributed, "measured on a constant".into(), None);
    assert_eq!(table.rest.get(&rest), Some(&5));
}

#[test]
fn rebase_enters_them_in_the_ledger() {
    let none: &[u8] = &[];
    let now = parse(TEXT).unwrap().to_draft().unwrap();
    let run = Run { tool: "rebase".into(), version: "0".into(), options: "".into() };
    let rebased = rebase(now, &none, &model(0), &none, run).unwrap().model;
    assert!(rebased.subgraphs().all(|(_, sg)| sg.noted().next().is_none()));
    assert_eq!(balance(&rebased).additive, balance(&model(0)).additive);
}

#[test]
fn one_that_leads_nowhere_is_found() {
    assert!(check(&model(0)).iter().all(|finding| finding.code != "metrics"));
    let findings = check(&model(7));
    let found: Vec<_> = findings.iter().filter(|finding| finding.code == "metrics").collect();
    let [finding] = found[..] else { panic!("{findings:?}") };
    assert_eq!((&*finding.place, &*finding.text), ("sg0:%1", "metric 7 does not exist (1 there)"));
}
