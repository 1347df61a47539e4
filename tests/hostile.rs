//! Bad input: the drivers say what is wrong and where, end with 1, and leave nothing behind.

mod support;

mod bad {
    pub(crate) mod lines;
    pub(crate) mod names;
    pub(crate) mod places;
    pub(crate) mod tables;
}

use std::path::Path;

use support::{
    CIRCLE2CIRCLE, DUMP, PLAN, PROFILE, Ran, VISUALIZER, corpus, folder, listing, model, run, testdata,
};

/// All drivers on `input`, which none of them can use: one located error each, and no file.
#[track_caller]
fn refused(folder: &Path, input: &str) {
    let before = listing(folder);
    let commands: [(&str, &[&str]); 6] = [
        (CIRCLE2CIRCLE, &["--O1", "-p", input, "out.circle"]),
        (PLAN, &[input, "out.circle"]),
        (DUMP, &[input]),
        (PROFILE, &["attach", input, "none.csv", "-o", "out.circle"]),
        (PROFILE, &["report", input]),
        (VISUALIZER, &[input, "-o", "out.html"]),
    ];
    for (tool, args) in commands {
        located(run(folder, tool, args), input);
    }
    assert_eq!(listing(folder), before, "{input} left something behind");
}

/// The run failed with one error that begins with the file's name.
#[track_caller]
fn located(ran: Ran, input: &str) {
    let ran = ran.expect(1);
    let start = format!("error: {input}: ");
    assert!(ran.stderr.starts_with(&start), "{start:?} is expected at the start of\n{}", ran.stderr);
    assert_eq!(ran.stderr.matches("error: ").count(), 1, "{}", ran.stderr);
    assert_eq!(ran.stdout, "");
}

#[test]
fn models_cut_short_are_refused() {
    let folder = folder();
    let mut cuts = 0;
    for name in ["cnn_conv_bn_relu.circle", "external_buffers_cnn.circle", "while_loop.tflite"] {
        let whole = std::fs::read(testdata().join("models").join(name)).expect("a model");
        for length in (0..whole.len()).step_by(64) {
            std::fs::write(folder.path().join("cut.circle"), &whole[..length]).expect("a file");
            located(run(folder.path(), CIRCLE2CIRCLE, &["cut.circle", "out.circle"]), "cut.circle");
            assert_eq!(listing(folder.path()), ["cut.circle"], "{name} cut at byte {length}");
            cuts += 1;
        }
    }
    assert!(cuts > 300, "{cuts}");
}

#[test]
fn what_is_no_model_is_refused_by_every_driver() {
    let folder = folder();
    let file = |name: &str, bytes: &[u8]| {
        std::fs::write(folder.path().join(name), bytes).expect("a file");
        refused(folder.path(), name);
    };
    file("empty.circle", b"");
    file("text.circle", "no model but text\n".as_bytes());
    file("table.circle", b"subgraph,op_index,metric,unit,value\n0,0,time,ns,1\n");
    let trace = testdata().join("profiles/onert/while_000.trace.chrome.json");
    file("trace.circle", &std::fs::read(trace).expect("a trace"));
    file("zeros.circle", &[0; 4096]);
    file("ones.circle", &[0xff; 4096]);
    file("identifier.circle", b"\x08\0\0\0CIR0");
    refused(folder.path(), "nothing.circle");
    std::fs::create_dir(folder.path().join("folder.circle")).expect("a folder");
    refused(folder.path(), "folder.circle");
}

#[cfg(unix)]
#[test]
fn pipes_devices_and_closed_doors_are_refused_at_once() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    let made = std::process::Command::new("mkfifo").arg(path("pipe.circle")).status();
    assert!(made.expect("mkfifo starts").success());
    refused(folder.path(), "pipe.circle");
    refused(folder.path(), "/dev/null");
    // As after its target vanished.
    symlink("gone.circle", path("link.circle")).expect("a link");
    refused(folder.path(), "link.circle");
    std::fs::copy(testdata().join("models/while_loop.tflite"), path("closed.tflite")).expect("a copy");
    std::fs::set_permissions(path("closed.tflite"), PermissionsExt::from_mode(0o000)).expect("a file");
    // Nothing is closed to the superuser.
    if std::fs::File::open(path("closed.tflite")).is_err() {
        refused(folder.path(), "closed.tflite");
    }
}

/// Models that run, and whose tensors no name tells apart.
const NAMELESS: [&str; 2] = ["tensor_names_not_ascii", "tensors_without_names"];

#[test]
fn models_damaged_on_purpose_are_refused() {
    for path in corpus(true) {
        let folder = folder();
        let input = path.to_str().expect("a name in UTF-8");
        refused(folder.path(), input);
        if NAMELESS.iter().any(|name| path.file_stem().is_some_and(|stem| stem == *name)) {
            let options = ["--O1", "-p", "--allow_loss", input, "out.circle"];
            run(folder.path(), CIRCLE2CIRCLE, &options).expect(0);
            // With lineage, the operators are known by their index.
            let dump = run(folder.path(), DUMP, &["--format", "json", "out.circle"]).expect(0).json();
            assert_eq!(dump["coverage"]["unknown"], 0, "{input}");
        }
    }
}

/// A plan that is at fault, or is none of the model that carries it, is a fault of the file, whatever of it is looked at;
/// what can be drawn is drawn all the same.
#[test]
fn plans_that_do_not_fit_are_found() {
    let text = "subgraph sg0 \"main\" (%0) -> (%2)\n  %0: f32[8] \"x\"\n  %1: f32[8] \"a\"\n  %2: f32[8] \"y\"\n  \
                op0 ABS (%0) -> %1\n  op1 ADD (%0, %1) -> %2\n";
    let folder = folder();
    let folder = folder.path();
    let file = |name: &str, numbers: &[i32]| {
        let payload: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let entries = [("OfflineMemoryAllocation".to_owned(), payload)];
        std::fs::write(folder.join(name), model::assemble(text, &entries).expect("a model")).expect("a file");
    };
    // Version, subgraph, number of tensors, offsets: two in one place; and one too few.
    file("m.circle", &[1, 0, 3, 0, 0, 32]);
    file("few.circle", &[1, 0, 2, 0, 32]);
    for view in [&[][..], &["--view", "memory"]] {
        let ran = run(folder, VISUALIZER, &[&["--check", "m.circle"], view].concat()).expect(1);
        let text =
            "m.circle: its OfflineMemoryAllocation: segment 0 \"arena\", block 1 \"a\", offset: shares";
        assert!(ran.stderr.contains(text), "{}", ran.stderr);
        let ran = run(folder, VISUALIZER, &[&["--check", "few.circle"], view].concat()).expect(1);
        let text = "few.circle: its OfflineMemoryAllocation does not fit it: the plan is of 2 tensors";
        assert!(ran.stderr.contains(text), "{}", ran.stderr);
    }
    for (name, code) in [("m.circle", "overlap"), ("few.circle", "plan")] {
        for view in ["auto", "memory"] {
            let args = ["--check", "--format", "json", "--view", view, name];
            let json = run(folder, VISUALIZER, &args).expect(1).json();
            assert_eq!(json["findings"][0]["code"], code, "{json}");
        }
    }
    let ran = run(folder, VISUALIZER, &["--view", "memory", "m.circle", "-o", "m.svg"]).expect(0);
    assert!(ran.stderr.contains("shares addresses"), "{}", ran.stderr);
    let ran = run(folder, VISUALIZER, &["--view", "memory", "few.circle", "-o", "few.svg"]).expect(0);
    assert!(ran.stderr.contains("a new plan is made"), "{}", ran.stderr);
}
