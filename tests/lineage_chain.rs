//! Lineage through several runs, and past tools that know nothing of it.

mod support;

mod chain {
    pub(crate) mod aware;
    pub(crate) mod rewritten;
    pub(crate) mod unaware;
    pub(crate) mod verdicts;
}

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use circle_metadata::one::OneTables;
use md5::{Digest, Md5};
use serde_json::Value;
use support::model::unaware;
use support::{DUMP, run};

/// What the dump says of a file that is sound.
#[track_caller]
fn dump(folder: &Path, file: &str) -> Value {
    run(folder, DUMP, &["--format", "json", file]).expect(0).json()
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().unwrap_or_else(|| panic!("{key} is no list in {value:#}"))
}

/// Ids of the originals that an operator or constant stands for.
fn ids(row: &Value) -> BTreeSet<u64> {
    list(row, "origins").iter().map(|origin| origin["id"].as_u64().expect("an id")).collect()
}

/// Ids by operator, in file order.
fn by_operator(dump: &Value) -> Vec<BTreeSet<u64>> {
    list(dump, "operators").iter().map(ids).collect()
}

fn sources(dump: &Value) -> BTreeSet<u64> {
    list(dump, "sources").iter().map(|source| source["id"].as_u64().expect("an id")).collect()
}

/// Every original is claimed by an operator or constant, or retired with a reason, and no other id occurs.
#[track_caller]
fn conserved(dump: &Value) {
    let mut seen: BTreeSet<u64> =
        list(dump, "operators").iter().chain(list(dump, "constants")).flat_map(ids).collect();
    for retired in list(dump, "retired") {
        assert!(retired["reason"].as_str().is_some_and(|reason| !reason.is_empty()), "{retired:#}");
        seen.insert(retired["id"].as_u64().expect("an id"));
    }
    assert_eq!(seen, sources(dump));
}

/// MD5 of a file, hexadecimal.
fn md5(path: &Path) -> String {
    format!("{:x}", Md5::digest(std::fs::read(path).expect("a file")))
}

/// ONE's tables of a file, which luci takes: no finding, all ids listed, one record for each operator of the first
/// subgraph. Sets of ids by operator.
#[track_caller]
fn one_tables(path: &Path) -> BTreeMap<u32, BTreeSet<u32>> {
    let bytes = std::fs::read(path).expect("a file");
    let (loaded, entries) = unaware(&bytes);
    let operators = loaded.draft.subgraphs[0].operators.len();
    let tables = entries.iter().filter(|(name, _)| name.starts_with("ONE_"));
    let payloads: Vec<_> =
        tables.map(|(name, payload)| (name.as_bytes(), Some(payload.as_slice()))).collect();
    assert_eq!(payloads.len(), 2);
    let (tables, problems) = OneTables::decode(payloads, operators);
    assert_eq!(problems, vec![]);
    let tables = tables.expect("two tables");
    assert_eq!(tables.operators.len(), operators);
    for ids in tables.operators.values() {
        assert!(!ids.is_empty() && ids.iter().all(|id| tables.sources.contains_key(id)));
    }
    tables.operators
}
