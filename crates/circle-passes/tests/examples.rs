//! Every registered pass: its example is what the pass does, the registry is sorted, and the folders hold exactly
//! the registered passes.

use std::sync::Arc;

use circle_ir::lineage::history::Run;
use circle_ir::text::{Show, parse, print};
use circle_passes::registry::PASSES;
use circle_passes::{Pass, Settings, o1, run};

fn settings() -> Settings {
    let text = |t: &str| Arc::from(t);
    let run = Run { tool: text("test"), version: text("0"), options: text("") };
    Settings { fixed_point: false, verify_each: true, stop_after_patch: None, log: false, run }
}

fn apply(pass: Pass, before: &str) -> String {
    let name = pass.name();
    let mut model = parse(before).unwrap_or_else(|e| panic!("{name}: before: {e}"));
    let none: &[u8] = &[];
    let report = run(&mut model, &none, &[pass], &settings()).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert_eq!(report.refused, [""; 0], "{name}");
    assert!(report.patches > 0, "{name} does not fire on its example");
    print(&model, &none, Show::Lineage)
}

#[test]
fn examples_are_what_the_passes_do() {
    let mut wrong = Vec::new();
    for pass in PASSES {
        let info = pass.info();
        let got = apply(*pass, info.before);
        if got.trim() != info.after.trim() {
            wrong.push(format!("--- {}: expected\n{}\n--- got\n{got}", info.name, info.after));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_registry_is_sorted_and_documented() {
    let names: Vec<&str> = PASSES.iter().map(Pass::name).collect();
    let mut sorted = names.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(names, sorted);
    for pass in PASSES {
        let info = pass.info();
        assert!(!info.summary.is_empty() && !info.lineage.is_empty(), "{} says too little", info.name);
    }
    assert_eq!(o1::passes().len(), o1::NAMES.len(), "--O1 names a pass that does not exist");
}
