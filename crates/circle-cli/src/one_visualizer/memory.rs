//! Memory plans: drawn, converted, checked, compared.

use circle_format::read::ReadOptions;
use circle_memory::check::CheckOptions;
use circle_memory::read::{ReadOptions as Reading, detect, read_with};
use circle_memory::write::{Implied, ImpliedProducer};
use circle_memory::{Finding, Form as Kind, Memory, Places, Severity, check_part};
use circle_visual::memory::{self, ColourBy, Names, Plan};

use super::convert::convert;
use super::findings::Reported;
use super::{Form, NamesIn, Options, Target, comparison, findings, is_model, part, planned, suited};
use crate::failure::{Failure, shown, warn};
use crate::model::{Input, Model, load, warn_of_lineage};
use crate::output;

/// Whether the input is memory data of some form, or a file that is known to be no model.
pub(super) fn is_readable(input: &Input) -> bool {
    use circle_memory::read::Foreign;
    match detect(input.bytes()) {
        Kind::Foreign(foreign) => {
            // The reader of models knows better what is the matter with these.
            !matches!(foreign, Foreign::Circle | Foreign::Tflite | Foreign::Binary | Foreign::Empty)
        }
        _ => true,
    }
}

/// A plan with what was found in it.
pub(super) struct Subject<'a> {
    pub(super) input: &'a Input,
    /// All of it, whatever part is asked for.
    pub(super) memory: Memory,
    /// What was found in the part that is asked for.
    findings: Vec<Finding>,
    /// What of the memory was in no file.
    pub(super) implied: Implied,
}

/// Draws, converts, checks or compares the inputs.
pub(super) fn run(options: &Options, inputs: &[Input], target: Option<Target<'_>>) -> Result<(), Failure> {
    let colour = colour(&options.colour)?;
    let read = |input| {
        subject(options, input).inspect_err(|failure| {
            if let Some(target) = target {
                show(input, target, failure);
            }
        })
    };
    if options.check
        && let [input] = inputs
    {
        let (found, names) = checked(options, input)?;
        part::known(options, input.name(), names.iter().map(String::as_str))?;
        findings::tell(options, found.iter())?;
        return findings::verdict(&found);
    }
    let subjects = inputs.iter().map(read).collect::<Result<Vec<Subject<'_>>, _>>()?;
    let names = subjects.iter().flat_map(|subject| part::names(&subject.memory));
    part::known(options, &place(&subjects), names)?;
    // A file with faults is drawn all the same.
    for subject in &subjects {
        tell(options, subject);
    }
    if options.compare
        && let [before, after] = subjects.as_slice()
    {
        let names = titles(&subjects);
        let name = |at: usize| names.get(at).map_or("", String::as_str);
        let part = part::asked(options);
        let shown = [before, after].map(|subject| part::shown_of(&part, &subject.memory));
        let [before, after] = &shown;
        let (before, after) = ((name(0), &**before), (name(1), &**after));
        if let Some(target) = target.filter(|target| target.form == Form::Json) {
            return output::write_text(target.path, &comparison::json(options, before, after)?);
        }
        let as_json = options.format == Some(Form::Json) && target.is_none();
        comparison::print(options, before, after, as_json)?;
    }
    let Some(target) = target else { return Ok(()) };
    if target.form.is_picture() {
        draw(options, colour, subjects, target)
    } else {
        convert(options, &subjects, target)
    }
}

/// Checks all inputs, also where some cannot be read, which is a fault of those.
pub(super) fn check_all(options: &Options) -> Result<(), Failure> {
    colour(&options.colour)?;
    let (mut found, mut names, mut kinds) = (Vec::new(), Vec::new(), Vec::new());
    let mut check = |path: &str| {
        let input = Input::open(path)?;
        kinds.push(detect(input.bytes()));
        checked(options, &input)
    };
    let mut all_read = true;
    for path in &options.inputs {
        match check(path) {
            Ok((of_one, segments)) => {
                found.extend(of_one);
                names.extend(segments);
            }
            Err(failure) => {
                all_read = false;
                found.push(Reported::unreadable(path, failure.told().ok_or(failure)?));
            }
        }
    }
    // What cannot be read may have what is asked for.
    if all_read {
        suited::inputs(options, &kinds, None)?;
        part::known(options, &options.inputs.join(", "), names.iter().map(String::as_str))?;
    }
    findings::tell(options, found.iter())?;
    findings::verdict(&found)
}

/// Shows in the page why memory data is not drawn. Other outputs are not made, and neither is a page of another kind of file.
fn show(input: &Input, target: Target<'_>, failure: &Failure) {
    let (Form::Html, Some(text)) = (target.form, failure.text()) else { return };
    if matches!(detect(input.bytes()), Kind::Foreign(_)) {
        return;
    }
    let page = memory::failed(input.name(), &text);
    if let Err(error) = output::write_text(target.path, &page) {
        // What is told in the end is why there is nothing to draw.
        warn(&error.text().unwrap_or_default());
    }
}

fn subject<'a>(options: &Options, input: &'a Input) -> Result<Subject<'a>, Failure> {
    let unnamed = || {
        let text = "--block_names names the blocks of a planning problem, and the input is none";
        if options.block_names.is_some() { Err(Failure::usage(text)) } else { Ok(()) }
    };
    if is_model(input) {
        unnamed()?;
        let model = model(options, input)?;
        let memory = planned::of_model(options, input, &model)?;
        let part = part::asked(options);
        let findings = check_part(&memory, &Places::default(), CheckOptions::default(), &part).findings;
        let implied = Implied::of_model();
        return Ok(Subject { input, memory, findings, implied });
    }
    if let Kind::Foreign(foreign) = detect(input.bytes()) {
        return Err(Failure::at(input.name(), format!("neither a model nor a memory plan: it is {foreign}")));
    }
    if detect(input.bytes()) != Kind::PlanCsv {
        unnamed()?;
    }
    let names = options.block_names.as_deref().map(Input::open).transpose()?;
    let reading = Reading {
        inclusive_till: options.inclusive_till,
        names: names.as_ref().map(Input::bytes),
        // Blocks are called by their numbers in the file and planned together, so that all are read.
    };
    let document =
        read_with(input.bytes(), input.name(), &reading).map_err(|error| Failure::new(error.to_string()))?;
    let (mut memory, mut findings) = (document.memory, document.findings);
    let mut implied = Implied::by(document.form);
    // What is checked is the file as it is; what is converted keeps its plan unless another is asked for.
    let to_draw = options.output.as_deref().is_none_or(|_| target_is_picture(options));
    let anew = (to_draw || options.compare || options.planner.is_some()) && !options.check;
    let written = options.output.is_some() && !to_draw;
    if anew && planned::of_problem(options, input, &mut memory, written)? {
        implied.producer = ImpliedProducer::All;
    }
    let part = part::asked(options);
    findings.retain(|finding| part::is_about(&part, &memory, finding));
    findings.extend(check_part(&memory, &document.places, CheckOptions::default(), &part).findings);
    if anew {
        findings.retain(|finding| finding.code != circle_memory::finding::Code::Unplanned);
    }
    Ok(Subject { input, memory, findings, implied })
}

fn model(options: &Options, input: &Input) -> Result<Model, Failure> {
    let model = load(input, ReadOptions { allow_loss: options.allow_loss }, options.common)?;
    warn_of_lineage(input, &model, options.common);
    Ok(model)
}

/// What is found in an input as it is. Of a model that is what the plans hold that it carries, and not what would take
/// their place; of one that carries none, whether it can be planned. With the names of its segments.
fn checked(options: &Options, input: &Input) -> Result<(Vec<Reported>, Vec<String>), Failure> {
    if is_model(input) && options.block_names.is_none() {
        let model = model(options, input)?;
        let mut of_plans = findings::of_plans(options, input, &model);
        if of_plans.count == 0 {
            let memory = planned::of_model(options, input, &model)?;
            of_plans.segments = part::names(&memory).map(str::to_owned).collect();
        }
        return Ok((of_plans.found, of_plans.segments));
    }
    let subject = subject(options, input)?;
    let found = subject.findings.iter().map(|finding| Reported::of_memory(input, finding)).collect();
    Ok((found, part::names(&subject.memory).map(str::to_owned).collect()))
}

fn target_is_picture(options: &Options) -> bool {
    let form = options.output.as_deref().map(|path| super::form(path, options.format));
    matches!(form, Some(Ok(form)) if form.is_picture())
}

/// Prints what was found: everything on request, else at least faults and warnings.
fn tell(options: &Options, subject: &Subject<'_>) {
    for finding in &subject.findings {
        let text = finding.in_file(subject.input.name()).to_string();
        match finding.severity {
            Severity::Error | Severity::Warning => options.common.warn(&text),
            Severity::Note => options.common.note(&text),
        }
    }
    part::note_left_out(options, subject.input.name(), &subject.memory);
}

/// What several inputs are called together.
fn place(subjects: &[Subject<'_>]) -> String {
    subjects.iter().map(|subject| subject.input.name()).collect::<Vec<_>>().join(", ")
}

fn colour(text: &str) -> Result<ColourBy, Failure> {
    match text {
        "auto" | "origin" => Ok(ColourBy::Origin),
        "kind" => Ok(ColourBy::Kind),
        "size" => Ok(ColourBy::Size),
        _ => Err(Failure::usage(format!(
            "--colour {}: for memory, origin, kind or size is expected",
            shown(text)
        ))),
    }
}

fn draw(
    options: &Options,
    colour: ColourBy,
    subjects: Vec<Subject<'_>>,
    target: Target<'_>,
) -> Result<(), Failure> {
    crate::progress::step("drawing");
    let place = place(&subjects);
    let mut plans: Vec<Plan> = subjects.iter().map(plan).collect();
    for ((plan, title), subject) in plans.iter_mut().zip(titles(&subjects)).zip(subjects) {
        plan.title = title;
        plan.memory = subject.memory;
    }
    let look = memory::Options {
        colour,
        theme: options.theme.into(),
        names: match options.names {
            NamesIn::Auto => Names::Auto,
            NamesIn::All => Names::All,
            NamesIn::None => Names::None,
        },
        width: options.width,
        height: options.height,
        ticks: options.cycles.clone(),
        segments: options.segments.clone(),
        compare: options.compare,
    };
    let failed = |error: circle_visual::Error| Failure::at(&place, error);
    let picture = match target.form {
        Form::Svg => memory::svg(&plans, &look).map_err(failed)?.into_bytes(),
        Form::Png => memory::png(&plans, &look).map_err(failed)?,
        Form::Jpeg => memory::jpeg(&plans, &look).map_err(failed)?,
        _ => memory::html(&plans, &look).map_err(failed)?.into_bytes(),
    };
    output::write(target.path, |sink| {
        sink.write_all(&picture).map_err(|error| Failure::at(target.path, error))
    })
}

/// A plan, its memory left out, with its faulty blocks marked, both where two are in one another's way.
fn plan(subject: &Subject<'_>) -> Plan {
    Plan::new("", Memory::default()).with_findings(&subject.findings)
}

/// What plans are called in pictures and reports, which others read elsewhere: their files without folders; files of one
/// name in several folders with so many of these as tell them apart.
fn titles(subjects: &[Subject<'_>]) -> Vec<String> {
    let parts: Vec<Vec<&str>> =
        subjects.iter().map(|subject| subject.input.path.rsplit(std::path::is_separator).collect()).collect();
    parts
        .iter()
        .map(|own| {
            let alike = |other: &Vec<&str>| own.iter().zip(other).take_while(|(a, b)| a == b).count();
            let others = parts.iter().filter(|other| *other != own);
            let most = others.map(alike).max().unwrap_or(0).saturating_add(1).min(own.len());
            let shown: Vec<&str> = own.iter().take(most).rev().copied().collect();
            shown.join("/")
        })
        .collect()
}
