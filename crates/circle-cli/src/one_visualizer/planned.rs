//! Memory plans of what has none yet: models and planning problems.

use circle_format::read::ReadOptions;
use circle_liveness::plan::solve;
use circle_liveness::{Choice, Options as Lifetimes, Settings, lifetimes, plan, to_memory};
use circle_memory::{Memory, ModelFile, Segment, UNPLANNED, is_unplanned};
use circle_metadata::hex;
use circle_plan::{Block, Plan, Problem};

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
            Ok(Some(carried)) => {
                options.common.note(&format!("{}: drawn by its {}", input.name(), carried.key));
                return Ok(to_memory(graph, &carried.liveness, &carried.arenas, Some(file(&model))));
            }
            Ok(None) => {}
            Err(reason) => options.common.warn(&format!("{}: {reason}; a new plan is made", input.name())),
        }
    }
    crate::progress::step("planning");
    let wanted =
        Lifetimes { inplace: options.inplace, stated: options.stated_shapes, ..Lifetimes::default() };
    let liveness = lifetimes(graph, &wanted).map_err(|error| Failure::at(input.name(), error))?;
    let arenas =
        plan::common(&liveness, &settings(options)).map_err(|error| Failure::at(input.name(), error))?;
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

/// Gives offsets to the blocks of segments that have none yet.
pub(super) fn of_problem(options: &Options, input: &Input, memory: &mut Memory) -> Result<(), Failure> {
    for segment in memory.segments.iter_mut().filter(|segment| is_unplanned(segment)) {
        crate::progress::step("planning");
        let name = segment.name.clone();
        let at = |error| Failure::at(input.name(), format!("segment {}: {error}", shown(&name)));
        let plan = planned(options, segment).map_err(at)?;
        for (block, offset) in segment.blocks.iter_mut().zip(plan.offsets) {
            block.offset = offset;
        }
        segment.extra.shift_remove(UNPLANNED);
        options.common.note(&format!("{}: its blocks had no offsets and were planned", input.name()));
    }
    Ok(())
}

fn planned(options: &Options, segment: &Segment) -> Result<Plan, circle_plan::ProblemError> {
    let alignment = segment.alignment.unwrap_or(1);
    // Positions are names that occur once; a file's own need not.
    let blocks = segment.blocks.iter().enumerate().map(|(position, block)| {
        let mut planned = Block::new(position.to_string(), block.alive_from, block.alive_till, block.size);
        planned.alignment = alignment;
        planned
    });
    let problem = Problem::new(blocks.collect(), segment.size)?;
    Ok(solve(&problem, &settings(options)).plan)
}
