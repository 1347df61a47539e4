//! Claims are true: what the operators of a result claim is what they depend on. The table per pass is printed
//! (`--nocapture`).
//!
//! With `CIRCLE_LINEAGE_CORPUS` naming a folder that holds `models/`, over the models there too.
#![allow(clippy::print_stdout, reason = "the table is part of what the test is run for")]

mod fixtures;

use circle_ir::Model;
use circle_ir::import::ImportedLineage;
use circle_passes::proof::truth::{TruthReport, check};
use circle_passes::registry::PASSES;
use circle_passes::{Pass, Settings, o1};
use fixtures::{Fixture, binaries, file, settings, texts};

#[derive(Default)]
struct Row {
    models: usize,
    confirmed: u64,
    missing: u64,
    unfounded: u64,
    undecided: usize,
    runs: u64,
}

fn percent(part: u64, rest: u64) -> String {
    let all = part + rest;
    if all == 0 { "-".into() } else { format!("{:.1} %", 100.0 * part as f64 / all as f64) }
}

impl Row {
    fn add(&mut self, report: &TruthReport) {
        self.models += 1;
        self.confirmed += report.confirmed_on_changed;
        self.missing += report.missing();
        self.unfounded += report.unfounded();
        self.undecided += report.undecided.len();
        self.runs += report.runs;
    }
    fn print(&self, name: &str) {
        println!(
            "{name:34} {:6} {:9} {:>9} {:>9} {:9} {:5}",
            self.models,
            self.confirmed,
            percent(self.confirmed, self.missing),
            percent(self.confirmed, self.unfounded),
            self.undecided,
            self.runs
        );
    }
}

fn fresh(fixture: &Fixture) -> Model {
    let lineage = ImportedLineage::fresh(&fixture.draft, file(&fixture.name));
    fixture.draft.clone().adopt(lineage).unwrap_or_else(|e| panic!("{}: {e}", fixture.name))
}

fn judge(fixture: &Fixture, passes: &[Pass], settings: &Settings, row: &mut Row, wrong: &mut Vec<String>) {
    let name = &fixture.name;
    let report = check(&fresh(fixture), &fixture.bytes.as_slice(), passes, settings)
        .unwrap_or_else(|e| panic!("{name}: {e}"));
    let passes = passes.iter().map(Pass::name).next().unwrap_or("");
    wrong.extend(report.untrue.iter().map(|untrue| format!("{name}, {passes}: {untrue}")));
    for undecided in &report.undecided {
        println!("    {name}, {passes}: undecided: {undecided}");
    }
    row.add(&report);
}

/// Whether the pass has anything to do there; if not, there is nothing to judge.
fn fires(fixture: &Fixture, pass: Pass) -> bool {
    let mut model = fresh(fixture);
    let report = circle_passes::run(&mut model, &fixture.bytes.as_slice(), &[pass], &settings(false, false));
    report.unwrap_or_else(|e| panic!("{}: {e}", fixture.name)).patches > 0
}

#[test]
fn operators_depend_on_the_constants_of_what_they_claim() {
    let fixtures: Vec<Fixture> = texts().into_iter().chain(binaries()).collect();
    let mut wrong = Vec::new();
    println!("{:34} models  pairs       recall precision undecided  runs", "pass");
    for &pass in PASSES {
        let mut row = Row::default();
        for fixture in fixtures.iter().filter(|fixture| fires(fixture, pass)) {
            judge(fixture, &[pass], &settings(false, false), &mut row, &mut wrong);
        }
        row.print(pass.name());
    }
    let mut row = Row::default();
    for fixture in &fixtures {
        judge(fixture, &o1::passes(), &settings(true, false), &mut row, &mut wrong);
    }
    row.print("--O1");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
