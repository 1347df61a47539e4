//! Runs the files `tests/cli/<driver>/*.test`.
//!
//! A test file begins with what is run, in a shell, in an empty folder, one line each and in this order:
//!
//! ```text
//! # RUN: circle2circle %model out.circle
//! # RUN[dump]: circle-profile-dump out.circle
//! # FAIL[again]: circle2circle nothing.circle out.circle
//! # USAGE[misspelled]: circle2circle --explian fuse_rsqrt
//! ```
//!
//! `RUN` must end with exit code 0, `FAIL` with 1, `USAGE` with 2. What each prints must be what stands in
//! `<test>[.<name>].stdout` and `.stderr` beside the test; where there is no such file, it must print nothing.
//! `BLESS=1` writes these files anew.
//!
//! `%model` is the text that follows (see `circle_ir::text`), made a circle file; `%testdata` is the folder
//! `testdata`, `%tmpdir` the folder in which the commands run. In what is printed the two folders are written so, too,
//! the version of a driver as `%version`, and digests of files in the folder as `%md5(file)` and `%sha256(file)`.
//! Two more lines may stand at the beginning:
//!
//! ```text
//! # METADATA[ONE_op_table]: 1 0 2 0 1     a metadata entry of %model: words of 32 bits, and quoted strings
//! # FILE[costs.csv]: subgraph,op_index    a line of a file in %tmpdir
//! ```
//!
//! Other lines that begin with `#` are remarks; the first says what the test is about.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use libtest_mimic::{Arguments, Failed, Trial};
use md5::{Digest, Md5};
use sha2::Sha256;
use support::model::{Entry, assemble};

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cli");
    let mut trials = Vec::new();
    for driver in entries(&root) {
        let files = entries(&driver);
        for path in files.iter().filter(|path| path.extension().is_some_and(|e| e == "test")) {
            let name = path.strip_prefix(&root).unwrap_or(path).with_extension("");
            let path = path.clone();
            trials.push(Trial::test(name.display().to_string(), move || test(&path).map_err(Failed::from)));
        }
        trials.push(Trial::test(format!("{}/strays", name_of(&driver)), move || strays(&files)));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Expectations that belong to no command would be read by nobody.
fn strays(files: &[PathBuf]) -> Result<(), Failed> {
    let mut wanted = BTreeSet::new();
    for path in files.iter().filter(|path| path.extension().is_some_and(|e| e == "test")) {
        wanted.insert(path.clone());
        for step in Case::read(path)?.steps {
            wanted.extend(["stdout", "stderr"].map(|stream| expectation(path, &step.name, stream)));
        }
    }
    let strays: Vec<String> = files.iter().filter(|f| !wanted.contains(*f)).map(|f| name_of(f)).collect();
    if strays.is_empty() { Ok(()) } else { Err(format!("no command prints {strays:?}").into()) }
}

/// A command, and the exit code that it must have.
struct Step {
    name: String,
    code: i32,
    command: String,
}

struct Case {
    steps: Vec<Step>,
    metadata: Vec<Entry>,
    files: BTreeMap<String, String>,
    model: String,
}

impl Case {
    fn read(path: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
        let mut case =
            Case { steps: Vec::new(), metadata: Vec::new(), files: BTreeMap::new(), model: String::new() };
        for (index, line) in text.lines().enumerate() {
            let Some(remark) = line.strip_prefix("# ") else {
                case.model.push_str(line);
                case.model.push('\n');
                continue;
            };
            case.directive(remark).map_err(|error| format!("line {}: {error}", index + 1))?;
        }
        let names: BTreeSet<&str> = case.steps.iter().map(|step| step.name.as_str()).collect();
        match case.steps.len() {
            0 => Err("nothing is run".into()),
            n if n != names.len() => Err("two commands have one name".into()),
            _ => Ok(case),
        }
    }

    fn directive(&mut self, line: &str) -> Result<(), String> {
        let Some((head, rest)) = line.split_once(": ") else { return Ok(()) };
        let (kind, name) = match head.split_once('[') {
            None => (head, ""),
            Some((kind, name)) => (kind, name.strip_suffix(']').ok_or("] is missing")?),
        };
        let name = name.to_owned();
        let step = |code| Step { name: name.clone(), code, command: rest.to_owned() };
        match kind {
            "RUN" => self.steps.push(step(0)),
            "FAIL" => self.steps.push(step(1)),
            "USAGE" => self.steps.push(step(2)),
            "METADATA" => self.metadata.push((name, payload(rest)?)),
            "FILE" => {
                let file = self.files.entry(name).or_default();
                file.push_str(rest);
                file.push('\n');
            }
            _ => {}
        }
        Ok(())
    }
}

/// Words of 32 bits and quoted strings, one after the other.
fn payload(mut text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    loop {
        text = text.trim_start();
        if text.starts_with('"') {
            let (string, used) = circle_tables::unquote(text).map_err(|error| error.to_string())?;
            bytes.extend(string.as_bytes());
            text = &text[used..];
        } else if let Some(word) = text.split_whitespace().next() {
            let number: u32 = word.parse().map_err(|_| format!("{word:?} is no word of 32 bits"))?;
            bytes.extend(number.to_le_bytes());
            text = &text[word.len()..];
        } else {
            return Ok(bytes);
        }
    }
}

fn expectation(test: &Path, name: &str, stream: &str) -> PathBuf {
    let stem = test.with_extension("");
    let dot = if name.is_empty() { "" } else { "." };
    PathBuf::from(format!("{}{dot}{name}.{stream}", stem.display()))
}

fn test(path: &Path) -> Result<(), String> {
    let case = Case::read(path)?;
    let folder = support::folder();
    let tmpdir = folder.path().canonicalize().map_err(|e| e.to_string())?;
    if !case.model.trim().is_empty() {
        let file = assemble(&case.model, &case.metadata)?;
        std::fs::write(tmpdir.join("model.circle"), file).map_err(|e| e.to_string())?;
    }
    for (name, text) in &case.files {
        std::fs::write(tmpdir.join(name), text).map_err(|e| e.to_string())?;
    }
    let mut report = String::new();
    for step in &case.steps {
        if let Err(error) = run(path, step, &tmpdir) {
            let _ = writeln!(report, "$ {}\n{error}", step.command);
        }
    }
    if report.is_empty() { Ok(()) } else { Err(report) }
}

fn run(test: &Path, step: &Step, tmpdir: &Path) -> Result<(), String> {
    let testdata = support::testdata();
    let text = |path: &Path| path.display().to_string();
    let command = step
        .command
        .replace("%model", &text(&tmpdir.join("model.circle")))
        .replace("%testdata", &text(&testdata))
        .replace("%tmpdir", &text(tmpdir));
    let drivers = Path::new(support::CIRCLE2CIRCLE).parent().ok_or("no folder of drivers")?;
    let path = format!("{}:{}", drivers.display(), std::env::var("PATH").unwrap_or_default());
    let output = Command::new("sh")
        .args(["-c", &command])
        .current_dir(tmpdir)
        .env("PATH", path)
        .env("COLUMNS", "100")
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .output()
        .map_err(|error| error.to_string())?;
    let digests = digests(tmpdir);
    let shown = |bytes: &[u8]| {
        let mut shown = String::from_utf8_lossy(bytes)
            .replace(&text(tmpdir), "%tmpdir")
            .replace(&text(&testdata), "%testdata");
        for driver in [
            "circle2circle",
            "circle-execution-plan",
            "circle-profile-dump",
            "circle-profile",
            "one-visualizer",
        ] {
            let version = format!("{driver} {}", env!("CARGO_PKG_VERSION"));
            shown = shown.replace(&version, &format!("{driver} %version"));
        }
        for (digest, name) in &digests {
            shown = shown.replace(digest, name);
        }
        shown
    };
    let (stdout, stderr) = (shown(&output.stdout), shown(&output.stderr));
    let mut report = String::new();
    if output.status.code() != Some(step.code) {
        let _ = writeln!(report, "{}, and exit code {} is due\n{stderr}", output.status, step.code);
    }
    if stderr.contains("panicked") {
        let _ = writeln!(report, "it panicked\n{stderr}");
    }
    for (stream, found) in [("stdout", stdout), ("stderr", stderr)] {
        let place = expectation(test, &step.name, stream);
        if std::env::var_os("BLESS").is_some() {
            bless(&place, &found).map_err(|error| format!("{}: {error}", place.display()))?;
            continue;
        }
        let expected = std::fs::read_to_string(&place).unwrap_or_default();
        if expected != found {
            let _ = writeln!(report, "{}:\n{}", name_of(&place), difference(&expected, &found));
        }
    }
    if report.is_empty() { Ok(()) } else { Err(report) }
}

/// Digests of the files in `folder` and how they are written.
fn digests(folder: &Path) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for path in entries(folder).iter().filter(|path| path.is_file()) {
        let Ok(bytes) = std::fs::read(path) else { continue };
        let name = name_of(path);
        all.push((format!("{:x}", Md5::digest(&bytes)), format!("%md5({name})")));
        all.push((format!("{:x}", Sha256::digest(&bytes)), format!("%sha256({name})")));
    }
    all
}

fn bless(place: &Path, found: &str) -> std::io::Result<()> {
    if !found.is_empty() {
        return std::fs::write(place, found);
    }
    match std::fs::remove_file(place) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The lines from the first to the last that differ, with some around them.
fn difference(expected: &str, found: &str) -> String {
    const AROUND: usize = 3;
    let (old, new): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), found.lines().collect());
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - same;
    let tail = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let mut out = String::new();
    let mut lines = |mark: char, lines: &[&str]| {
        for line in lines {
            let _ = writeln!(out, "  {mark} {line}");
        }
    };
    lines(' ', &old[same.saturating_sub(AROUND)..same]);
    lines('-', &old[same..old.len() - tail]);
    lines('+', &new[same..new.len() - tail]);
    let end = old.len() - tail;
    lines(' ', &old[end..old.len().min(end + AROUND)]);
    out
}
