//! `circle-profile rebase`: joins a model that has lost its lineage to an earlier state of it.

use std::fmt::Write as _;
use std::sync::Arc;

use circle_format::lineage::import::Basis;
use circle_format::read::{ReadOptions, read};
use circle_ir::lineage::history::Run;
use circle_profile::rebase::{Strategy, rebase};

use crate::args::Common;
use crate::failure::{Failure, shown};
use crate::model::{Input, Lineage, load, load_with, save, warn_of_lineage};
use crate::output;
use crate::places::Places;

/// The verb's options.
#[derive(Debug, clap::Args)]
#[command(rename_all = "snake_case")]
pub(super) struct Options {
    /// Model that went through a tool that keeps no lineage; - for standard input
    model: String,
    /// Earlier state of it, with lineage, or without as its own origin
    #[arg(long, value_name = "EARLIER")]
    from: String,
    /// Lineage beside EARLIER, or a folder that holds it, where that has lost its
    #[arg(long, value_name = "FILE.json")]
    from_sidecar: Option<String>,
    /// Model to write, with what could be inferred
    #[arg(short, long)]
    output: String,
    /// Infer although the model carries lineage that fits it, which is then dropped
    #[arg(long)]
    force: bool,
    /// Write the lineage to a JSON file beside the model, too
    #[arg(long, value_name = "FILE.json")]
    sidecar: Option<String>,
    /// Leave out what this version cannot carry instead of refusing the model
    #[arg(long)]
    allow_loss: bool,
}

pub(super) fn run(options: &Options, common: Common) -> Result<(), Failure> {
    let places = Places {
        inputs: [&options.model, &options.from]
            .into_iter()
            .chain(&options.from_sidecar)
            .map(String::as_str)
            .collect(),
        output: Some(&options.output),
        beside: options.sidecar.as_deref().into_iter().collect(),
    };
    places.check()?;
    let _shown = crate::progress::show(common);
    let input = Input::open(&options.model)?;
    let reading = ReadOptions { allow_loss: options.allow_loss };
    let model = load(&input, reading, common)?;
    if matches!(model.imported.basis, Basis::Lineage | Basis::OneTables) && !options.force {
        return Err(Failure::at(
            input.name(),
            "it carries lineage that fits it, which is worth more than a guess",
        )
        .because("--force drops it and infers another"));
    }
    let origin = Input::open(&options.from)?;
    let from_sidecar = options.from_sidecar.as_deref();
    let earlier = load_with(&origin, reading, common, from_sidecar)?;
    warn_of_lineage(&origin, &earlier, common);
    if earlier.imported.basis == Basis::Unknown {
        return Err(Failure::at(
            origin.name(),
            "its own lineage cannot be believed, so that it proves nothing",
        )
        .because("a sidecar may bring it back (--from_sidecar), or it may be rebased first"));
    }
    let loaded = read(input.bytes(), reading).map_err(|error| Failure::at(input.name(), error))?;
    let run = Run {
        tool: Arc::from("circle-profile"),
        version: Arc::from(env!("CARGO_PKG_VERSION")),
        options: Arc::from(format!("rebase --from {}", earlier.file.name)),
    };
    let (now, then) = (input.bytes(), origin.bytes());
    let rebased = rebase(loaded.draft, &now, &earlier.imported.model, &then, run)
        .map_err(|error| Failure::at(input.name(), error))?;
    let lineage = Some(Lineage { origin: None });
    save(&options.output, &input, &rebased.model, lineage, options.sidecar.as_deref(), &|| Ok(()))?;
    // The model itself may have gone to standard output.
    if options.output == "-" || common.quiet {
        return Ok(());
    }
    let report = rebased.report;
    let joined: u64 = report.joined.values().sum();
    let mut text = format!(
        "{}: {joined} of {} operators joined to {}, all inferred; {} ambiguous, {} unknown\n",
        shown(input.name()),
        report.operators,
        shown(origin.name()),
        report.ambiguous,
        report.unknown
    );
    for strategy in Strategy::ALL {
        if let Some(count) = report.joined.get(&strategy) {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "  {count:>6} by {}", strategy.name());
        }
    }
    output::print(&text)
}
