//! Models that came through tools that know nothing of our lineage.

use std::collections::BTreeSet;
use std::path::Path;

use super::super::support::model::{Entry, assemble, unaware, with_entries, words};
use super::super::support::{CIRCLE2CIRCLE, DUMP, VISUALIZER, folder, run, testdata};
use super::super::{by_operator, conserved, dump, list, md5, one_tables};
use circle_metadata::one::UNKNOWN_ID;
use serde_json::Value;

const MODEL: &str = r#"subgraph sg0 "main" (%0) -> (%3)
  %0: f32[4] "x"
  %1: f32[4] "neg"
  %2: f32[4] "abs"
  %3: f32[4] "y"
  op0 NEG (%0) -> %1
  op1 ABS (%0) -> %2
  op2 ADD (%1, %2) -> %3
"#;

/// `a.circle`, and `b.circle` made of it with lineage. The metadata entries of the latter.
fn start(folder: &Path) -> Vec<Entry> {
    std::fs::write(folder.join("a.circle"), assemble(MODEL, &[]).expect("a model")).expect("a file");
    run(folder, CIRCLE2CIRCLE, &["-p", "a.circle", "b.circle"]).expect(0);
    unaware(&std::fs::read(folder.join("b.circle")).expect("a file")).1
}

/// Every operator of a file is unknown, each with the reason, through another run and in ONE's tables.
#[track_caller]
fn disbelieved(folder: &Path, file: &str, reason: &str) {
    let told = |dump: &Value| {
        assert_eq!(dump["coverage"]["unknown"], dump["coverage"]["operators"]);
        for operator in list(dump, "operators") {
            assert!(operator["unknown"].as_str().is_some_and(|why| why.contains(reason)), "{operator:#}");
            assert_eq!(list(operator, "origins").len(), 0);
        }
    };
    let ran = run(folder, DUMP, &["--format", "json", file]).expect(0);
    assert_eq!(ran.json()["profile_data"], "disbelieved");
    assert!(!list(&ran.json(), "problems").is_empty());
    told(&ran.json());
    run(folder, VISUALIZER, &[file, "-o", "out.svg"]).expect(0);

    let ran = run(folder, CIRCLE2CIRCLE, &["--O1", file, "carried.circle"]).expect(0);
    let warned = ran.stderr.lines().any(|line| {
        line.starts_with(&format!("warning: {file}: ")) && line.ends_with("; its operators are unknown")
    });
    assert!(warned, "{}", ran.stderr);
    let carried = dump(folder, "carried.circle");
    told(&carried);
    for ids in one_tables(&folder.join("carried.circle")).values() {
        assert_eq!(*ids, BTreeSet::from([UNKNOWN_ID]));
    }
    // From here on the file states itself that nothing is known, and there is nothing more to warn of.
    let again = run(folder, CIRCLE2CIRCLE, &["--O1", "carried.circle", "again.circle"]).expect(0);
    assert_eq!(again.stderr, "");
    told(&dump(folder, "again.circle"));
}

#[test]
fn an_optimiser_that_keeps_metadata_makes_it_stale() {
    let folder = folder();
    let folder = folder.path();
    std::fs::copy(testdata().join("models/cnn_conv_bn_relu.circle"), folder.join("a.circle"))
        .expect("a copy");
    run(folder, CIRCLE2CIRCLE, &["-p", "a.circle", "b.circle"]).expect(0);
    let kept = unaware(&std::fs::read(folder.join("b.circle")).expect("a file")).1;
    assert_eq!(kept.len(), 4);
    run(folder, CIRCLE2CIRCLE, &["--O1", "--strip_profiling_data", "b.circle", "c.circle"]).expect(0);
    let changed = std::fs::read(folder.join("c.circle")).expect("a file");
    std::fs::write(folder.join("d.circle"), with_entries(&changed, &kept)).expect("a file");
    disbelieved(folder, "d.circle", "changed by a tool");
}

#[test]
fn a_new_order_of_operators_makes_lineage_stale() {
    let folder = folder();
    let folder = folder.path();
    let kept = start(folder);
    let swapped =
        MODEL.replace("op0 NEG (%0) -> %1\n  op1 ABS (%0) -> %2", "op0 ABS (%0) -> %2\n  op1 NEG (%0) -> %1");
    assert_ne!(swapped, MODEL);
    let file = assemble(&swapped, &kept).expect("a model");
    std::fs::write(folder.join("c.circle"), file).expect("a file");
    disbelieved(folder, "c.circle", "changed by a tool");
}

#[test]
fn tables_that_another_tool_rewrote_make_our_lineage_stale() {
    let folder = folder();
    let folder = folder.path();
    let mut kept = start(folder);
    for (name, payload) in &mut kept {
        if name == "ONE_op_table" {
            *payload = words(&[3, 0, 1, 1, 1, 1, 0, 2, 1, 2]);
        }
    }
    let file = assemble(MODEL, &kept).expect("a model");
    std::fs::write(folder.join("c.circle"), file).expect("a file");
    disbelieved(folder, "c.circle", "changed by a tool");
}

#[test]
fn a_rewrite_that_changes_nothing_keeps_lineage_valid() {
    let folder = folder();
    let folder = folder.path();
    let kept = start(folder);
    let file = assemble(MODEL, &kept).expect("a model");
    std::fs::write(folder.join("c.circle"), file).expect("a file");
    let dump = dump(folder, "c.circle");
    assert_eq!(dump["profile_data"], "lineage");
    assert_eq!(dump["coverage"]["attributed"], 3);
}

/// Our own entries are dropped, ONE's tables and the origin line stay: as luci leaves them, if it knew the line.
#[test]
fn tables_without_our_lineage_are_taken_over() {
    let folder = folder();
    let folder = folder.path();
    let mut kept = start(folder);
    kept.retain(|(name, _)| name != "circle_lineage");
    let file = assemble(MODEL, &kept).expect("a model");
    std::fs::write(folder.join("c.circle"), file).expect("a file");
    run(folder, CIRCLE2CIRCLE, &["c.circle", "d.circle"]).expect(0);
    let dump = dump(folder, "d.circle");
    conserved(&dump);
    assert_eq!(by_operator(&dump), [BTreeSet::from([0]), BTreeSet::from([1]), BTreeSet::from([2])]);
    assert_eq!(dump["origin_files"][0]["md5"], md5(&folder.join("a.circle")));
    let line = run(folder, DUMP, &["--origin_id", "d.circle"]).expect(0).stdout;
    assert_eq!(line, format!("{}  a.circle\n", md5(&folder.join("a.circle"))));
}

/// Tables as luci makes them: operators renumbered, one of them fused, one original gone, the source list whole.
#[test]
fn tables_made_by_luci_are_taken_over() {
    let folder = folder();
    let folder = folder.path();
    let name = |id: u32, name: &str| [words(&[id, name.len() as u32]), name.as_bytes().to_vec()].concat();
    let sources = [
        words(&[6]),
        name(0, "pad\0"),
        name(1, "neg\0"),
        name(2, "scale\0"),
        name(3, "abs\0"),
        name(4, "y\0"),
        name(7, "gone\0"),
    ];
    let entries = vec![
        ("ONE_source_table".to_owned(), sources.concat()),
        ("ONE_op_table".to_owned(), words(&[3, 0, 2, 0, 1, 1, 2, 2, 3, 2, 1, 4])),
    ];
    let file = assemble(MODEL, &entries).expect("a model");
    std::fs::write(folder.join("a.circle"), file).expect("a file");
    let ran = run(folder, CIRCLE2CIRCLE, &["a.circle", "b.circle"]).expect(0);
    assert_eq!(ran.stderr, "");
    let dump = dump(folder, "b.circle");
    conserved(&dump);
    assert_eq!(by_operator(&dump), [BTreeSet::from([0, 1]), BTreeSet::from([2, 3]), BTreeSet::from([4])]);
    assert_eq!(dump["coverage"]["inferred"], 3);
    // The tables know no roles.
    let fused = &dump["operators"][0];
    assert_eq!(fused["origins"][1], serde_json::json!({ "id": 1, "role": "unknown" }));
    assert_eq!(dump["retired"], serde_json::json!([{ "id": 7, "reason": "foreign", "by": "import" }]));
    // Sources that nobody stands for stay listed, under their ids, as luci keeps them.
    let (_, entries) = unaware(&std::fs::read(folder.join("b.circle")).expect("a file"));
    let table = &entries.iter().find(|(name, _)| name == "ONE_source_table").expect("a table").1;
    assert_eq!(*table, sources.concat());
    one_tables(&folder.join("b.circle"));
}

/// An operator that luci's table leaves out is unknown, never itself.
#[test]
fn operators_that_tables_leave_out_are_unknown() {
    let folder = folder();
    let folder = folder.path();
    let name = |id: u32, name: &str| [words(&[id, name.len() as u32]), name.as_bytes().to_vec()].concat();
    let entries = vec![
        ("ONE_source_table".to_owned(), [words(&[2]), name(0, "neg\0"), name(1, "abs\0")].concat()),
        ("ONE_op_table".to_owned(), words(&[2, 0, 1, 0, 2, 1, 1])),
    ];
    let file = assemble(MODEL, &entries).expect("a model");
    std::fs::write(folder.join("a.circle"), file).expect("a file");
    run(folder, CIRCLE2CIRCLE, &["a.circle", "b.circle"]).expect(0);
    for file in ["a.circle", "b.circle"] {
        let dump = dump(folder, file);
        assert_eq!(by_operator(&dump), [BTreeSet::from([0]), BTreeSet::new(), BTreeSet::from([1])]);
        assert_eq!(dump["operators"][1]["unknown"], "ONE_op_table has no entry for it");
    }
    let tables = one_tables(&folder.join("b.circle"));
    assert_eq!(tables[&1], BTreeSet::from([UNKNOWN_ID]));
}

/// A tool that drops all metadata leaves a new beginning, which may name what it came from.
#[test]
fn without_metadata_a_file_is_its_own_origin() {
    let folder = folder();
    let folder = folder.path();
    start(folder);
    let bytes = std::fs::read(folder.join("b.circle")).expect("a file");
    std::fs::write(folder.join("c.circle"), with_entries(&bytes, &[])).expect("a file");
    run(folder, CIRCLE2CIRCLE, &["c.circle", "plain.circle"]).expect(0);
    assert_eq!(dump(folder, "plain.circle")["profile_data"], "none");
    run(folder, CIRCLE2CIRCLE, &["-p", "c.circle", "d.circle"]).expect(0);
    assert_eq!(dump(folder, "d.circle")["origin_files"][0]["md5"], md5(&folder.join("c.circle")));
    run(folder, CIRCLE2CIRCLE, &["-p", "--origin", "a.circle", "c.circle", "e.circle"]).expect(0);
    let line = run(folder, DUMP, &["--origin_id", "e.circle"]).expect(0).stdout;
    assert_eq!(line, format!("{}  a.circle\n", md5(&folder.join("a.circle"))));
}
