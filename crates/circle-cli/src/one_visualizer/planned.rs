//! Memory plans of what has none yet, and of what is to have another: models, planning problems, plans.

use circle_liveness::permitted::permitted;
use circle_liveness::plan::{solve, solve_spaces};
use circle_liveness::{Choice, Options as Lifetimes, Settings, lifetimes, plan, to_memory};
use circle_memory::{Memory, ModelFile, Producer, Segment, UNPLANNED, is_unplanned};
use circle_metadata::hex;
use circle_plan::spaces::{Plane, Space, Spaces};
use circle_plan::{Block, Problem};

use super::{Options, part};
use crate::failure::{Failure, shown};
use crate::model::{Input, Model};
use crate::moved::{Unit, units};
use crate::plans::{self, Carried};

/// The memory of a model: the plan that it carries, faults and all, if no other is asked for, else a new one.
pub(super) fn of_model(options: &Options, input: &Input, model: &Model) -> Result<Memory, Failure> {
    let graph = &model.imported.model;
    if options.planner.is_none()
        && !options.inplace
        && let Some(memory) = carried(options, input, model)
    {
        return Ok(memory);
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
    let found = permitted(graph, &wanted, liveness, &settings, plan::common)
        .map_err(|error| Failure::at(input.name(), error))?;
    Ok(to_memory(graph, &found.liveness, &found.arenas, Some(file(model))))
}

/// The first plan of all of the model that it carries. What is the matter with others is told.
fn carried(options: &Options, input: &Input, model: &Model) -> Option<Memory> {
    let graph = &model.imported.model;
    let mut left = Vec::new();
    for carried in plans::carried(graph, input.bytes()) {
        match carried {
            // A part must not be taken for the whole, least of all in a comparison.
            Ok(carried) if carried.unplaced().is_some() => {
                let places = carried.unplaced().unwrap_or_default();
                let faults = carried.overlaps.map(|overlaps| format!(" and has faults ({overlaps})"));
                let faults = faults.unwrap_or_default();
                left.push(format!("its {} gives no place to {places}{faults}", carried.key));
            }
            Ok(carried) => {
                for reason in left {
                    let text = format!("{}: {reason}; its {} is taken", input.name(), carried.key);
                    options.common.warn(&text);
                }
                let memory = memory(model, &carried);
                for remark in part::remarks(&part::asked(options), &memory, &carried.remarks) {
                    let text = format!("{}: its {}: {}", input.name(), carried.key, remark.text);
                    options.common.warn(&text);
                }
                options.common.note(&format!("{}: drawn by its {}", input.name(), carried.key));
                return Some(memory);
            }
            Err(reason) => left.push(reason),
        }
    }
    for reason in left {
        options.common.warn(&format!("{}: {reason}; a new plan is made", input.name()));
    }
    None
}

/// A plan that a model carries.
pub(super) fn memory(model: &Model, carried: &Carried) -> Memory {
    to_memory(&model.imported.model, &carried.liveness, &carried.arenas, Some(file(model)))
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
/// the memory has a new producer. Segments that are not asked for stay as they are; of the others all blocks are planned,
/// whichever ticks are.
///
/// # Errors
/// When a segment cannot be planned; where memory data is to be `written`, also when a plan needs more than its segment has,
/// since that would be a file with faults of our own making. A picture shows them.
pub(super) fn of_problem(
    options: &Options,
    input: &Input,
    memory: &mut Memory,
    written: bool,
) -> Result<bool, Failure> {
    let mut anew = None;
    let part = part::asked(options);
    for segment in memory.segments.iter_mut().filter(|segment| part.has(segment)) {
        let unplanned = is_unplanned(segment);
        if !unplanned && options.planner.is_none() {
            continue;
        }
        crate::progress::step("planning");
        let name = segment.name.clone();
        let at = |error: String| Failure::at(input.name(), format!("segment {}: {error}", shown(&name)));
        let units = units(segment).map_err(at)?;
        let plan = planned(options, segment, &units).map_err(at)?;
        // A size that the plan before filled to the last byte is what that plan needed, not what there is.
        if let Some(size) = segment.size.filter(|&size| !unplanned && size > 0 && size == units_end(&units)) {
            segment.size = Some(plan.peak);
            if plan.peak > size {
                let text = format!("its plan needed all of its {size} bytes, and needs {} now", plan.peak);
                options.common.warn(&format!("{}: segment {}: {text}", input.name(), shown(&name)));
            }
        }
        if let Some(size) = segment.size.filter(|&size| written && plan.peak > size) {
            let least = if plan.lower_bound > size { "; no plan fits" } else { "" };
            let text = format!("{} needs {} bytes, and it has {size}{least}", plan.planner, plan.peak);
            return Err(at(text));
        }
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

/// Where the last of the units ends.
fn units_end(units: &[Unit]) -> u64 {
    units.iter().map(|unit| unit.offset.saturating_add(unit.size)).max().unwrap_or(0)
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
