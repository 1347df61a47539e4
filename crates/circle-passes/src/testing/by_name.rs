//! Helps the tests of rules: runs one pass on a model in text form.

use std::sync::Arc;

use circle_ir::Model;
use circle_ir::lineage::history::Run;
use circle_ir::text::{Show, parse, print};

use super::eval;
use crate::driver::{Settings, run};
use crate::registry::find;

/// The model after `pass`, checked after each patch, and how many patches were applied.
fn model_after(pass: &str, text: &str) -> (Model, u64) {
    let word = |w: &str| Arc::from(w);
    let run_entry = Run { tool: word("test"), version: word("0"), options: word("") };
    let settings = Settings {
        fixed_point: false,
        verify_each: true,
        stop_after_patch: None,
        log: false,
        run: run_entry,
    };
    let mut model = parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let none: &[u8] = &[];
    let pass = find(pass).unwrap_or_else(|| panic!("no pass {pass}"));
    let report = run(&mut model, &none, &[pass], &settings).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.refused, [""; 0], "a patch was refused");
    (model, report.patches)
}

/// The text after `pass`, which must compute the same as before.
pub(crate) fn same_after(pass: &str, text: &str) -> String {
    let before = parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let (model, patches) = model_after(pass, text);
    let none: &[u8] = &[];
    let printed = print(&model, &none, Show::Lineage);
    assert!(patches > 0, "{pass} does not fire on\n{text}");
    for seed in 0..3 {
        eval::compare(&before, &model, seed).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{printed}"));
    }
    printed
}

/// The text after `pass`; nothing if it does not fire.
pub(crate) fn after(pass: &str, text: &str) -> Option<String> {
    let (model, patches) = model_after(pass, text);
    let none: &[u8] = &[];
    (patches > 0).then(|| print(&model, &none, Show::Graph))
}

/// Asserts that `pass` fires on `text`, and on none of its changed forms: in each, the text on the left is replaced
/// by that on the right.
pub(crate) fn fires_but_not(pass: &str, text: &str, changes: &[(&str, &str, &str)]) {
    assert!(after(pass, text).is_some(), "{pass} does not fire on\n{text}");
    for (why, from, to) in changes {
        assert!(text.contains(from), "{why}: {from:?} is not in the text");
        let changed = text.replace(from, to);
        if let Some(after) = after(pass, &changed) {
            panic!("{pass} fires although {why}:\n{changed}\n->\n{after}");
        }
    }
}
