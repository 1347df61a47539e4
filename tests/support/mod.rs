//! What tests of the drivers share: starting them, and making models for them.
#![allow(dead_code, reason = "each test target uses a part of it")]

pub(crate) mod model;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub(crate) const CIRCLE2CIRCLE: &str = env!("CARGO_BIN_EXE_circle2circle");
pub(crate) const PLAN: &str = env!("CARGO_BIN_EXE_circle-execution-plan");
pub(crate) const DUMP: &str = env!("CARGO_BIN_EXE_circle-profile-dump");
pub(crate) const PROFILE: &str = env!("CARGO_BIN_EXE_circle-profile");
pub(crate) const VISUALIZER: &str = env!("CARGO_BIN_EXE_one-visualizer");

/// The folder `testdata` of the repository.
pub(crate) fn testdata() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    folder.canonicalize().expect("testdata is there")
}

/// What a driver did.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    /// The same, if it ended with `code`.
    #[track_caller]
    pub(crate) fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, code, "exit code\nstdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error} in\n{}", self.stdout))
    }
}

/// Runs a driver in `folder`. A panic or a signal fails the test whatever it expects.
#[track_caller]
pub(crate) fn run(folder: &Path, tool: &str, args: &[&str]) -> Ran {
    run_with(folder, tool, args, |_| {})
}

/// The same with something changed about the process.
#[track_caller]
pub(crate) fn run_with(folder: &Path, tool: &str, args: &[&str], set: impl FnOnce(&mut Command)) -> Ran {
    let mut command = Command::new(tool);
    command.args(args).current_dir(folder).stdin(Stdio::null());
    set(&mut command);
    let output = command.output().expect("the driver starts");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!stderr.contains("panicked"), "{args:?} panicked:\n{stderr}");
    let Some(code) = output.status.code() else { panic!("{args:?}: {}\n{stderr}", output.status) };
    Ran { code, stdout: String::from_utf8_lossy(&output.stdout).into_owned(), stderr }
}

/// A folder that goes when the test ends.
pub(crate) fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// Model files of the corpus that `CIRCLE_LINEAGE_CORPUS` names, sorted: those in folders named `hostile`, or all
/// others. Without the variable there are none, and the test says that it does nothing.
#[allow(clippy::print_stderr, reason = "a test that does nothing should say so")]
pub(crate) fn corpus(hostile: bool) -> Vec<PathBuf> {
    let Some(corpus) = std::env::var_os("CIRCLE_LINEAGE_CORPUS") else {
        eprintln!("CIRCLE_LINEAGE_CORPUS names no corpus: nothing is tested");
        return Vec::new();
    };
    let mut folders = vec![Path::new(&corpus).join("models")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of models") {
            let path = entry.expect("an entry").path();
            match path.extension().and_then(OsStr::to_str) {
                _ if path.is_dir() => folders.push(path),
                Some("circle" | "tflite") => files.push(path),
                _ => {}
            }
        }
    }
    files.retain(|path| path.components().any(|c| c.as_os_str() == "hostile") == hostile);
    files.sort();
    assert!(!files.is_empty(), "the corpus holds no such model");
    files
}

/// Names of the files in `folder`, sorted.
pub(crate) fn listing(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}
