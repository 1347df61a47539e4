//! `one-visualizer`: draws models with their lineage and cost, and memory plans; converts and checks memory plans.

mod comparison;
mod convert;
mod findings;
mod graph;
mod memory;
mod part;
mod planned;
mod scene;
mod suited;

use std::ffi::OsString;
use std::ops::Range;
use std::process::ExitCode;
use std::time::Duration;

use circle_liveness::Choice;
use circle_memory::read::{Foreign, detect};
use circle_visual::Theme;
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser};

use crate::args::{Common, matches, planners};
use crate::failure::{Failure, finish, shown};
use crate::model::Input;
use crate::output;
use crate::places::Places;

const EXAMPLES: &str = "\
Examples:
  one-visualizer out.circle -o out.html
      one offline page: hover, zoom, pan, search, from operators to their originals and back
  one-visualizer out.circle -o out.svg --colour cost:time
  one-visualizer --view memory out.circle -o memory.html
      the memory that the model needs, planned if it carries no plan
  one-visualizer allocations.json -o allocations.png --cycles 1000..5000 --segment SRAM0
  one-visualizer --compare before.circle after.circle -o compare.html
      two plans on one scale, and which original layers make the difference
  one-visualizer --check allocations.json
  one-visualizer memory_info.txt -o memory.json
      .json (memory allocation form), .tracealloc.json, .csv: converted without loss, or refused
  one-visualizer schema
      print the JSON Schema of the memory allocation form";

/// Draw a model's graph with its lineage and its cost, or a memory plan
#[derive(Debug, Parser)]
#[command(name = "one-visualizer", version, after_help = EXAMPLES, rename_all = "snake_case")]
struct Options {
    /// What to draw, told apart by content: models, memory plans of any form; - for standard input; or `schema`
    #[arg(required = true)]
    inputs: Vec<String>,
    /// File to write: .svg, .png, .jpg, .jpeg or .html; of memory also .json, .tracealloc.json and .csv; - for standard
    /// output
    #[arg(short, long)]
    output: Option<String>,
    /// Form of the output, where no extension says it
    #[arg(long, value_enum)]
    format: Option<Form>,
    /// What of a model is drawn: its graph, or the memory it needs; auto draws the graph of a single model
    #[arg(long, value_enum, default_value_t = View::Auto)]
    view: View,
    /// What colours tell. Of a graph: cost, cost:METRIC, origin, or auto (cost where it was measured); of memory:
    /// origin, kind, size
    #[arg(long, alias = "color", default_value = "auto")]
    colour: String,
    /// Background of the picture; a page follows the reader's settings and can be switched
    #[arg(long, value_enum, default_value_t = ThemeName::Light)]
    theme: ThemeName,
    /// Width of a picture in pixels
    #[arg(long)]
    width: Option<u32>,
    /// Height of a picture of memory in pixels
    #[arg(long)]
    height: Option<u32>,
    /// Names inside blocks of memory: where they can be read, in all, or in none
    #[arg(long, value_enum, default_value_t = NamesIn::Auto)]
    names: NamesIn,
    /// Only the memory in use from tick A to before B, in pictures, comparisons and checks; a conversion keeps the blocks
    /// that live then, whole. A or B may be left out
    #[arg(long, value_name = "A..B", value_parser = ticks)]
    cycles: Option<Range<u64>>,
    /// Only this segment of memory, whatever is made of it; may be repeated
    #[arg(long = "segment", value_name = "NAME")]
    segments: Vec<String>,
    /// Two memory plans on one scale, with the difference of each original layer
    #[arg(long)]
    compare: bool,
    /// Only check that the input is sound
    #[arg(long)]
    check: bool,
    /// Lifetimes in foreign memory files end with the tick they name, as ONE's circle-execution-plan writes them, rather
    /// than before it
    #[arg(long)]
    inclusive_till: bool,
    /// Names of the blocks of a planning problem: CSV id,name
    #[arg(long, value_name = "FILE.csv")]
    block_names: Option<String>,
    #[arg(long, value_parser = crate::args::planner, help = planners(
        "Who plans the memory; a plan that the input holds is then left aside, but for what its blocks share"
    ))]
    planner: Option<Choice>,
    /// Search for a plan for so long at most
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = crate::args::seconds)]
    time_limit: Duration,
    /// In the plan of a model, let operators write over inputs that nobody needs any more
    #[arg(long)]
    inplace: bool,
    /// In the plan of a model, let kernels that go through memory from the first byte to the last write around a ring,
    /// over what they have read
    #[arg(long, requires = "inplace")]
    rings: bool,
    /// Plan tensors with open dimensions in the shape that the file states
    #[arg(long)]
    stated_shapes: bool,
    /// Leave out what cannot be carried (fields this version does not know, what a form cannot express) instead of
    /// refusing
    #[arg(long)]
    allow_loss: bool,
    #[command(flatten)]
    common: Common,
    /// Identities of the arguments that stand on the command line.
    #[arg(skip)]
    given: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum View {
    Auto,
    Graph,
    Memory,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum NamesIn {
    Auto,
    All,
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ThemeName {
    Light,
    Dark,
}

impl From<ThemeName> for Theme {
    fn from(name: ThemeName) -> Self {
        match name {
            ThemeName::Light => Self::Light,
            ThemeName::Dark => Self::Dark,
        }
    }
}

impl Options {
    /// The same, knowing what stands on the command line and what is there by default.
    fn with_given(mut self, matches: &ArgMatches) -> Self {
        let ids = matches.ids().map(clap::Id::as_str);
        let given = ids.filter(|id| matches.value_source(id) == Some(ValueSource::CommandLine));
        self.given = given.map(str::to_owned).collect();
        self
    }
}

/// `A..B` with either left out.
fn ticks(text: &str) -> Result<Range<u64>, String> {
    let (from, till) = text.split_once("..").ok_or("A..B is expected")?;
    let number = |text: &str, otherwise: u64| match text.trim() {
        "" => Ok(otherwise),
        text => text.parse().map_err(|_| format!("{text:?} is no tick")),
    };
    let range = number(from, 0)?..number(till, u64::MAX)?;
    if range.is_empty() { Err("A must be less than B".into()) } else { Ok(range) }
}

/// Runs the driver on a command line, its own name first.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let read = |m: ArgMatches| Options::from_arg_matches(&m).map(|options| options.with_given(&m));
    let options = match matches(Options::command(), args).map(read) {
        Ok(Ok(options)) => options,
        Ok(Err(error)) => error.exit(),
        Err(code) => return code,
    };
    finish(run(&options))
}

/// Forms of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
#[value(rename_all = "snake_case")]
enum Form {
    Svg,
    Png,
    #[value(alias = "jpg")]
    Jpeg,
    Html,
    /// The memory allocation form; with --check and --compare, findings and figures
    Json,
    /// ONE's tracealloc JSON
    Tracealloc,
    /// Allocations as CSV
    Csv,
    /// A planning problem or its solution as CSV
    PlanCsv,
    /// The JSON drafted for ONE's backends
    Draft,
}

impl Form {
    fn is_picture(self) -> bool {
        matches!(self, Self::Svg | Self::Png | Self::Jpeg | Self::Html)
    }
}

/// Where the output goes, and its form.
#[derive(Clone, Copy, Debug)]
struct Target<'a> {
    path: &'a str,
    form: Form,
}

fn form(path: &str, format: Option<Form>) -> Result<Form, Failure> {
    if let Some(form) = format {
        return Ok(form);
    }
    if path == "-" {
        return Err(Failure::usage("standard output has no extension; --format says what is written"));
    }
    let name = path.to_ascii_lowercase();
    if name.ends_with(".tracealloc.json") {
        return Ok(Form::Tracealloc);
    }
    match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("svg") => Ok(Form::Svg),
        Some("png") => Ok(Form::Png),
        Some("jpg" | "jpeg") => Ok(Form::Jpeg),
        Some("html" | "htm") => Ok(Form::Html),
        Some("json") => Ok(Form::Json),
        Some("csv") => Ok(Form::Csv),
        _ => Err(Failure::usage(format!(
            "{}: the extension says what is written, and must be .svg, .png, .jpg, .jpeg, .html, .json, \
             .tracealloc.json or .csv",
            shown(path)
        ))),
    }
}

fn run(options: &Options) -> Result<(), Failure> {
    if options.inputs == ["schema"] {
        suited::schema(options)?;
        return output::write_text(options.output.as_deref().unwrap_or("-"), &circle_memory::schema());
    }
    if options.compare && options.inputs.len() != 2 {
        return Err(Failure::usage(format!("--compare takes two inputs, not {}", options.inputs.len())));
    }
    if options.output.is_none() && !options.check && !options.compare {
        return Err(Failure::usage(
            "nothing says where the picture goes: -o OUTPUT.svg, .png, .jpg or .html",
        ));
    }
    let target = |path| form(path, options.format).map(|form| Target { path, form });
    let target = options.output.as_deref().map(target).transpose()?.filter(|_| !options.check);
    check(options, target)?;
    let writes = options.output.as_deref();
    let places = Places {
        inputs: options.inputs.iter().chain(&options.block_names).map(String::as_str).collect(),
        // A picture, findings or another form of an input are never that input changed.
        output: None,
        beside: writes.into_iter().collect(),
    };
    places.check()?;
    let _shown = crate::progress::show(options.common);
    if options.check && options.inputs.len() > 1 {
        return memory::check_all(options);
    }
    let inputs = options.inputs.iter().map(|path| Input::open(path)).collect::<Result<Vec<_>, _>>()?;
    let kinds: Vec<_> = inputs.iter().map(|input| detect(input.bytes())).collect();
    suited::inputs(options, &kinds, target)?;
    match inputs.as_slice() {
        [input] if is_graph(options, input, target) => graph::run(options, input, target),
        _ => memory::run(options, &inputs, target),
    }
}

/// What makes no sense together, as far as the command line tells.
fn check(options: &Options, target: Option<Target<'_>>) -> Result<(), Failure> {
    let converts = target.is_some_and(|target| !target.form.is_picture());
    if options.check && options.compare {
        return Err(Failure::usage(
            "--check looks at each input by itself, --compare at the difference of two: one of them can be asked for",
        ));
    }
    let elsewhere = options.output.is_some() || options.format.is_some();
    if options.check && elsewhere && options.format != Some(Form::Json) {
        return Err(Failure::usage(
            "--check draws and converts nothing; with --format json, --output is where the findings go",
        ));
    }
    if options.compare && options.output.is_none() && options.format.is_some_and(|form| form != Form::Json) {
        return Err(Failure::usage(
            "--compare prints text, or with --format json JSON; where a picture goes, --output says",
        ));
    }
    let report = options.compare && target.is_some_and(|target| target.form == Form::Json);
    if converts && options.inputs.len() > 1 && !report {
        return Err(Failure::usage("one input is converted at a time; several can be drawn"));
    }
    suited::outputs(options, target)
}

/// Whether the graph of the input is to be drawn.
fn is_graph(options: &Options, input: &Input, target: Option<Target<'_>>) -> bool {
    let of_memory = || target.is_some_and(|target| !target.form.is_picture()) || options.means_memory();
    match options.view {
        View::Graph => true,
        View::Memory => false,
        View::Auto => !(memory::is_readable(input) || is_model(input) && of_memory()),
    }
}

fn is_model(input: &Input) -> bool {
    let form = detect(input.bytes());
    [Foreign::Circle, Foreign::Tflite].map(circle_memory::Form::Foreign).contains(&form)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_may_be_open() {
        assert_eq!(ticks("3..7"), Ok(3..7));
        assert_eq!(ticks("..7"), Ok(0..7));
        assert_eq!(ticks("3.."), Ok(3..u64::MAX));
        assert!(ticks("7..7").is_err() && ticks("7").is_err() && ticks("a..b").is_err());
    }

    #[test]
    fn the_longest_extension_counts() {
        assert_eq!(form("a.tracealloc.json", None).ok(), Some(Form::Tracealloc));
        assert_eq!(form("a.JSON", None).ok(), Some(Form::Json));
        assert!(form("a.txt", None).is_err() && form("-", None).is_err());
        assert_eq!(form("a.txt", Some(Form::Draft)).ok(), Some(Form::Draft));
    }
}
