//! Planning problems: blocks in, the same blocks with offsets out.

use circle_liveness::plan::{Solved, solve};
use circle_plan::{Problem, check, csv};

use super::report::{Segment, segments_json, summary};
use super::{Mode, Options, Runtime};
use crate::failure::{FAILED, Failure};
use crate::model::Input;
use crate::{output, progress};

pub(super) fn run(options: &Options, input: &Input) -> Result<(), Failure> {
    let at = |error: &dyn std::fmt::Display| Failure::at(input.name(), error);
    if options.banks.len() > 1 {
        return Err(Failure::usage(
            "a planning problem is planned into one bank, as its form cannot say in which a block lies",
        ));
    }
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
        (options.stated_shapes, "--stated_shapes"),
        (options.allow_loss, "--allow_loss"),
        (options.save_allocations.is_some(), "--save_allocations"),
    ];
    if let Some((_, option)) = models_only.iter().find(|(given, _)| *given) {
        return Err(Failure::usage(format!(
            "{option} is for models, and {} is a planning problem",
            input.name()
        )));
    }
    let mut blocks = csv::read(input.bytes()).map_err(|error| at(&error))?.blocks;
    let settings = options.settings(1);
    for block in blocks.iter_mut().filter(|block| block.alignment == 1) {
        block.alignment = settings.alignment;
    }
    let bank = options.banks.first();
    let capacity = bank.map(|bank| bank.capacity);
    let problem = Problem::new(blocks, capacity).map_err(|error| at(&error))?;
    progress::step("planning");
    let Solved { plan, lower_bound, planner } = solve(&problem, &settings);
    let segment = Segment {
        name: bank.map_or("arena", |bank| &bank.name),
        size: plan.peak,
        capacity,
        lower_bound,
        planner: &planner,
        blocks: problem.blocks().len(),
        alignment: options.alignment,
    };
    if let Some(path) = &options.report {
        output::write_text(path, &format!("{:#}\n", segments_json(&[segment])))?;
    }
    let faults = check::check(&problem, &plan);
    if let Some(fault) = faults.first() {
        let room = capacity.filter(|&capacity| plan.peak > capacity);
        return Err(match room {
            Some(capacity) => at(&format!(
                "the blocks do not fit into {capacity} bytes: the plan needs {}, and no plan less than {lower_bound}",
                plan.peak
            )),
            None => at(fault),
        });
    }
    if let Some(path) = &options.output {
        output::write_text(path, &csv::write(&problem, Some(&plan)))?;
        if path == "-" || options.report.as_deref() == Some("-") {
            return Ok(());
        }
    }
    if options.common.quiet || options.report.as_deref() == Some("-") {
        return Ok(());
    }
    output::print(&summary(&[segment])).map_err(|_| Failure::silent(FAILED))
}
