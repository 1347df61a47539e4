//! Models: lifetimes, plan, and the model with the plan in it.

use circle_format::amend::amend;
use circle_format::lineage::import::Basis;
use circle_format::read::ReadOptions;
use circle_format::write::{Extra, number};
use circle_ir::{Model as Graph, OpId};
use circle_liveness::banks::{Proof, assign, explain, touches};
use circle_liveness::order::{ReorderError, Reordered, reorder};
use circle_liveness::permitted::{Permitted, permitted, without};
use circle_liveness::{Arena, Liveness, Options as Lifetimes, Platform, lifetimes, plan, to_memory};
use circle_memory::write::{Implied, WriteOptions, write as write_memory};
use circle_memory::{Form, ModelFile};
use circle_metadata::{hex, offline_memory, plan_table};
use circle_schema::Format;

use super::entry::{LeftOut, Planned, left_out, payload};
use super::report::{Report, Segment, no_place, summary};
use super::whole::{join_spaces, save_plan};
use super::{Metadata, Mode, Options};
use crate::failure::{FAILED, Failure};
use crate::model::{Input, Lineage, Model, load, save_with, told_apart, warn_of_lineage};
use crate::{output, progress};

pub(super) fn run(options: &Options, input: &Input) -> Result<(), Failure> {
    let reading = ReadOptions { allow_loss: options.allow_loss };
    let mut model = load(input, reading, options.common)?;
    warn_of_lineage(input, &model, options.common);
    let metadata = options.metadata.unwrap_or(match model.format {
        Format::Circle => Metadata::One,
        Format::Tflite => Metadata::Tflm,
    });
    if options.allocating_mode == Mode::Split && metadata == Metadata::Tflm {
        return Err(Failure::usage("--allocating_mode split needs --metadata one"));
    }
    let at = |error: &dyn std::fmt::Display| Failure::at(input.name(), error);
    let old: Vec<Vec<OpId>> = number(&model.imported.model).operators;
    for key in [plan_table::KEY, offline_memory::KEY] {
        model.imported.model.drop_metadata(key);
    }
    let wanted = wanted(options, metadata);
    if metadata == Metadata::Tflm && options.output.is_some() {
        sayable(&wanted)?;
    }
    let mut reordered = None;
    if options.reorder {
        progress::step("searching an order");
        let found =
            reorder(&mut model.imported.model, &wanted, options.time_limit).map_err(
                |error| match &error {
                    ReorderError::Lifetimes(error) => Failure::lifetimes(input.name(), error),
                    error => at(error),
                },
            )?;
        reordered = Some(found);
    }
    progress::step("planning");
    let graph = &model.imported.model;
    let liveness = lifetimes(graph, &wanted).map_err(|error| Failure::lifetimes(input.name(), &error))?;
    let found = planned(options, graph, &wanted, liveness).map_err(|error| at(&error))?;
    let Memories { permitted: Permitted { options: wanted, liveness, arenas, .. }, homeless, proof, words } =
        found;
    let left_out = match metadata {
        Metadata::One if options.output.is_some() => {
            left_out(graph, &Planned { liveness: &liveness, arenas: &arenas, wanted: &wanted }, options)
        }
        _ => LeftOut::default(),
    };
    let told = Told {
        left_out: &left_out,
        reordered: reordered.as_ref(),
        homeless: &homeless,
        proof: proof.as_ref(),
        words: words.as_deref(),
    };
    tell(options, &model, &liveness, &arenas, &told)?;
    if !homeless.is_empty() {
        return Err(no_place(input, &homeless, proof.as_ref()));
    }
    let Some(path) = &options.output else { return Ok(()) };
    if let Some(unread) = left_out.unread.as_ref().filter(|_| !options.allow_loss) {
        return Err(at(&format!("{unread}; --allow_loss leaves such places out, --save_plan has them")));
    }
    let payload =
        payload(graph, &Planned { liveness: &liveness, arenas: &arenas, wanted: &wanted }, metadata, options)
            .map_err(|error| at(&error))?;
    if options.banks.len() > 1 {
        options.common.note("offsets count from the start of the first bank, the others lie behind it");
    }
    for text in left_out.told() {
        options.common.warn(text);
    }
    progress::step("writing");
    write(input, &model, metadata, &payload, &old, path, options.allow_loss)
}

/// What takes part in the plan.
pub(super) fn wanted(options: &Options, metadata: Metadata) -> Lifetimes {
    let platform = options.platform.or((metadata == Metadata::One).then_some(Platform::Linux));
    let platform = match (platform, options.use_dsp) {
        (Some(Platform::CmsisNn { .. }), Some(dsp)) => Some(Platform::CmsisNn { dsp }),
        (platform, _) => platform,
    };
    let not = |value: Option<bool>| value.map(|value| !value);
    Lifetimes {
        inputs: options.allocate_input.or(not(options.null_input)).unwrap_or(true),
        constants: options.allocate_const.or(not(options.null_const)).unwrap_or(false),
        // TensorFlow Lite Micro keeps them elsewhere.
        variables: options.allocate_variable.unwrap_or(metadata == Metadata::One),
        platform,
        inplace: options.inplace,
        rings: options.rings.then(|| options.settings(16).alignment),
        apart: options.allocating_mode == Mode::Split,
        stated: options.stated_shapes,
    }
}

/// Refuses what TensorFlow Lite Micro's list cannot say, and its runtime places elsewhere.
pub(super) fn sayable(wanted: &Lifetimes) -> Result<(), Failure> {
    let chosen = [
        (wanted.constants, "--allocate_const true", "constants"),
        (wanted.variables, "--allocate_variable true", "variables"),
        (wanted.platform.is_some(), "--platform", "scratch memory"),
    ];
    let Some((_, option, what)) = chosen.into_iter().find(|(chosen, ..)| *chosen) else { return Ok(()) };
    let key = offline_memory::KEY;
    Err(Failure::usage(format!(
        "{option}: {key} has no place for {what}; it can be planned with --metadata one, or without an output"
    )))
}

/// The memories with their plans.
struct Memories {
    permitted: Permitted,
    /// What is to be said of blocks that have no place.
    homeless: Vec<String>,
    /// Why they must have none.
    proof: Option<Proof>,
    /// What is to be said of permissions that do not help.
    words: Option<String>,
}

/// Plans the memories that were asked for.
fn planned(
    options: &Options,
    graph: &Graph,
    wanted: &Lifetimes,
    liveness: Liveness,
) -> Result<Memories, circle_plan::ProblemError> {
    let settings = options.settings(16);
    if options.banks.is_empty() {
        let plan = match options.allocating_mode {
            Mode::Common => plan::common,
            Mode::Split => plan::split,
        };
        let permitted = permitted(graph, wanted, liveness, &settings, plan)?;
        let words = words(&permitted, wanted);
        return Ok(Memories { permitted, homeless: Vec::new(), proof: None, words });
    }
    let liveness = &liveness;
    let found = assign(liveness, &options.banks, &touches(graph, liveness), &settings)?;
    let named = |unit: usize| {
        let first = liveness.units.get(unit).and_then(|unit| unit.members.first());
        let item = first.and_then(|&item| liveness.items.get(item))?;
        let circle_liveness::What::Tensor(v) = item.what else { return None };
        let name = graph.subgraph(item.subgraph)?.value(v)?.name();
        (!name.is_empty()).then(|| format!(" (tensor {name:?})"))
    };
    let tell = |homeless: &circle_liveness::banks::Homeless| {
        explain(liveness, &options.banks, homeless) + &named(homeless.unit).unwrap_or_default()
    };
    let told = found.homeless.iter().map(tell).collect();
    let options = wanted.clone();
    let permitted = Permitted {
        options,
        liveness: liveness.clone(),
        arenas: found.arenas,
        as_asked: None,
        smaller: None,
    };
    Ok(Memories { permitted, homeless: told, proof: found.proof, words: None })
}

/// Which permissions were made no use of, or should not have been.
fn words(found: &Permitted, asked: &Lifetimes) -> Option<String> {
    if let Some((options, bytes)) = &found.smaller {
        return Some(format!("without {}, {bytes} bytes would do\n", without(options, asked)?));
    }
    let (bytes, what) = (found.as_asked?, without(&found.options, asked)?);
    Some(format!("planned without {what}, with which {bytes} bytes are needed\n"))
}

/// What is told beside the plan.
struct Told<'a> {
    /// What the entry that the model gets does not tell of.
    left_out: &'a LeftOut,
    reordered: Option<&'a Reordered>,
    homeless: &'a [String],
    proof: Option<&'a Proof>,
    words: Option<&'a str>,
}

/// Writes the report and the allocations, and prints what the plan comes to.
fn tell(
    options: &Options,
    model: &Model,
    liveness: &Liveness,
    arenas: &[Arena],
    Told { left_out, reordered, homeless, proof, words }: &Told<'_>,
) -> Result<(), Failure> {
    let segments: Vec<Segment<'_>> = arenas.iter().map(Segment::of).collect();
    if let Some(path) = &options.report {
        let mut report = Report::new(&segments);
        if let Some(found) = reordered {
            report.reordered(found);
        }
        report.left_out(left_out.told().collect());
        if !options.banks.is_empty() {
            report.assignment(homeless, *proof);
        }
        output::write_text(path, &output::json_text(&report)?)?;
    }
    let memory = || {
        let file = &model.file;
        let file = ModelFile {
            name: Some(file.name.to_string()),
            md5: Some(hex::encode(&file.md5)),
            sha256: file.sha256.map(|digest| hex::encode(&digest)),
            size: Some(file.bytes),
        };
        to_memory(&model.imported.model, liveness, arenas, Some(file))
    };
    if let Some(path) = &options.save_plan
        && homeless.is_empty()
    {
        save_plan(path, &memory())?;
    }
    if let Some(path) = &options.save_allocations
        && homeless.is_empty()
    {
        let mut memory = memory();
        // The form knows no shared memory: blocks in one place would be faults in it.
        join_spaces(&mut memory);
        let writing = WriteOptions {
            allow_loss: true,
            tell_apart: true,
            implied: Implied::of_model(),
            ..WriteOptions::default()
        };
        // ONE's form has no place for more than offsets, lifetimes and the original layers, which is all that is asked for.
        let mut text = Vec::new();
        write_memory(&memory, Form::Tracealloc, &writing, &mut text)
            .map_err(|error| Failure::at(path, error))?;
        output::write_text(path, &String::from_utf8_lossy(&text))?;
    }
    let outputs = [&options.output, &options.report, &options.save_allocations, &options.save_plan];
    if options.common.quiet || outputs.iter().any(|path| path.as_deref() == Some("-")) {
        return Ok(());
    }
    let mut text = String::new();
    if let Some(found) = reordered {
        let proof = if found.optimal { ", no order needs less" } else { "" };
        text += &format!("order: {} bytes alive at most, {} before{proof}\n", found.after, found.before);
    }
    text += &summary(&segments);
    text += words.unwrap_or_default();
    if !options.banks.is_empty() && homeless.is_empty() {
        text += &begins(arenas);
    }
    output::print(&text).map_err(|_| Failure::silent(FAILED))
}

/// A line for each bank before which bytes are left free, since offsets count through and are aligned.
fn begins(arenas: &[Arena]) -> String {
    let mut text = String::new();
    let mut end = 0u64;
    for (arena, base) in arenas.iter().zip(plan::bases(arenas)) {
        if base > end {
            let (name, lost) = (crate::failure::shown(&arena.name), base - end);
            let plural = if lost == 1 { "" } else { "s" };
            text +=
                &format!("{name} begins at {base}: {lost} byte{plural} before it left free for alignment\n");
        }
        end = base.saturating_add(arena.capacity.unwrap_or(arena.peak));
    }
    text
}

fn write(
    input: &Input,
    model: &Model,
    metadata: Metadata,
    payload: &[u8],
    old: &[Vec<OpId>],
    path: &str,
    allow_loss: bool,
) -> Result<(), Failure> {
    let graph = &model.imported.model;
    let name = match metadata {
        Metadata::One => plan_table::KEY,
        Metadata::Tflm => offline_memory::KEY,
    };
    let extra = Extra { name, payload };
    let profiled = model.imported.basis != Basis::Fresh;
    if model.format == Format::Tflite && metadata == Metadata::Tflm {
        let orders = orders(graph, old);
        if profiled && orders.iter().any(Option::is_some) {
            return Err(Failure::at(
                input.name(),
                "its profile data would no longer fit the new order; convert the model to circle, or plan without --reorder",
            ));
        }
        let archive = graph.frame().archive.clone();
        return output::write(path, |sink| {
            let mut sink = progress::counted(sink);
            amend(input.bytes(), archive, extra, &orders, &mut sink)
                .map_err(|error| Failure::at(path, error))?;
            input.check_unchanged()
        });
    }
    if !profiled {
        told_apart(path, graph, allow_loss)?;
    }
    let lineage = profiled.then_some(Lineage { origin: None });
    save_with(path, input, graph, lineage, None, &[extra], &|| Ok(()))
}

/// By subgraph, the old positions of operators in their new order, where it is another one.
fn orders(graph: &Graph, old: &[Vec<OpId>]) -> Vec<Option<Vec<u32>>> {
    let new = number(graph).operators;
    new.iter()
        .zip(old)
        .map(|(new, old)| {
            let mut position = vec![0u32; old.iter().map(|op| op.number() as usize + 1).max().unwrap_or(0)];
            for (index, op) in (0..).zip(old) {
                if let Some(slot) = position.get_mut(op.number() as usize) {
                    *slot = index;
                }
            }
            let order = new.iter().map(|op| position.get(op.number() as usize).copied().unwrap_or(0));
            (new != old).then(|| order.collect())
        })
        .collect()
}
