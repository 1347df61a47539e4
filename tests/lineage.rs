//! No pass loses, invents or misplaces an origin: every pass alone on every model, each operator of which has an
//! original and a cost of its own. The table of what each pass did is printed (`--nocapture`).
//!
//! With `CIRCLE_LINEAGE_CORPUS` naming a folder that holds `models/`, over the models there too.
#![allow(clippy::print_stdout, unreachable_pub, reason = "the table is part of what the test is run for")]

mod fixtures;

use std::fmt::Display;

use circle_passes::proof::originify::{Traces, check, plant, traces};
use circle_passes::registry::PASSES;
use circle_passes::{o1, run};
use fixtures::{Fixture, binaries, file, settings, texts};

/// What a pass did over all models.
#[derive(Default)]
struct Row {
    models: usize,
    fired: u64,
    traces: Traces,
}

fn list<K: Display>(counts: impl IntoIterator<Item = (K, u64)>) -> String {
    let all: Vec<String> = counts.into_iter().map(|(what, count)| format!("{what} {count}")).collect();
    if all.is_empty() { "-".into() } else { all.join(", ") }
}

impl Row {
    fn print(&self, name: &str) {
        let Traces { steps, roles, on_constants, reasons } = &self.traces;
        println!(
            "{name:34} {:6} {:6}  {:40} {:58} {:20} {}",
            self.models,
            self.fired,
            list(steps.iter().map(|(k, n)| (*k, *n))),
            list(roles.iter().map(|(k, n)| (*k, *n))),
            list(on_constants.iter().map(|(k, n)| (*k, *n))),
            list(reasons.iter().map(|(k, n)| (k.name(), *n))),
        );
    }
}

#[test]
fn no_pass_loses_invents_or_misplaces_an_origin() {
    let fixtures: Vec<Fixture> = texts().into_iter().chain(binaries()).collect();
    let mut rows: Vec<Row> = PASSES.iter().map(|_| Row::default()).collect();
    let mut wrong = Vec::new();
    for Fixture { name, draft, bytes } in fixtures {
        let before = plant(draft, file(&name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        for (pass, row) in PASSES.iter().zip(&mut rows) {
            let mut after = before.clone();
            let report = match run(&mut after, &bytes.as_slice(), &[*pass], &settings(false, true)) {
                Ok(report) => report,
                Err(error) => {
                    wrong.push(format!("{name}, {}: {error}", pass.name()));
                    continue;
                }
            };
            wrong.extend(report.refused.iter().map(|text| format!("{name}: does not fit: {text}")));
            if report.patches == 0 {
                assert_eq!(after.operator_count(), before.operator_count(), "{name}, {}", pass.name());
                continue;
            }
            let found = check(&before, &after, pass.info());
            wrong.extend(found.iter().map(|text| format!("{name}, {}: {text}", pass.name())));
            row.models += 1;
            row.fired += report.patches;
            row.traces.add(&traces(&after, pass.name()));
        }
    }
    println!(
        "{:34} models  fired  {:40} {:58} {:20} departures",
        "pass", "derivations", "roles of operators", "of constants"
    );
    for (pass, row) in PASSES.iter().zip(&rows) {
        row.print(pass.name());
        if row.fired == 0 {
            wrong.push(format!("{} fires on no model", pass.name()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_group_keeps_every_origin_after_every_patch() {
    for Fixture { name, draft, bytes } in texts().into_iter().chain(binaries()) {
        let mut model = plant(draft, file(&name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        let report = run(&mut model, &bytes.as_slice(), &o1::passes(), &settings(true, true));
        let report = report.unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(report.refused, [""; 0], "{name}");
    }
}
