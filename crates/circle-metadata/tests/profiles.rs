//! Profiles as real runtimes write them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use circle_metadata::profile::{Form, OtherReason, Profile, Row, Statistic, Unit, Value, detect, read};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/profiles")
}

fn load(path: &Path) -> Profile {
    let shown = path.display();
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{shown}: {error}"));
    read(&shown.to_string(), &bytes).unwrap_or_else(|error| panic!("{error}"))
}

fn sample(name: &str) -> Profile {
    load(&folder().join(name))
}

fn kinds(profile: &Profile) -> Vec<(u32, u32, &str)> {
    profile.rows.iter().map(|row| (row.subgraph, row.operator, row.kind.as_deref().unwrap_or("-"))).collect()
}

fn time(row: &Row) -> i64 {
    match row.value {
        Value::Integer(value) if row.unit == Unit::Nanoseconds => value,
        _ => panic!("{row:?}"),
    }
}

fn reasons(profile: &Profile) -> BTreeMap<OtherReason, usize> {
    let mut reasons = BTreeMap::new();
    for row in &profile.other {
        *reasons.entry(row.reason).or_default() += 1;
    }
    reasons
}

#[test]
fn onert_trace_of_a_plain_model() {
    let profile = sample("onert/cnn_conv_bn_relu.trace.chrome.json");
    assert_eq!(profile.form, Form::ChromeTrace);
    assert_eq!(profile.problems, []);
    let operators = [
        "Transpose",
        "Conv2D",
        "Transpose",
        "Mul",
        "Add",
        "Transpose",
        "MaxPool2D",
        "Conv2D",
        "Transpose",
        "Mul",
        "Add",
        "ReduceMean",
        "Reshape",
        "FullyConnected",
    ];
    let expected: Vec<_> = (0..).zip(operators).map(|(index, kind)| (0, index, kind)).collect();
    assert_eq!(kinds(&profile), expected);
    let first = &profile.rows[0];
    // Line 4 is the first event of an operator: 2610190689 to 2610190716 microseconds.
    assert_eq!((first.line, first.samples[0], first.count), (4, 27_000, 3));
    assert_eq!(first.backend.as_deref(), Some("cpu"));
    assert_eq!(first.statistic, Statistic::Median);
    assert!(profile.rows.iter().all(|row| row.samples.len() == 3 && row.samples.contains(&time(row))));
    let [graph] = &profile.other[..] else { panic!("{:?}", profile.other) };
    assert_eq!((graph.reason, graph.subgraph, graph.samples.len()), (OtherReason::Subgraph, Some(0), 3));
    // In each run the operators take at most the time of the subgraph.
    for run in 0..3 {
        let sum: i64 = profile.rows.iter().map(|row| row.samples[run]).sum();
        assert!(sum <= graph.samples[run]);
    }
}

#[test]
fn onert_trace_of_a_loop() {
    let profile = sample("onert/while_000.trace.chrome.json");
    assert_eq!(profile.problems, []);
    let mut keys: Vec<_> = profile
        .rows
        .iter()
        .map(|row| (row.subgraph, row.operator, row.kind.as_deref().unwrap(), row.count, row.parent))
        .collect();
    keys.sort();
    let body = Some((0, 0));
    assert_eq!(
        keys,
        [
            (0, 0, "While", 2, None),
            (1, 0, "Comparison", 12, body),
            (2, 0, "Add", 10, body),
            (2, 1, "Mul", 10, body),
            (2, 2, "Add", 10, body),
        ]
    );
    let sum = |rows: &mut dyn Iterator<Item = &Row>| -> i64 { rows.flat_map(|row| &row.samples).sum() };
    let inside = sum(&mut profile.rows.iter().filter(|row| row.parent.is_some()));
    let whole = sum(&mut profile.rows.iter().filter(|row| row.parent.is_none()));
    assert!(inside < whole, "{inside} {whole}");
    assert_eq!(
        profile.rows.iter().find(|row| row.subgraph == 0).unwrap().backend.as_deref(),
        Some("builtin")
    );
    assert_eq!(reasons(&profile), [(OtherReason::Subgraph, 3)].into());
}

#[test]
fn litert_tables_without_a_delegate() {
    for (name, operators) in [("cnn_int8", 6), ("cnn_conv_bn_relu", 14)] {
        let table = sample(&format!("litert/{name}.builtin.txt"));
        let json = sample(&format!("litert/{name}.builtin.json"));
        assert_eq!((table.form, json.form), (Form::LitertTable, Form::LitertJson));
        assert_eq!(kinds(&table), kinds(&json));
        for profile in [&table, &json] {
            assert_eq!(profile.problems, []);
            let indices: Vec<u32> = profile.rows.iter().map(|row| row.operator).collect();
            assert_eq!(indices, (0..operators).collect::<Vec<_>>());
            assert!(profile.rows.iter().all(|row| row.count == 5 && row.statistic == Statistic::Mean));
            assert!(profile.rows.iter().all(|row| time(row) % 1000 == 0));
        }
        assert_eq!(reasons(&table)[&OtherReason::Repeated], operators as usize);
        assert!(reasons(&table)[&OtherReason::Summary] > 0);
        assert_eq!(json.other, []);
        let runtime: Vec<_> = json.header.iter().map(|(key, value)| format!("{key}={value}")).collect();
        assert_eq!(runtime, ["runtime=litert", "kernels=builtin", "runs=5"]);
    }
    let table = sample("litert/cnn_int8.builtin.txt");
    assert_eq!((time(&table.rows[0]), table.rows[0].line), (57_000, 3));
}

#[test]
fn rows_of_a_delegate_are_no_operators() {
    for name in ["litert/cnn_conv_bn_relu.xnnpack.txt", "litert/cnn_conv_bn_relu.xnnpack.json"] {
        let profile = sample(name);
        assert_eq!(profile.problems, [], "{name}");
        assert_eq!(profile.rows, [], "{name}");
        assert_eq!(reasons(&profile)[&OtherReason::Delegate], 16, "{name}");
    }
}

#[test]
fn every_column_of_our_csv() {
    let profile = sample("made_up.csv");
    assert_eq!(profile.form, Form::Csv);
    assert_eq!(profile.problems, []);
    let header: Vec<_> = profile.header.iter().map(|(key, value)| format!("{key}={value}")).collect();
    assert_eq!(header, ["model_sha256=ab12", "producer=fpga-sim 0.3", "clock_hz=1000000", "warmup=3"]);
    let rows: Vec<_> = profile
        .rows
        .iter()
        .map(|row| {
            (row.line, row.operator, row.metric.as_str(), row.unit.symbol(), row.value.clone(), row.count)
        })
        .collect();
    use Value::{Decimal, Integer, Text};
    assert_eq!(
        rows,
        [
            (5, 0, "time", "ns", Integer(120_500), 1),
            (6, 2, "time", "ns", Integer(40_000), 2),
            (9, 2, "time", "ns", Integer(50_000), 1),
            (10, 2, "dram_read", "bytes", Integer(1536), 10),
            (11, 2, "utilisation", "percent", Decimal("87.25".into()), 1),
            (12, 2, "unit", "label", Text("left, upper".into()), 1),
            (13, 3, "energy", "nJ", Integer(1), 1),
            (14, 3, "cycles", "cycles", Integer(71_000), 1),
        ]
    );
    assert_eq!(profile.rows[1].samples, [40_000, 60_000]);
    assert_eq!(profile.rows[1].statistic, Statistic::Median);
    assert_eq!(profile.rows[1].instruction.as_deref(), Some("i1"));
    assert_eq!(profile.rows[1].parent, Some((0, 0)));
    assert_eq!(profile.rows[7].parent, Some((1, 2)));
    assert_eq!(profile.rows[0].kind.as_deref(), Some("WHILE"));
}

#[test]
fn faults_in_csv_are_located() {
    let fault = |lines: &str| read("p.csv", lines.as_bytes()).unwrap_err().to_string();
    let row = |row: &str| fault(&format!("# c\n\n# x=1\nsubgraph,op_index,metric,unit,value\n\n{row}\n"));
    assert_eq!(row("0,0,time,ms,NaN"), "p.csv line 6: value \"NaN\" is not a decimal number");
    assert_eq!(row("0,0,time,ms,-1"), "p.csv line 6: value \"-1\" is negative");
    assert_eq!(
        row("0,0,time,s,1e300"),
        "p.csv line 6: value \"1e300\" is too large for 63 bits of the smallest unit"
    );
    assert_eq!(
        row("0,0,time,ns,0.5"),
        "p.csv line 6: value \"0.5\" has digits below the smallest unit kept (ns, bytes, nJ) and would be rounded"
    );
    assert_eq!(
        row("0,4294967295,time,ns,1"),
        "p.csv line 6: op_index \"4294967295\" is not an index below 4294967295"
    );
    assert_eq!(row("0,-1,time,ns,1"), "p.csv line 6: op_index \"-1\" is not an index below 4294967295");
    assert_eq!(row("0,0,,ns,1"), "p.csv line 6: metric \"\" is empty");
    assert_eq!(row("0,0,time,ns,1,2"), "p.csv line 6: 6 cells under 5 headings");
    assert!(
        row("0,0,time,fortnights,1")
            .starts_with("p.csv line 6: unit \"fortnights\" is not a unit; known are ns")
    );
    // Behind the heading every line is a row, and a name may begin so.
    assert_eq!(row("# x=1"), "p.csv line 6: no cell of op_index; comments stand before the heading");
    let odd = b"opcode,subgraph,op_index,metric,unit,value\n#conv,0,1,time,ns,5\n";
    let odd = read("p.csv", odd).unwrap();
    assert_eq!((odd.rows[0].kind.as_deref(), odd.rows[0].line, odd.header.len()), (Some("#conv"), 2, 0));
    assert_eq!(fault("subgraph,op_index,metric,unit\n"), "p.csv line 1: no value");
    assert_eq!(
        fault("subgraph,op_index,metric,unit,value,value\n"),
        "p.csv line 1: column value stands twice"
    );
}

#[test]
fn faults_in_traces_are_located() {
    let trace = |events: &str| read("t.json", format!("{{\"traceEvents\":[\n{events}\n]}}").as_bytes());
    let fault = |events: &str| trace(events).unwrap_err().to_string();
    assert_eq!(fault("[\"@0 A\"]"), "t.json line 2: expected an object, found [\\\"@0 A\\\"]");
    // Arguments by position are none, and the subgraph is that of the `tid`.
    let event = "{\"name\":\"@1 A\",\"ph\":\"X\",\"ts\":\"1\",\"dur\":\"2\",\"tid\":\"$3 subg, cpu\",\"args\":[\"0\",\"1\",\"2\"]}";
    assert_eq!(trace(event).unwrap().rows[0].subgraph, 3);
    let event = |ph: &str, ts: &str| {
        format!(r#"{{"name":"@1 Add","ph":"{ph}","tid":"$0 sess, $0 subg, cpu","ts":{ts},"dur":1}}"#)
    };
    assert_eq!(
        fault(&format!("{},\n{}", event("B", "5"), event("E", "\"4\""))),
        "t.json line 3: event \"@1 Add\" ends before it begins"
    );
    assert_eq!(fault(&event("B", "\"NaN\"")), "t.json line 2: ts \"NaN\" is not a decimal number");
    assert_eq!(
        fault(&event("X", "9e16")),
        "t.json line 2: ts \"9e16\" is too large for 63 bits of the smallest unit"
    );
    assert!(fault("{\"name\":}").starts_with("t.json line 2: expected value"), "{}", fault("{\"name\":}"));
    assert_eq!(fault("3"), "t.json line 2: expected an object, found 3");

    let odd = trace(&format!("{},\n{}", event("E", "1"), event("B", "2"))).unwrap();
    let texts: Vec<_> = odd.problems.iter().map(|p| (p.line, p.text.as_str())).collect();
    assert_eq!(texts, [(2, "event \"@1 Add\" ends but never began"), (3, "event \"@1 Add\" never ends")]);
    assert_eq!(odd.rows, []);
}

#[test]
fn trace_events_of_every_kind() {
    let text = r#"[
        {"name":"@2 Conv2D","ph":"X","pid":0,"tid":"$0 sess, #0 model $1 subg, cpu","ts":10.5,"dur":4.25},
        {"name":"@0 Add","ph":"B","pid":0,"tid":"a","ts":1,"args":{"subgraph":3}},
        {"name":"@0 Add","ph":"B","pid":0,"tid":"a","ts":2,"args":{"subgraph":3}},
        {"name":"@1 Mul","ph":"B","pid":0,"tid":"a","ts":2,"args":{"subgraph":3}},
        {"name":"@0 Add","ph":"E","pid":0,"tid":"a","ts":3,"args":{"subgraph":3}},
        {"name":"@0 Add","ph":"E","pid":0,"tid":"a","ts":9,"args":{"subgraph":3}},
        {"name":"@1 Mul","ph":"E","pid":0,"tid":"a","ts":5,"args":{"subgraph":3}},
        {"name":"OP_0","ph":"X","pid":"CPU","tid":"Pre","ts":17.118647999999997,"dur":116.9,"args":{"origin":"1:a, "}},
        {"name":"maxrss","ph":"C","pid":"0","tid":"0","ts":"3","args":{"value":"7"}},
        {"name":"@0 Add","ph":"X","ts":1,"dur":1,"args":{"session":"1","subgraph":3}},
        {"name":"Graph","ph":"B","ts":1},
        {}
    ]"#;
    let profile = read("t", text.as_bytes()).unwrap();
    assert_eq!(profile.problems, []);
    let rows: Vec<_> = profile
        .rows
        .iter()
        .map(|row| (row.subgraph, row.operator, row.samples.as_slice(), time(row), row.line))
        .collect();
    assert_eq!(
        rows,
        [(1, 2, &[4_250][..], 4_250, 2), (3, 0, &[1_000, 8_000], 1_000, 3), (3, 1, &[3_000], 3_000, 5),]
    );
    assert_eq!(profile.rows[0].backend.as_deref(), Some("cpu"));
    let other: Vec<_> =
        profile.other.iter().map(|row| (row.name.as_str(), row.reason, row.time, row.line)).collect();
    assert_eq!(
        other,
        [
            ("OP_0", OtherReason::NoIndex, Some(116_900), 9),
            ("maxrss", OtherReason::NoDuration, None, 10),
            ("@0 Add", OtherReason::OtherSession, Some(1_000), 11),
            ("Graph", OtherReason::NoIndex, None, 12),
        ]
    );
}

/// Whatever happens to a file, reading it gives a profile or a located error.
#[test]
fn damage_never_panics() {
    for name in [
        "onert/while_000.trace.chrome.json",
        "litert/cnn_int8.builtin.txt",
        "litert/cnn_int8.builtin.json",
        "made_up.csv",
    ] {
        let bytes = std::fs::read(folder().join(name)).unwrap();
        for step in 0..120 {
            let at = bytes.len() * step / 120;
            let _ = read(name, &bytes[..at]);
            for flip in [0x01, 0x80, 0x10] {
                let mut bad = bytes.clone();
                bad[at] ^= flip;
                let _ = read(name, &bad);
            }
        }
    }
}

/// All profiles of a larger collection, where the environment says where it is.
#[test]
fn a_whole_corpus_reads_cleanly() {
    let Some(corpus) = std::env::var_os("CIRCLE_LINEAGE_CORPUS") else { return };
    let mut folders = vec![PathBuf::from(corpus).join("profiles")];
    let mut read_forms = BTreeMap::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let bytes = std::fs::read(&path).unwrap();
            let Some(form) = detect(&bytes) else { continue };
            let profile = load(&path);
            assert_eq!(profile.form, form);
            assert!(!profile.rows.is_empty() || !profile.other.is_empty(), "{}", path.display());
            assert_eq!(profile.problems, [], "{}", path.display());
            if path.to_string_lossy().contains("builtin") || path.ends_with("trace.chrome.json") {
                // Each operator of a subgraph has its row, and none has two.
                let mut keys: Vec<_> = profile.rows.iter().map(|row| (row.subgraph, row.operator)).collect();
                keys.sort();
                let mut expected = 0;
                for (position, key) in keys.iter().enumerate() {
                    expected = if position > 0 && keys[position - 1].0 == key.0 { expected } else { 0 };
                    assert_eq!(key.1, expected, "{}", path.display());
                    expected += 1;
                }
            }
            *read_forms.entry(format!("{form:?}")).or_insert(0) += 1;
        }
    }
    assert!(
        ["ChromeTrace", "LitertTable", "LitertJson"].iter().all(|form| read_forms.contains_key(*form)),
        "{read_forms:?}"
    );
}
