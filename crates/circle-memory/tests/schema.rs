//! The schema is that of the types, and what we write and document obeys it.

mod support;

use std::path::{Path, PathBuf};

use circle_memory::write::to_json;
use circle_memory::{CheckOptions, Code, SpaceReason, check};
use serde_json::Value;
use support::{sample, samples, text};

fn top(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

fn validator() -> jsonschema::Validator {
    let schema: Value = serde_json::from_str(&circle_memory::schema()).expect("JSON");
    jsonschema::meta::validate(&schema).expect("a schema");
    jsonschema::validator_for(&schema).expect("a schema")
}

/// Says what is wrong with a text, or nothing.
fn faults(validator: &jsonschema::Validator, json: &str) -> Vec<String> {
    let value: Value = serde_json::from_str(json).expect("JSON");
    validator.iter_errors(&value).map(|error| format!("{}: {error}", error.instance_path)).collect()
}

#[test]
fn the_schema_is_that_of_the_types() {
    let path = top("schema/memory-allocation.schema.json");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, circle_memory::schema()).expect("the schema is written");
    }
    let kept = std::fs::read_to_string(&path).expect("the schema is there");
    assert!(
        kept == circle_memory::schema(),
        "schema/memory-allocation.schema.json is not that of the types; BLESS=1 renews it"
    );
}

#[test]
fn samples_in_our_own_form_obey_the_schema() {
    let validator = validator();
    for path in samples() {
        assert_eq!(faults(&validator, &to_json(&sample(&path).memory)), [""; 0], "{path}");
    }
}

#[test]
fn the_schema_refuses_what_the_reader_refuses() {
    let validator = validator();
    let json = |version: &str, block: &str| {
        format!(
            "{{\"format\": \"memory-allocation\", \"schema_version\": {version}, \"segments\": [{{\"name\": \"S\", \"blocks\": \
             [{{\"offset\": 0, \"size\": 1, \"alive_from\": 0{block}}}]}}]}}"
        )
    };
    let till = ", \"alive_till\": 1";
    assert_eq!(faults(&validator, &json("1", till)), [""; 0]);
    text(json("1", till));
    for (version, block) in [
        ("2", till),
        ("1", ""),
        ("1", ", \"alive_till\": -1"),
        ("1", ", \"alive_till\": 1.5"),
        ("1", ", \"alive_till\": 1, \"origin\": \"x\""),
        ("1", ", \"alive_till\": 1, \"kind\": \"weights\""),
        ("1", ", \"alive_till\": 1, \"wrap\": {\"offset\": 1}"),
        ("1", ", \"alive_till\": 1, \"space\": 4294967296"),
    ] {
        let json = json(version, block);
        assert_ne!(faults(&validator, &json), [""; 0], "{json}");
        support::refused(json);
    }
    let other = json("1", till).replace("memory-allocation", "memory");
    assert_ne!(faults(&validator, &other), [""; 0]);
}

/// The JSON texts of the page.
fn examples(page: &str) -> Vec<&str> {
    let parts = page.split("```json\n").skip(1);
    parts.map(|part| part.split("```").next().expect("an end")).collect()
}

#[test]
fn the_page_says_what_is_so() {
    let page = std::fs::read_to_string(top("MEMORY.md")).expect("the page is there");
    let examples = examples(&page);
    let [example, broken, ..] = examples.as_slice() else { panic!("{} examples", examples.len()) };
    assert_eq!(faults(&validator(), example), [""; 0]);
    let document = text(example);
    let report = check(&document.memory, &document.places, CheckOptions::default());
    assert_eq!(report.findings, [], "the first example is sound");
    let segments = &document.memory.segments;
    assert!(segments.len() == 2 && segments.iter().any(|s| s.spaces.len() == 2));
    let reasons: Vec<SpaceReason> =
        segments.iter().flat_map(|s| &s.spaces).map(|space| space.reason).collect();
    assert_eq!(reasons, [SpaceReason::InPlace, SpaceReason::Wrapped]);

    // The second example has the faults that are shown behind it.
    let document = text(broken);
    let report = check(&document.memory, &document.places, CheckOptions::default());
    assert!(report.findings.iter().any(|finding| finding.code == Code::Overlap));
    for finding in &report.findings {
        let shown = finding.in_file("plan.json").to_string();
        assert!(page.contains(&shown), "the page does not show: {shown}");
    }
}

#[test]
fn the_page_names_every_field() {
    let page = std::fs::read_to_string(top("MEMORY.md")).expect("the page is there");
    let schema: Value = serde_json::from_str(&circle_memory::schema()).expect("JSON");
    let mut objects = vec![&schema];
    objects.extend(schema["$defs"].as_object().expect("definitions").values());
    for object in objects {
        let fields = object["properties"].as_object().into_iter().flat_map(|fields| fields.keys());
        let words =
            object["oneOf"].as_array().into_iter().flatten().filter_map(|word| word["const"].as_str());
        for name in fields.map(String::as_str).chain(words) {
            assert!(page.contains(&format!("`{name}`")), "the page does not document `{name}`");
        }
    }
}
