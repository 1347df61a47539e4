//! `circle2circle`: optimises a model and carries its lineage through every pass.

mod truth;

use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread::Scope;
use std::time::Instant;

use circle_format::lineage::identity::{self, Hashing};
use circle_format::lineage::import::Basis;
use circle_format::read::ReadOptions;
use circle_ir::lineage::history::Run;
use circle_ir::lineage::origin::OriginFile;
use circle_ir::patch::MOST_ORIGINALS;
use circle_passes::{Pass, Report, Settings, o1, registry};
use clap::{Arg, ArgAction, CommandFactory, FromArgMatches, Parser};

use crate::args::{Common, matches};
use crate::failure::{Failure, finish};
use crate::model::{
    Input, Lineage, Model, load_early, save, save_while_hashing, told_apart, warn_of_lineage,
};
use crate::places::Places;
use crate::plans::Plans;
use crate::{output, progress};

const EXAMPLES: &str = "\
Examples:
  circle2circle --O1 --profiling_data model.circle out.circle
      optimise, and record for each operator which operators of model.circle it stands for
  circle2circle --fuse_batchnorm_with_conv --report report.json model.tflite out.circle
      run one pass on a TFLite model and say what it did
  circle2circle --O1 --truth model.circle
      prove that the operators of the result claim what they come from, and nothing else
  circle2circle --explain fuse_activation_function
      show what a pass does, with an example";

/// Optimises a circle or tflite model and carries its lineage through every pass
#[derive(Debug, Parser)]
#[command(name = "circle2circle", version, after_help = EXAMPLES, rename_all = "snake_case")]
struct Options {
    /// Model to read, .circle or .tflite (told apart by content); - for standard input
    #[arg(required_unless_present_any = ["list_passes", "explain"])]
    input: Option<String>,
    /// Model to write, .circle; - for standard output
    #[arg(required_unless_present_any = ["list_passes", "explain", "truth"])]
    output: Option<String>,
    /// Run the passes of group O1 until none fires any more
    #[arg(long = "O1")]
    o1: bool,
    /// Create profile data where the input has none
    #[arg(short = 'p', long, aliases = ["generate_profile_data", "profiling_data_gen"])]
    profiling_data: bool,
    /// Write no profile data, and drop what is there
    #[arg(long, conflicts_with = "profiling_data")]
    strip_profiling_data: bool,
    /// The file that the input came from, when an unaware tool stood between; recorded by its digest
    #[arg(long, value_name = "FILE")]
    origin: Option<String>,
    /// Write the lineage, also with --strip_profiling_data, to a JSON file beside the model
    #[arg(long, value_name = "FILE.json")]
    sidecar: Option<String>,
    /// Take the lineage of the input from such a file, or from a folder that holds it, where the input has lost its
    #[arg(long, value_name = "FILE.json")]
    input_sidecar: Option<String>,
    /// Write what was done to a JSON file
    #[arg(long, value_name = "FILE.json")]
    report: Option<String>,
    /// Check structure and lineage after each patch, not only at the end, and prove each pass on a copy of the model
    #[arg(long)]
    verify_each: bool,
    /// Judge what operators claim instead of writing: change the constants of each operator of the input, run the
    /// passes, and see which operators of the result change
    #[arg(long, conflicts_with_all = ["output", "report", "profiling_data", "strip_profiling_data", "origin"])]
    truth: bool,
    /// Apply no more than so many patches
    #[arg(long, value_name = "N")]
    stop_after_patch: Option<u64>,
    /// Leave out what this version cannot carry instead of refusing the model
    #[arg(long)]
    allow_loss: bool,
    /// List the passes
    #[arg(long)]
    list_passes: bool,
    /// Show what a pass does, with an example
    #[arg(long, value_name = "PASS")]
    explain: Option<String>,
    /// Form of --list_passes and --truth
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,
    #[command(flatten)]
    common: Common,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    Text,
    Json,
}

fn command() -> clap::Command {
    let passes = registry::PASSES.iter().map(|pass| {
        let info = pass.info();
        Arg::new(info.name)
            .long(info.name)
            .action(ArgAction::SetTrue)
            .help(info.summary)
            .help_heading("Passes")
    });
    Options::command().args(passes)
}

/// Runs the driver on a command line, its own name first.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let parsed = match matches(command(), args) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let options = match Options::from_arg_matches(&parsed) {
        Ok(options) => options,
        Err(error) => error.exit(),
    };
    let chosen: Vec<&str> =
        registry::PASSES.iter().map(Pass::name).filter(|name| parsed.get_flag(name)).collect();
    finish(run(&options, &chosen))
}

fn run(options: &Options, chosen: &[&str]) -> Result<(), Failure> {
    if options.list_passes {
        return list_passes(options.format);
    }
    if let Some(name) = &options.explain {
        return explain(name);
    }
    let Some(input) = &options.input else { return Err(Failure::usage("an input is required")) };
    let places = Places {
        inputs: std::iter::once(input.as_str())
            .chain(options.origin.as_deref())
            .chain(options.input_sidecar.as_deref())
            .collect(),
        output: options.output.as_deref(),
        beside: options.report.iter().chain(&options.sidecar).map(String::as_str).collect(),
    };
    places.check()?;
    let start = Instant::now();
    let _shown = progress::show(options.common);
    let input = Input::open(input)?;
    // The digests of a large file take longer than everything else, so they are computed beside it.
    std::thread::scope(|scope| convert(options, chosen, &input, scope, start))
}

fn convert<'scope, 'env>(
    options: &Options,
    chosen: &[&str],
    input: &'env Input,
    scope: &'scope Scope<'scope, 'env>,
    start: Instant,
) -> Result<(), Failure> {
    let common = options.common;
    let mut hashing = None;
    let read = ReadOptions { allow_loss: options.allow_loss };
    let mut model = load_early(input, read, common, options.input_sidecar.as_deref(), |bytes| {
        // A sidecar is found by the digests.
        if options.input_sidecar.is_some() {
            return identity::digests(bytes);
        }
        hashing = Some(Hashing::start(scope, bytes));
        Default::default()
    })?;
    warn_of_lineage(input, &model, common);

    let passes = passes(options, chosen);
    let settings = Settings {
        fixed_point: options.o1,
        verify_each: options.verify_each,
        stop_after_patch: options.stop_after_patch,
        log: common.verbose > 1,
        run: Run {
            tool: Arc::from("circle2circle"),
            version: Arc::from(env!("CARGO_PKG_VERSION")),
            options: Arc::from(option_text(options, chosen)),
        },
    };
    let Some(output) = &options.output else {
        return truth::run(input, &model.imported.model, &passes, &settings, options.format);
    };
    let bytes = input.bytes();
    let plans = Plans::new(&model.imported.model, bytes);
    for remark in plans.remarks() {
        common.warn(&format!("{}: {remark}", input.name()));
    }
    progress::step("running passes");
    let report = circle_passes::run(&mut model.imported.model, &bytes, &passes, &settings)
        .map_err(|error| Failure::at(input.name(), error))?;
    for refused in &report.refused {
        common.warn(&format!("a patch did not fit and was left out: {refused}"));
    }
    if report.full() > 0 {
        common.warn(&left_out(report.full()));
    }
    if common.verbose > 1 {
        report.log.iter().for_each(|line| common.note(line));
    }
    common.note(&format!("{} operators before, {} after", report.operators_before, report.operators_after));

    for note in plans.drop_stale(&mut model.imported.model, bytes) {
        if !common.quiet {
            crate::failure::note(&format!("{}: {note}", input.name()));
        }
    }
    write_model(options, input, &mut model, hashing, output, &|model| match &options.report {
        Some(path) => output::write_text(path, &report_json(model, &report, start)),
        None => Ok(()),
    })?;
    // The process ends here and gives its memory back at once; taking a large graph apart first would take time.
    std::mem::forget((model, report));
    Ok(())
}

/// That so many patches were left out for the sake of the lineage.
fn left_out(full: u64) -> String {
    let steps = if full == 1 { "1 step was" } else { &format!("{full} steps were") };
    format!(
        "{steps} left out because an operator or constant would stand for more than {MOST_ORIGINALS} originals"
    )
}

fn passes(options: &Options, chosen: &[&str]) -> Vec<Pass> {
    let mut passes: Vec<Pass> = if options.o1 { o1::passes() } else { Vec::new() };
    let extra = chosen.iter().filter_map(|name| registry::find(name));
    for pass in extra {
        if !passes.iter().any(|p| p.name() == pass.name()) {
            passes.push(pass);
        }
    }
    // What passes leave behind unused goes, as with every optimiser.
    if !passes.is_empty()
        && let Some(dead_code) =
            registry::find("dead_code").filter(|d| !passes.iter().any(|p| p.name() == d.name()))
    {
        passes.push(dead_code);
    }
    passes
}

/// The options that shape the result, in one spelling and order.
fn option_text(options: &Options, chosen: &[&str]) -> String {
    let group = options.o1.then_some("O1");
    let all: Vec<String> =
        group.into_iter().chain(chosen.iter().copied()).map(|name| format!("--{name}")).collect();
    all.join(" ")
}

fn write_model(
    options: &Options,
    input: &Input,
    model: &mut Model,
    hashing: Option<Hashing<'_, '_>>,
    path: &str,
    last: &dyn Fn(&Model) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let basis = model.imported.basis;
    let wanted = (basis != Basis::Fresh || options.profiling_data) && !options.strip_profiling_data;
    let origin = match &options.origin {
        None => None,
        Some(path) => {
            let file = Input::open(path)?;
            let format = circle_schema::format_of(file.bytes()).ok();
            let file = identity::identify(path, format, file.bytes());
            begins_there(input, model, path, &file)?;
            Some(file)
        }
    };
    progress::step("writing");
    if !wanted {
        told_apart(path, &model.imported.model, options.allow_loss)?;
    }
    let lineage = Lineage { origin: origin.as_ref() };
    match hashing {
        Some(hashing)
            if wanted
                && basis == Basis::Fresh
                && path != "-"
                && origin.is_none()
                && options.sidecar.is_none()
                && !hashing.is_done() =>
        {
            save_while_hashing(path, input, model, lineage, hashing, last)
        }
        hashing => {
            if let Some(hashing) = hashing {
                model.identify(hashing.finish());
            }
            // Only now is it clear whether that is another file.
            if let Some(file) = &origin {
                model.imported.model.know_file(file.clone());
            }
            let lineage = wanted.then_some(lineage);
            let beside = options.sidecar.as_deref();
            save(path, input, &model.imported.model, lineage, beside, &|| last(model))
        }
    }
}

/// A lineage that begins in other files does not begin in `file` because somebody says so.
fn begins_there(input: &Input, model: &Model, path: &str, file: &OriginFile) -> Result<(), Failure> {
    let known = &model.imported.model.store().origins.files;
    let traced = matches!(model.imported.basis, Basis::Lineage | Basis::Sidecar);
    if !traced || known.is_empty() || known.iter().any(|known| known.md5 == file.md5) {
        return Ok(());
    }
    let names: Vec<&str> = known.iter().map(|file| &*file.name).collect();
    let text = format!(
        "its lineage begins in {}, and nothing tells that it came from {path}; leave out --origin",
        names.join(", ")
    );
    Err(Failure::at(input.name(), text))
}

fn list_passes(form: Form) -> Result<(), Failure> {
    let mut text = String::new();
    if form == Form::Json {
        let all: Vec<_> = registry::PASSES
            .iter()
            .map(|pass| {
                let info = pass.info();
                serde_json::json!({
                    "name": info.name, "summary": info.summary, "change": info.change.name(),
                    "lineage": info.lineage, "O1": o1::NAMES.contains(&info.name),
                })
            })
            .collect();
        text = format!("{:#}\n", serde_json::json!({ "schema_version": 1, "passes": all }));
    } else {
        let width = registry::PASSES.iter().map(|p| p.name().len()).max().unwrap_or(0);
        for pass in registry::PASSES {
            let info = pass.info();
            let group = if o1::NAMES.contains(&info.name) { "O1" } else { "  " };
            text.push_str(&format!(
                "{:width$}  {group}  {:<8} {}\n",
                info.name,
                info.change.name(),
                info.summary
            ));
        }
    }
    output::print(&text)
}

fn explain(name: &str) -> Result<(), Failure> {
    let Some(pass) = registry::find(name) else {
        let near = registry::PASSES
            .iter()
            .map(Pass::name)
            .max_by(|a, b| strsim::jaro_winkler(a, name).total_cmp(&strsim::jaro_winkler(b, name)));
        let hint = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
        return Err(Failure::usage(format!("there is no pass {:?}{hint}", crate::failure::shown(name))));
    };
    let info = pass.info();
    output::print(&format!(
        "{}: {}\nlineage: {}\n\nbefore\n{}\nafter\n{}",
        info.name,
        info.summary,
        info.lineage,
        info.before.trim_start_matches('\n'),
        info.after.trim_start_matches('\n')
    ))
}

fn report_json(model: &Model, report: &Report, start: Instant) -> String {
    let passes: Vec<_> = report
        .passes
        .iter()
        .map(|p| serde_json::json!({ "name": p.name, "fired": p.fired, "milliseconds": p.time.as_secs_f64() * 1e3 }))
        .collect();
    let store = model.imported.model.store();
    let value = serde_json::json!({
        "schema_version": 1,
        "input": { "name": &*model.file.name, "md5": circle_metadata::hex::encode(&model.file.md5) },
        "operators_before": report.operators_before,
        "operators_after": report.operators_after,
        "patches": report.patches,
        "passes": passes,
        "refused": report.refused,
        "full": report.full(),
        // The pipeline fails when the law does not hold, so a report exists only if it does.
        "lineage": { "conserved": true, "origins": store.origins.operators.len(), "ledger": store.ledger.len() },
        "milliseconds": start.elapsed().as_secs_f64() * 1e3,
    });
    format!("{value:#}\n")
}
