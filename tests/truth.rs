//! Claims are true: what the operators of a result claim is what they depend on. The table per pass is printed
//! (`--nocapture`).
//!
//! With `CIRCLE_LINEAGE_CORPUS` naming a folder that holds `models/`, over the models there too.
#![allow(clippy::print_stdout, unreachable_pub, reason = "the table is part of what the test is run for")]

#[allow(dead_code, reason = "each test uses a part")]
#[path = "../crates/circle-passes/src/testing/eval/mod.rs"]
mod eval;
mod fixtures;
mod flow;

use circle_ir::import::ImportedLineage;
use circle_ir::{Model, SubgraphId};
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
    untried: u64,
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
        self.untried += report.untried;
        self.undecided += report.undecided.len();
        self.runs += report.runs;
    }
    fn print(&self, name: &str) {
        println!(
            "{name:34} {:6} {:9} {:>9} {:>9} {:7} {:9} {:5}",
            self.models,
            self.confirmed,
            percent(self.confirmed, self.missing),
            percent(self.confirmed, self.unfounded),
            self.untried,
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
    println!("{:34} models  pairs       recall precision untried undecided  runs", "pass");
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
    // A test that judges nothing would pass, too.
    assert_eq!(row.models, fixtures.len());
    assert!(row.confirmed >= 50, "only {} claims were seen to be true", row.confirmed);
    assert!(row.undecided as u64 * 10 <= row.confirmed, "too much is undecided");
}

/// Models that would take longer to evaluate, in multiplications and elements, are left out.
const WORK: u64 = 400_000;

/// About how much there is to evaluate in the main subgraph.
fn work(model: &Model) -> u64 {
    let Some(sg) = model.subgraph(SubgraphId::from_number(0)) else { return u64::MAX };
    let elements = |v: circle_ir::ValueId| sg.value(v).and_then(|v| v.elements()).unwrap_or(u64::MAX);
    let of_op = |op: &circle_ir::Operator| {
        let out: u64 = op.outputs().iter().map(|&v| elements(v)).fold(0, u64::saturating_add);
        let weights = op.input(1).map_or(1, |v| {
            let channels = op.outputs().first().and_then(|&v| sg.value(v)?.shape().last().copied());
            elements(v) / u64::try_from(channels.unwrap_or(1)).unwrap_or(1).max(1)
        });
        let heavy = matches!(op.code().name().as_str(), "CONV_2D" | "DEPTHWISE_CONV_2D" | "FULLY_CONNECTED");
        if heavy { out.saturating_mul(weights.max(1)) } else { out }
    };
    sg.operators().map(|(_, op)| of_op(op)).fold(0, u64::saturating_add)
}

/// What every tensor holds, for inputs of both signs.
fn values(model: &Model, bytes: &[u8]) -> Result<flow::Values, String> {
    let mut all = flow::Values::new();
    for seed in [1, 2] {
        for (v, tensor) in eval::tensors(model, &bytes, seed)? {
            let held = all.entry(v).or_default();
            held.shape = tensor.shape;
            let mut data = tensor.data;
            held.in_order.extend(&data);
            data.sort_by(f64::total_cmp);
            held.sorted.extend(data);
        }
    }
    Ok(all)
}

#[test]
fn operators_do_the_work_that_they_claim() {
    let mut wrong = Vec::new();
    let mut left_out = 0;
    let mut fixtures = Vec::new();
    for fixture in texts().into_iter().chain(binaries()) {
        let model = fresh(&fixture);
        let known = if work(&model) <= WORK { values(&model, &fixture.bytes) } else { Err("large".into()) };
        match known {
            Ok(values) => fixtures.push((fixture, model, values)),
            Err(_) => left_out += 1,
        }
    }
    println!("{:34} models  pairs       recall precision", "pass");
    let o1 = o1::passes();
    let alone = PASSES.iter().map(|pass| (pass.name(), std::slice::from_ref(pass), false));
    let mut judged = 0;
    for (name, passes, fixed_point) in alone.chain([("--O1", o1.as_slice(), true)]) {
        let (mut models, mut confirmed, mut missing, mut unfounded) = (0, 0, 0, 0);
        for (fixture, model, before) in &fixtures {
            let mut result = model.clone();
            let bytes = fixture.bytes.as_slice();
            let report = circle_passes::run(&mut result, &bytes, passes, &settings(fixed_point, false));
            if report.unwrap_or_else(|e| panic!("{}: {e}", fixture.name)).patches == 0 {
                continue;
            }
            let after = values(&result, bytes).unwrap_or_else(|e| panic!("{}, {name}: {e}", fixture.name));
            let found = flow::check(model, before, &result, &after, SubgraphId::from_number(0));
            models += 1;
            confirmed += found.confirmed;
            judged += found.confirmed;
            missing += found.missing.len() as u64;
            unfounded += found.unfounded.len() as u64;
            let all = found.missing.into_iter().chain(found.unfounded);
            wrong.extend(all.map(|text| format!("{}, {name}: {text}", fixture.name)));
        }
        println!(
            "{name:34} {models:6} {confirmed:9} {:>9} {:>9}",
            percent(confirmed, missing),
            percent(confirmed, unfounded)
        );
    }
    println!("{} models; {left_out} are too large or hold operators that are not evaluated", fixtures.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // A test that judges nothing would pass, too.
    assert!(fixtures.len() > left_out, "{left_out} models were left out");
    assert!(judged >= 100, "only {judged} claims were judged");
}

/// Rules that do sound work and lie about it.
mod liars {
    use circle_ir::lineage::ledger::Reason;
    use circle_ir::patch::{Patch, PatchBuilder};
    use circle_ir::{OpId, ValueSpec, View};
    use circle_passes::{Change, PassInfo, Rule};
    use circle_tables::opcode;

    pub const MODEL: &str = r#"
subgraph sg0 "" (%0) -> (%5, %7)
  %0: f32[1,2] "x"
  %1: f32[2,2] "w" = [1.0, 0.5, -0.5, 2.0]
  %2: f32[1,2] "product"
  %3: f32[1] "factor" = [2.0]
  %4: f32[1,2] "scaled"
  %5: f32[1,2] "clipped"
  %6: f32[2] "shift" = [1.0, -1.0]
  %7: f32[1,2] "shifted"
  op0 FULLY_CONNECTED {keep_num_dims=true} (%0, %1, _) -> %2
  op1 MUL (%2, %3) -> %4
  op2 RELU (%4) -> %5
  op3 ADD (%0, %6) -> %7
"#;

    const fn info(change: Change) -> PassInfo {
        PassInfo { name: "liar", summary: "lies", change, lineage: "untrue", before: MODEL, after: "" }
    }
    const INFO: PassInfo = info(Change::Fuse);

    /// Takes the factor into the weights and says that the MUL has changed nothing.
    pub struct Thief;
    impl Rule for Thief {
        fn info(&self) -> &'static PassInfo {
            &INFO
        }
        fn anchors(&self) -> &'static [i32] {
            &[opcode::MUL]
        }
        fn rewrite(&self, at: OpId, view: &View<'_>) -> Option<Patch> {
            let mul = view.op(at)?;
            let (id, kernel) = view.def_is(mul.input(0)?, opcode::FULLY_CONNECTED)?;
            let (weights, factor) = (kernel.input(1)?, mul.input(1)?);
            let by = view.scalar(factor)?;
            let scaled: Vec<f32> = view.floats(weights)?.iter().map(|w| w * by).collect();
            let mut patch = PatchBuilder::new(view, INFO.name);
            let described = ValueSpec::like(view.value(weights)?, "scaled weights");
            let mut spec = kernel.spec();
            spec.inputs[1] = Some(patch.floats(described, &scaled, &[weights], &[]));
            spec.outputs = mul.outputs().to_vec();
            patch.replace(id, spec);
            patch.retire(at, Reason::Identity);
            Some(patch.finish())
        }
    }

    /// Lets the ADD claim the RELU, which it has nothing to do with.
    pub struct Braggart;
    impl Rule for Braggart {
        fn info(&self) -> &'static PassInfo {
            &INFO
        }
        fn anchors(&self) -> &'static [i32] {
            &[opcode::ADD]
        }
        fn rewrite(&self, at: OpId, view: &View<'_>) -> Option<Patch> {
            let add = view.op(at)?;
            let mut others =
                view.subgraph().operators().filter(|(_, op)| op.is(opcode::MUL) || op.is(opcode::RELU));
            let (victim, _) = others.next()?;
            let mut patch = PatchBuilder::new(view, INFO.name);
            let done = view.model().store().claim_sets.get(add.lineage().claims()).len() > 1;
            patch.fuse_beside(at, &[], &[victim], add.spec());
            (!done).then(|| patch.finish())
        }
    }
}

#[test]
fn lies_are_found() {
    let model = circle_ir::text::parse(liars::MODEL).expect("it is a model");
    let none: &[u8] = &[];
    let before = values(&model, none).expect("it can be evaluated");
    let cases: [(&'static dyn circle_passes::Rule, &str, &str, &str); 2] = [
        (
            &liars::Thief,
            "sg0 op1: left as identity, and op4 computes its result",
            "depends on constants of @1 MUL \"scaled\" and does not claim it",
            "does and does not claim @1 MUL",
        ),
        (
            &liars::Braggart,
            "sg0 op4: claims the work of op1, which is not connected with the rest that it does",
            "claims @1 MUL \"scaled\" and does not depend on its constants",
            "claims and does not do @1 MUL",
        ),
    ];
    for (rule, by_patch, by_constants, by_values) in cases {
        let passes = [Pass::Rule(rule)];
        // The law alone cannot see through them; the check of each patch can, where the graph denies what they say.
        let noticed = circle_passes::run(&mut model.clone(), &none, &passes, &settings(false, true));
        let noticed = noticed.expect_err("it is noticed").to_string();
        assert!(noticed.contains(by_patch), "{noticed}");
        let report = check(&model, &none, &passes, &settings(false, false)).expect("nobody notices");
        let untrue: Vec<String> = report.untrue.iter().map(ToString::to_string).collect();
        assert!(untrue.len() == 1 && untrue[0].contains(by_constants), "{by_constants}: {untrue:#?}");
        let mut result = model.clone();
        circle_passes::run(&mut result, &none, &passes, &settings(false, false)).expect("nobody notices");
        let found = flow::check(
            &model,
            &before,
            &result,
            &values(&result, none).expect("it can be evaluated"),
            SubgraphId::from_number(0),
        );
        let all: Vec<String> = found.missing.into_iter().chain(found.unfounded).collect();
        assert!(!all.is_empty() && all.iter().all(|text| text.contains(by_values)), "{by_values}: {all:#?}");
    }
}

/// One operator's work is done by two: its constants are with one of them, and the other claims it all the same.
#[test]
fn results_of_one_step_share_what_they_claim() {
    let text = "subgraph sg0 \"\" (%0) -> (%3)
  %0: f32[2,1] \"x\"
  %1: f32[2,1] \"root\"
  %2: f32[2,3] \"dividend\" = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
  %3: f32[2,3] \"y\"
  op0 SQRT (%0) -> %1
  op1 DIV (%2, %1) -> %3
";
    let model = circle_ir::text::parse(text).expect("it is a model");
    let none: &[u8] = &[];
    let passes = [circle_passes::registry::find("transform_sqrt_div_to_rsqrt_mul").expect("it is there")];
    let report = check(&model, &none, &passes, &settings(false, true)).expect("it can be judged");
    let untrue: Vec<String> = report.untrue.iter().map(ToString::to_string).collect();
    assert_eq!((untrue, report.confirmed, report.patches), (vec![], 1, 1));
}
