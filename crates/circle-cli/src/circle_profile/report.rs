//! `circle-profile report`: cost per original operator.

use circle_format::read::ReadOptions;
use circle_metadata::profile;
use circle_profile::attach::attach;
use circle_profile::attribute::attribute;
use circle_profile::join::join;
use circle_profile::outside::outside;
use circle_profile::report::{rows, to_csv, to_json, to_text};
use circle_profile::weights::Weights;

use crate::args::Common;
use crate::failure::{Failure, shown};
use crate::model::{Input, load, warn_of_lineage};
use crate::output;
use crate::places::Places;

/// The verb's options.
#[derive(Debug, clap::Args)]
#[command(rename_all = "snake_case")]
pub(super) struct Options {
    /// Model with measured values, or whose values are in the profiles; - for standard input
    model: String,
    /// What was measured on this model, besides what it carries
    profiles: Vec<String>,
    /// Form of the output
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,
    /// Leave out what this version does not know instead of refusing the model
    #[arg(long)]
    allow_loss: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    Text,
    Json,
    Csv,
}

pub(super) fn run(options: &Options, common: Common) -> Result<(), Failure> {
    let inputs = std::iter::once(&options.model).chain(&options.profiles).map(String::as_str).collect();
    Places { inputs, ..Places::default() }.check()?;
    let _shown = crate::progress::show(common);
    let input = Input::open(&options.model)?;
    let mut model = load(&input, ReadOptions { allow_loss: options.allow_loss }, common)?;
    warn_of_lineage(&input, &model, common);
    let graph = &mut model.imported.model;
    let mut beside = Vec::new();
    for path in &options.profiles {
        let file = Input::open(path)?;
        let failed = |error: &dyn std::fmt::Display| Failure::at(path, error);
        // The error names the file.
        let profile =
            profile::read(path, file.bytes()).map_err(|error| Failure::new(shown(&error.to_string())))?;
        let joined = join(graph, &profile);
        if joined.joined.is_empty() {
            return Err(Failure::at(path, "nothing joins: no row is about an operator of the model"));
        }
        let attached = attach(graph, path, &profile, &joined).map_err(|error| failed(&error))?;
        beside.extend(outside(path, &profile, &joined, &attached.own));
    }
    let tables = attribute(graph, &Weights::Equal, &beside);
    for table in &tables {
        table.check().map_err(|imbalance| Failure::at(input.name(), imbalance))?;
    }
    if tables.is_empty() {
        common.warn(&format!(
            "{}: nothing was measured (circle-profile attach stores measurements)",
            input.name()
        ));
    }
    let report = rows(graph, &tables);
    let text = match options.format {
        Form::Text => to_text(&report),
        Form::Json => to_json(&report).map_err(|error| Failure::at(input.name(), error))?,
        Form::Csv => to_csv(&report).map_err(|error| Failure::at(input.name(), error))?,
    };
    output::print(&text)
}
