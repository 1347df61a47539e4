//! The driver: the only owner of a model that changes. It asks rules, applies their patches, counts, and checks.

mod context;
mod each;
mod error;
#[cfg(test)]
mod lies;
mod report;
#[cfg(test)]
mod tests;

use circle_ir::verify::lineage::{Balance, balance};
use circle_ir::verify::{Finding, lineage, structure};
use circle_ir::{Bytes, Model};

pub use context::Context;
pub use error::{Drawn, DriverError, When};
pub use report::{PassReport, Report, Settings};

use crate::rule::Pass;
use each::Each;

/// How often the passes may be repeated. Each round of a fixed-point pipeline must make some pass fire that lowers
/// the number of operators or moves one in one direction, so real models end after a handful.
const MAX_ROUNDS: usize = 100;

/// What does not hold of the whole model, which had the balance `start` when the pipeline began.
fn findings(model: &Model, start: &Balance) -> Vec<Finding> {
    let mut findings = structure::check(model);
    findings.extend(lineage::check(model, start));
    findings
}

/// Runs `passes` over `model`. The lineage is checked against the law at the end, always.
///
/// # Errors
/// When passes undo each other without end, or a check finds something; the model must then not be used.
pub fn run(
    model: &mut Model,
    bytes: &dyn Bytes,
    passes: &[Pass],
    settings: &Settings,
) -> Result<Report, DriverError> {
    let start = balance(model);
    let run = model.enter_run(settings.run.clone());
    let mut context = Context::new(model, bytes, run, settings, 0);
    if settings.verify_each {
        let findings = findings(context.model, &start);
        if !findings.is_empty() {
            return Err(DriverError::broken(When::Before, findings, context.model));
        }
        context.each = Some(Each::new(context.model, start.clone()));
    }
    for round in 0.. {
        let mut fired = Vec::new();
        for &pass in passes {
            if context.run_pass(pass) > 0 {
                fired.push(pass.name());
            }
            if settings.verify_each {
                each::prove(&mut context, pass)?;
            }
            if context.is_over() {
                break;
            }
        }
        if fired.is_empty() || !settings.fixed_point || context.is_over() {
            break;
        }
        if round == MAX_ROUNDS {
            return Err(DriverError::NoEnd { passes: fired });
        }
    }
    if !passes.is_empty() {
        context.model.sweep_values(run, "dead_code");
    }
    context.model.leave_run(run);
    let mut report = context.report;
    let findings = findings(model, &start);
    if !findings.is_empty() {
        return Err(DriverError::broken(When::End, findings, model));
    }
    report.operators_after = model.operator_count();
    Ok(report)
}
