//! The graph of one model with its lineage and its cost.

use circle_format::lineage::import::Basis;
use circle_format::read::ReadOptions;
use circle_metadata::problem::Severity;
use circle_visual::{ColourBy, Options as Look, Scene};
use serde_json::{Value, json};

use super::{Form, Options, Target, scene};
use crate::circle_profile_dump::{dump, dump_as};
use crate::failure::{Failure, shown};
use crate::model::{Input, Model, load, warn_of_lineage};
use crate::output;
use crate::plans;

/// Draws the graph of the model, or only sees whether it can be drawn.
pub(super) fn run(options: &Options, input: &Input, target: Option<Target<'_>>) -> Result<(), Failure> {
    let model = load(input, ReadOptions { allow_loss: options.allow_loss }, options.common)?;
    warn_of_lineage(input, &model, options.common);
    let rows = match model.imported.basis {
        Basis::Fresh => dump_as(input, &model, "own"),
        _ => dump(input, &model),
    };
    let scene = scene::build(&model.imported.model, &rows);
    let look =
        Look { colour: colour(&options.colour, &scene)?, theme: options.theme.into(), width: options.width };
    if options.check {
        let plan = plans::carried(&model.imported.model, input.bytes()).err();
        if options.format == Some(Form::Json) {
            report(options, input, &model, plan.as_deref())?;
        }
        if let Some(reason) = plan {
            return Err(Failure::at(input.name(), reason));
        }
        if options.format == Some(Form::Json) {
            return Ok(());
        }
    }
    let Some(target) = target else { return Ok(()) };
    crate::progress::step("drawing");
    let failed = |error: circle_visual::Error| Failure::at(input.name(), error);
    let picture = match target.form {
        Form::Svg => circle_visual::svg(&scene, &look).map_err(failed)?.into_bytes(),
        Form::Png => circle_visual::png(&scene, &look).map_err(failed)?,
        Form::Jpeg => circle_visual::jpeg(&scene, &look).map_err(failed)?,
        Form::Html => circle_visual::html(&scene, &look).map_err(failed)?.into_bytes(),
        Form::Json | Form::Tracealloc | Form::Csv | Form::PlanCsv | Form::Draft => {
            return Err(Failure::usage(
                "a graph is drawn as .svg, .png, .jpg or .html; --view memory converts",
            ));
        }
    };
    output::write(target.path, |sink| {
        sink.write_all(&picture).map_err(|error| Failure::at(target.path, error))
    })
}

/// What was found in the profile data of the model, in the shape of findings about memory.
fn report(options: &Options, input: &Input, model: &Model, plan: Option<&str>) -> Result<(), Failure> {
    let coded = |code: &str, severity: &str, field: Option<String>, message: &str| {
        json!({
            "file": input.path, "severity": severity, "code": code, "line": null, "segment": null,
            "block": null, "other": null, "field": field, "message": message,
        })
    };
    let finding =
        |severity: &str, field: Option<String>, message: &str| coded("lineage", severity, field, message);
    let imported = &model.imported;
    let problems = imported.problems.iter().map(|problem| {
        let severity = if problem.severity == Severity::Error { "error" } else { "warning" };
        finding(severity, Some(problem.place()), &problem.text)
    });
    let doubts =
        imported.doubt.iter().chain(&imported.stale).map(|text| finding("warning", None, &text.to_string()));
    let findings: Vec<Value> =
        problems.chain(doubts).chain(plan.map(|reason| coded("plan", "error", None, reason))).collect();
    let report = json!({ "schema_version": 1, "findings": findings });
    output::write_text(options.output.as_deref().unwrap_or("-"), &format!("{report:#}\n"))
}

fn colour(text: &str, scene: &Scene) -> Result<ColourBy, Failure> {
    let metric = |name: &str| scene.metrics.iter().position(|m| m.name == name);
    match text.split_once(':').map_or((text, None), |(kind, name)| (kind, Some(name))) {
        ("auto", None) => Ok(ColourBy::Auto),
        ("origin", None) => Ok(ColourBy::Origin),
        ("cost", None) if scene.metrics.is_empty() => {
            Err(Failure::new("nothing was measured on this model, so there is no cost to colour by"))
        }
        ("cost", None) => Ok(ColourBy::Cost { metric: 0 }),
        ("cost", Some(name)) => match metric(name) {
            Some(metric) => Ok(ColourBy::Cost { metric }),
            None => {
                let known: Vec<&str> = scene.metrics.iter().map(|m| m.name.as_str()).collect();
                let shown = shown(name);
                Err(Failure::new(format!(
                    "no metric {shown:?} was measured; there are: {}",
                    known.join(", ")
                )))
            }
        },
        _ => Err(Failure::usage(format!(
            "--colour {}: for a graph, auto, origin, cost or cost:METRIC is expected",
            shown(text)
        ))),
    }
}
