//! Memory plans of what has none yet, and of what is to have another: models, planning problems, plans.

use std::collections::HashMap;

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

/// What is moved as a whole: a block, or a space with all that lies in it.
#[derive(Default)]
struct Unit {
    /// Of the space, or position of the block.
    name: String,
    offset: u64,
    size: u64,
    from: u64,
    till: u64,
    space: Option<usize>,
    /// Positions of blocks.
    blocks: Vec<usize>,
    /// Of a space that is open to others, what its blocks take.
    planes: Vec<Plane>,
}

impl Unit {
    fn move_to(&self, offset: u64, segment: &mut Segment) {
        // All lies within the unit.
        let moved = |old: u64| offset.saturating_add(old.saturating_sub(self.offset));
        for &position in &self.blocks {
            let Some(block) = segment.blocks.get_mut(position) else { continue };
            block.offset = moved(block.offset);
            if let Some(piece) = &mut block.wrap {
                piece.offset = moved(piece.offset);
            }
        }
        if let Some(space) = self.space.and_then(|space| segment.spaces.get_mut(space)) {
            space.offset = offset;
        }
    }
}

fn units(segment: &Segment) -> Result<Vec<Unit>, String> {
    let mut units = Vec::new();
    let mut of_space = HashMap::new();
    for (index, space) in segment.spaces.iter().enumerate() {
        if of_space.insert(space.id, index).is_some() {
            return Err(format!("two spaces have the id {}", space.id));
        }
        units.push(Unit {
            name: format!("space {}", space.id),
            offset: space.offset,
            size: space.size,
            from: space.alive_from,
            till: space.alive_till,
            space: Some(index),
            ..Unit::default()
        });
    }
    for (position, block) in segment.blocks.iter().enumerate() {
        let second = block.wrap.as_ref().map_or(0, |piece| piece.size);
        let Some(id) = block.space else {
            if block.wrap.is_some() {
                return Err(format!("block {position} is in two pieces, and in no space"));
            }
            units.push(Unit {
                name: format!("block {position}"),
                offset: block.offset,
                size: block.size,
                from: block.alive_from,
                till: block.alive_till,
                blocks: vec![position],
                ..Unit::default()
            });
            continue;
        };
        let unit = of_space.get(&id).and_then(|&index| units.get_mut(index));
        let Some(unit) = unit else { return Err(format!("block {position}: space {id} does not exist")) };
        let within = |offset: u64, size: u64| {
            let start = offset.checked_sub(unit.offset);
            start.and_then(|start| start.checked_add(size)).is_some_and(|end| end <= unit.size)
        };
        let first = block.size.checked_sub(second);
        let inside = first.is_some_and(|first| within(block.offset, first))
            && block.wrap.as_ref().is_none_or(|piece| within(piece.offset, piece.size))
            && (unit.from..=unit.till).contains(&block.alive_from)
            && (unit.from..=unit.till).contains(&block.alive_till);
        if !inside {
            return Err(format!("block {position} lies outside of its space {id}"));
        }
        unit.blocks.push(position);
        if unit.space.and_then(|space| segment.spaces.get(space)).is_some_and(|space| space.open) {
            let (lower, upper) = (block.alive_from, block.alive_till);
            for (number, piece) in block.pieces().enumerate().filter(|(_, p)| p.size > 0 && lower < upper) {
                let start = piece.offset.saturating_sub(unit.offset);
                let id = format!("block {position}, piece {number}");
                unit.planes.push(Plane { id, lower, upper, size: piece.size, start });
            }
        }
    }
    Ok(units)
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
