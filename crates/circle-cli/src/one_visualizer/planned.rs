//! Memory plans of what has none yet, and of what is to have another: models, planning problems, plans.

use circle_format::read::ReadOptions;
use circle_liveness::plan::{solve, solve_spaces};
use circle_liveness::{Choice, Options as Lifetimes, Settings, lifetimes, plan, to_memory};
use circle_memory::{Memory, ModelFile, Producer, Segment, UNPLANNED, is_unplanned};
use circle_metadata::{hex, plan_table};
use circle_plan::spaces::{Plane, Space, Spaces};
use circle_plan::{Block, Problem};

use super::Options;
use crate::failure::{Failure, shown};
use crate::model::{Input, Model, load, warn_of_lineage};
use crate::moved::{Unit, units};
use crate::plans;

/// The memory of a model: the plan that it carries, if it fits and none is asked for, else a new one.
pub(super) fn of_model(options: &Options, input: &Input) -> Result<Memory, Failure> {
    let model = load(input, ReadOptions { allow_loss: options.allow_loss }, options.common)?;
    warn_of_lineage(input, &model, options.common);
    let graph = &model.imported.model;
    if options.planner.is_none() && !options.inplace {
        match plans::carried(graph, input.bytes()) {
            // A part must not be taken for the whole, least of all in a comparison.
            Ok(Some(carried)) if graph.subgraphs().count() > 1 && carried.key == plan_table::KEY => {
                options.common.warn(&format!(
                    "{}: its {} tells of the main subgraph only; a new plan of all subgraphs is made",
                    input.name(),
                    carried.key
                ));
            }
            Ok(Some(carried)) => {
                options.common.note(&format!("{}: drawn by its {}", input.name(), carried.key));
                return Ok(to_memory(graph, &carried.liveness, &carried.arenas, Some(file(&model))));
            }
            Ok(None) => {}
            // What is checked is what is there, and not what would take its place.
            Err(reason) if options.check => return Err(Failure::at(input.name(), reason)),
            Err(reason) => options.common.warn(&format!("{}: {reason}; a new plan is made", input.name())),
        }
    }
    crate::progress::step("planning");
    let settings = settings(options);
    let wanted = Lifetimes {
        inplace: options.inplace,
        rings: options.rings.then_some(settings.alignment),
        stated: options.stated_shapes,
        ..Lifetimes::default()
    };
    let liveness = lifetimes(graph, &wanted).map_err(|error| Failure::lifetimes(input.name(), &error))?;
    let arenas = plan::common(&liveness, &settings).map_err(|error| Failure::at(input.name(), error))?;
    Ok(to_memory(graph, &liveness, &arenas, Some(file(&model))))
}

fn settings(options: &Options) -> Settings {
    Settings {
        planner: options.planner.unwrap_or(Choice::Best),
        time_limit: options.time_limit,
        ..Settings::default()
    }
}

fn file(model: &Model) -> ModelFile {
    let file = &model.file;
    ModelFile {
        name: Some(file.name.to_string()),
        md5: Some(hex::encode(&file.md5)),
        sha256: file.sha256.map(|digest| hex::encode(&digest)),
        size: Some(file.bytes),
    }
}

/// Gives offsets to the blocks of segments that have none yet, and new ones to all others if a planner is asked for; whether
/// the memory has a new producer.
pub(super) fn of_problem(options: &Options, input: &Input, memory: &mut Memory) -> Result<bool, Failure> {
    let mut anew = None;
    for segment in &mut memory.segments {
        let unplanned = is_unplanned(segment);
        if !unplanned && options.planner.is_none() {
            continue;
        }
        crate::progress::step("planning");
        let name = segment.name.clone();
        let at = |error: String| Failure::at(input.name(), format!("segment {}: {error}", shown(&name)));
        let units = units(segment).map_err(at)?;
        let plan = planned(options, segment, &units).map_err(at)?;
        for (unit, offset) in units.iter().zip(&plan.offsets) {
            unit.move_to(*offset, segment);
        }
        segment.extra.shift_remove(UNPLANNED);
        let need = match plan.peak.saturating_sub(plan.lower_bound) {
            0 => format!("{} bytes, optimal", plan.peak),
            _ => format!("{} bytes, lower bound {}", plan.peak, plan.lower_bound),
        };
        let (file, name) = (input.name(), shown(&name));
        if unplanned {
            let note = format!("{file}: segment {name}: its blocks had no offsets and were planned: {need}");
            options.common.note(&note);
        } else {
            options.common.note(&format!("{file}: segment {name}: its blocks have new offsets: {need}"));
            anew = Some(plan.planner);
        }
    }
    let made = anew.is_some();
    if let Some(planner) = anew {
        memory.producer = Some(Producer {
            name: Some("circle-lineage".into()),
            version: Some(env!("CARGO_PKG_VERSION").into()),
            created: None,
            planner: Some(planner),
        });
    }
    Ok(made)
}

/// A plan with the name of its planner.
struct Offsets {
    offsets: Vec<u64>,
    planner: String,
    peak: u64,
    lower_bound: u64,
}

fn planned(options: &Options, segment: &Segment, units: &[Unit]) -> Result<Offsets, String> {
    let alignment = segment.alignment.unwrap_or(1);
    let settings = settings(options);
    let planner = settings.planner.name().to_owned();
    if units.iter().any(|unit| !unit.planes.is_empty()) {
        let space = |unit: &Unit| {
            let (lower, upper, size) = (unit.from, unit.till, unit.size);
            let whole = || vec![Plane { id: String::new(), lower, upper, size, start: 0 }];
            let planes = if unit.planes.is_empty() { whole() } else { unit.planes.clone() };
            Space { id: unit.name.clone(), size, alignment, planes }
        };
        let problem = Spaces::new(units.iter().map(space).collect(), segment.size);
        let problem = problem.map_err(|error| error.to_string())?;
        let solved = solve_spaces(&problem, &settings).map_err(|error| error.to_string())?;
        let (offsets, peak) = (solved.plan.offsets, solved.plan.peak);
        return Ok(Offsets { offsets, planner, peak, lower_bound: solved.lower_bound });
    }
    // Positions are names that occur once; a file's own need not.
    let blocks = units.iter().map(|unit| {
        let mut planned = Block::new(unit.name.clone(), unit.from, unit.till, unit.size);
        planned.alignment = alignment;
        planned
    });
    let problem = Problem::new(blocks.collect(), segment.size).map_err(|error| error.to_string())?;
    let solved = solve(&problem, &settings);
    let (offsets, peak) = (solved.plan.offsets, solved.plan.peak);
    Ok(Offsets { offsets, planner, peak, lower_bound: solved.lower_bound })
}
