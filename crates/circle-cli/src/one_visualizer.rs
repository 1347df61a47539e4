//! `one-visualizer`: draws a model's graph with its lineage and its cost.

mod scene;

use std::ffi::OsString;
use std::process::ExitCode;

use circle_format::lineage::import::Basis;
use circle_format::read::ReadOptions;
use circle_visual::{ColourBy, Options as Look, Scene, Theme};
use clap::{CommandFactory, FromArgMatches, Parser};

use crate::args::{Common, matches};
use crate::circle_profile_dump::{dump, dump_as};
use crate::failure::{Failure, finish};
use crate::model::{Input, load, warn_of_lineage};
use crate::output;

const EXAMPLES: &str = "\
Examples:
  one-visualizer out.circle -o out.html
      one offline page: hover, zoom, pan, search, from operators to their originals and back
  one-visualizer out.circle -o out.svg --colour cost:time
  one-visualizer out.circle -o out.png --theme dark --width 2400";

/// Draw a model's graph with its lineage and its cost
#[derive(Debug, Parser)]
#[command(name = "one-visualizer", version, after_help = EXAMPLES, rename_all = "snake_case")]
struct Options {
    /// Model to draw, .circle or .tflite (told apart by content); - for standard input
    input: String,
    /// Picture to write: .svg, .png, .jpg, .jpeg or .html; - for standard output
    #[arg(short, long, required_unless_present = "check")]
    output: Option<String>,
    /// Form of the picture, where no extension says it
    #[arg(long, value_enum)]
    format: Option<Form>,
    /// What colours tell: cost, cost:METRIC, origin, or auto (cost where it was measured)
    #[arg(long, alias = "color", default_value = "auto")]
    colour: String,
    /// Background of the picture; a page follows the reader's settings and can be switched
    #[arg(long, value_enum, default_value_t = ThemeName::Light)]
    theme: ThemeName,
    /// Width of a PNG or JPEG in pixels
    #[arg(long)]
    width: Option<u32>,
    /// Only check that the input can be drawn
    #[arg(long)]
    check: bool,
    /// Leave out what this version does not know instead of refusing the model
    #[arg(long)]
    allow_loss: bool,
    #[command(flatten)]
    common: Common,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ThemeName {
    Light,
    Dark,
}

/// Runs the driver on a command line, its own name first.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let options = match matches(Options::command(), args).map(|m| Options::from_arg_matches(&m)) {
        Ok(Ok(options)) => options,
        Ok(Err(error)) => error.exit(),
        Err(code) => return code,
    };
    finish(run(&options))
}

/// Forms of pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    Svg,
    Png,
    #[value(alias = "jpg")]
    Jpeg,
    Html,
}

fn form(path: &str, format: Option<Form>) -> Result<Form, Failure> {
    if let Some(form) = format {
        return Ok(form);
    }
    if path == "-" {
        return Err(Failure::usage("standard output has no extension; --format says what is drawn"));
    }
    let extension = path.rsplit_once('.').map(|(_, e)| e.to_ascii_lowercase());
    match extension.as_deref() {
        Some("svg") => Ok(Form::Svg),
        Some("png") => Ok(Form::Png),
        Some("jpg" | "jpeg") => Ok(Form::Jpeg),
        Some("html" | "htm") => Ok(Form::Html),
        _ => Err(Failure::usage(format!(
            "{}: the extension says what is drawn, and must be .svg, .png, .jpg, .jpeg or .html",
            crate::failure::shown(path)
        ))),
    }
}

fn run(options: &Options) -> Result<(), Failure> {
    let with_form = |path| form(path, options.format).map(|form| (path, form));
    let target = options.output.as_deref().map(with_form).transpose()?;
    let input = Input::open(&options.input)?;
    let model = load(&input, ReadOptions { allow_loss: options.allow_loss }, options.common)?;
    warn_of_lineage(&input, &model, options.common);
    let rows = match model.imported.basis {
        Basis::Fresh => dump_as(&input, &model, "own"),
        _ => dump(&input, &model),
    };
    let scene = scene::build(&model.imported.model, &rows);
    let look = Look {
        colour: colour(&options.colour, &scene)?,
        theme: match options.theme {
            ThemeName::Light => Theme::Light,
            ThemeName::Dark => Theme::Dark,
        },
        width: options.width,
    };
    let Some((path, form)) = target.filter(|_| !options.check) else { return Ok(()) };
    let failed = |error: circle_visual::Error| Failure::at(input.name(), error);
    let picture = match form {
        Form::Svg => circle_visual::svg(&scene, &look).map_err(failed)?.into_bytes(),
        Form::Png => circle_visual::png(&scene, &look).map_err(failed)?,
        Form::Jpeg => circle_visual::jpeg(&scene, &look).map_err(failed)?,
        Form::Html => circle_visual::html(&scene, &look).map_err(failed)?.into_bytes(),
    };
    output::write(path, |sink| sink.write_all(&picture).map_err(|error| Failure::at(path, error)))
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
                let shown = crate::failure::shown(name);
                Err(Failure::new(format!(
                    "no metric {shown:?} was measured; there are: {}",
                    known.join(", ")
                )))
            }
        },
        _ => Err(Failure::usage(format!(
            "--colour {}: auto, origin, cost or cost:METRIC is expected",
            crate::failure::shown(text)
        ))),
    }
}
