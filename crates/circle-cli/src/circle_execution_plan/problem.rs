//! Planning problems in one memory: blocks in, the same blocks with offsets out.

use circle_liveness::plan::{Solved, solve};
use circle_memory::read::read;
use circle_memory::{Form, Memory, Producer, UNPLANNED};
use circle_plan::{Plan, Problem, check, csv};

use super::report::{Report, Segment, summary};
use super::whole::save_plan;
use super::{Mode, Options, Runtime};
use crate::failure::{FAILED, Failure};
use crate::model::Input;
use crate::{output, progress};

/// Refuses options that mean something to models only.
pub(super) fn models_only(options: &Options, input: &Input, form: Form) -> Result<(), Failure> {
    let models_only = [
        (options.platform.is_some(), "--platform"),
        (options.reorder, "--reorder"),
        (options.inplace, "--inplace"),
        (options.metadata.is_some(), "--metadata"),
        (options.use_dsp.is_some(), "--use_dsp"),
        (options.runtime != Runtime::OnertMicro, "--runtime"),
        (options.allocating_mode != Mode::Common, "--allocating_mode"),
        (options.allocate_const.or(options.null_const).is_some(), "--allocate_const"),
        (options.allocate_input.or(options.null_input).is_some(), "--allocate_input"),
        (options.allocate_variable.is_some(), "--allocate_variable"),
        (options.stated_shapes, "--stated_shapes"),
        (options.allow_loss, "--allow_loss"),
        (options.save_allocations.is_some(), "--save_allocations"),
    ];
    let Some((_, option)) = models_only.iter().find(|(given, _)| *given) else { return Ok(()) };
    let what = if form == Form::PlanCsv { "a planning problem" } else { "a memory plan" };
    Err(Failure::usage(format!("{option} is for models, and {} is {what}", input.name())))
}

pub(super) fn run(options: &Options, input: &Input) -> Result<(), Failure> {
    let at = |error: &dyn std::fmt::Display| Failure::at(input.name(), error);
    models_only(options, input, Form::PlanCsv)?;
    let settings = options.settings(1);
    let blocks = csv::read_aligned(input.bytes(), settings.alignment).map_err(|error| at(&error))?.blocks;
    // What the file says of a block may be less.
    let alignment =
        options.alignment.filter(|&all| blocks.iter().all(|block| block.alignment.is_multiple_of(all)));
    let problem = Problem::new(blocks, None).map_err(|error| at(&error))?;
    progress::step("planning");
    let Solved { plan, lower_bound, planner } = solve(&problem, &settings);
    let segment = Segment {
        name: "arena",
        size: plan.peak,
        capacity: None,
        lower_bound,
        planner: &planner,
        blocks: problem.blocks().len(),
        alignment,
    };
    if let Some(path) = &options.report {
        output::write_text(path, &output::json_text(&Report::new(&[segment]))?)?;
    }
    if let Some(fault) = check::check(&problem, &plan).first() {
        return Err(at(fault));
    }
    if let Some(path) = &options.save_plan {
        save_plan(path, &memory(alignment, input, &plan, &planner)?)?;
    }
    if let Some(path) = &options.output {
        output::write_text(path, &csv::write(&problem, Some(&plan)))?;
    }
    let outputs = [&options.output, &options.report, &options.save_plan];
    if options.common.quiet || outputs.iter().any(|path| path.as_deref() == Some("-")) {
        return Ok(());
    }
    output::print(&summary(&[segment])).map_err(|_| Failure::silent(FAILED))
}

/// The problem with its plan in the memory allocation form.
fn memory(alignment: Option<u64>, input: &Input, plan: &Plan, planner: &str) -> Result<Memory, Failure> {
    let document = read(input.bytes(), input.name()).map_err(|error| Failure::new(error.to_string()))?;
    let mut memory = document.memory;
    for segment in &mut memory.segments {
        segment.name = "arena".into();
        segment.alignment = segment.alignment.or(alignment);
        segment.extra.shift_remove(UNPLANNED);
        for (block, offset) in segment.blocks.iter_mut().zip(&plan.offsets) {
            block.offset = *offset;
        }
    }
    memory.producer = Some(Producer {
        name: Some("circle-lineage".into()),
        version: Some(env!("CARGO_PKG_VERSION").into()),
        created: None,
        planner: Some(planner.to_owned()),
    });
    Ok(memory)
}
