//! What the tests of all passes share.
#![allow(dead_code, unreachable_pub, reason = "each test uses a part")]

#[path = "../../src/testing/eval/mod.rs"]
pub(crate) mod eval;

pub mod measured;

use std::sync::Arc;

use circle_ir::Model;
use circle_ir::lineage::history::Run;
use circle_passes::registry::find;
use circle_passes::{Pass, Report, Settings, run};

/// Checked after each patch.
pub fn settings(fixed_point: bool) -> Settings {
    let text = |t: &str| Arc::from(t);
    let run = Run { tool: text("test"), version: text("0"), options: text("") };
    Settings { fixed_point, verify_each: true, stop_after_patch: None, log: false, run }
}

/// Runs `passes` and panics, with `context`, when something is broken or a patch did not fit.
pub fn run_all(model: &mut Model, passes: &[Pass], fixed_point: bool, context: &str) -> Report {
    let none: &[u8] = &[];
    let report =
        run(model, &none, passes, &settings(fixed_point)).unwrap_or_else(|e| panic!("{context}: {e}"));
    assert_eq!(report.refused, [""; 0], "{context}");
    report
}

/// Panics when a step in the history is not what its pass may do, or an operator claims more than its step took.
pub fn check_history(model: &Model, context: &str) {
    let store = model.store();
    for (id, event) in store.history.iter() {
        let name = store.pass_name(event.pass);
        // Tensors that nothing reads leave under this name whatever pass is run.
        let change = find(name).map(|pass| pass.info().change);
        let legal = change.is_some_and(|change| change.actions().contains(&event.action));
        assert!(legal, "{context}: {id}: {name} must not {}", event.action.name());
    }
    for (sg, subgraph) in model.subgraphs() {
        for (op, operator) in subgraph.operators() {
            let Some(event) = operator.lineage().event().and_then(|event| store.history.get(event)) else {
                continue;
            };
            let took: Vec<_> = store.claim_sets.get(event.took).iter().map(|claim| claim.origin).collect();
            for claim in store.claim_sets.get(operator.lineage().claims()) {
                let pass = store.pass_name(event.pass);
                assert!(
                    took.contains(&claim.origin),
                    "{context}: {sg} {op} by {pass} invents {}",
                    claim.origin
                );
            }
        }
    }
}

/// A random number generator (splitmix64) whose numbers a failing test can name by their seed.
pub struct Random(pub u64);

impl Random {
    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }
}

/// Models on which several passes have something to do.
pub const MODELS: &[(&str, &str)] = &[
    ("attention", include_str!("../models/attention.txt")),
    ("batch norms", include_str!("../models/batch_norms.txt")),
    ("channels first", include_str!("../models/channels_first.txt")),
    ("leftovers", include_str!("../models/leftovers.txt")),
    ("two subgraphs", include_str!("../models/two_subgraphs.txt")),
];
