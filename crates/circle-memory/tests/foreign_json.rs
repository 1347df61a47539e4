//! The JSON forms of ONE in small: what is read, and what is refused where.

mod support;

use circle_memory::Severity;
use circle_memory::read::{Form, ReadOptions, read_with};
use circle_memory::write::{WriteOptions, write};
use support::{findings, refused, text, written};

/// Tracealloc around the members of one allocation.
fn tracealloc(allocation: &str) -> String {
    format!(
        "{{\"schema_version\": 1,\n\"segments\": [{{\"name\": \"S\", \"allocations\": [\n{{{allocation}}}]}}]}}"
    )
}

const NUMBERS: &str = "\"offset\": 0, \"size\": 4, \"alive_from\": 1, \"alive_till\": 2";

#[test]
fn tracealloc_keeps_what_it_does_not_know() {
    let json = "{\"generator\": \"x\", \"schema_version\": 1, \"segments\": [{\"title\": \"Bank\", \"base\": 4096,
 \"allocations\": [{\"offset\": 0, \"size\": 8, \"alive_from\": 0, \"alive_till\": 2, \"dtype\": \"int8\", \"origin\": null},
 {\"offset\": 8, \"size\": 8, \"alive_from\": 0, \"alive_till\": 2, \"origin\": \"a\\\"b\"}]}]}";
    let document = text(json);
    let segment = &document.memory.segments[0];
    assert_eq!((segment.name.as_str(), segment.size), ("Bank", None));
    assert_eq!(document.memory.origins[0].name, "a\"b");
    let again = String::from_utf8(written(&document.memory, Form::Tracealloc)).expect("text");
    for part in [
        "\"generator\": \"x\"",
        "\"title\": \"Bank\"",
        "\"base\": 4096",
        "\"dtype\": \"int8\"",
        "\"origin\": null",
    ] {
        assert!(again.contains(part), "{part} in {again}");
    }
    // What was read has a name where it had only a title; else the two are one.
    let mut expected: serde_json::Value = serde_json::from_str(json).expect("JSON");
    expected["segments"][0]["name"] = "Bank".into();
    assert_eq!(serde_json::from_str::<serde_json::Value>(&again).expect("JSON"), expected);
}

#[test]
fn inclusive_ends_are_asked_for_not_guessed() {
    // As circle-execution-plan writes it: the last ticks, and a block that is alive at one.
    let json = "{\"schema_version\": 1, \"segments\": [{\"name\": \"Segment1\", \"allocations\": [
 {\"offset\": 0, \"size\": 4, \"alive_from\": 0, \"alive_till\": 1, \"origin\": \"a\"},
 {\"offset\": 4, \"size\": 4, \"alive_from\": 2, \"alive_till\": 2, \"origin\": \"b\"}]}]}";
    let document = text(json);
    assert_eq!(document.memory.segments[0].blocks[1].alive_till, 2);
    let [said] = document.findings.as_slice() else { panic!("{:?}", document.findings) };
    assert_eq!((said.severity, said.line), (Severity::Warning, Some(3)));
    assert!(said.message.contains("should then be read with inclusive ends"), "{said}");
    assert_eq!(
        findings(&document),
        ["t:3: segment 0 \"Segment1\", block 1 \"b\", alive_till: the lifetime 2..2 is empty"]
    );

    let options = ReadOptions { inclusive_till: true, ..ReadOptions::default() };
    let document = read_with(json.as_bytes(), "t", &options).expect("a plan");
    assert_eq!((document.memory.segments[0].blocks[1].alive_till, document.findings.len()), (3, 0));
    assert_eq!(findings(&document), [""; 0]);
    let options = WriteOptions { inclusive_till: true, ..WriteOptions::default() };
    let mut out = Vec::new();
    write(&document.memory, Form::Tracealloc, &options, &mut out).expect("a plan");
    assert_eq!(text(&out).memory.segments[0].blocks[1].alive_till, 2);

    // Without such a block the shape of the file is all there is to go by.
    let document = text(json.replace("\"alive_till\": 2", "\"alive_till\": 3"));
    let [said] = document.findings.as_slice() else { panic!("{:?}", document.findings) };
    assert!(said.severity == Severity::Note && said.message.contains("read as exclusive unless"), "{said}");
    assert_eq!(text(tracealloc(NUMBERS)).findings, []);

    let last =
        tracealloc("\"offset\": 0, \"size\": 4, \"alive_from\": 1, \"alive_till\": 18446744073709551615");
    let options = ReadOptions { inclusive_till: true, ..ReadOptions::default() };
    let error =
        read_with(last.as_bytes(), "t", &options).expect_err("no tick behind the last one").to_string();
    assert!(error.contains("the tick after 18446744073709551615 is beyond"), "{error}");
}

#[test]
fn faults_of_the_foreign_json_forms_are_located() {
    let error =
        refused(tracealloc("\"size\": 4, \"alive_from\": 1, \"alive_till\": 2, \"origin\": \"conv\""));
    assert_eq!(error, "t:3: segment 0 \"S\", block 0 \"conv\": no \"offset\"");
    let error = refused(tracealloc("\"offset\": 0, \"size\": 4.5, \"alive_from\": 1, \"alive_till\": 2"));
    assert_eq!(
        error,
        "t:3: segment 0 \"S\", block 0, size: 4.5 is no whole number from 0 to 9223372036854775807"
    );
    let error = refused(tracealloc(&format!("{NUMBERS}, \"origin\": 5")));
    assert_eq!(error, "t:3: segment 0 \"S\", block 0, origin: expected a text, found \"5\"");
    assert_eq!(
        refused("{\"schema_version\": 2, \"segments\": []}"),
        "t:1: schema_version: version 2 is not known, known are: 1"
    );
    assert_eq!(refused("{\"segments\": []}"), "t: no \"schema_version\"");
    assert_eq!(
        refused("{\"schema_version\": 1, \"segments\": [{\"allocations\": []}]}"),
        "t:1: segment 0: no \"name\""
    );

    let draft = |allocation: &str| {
        refused(format!(
            "{{\"schema_version\": 1, \"memory_segments\": [{{\"segment\": \"S\", \"memory_allocations\": [{{{allocation}}}]}}]}}"
        ))
    };
    let error = draft("\"front_addr\": 8, \"back_addr\": 4, \"alive_from\": 0, \"alive_till\": 1");
    assert_eq!(error, "t:1: segment 0 \"S\", block 0, back_addr: ends at 4, before it begins at 8");
    assert!(draft("\"front_addr\": 8").ends_with("no \"back_addr\""));
    let error = refused("{\"schema_version\": 1, \"codegen_ts\": 1.5, \"memory_segments\": []}");
    assert!(
        error.starts_with("t:1: codegen_ts: 1.5 is no whole number from -9223372036854775808 to"),
        "{error}"
    );
}
