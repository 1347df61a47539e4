//! Files that are damaged, foreign or newer: an error or a finding, never a panic.

use crate::common;
use std::path::Path;

use crate::random::Random;
use circle_schema::{
    Findings, MappedFile, NotAModel, RawTable, emit, format_of, verify, verify_circle, verify_tflite,
};
use circle_tables::{CIRCLE, Record, circle};
use flatbuffers::FlatBufferBuilder;

/// Reads everything there is, whether or not the verifier would allow it.
fn walk(bytes: &[u8]) -> bool {
    match RawTable::root(bytes, CIRCLE.root) {
        Ok(root) => root.to_record(&mut Findings::new()).is_ok(),
        Err(_) => false,
    }
}

fn message(bytes: &[u8]) -> String {
    verify(bytes).expect_err("refused").to_string()
}

#[test]
fn truncations_are_refused_or_read() {
    let content = common::model("cnn_conv_bn_relu.circle");
    let mut refused = 0;
    for len in (0..content.len()).step_by(64).chain(content.len() - 16..content.len()) {
        let cut = &content[..len];
        refused += usize::from(verify(cut).is_err());
        walk(cut);
    }
    assert!(refused > 100, "{refused}");
    assert!(verify(&content).is_ok() && walk(&content));
}

#[test]
fn flipped_bits_are_refused_or_read() {
    let mut random = Random(13);
    for name in ["cnn_conv_bn_relu.circle", "while_loop.tflite"] {
        let content = common::model(name);
        let mut outcomes = [0, 0];
        for _ in 0..2000 {
            let mut damaged = content.clone();
            for _ in 0..1 + random.below(4) {
                let at = random.below(damaged.len());
                damaged[at] ^= 1 << random.below(8);
            }
            walk(&damaged);
            outcomes[usize::from(match verify(&damaged) {
                Ok((_, root)) => root.to_record(&mut Findings::new()).is_ok(),
                Err(_) => false,
            })] += 1;
        }
        assert!(outcomes.iter().all(|&count| count > 50), "{name}: {outcomes:?}");
    }
}

#[test]
fn random_bytes_behind_a_good_head_are_refused() {
    let mut random = Random(17);
    for _ in 0..500 {
        let mut bytes: Vec<u8> = (0..8 + random.below(300)).map(|_| random.next() as u8).collect();
        bytes[..4].copy_from_slice(&(random.below(64) as u32 & !3).to_le_bytes());
        bytes[4..8].copy_from_slice(b"CIR0");
        walk(&bytes);
        if let Ok((_, root)) = verify(&bytes) {
            let _ = root.to_record(&mut Findings::new());
        }
    }
}

#[test]
fn the_damaged_files_of_the_corpus_end_in_an_error_or_a_record() {
    for path in common::corpus() {
        if !path.components().any(|part| part.as_os_str() == "hostile") {
            continue;
        }
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name");
        let content = std::fs::read(&path).expect("a file");
        let verified = verify(&content);
        walk(&content);
        // Indices, codes and order mean nothing to this layer; offsets and text do.
        let refused = ["empty", "only_header", "root_offset_out_of_range", "wrong_identifier"];
        let passed =
            ["buffer_index", "opcode_index", "tensor_index", "unknown_builtin", "no_outputs", "trailing"];
        if refused.contains(&name) || name.starts_with("truncated") {
            assert!(verified.is_err(), "{name}");
        }
        if passed.iter().any(|start| name.starts_with(start)) {
            let (_, root) = verified.unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(root.to_record(&mut Findings::new()).is_ok(), "{name}");
        }
    }
}

#[test]
fn other_files_are_called_by_their_name() {
    let cases: &[(&[u8], &str)] = &[
        (b"", "the file is empty"),
        (b"\x1c\0\0", "not a model: 3 bytes, the head of one takes 8"),
        (b"{\"traceEvents\": []}", "not a model: it is JSON text (a trace or a report is not a model)"),
        (b"\n<html></html>", "not a model: it is XML or HTML text"),
        (b"id,name,value\n", "not a model: it is text"),
        (b"\x08\x08\x12\x07pytorch\x1a\x05", "not a model: it is an ONNX model (it must be converted first)"),
        (b"\x1f\x8b\x08\0\0\0\0\0\0", "not a model: it is compressed with gzip"),
        (
            b"\x1c\0\0\0XYZ\xff\0\0\0\0",
            "not a model: bytes 4 to 8 are \"XYZ\\xff\", CIR0 (circle) or TFL3 (tflite) is expected",
        ),
    ];
    for (bytes, expected) in cases {
        assert_eq!(message(bytes), *expected);
        assert_eq!(format_of(bytes).expect_err("refused").to_string(), *expected);
    }
    assert!(matches!(format_of(b"PK\x03\x04\0\0\0\0"), Err(NotAModel::Other { .. })));
    let tflite = common::model("while_loop.tflite");
    assert_eq!(
        verify_circle(&tflite).expect_err("refused").to_string(),
        "a tflite model, circle is expected"
    );
    assert!(verify_tflite(&tflite).is_ok());
}

fn written(record: &Record) -> Vec<u8> {
    let mut builder = FlatBufferBuilder::new();
    let root = emit::emit(&mut builder, record).expect("a small record");
    builder.finish(root, Some("CIR0"));
    builder.finished_data().to_vec()
}

fn place(bytes: &[u8], text: &str) -> usize {
    bytes.windows(text.len()).position(|window| window == text.as_bytes()).expect("the text is in the file")
}

fn model_with(operator: &str) -> Record {
    let text = format!(
        "{{subgraphs=[{{tensors=[{{name=\"first\"}}, {{name=\"second\"}}], operators=[{operator}]}}]}}"
    );
    circle_tables::parse(&circle::MODEL, &text).expect("a record")
}

#[test]
fn damage_is_told_with_path_and_place() {
    let mut bytes = written(&model_with("{}"));
    let at = place(&bytes, "second");
    bytes[at + 2] = 0xff;
    assert_eq!(
        message(&bytes),
        format!(
            "damaged at byte {at}, subgraphs[0].tensors[1].name: a string of 6 bytes is not UTF-8 from its byte 2 on"
        )
    );
    let raw = RawTable::root(&bytes, &circle::MODEL).expect("the root").to_record(&mut Findings::new());
    assert!(
        raw.expect_err("refused")
            .to_string()
            .ends_with("a string of 6 bytes is not UTF-8 from its byte 2 on")
    );

    // The length of the string, in the four bytes before it.
    bytes[at + 2] = b'c';
    bytes[at - 4..at].copy_from_slice(&u32::MAX.to_le_bytes());
    let end = at as u64 + u64::from(u32::MAX);
    let told = message(&bytes);
    assert!(told.contains("subgraphs[0].tensors[1].name"), "{told}");
    assert!(told.ends_with(&format!("bytes {at}..{end} are beyond the end of the file")), "{told}");
    assert_eq!(told.lines().count(), 1);
}

/// A newer schema appends fields. Here one is appended by reading a tensor as a table that has fewer.
#[test]
fn fields_of_a_newer_schema_are_found() {
    let text = "{name=\"x\", buffer=3}";
    let metadata = circle_tables::parse(&circle::METADATA, text).expect("a record");
    let bytes = written(&metadata);
    let old = RawTable::root(&bytes, &circle::RESHAPE_OPTIONS).expect("a table");
    let mut findings = Findings::new();
    findings.within_element("operators", 3, |findings| {
        findings.within("builtin_options", |findings| old.note_newer(findings));
    });
    let told: Vec<_> = findings.list().iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        ["operators[3].builtin_options: field slot 1 of ReshapeOptions is newer than our schema"]
    );
    // Slots that the writer knew but did not use say nothing.
    let unused = circle_tables::parse(&circle::METADATA, "{name=\"x\"}").expect("a record");
    let bytes = written(&unused);
    let old = RawTable::root(&bytes, &circle::RESHAPE_OPTIONS).expect("a table");
    let mut findings = Findings::new();
    old.note_newer(&mut findings);
    assert!(findings.is_empty());
}

#[test]
fn members_of_a_newer_union_are_found() {
    let record = model_with("{builtin_options=AbsOptions{}, mutating_variable_inputs=[true]}");
    let mut bytes = written(&record);
    // AbsOptions has tag 78; the vtable says where the operator keeps it.
    let root = RawTable::root(&bytes, &circle::MODEL).expect("the root");
    let subgraph = root.tables("subgraphs").expect("subgraphs").get(0).expect("one").expect("a subgraph");
    let operator =
        subgraph.tables("operators").expect("operators").get(0).expect("one").expect("an operator");
    let at = operator.position() as usize;
    let tag = (at..at + 24).find(|&at| bytes[at] == 78).expect("the tag");
    for (newer, what) in [
        (200, "member 200 of BuiltinOptions is newer than our schema"),
        (0, "a value of BuiltinOptions that does not say which member it is"),
    ] {
        bytes[tag] = newer;
        let mut findings = Findings::new();
        let (_, root) = verify(&bytes).expect("a valid file");
        let read = root.to_record(&mut findings).expect("a record");
        let told: Vec<_> = findings.list().iter().map(ToString::to_string).collect();
        assert_eq!(told, [format!("subgraphs[0].operators[0].builtin_options: {what}")]);
        assert_eq!(read, model_with("{mutating_variable_inputs=[true]}"));
    }
}

#[test]
fn findings_are_counted_beyond_what_is_listed() {
    let mut findings = Findings::new();
    (0..250).for_each(|index| findings.add(format!("{index}")));
    assert_eq!((findings.list().len(), findings.more()), (100, 150));
    assert_eq!(findings.list()[0].to_string(), "model: 0");
}

/// A file whose parts are shared without end would be read for as long as it likes.
#[test]
fn sharing_without_measure_is_refused() {
    let mut builder = FlatBufferBuilder::new();
    let shape = builder.create_vector::<i32>(&vec![1; 100_000]);
    let start = builder.start_table();
    builder.push_slot_always(4, shape);
    let tensor = builder.end_table(start);
    let tensors = builder.create_vector(&vec![tensor; 50_000]);
    let start = builder.start_table();
    builder.push_slot_always(4, tensors);
    let subgraph = builder.end_table(start);
    let subgraphs = builder.create_vector(&[subgraph]);
    let start = builder.start_table();
    builder.push_slot_always(8, subgraphs);
    let root = builder.end_table(start);
    builder.finish(root, Some("CIR0"));
    let told = message(builder.finished_data());
    assert!(told.contains("which no file of this size can need"), "{told}");
}

#[test]
#[cfg(unix)]
fn only_regular_files_are_mapped() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let told = |path: &Path| MappedFile::open(path).expect_err("refused").to_string();
    assert!(told(folder.path()).ends_with("is a directory, not a model"));
    assert!(told(&folder.path().join("missing")).contains("missing: "));
    let path = folder.path().join("empty");
    std::fs::write(&path, "").expect("write");
    assert!(told(&path).ends_with("empty: the file is empty"));
    assert!(told(Path::new("/dev/null")).ends_with("a model must be a regular file"));

    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
    assert!(made.success());
    assert!(told(&pipe).ends_with("a model must be a regular file"));

    let path = folder.path().join("model");
    std::fs::write(&path, "some bytes").expect("write");
    let mapped = MappedFile::open(&path).expect("a file");
    assert_eq!((mapped.bytes(), mapped.metadata().len), (&b"some bytes"[..], 10));
    assert!(mapped.metadata().modified.is_some() && mapped.path() == Some(path.as_path()));
    let owned = MappedFile::from_vec(b"piped".to_vec());
    assert_eq!((owned.bytes(), owned.path()), (&b"piped"[..], None));
}

/// Files over 2 GiB keep their weights behind the flatbuffer. Only its pages are touched.
#[test]
fn files_over_two_gibibytes_are_verified() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("large.circle");
    std::fs::write(&path, common::model("external_buffers_cnn.circle")).expect("write");
    // The rest is a hole that takes no space on disk.
    let file = std::fs::OpenOptions::new().write(true).open(&path).expect("open");
    file.set_len(5 << 30).expect("a file with a hole");
    let mapped = MappedFile::open(&path).expect("a file");
    assert_eq!(mapped.metadata().len, 5 << 30);
    let (_, root) = verify(mapped.bytes()).expect("a model");
    let buffers = root.tables("buffers").expect("buffers");
    assert!(buffers.len() > 5);
    assert!(root.to_record(&mut Findings::new()).is_ok());
}

#[test]
fn files_that_change_while_they_are_used_are_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("m");
    for size in [100, 3 << 20] {
        std::fs::write(&path, vec![7; size]).expect("a file");
        let file = MappedFile::open(&path).expect("a file");
        file.check_unchanged().expect("nobody has touched it");
        // What takes its name does not touch it.
        std::fs::rename(&path, folder.path().join("old")).expect("a new name");
        std::fs::write(&path, b"another").expect("a file");
        file.check_unchanged().expect("nobody has touched it");
        let mut old =
            std::fs::OpenOptions::new().append(true).open(folder.path().join("old")).expect("a file");
        std::io::Write::write_all(&mut old, b"more").expect("it grows");
        let error = file.check_unchanged().expect_err("it has changed").to_string();
        assert_eq!(error, format!("{}: the file was changed while it was read", path.display()));
        assert_eq!(file.bytes().len(), size);
    }
}
