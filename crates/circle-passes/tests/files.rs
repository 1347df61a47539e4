//! The folders hold exactly the registered passes: one file a pass, named after it, with its three paragraphs and its
//! tests.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use circle_passes::Pass;
use circle_passes::registry::PASSES;

const FOLDERS: &[&str] = &["clean", "decompose", "fold", "forward", "fuse", "merge", "remove", "substitute"];

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut files = Vec::new();
    for path in entries.map(|entry| entry.expect("folders can be listed").path()) {
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The name that a rule's file declares; `None` for files that only help others.
fn declared(text: &str) -> Option<&str> {
    let info = text.split_once(": PassInfo = PassInfo {")?.1;
    info.split_once("name: \"")?.1.split('"').next()
}

/// Name of the file, or of its folder where a rule has one of its own.
fn stem(path: &Path) -> String {
    let path = if path.ends_with("mod.rs") { path.parent().expect("rules lie in folders") } else { path };
    path.file_stem().expect("rules have names").to_string_lossy().into_owned()
}

#[test]
fn folders_hold_exactly_the_registered_passes() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found: BTreeMap<String, PathBuf> = BTreeMap::new();
    for path in FOLDERS.iter().flat_map(|folder| rust_files(&source.join(folder))) {
        let text = std::fs::read_to_string(&path).expect("sources are text");
        let Some(name) = declared(&text) else { continue };
        assert_eq!(text.matches(": PassInfo = PassInfo {").count(), 1, "{}: two passes", path.display());
        assert!(name.contains(&stem(&path)), "{}: holds {name}", path.display());
        let doc: String = text.lines().take_while(|line| line.starts_with("//!")).collect();
        for part in ["When not:", "Lineage:"] {
            assert!(doc.contains(part), "{}: its first lines do not say {part}", path.display());
        }
        if let Some(other) = found.insert(name.to_owned(), path.clone()) {
            panic!("{name} is in {} and {}", other.display(), path.display());
        }
    }
    let files: Vec<&str> = found.keys().map(String::as_str).collect();
    let registered: Vec<&str> = PASSES.iter().map(Pass::name).collect();
    assert_eq!(files, registered);
}

#[test]
fn the_readme_lists_every_pass_as_it_is() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = std::fs::read_to_string(&path).expect("README.md is text");
    let rows: Vec<&str> =
        readme.lines().filter(|line| line.starts_with("| `") && line.matches('|').count() == 6).collect();
    let expected: Vec<String> = PASSES
        .iter()
        .map(|pass| {
            let info = pass.info();
            let group = if circle_passes::o1::NAMES.contains(&info.name) { "O1" } else { "" };
            format!(
                "| `{}` | {} | {group} | {} | {} |",
                info.name,
                info.change.name(),
                info.summary,
                info.lineage
            )
        })
        .collect();
    assert_eq!(rows, expected);
}
