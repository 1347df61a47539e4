//! What `verify` says of models that came through tools that know nothing of our lineage: what is proven, what is stale
//! and what is gone, word for word.

use std::path::Path;

use super::super::support::model::{Entry, assemble, unaware, words};
use super::super::support::{CIRCLE2CIRCLE, PROFILE, folder, run};
use super::super::{dump, list};

/// Two branches that may run in either order, and a fusion.
const BEFORE: &str = r#"subgraph sg0 "main" (%0) -> (%5)
  %0: f32[1,4,4,1] "x"
  %1: f32[1,3,3,1] "w" = [0.5]
  %2: f32[1,4,4,1] "conv"
  %3: f32[1,4,4,1] "relu"
  %4: f32[1,4,4,1] "abs"
  %5: f32[1,4,4,1] "y"
  op0 CONV_2D {padding=SAME, stride_w=1, stride_h=1} (%0, %1, _) -> %2
  op1 RELU (%2) -> %3
  op2 ABS (%0) -> %4
  op3 ADD (%3, %4) -> %5
"#;

/// The same after the fusion, as a tool writes it that runs the branches in the other order.
const SWAPPED: &str = r#"subgraph sg0 "main" (%0) -> (%4)
  %0: f32[1,4,4,1] "x"
  %1: f32[1,3,3,1] "w" = [0.5]
  %2: f32[1,4,4,1] "relu"
  %3: f32[1,4,4,1] "abs"
  %4: f32[1,4,4,1] "y"
  op0 ABS (%0) -> %3
  op1 CONV_2D {padding=SAME, stride_w=1, stride_h=1, fused_activation_function=RELU} (%0, %1, _) -> %2
  op2 ADD (%2, %3) -> %4
"#;

/// `a.circle`, `b.circle` with the RELU fused, `b.json` beside it; the metadata entries of `b.circle`.
fn start(folder: &Path) -> Vec<Entry> {
    std::fs::write(folder.join("a.circle"), assemble(BEFORE, &[]).expect("a model")).expect("a file");
    let args = ["-p", "--fuse_activation_function", "--sidecar", "b.json", "a.circle", "b.circle"];
    run(folder, CIRCLE2CIRCLE, &args).expect(0);
    unaware(&std::fs::read(folder.join("b.circle")).expect("a file")).1
}

fn write(folder: &Path, name: &str, text: &str, entries: &[Entry]) {
    std::fs::write(folder.join(name), assemble(text, entries).expect("a model")).expect("a file");
}

/// Code and text of all findings and remarks, and the proven, inferred and unknown operators.
#[track_caller]
fn verdict(folder: &Path, args: &[&str], code: i32) -> (Vec<String>, Vec<String>, [u64; 3]) {
    let args: Vec<&str> = ["verify", "--format", "json"].iter().chain(args).copied().collect();
    let json = run(folder, PROFILE, &args).expect(code).json();
    let rows = |key: &str| -> Vec<String> {
        let row = |row: &serde_json::Value| {
            let text = |key: &str| row[key].as_str().expect("a text").to_owned();
            format!("[{}] {}: {}", text("code"), text("where"), text("text"))
        };
        list(&json, key).iter().map(row).collect()
    };
    let count = |key: &str| json["coverage"][key].as_u64().expect("a number");
    assert_eq!(json["holds"], rows("findings").is_empty());
    assert_eq!(json["originals"]["lost"], 0);
    (rows("findings"), rows("remarks"), ["proven", "inferred", "unknown"].map(count))
}

/// The remark on ONE's tables, of whose operators so many bear a name that confirms them.
fn only_tables(named: u64, all: u64) -> String {
    format!(
        "[tables] ONE's tables: are all there is: they prove nothing and know neither roles nor history; {named} of \
         {all} operators bear the name of an original that they are credited to"
    )
}

const ALL_INFERRED: &str = "[inferred] sg0:0, sg0:1, sg0:2: 3 operators whose origin is inferred, not proven";

const NOTHING_KNOWN: &str = "[coverage] model: nothing is known of where its operators come from";

/// As luci does: its two tables stay, written anew for its own order of operators; the rest is dropped.
#[test]
fn a_dropper_that_keeps_its_tables_right() {
    let folder = folder();
    let folder = folder.path();
    let mut kept = start(folder);
    kept.retain(|(name, _)| name.starts_with("ONE_"));
    for (name, payload) in &mut kept {
        if name == "ONE_op_table" {
            *payload = words(&[3, 0, 1, 2, 1, 2, 0, 1, 2, 1, 3]);
        }
    }
    write(folder, "c.circle", SWAPPED, &kept);
    let remarks = vec![only_tables(3, 3), ALL_INFERRED.into()];
    assert_eq!(verdict(folder, &["c.circle"], 0), (vec![], remarks, [0, 3, 0]));
    let dump = dump(folder, "c.circle");
    let fused = &dump["operators"][1]["origins"];
    assert_eq!(fused[1], serde_json::json!({ "id": 1, "role": "unknown" }));
    // The sidecar was written for another order, and says so.
    let ran = run(folder, PROFILE, &["verify", "--sidecar", "b.json", "c.circle"]).expect(1);
    assert!(ran.stderr.ends_with("its operators or their tensors are others\n"), "{}", ran.stderr);
}

/// Its tables stay and all names change: nothing confirms that the operators are those of the table.
#[test]
fn tables_that_no_name_confirms() {
    let folder = folder();
    let folder = folder.path();
    let mut kept = start(folder);
    kept.retain(|(name, _)| name.starts_with("ONE_"));
    let renamed = ["relu", "abs", "y"].iter().fold(SWAPPED.to_owned(), |text, name| {
        text.replace(&format!("\"{name}\""), &format!("\"other {name}\""))
    });
    write(folder, "c.circle", &renamed, &kept);
    let (findings, remarks, coverage) = verdict(folder, &["c.circle"], 1);
    let text = "no operator bears the name of an original of its, so that nothing confirms the table";
    assert_eq!(findings, [format!("[tables] ONE_op_table: {text}")]);
    assert_eq!(remarks, [only_tables(0, 3), ALL_INFERRED.into()]);
    assert_eq!(coverage, [0, 3, 0]);
}

/// What a table alone says is inferred, and stays so whatever our own tools do with the model; to ONE's tables it is
/// written on.
#[test]
fn what_a_table_alone_says_stays_inferred() {
    let folder = folder();
    let folder = folder.path();
    std::fs::write(folder.join("a.circle"), assemble(BEFORE, &[]).expect("a model")).expect("a file");
    run(folder, CIRCLE2CIRCLE, &["-p", "a.circle", "b.circle"]).expect(0);
    let mut kept = unaware(&std::fs::read(folder.join("b.circle")).expect("a file")).1;
    kept.retain(|(name, _)| name.starts_with("ONE_"));
    std::fs::write(folder.join("cost.csv"), "subgraph,op_index,metric,unit,value\n0,0,time,ns,7\n")
        .expect("rows");
    let swapped = words(&[4, 0, 1, 0, 1, 1, 2, 2, 1, 1, 3, 1, 3]);
    // As the operators are, and after the fusion of the RELU: whatever the names, nothing is proven.
    let (before, fused) = ([0, 4, 0], [0, 3, 0]);
    // Names that change, and whether two entries are swapped.
    let cases = [
        (&[][..], false),
        (&["abs", "y"], false),
        (&["relu"], false),
        (&["relu", "abs"], true),
        (&["conv", "relu", "abs", "y"], false),
    ];
    for (renamed, swap) in cases {
        let text = renamed.iter().fold(BEFORE.to_owned(), |text, name| {
            text.replace(&format!("\"{name}\""), &format!("\"other {name}\""))
        });
        let mut entries = kept.clone();
        for (_, payload) in entries.iter_mut().filter(|(name, _)| swap && name == "ONE_op_table") {
            *payload = swapped.clone();
        }
        write(folder, "c.circle", &text, &entries);
        run(folder, CIRCLE2CIRCLE, &["c.circle", "as-it-is.circle"]).expect(0);
        run(folder, CIRCLE2CIRCLE, &["--origin", "a.circle", "c.circle", "with-origin.circle"]).expect(0);
        run(folder, PROFILE, &["attach", "c.circle", "cost.csv", "-o", "attached.circle"]).expect(0);
        run(folder, CIRCLE2CIRCLE, &["--sidecar", "o1.json", "--O1", "c.circle", "o1.circle"]).expect(0);
        run(folder, CIRCLE2CIRCLE, &["--O1", "o1.circle", "again.circle"]).expect(0);
        let bytes = std::fs::read(folder.join("o1.circle")).expect("a file");
        let stripped = super::super::support::model::with_entries(&bytes, &[]);
        std::fs::write(folder.join("stripped.circle"), stripped).expect("a file");
        // Where nothing is confirmed that is a finding for ever.
        let none = renamed.len() == 4;
        let files = [
            (&["c.circle"][..], before),
            (&["as-it-is.circle"], before),
            (&["with-origin.circle"], before),
            (&["attached.circle"], before),
            (&["o1.circle"], fused),
            (&["again.circle"], fused),
            (&["--sidecar", "o1.json", "stripped.circle"], fused),
        ];
        for (args, want) in files {
            let (findings, _, coverage) = verdict(folder, args, i32::from(none));
            assert_eq!(coverage, want, "{renamed:?} {args:?}");
            let text = "no operator bears the name of an original of its, so that nothing confirms the table";
            let finding = none.then(|| format!("[tables] ONE_op_table: {text}"));
            assert_eq!(findings, Vec::from_iter(finding), "{renamed:?} {args:?}");
            let least = [&["verify", "--min_coverage", "100"], args].concat();
            run(folder, PROFILE, &least).expect(i32::from(want[1] > 0));
        }
        for (file, want) in [("as-it-is.circle", before), ("o1.circle", fused)] {
            let dump = dump(folder, file);
            assert_eq!(dump["coverage"]["attributed"], want[0], "{renamed:?} {file}");
            assert_eq!(dump["coverage"]["inferred"], want[1], "{renamed:?} {file}");
        }
        let written = unaware(&std::fs::read(folder.join("as-it-is.circle")).expect("a file")).1;
        let table = |entries: &[Entry]| entries.iter().find(|(name, _)| name == "ONE_op_table").cloned();
        assert_eq!(table(&written), table(&entries), "{renamed:?}");
    }
}

/// Its tables stay as they were while the operators change places. Nothing is out of range: only names tell.
#[test]
fn tables_that_stay_while_operators_are_renumbered() {
    let folder = folder();
    let folder = folder.path();
    let mut kept = start(folder);
    kept.retain(|(name, _)| name.starts_with("ONE_"));
    write(folder, "c.circle", SWAPPED, &kept);
    let (findings, remarks, coverage) = verdict(folder, &["c.circle"], 1);
    let doubt = "[tables] ONE_op_table: operator 0 bears the name of source 2 and is credited to 0, 1, and operator 1 \
                 is credited to source 2: operators were renumbered, or a pass moved one past another; only entries \
                 that a name confirms are believed";
    assert_eq!(findings, [doubt]);
    let unknown = "[unknown] sg0:0, sg0:1: 2 operators of unknown origin: ONE_op_table and the names of operators \
                   contradict each other, and no name confirms this one";
    let inferred = "[inferred] sg0:2: 1 operator whose origin is inferred, not proven";
    assert_eq!(remarks, [only_tables(1, 1).as_str(), unknown, inferred]);
    assert_eq!(coverage, [0, 1, 2]);
    let warned = run(folder, CIRCLE2CIRCLE, &["c.circle", "d.circle"]).expect(0).stderr;
    assert!(warned.starts_with("warning: c.circle: ONE_op_table: operator 0 bears"), "{warned}");
}

/// All metadata stay as they were while the operators change places: our own lineage knows.
#[test]
fn lineage_that_stays_while_operators_are_renumbered() {
    let folder = folder();
    let folder = folder.path();
    let kept = start(folder);
    write(folder, "c.circle", SWAPPED, &kept);
    let (findings, remarks, coverage) = verdict(folder, &["--against", "a.circle", "c.circle"], 1);
    let stale =
        "[stale] circle_lineage: operators or their tensors were changed or renumbered since it was written";
    assert_eq!(findings, [stale, NOTHING_KNOWN]);
    let unknown = "[unknown] sg0:0, sg0:1, sg0:2: 3 operators of unknown origin: the model was changed by a \
                   tool that keeps no lineage, so its lineage does not fit";
    let constants = "[against] a.circle: no tensor has an origin: constants were not compared";
    assert_eq!((remarks, coverage), (vec![constants.into(), unknown.into()], [0, 0, 3]));
    // Written once more it fits again, and nothing is known still.
    run(folder, CIRCLE2CIRCLE, &["c.circle", "d.circle"]).expect(0);
    let (findings, remarks, coverage) = verdict(folder, &["d.circle"], 1);
    assert_eq!(findings, [NOTHING_KNOWN]);
    assert_eq!((remarks, coverage), (vec![unknown.into()], [0, 0, 3]));
}

/// Only a table is changed: the operators are still those of the lineage, and the entry at fault is named.
#[test]
fn a_table_that_was_changed() {
    let folder = folder();
    let folder = folder.path();
    let mut kept = start(folder);
    for (name, payload) in &mut kept {
        if name == "ONE_op_table" {
            *payload = words(&[3, 0, 1, 0, 1, 1, 2, 2, 1, 3]);
        }
    }
    let bytes = std::fs::read(folder.join("b.circle")).expect("a file");
    let file = super::super::support::model::with_entries(&bytes, &kept);
    std::fs::write(folder.join("c.circle"), file).expect("a file");
    let (findings, _, coverage) = verdict(folder, &["c.circle"], 1);
    let stale = "[stale] circle_lineage: the operators are those it was written for, and ONE's tables were \
                 changed since";
    let table = "[tables] ONE_op_table: operator 0: says {0}, and the lineage {0, 1}";
    assert_eq!(findings, [stale, table, NOTHING_KNOWN]);
    assert_eq!(coverage, [0, 0, 3]);
}

/// The line that names the origin is changed: no digest is over it, and it must be that of a file of the lineage.
#[test]
fn an_origin_line_that_was_changed() {
    let folder = folder();
    let folder = folder.path();
    let mut kept = start(folder);
    for (name, payload) in &mut kept {
        if name == "circle_origin_id" {
            *payload = b"00000000000000000000000000000000  a.circle\n".to_vec();
        }
    }
    let bytes = std::fs::read(folder.join("b.circle")).expect("a file");
    let file = super::super::support::model::with_entries(&bytes, &kept);
    std::fs::write(folder.join("c.circle"), file).expect("a file");
    let (findings, _, coverage) = verdict(folder, &["c.circle"], 1);
    let digest = "[digest] circle_origin_id: md5 00000000000000000000000000000000 is that of no file of the \
                  lineage";
    assert_eq!((findings, coverage), (vec![digest.into()], [3, 0, 0]));
}

/// All metadata are gone and the order of operators is another. What comes back by comparison is inferred, also after
/// further passes, and does not count as proven.
#[test]
fn a_tool_that_drops_everything() {
    let folder = folder();
    let folder = folder.path();
    start(folder);
    write(folder, "c.circle", SWAPPED, &[]);
    let (findings, remarks, coverage) = verdict(folder, &["c.circle"], 1);
    assert_eq!(findings, ["[lineage] c.circle: the model carries no lineage"]);
    assert_eq!((remarks, coverage), (vec![], [0, 0, 3]));

    run(folder, PROFILE, &["rebase", "c.circle", "--from", "b.circle", "-o", "d.circle"]).expect(0);
    run(folder, CIRCLE2CIRCLE, &["--O1", "d.circle", "e.circle"]).expect(0);
    let inferred = "[inferred] sg0:0, sg0:1, sg0:2: 3 operators whose origin is inferred, not proven";
    for file in ["d.circle", "e.circle"] {
        let (findings, remarks, coverage) = verdict(folder, &["--against", "a.circle", file], 0);
        assert_eq!((findings, remarks, coverage), (vec![], vec![inferred.into()], [0, 3, 0]), "{file}");
        let dump = dump(folder, file);
        let roles: Vec<&str> = list(&dump, "operators")
            .iter()
            .flat_map(|op| list(op, "origins"))
            .map(|origin| origin["role"].as_str().expect("a role"))
            .collect();
        assert_eq!(roles, ["inferred"; 4], "{file}");
        // The fusion that b.circle went through is in the history, before the comparison.
        let history = &dump["operators"][1]["history"];
        assert_eq!(*history, serde_json::json!(["fuse_activation_function", "rebase:name"]), "{file}");
    }
    // ONE's tables hold proven origins only.
    let entries = unaware(&std::fs::read(folder.join("e.circle")).expect("a file")).1;
    let table = &entries.iter().find(|(name, _)| name == "ONE_op_table").expect("a table").1;
    let unknown = u32::MAX;
    assert_eq!(*table, words(&[3, 0, 1, unknown, 1, 1, unknown, 2, 1, unknown]));
}

/// A sidecar in which a fusion has no step that made it, or one that took it out, is not believed.
#[test]
fn a_sidecar_whose_steps_do_not_lead_to_its_claims() {
    let folder = folder();
    let folder = folder.path();
    start(folder);
    let bytes = std::fs::read(folder.join("b.circle")).expect("a file");
    let file = super::super::support::model::with_entries(&bytes, &[]);
    std::fs::write(folder.join("c.circle"), file).expect("a file");
    let sidecar = std::fs::read(folder.join("b.json")).expect("a sidecar");
    let sidecar: serde_json::Value = serde_json::from_slice(&sidecar).expect("JSON");
    let verify = |sidecar: &serde_json::Value, code: i32| {
        std::fs::write(folder.join("forged.json"), sidecar.to_string()).expect("a file");
        run(folder, PROFILE, &["verify", "--sidecar", "forged.json", "c.circle"]).expect(code).stderr
    };
    assert!(!verify(&sidecar, 0).contains("contradicts"));
    let fused = "/lineage/subgraphs/0/operators/0";
    let step = sidecar.pointer(fused).and_then(|op| op["event"].as_u64()).expect("a step");
    let mut without = sidecar.clone();
    let op = without.pointer_mut(fused).and_then(|op| op.as_object_mut()).expect("an operator");
    op.remove("event");
    let mut retired = sidecar.clone();
    retired["lineage"]["events"][step as usize]["action"] = "retire".into();
    for forged in [without, retired] {
        let said = verify(&forged, 1);
        assert!(said.contains("the sidecar contradicts itself"), "{said}");
    }
}

/// All metadata are gone and the operators are untouched: the sidecar fits, whatever the file is called.
#[test]
fn a_sidecar_after_a_tool_that_drops_everything() {
    let folder = folder();
    let folder = folder.path();
    start(folder);
    let bytes = std::fs::read(folder.join("b.circle")).expect("a file");
    std::fs::create_dir(folder.join("kept")).expect("a folder");
    std::fs::rename(folder.join("b.json"), folder.join("kept/another-name.json")).expect("a file");
    let file = super::super::support::model::with_entries(&bytes, &[]);
    std::fs::write(folder.join("c.circle"), file).expect("a file");
    let (findings, remarks, coverage) = verdict(folder, &["--sidecar", "kept", "c.circle"], 0);
    let remark = "[sidecar] lineage: is that of the sidecar, not of the model";
    assert_eq!((findings, remarks, coverage), (vec![], vec![remark.into()], [3, 0, 0]));
    run(folder, CIRCLE2CIRCLE, &["--input_sidecar", "kept", "c.circle", "d.circle"]).expect(0);
    assert_eq!(verdict(folder, &["--against", "a.circle", "d.circle"], 0), (vec![], vec![], [3, 0, 0]));
}
