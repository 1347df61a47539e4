//! Where test models are.

use std::path::{Path, PathBuf};

/// A file of `testdata/models`.
pub(crate) fn model(name: &str) -> Vec<u8> {
    let path = root().join("testdata/models").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The folder of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Model files below the folder that `CIRCLE_LINEAGE_CORPUS` names, sorted. Without the variable there
/// are none, and the test that asks says so.
#[allow(clippy::print_stderr, reason = "a test that does less than it could should say so")]
pub(crate) fn corpus() -> Vec<PathBuf> {
    let Some(folder) = std::env::var_os("CIRCLE_LINEAGE_CORPUS") else {
        eprintln!("CIRCLE_LINEAGE_CORPUS names no folder of models: only testdata/models is used");
        return Vec::new();
    };
    let mut folders = vec![PathBuf::from(folder)];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of the corpus") {
            let path = entry.expect("an entry of the corpus").path();
            match path.extension().and_then(|extension| extension.to_str()) {
                _ if path.is_dir() => folders.push(path),
                Some("circle" | "tflite") => files.push(path),
                _ => {}
            }
        }
    }
    files.sort();
    assert!(!files.is_empty(), "the corpus holds no model");
    files
}
