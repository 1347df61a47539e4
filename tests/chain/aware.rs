//! Runs of our own tools, one after the other.

use std::path::Path;

use super::super::support::{CIRCLE2CIRCLE, DUMP, PROFILE, VISUALIZER, folder, run, run_with, testdata};
use super::super::{by_operator, conserved, dump, list, md5, one_tables, sources};

/// Copies a model of `testdata` to `a.circle`.
fn start(folder: &Path, name: &str) {
    std::fs::copy(testdata().join("models").join(name), folder.join("a.circle")).expect("a copy");
}

fn passes(folder: &Path, options: &[&str], input: &str, output: &str) {
    let args: Vec<&str> = options.iter().copied().chain([input, output]).collect();
    let ran = run(folder, CIRCLE2CIRCLE, &args).expect(0);
    assert_eq!(ran.stderr, "", "{args:?}");
}

#[test]
fn three_runs_lead_back_to_the_first_file() {
    let folder = folder();
    let folder = folder.path();
    start(folder, "cnn_conv_bn_relu.circle");
    passes(folder, &["-p", "--fuse_batchnorm_with_conv", "--forward_transpose_op"], "a.circle", "b.circle");
    passes(folder, &["--fuse_activation_function"], "b.circle", "c.circle");
    passes(folder, &["--O1"], "c.circle", "d.circle");
    let origin = md5(&folder.join("a.circle"));
    let mut counts = Vec::new();
    for file in ["b.circle", "c.circle", "d.circle"] {
        let dump = dump(folder, file);
        let files = list(&dump, "origin_files");
        assert_eq!(files.len(), 1, "{file}");
        assert_eq!((files[0]["name"].as_str(), files[0]["md5"].as_str()), (Some("a.circle"), Some(&*origin)));
        let line = run(folder, DUMP, &["--origin_id", file]).expect(0).stdout;
        assert_eq!(line, format!("{origin}  a.circle\n"));
        assert_eq!(sources(&dump), (0..16).collect());
        conserved(&dump);
        assert_eq!(dump["coverage"]["attributed"], dump["coverage"]["operators"]);
        // ONE's tables say the same as ours of every operator.
        let one: Vec<_> = one_tables(&folder.join(file)).into_values().collect();
        let ours = by_operator(&dump);
        assert_eq!(one.len(), ours.len());
        for (one, ours) in one.iter().zip(&ours) {
            assert!(one.iter().map(|id| u64::from(*id)).eq(ours.iter().copied()));
        }
        counts.push(ours.len());
    }
    assert!(counts.is_sorted_by(|a, b| a >= b) && counts[2] < counts[0], "{counts:?}");
    // Each run is told that did something; the last found nothing left to do.
    let runs = dump(folder, "d.circle")["history"]["runs"].clone();
    let options: Vec<_> =
        runs.as_array().unwrap().iter().map(|run| run["options"].as_str().unwrap()).collect();
    assert_eq!(options, ["--forward_transpose_op --fuse_batchnorm_with_conv", "--fuse_activation_function"]);
}

#[test]
fn several_runs_say_what_one_run_says() {
    let folder = folder();
    let folder = folder.path();
    start(folder, "cnn_conv_bn_relu.circle");
    passes(folder, &["-p", "--O1"], "a.circle", "once.circle");
    passes(folder, &["-p"], "a.circle", "b.circle");
    passes(folder, &["--forward_transpose_op"], "b.circle", "c.circle");
    passes(folder, &["--O1"], "c.circle", "often.circle");
    let [once, often] = ["once.circle", "often.circle"].map(|file| dump(folder, file));
    assert_eq!(by_operator(&once), by_operator(&often));
    assert_eq!(once["operators"], often["operators"]);
    assert_eq!(once["sources"], often["sources"]);
}

#[test]
fn measured_values_are_carried_and_add_up() {
    let folder = folder();
    let folder = folder.path();
    start(folder, "cnn_conv_bn_relu.circle");
    // A power of two for each operator, so that a sum tells its parts.
    let rows: String = (0..16).map(|op| format!("0,{op},time,ns,{}\n", 1u64 << op)).collect();
    std::fs::write(folder.join("cost.csv"), format!("subgraph,op_index,metric,unit,value\n{rows}"))
        .expect("a table");
    run(folder, PROFILE, &["attach", "a.circle", "cost.csv", "-o", "b.circle"]).expect(0);
    passes(folder, &["--O1"], "b.circle", "c.circle");
    passes(folder, &["--O1"], "c.circle", "d.circle");
    for file in ["b.circle", "c.circle", "d.circle"] {
        let report = run(folder, PROFILE, &["report", "--format", "json", file]).expect(0).json();
        let equation = &report["tables"][0]["equation"];
        assert_eq!(equation["total"], (1 << 16) - 1, "{file}: {equation}");
        assert_eq!(equation["holds"], true);
    }
    // The fused convolution costs what CONV_2D, MUL, ADD and RELU did, at least.
    let dump = dump(folder, "d.circle");
    let fused = list(&dump, "operators").iter().find(|op| op["opcode"] == "CONV_2D").expect("a convolution");
    let time = fused["metrics"][0]["value"].as_u64().expect("nanoseconds");
    for member in [1, 3, 4, 5] {
        assert_ne!(time & (1 << member), 0, "{time:b} lacks operator {member}");
    }
}

#[test]
fn subgraphs_keep_their_own_lineage() {
    let folder = folder();
    let folder = folder.path();
    start(folder, "while_loop.tflite");
    passes(folder, &["-p"], "a.circle", "b.circle");
    passes(folder, &["--O1"], "b.circle", "c.circle");
    let dump = dump(folder, "c.circle");
    conserved(&dump);
    let sources = list(&dump, "sources");
    for operator in list(&dump, "operators") {
        let id = &operator["origins"][0]["id"];
        let source = sources.iter().find(|source| source["id"] == *id).expect("a source");
        assert_eq!(source["subgraph"], operator["subgraph"]);
        assert_eq!(source["opcode"], operator["opcode"]);
    }
    // ONE's tables have no place for a subgraph: they speak of the first and hold ids of no other.
    let tables = one_tables(&folder.join("c.circle"));
    assert_eq!(tables, [(0, [0].into())].into());
    assert_eq!(dump["origin_files"][0]["format"], "tflite");
}

#[test]
fn the_same_input_gives_the_same_bytes_anywhere() {
    let make = |set: &[(&str, &str)]| {
        let folder = folder();
        start(folder.path(), "cnn_conv_bn_relu.circle");
        let profile = testdata().join("profiles/onert/cnn_conv_bn_relu_raw.trace.chrome.json");
        std::fs::copy(profile, folder.path().join("trace.json")).expect("a copy");
        let mut said = Vec::new();
        for (tool, args) in [
            (PROFILE, vec!["attach", "a.circle", "trace.json", "-o", "b.circle"]),
            (CIRCLE2CIRCLE, vec!["--O1", "b.circle", "c.circle"]),
            (DUMP, vec!["c.circle"]),
            (DUMP, vec!["--format", "json", "c.circle"]),
            (PROFILE, vec!["report", "c.circle"]),
            (VISUALIZER, vec!["c.circle", "-o", "c.svg"]),
            (VISUALIZER, vec!["c.circle", "-o", "c.png"]),
            (VISUALIZER, vec!["c.circle", "-o", "c.html"]),
        ] {
            let ran = run_with(folder.path(), tool, &args, |command| {
                command.envs(set.iter().copied());
            });
            said.push(ran.expect(0).stdout);
        }
        let files = ["b.circle", "c.circle", "c.svg", "c.png", "c.html"];
        (said, files.map(|file| md5(&folder.path().join(file))))
    };
    let here = make(&[]);
    let there =
        make(&[("TZ", "Pacific/Chatham"), ("LC_ALL", "de_DE.UTF-8"), ("LANG", "tr_TR"), ("COLUMNS", "40")]);
    assert_eq!(here.0, there.0);
    assert_eq!(here.1, there.1);
}
