//! Generated code belongs to the schemas beside it.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use crate::common::root;
use sha2::{Digest, Sha256};

const TABLES: &str = "crates/circle-tables/src/generated";

fn digest(path: &Path) -> String {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing into a string");
        text
    })
}

/// What `schema/regen.sh` has recorded: digest and path.
fn recorded(root: &Path) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(root.join("schema/digests.txt")).expect("schema/digests.txt");
    let split = |line: &str| line.split_once("  ").map(|(digest, path)| (digest.to_owned(), path.to_owned()));
    text.lines().map(|line| split(line).expect("a digest, two spaces and a path")).collect()
}

#[test]
fn schemas_and_what_they_generate_are_as_recorded() {
    let recorded = recorded(&root());
    for (expected, path) in &recorded {
        assert_eq!(digest(&root().join(path)), *expected, "{path} has changed: run schema/regen.sh");
    }
    let listed = |path: &str| recorded.iter().any(|(_, listed)| listed == path);
    for entry in std::fs::read_dir(root().join("schema")).expect("schema/") {
        let name = entry.expect("an entry of schema/").file_name().into_string().expect("a name in UTF-8");
        if name.ends_with(".fbs") {
            let generated = name.replace(".fbs", ".rs");
            let code = format!("crates/circle-schema/src/generated/{generated}");
            assert!(listed(&format!("schema/{name}")) && listed(&code), "{name} is new: run schema/regen.sh");
        }
    }
    assert!(listed(&format!("{TABLES}/opcode.rs")));
}

/// The compiler itself is only at hand where somebody has put it.
#[test]
fn regenerating_changes_nothing() {
    if std::env::var_os("FLATC").is_none() {
        eprintln!("FLATC names no compiler: nothing is regenerated");
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let script = root().join("schema/regen.sh");
    let status = Command::new("sh").arg(script).arg(folder.path()).status().expect("sh");
    assert!(status.success(), "regen.sh: {status}");
    let anew = recorded(folder.path());
    assert_eq!(anew, recorded(&root()));
    for (expected, path) in anew.iter().filter(|(_, path)| path.starts_with("crates/")) {
        assert_eq!(digest(&folder.path().join(path)), *expected, "{path}");
    }
}
