//! Every model of the corpus that `CIRCLE_LINEAGE_CORPUS` names.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use circle_ir::{Model, ValueId};
use circle_liveness::offline::{from_offline, to_offline};
use circle_liveness::order::{peak, reorder};
use circle_liveness::plan::{self, Choice};
use circle_liveness::table::{Style, from_table, to_table};
use circle_liveness::{Arena, Item, LivenessError, Options, Platform, Settings, What, lifetimes, to_memory};
use circle_memory::Kind;
use circle_plan::planners::Planner;
use circle_plan::{Plan, check::check};

use crate::common::placed;
use crate::files::{corpus as models, load};

#[test]
fn plans_of_all_models_hold() {
    for path in models() {
        let model = load(&path);
        for inplace in [false, true] {
            let options = Options { inplace, constants: true, ..Options::default() };
            let liveness = match lifetimes(&model, &options) {
                Ok(liveness) => liveness,
                Err(LivenessError::Sizes { faults, .. }) => {
                    assert!(!faults.is_empty());
                    continue;
                }
                Err(error) => panic!("{}: {error}", path.display()),
            };
            let units: Vec<usize> = (0..liveness.units.len()).collect();
            let problem = plan::problem(&liveness, &units, 16, None).unwrap();
            for planner in [Planner::GreedyBySize, Planner::Tflm] {
                let settings = Settings { planner: Choice::Named(planner), ..Settings::default() };
                let arenas = plan::common(&liveness, &settings).unwrap();
                let plan = Plan { offsets: arenas[0].offsets.clone(), peak: arenas[0].peak };
                assert_eq!(check(&problem, &plan), [], "{}", path.display());
                assert!(arenas[0].peak >= arenas[0].lower_bound);
                let memory = to_memory(&model, &liveness, &arenas, None);
                let blocks = &memory.segments[0].blocks;
                assert_eq!(blocks.len(), liveness.items.len());
                let end = blocks.iter().filter_map(|block| block.first().end()).max().unwrap_or(0);
                assert_eq!(end, plan.peak, "{}", path.display());
                let known: Vec<u32> = memory.origins.iter().map(|origin| origin.id).collect();
                assert!(blocks.iter().flat_map(|block| &block.origins).all(|id| known.contains(id)));
            }
        }
    }
}

/// Whether the table can say where an item lies: it has entries for the first subgraph, for outputs of operators that
/// somebody reads, and in a split plan none for the operators that compute what the graph gives out.
fn has_entry(model: &Model, style: Style, item: &Item) -> bool {
    let sg = model.subgraph(item.subgraph).expect("its subgraph");
    let given = |v: &ValueId| sg.outputs().contains(v);
    item.subgraph.number() == 0
        && match item.what {
            What::Tensor(v) => {
                let value = sg.value(v).expect("its tensor");
                let several = value
                    .def()
                    .is_some_and(|(op, _)| sg.operator(op).expect("an operator").outputs().len() > 1);
                !several || given(&v) || !value.uses().is_empty()
            }
            What::Scratch(op, _) => {
                style != Style::OnertMicroSplit
                    || !sg.operator(op).expect("an operator").outputs().iter().any(given)
            }
        }
}

/// Wherever nodes have numbers, a plan comes back from its table as it was; so it does from a list of offsets.
#[test]
fn plans_come_back_from_what_is_written_of_them() {
    let (mut tables, mut lists) = (0, 0);
    for path in models() {
        let model = load(&path);
        for (platform, inplace) in [(None, false), (Some(Platform::Linux), true)] {
            let options = Options { inplace, platform, ..Options::default() };
            let Ok(liveness) = lifetimes(&model, &options) else { continue };
            let planner = Choice::Named(Planner::GreedyBySize);
            let settings = Settings { planner, ..Settings::default() };
            let common = plan::common(&liveness, &settings).unwrap();
            let apart = lifetimes(&model, &Options { apart: true, ..options.clone() }).unwrap();
            let split = plan::split(&apart, &settings).unwrap();
            for (style, liveness, arenas) in [
                (Style::LuciInterpreter, &liveness, &common),
                (Style::OnertMicro, &liveness, &common),
                (Style::OnertMicroSplit, &apart, &split),
            ] {
                let Ok(table) = to_table(&model, liveness, arenas, style) else { continue };
                let read = from_table(&model, &table).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
                let told = |liveness, arenas: &[Arena]| {
                    let mut all = placed(liveness, arenas);
                    all.retain(|(_, _, item)| has_entry(&model, style, item));
                    all
                };
                let (found, due) = (told(&read.liveness, &read.arenas), told(liveness, arenas));
                assert_eq!(found, due, "{} {style:?}", path.display());
                tables += 1;
            }
            if let Ok(list) = to_offline(&model, &liveness, &common) {
                let (found, arena) =
                    from_offline(&model, &list).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
                // The runtime places variables and scratch memory itself.
                let mut due = placed(&liveness, &common);
                due.retain(|(_, _, item)| !matches!(item.kind, Kind::Variable | Kind::Scratch));
                assert_eq!(placed(&found, &[arena]), due, "{}", path.display());
                lists += 1;
            }
        }
    }
    if std::env::var_os("CIRCLE_LINEAGE_CORPUS").is_some() {
        assert!(tables > 100 && lists > 100, "{tables} tables, {lists} lists");
    }
}

/// Whatever the time, the new order works and needs no more.
#[test]
fn new_orders_need_no_more() {
    let mut better = 0;
    for path in models() {
        let mut model = load(&path);
        let inplace = Options { inplace: true, ..Options::default() };
        for options in [Options::default(), inplace] {
            let Ok(found) = reorder(&mut model, &options, Duration::from_millis(300)) else { continue };
            assert!(found.after <= found.before, "{}", path.display());
            assert_eq!(circle_ir::verify::structure::check(&model), [], "{}", path.display());
            assert_eq!(peak(&lifetimes(&model, &options).unwrap()), Ok(found.after), "{}", path.display());
            better += usize::from(found.after < found.before);
        }
    }
    assert!(better > 3 || std::env::var_os("CIRCLE_LINEAGE_CORPUS").is_none(), "{better}");
}

#[test]
fn models_with_open_dimensions_are_refused_by_name() {
    let refused: BTreeMap<String, String> = models()
        .iter()
        .filter_map(|path| {
            let error = lifetimes(&load(path), &Options::default()).err()?;
            Some((path.file_stem()?.to_string_lossy().into_owned(), error.to_string()))
        })
        .collect();
    if std::env::var_os("CIRCLE_LINEAGE_CORPUS").is_some() {
        let error = refused.get("dynamic_batch").expect("its batch is open");
        assert!(error.contains("dimension 0 is open"), "{error}");
    }
}

/// Published problems name tensors by index, count ticks by operator, end behind the last reader and leave constants
/// out, as we do. Their sizes are rounded up to 64 bytes, and this one leaves out what `DEQUANTIZE` makes of constants,
/// which its runtime keeps elsewhere for good.
#[test]
fn the_lifetimes_of_a_segmentation_model_are_those_of_the_published_problem() {
    let Some(corpus) = std::env::var_os("CIRCLE_LINEAGE_CORPUS") else { return };
    let corpus = Path::new(&corpus);
    let table = std::fs::read(corpus.join("plans/selfie_segmentation.csv")).unwrap();
    let table = circle_plan::csv::read(&table).unwrap();
    let published: BTreeMap<u32, (u64, u64, u64)> =
        table.blocks.iter().map(|b| (b.id.parse().unwrap(), (b.lower, b.upper, b.size))).collect();
    let model = load(&corpus.join("models/tflite/mediapipe/selfie_segmentation.tflite"));
    let (_, sg) = model.subgraphs().next().unwrap();
    let mut found = 0;
    for item in lifetimes(&model, &Options::default()).unwrap().items {
        let What::Tensor(v) = item.what else { panic!("no scratch memory was asked for") };
        let dequantized = sg.value(v).unwrap().def().and_then(|(op, _)| sg.operator(op)).is_some_and(|op| {
            op.is(circle_tables::opcode::DEQUANTIZE)
                && sg.value(op.input(0).unwrap()).unwrap().def().is_none()
        });
        if !dequantized {
            let ours = (item.from, item.till, item.size.next_multiple_of(64));
            assert_eq!(Some(&ours), published.get(&v.number()), "{v}");
            found += 1;
        }
    }
    assert_eq!(found, published.len());
}
