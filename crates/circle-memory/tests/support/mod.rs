//! What the tests share.
#![allow(dead_code, reason = "each test target uses a part of it")]

use std::path::{Path, PathBuf};

use circle_memory::read::{Document, Form, read};
use circle_memory::write::{WriteOptions, write};
use circle_memory::{CheckOptions, Memory, Report, check};

/// The folder `testdata` of the repository.
pub(crate) fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata")
}

/// Bytes of a file of `testdata`.
#[track_caller]
pub(crate) fn bytes(path: &str) -> Vec<u8> {
    std::fs::read(testdata().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// All samples with memory data, sorted, by their paths in `testdata`.
pub(crate) fn samples() -> Vec<String> {
    let mut found = Vec::new();
    for folder in ["memory", "memory/aidge", "plans"] {
        for entry in std::fs::read_dir(testdata().join(folder)).expect("a folder") {
            let name = entry.expect("an entry").file_name().into_string().expect("a name");
            let sample = [".json", ".csv", ".txt", ".log"].iter().any(|end| name.ends_with(end));
            if sample && !name.contains(".names.") {
                found.push(format!("{folder}/{name}"));
            }
        }
    }
    found.sort();
    assert!(found.len() > 20, "{found:?}");
    found
}

/// A sample that must be read.
#[track_caller]
pub(crate) fn sample(path: &str) -> Document {
    text(bytes(path))
}

/// Bytes that must be read.
#[track_caller]
pub(crate) fn text(bytes: impl AsRef<[u8]>) -> Document {
    read(bytes.as_ref(), "t").unwrap_or_else(|error| panic!("{error}"))
}

/// Why bytes are not read.
#[track_caller]
pub(crate) fn refused(bytes: impl AsRef<[u8]>) -> String {
    let bytes = bytes.as_ref();
    match read(bytes, "t") {
        Err(error) => error.to_string(),
        Ok(read) => panic!("{} was read as {:?}", String::from_utf8_lossy(bytes), read.memory),
    }
}

/// A memory written in a form that can express it.
#[track_caller]
pub(crate) fn written(memory: &Memory, form: Form) -> Vec<u8> {
    let mut out = Vec::new();
    let lost = write(memory, form, &WriteOptions::default(), &mut out);
    assert_eq!(lost.unwrap_or_else(|error| panic!("{error}")), []);
    out
}

/// What is found about a memory that was read.
pub(crate) fn checked(document: &Document) -> Report {
    check(&document.memory, &document.places, CheckOptions::default())
}

/// The findings as they are shown.
pub(crate) fn findings(document: &Document) -> Vec<String> {
    checked(document).findings.iter().map(|finding| finding.in_file("t").to_string()).collect()
}
