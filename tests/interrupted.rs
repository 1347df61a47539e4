//! Whatever happens while a model is written, its input is intact and no half file has the output's name.
#![cfg(unix)]

mod support;

use std::fs::{self, OpenOptions};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use support::{CIRCLE2CIRCLE, PLAN, PROFILE, VISUALIZER, folder, listing, model, run};

/// Size of the large model in bytes: enough that reading, hashing and writing it can be interrupted anywhere.
const SIZE: usize = 128 << 20;

/// How often the driver is killed.
const KILLS: u32 = 50;

/// A model of about `size` bytes. Its bulk is a foreign metadata entry, which is carried along as weights are.
fn model_of(size: usize) -> Vec<u8> {
    let text =
        "subgraph sg0 \"main\" (%0) -> (%1)\n %0: f32[8] \"x\"\n %1: f32[8] \"y\"\n op0 NEG (%0) -> %1\n";
    let bulk = b"bytes that nobody reads, ".repeat(size / 25);
    model::assemble(text, &[("bulk".to_owned(), bulk)]).expect("a model")
}

fn start(folder: &Path, output: &str) -> Child {
    let mut command = Command::new(CIRCLE2CIRCLE);
    command.args(["-p", "in.circle", output]).current_dir(folder);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the driver starts")
}

/// A linear congruential step (Knuth's MMIX constants), upper bits.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

/// Removes what killed processes leave: part files, which bear their own kind of name. Nothing else may be there.
fn sweep(folder: &Path, known: &[&str]) -> u32 {
    let mut swept = 0;
    for name in listing(folder) {
        if name.starts_with(".circle-") && name.ends_with(".part") {
            fs::remove_file(folder.join(&name)).expect("the part file goes");
            swept += 1;
        } else {
            assert!(known.contains(&name.as_str()), "{name}");
        }
    }
    swept
}

/// Kills the driver again and again, each time at another moment of its run.
fn killed(output: &str) {
    let folder = folder();
    let (input, out) = (folder.path().join("in.circle"), folder.path().join(output));
    let in_place = output == "in.circle";
    let before = model_of(SIZE);
    fs::write(&input, &before).expect("a file");
    // What comes out when nobody stops it, and how long that takes.
    let begun = Instant::now();
    assert!(start(folder.path(), output).wait().expect("it ends").success());
    let whole = begun.elapsed();
    let after = fs::read(&out).expect("an output");
    assert!(before != after);
    let (mut seed, mut interrupted, mut while_writing) = (7, 0, 0);
    for kill in 0..KILLS {
        if in_place {
            fs::write(&input, &before).expect("a file");
        } else {
            let _ = fs::remove_file(&out);
        }
        let mut child = start(folder.path(), output);
        let moment = (next(&mut seed) % 1050) as f64 / 1000.0;
        if kill % 2 == 0 {
            // A little beyond the end, so that the moments around the renaming are hit as well.
            std::thread::sleep(whole.mul_f64(moment));
        } else {
            // While it writes, which is but a part of the run.
            let begun = Instant::now();
            while begun.elapsed() < whole
                && !listing(folder.path()).iter().any(|name| name.ends_with(".part"))
            {
                std::thread::sleep(Duration::from_millis(1));
            }
            std::thread::sleep(whole.mul_f64(moment / 10.0));
        }
        child.kill().expect("it is killed, or has ended");
        interrupted += u32::from(!child.wait().expect("it ends").success());
        let now = fs::read(&input).expect("the input");
        assert!(now == before || (in_place && now == after), "the input has changed");
        assert!(in_place || !out.exists() || fs::read(&out).expect("a file") == after, "a half file");
        while_writing += sweep(folder.path(), &["in.circle", output]);
    }
    assert!(interrupted >= KILLS / 3, "only {interrupted} runs were interrupted");
    assert!(while_writing > 0, "no run was interrupted while it wrote");
}

#[test]
fn killed_at_any_moment() {
    killed("out.circle");
}

#[test]
fn killed_at_any_moment_with_its_input_as_output() {
    killed("in.circle");
}

/// Kills a driver that reads in.circle and writes `outputs`, each time at another moment of its run.
fn killed_with(driver: &str, arguments: &[&str], outputs: &[&str]) {
    const KILLS: u32 = 12;
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let before = model_of(16 << 20);
    fs::write(at("in.circle"), &before).expect("a file");
    fs::write(at("times.csv"), "subgraph,op_index,metric,unit,value\n0,0,time,ns,7\n").expect("a file");
    let start = || {
        let mut command = Command::new(driver);
        command.args(arguments).current_dir(folder.path());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts")
    };
    let begun = Instant::now();
    assert!(start().wait().expect("it ends").success(), "{driver} {arguments:?}");
    // How long a run takes; the first one is slower than the others may be.
    let mut span = begun.elapsed();
    let after: Vec<Vec<u8>> = outputs.iter().map(|name| fs::read(at(name)).expect("an output")).collect();
    let known: Vec<&str> = ["in.circle", "times.csv"].iter().chain(outputs).copied().collect();
    let (mut seed, mut interrupted) = (11, 0);
    for _ in 0..KILLS {
        outputs.iter().for_each(|name| _ = fs::remove_file(at(name)));
        let mut child = start();
        std::thread::sleep(span.mul_f64((next(&mut seed) % 1050) as f64 / 1000.0));
        child.kill().expect("it is killed, or has ended");
        if child.wait().expect("it ends").success() {
            span = span.mul_f64(0.75);
        } else {
            interrupted += 1;
        }
        assert!(fs::read(at("in.circle")).expect("the input") == before, "the input has changed");
        for (name, after) in outputs.iter().zip(&after) {
            let Ok(bytes) = fs::read(at(name)) else { continue };
            // A report tells times, which are never the same.
            let whole = match *name {
                "report.json" => serde_json::from_slice::<serde_json::Value>(&bytes).is_ok(),
                _ => bytes == *after,
            };
            assert!(whole, "half of {name}");
        }
        sweep(folder.path(), &known);
    }
    assert!(interrupted >= KILLS / 4, "only {interrupted} runs of {driver} were interrupted");
}

#[test]
fn every_driver_killed_at_any_moment() {
    let beside = ["-p", "--sidecar", "out.json", "--report", "report.json", "in.circle", "out.circle"];
    killed_with(CIRCLE2CIRCLE, &beside, &["out.circle", "out.json", "report.json"]);
    killed_with(PROFILE, &["attach", "in.circle", "times.csv", "-o", "out.circle"], &["out.circle"]);
    killed_with(PLAN, &["in.circle", "out.circle"], &["out.circle"]);
    killed_with(VISUALIZER, &["in.circle", "-o", "out.html"], &["out.html"]);
    killed_with(VISUALIZER, &["in.circle", "-o", "out.png"], &["out.png"]);
}

#[test]
fn a_file_that_may_not_grow_is_an_error() {
    let folder = folder();
    let before = model_of(4 << 20);
    fs::write(folder.path().join("in.circle"), &before).expect("a file");
    // With the signal that ends a process as it is, and where whoever starts the driver ignores it.
    let cases =
        ["", "trap '' XFSZ; "].into_iter().flat_map(|trap| [(trap, "out.circle"), (trap, "in.circle")]);
    for (trap, output) in cases {
        // 2000 blocks of 512 bytes.
        let script = format!("{trap}ulimit -f 2000; exec \"$0\" in.circle {output}");
        let mut command = Command::new("sh");
        let ran = command
            .args(["-c", &script, CIRCLE2CIRCLE])
            .current_dir(folder.path())
            .output()
            .expect("sh starts");
        let stderr = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert_eq!(ran.status.code(), Some(1), "{stderr}");
        assert!(
            stderr.starts_with(&format!("error: {output}: ")) && stderr.contains("File too large"),
            "{stderr}"
        );
        assert_eq!(listing(folder.path()), ["in.circle"]);
        assert!(fs::read(folder.path().join("in.circle")).expect("the input") == before);
    }
}

/// Starts the driver, changes its input through `change` while it is at work, again and again from `delay` on, and
/// says how it ended and what it said.
fn changed(delay: Duration, change: impl Fn(&Path)) -> (Option<i32>, String) {
    let folder = folder();
    let input = folder.path().join("in.circle");
    fs::write(&input, model_of(SIZE)).expect("a file");
    let mut command = Command::new(CIRCLE2CIRCLE);
    command.args(["-p", "in.circle", "out.circle"]).current_dir(folder.path());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the driver starts");
    std::thread::sleep(delay);
    while child.try_wait().expect("it runs or has ended").is_none() {
        change(&input);
        std::thread::sleep(Duration::from_millis(1));
    }
    let output = child.wait_with_output().expect("it has ended");
    let out = folder.path().join("out.circle");
    assert_eq!(out.exists(), output.status.success(), "{}", output.status);
    if out.exists() {
        run(folder.path(), support::DUMP, &["out.circle"]).expect(0);
    }
    sweep(folder.path(), &["in.circle", "out.circle"]);
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Tries until the driver notices that `change` changes its input. A file system that is busy may make the change
/// only after the driver has ended, which is as if there had been none.
fn noticed(change: impl Fn(&Path)) {
    const TRIES: usize = 20;
    let mut last = (None, String::new());
    for _ in 0..TRIES {
        last = changed(Duration::ZERO, &change);
        if last == (Some(1), "error: in.circle: the file was changed while it was read\n".to_owned()) {
            return;
        }
    }
    panic!("not noticed in {TRIES} runs; the last: {last:?}");
}

#[test]
fn an_input_that_changes_while_it_is_read() {
    noticed(|path| {
        let file = OpenOptions::new().append(true).open(path).expect("the input");
        file.set_modified(std::time::SystemTime::now()).expect("another time");
    });
    // In place, so that only the time tells.
    noticed(|path| {
        let mut file = OpenOptions::new().write(true).open(path).expect("the input");
        file.seek(SeekFrom::End(-100)).and_then(|_| file.write_all(&[1; 100])).expect("other bytes");
    });
}

#[test]
fn an_input_that_shrinks_while_it_is_read() {
    let shrink = |path: &Path| {
        OpenOptions::new().write(true).open(path).expect("the input").set_len(100).expect("cut")
    };
    // The system ends the process where it looks at what is gone; no half file is left under the output's name.
    for delay in [0, 5, 10, 20, 40, 80, 160] {
        let (code, stderr) = changed(Duration::from_millis(delay), shrink);
        assert!(!stderr.contains("panicked"), "{stderr}");
        assert!(code.is_none_or(|code| code < 2), "{code:?}");
    }
}

/// A model that is its own output keeps its lineage when a file beside it cannot be written.
#[test]
fn a_file_beside_the_model_that_cannot_be_written() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("raw.circle"), model_of(100)).expect("a model is written");
    run(path, CIRCLE2CIRCLE, &["-q", "-p", "raw.circle", "m.circle"]).expect(0);
    let before = fs::read(path.join("m.circle")).expect("it is there");
    let strip = ["-q", "--strip_profiling_data", "m.circle", "m.circle"];
    let rebase = ["rebase", "-q", "--force", "m.circle", "--from", "raw.circle", "-o", "m.circle"];
    let cases: [(&str, &[&str], [&str; 2]); 3] = [
        (CIRCLE2CIRCLE, &strip, ["--sidecar", "nowhere/s.json"]),
        (CIRCLE2CIRCLE, &strip, ["--report", "nowhere/r.json"]),
        (PROFILE, &rebase, ["--sidecar", "nowhere/s.json"]),
    ];
    for (driver, arguments, beside) in cases {
        let failed = run(path, driver, &[arguments, &beside].concat()).expect(1);
        assert!(failed.stderr.contains("nowhere"), "{}", failed.stderr);
        let after = fs::read(path.join("m.circle")).expect("it is still there");
        assert!(after == before, "{driver} {beside:?} has changed the model");
        assert_eq!(sweep(path, &["raw.circle", "m.circle"]), 0);
    }
}
