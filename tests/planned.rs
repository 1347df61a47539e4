//! Plans that the drivers write, carried out byte by byte (see `crates/circle-liveness/tests/arena`): those of models, those
//! that a memory plan gets anew, and those that come back from a model that carries them.

mod support;

#[allow(dead_code, reason = "plans are only run here")]
#[path = "../crates/circle-liveness/tests/arena/kernels.rs"]
mod kernels;
#[allow(dead_code, reason = "plans are only run here")]
#[path = "../crates/circle-liveness/tests/arena/layout.rs"]
mod layout;
#[allow(dead_code, reason = "plans are only run here")]
#[path = "../crates/circle-liveness/tests/arena/nets.rs"]
mod nets;
#[allow(dead_code, reason = "plans are only run here")]
#[path = "../crates/circle-liveness/tests/arena/run.rs"]
mod run;
#[path = "../crates/circle-liveness/tests/arena/windows.rs"]
mod windows;

use std::path::Path;

use circle_format::read::{ReadOptions, read};
use circle_ir::Model;

use layout::Layout;
use run::{Notes, alone, planned};
use support::model::{file, fresh};
use support::{PLAN, VISUALIZER, folder};

const PLANNERS: [&str; 7] = [
    "best",
    "aidge_none",
    "aidge_max_lifetime_max_size",
    "aidge_max_lifetime_min_size",
    "aidge_max_hole_max_lifetime",
    "greedy_by_size",
    "bump",
];

/// Runs a driver, which must succeed.
fn drive(folder: &Path, tool: &str, args: &[&str]) {
    support::run(folder, tool, args).expect(0);
}

/// Runs the plan in a file, and says what it saw.
fn carry_out(model: &Model, path: &Path, what: &str) -> Notes {
    let bytes = std::fs::read(path).expect("a plan");
    let memory = circle_memory::read::read(&bytes, what).unwrap_or_else(|error| panic!("{error}")).memory;
    let layout = Layout::of(model, &memory);
    let due = alone(model, &layout, u64::MAX).unwrap_or_else(|fault| panic!("{what}: {fault:?}"));
    planned(model, &layout, &due).unwrap_or_else(|fault| panic!("{what}: {fault:?}"))
}

#[test]
fn plans_that_are_written_compute_what_the_models_do() {
    let temporary = folder();
    let folder = temporary.path();
    let (mut rings, mut in_place, mut carried) = (0, 0, 0);
    for seed in 0..28 {
        let net = if seed % 4 == 3 { nets::nested(seed) } else { nets::net(seed) };
        let bytes = file(&net, &[], &[]);
        std::fs::write(folder.join("net.circle"), &bytes).expect("room for a net");
        let model = fresh(read(&bytes, ReadOptions::default()).unwrap_or_else(|error| panic!("{error}")));
        let (one, other) = (PLANNERS[seed as usize % 7], PLANNERS[(seed as usize + 3) % 7]);
        let limit = ["--time_limit", "0.05"];
        let told = |plan: &str| carry_out(&model, &folder.join(plan), &format!("{plan} of seed {seed}"));

        let options = ["--inplace", "--rings", "--planner", one, "net.circle", "--save_plan", "rings.json"];
        drive(folder, PLAN, &[&limit[..], &options].concat());
        rings += usize::from(told("rings.json").rings > 0);
        drive(folder, VISUALIZER, &["--planner", other, "rings.json", "-o", "anew.json"]);
        rings += usize::from(told("anew.json").rings > 0);

        let options = ["--inplace", "--reorder", "--planner", other, "--metadata", "tflm"];
        let files = ["--allocate_variable", "false", "net.circle", "carrying.circle"];
        if support::run(folder, PLAN, &[&limit[..], &options, &files].concat()).code == 0 {
            drive(folder, VISUALIZER, &["carrying.circle", "-o", "carried.json"]);
            let bytes = std::fs::read(folder.join("carrying.circle")).expect("a model");
            let model = fresh(read(&bytes, ReadOptions::default()).unwrap_or_else(|error| panic!("{error}")));
            let notes = carry_out(&model, &folder.join("carried.json"), &format!("carried of seed {seed}"));
            in_place += usize::from(notes.in_place > 0);
            carried += 1;
        }
    }
    assert!(rings > 10 && in_place > 5 && carried > 10, "{rings} rings, {in_place} of {carried} in place");
}
