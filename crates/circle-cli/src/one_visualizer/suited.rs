//! Options that would do nothing for what is asked: refused by name rather than ignored.

use circle_memory::Form as Kind;
use circle_memory::read::Foreign;

use super::{Form, NamesIn, Options, Target, View};
use crate::failure::Failure;

/// Names of options by their identities, and what they are of no use to.
type Table = &'static [(&'static str, &'static str)];

/// How a picture looks.
const OF_PICTURES: Table = &[
    ("colour", "--colour"),
    ("theme", "--theme"),
    ("width", "--width"),
    ("height", "--height"),
    ("names", "--names"),
];

/// What makes another plan than the input holds.
const OF_PLANS: Table = &[("planner", "--planner"), ("inplace", "--inplace"), ("rings", "--rings")];

/// What is of use to memory only.
const OF_MEMORY: Table = &[
    ("planner", "--planner"),
    ("cycles", "--cycles"),
    ("height", "--height"),
    ("inplace", "--inplace"),
    ("rings", "--rings"),
    ("stated_shapes", "--stated_shapes"),
    ("time_limit", "--time_limit"),
    ("inclusive_till", "--inclusive_till"),
    ("names", "--names"),
    ("block_names", "--block_names"),
    ("segments", "--segment"),
];

/// What is of use to the plan of a model only.
const OF_MODELS: Table =
    &[("inplace", "--inplace"), ("rings", "--rings"), ("stated_shapes", "--stated_shapes")];

impl Options {
    /// The first option of a table that stands on the command line.
    fn first(&self, table: Table) -> Option<&'static str> {
        table.iter().find(|(id, _)| self.has(id)).map(|(_, name)| *name)
    }

    /// Whether an option of memory stands on the command line, so that a model's memory is meant.
    pub(super) fn means_memory(&self) -> bool {
        self.first(OF_MEMORY).is_some()
    }

    /// Whether an option stands on the command line.
    fn has(&self, id: &str) -> bool {
        self.given.iter().any(|given| given == id)
    }
}

/// Refuses what is of no use to the schema, which is what it is.
///
/// # Errors
/// When an option is given that is of no use.
pub(super) fn schema(options: &Options) -> Result<(), Failure> {
    let of_schema = ["inputs", "output", "verbose", "quiet"];
    match options.given.iter().find(|id| !of_schema.contains(&id.as_str())) {
        Some(id) => {
            let name = if id == "segments" { "segment" } else { id };
            Err(Failure::usage(format!("--{name} is of no use to the schema, which takes --output alone")))
        }
        None => Ok(()),
    }
}

/// Refuses what is of no use to the outputs that are asked for, whatever the inputs are.
///
/// # Errors
/// When an option is given that is of no use.
pub(super) fn outputs(options: &Options, target: Option<Target<'_>>) -> Result<(), Failure> {
    let drawn = target.is_some_and(|target| target.form.is_picture());
    if let Some(option) = options.first(OF_PICTURES).filter(|_| !drawn) {
        return Err(Failure::usage(format!("{option} is for pictures and pages, and none is drawn")));
    }
    if options.check
        && let Some(option) = options.first(OF_PLANS)
    {
        return Err(Failure::usage(format!(
            "--check looks at the plan that the input holds; {option} makes another one"
        )));
    }
    if target.is_some_and(|target| target.form == Form::Html) {
        let sizes = [(options.width, "--width"), (options.height, "--height")];
        if let Some((_, option)) = sizes.iter().find(|(size, _)| size.is_some()) {
            return Err(Failure::usage(format!(
                "{option} is for pictures: a page takes the size of its window"
            )));
        }
        if options.names == NamesIn::All {
            return Err(Failure::usage(
                "--names all is for pictures: a page shows names wherever they can be read",
            ));
        }
    }
    if options.view != View::Graph {
        return Ok(());
    }
    if options.inputs.len() > 1 {
        return Err(Failure::usage("--view graph draws one model"));
    }
    let converts = target.filter(|target| !target.form.is_picture()).map(|_| "the form of the output");
    match converts.or(options.first(OF_MEMORY)) {
        Some(option) => Err(Failure::usage(format!("{option} is for memory, and --view graph is given"))),
        None => Ok(()),
    }
}

/// Refuses what is of use to none of the inputs, which are of these kinds.
///
/// # Errors
/// When an option is given that is of no use.
pub(super) fn inputs(options: &Options, kinds: &[Kind], target: Option<Target<'_>>) -> Result<(), Failure> {
    let is_model = |kind: &Kind| matches!(kind, Kind::Foreign(Foreign::Circle | Foreign::Tflite));
    // What is neither model nor memory data is refused for that.
    if kinds.iter().any(|kind| matches!(kind, Kind::Foreign(_)) && !is_model(kind)) {
        return Ok(());
    }
    let model = kinds.iter().any(is_model);
    if let Some(option) = options.first(OF_MODELS).filter(|_| !model) {
        return Err(Failure::usage(format!("{option} is for the plan of a model, and no input is one")));
    }
    let converts = target.is_some_and(|target| !target.form.is_picture()) && !options.compare;
    if options.has("allow_loss") && !model && !converts {
        return Err(Failure::usage("--allow_loss is for models and conversions, and here is neither"));
    }
    if options.has("time_limit") && !model && options.check {
        return Err(Failure::usage("--time_limit is for planning, and no input of the check is planned"));
    }
    let ends = |kind: &Kind| matches!(kind, Kind::Tracealloc | Kind::DraftV1 | Kind::BackendCsv);
    if options.has("inclusive_till") && !kinds.iter().any(ends) {
        return Err(Failure::usage(
            "--inclusive_till is for tracealloc and draft JSON and for CSV of allocations, and no input is one",
        ));
    }
    Ok(())
}
