//! Inputs made to do harm: parts by the million, parts shared beyond measure, numbers at the edge, deep nesting.
//! Each must take memory in proportion to its length, and no more time than what is linear needs.

use std::fmt::Write as _;
use std::time::Duration;

use circle_format::lineage::export::export;
use circle_format::lineage::identity::identify;
use circle_format::lineage::import::{Basis, Imported, import};
use circle_format::read::{ReadOptions, read};
use circle_format::write::{WriteError, WriteOptions, number, write};
use circle_ir::verify::structure;
use circle_liveness::Options as Lifetimes;
use circle_liveness::order::reorder;
use circle_metadata::name::Name;
use circle_metadata::one::OneTables;
use circle_metadata::{lineage, profile};
use circle_passes::{Settings, o1};
use circle_profile::dump::{About, collect};

use crate::guard::{Bounds, alone, within};
use crate::large::Large;
use crate::support::model::words;
use crate::targets::{a_run, plans, written};

/// Large inputs: a second for each 100 KiB would already be slow, and is far from quadratic at these sizes.
const LARGE: Bounds = Bounds {
    memory: 64 << 20,
    memory_per_byte: 256,
    time: Duration::from_secs(5),
    time_per_kib: Duration::from_millis(10),
};

/// Runs `job` within the bounds and gives its result.
#[track_caller]
pub(crate) fn bounded<T>(len: usize, job: impl FnOnce() -> T) -> T {
    within(LARGE, len, job).unwrap_or_else(|text| panic!("{text}"))
}

pub(crate) fn load(bytes: &[u8]) -> Result<Imported, String> {
    let loaded = read(bytes, ReadOptions::default()).map_err(|error| error.to_string())?;
    let file = identify("large.circle", Some(loaded.format), bytes);
    import(bytes, loaded, file).map_err(|error| error.to_string())
}

/// Reads, checks, optimises and writes.
#[track_caller]
fn whole(large: &Large) -> Imported {
    let bytes = large.build();
    bounded(bytes.len(), || {
        let mut imported = load(&bytes).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(structure::check(&imported.model), []);
        let settings = Settings {
            fixed_point: true,
            verify_each: false,
            stop_after_patch: None,
            log: false,
            run: a_run(),
        };
        circle_passes::run(&mut imported.model, &&bytes[..], &o1::passes(), &settings)
            .unwrap_or_else(|error| panic!("{error}"));
        written(&imported.model, &bytes).expect("nothing overlaps");
        imported
    })
}

#[track_caller]
fn refused(large: &Large, with: &str) {
    let bytes = large.build();
    let error = bounded(bytes.len(), || load(&bytes).map(drop)).expect_err("a refusal");
    assert!(error.contains(with), "{error}");
    assert!(error.len() < 10_000, "a message of {} bytes", error.len());
}

#[test]
fn parts_by_the_million() {
    let _alone = alone();
    let chain = 1;
    let imported = whole(&Large { metadata: 1_000_000, chain, ..Large::default() });
    assert_eq!(imported.model.frame().metadata.as_ref().map(Vec::len), Some(1_000_000));
    let bytes = Large { codes: 1_000_000, chain, ..Large::default() }.build();
    let imported = bounded(bytes.len(), || load(&bytes)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(imported.model.frame().codes.len(), 1_000_000);
    whole(&Large { shared_tensors: 100_000, chain, ..Large::default() });
}

#[test]
fn long_chains_and_wide_stars() {
    let _alone = alone();
    // Whoever calls itself for each operator of a chain runs out of the stack of a test, which is 2 MiB.
    assert_eq!(whole(&Large { chain: 40_000, ..Large::default() }).model.operator_count(), 40_000);
    whole(&Large { star: 20_000, chain: 1, ..Large::default() });
    whole(&Large { chain: 20_000, inputs: 60_000, ..Large::default() });
}

#[test]
fn plans_of_long_chains_and_wide_stars() {
    let _alone = alone();
    let name = 1 << 20;
    for large in [
        Large { chain: 15_000, ..Large::default() },
        Large { star: 10_000, chain: 1, name, ..Large::default() },
        Large { chain: 10_000, inputs: 3_000, ..Large::default() },
    ] {
        let bytes = large.build();
        // Passes would take away what nobody reads.
        let mut model = load(&bytes).unwrap_or_else(|error| panic!("{error}")).model;
        bounded(bytes.len(), || plans(&model, &bytes));
        let limit = Duration::from_secs(1);
        let found = bounded(bytes.len(), || reorder(&mut model, &Lifetimes::default(), limit));
        let found = found.unwrap_or_else(|error| panic!("{error}"));
        assert!(found.after <= found.before);
        assert_eq!(structure::check(&model), []);
    }
}

#[test]
fn one_subgraph_many_times() {
    let _alone = alone();
    // The verifier counts a table each time it is referred to, and has enough of it before memory has.
    let large = Large { shared_tensors: 10_000, chain: 1, subgraphs: 10_000, ..Large::default() };
    refused(&large, "which no file of this size can need");
}

#[test]
fn buffers_and_options_that_share_one_range() {
    let _alone = alone();
    let tail = 4 << 20;
    let rewrite = |large: &Large| {
        let bytes = large.build();
        bounded(bytes.len(), || {
            // What lies behind the last range is of no interest here.
            let loaded =
                read(&bytes, ReadOptions { allow_loss: true }).unwrap_or_else(|error| panic!("{error}"));
            let file = identify("in.circle", Some(loaded.format), &bytes);
            let imported = import(&bytes, loaded, file).unwrap_or_else(|error| panic!("{error}"));
            let mut sink = std::io::sink();
            let numbering = number(&imported.model);
            write(&imported.model, &bytes, &numbering, &[], WriteOptions::default(), &mut sink)
        })
    };
    let same = Large { buffers: 10_000, tail, chain: 1, ..Large::default() };
    let written = rewrite(&same).expect("shared bytes stay shared");
    assert!(written.bytes < 2 * same.build().len() as u64, "{}", written.bytes);
    let shifted = Large { shifted: true, ..same };
    assert!(matches!(rewrite(&shifted), Err(WriteError::Overlap { .. })));
    let options = Large { chain: 10_000, options: true, tail, ..Large::default() };
    assert!(matches!(rewrite(&options), Err(WriteError::Overlap { .. })));
}

#[test]
fn long_names_are_not_repeated_for_each_fault() {
    let _alone = alone();
    refused(&Large { chain: 30_000, name: 1 << 20, faulty: true, ..Large::default() }, "and 29980 more");
    let custom = Large { chain: 30_000, name: 1 << 20, custom: true, ..Large::default() };
    refused(&custom, "custom_code of 1048576 bytes, and 1024 are the most");
}

/// The lineage of a model of `operators` operators in a chain, to be made worse.
pub(crate) fn chain(operators: usize) -> (Vec<u8>, lineage::Lineage) {
    let bytes = Large { chain: operators, ..Large::default() }.build();
    let model = load(&bytes).unwrap_or_else(|error| panic!("{error}")).model;
    let entries = export(&model, &number(&model), None).unwrap_or_else(|error| panic!("{error}"));
    match lineage::decode(&entries.lineage) {
        Ok(lineage::Decoded::Known(known)) => (bytes, *known),
        other => panic!("{other:?}"),
    }
}

/// Puts `lineage` in place of the model's own and reads and dumps the result. The blob stays bound: the operators
/// are the same.
#[track_caller]
pub(crate) fn dumped(bytes: &[u8], lineage: &lineage::Lineage) -> (Imported, usize) {
    let (imported, text) = {
        let model = load(bytes).unwrap_or_else(|error| panic!("{error}")).model;
        let numbering = number(&model);
        let mut entries = export(&model, &numbering, None).unwrap_or_else(|error| panic!("{error}"));
        entries.lineage = lineage::encode(lineage).unwrap_or_else(|error| panic!("{error}"));
        let file = crate::targets::with_entries(&model, bytes, &entries).expect("nothing overlaps");
        bounded(file.len(), || {
            let imported = load(&file).unwrap_or_else(|error| panic!("{error}"));
            let about = About {
                file: &identify("m", None, b""),
                profile_data: "lineage",
                stale: None,
                problems: &[],
                metadata: &[],
            };
            let text = collect(&imported.model, &about).to_json();
            export(&imported.model, &number(&imported.model), None).unwrap_or_else(|error| panic!("{error}"));
            (imported, text.len())
        })
    };
    (imported, text)
}

#[test]
fn histories_that_all_operators_share() {
    let _alone = alone();
    let (bytes, mut known) = chain(5_000);
    known.runs.push(lineage::Run { tool: "t".into(), version: "1".into(), options: "".into() });
    known.passes = vec!["a".into(), "b".into()];
    let all = known.claim_sets.len() as u32;
    let mut claims: Vec<lineage::Claim> = known.claim_sets.iter().flatten().cloned().collect();
    claims.sort_by_key(|claim| claim.source);
    known.claim_sets.push(claims);
    let event = |index: u32| lineage::Event {
        run: 0,
        pass: index % 2,
        action: lineage::Action::Fuse,
        took: all,
        parents: index.checked_sub(1).into_iter().collect(),
    };
    known.events = (0..50_000).map(event).collect();
    let last = known.events.len() as u32 - 1;
    known.subgraphs[0].operators.iter_mut().for_each(|op| op.event = Some(last));
    let (imported, text) = dumped(&bytes, &known);
    assert_eq!((imported.basis, imported.stale), (Basis::Lineage, None));
    assert!(text < 50 << 20, "{text}");
}

#[test]
fn origins_that_all_operators_share() {
    let _alone = alone();
    let (bytes, mut known) = chain(5_000);
    let all = known.sources.iter().map(|source| lineage::Claim {
        source: source.id,
        role: lineage::Role::Primary,
        part: None,
    });
    known.claim_sets = vec![vec![], all.collect()];
    known.subgraphs[0].operators.iter_mut().for_each(|op| op.claims = 1);
    let (imported, _) = dumped(&bytes, &known);
    assert_eq!(imported.basis, Basis::Unknown);
    let text = &imported.problems.first().expect("a problem").text;
    assert!(text.contains("claim 25005001 origins, and 1048576 are the most"), "{text}");
}

#[test]
fn names_that_all_sources_share() {
    let _alone = alone();
    let (_, mut known) = chain(5_000);
    let long = Name::from("n".repeat(1 << 17).as_str());
    known.sources.iter_mut().for_each(|source| source.name = long.clone());
    let blob = lineage::encode(&known).unwrap_or_else(|error| panic!("{error}"));
    // The name is repeated as often as a reader wants it for what it comes to, and no more.
    assert!(blob.len() < (5_000 << 17) / 60, "{}", blob.len());
    match bounded(blob.len(), || lineage::decode(&blob)) {
        Ok(lineage::Decoded::Known(again)) => assert_eq!(*again, known),
        other => panic!("{other:?}"),
    }
}

#[test]
fn values_of_one_operator() {
    let _alone = alone();
    let (bytes, mut known) = chain(2);
    known.metrics.push(lineage::MetricRecord {
        name: "backend".into(),
        unit: "".into(),
        kind: lineage::MetricKind::Label,
    });
    let note = |index: u32| lineage::NoteRecord {
        metric: 0,
        value: lineage::NoteValue::Text(index.to_string().as_str().into()),
        over: 0,
        from: "p".into(),
    };
    known.notes = (0..50_000).map(note).collect();
    known.subgraphs[0].operators[0].notes = (0..50_000).collect();
    let (imported, text) = dumped(&bytes, &known);
    assert_eq!(imported.basis, Basis::Lineage, "{:?}", imported.stale);
    assert!(text > 50_000, "{text}");
}

#[test]
fn values_of_tensors() {
    let _alone = alone();
    let (bytes, mut known) = chain(1_000);
    let (name, unit, kind) = ("read".into(), "bytes".into(), lineage::MetricKind::Additive);
    known.metrics.push(lineage::MetricRecord { name, unit, kind });
    let (value, from) = (lineage::NoteValue::Integer(i64::MAX), "p".into());
    known.notes = vec![lineage::NoteRecord { metric: 0, value, over: 0, from }; 100];
    let tensors = known.subgraphs[0].tensors.len() as u32;
    let all = |tensor| lineage::TensorNotes { subgraph: 0, tensor, notes: (0..100).collect() };
    known.tensor_notes = (0..tensors).map(all).collect();
    known.version = known.least_version();
    let (imported, _) = dumped(&bytes, &known);
    assert_eq!(imported.basis, Basis::Lineage, "{:?}", imported.stale);
    let noted = imported.model.subgraphs().flat_map(|(_, sg)| sg.noted()).count();
    assert_eq!(noted, tensors as usize);
    // Those that lead nowhere are refused.
    known.tensor_notes.push(all(tensors));
    let error = lineage::from_json(lineage::to_json(&known).as_bytes()).expect_err("a refusal").to_string();
    assert!(error.contains(&format!("tensor {tensors} does not exist ({tensors} there)")), "{error}");
}

#[test]
fn a_lineage_that_contradicts_itself_is_not_believed() {
    let _alone = alone();
    let broken = |change: &dyn Fn(&mut lineage::Lineage)| {
        let (bytes, mut known) = chain(3);
        change(&mut known);
        let (imported, _) = dumped(&bytes, &known);
        assert_eq!(imported.basis, Basis::Unknown);
        imported.problems.first().expect("a problem").text.clone()
    };
    let text =
        broken(&|known| known.subgraphs[0].operators[1].claims = known.subgraphs[0].operators[0].claims);
    assert_eq!(text, "operator 1 is carried by nothing and is not in the ledger");
    let text = broken(&|known| known.subgraphs[0].tensors[1].sources = 0);
    assert_eq!(text, "tensor 1 is carried by nothing and is not in the ledger");
    let text = broken(&|known| known.sources[1].opcode = "ADD".into());
    assert_eq!(text, "sg0:1 is NEG and claims @1, a ADD, though no step is told of");
    let text = broken(&|known| {
        known.runs.push(lineage::Run { tool: "t".into(), version: "1".into(), options: "".into() });
        known.passes = vec!["a".into()];
        let took = known.subgraphs[0].operators[0].claims;
        let action = lineage::Action::Fuse;
        known.events = vec![lineage::Event { run: 0, pass: 0, action, took, parents: Vec::new() }];
        known.subgraphs[0].operators[1].event = Some(0);
    });
    assert_eq!(text, "sg0:1 NEG claims @1, which its last step 0 did not take");
}

#[test]
fn histories_with_cycles_are_refused() {
    let _alone = alone();
    let (_, mut known) = chain(1);
    known.runs.push(lineage::Run { tool: "t".into(), version: "1".into(), options: "".into() });
    known.passes = vec!["a".into()];
    let event = |parents: &[u32]| lineage::Event {
        run: 0,
        pass: 0,
        action: lineage::Action::Fuse,
        took: 0,
        parents: parents.to_vec(),
    };
    for (events, parent) in
        [(vec![event(&[0])], 0), (vec![event(&[1]), event(&[0])], 1), (vec![event(&[u32::MAX])], u32::MAX)]
    {
        known.events = events;
        let error =
            lineage::from_json(lineage::to_json(&known).as_bytes()).expect_err("a refusal").to_string();
        assert!(
            error.contains(&format!("events row 0: parent {parent} does not stand before it")),
            "{error}"
        );
        assert!(lineage::encode(&known).is_err());
    }
}

#[test]
fn numbers_at_the_edge() {
    let _alone = alone();
    // A source of the id that means unknown, and an operator that cannot be.
    let sources =
        [words(&[2, u32::MAX, 5]), b"mine\0".to_vec(), words(&[u32::MAX - 1, 2]), b"x\0".to_vec()].concat();
    let ops = words(&[2, u32::MAX, 1, u32::MAX, 0, 1, u32::MAX - 1]);
    let entries: [(&[u8], _); 2] =
        [(b"ONE_source_table", Some(&sources[..])), (b"ONE_op_table", Some(&ops[..]))];
    let (tables, problems) = OneTables::decode(entries, 1);
    let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert!(problems.iter().any(|p| p.contains("operator 4294967295 does not exist")), "{problems:?}");
    let error = tables.expect("both are there").encode().expect_err("a refusal").to_string();
    assert!(error.contains("4294967295"), "{error}");
    // Lengths near 2^32, of which nothing is there.
    for length in [u32::MAX, u32::MAX - 1, 1 << 31, (1 << 31) - 1] {
        for table in [words(&[length, 0, 1]), words(&[1, 0, length]), words(&[1, 0, length, 0])] {
            bounded(table.len(), || {
                let entries =
                    [(&b"ONE_source_table"[..], Some(&table[..])), (b"ONE_op_table", Some(&table[..]))];
                assert!(!OneTables::decode(entries, 1).1.is_empty());
            });
        }
        let mut model = Large { chain: 1, metadata: 1, ..Large::default() }.build();
        for at in (8..model.len() - 4).step_by(4) {
            let before: [u8; 4] = model[at..at + 4].try_into().expect("four bytes");
            model[at..at + 4].copy_from_slice(&length.to_le_bytes());
            bounded(model.len(), || drop(load(&model)));
            model[at..at + 4].copy_from_slice(&before);
        }
    }
    let (_, mut known) = chain(1);
    known.sources[0].id = u32::MAX;
    let error = lineage::from_json(lineage::to_json(&known).as_bytes()).expect_err("a refusal").to_string();
    assert!(error.contains("id 4294967295"), "{error}");
}

#[test]
fn deep_nesting() {
    let _alone = alone();
    let deep = 1 << 20;
    let (open, close) = ("[".repeat(deep), "]".repeat(deep));
    // What is skipped is skipped without a call for each level; what is taken apart has a limit.
    let (text, object) = ("invalid type: sequence, expected a string", "expected an object, found [[[");
    let cases = [
        (format!("{{\"traceEvents\": {open}{close}}}"), Some(object)),
        (format!("{{\"traceEvents\": [{{\"ph\": \"X\", \"name\": \"a\", \"args\": {open}{close}}}]}}"), None),
        (format!("[{{\"ph\": {open}{close}}}]"), None),
        (format!("{{\"node_type\": 1, \"operators\": {open}{close}}}"), Some(object)),
        (format!("{{\"operators\": [{{\"node_type\": {open}{close}}}]}}"), Some(text)),
    ];
    for (input, expected) in cases {
        let read = bounded(input.len(), || profile::read("deep.json", input.as_bytes()));
        match (read, expected) {
            (Ok(read), None) => assert_eq!(read.rows, []),
            (Err(error), Some(text)) => assert!(error.to_string().contains(text), "{error}"),
            (read, _) => panic!("{read:?} from {}", &input[..60]),
        }
    }
    let error = bounded(deep, || lineage::from_json(format!("{{\"version\": {open}").as_bytes()))
        .expect_err("a refusal");
    assert!(error.to_string().contains("line 1"), "{error}");
    // Records nest as their tables do, and tables do not contain themselves.
    let table = circle_tables::CIRCLE.table("Tensor").expect("a table");
    let text = "{quantization=".repeat(deep);
    bounded(text.len(), || circle_tables::parse(table, &text)).expect_err("a refusal");
}

#[test]
fn long_lines_and_wide_tables() {
    let _alone = alone();
    let heading = "subgraph,op_index,metric,unit,value,backend\n";
    let line = |start: &str, mib: usize| format!("{heading}{start}{}\n", "x".repeat(mib << 20));
    for text in [line("0,0,time,ns,1,", 200), line("# ", 20), line("", 20)] {
        // The line once as it is split and once as it is kept, with room to grow.
        let bounds = Bounds { memory_per_byte: 4, ..LARGE };
        within(bounds, text.len(), || drop(profile::read("long.csv", text.as_bytes())))
            .expect("bounds are kept");
    }
    // Ten thousand columns, and rows in which each place might begin the run of numbers.
    let columns = "[node type] [avg ms]".to_owned() + &" [x]".repeat(20_000) + " [y%]";
    let row = "ADD".to_owned() + &" 1".repeat(60_000);
    let text = format!("==== Run Order ====\n[times called]\n{columns} [Name]\n{row}\n{row}\n");
    let read = bounded(text.len(), || profile::read("wide.txt", text.as_bytes())).expect("a table");
    assert_eq!((read.rows.len(), read.other.len()), (0, 2));
}

#[test]
fn texts_that_ask_for_more_than_they_are() {
    let _alone = alone();
    let mut numbers = String::new();
    for sg in 0..2_000 {
        let _ = writeln!(numbers, "subgraph sg{sg} \"\" () -> ()\n%1048575: f32[] \"\"");
    }
    let error = bounded(numbers.len(), || circle_ir::text::parse(&numbers)).expect_err("a refusal");
    assert!(error.text.contains("%0 is skipped"), "{error}");
    let mut repeated = "subgraph sg0 \"\" () -> ()\n".to_owned();
    for number in 0..2_000 {
        let _ = writeln!(repeated, "%{number}: f32[1048576] \"\" = [0]");
    }
    let error = bounded(repeated.len(), || circle_ir::text::parse(&repeated)).expect_err("a refusal");
    assert_eq!((error.line, error.text.contains("more than 4194304 altogether")), (6, true), "{error}");
}
