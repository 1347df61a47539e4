//! `circle-profile-dump`: shows where each operator of a model comes from and what it was measured to cost.

use std::ffi::OsString;
use std::process::ExitCode;

use circle_format::lineage::identity;
use circle_format::read::{ReadOptions, is_own};
use circle_metadata::problem::Severity;
use circle_profile::dump::{About, Dump, MetadataEntry, collect, to_csv, to_text};
use clap::{CommandFactory, FromArgMatches, Parser};

use crate::args::{Common, matches};
use crate::failure::{FAILED, Failure, finish};
use crate::model::{Input, Model, load_with, profile_data};
use crate::output;

const EXAMPLES: &str = "\
Examples:
  circle-profile-dump out.circle
      for each operator: its originals with roles, the passes it came through, what was measured
  circle-profile-dump --format json out.circle > out.json
  circle-profile-dump --origin_id out.circle | md5sum -c
      check that the origin file beside it is the one that out.circle came from";

/// Show where each operator of a model comes from and what it was measured to cost
#[derive(Debug, Parser)]
#[command(name = "circle-profile-dump", version, after_help = EXAMPLES, rename_all = "snake_case")]
struct Options {
    /// Model to read, .circle or .tflite; - for standard input
    model: String,
    /// Form of the output
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,
    /// Lineage beside the model, or a folder that holds it, where the model has lost its
    #[arg(long, value_name = "FILE.json")]
    sidecar: Option<String>,
    /// Print only the digest and name of the origin file, as md5sum -c takes it
    #[arg(long)]
    origin_id: bool,
    /// Leave out what this version does not know instead of refusing the model
    #[arg(long)]
    allow_loss: bool,
    #[command(flatten)]
    common: Common,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    Text,
    Json,
    Csv,
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

fn run(options: &Options) -> Result<(), Failure> {
    let _shown = crate::progress::show(options.common);
    let input = Input::open(&options.model)?;
    let reading = ReadOptions { allow_loss: options.allow_loss };
    let model = load_with(&input, reading, options.common, options.sidecar.as_deref())?;
    if options.origin_id {
        return origin_id(&input, &model);
    }
    let dump = dump(&input, &model);
    let text = match options.format {
        Form::Text => to_text(&dump),
        Form::Json => dump.to_json(),
        Form::Csv => to_csv(&dump).map_err(|error| Failure::at(input.name(), error))?,
    };
    output::print(&text)?;
    let damaged = model.imported.problems.iter().any(|p| p.severity == Severity::Error);
    // As in circle2circle: taking a large graph apart would only take time.
    std::mem::forget((dump, model));
    if damaged { Err(Failure::silent(FAILED)) } else { Ok(()) }
}

fn origin_id(input: &Input, model: &Model) -> Result<(), Failure> {
    let Some(id) = &model.imported.origin_id else {
        return Err(Failure::at(input.name(), "it names no origin file"));
    };
    let line = circle_metadata::origin_id::encode(id).map_err(|error| Failure::at(input.name(), error))?;
    output::print(&String::from_utf8_lossy(&line))
}

/// All that is known of a model's lineage.
pub fn dump(input: &Input, model: &Model) -> Dump {
    dump_as(input, model, profile_data(model.imported.basis))
}

/// The dump with another word for where the lineage comes from; with `own` a file without profile data shows each of
/// its operators as its own original.
pub fn dump_as(input: &Input, model: &Model, profile_data: &'static str) -> Dump {
    let payload = |entry: &crate::model::Entry| {
        let range = (usize::try_from(entry.range.start).ok(), usize::try_from(entry.range.end).ok());
        match range {
            (Some(start), Some(end)) => input.bytes().get(start..end).unwrap_or(&[]),
            _ => &[],
        }
    };
    let entries: Vec<MetadataEntry<'_>> = model
        .metadata
        .iter()
        .map(|entry| {
            let payload = payload(entry);
            let (_, sha256) = identity::digests(payload);
            MetadataEntry { name: &entry.name, payload, sha256, known: is_own(&entry.name) }
        })
        .collect();
    let about = About {
        file: &model.file,
        profile_data,
        stale: model.imported.stale.as_deref().or(model.imported.doubt.as_deref()),
        problems: &model.imported.problems,
        metadata: &entries,
    };
    collect(&model.imported.model, &about)
}
