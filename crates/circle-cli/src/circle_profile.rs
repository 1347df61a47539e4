//! `circle-profile`: measured cost on models, and the proof of where it belongs.

mod attach;
mod history;
mod rebase;
mod report;
mod verify;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::args::{Common, matches};
use crate::failure::finish;

const EXAMPLES: &str = "\
Examples:
  circle-profile attach model.circle trace.chrome.json -o measured.circle
      store what onert measured on the operators it was measured on
  circle-profile report measured.circle
      cost per original operator
  circle-profile verify out.circle --against model.circle --min_coverage 100
      exit code 0 only if every operator of out.circle is proven to come from model.circle
  circle-profile why out.circle 3
  circle-profile where out.circle @5
      the steps from an operator to its originals, and back
  circle-profile rebase changed.circle --from out.circle -o rebased.circle
      infer where the operators of changed.circle come from, after a tool that keeps no lineage";

const ATTACH_EXAMPLES: &str = "\
Examples:
  circle-profile attach model.circle trace.chrome.json -o measured.circle
      store what onert measured (TRACING_MODE=1)
  circle-profile attach model.tflite litert.txt board.csv -o measured.circle
      several measurements of one model, of any of the known forms";

const REPORT_EXAMPLES: &str = "\
Examples:
  circle-profile report optimised.circle
      what was measured before the passes, per original; nothing lost and nothing counted twice
  circle-profile report --format csv optimised.circle board.csv
      what was measured on the optimised model, shared out over its originals";

const VERIFY_EXAMPLES: &str = "\
Examples:
  circle-profile verify out.circle --against model.circle
      hold what out.circle says of its origins against itself and against model.circle
  circle-profile verify --min_coverage 99.5 --format json out.circle
      fail, too, when less than 99.5 % of the operators are proven";

const WHY_EXAMPLES: &str = "\
Examples:
  circle-profile why out.circle 12
  circle-profile why out.circle sg1:3
  circle-profile why out.circle relu_output
      steps, newest first, and originals of one operator";

const WHERE_EXAMPLES: &str = "\
Examples:
  circle-profile where out.circle @5
  circle-profile where out.circle conv_output
      what carries one original now, or how it left";

const REBASE_EXAMPLES: &str = "\
Examples:
  circle-profile rebase changed.circle --from model.circle -o rebased.circle
      model.circle is the origin, or comes from it; every relation found is marked as inferred";

/// Attach measured profiles to models, report cost per original, prove where operators come from
#[derive(Debug, Parser)]
#[command(name = "circle-profile", version, after_help = EXAMPLES, rename_all = "snake_case")]
struct Options {
    #[command(subcommand)]
    verb: Verb,
    #[command(flatten)]
    common: Common,
}

#[derive(Debug, Subcommand)]
#[command(rename_all = "snake_case")]
enum Verb {
    /// Read measured profiles, join them to operators, store them as annotations
    #[command(after_help = ATTACH_EXAMPLES)]
    Attach(attach::Options),
    /// Show cost per original operator
    #[command(after_help = REPORT_EXAMPLES)]
    Report(report::Options),
    /// Prove or refute what a model says of its provenance; exit code 1 with findings
    #[command(after_help = VERIFY_EXAMPLES)]
    Verify(verify::Options),
    /// Join a model that has lost its lineage to an earlier state of it, by comparison
    #[command(after_help = REBASE_EXAMPLES)]
    Rebase(rebase::Options),
    /// Show why an operator is as it is: steps and originals
    #[command(after_help = WHY_EXAMPLES)]
    Why(history::Why),
    /// Show where an original is now: what carries it, or how it left
    #[command(after_help = WHERE_EXAMPLES)]
    Where(history::Where),
}

/// Form of an output that is no table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    Text,
    Json,
}

/// Runs the driver on a command line, its own name first.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let options = match matches(Options::command(), args).map(|m| Options::from_arg_matches(&m)) {
        Ok(Ok(options)) => options,
        Ok(Err(error)) => error.exit(),
        Err(code) => return code,
    };
    finish(match &options.verb {
        Verb::Attach(verb) => attach::run(verb, options.common),
        Verb::Report(verb) => report::run(verb, options.common),
        Verb::Verify(verb) => verify::run(verb, options.common),
        Verb::Rebase(verb) => rebase::run(verb, options.common),
        Verb::Why(verb) => history::run_why(verb, options.common),
        Verb::Where(verb) => history::run_where(verb, options.common),
    })
}
