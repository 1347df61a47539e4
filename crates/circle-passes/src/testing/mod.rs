//! Help for tests of rules: run one pass over a model in text and hold what the model computes before against what
//! it computes after.

pub(crate) mod eval;

mod by_name;
use std::sync::Arc;

use circle_ir::Model;
use circle_ir::lineage::history::Run;
use circle_ir::text::{Show, parse, print};

use crate::driver::{Settings, run};
use crate::rule::{Pass, Rule};

pub(crate) use by_name::{after, fires_but_not, same_after};

/// `text` with each pair's first part replaced by its second. The first must be there, so that a test of a refusal
/// cannot pass because it changed nothing.
pub(crate) fn changed(text: &str, changes: &[(&str, &str)]) -> String {
    changes.iter().fold(text.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from:?} is not in\n{text}");
        text.replace(from, to)
    })
}

fn apply(rule: &'static dyn Rule, text: &str) -> (Model, Model, u64) {
    let before = parse(text).unwrap_or_else(|e| panic!("{e} in\n{text}"));
    let mut after = before.clone();
    let named = |t: &str| Arc::from(t);
    let settings = Settings {
        fixed_point: true,
        verify_each: true,
        stop_after_patch: None,
        log: false,
        run: Run { tool: named("test"), version: named("0"), options: named("") },
    };
    let none: &[u8] = &[];
    let report = run(&mut after, &none, &[Pass::Rule(rule)], &settings).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.refused, [""; 0]);
    (before, after, report.patches)
}

/// Runs `rule` to its fixed point, checks that it fires and that the model computes the same, and returns the model
/// in text.
pub(crate) fn fires(rule: &'static dyn Rule, text: &str) -> String {
    let (before, after, patches) = apply(rule, text);
    let none: &[u8] = &[];
    let printed = print(&after, &none, Show::Lineage);
    assert!(patches > 0, "does not fire on\n{text}");
    for seed in 0..3 {
        eval::compare(&before, &after, seed).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{printed}"));
    }
    printed
}

/// Checks that `rule` leaves `text` alone.
pub(crate) fn refuses(rule: &'static dyn Rule, text: &str) {
    let (_, after, patches) = apply(rule, text);
    let none: &[u8] = &[];
    assert_eq!(patches, 0, "fires:\n{}", print(&after, &none, Show::Lineage));
}

/// Checks that `rule` fires on `text` and refuses each changed form of it.
pub(crate) fn refuses_each(rule: &'static dyn Rule, text: &str, changes: &[&[(&str, &str)]]) {
    assert!(apply(rule, text).2 > 0, "does not fire on\n{text}");
    changes.iter().for_each(|changes| refuses(rule, &changed(text, changes)));
}
