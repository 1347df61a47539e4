//! What is fuzzed: one function for each thing that reads bytes of strangers.
//!
//! A target takes any bytes and returns. That the bytes are refused is fine; a panic is a finding, and so is it when
//! what was accepted does not survive being written and read again. The targets are shared by the bounded run on the
//! stable toolchain (`main.rs`) and by cargo-fuzz (`cargo-fuzz/`).

use std::sync::{Arc, LazyLock};

use circle_format::amend::amend;
use circle_format::lineage::audit::audit;
use circle_format::lineage::export::{Entries, export};
use circle_format::lineage::identity::identify;
use circle_format::lineage::import::{Basis, Imported, import};
use circle_format::read::{LINEAGE, ONE_OP_TABLE, ONE_SOURCE_TABLE, ORIGIN_ID, ReadOptions, read};
use circle_format::write::{Extra, WriteError, WriteOptions, number, write};
use circle_ir::lineage::history::Run;
use circle_ir::text::{Show, parse, print};
use circle_ir::verify::structure;
use circle_ir::{Buffer, Model, OriginId};
use circle_liveness::offline::{from_offline, to_offline};
use circle_liveness::table::{Style, from_table, to_table};
use circle_liveness::{Options as Lifetimes, Platform, lifetimes};
use circle_metadata::one::OneTables;
use circle_metadata::{lineage, offline_memory, op_table, origin_id, plan_table, profile, source_table};
use circle_passes::{DriverError, Settings, o1};
use circle_profile::attribute::attribute;
use circle_profile::history::whereabouts::whereabouts;
use circle_profile::history::why::why;
use circle_profile::history::{to_json, whereabouts_text, why_text};
use circle_profile::rebase::rebase;
use circle_profile::verify::law;
use circle_profile::weights::Weights;
use circle_tables::{CIRCLE, Record};

/// A target.
pub(crate) type Run1 = fn(&[u8]);

/// All targets by name, which is also the name of their folder in `corpus/` and of their cargo-fuzz binary.
pub(crate) const TARGETS: [(&str, Run1); 15] = [
    ("model_circle", model_circle),
    ("model_tflite", model_tflite),
    ("source_table", one_source_table),
    ("op_table", one_op_table),
    ("one_tables", one_tables),
    ("plan_table", one_plan_table),
    ("offline_memory", offline_plan),
    ("origin_line", origin_line),
    ("lineage_blob", lineage_blob),
    ("lineage_json", lineage_json),
    ("profile", any_profile),
    ("plan_problem", plan_problem),
    ("memory", memory),
    ("memory_own", memory_own),
    ("text", text),
];

/// The reader of circle files: whatever the bytes, they are taken as circle.
pub(crate) fn model_circle(data: &[u8]) {
    model_as(data, b"CIR0");
}

/// The reader of TFLite files.
pub(crate) fn model_tflite(data: &[u8]) {
    model_as(data, b"TFL3");
}

fn model_as(data: &[u8], identifier: &[u8; 4]) {
    let mut bytes = data.to_vec();
    if let Some(place) = bytes.get_mut(4..8) {
        place.copy_from_slice(identifier);
    }
    model(&bytes);
}

/// Models of up to so many operators are verified after each patch. What that costs is in the bounds of a target for any
/// model of this size.
const MOST_VERIFIED: usize = 64;

/// Reads, runs O1, writes, reads again: what was accepted once is accepted again, with the same lineage.
fn model(bytes: &[u8]) {
    let strict = read(bytes, ReadOptions::default());
    let Ok(loaded) = read(bytes, ReadOptions { allow_loss: true }) else {
        assert!(strict.is_err(), "tolerant reading refuses what strict reading accepts");
        return;
    };
    drop(strict);
    let file = identify("in.model", Some(loaded.format), bytes);
    let Imported { mut model, .. } =
        import(bytes, loaded, file).expect("a model that was read has its lineage");
    assert_eq!(structure::check(&model), [], "as read");
    let _ = print(&model, &bytes, Show::Lineage);
    plans(&model, bytes);

    // Where everything is looked at after each patch, and planted copies are made.
    let verify_each = model.operator_count() <= MOST_VERIFIED;
    let settings =
        Settings { fixed_point: true, verify_each, stop_after_patch: None, log: false, run: a_run() };
    match circle_passes::run(&mut model, &bytes, &o1::passes(), &settings) {
        Ok(report) => assert_eq!(report.refused, [""; 0]),
        Err(DriverError::NoEnd { .. }) => return,
        Err(error) => panic!("{error}"),
    }
    let Some(first) = written(&model, bytes) else { return };
    let loaded = read(&first, ReadOptions::default()).unwrap_or_else(|error| panic!("own output: {error}"));
    assert_eq!(audit(&first, &loaded), []);
    let rebased = rebase(loaded.draft, &first.as_slice(), &model, &bytes, a_run()).expect("what was read");
    assert_eq!(law::check(&rebased.model), [], "as rebased");
    let again = imported(&first);
    assert_eq!(law::check(&again.model), [], "as read again");
    assert_eq!(again.basis, Basis::Lineage, "{:?} {:?}", again.stale, again.problems);
    assert_eq!(again.model.operator_count(), model.operator_count());
    assert_eq!(structure::check(&again.model), [], "as read again");
    walked(&again.model);
    let second = written(&again.model, &first).expect("what was written can be written again");
    assert!(first == second, "rewriting changes {} bytes to {}", first.len(), second.len());
}

/// The history, walked from some operators to their originals and back.
fn walked(model: &Model) {
    for (id, sg) in model.subgraphs() {
        for (index, (op, _)) in sg.operators().enumerate().take(4) {
            let found = why(model, id, op).expect("an operator that is there");
            why_text(&found);
            to_json(&found).unwrap_or_else(|error| panic!("{error}"));
            for claimed in found.originals.iter().take(4) {
                let origin = OriginId::from_number(claimed.original.id);
                let found = whereabouts(model, origin).expect("an original that is claimed");
                whereabouts_text(&found);
                to_json(&found).unwrap_or_else(|error| panic!("{error}"));
                let mut hits =
                    found.operators.iter().map(|hit| (hit.operator.subgraph, hit.operator.operator));
                let back = hits.any(|hit| hit == (id.number(), index as u32));
                assert!(back || found.operators_more > 0, "{id}:{index} is not where {origin} is");
            }
        }
    }
}

pub(crate) fn a_run() -> Run {
    Run { tool: Arc::from("fuzz"), version: Arc::from("0"), options: Arc::from("") }
}

fn imported(bytes: &[u8]) -> Imported {
    let loaded = read(bytes, ReadOptions::default()).unwrap_or_else(|error| panic!("own output: {error}"));
    let file = identify("own.model", Some(loaded.format), bytes);
    import(bytes, loaded, file).unwrap_or_else(|error| panic!("own output: {error}"))
}

/// The model as a file with its lineage; nothing where the input's buffers overlap beyond measure.
pub(crate) fn written(model: &Model, input: &[u8]) -> Option<Vec<u8>> {
    let numbering = number(model);
    let entries = export(model, &numbering, None).unwrap_or_else(|error| panic!("{error}"));
    with_entries(model, input, &entries)
}

/// The model as a file with these entries.
pub(crate) fn with_entries(model: &Model, input: &[u8], entries: &Entries) -> Option<Vec<u8>> {
    let numbering = number(model);
    let mut extra = vec![
        Extra { name: ONE_SOURCE_TABLE, payload: &entries.source_table },
        Extra { name: ONE_OP_TABLE, payload: &entries.op_table },
        Extra { name: LINEAGE, payload: &entries.lineage },
    ];
    if let Some(line) = &entries.origin_id {
        extra.push(Extra { name: ORIGIN_ID, payload: line });
    }
    let mut out = Vec::new();
    match write(model, input, &numbering, &extra, WriteOptions::default(), &mut out) {
        Ok(written) => assert_eq!(written.bytes, out.len() as u64),
        Err(WriteError::Overlap { .. }) => return None,
        Err(error) => panic!("{error}"),
    }
    Some(out)
}

/// ONE's source table: what was read is written, and is then without fault.
pub(crate) fn one_source_table(data: &[u8]) {
    let (table, _) = source_table::decode(data);
    let bytes = source_table::encode(&table).expect("names are no longer than the payload");
    let (again, problems) = source_table::decode(&bytes);
    assert_eq!((again.len(), problems), (table.len(), vec![]));
    assert_eq!(source_table::encode(&again).expect("as before"), bytes);
}

/// ONE's operator table.
pub(crate) fn one_op_table(data: &[u8]) {
    let (mut table, _) = op_table::decode(data);
    table.retain(|_, sources| !sources.is_empty());
    let bytes = op_table::encode(&table).expect("each operator has a source");
    assert_eq!(op_table::decode(&bytes), (table, vec![]));
}

/// ONE's execution plan table.
pub(crate) fn one_plan_table(data: &[u8]) {
    let (table, _) = plan_table::decode(data);
    let bytes = plan_table::encode(&table).expect("no more than the payload held");
    assert_eq!(plan_table::decode(&bytes), (table.clone(), vec![]));
    let _ = from_table(&SMALL, &table);
}

/// TensorFlow Lite Micro's offline plan.
pub(crate) fn offline_plan(data: &[u8]) {
    let (Some(plan), _) = offline_memory::decode(data) else { return };
    let bytes = offline_memory::encode(&plan).expect("no more than the payload held");
    assert_eq!(offline_memory::decode(&bytes).0.as_ref(), Some(&plan));
    let _ = from_offline(&SMALL, &plan);
}

/// Lifetimes, a plan, and what is written of it; whatever comes back of that is true of the model.
pub(crate) fn plans(model: &Model, bytes: &[u8]) {
    for (inplace, platform) in [(false, None), (true, Some(Platform::Linux))] {
        let options =
            Lifetimes { inplace, platform, constants: true, stated: inplace, ..Lifetimes::default() };
        let Ok(liveness) = lifetimes(model, &options) else { continue };
        let settings = circle_liveness::Settings {
            planner: circle_liveness::Choice::Named(circle_plan::planners::Planner::Tflm),
            ..circle_liveness::Settings::default()
        };
        let Ok(arenas) = circle_liveness::plan::common(&liveness, &settings) else { continue };
        let memory = circle_liveness::to_memory(model, &liveness, &arenas, None);
        assert_eq!(memory.segments[0].blocks.len(), liveness.items.len());
        if let Ok(table) = to_table(model, &liveness, &arenas, Style::LuciInterpreter) {
            from_table(model, &table).unwrap_or_else(|error| panic!("own table: {error}"));
        }
        if let Ok(plan) = to_offline(model, &liveness, &arenas) {
            from_offline(model, &plan).unwrap_or_else(|error| panic!("own plan: {error}"));
            let payload = offline_memory::encode(&plan).expect("offsets that fit");
            let entry = Extra { name: offline_memory::KEY, payload: &payload };
            let mut out = Vec::new();
            let archive = model.frame().archive.clone();
            if amend(bytes, archive, entry, &[], &mut out).is_ok() {
                read(&out, ReadOptions { allow_loss: true })
                    .unwrap_or_else(|error| panic!("amended: {error}"));
            }
        }
    }
}

/// Both tables of one model. The first two bytes say where the first table ends, the third how many operators the
/// model has.
pub(crate) fn one_tables(data: &[u8]) {
    let Some(([low, high, operators], rest)) = data.split_first_chunk::<3>() else { return };
    let (sources, ops) = rest.split_at(usize::from(u16::from_le_bytes([*low, *high])).min(rest.len()));
    let names: [(&[u8], _); 2] = [(b"ONE_source_table", Some(sources)), (b"ONE_op_table", Some(ops))];
    let (tables, _) = OneTables::decode(names, usize::from(*operators));
    let Some(tables) = tables else { return };
    if let Ok((sources, ops)) = tables.encode() {
        let names: [(&[u8], _); 2] =
            [(b"ONE_source_table", Some(&sources[..])), (b"ONE_op_table", Some(&ops[..]))];
        let again = OneTables::decode(names, usize::from(*operators)).0.expect("both are there");
        assert_eq!((again.sources.len(), &again.operators), (tables.sources.len(), &tables.operators));
    }
}

/// The line that names the origin file.
pub(crate) fn origin_line(data: &[u8]) {
    if let (Some(id), _) = origin_id::decode(data) {
        let line = origin_id::encode(&id).expect("what was read can be written");
        assert_eq!(origin_id::decode(&line), (Some(id), vec![]));
    }
}

/// Our blob, and the sidecar that it is one to one with.
pub(crate) fn lineage_blob(data: &[u8]) {
    if let Ok(lineage::Decoded::Known(known)) = lineage::decode(data) {
        survives(&known);
    }
}

/// The sidecar, with and without the frame that says to which model it belongs.
pub(crate) fn lineage_json(data: &[u8]) {
    if let Ok(sidecar) = lineage::Sidecar::from_json(data) {
        let json = sidecar.to_json();
        let back = lineage::Sidecar::from_json(json.as_bytes());
        assert_eq!(back.as_ref(), Ok(&sidecar), "{json}");
        survives(&sidecar.lineage);
    }
    if let Ok(known) = lineage::from_json(data) {
        survives(&known);
    }
}

fn survives(known: &lineage::Lineage) {
    let json = lineage::to_json(known);
    let mut back = lineage::from_json(json.as_bytes()).unwrap_or_else(|error| panic!("{error} in {json}"));
    assert_eq!(&back, known);
    // The blob is always written in our own version.
    back.version = lineage::VERSION;
    let blob = lineage::encode(&back).unwrap_or_else(|error| panic!("{error} in {json}"));
    match lineage::decode(&blob) {
        Ok(lineage::Decoded::Known(decoded)) => assert_eq!(*decoded, back),
        other => panic!("{other:?} from {json}"),
    }
}

/// A small model that profiles are joined to.
static SMALL: LazyLock<Model> = LazyLock::new(|| {
    let text = "subgraph sg0 \"main\" (%0) -> (%2)\n %0: f32[8] \"x\"\n %1: f32[8] \"y\"\n %2: f32[8] \"z\"\n \
                op0 RELU (%0) -> %1\n op1 ABS (%1) -> %2\n";
    parse(text).expect("a model")
});

/// Profiles of every form, told apart by content; then joined, attached and shared out.
pub(crate) fn any_profile(data: &[u8]) {
    let Ok(profile) = profile::read("p", data) else { return };
    let mut model = SMALL.clone();
    let join = circle_profile::join::join(&model, &profile);
    if circle_profile::attach::attach(&mut model, "p", &profile, &join).is_ok() {
        for table in attribute(&model, &Weights::Equal, &[]) {
            table.check().unwrap_or_else(|error| panic!("{error}"));
        }
    }
}

/// Planning problems as CSV, with and without a plan.
pub(crate) fn plan_problem(data: &[u8]) {
    let Ok(table) = circle_plan::csv::read(data) else { return };
    let Ok(problem) = circle_plan::Problem::new(table.blocks.clone(), None) else { return };
    let text = circle_plan::csv::write(&problem, None);
    let again = circle_plan::csv::read(text.as_bytes()).unwrap_or_else(|error| panic!("{error} in {text}"));
    assert_eq!(again.blocks, table.blocks, "{text}");
    if let Some(offsets) = table.offsets {
        circle_plan::check::check(&problem, &circle_plan::Plan::new(&problem, offsets));
    }
}

/// Memory data of every form, told apart by content: what was read is checked, and survives each form that can express it.
pub(crate) fn memory(data: &[u8]) {
    let Ok(read) = circle_memory::read::read(data, "m") else { return };
    remembered(&read);
}

/// The same of our own form and its like, with what belongs to it around the bytes.
pub(crate) fn memory_own(data: &[u8]) {
    let around: [(&str, &str); 3] = [
        ("{\"format\":\"memory-allocation\",\"schema_version\":1,\"segments\":[{\"name\":\"s\",", "}]}"),
        ("{\"schema_version\":1,\"segments\":[{\"name\":\"s\",", "}]}"),
        ("{\"schema_version\":1,\"memory_segments\":[{\"segment\":\"s\",", "}]}"),
    ];
    let Some((which, rest)) = data.split_first() else { return };
    if let Some((before, behind)) = around.get(usize::from(*which)) {
        memory(&[before.as_bytes(), rest, behind.as_bytes()].concat());
    }
}

fn remembered(read: &circle_memory::Document) {
    use circle_memory::{CheckOptions, Form, WriteOptions, check, write};
    let report = check(&read.memory, &read.places, CheckOptions::default());
    assert_eq!(report.overlaps.len(), read.memory.segments.len());
    for finding in read.findings.iter().chain(&report.findings) {
        assert!(!finding.in_file("m").to_string().contains('\n'), "{finding:?}");
    }
    for form in Form::ALL {
        let mut out = Vec::new();
        if write::write(&read.memory, form, &WriteOptions::default(), &mut out).is_err() {
            assert!(form != read.form || out.is_empty(), "{form}");
            continue;
        }
        let text = String::from_utf8_lossy(&out);
        let again = circle_memory::read::read(&out, "m").unwrap_or_else(|error| panic!("{error} in {text}"));
        assert_eq!(again.form, form, "{text}");
        if form == read.form || form == Form::Own {
            assert_eq!(again.memory, read.memory, "{text}");
        }
    }
}

/// The text form of models and records. A first line that names a table is followed by a record of it.
pub(crate) fn text(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Some((name, rest)) = text.split_once('\n')
        && let Some(table) = CIRCLE.table(name)
    {
        if let Ok(read) = circle_tables::parse(table, rest) {
            let printed = read.to_string();
            let again: Record =
                circle_tables::parse(table, &printed).unwrap_or_else(|e| panic!("{e}: {printed}"));
            assert_eq!(again.to_string(), printed);
        }
        return;
    }
    let Ok(model) = parse(text) else { return };
    let none: &[u8] = &[];
    let printed = print(&model, &none, Show::Graph);
    // Constants of many elements are shown in short, and a text may leave out what would not be read back.
    let long = |buffer: &Buffer| buffer.len() > circle_ir::text::MAX_SHOWN_ELEMENTS;
    if !model.buffers().any(|(_, buffer)| long(buffer)) {
        let again = parse(&printed).unwrap_or_else(|error| panic!("{error} in\n{printed}"));
        assert_eq!(print(&again, &none, Show::Graph), printed);
    }
}
