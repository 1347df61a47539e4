//! `circle-execution-plan`: plans the memory of a model, or of a planning problem.

mod banked;
mod entry;
mod model;
mod problem;
mod report;
mod unsaid;
mod whole;

use std::ffi::OsString;
use std::process::ExitCode;
use std::time::Duration;

use circle_liveness::banks::Bank;
use circle_liveness::table::Style;
use circle_liveness::{Choice, Platform, Settings};
use circle_memory::Form;
use circle_memory::read::detect;
use clap::{CommandFactory, FromArgMatches, Parser};

use crate::args::{Common, matches, planners};
use crate::failure::{Failure, finish};
use crate::model::Input;
use crate::places::Places;
use crate::progress;

const EXAMPLES: &str = "\
Examples:
  circle-execution-plan model.circle planned.circle
      plan the memory and write the plan into the model as ONE's runtimes read it
  circle-execution-plan --reorder --inplace model.tflite planned.tflite
      also look for a better order of operators; TensorFlow Lite Micro reads the plan
  circle-execution-plan model.circle --report report.json --save_allocations model.tracealloc.json
      only say what the plan comes to, and write it for viewers
  circle-execution-plan --bank sram=262144 --bank dram=8388608 model.circle planned.circle
      two memories, the faster one first
  circle-execution-plan problem.csv solved.csv
      plan blocks given as id,lower,upper,size";

/// Plan the memory of a model
#[derive(Debug, Parser)]
#[command(name = "circle-execution-plan", version, after_help = EXAMPLES, rename_all = "snake_case")]
struct Options {
    /// Model (.circle or .tflite) or planning problem (CSV), told apart by content; - for standard input
    input: String,
    /// Model or problem with its plan, in the form of the input; - for standard output
    #[arg(required_unless_present_any = ["report", "save_allocations", "save_plan"])]
    output: Option<String>,
    /// Whose kernels ask for scratch memory: linux, mcu or cmsisnn [default: linux in ONE's table; none
    /// for tflm, which has no place for it]
    #[arg(long, value_parser = platform)]
    platform: Option<Platform>,
    /// Whether the processor has DSP instructions; with cmsisnn only
    #[arg(long, value_name = "BOOL", value_parser = boolean)]
    use_dsp: Option<bool>,
    /// The runtime that the plan is for: onert-micro or luci-interpreter
    #[arg(long, default_value = "onert-micro", value_parser = runtime)]
    runtime: Runtime,
    /// One memory for all, or one each for inputs, outputs and the rest
    #[arg(long, value_enum, default_value_t = Mode::Common, alias = "buffer_type")]
    allocating_mode: Mode,
    /// Whether constants lie in the planned memory; never for tflm [default: false]
    #[arg(long, value_name = "BOOL", value_parser = boolean)]
    allocate_const: Option<bool>,
    /// Whether inputs lie in the planned memory [default: true]
    #[arg(long, value_name = "BOOL", value_parser = boolean)]
    allocate_input: Option<bool>,
    /// Whether variables lie in the planned memory; never for tflm [default: false for tflm, else true]
    #[arg(long, value_name = "BOOL", value_parser = boolean)]
    allocate_variable: Option<bool>,
    /// The opposite of --allocate_const
    #[arg(long, value_name = "BOOL", value_parser = boolean, conflicts_with = "allocate_const", hide = true)]
    null_const: Option<bool>,
    /// The opposite of --allocate_input
    #[arg(long, value_name = "BOOL", value_parser = boolean, conflicts_with = "allocate_input", hide = true)]
    null_input: Option<bool>,
    /// How the plan is written: one (ONE_execution_plan_table) or tflm (OfflineMemoryAllocation) [default: one for
    /// circle, tflm for tflite]
    #[arg(long, value_enum)]
    metadata: Option<Metadata>,
    /// Write the plan to a JSON file that ONE's viewer reads
    #[arg(long, value_name = "FILE.tracealloc.json")]
    save_allocations: Option<String>,
    /// Write the plan to a JSON file of the memory allocation form, which can say all of it
    #[arg(long, value_name = "FILE.json")]
    save_plan: Option<String>,
    #[arg(long, default_value = "best", value_parser = crate::args::planner, help = planners("Who plans"))]
    planner: Choice,
    /// Offsets are multiples of so many bytes [default: 16 for models, 1 for problems]; of blocks of planning problems and
    /// memory plans, only of those of which the file says nothing else
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u64).range(1..))]
    alignment: Option<u64>,
    /// Plan tensors with open dimensions in the shape that the file states, as runtimes without dynamic shapes take
    /// them; without this they are refused
    #[arg(long)]
    stated_shapes: bool,
    /// Let operators run in an order that needs less memory, if there is one
    #[arg(long)]
    reorder: bool,
    /// Let operators write over inputs that nobody needs any more; the planner best does so where it helps
    #[arg(long)]
    inplace: bool,
    /// Let kernels that go through memory from the first byte to the last write around a ring, over what they have read:
    /// convolutions, pools and what works on single elements; the planner best does so where it helps. No runtime of ONE or TensorFlow Lite has such kernels, so
    /// that only --save_plan can hold the plan
    #[arg(long, requires = "inplace")]
    rings: bool,
    /// Search for so long at most, for each memory and for the order
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = crate::args::seconds)]
    time_limit: Duration,
    /// Seed of the search
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A memory of so many bytes; several, the fastest first, lie one behind another, each from a multiple of the
    /// alignment on. Blocks of planning problems and memory plans are given to banks, too; --save_plan writes a segment
    /// for each bank
    #[arg(long = "bank", value_name = "NAME=BYTES", value_parser = bank)]
    banks: Vec<Bank>,
    /// Write what was planned to a JSON file
    #[arg(long, value_name = "FILE.json")]
    report: Option<String>,
    /// Leave out what this version cannot carry, and places that the plan's form has no entry for, instead of refusing
    /// the model
    #[arg(long)]
    allow_loss: bool,
    #[command(flatten)]
    common: Common,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Runtime {
    OnertMicro,
    LuciInterpreter,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Mode {
    Common,
    Split,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Metadata {
    One,
    Tflm,
}

/// A truth value as ONE's tools take it.
fn boolean(text: &str) -> Result<bool, String> {
    match text {
        "true" | "True" | "TRUE" | "1" => Ok(true),
        "false" | "False" | "FALSE" | "0" => Ok(false),
        _ => Err("true or false is expected".into()),
    }
}

fn platform(text: &str) -> Result<Platform, String> {
    text.parse()
}

/// Upstream's own default is spelled with a line below.
fn runtime(text: &str) -> Result<Runtime, String> {
    match text {
        "onert-micro" | "onert_micro" => Ok(Runtime::OnertMicro),
        "luci-interpreter" | "luci_interpreter" => Ok(Runtime::LuciInterpreter),
        _ => Err("onert-micro or luci-interpreter is expected".into()),
    }
}

fn bank(text: &str) -> Result<Bank, String> {
    let (name, bytes) = text.split_once('=').ok_or("NAME=BYTES is expected")?;
    let capacity = bytes.parse().map_err(|_| format!("{bytes:?} is no number of bytes"))?;
    if name.is_empty() {
        return Err("a bank has a name".into());
    }
    if name.contains(char::is_control) {
        return Err("the name of a bank is one line of text".into());
    }
    Ok(Bank { name: name.to_owned(), capacity })
}

impl Options {
    fn settings(&self, alignment: u64) -> Settings {
        let alignment = self.alignment.unwrap_or(alignment);
        Settings { planner: self.planner, alignment, time_limit: self.time_limit, seed: self.seed }
    }

    fn style(&self) -> Style {
        match (self.runtime, self.allocating_mode) {
            (Runtime::LuciInterpreter, _) => Style::LuciInterpreter,
            (Runtime::OnertMicro, Mode::Common) => Style::OnertMicro,
            (Runtime::OnertMicro, Mode::Split) => Style::OnertMicroSplit,
        }
    }

    /// What upstream refuses, and what makes no sense together.
    fn check(&self) -> Result<(), Failure> {
        let cmsisnn = matches!(self.platform, Some(Platform::CmsisNn { .. }));
        if self.use_dsp == Some(true) && !cmsisnn {
            return Err(Failure::usage("--use_dsp can be used only with --platform cmsisnn"));
        }
        if self.allocating_mode == Mode::Split {
            if self.runtime == Runtime::LuciInterpreter {
                return Err(Failure::usage("--allocating_mode split needs --runtime onert-micro"));
            }
            if !self.banks.is_empty() {
                return Err(Failure::usage("--allocating_mode split and --bank cannot be used together"));
            }
            if self.metadata == Some(Metadata::Tflm) {
                return Err(Failure::usage("--allocating_mode split needs --metadata one"));
            }
        }
        let mut names: Vec<&str> = self.banks.iter().map(|bank| bank.name.as_str()).collect();
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair.first() == pair.last()) {
            return Err(Failure::usage(format!("two banks are named {:?}", pair.first().unwrap_or(&""))));
        }
        if self.rings {
            if self.reorder {
                return Err(Failure::usage(
                    "--rings and --reorder cannot be used together: what an order is worth is told without rings",
                ));
            }
            let refused = [
                (self.output.is_some(), "a model"),
                (self.save_allocations.is_some(), "ONE's form of allocations"),
            ];
            if let Some((_, what)) = refused.iter().find(|(given, _)| *given) {
                return Err(Failure::usage(format!(
                    "--rings: {what} cannot say that a tensor lies in two pieces; --save_plan can"
                )));
            }
        }
        let places = Places {
            inputs: vec![&self.input],
            output: self.output.as_deref(),
            beside: [&self.report, &self.save_allocations, &self.save_plan]
                .into_iter()
                .flatten()
                .map(String::as_str)
                .collect(),
        };
        places.check()
    }
}

/// Runs the driver on a command line, its own name first.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let mut options = match matches(Options::command(), args).map(|m| Options::from_arg_matches(&m)) {
        Ok(Ok(options)) => options,
        Ok(Err(error)) => error.exit(),
        Err(code) => return code,
    };
    // Upstream's way to say that there is none.
    options.save_allocations = options.save_allocations.filter(|path| !path.is_empty());
    finish(run(&options))
}

fn run(options: &Options) -> Result<(), Failure> {
    options.check()?;
    let _shown = progress::show(options.common);
    let input = Input::open(&options.input)?;
    match detect(input.bytes()) {
        form @ Form::PlanCsv if !options.banks.is_empty() => banked::run(options, &input, form),
        Form::PlanCsv => problem::run(options, &input),
        Form::Foreign(_) => model::run(options, &input),
        form if !options.banks.is_empty() => banked::run(options, &input, form),
        // It may hold spaces and several memories, for which there is a tool already.
        _ => Err(Failure::at(
            input.name(),
            "not a model: it is a memory plan, for which one-visualizer --planner finds new offsets, and --bank \
             NAME=BYTES gives its blocks to memories",
        )),
    }
}
