//! Damaged profile tables: the model is read, the damage reported with its place, and nothing believed.

use super::super::support::model::{assemble, words};
use super::super::support::{CIRCLE2CIRCLE, DUMP, VISUALIZER, folder, run};

const MODEL: &str = r#"subgraph sg0 "main" (%0) -> (%2)
  %0: f32[4] "x"
  %1: f32[4] "neg"
  %2: f32[4] "y"
  op0 NEG (%0) -> %1
  op1 ABS (%1) -> %2
"#;

/// Names as ONE writes them: length with the closing NUL, then the bytes.
fn source(id: u32, name: &str) -> Vec<u8> {
    [words(&[id, name.len() as u32]), name.as_bytes().to_vec()].concat()
}

fn sources() -> Vec<u8> {
    [words(&[2]), source(0, "neg\0"), source(1, "y\0")].concat()
}

fn operators() -> Vec<u8> {
    words(&[2, 0, 1, 0, 1, 1, 1])
}

struct Damage {
    what: &'static str,
    entries: Vec<(&'static str, Vec<u8>)>,
    /// Where and what, as the dump tells it.
    told: (&'static str, &'static str),
}

/// Tables on which luci throws, one row of its decoders' checks each; and our own entries, damaged.
fn damages() -> Vec<Damage> {
    let mut all = Vec::new();
    let mut tables = |what, source_table: Vec<u8>, op_table: Vec<u8>, at, text| {
        let entries = vec![("ONE_source_table", source_table), ("ONE_op_table", op_table)];
        all.push(Damage { what, entries, told: (at, text) });
    };
    tables("no payload", Vec::new(), operators(), "ONE_source_table byte 0", "too few");
    tables("short payload", sources(), vec![1, 0, 0], "ONE_op_table byte 0", "3 bytes are too few");
    tables("header cut", words(&[1, 0]), operators(), "ONE_source_table byte 4", "the header takes 8");
    tables("op header cut", sources(), words(&[1, 0]), "ONE_op_table byte 4", "the header takes 8");
    let cut = [words(&[1, 0, 9]), b"neg\0".to_vec()].concat();
    tables("name cut", cut, operators(), "ONE_source_table byte 4", "name of 9 bytes, 4 bytes left");
    tables("ids cut", sources(), words(&[1, 0, 3, 0]), "ONE_op_table byte 4", "3 source ids, 4 bytes left");
    let wraps = words(&[1, 0, 0x4000_0001, 0]);
    tables("ids that wrap", sources(), wraps, "ONE_op_table byte 4", "1073741825 source ids");
    let much = words(&[u32::MAX, 0, 1, 0]);
    tables("count too large", sources(), much, "ONE_op_table byte 16", "the header takes 8");
    let longer = [sources(), vec![7]].concat();
    tables("bytes after", longer, operators(), "ONE_source_table byte 26", "1 bytes after the last");
    let longer = [operators(), vec![7]].concat();
    tables("op bytes after", sources(), longer, "ONE_op_table byte 28", "1 bytes after the last");
    let twice = [words(&[2]), source(0, "neg\0"), source(0, "y\0")].concat();
    tables("source twice", twice, operators(), "ONE_source_table byte 16", "source 0 occurs again");
    let twice = words(&[2, 0, 1, 0, 0, 1, 1]);
    tables("operator twice", sources(), twice, "ONE_op_table byte 16", "operator 0 occurs again");
    let nameless = [words(&[2]), source(0, ""), source(1, "y\0")].concat();
    tables("name of length 0", nameless, operators(), "ONE_source_table byte 4", "");
    let nothing = words(&[2, 0, 0, 1, 1, 1]);
    tables("no source", sources(), nothing, "ONE_op_table byte 4", "operator 0 has no source");
    let missing = words(&[2, 0, 1, 0, 1, 1, 77]);
    tables("source missing", sources(), missing, "ONE_op_table byte 16", "operator 1 names source 77");
    for (what, payload) in [("empty", Vec::new()), ("noise", vec![0xa5; 99])] {
        let told = ("circle_lineage byte 0", "");
        all.push(Damage { what, entries: vec![("circle_lineage", payload)], told });
    }
    all
}

#[test]
fn damage_is_reported_with_its_place_and_nothing_is_believed() {
    let folder = folder();
    for damage in damages() {
        let entries: Vec<_> = damage.entries.iter().map(|(n, p)| ((*n).to_owned(), p.clone())).collect();
        let file = assemble(MODEL, &entries).expect("a model");
        std::fs::write(folder.path().join("in.circle"), file).expect("a file");
        let dump = run(folder.path(), DUMP, &["--format", "json", "in.circle"]).expect(1).json();
        let problems = dump["problems"].as_array().expect("a list");
        let found = problems.iter().any(|problem| {
            let text = |key: &str| problem[key].as_str().expect("a text").to_owned();
            text("severity") == "error"
                && text("where") == damage.told.0
                && text("text").contains(damage.told.1)
        });
        assert!(found, "{}: {:?} is not among {problems:#?}", damage.what, damage.told);
        let operators = dump["operators"].as_array().expect("a list");
        assert_eq!(operators.len(), 2, "{}", damage.what);
        for operator in operators {
            assert!(operator["unknown"].is_string(), "{}: {operator:#}", damage.what);
            assert_eq!(operator["origins"].as_array().map(Vec::len), Some(0), "{}", damage.what);
        }
        // What is carried on from there is unknown, and whole.
        let ran = run(folder.path(), CIRCLE2CIRCLE, &["--O1", "in.circle", "out.circle"]).expect(0);
        let warning = format!("warning: in.circle: {}: ", damage.told.0);
        assert!(ran.stderr.contains(&warning), "{}: {}", damage.what, ran.stderr);
        let dump = run(folder.path(), DUMP, &["--format", "json", "out.circle"]).expect(0).json();
        assert_eq!(dump["coverage"]["unknown"], 2, "{}", damage.what);
        run(folder.path(), VISUALIZER, &["in.circle", "-o", "out.svg"]).expect(0);
    }
}

#[test]
fn what_can_be_decoded_of_damaged_tables_is_shown() {
    let folder = folder();
    let cut = [words(&[2]), source(0, "neg\0"), source(1, "y")].concat();
    let cut = cut[..cut.len() - 1].to_vec();
    let entries = [("ONE_source_table".to_owned(), cut), ("ONE_op_table".to_owned(), words(&[1, 0, 1, 0]))];
    let file = assemble(MODEL, &entries).expect("a model");
    std::fs::write(folder.path().join("in.circle"), file).expect("a file");
    let dump = run(folder.path(), DUMP, &["--format", "json", "in.circle"]).expect(1).json();
    assert_eq!(dump["sources"][0]["name"], "neg");
    assert_eq!(dump["sources"].as_array().map(Vec::len), Some(1));
    let text = run(folder.path(), DUMP, &["in.circle"]).expect(1).stdout;
    assert!(text.contains("@0 neg") && text.contains("ONE_source_table byte 16"), "{text}");
}

#[test]
fn one_table_without_the_other_is_not_believed() {
    let folder = folder();
    for entry in [("ONE_source_table".to_owned(), sources()), ("ONE_op_table".to_owned(), operators())] {
        let file = assemble(MODEL, &[entry]).expect("a model");
        std::fs::write(folder.path().join("in.circle"), file).expect("a file");
        let dump = run(folder.path(), DUMP, &["--format", "json", "in.circle"]);
        assert_eq!(dump.json()["coverage"]["unknown"], 2);
        assert_ne!(dump.json()["problems"].as_array().map(Vec::len), Some(0));
        run(folder.path(), CIRCLE2CIRCLE, &["in.circle", "out.circle"]).expect(0);
    }
}

#[test]
fn odd_tables_are_believed_with_a_warning() {
    let folder = folder();
    let unclosed = [words(&[2]), source(0, "neg"), source(1, "y\0")].concat();
    for (source_table, op_table, told) in [
        (unclosed, operators(), "no closing NUL"),
        (sources(), words(&[2, 0, 2, 0, 0, 1, 1, 1]), "names a source twice"),
    ] {
        let entries = [("ONE_source_table".to_owned(), source_table), ("ONE_op_table".to_owned(), op_table)];
        let file = assemble(MODEL, &entries).expect("a model");
        std::fs::write(folder.path().join("in.circle"), file).expect("a file");
        let ran = run(folder.path(), DUMP, &["--format", "json", "in.circle"]).expect(0);
        let dump = ran.json();
        assert_eq!(dump["coverage"]["inferred"], 2);
        assert!(dump["problems"][0]["text"].as_str().is_some_and(|t| t.contains(told)), "{dump:#}");
        assert_eq!(dump["problems"][0]["severity"], "warning");
    }
}
