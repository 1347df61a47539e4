//! `circle-profile why` and `circle-profile where`: the history of a model, walked both ways.

use circle_format::lineage::import::Basis;
use circle_format::read::ReadOptions;
use circle_profile::history::whereabouts::whereabouts;
use circle_profile::history::why::why;
use circle_profile::history::{operator, source, to_json, whereabouts_text, why_text};
use serde::Serialize;

use super::Form;
use crate::args::Common;
use crate::failure::Failure;
use crate::model::{Input, Model, load_with, warn_of_lineage};
use crate::output;

/// What both verbs share.
#[derive(Debug, clap::Args)]
#[command(rename_all = "snake_case")]
struct Shared {
    /// Lineage beside the model, or a folder that holds it, where the model has lost its
    #[arg(long, value_name = "FILE.json")]
    sidecar: Option<String>,
    /// Leave out what this version does not know instead of refusing the model
    #[arg(long)]
    allow_loss: bool,
    /// Form of the output
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,
}

/// Options of `why`.
#[derive(Debug, clap::Args)]
#[command(rename_all = "snake_case")]
pub(super) struct Why {
    /// Model; - for standard input
    model: String,
    /// Operator: its index (12), subgraph and index (sg1:3), or the name of an output tensor
    op: String,
    #[command(flatten)]
    shared: Shared,
}

/// Options of `where`.
#[derive(Debug, clap::Args)]
#[command(rename_all = "snake_case")]
pub(super) struct Where {
    /// Model; - for standard input
    model: String,
    /// Original: its id (5 or @5) or its name
    source: String,
    #[command(flatten)]
    shared: Shared,
}

pub(super) fn run_why(options: &Why, common: Common) -> Result<(), Failure> {
    let _shown = crate::progress::show(common);
    let (input, model) = load(&options.model, &options.shared, common)?;
    let graph = &model.imported.model;
    let (subgraph, op) = operator(graph, &options.op).map_err(|error| Failure::at(input.name(), error))?;
    let Some(found) = why(graph, subgraph, op) else {
        return Err(Failure::at(input.name(), format!("{subgraph} {op}: there is no such operator")));
    };
    print(&found, options.shared.format, why_text, &input)
}

pub(super) fn run_where(options: &Where, common: Common) -> Result<(), Failure> {
    let _shown = crate::progress::show(common);
    let (input, model) = load(&options.model, &options.shared, common)?;
    let graph = &model.imported.model;
    let origin = source(graph, &options.source).map_err(|error| Failure::at(input.name(), error))?;
    let Some(found) = whereabouts(graph, origin) else {
        return Err(Failure::at(input.name(), format!("{origin}: there is no such original")));
    };
    print(&found, options.shared.format, whereabouts_text, &input)
}

fn load(path: &str, shared: &Shared, common: Common) -> Result<(Input, Model), Failure> {
    let input = Input::open(path)?;
    let reading = ReadOptions { allow_loss: shared.allow_loss };
    let model = load_with(&input, reading, common, shared.sidecar.as_deref())?;
    warn_of_lineage(&input, &model, common);
    if model.imported.basis == Basis::Fresh {
        return Err(Failure::at(input.name(), "the model carries no lineage")
            .because("circle2circle --profiling_data creates it"));
    }
    Ok((input, model))
}

fn print<T: Serialize>(
    found: &T,
    form: Form,
    text: impl Fn(&T) -> String,
    input: &Input,
) -> Result<(), Failure> {
    output::print(&match form {
        Form::Text => text(found),
        Form::Json => to_json(found).map_err(|error| Failure::at(input.name(), error))?,
    })
}
