//! The graph of one model with its lineage and its cost.

use circle_format::lineage::import::Basis;
use circle_format::read::ReadOptions;
use circle_memory::Severity;
use circle_visual::{ColourBy, Options as Look, Scene};

use super::findings::Reported;
use super::{Form, Options, Target, findings, scene};
use crate::circle_profile_dump::{dump, dump_as};
use crate::failure::{Failure, shown};
use crate::model::{Input, Model, load, warn_of_lineage};
use crate::output;

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
        let plans = findings::of_plans(options, input, &model).found;
        let told = if options.format == Some(Form::Json) { lineage(input, &model) } else { Vec::new() };
        findings::tell(options, told.iter().chain(&plans))?;
        return findings::verdict(&plans);
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

/// What was found in the profile data of the model, in the shape of findings about memory. Warnings have been printed
/// already where the report is a text.
fn lineage(input: &Input, model: &Model) -> Vec<Reported> {
    let imported = &model.imported;
    let problems = imported.problems.iter().map(|problem| {
        let severity = match problem.severity {
            circle_metadata::problem::Severity::Error => Severity::Error,
            circle_metadata::problem::Severity::Warning => Severity::Warning,
        };
        Reported::of_file(input, ("lineage", severity), Some(&problem.place()), &problem.text)
    });
    let doubts = imported.doubt.iter().chain(&imported.stale);
    let doubts =
        doubts.map(|text| Reported::of_file(input, ("lineage", Severity::Warning), None, &text.to_string()));
    problems.chain(doubts).collect()
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
