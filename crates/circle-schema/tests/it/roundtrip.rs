//! Record to bytes to record: what was written is read, to the bit.

use crate::common;
use crate::random::Random;
use circle_schema::{Findings, Format, RawTable, emit, verify};
use circle_tables::{CIRCLE, Datum, Record, SchemaDef, TFLITE, circle};
use flatbuffers::{FlatBufferBuilder, WIPOffset};

fn bytes(record: &Record, identifier: &str) -> Vec<u8> {
    let mut builder = FlatBufferBuilder::new();
    let root = emit::emit(&mut builder, record).expect("a small record");
    builder.finish(root, Some(identifier));
    builder.finished_data().to_vec()
}

fn read(bytes: &[u8], like: &Record) -> Record {
    let mut findings = Findings::new();
    let table = RawTable::root(bytes, like.def()).expect("a table");
    let record = table.to_record(&mut findings).expect("a record");
    assert!(findings.is_empty(), "{findings:?}");
    record
}

#[test]
fn every_table_survives_its_bytes() {
    let mut random = Random(3);
    for schema in [&CIRCLE, &TFLITE] {
        for &table in schema.tables {
            let rounds = if table == schema.root { 5 } else { 20 };
            for _ in 0..rounds {
                let record = random.record(table);
                assert_eq!(read(&bytes(&record, "ANY0"), &record), record);
            }
        }
    }
}

/// What is written passes flatc's verifier, which knows nothing of our descriptions.
#[test]
fn the_generated_verifier_takes_what_is_written() {
    let mut random = Random(5);
    for format in [Format::Circle, Format::Tflite] {
        let schema: &SchemaDef = format.schema();
        for _ in 0..40 {
            let record = random.record(schema.root);
            let bytes = bytes(&record, schema.file_identifier);
            let (found, root) = verify(&bytes).expect("a valid file");
            assert_eq!((found, root.def()), (format, schema.root));
        }
    }
}

#[test]
fn every_real_table_survives() {
    let own = ["cnn_conv_bn_relu.circle", "external_buffers_cnn.circle", "while_loop.tflite"];
    let own = own.map(|name| common::root().join("testdata/models").join(name));
    let mut files = common::corpus();
    files.retain(|path| !path.components().any(|part| part.as_os_str() == "hostile"));
    files.extend(own);
    for path in files {
        let content = std::fs::read(&path).expect("a model");
        let (format, root) = verify(&content).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut findings = Findings::new();
        // Weights are not the business of records, though a small file could hold them so.
        let record = root.to_record_without(&["buffers"], &mut findings).expect("a record");
        assert!(findings.is_empty(), "{}: {findings:?}", path.display());
        assert!(!record.records("subgraphs").is_empty(), "{}", path.display());
        let written = bytes(&record, format.schema().file_identifier);
        let (_, root) = verify(&written).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let again = root.to_record(&mut findings).expect("a record");
        assert_eq!(again, record, "{}", path.display());
        assert_eq!(circle_tables::parse(record.def(), &record.to_string()).as_ref(), Ok(&record));
    }
}

#[test]
fn data_of_buffers_is_a_range_of_the_file() {
    let content = common::model("cnn_conv_bn_relu.circle");
    let (_, root) = verify(&content).expect("a model");
    let mut findings = Findings::new();
    let mut filled = 0;
    for buffer in root.tables("buffers").expect("buffers") {
        let buffer = buffer.expect("a buffer");
        let Some(range) = buffer.byte_range("data").expect("a range") else { continue };
        let bytes = &content[range.start as usize..range.end as usize];
        let record = buffer.to_record(&mut findings).expect("a record");
        assert_eq!(record.bytes("data"), bytes);
        filled += usize::from(!bytes.is_empty());
    }
    assert!(filled > 5, "{filled}");

    let content = common::model("external_buffers_cnn.circle");
    let (_, root) = verify(&content).expect("a model");
    let outside = root.tables("buffers").expect("buffers").filter(|buffer| {
        let buffer = buffer.as_ref().expect("a buffer");
        let (offset, size) = (buffer.uint("offset").expect("offset"), buffer.uint("size").expect("size"));
        offset > 1 && size > 0 && offset + size <= content.len() as u64
    });
    assert!(outside.count() > 5);
}

#[test]
fn typed_readers_agree_with_the_record() {
    let content = common::model("while_loop.tflite");
    let (format, root) = verify(&content).expect("a model");
    assert_eq!(format, Format::Tflite);
    let record = root.to_record(&mut Findings::new()).expect("a record");
    assert_eq!(root.int("version").expect("version"), record.int("version"));
    assert_eq!(root.str("description").expect("description"), record.str("description"));
    let subgraphs = root.tables("subgraphs").expect("subgraphs");
    assert_eq!(subgraphs.len(), record.records("subgraphs").len());
    assert!(subgraphs.len() > 1 && subgraphs.get(subgraphs.len()).is_none());
    for (raw, record) in subgraphs.zip(record.records("subgraphs")) {
        let raw = raw.expect("a subgraph");
        assert_eq!(raw.ints("inputs").expect("inputs").unwrap_or_default(), record.ints("inputs"));
        for (raw, record) in raw.tables("operators").expect("operators").zip(record.records("operators")) {
            let raw = raw.expect("an operator");
            let name = match raw.union("builtin_options").expect("options") {
                Some(circle_schema::RawUnion::Table(table)) => Some(table.def().name),
                _ => None,
            };
            assert_eq!(name, record.record("builtin_options").map(Record::name));
        }
    }
}

#[test]
fn further_fields_join_those_of_the_record() {
    let mut builder = FlatBufferBuilder::new();
    let operators = builder.create_vector::<WIPOffset<u32>>(&[]);
    let name = Datum::from("main");
    let record = Record::new(&circle::SUB_GRAPH).with("name", name).expect("set");
    let slot = circle::SUB_GRAPH.field("operators").expect("a field").slot;
    let root =
        emit::emit_with(&mut builder, &record, &[(slot, WIPOffset::new(operators.value()))]).expect("small");
    builder.finish(root, None);
    let table = RawTable::root(builder.finished_data(), &circle::SUB_GRAPH).expect("a table");
    let read = table.to_record(&mut Findings::new()).expect("a record");
    assert_eq!(read.to_string(), "{operators=[], name=\"main\"}");
}
