//! Damaged and malicious files: refused, never a panic, never much time or memory.

mod support;

use std::fmt::Write as _;
use std::time::Instant;

use circle_memory::read::{detect, read};
use circle_memory::write::to_json;
use circle_memory::{CheckOptions, check};
use support::{bytes, refused, sample, samples, text};

/// Reads, and checks what was read.
fn survive(bytes: &[u8]) {
    detect(bytes);
    match read(bytes, "t") {
        Ok(read) => drop(check(&read.memory, &read.places, CheckOptions::default())),
        Err(error) => assert!(!error.to_string().contains('\n'), "{error}"),
    }
}

#[test]
fn samples_cut_at_every_byte() {
    let own = to_json(&sample("memory/backend_draft.csv").memory).into_bytes();
    let whole = samples().into_iter().map(|path| bytes(&path)).chain([own]);
    for bytes in whole {
        // Of long files, the beginning and the end.
        let near = 900;
        let cuts = (0..bytes.len()).filter(|cut| *cut < near || bytes.len() - cut < 40);
        for cut in cuts {
            survive(&bytes[..cut]);
        }
        for at in (0..bytes.len().min(near)).step_by(7) {
            for byte in [0, b'"', b'9', b'-', b',', b'\n', 0xff] {
                let mut bytes = bytes[..bytes.len().min(near)].to_vec();
                bytes[at] = byte;
                survive(&bytes);
            }
        }
    }
}

#[test]
fn truncated_json_says_where_it_ends() {
    let json = to_json(&sample("memory/one_draft_v1.json").memory);
    let end = json.trim_end().len();
    for cut in json.find("\"segments\"").expect("segments")..end {
        let error = refused(&json[..cut]);
        let line = json[..cut].lines().count();
        let place = error.split(':').nth(1).expect("a line");
        // Right behind a line feed it is the line that does not come.
        assert!(
            place == line.to_string() || place == (line + 1).to_string(),
            "{error} at {cut}, line {line}"
        );
    }
}

#[test]
fn nesting() {
    let deep = 1 << 20;
    let (open, close) = ("[".repeat(deep), "]".repeat(deep));
    let top = |value: &str| {
        format!("{{\"format\": \"memory-allocation\", \"schema_version\": 1, \"segments\": [{value}")
    };
    for text in [
        open.clone(),
        "{\"a\":".repeat(deep),
        top(&open),
        top(&format!("{{\"name\": \"a\", \"blocks\": [{open}{close}]}}]}}")),
        top(&format!("{{\"name\": \"a\", \"blocks\": [], \"extra\": {{\"a\": {open}{close}}}}}]}}")),
        format!("{{\"schema_version\": 1, \"segments\": [], \"x\": {open}{close}}}"),
        format!(
            "{{\"schema_version\": 1, \"segments\": [{{\"name\": \"a\", \"allocations\": [{{\"offset\": {open}{close}}}]}}]}}"
        ),
    ] {
        survive(text.as_bytes());
        refused(&text);
    }
    let error =
        refused(top(&format!("{{\"name\": \"a\", \"blocks\": [], \"extra\": {{\"a\": {open}{close}}}}}]}}")));
    assert!(error.contains("extra: recursion limit exceeded"), "{error}");
}

#[test]
fn odd_bytes() {
    for part in ["\u{0}", "\u{feff}", "\u{202e}", "\r", "\u{2028}", "\\ud800", "\\u0000", "\u{1f}"] {
        for path in samples().into_iter().filter(|path| bytes(path).len() < 3_000) {
            let text = String::from_utf8(bytes(&path)).expect("text");
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            for at in places.into_iter().step_by(5) {
                survive(format!("{}{part}{}", &text[..at], &text[at..]).as_bytes());
            }
        }
    }
    assert_eq!(refused(b"{\"format\": \"memory-allocation\",\n\"x\": \"\xff\"}"), "t:2: not UTF-8");
}

#[test]
fn line_ends_and_marks_change_nothing() {
    for path in samples() {
        let document = sample(&path);
        let text = String::from_utf8(bytes(&path)).expect("text").replace("\r\n", "\n");
        let windows = format!("\u{feff}{}", text.replace('\n', "\r\n"));
        let again = support::text(&windows);
        assert_eq!((again.memory, again.places), (document.memory, document.places), "{path}");
    }
}

#[test]
fn a_member_of_many_names_the_one_that_is_twice() {
    let mut members = "\"offset\": 0, \"size\": 1, \"alive_from\": 0, \"alive_till\": 1".to_owned();
    for at in 0..200_000 {
        let _ = write!(members, ",\n\"m{at}\": 0");
    }
    let json = |members: &str| {
        format!(
            "{{\"schema_version\": 1, \"segments\": [{{\"name\": \"a\", \"allocations\": [\n{{{members}}}]}}]}}"
        )
    };
    let start = Instant::now();
    assert_eq!(text(json(&members)).memory.segments[0].blocks[0].extra.len(), 200_000);
    let error = refused(json(&format!("{members},\n\"m7\": 1")));
    assert_eq!(error, "t:200003: segment 0 \"a\", block 0, m7: \"m7\" is there twice");
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
}

/// A file of our own form.
fn large(blocks: usize) -> String {
    let mut json = "{\"format\": \"memory-allocation\", \"schema_version\": 1, \"tick\": {\"unit\": \"cycle\"},\n\"segments\": [{\"name\": \"S\", \"blocks\": [\n".to_owned();
    for at in 0..blocks {
        let comma = if at == 0 { "" } else { ",\n" };
        let offset = (at % 1_000) * 64;
        let from = at / 1_000 * 8;
        let _ = write!(
            json,
            "{comma}{{\"id\": \"b{at}\", \"name\": \"layer{at}/conv\", \"offset\": {offset}, \"size\": 64, \"alive_from\": {from}, \
             \"alive_till\": {}, \"kind\": \"activation\", \"origins\": [0]}}",
            from + 8
        );
    }
    json.push_str("\n]}], \"origins\": [{\"id\": 0, \"name\": \"conv\"}]}\n");
    json
}

#[test]
fn time_grows_with_the_file() {
    let time = |blocks: usize| {
        let json = large(blocks);
        let start = Instant::now();
        let document = text(&json);
        let report = check(&document.memory, &document.places, CheckOptions::default());
        assert!(report.is_sound() && document.memory.segments[0].blocks.len() == blocks);
        start.elapsed().as_secs_f64()
    };
    let (small, large) = (time(5_000), time(50_000));
    // Ten times as much may take forty times as long before it counts as more than a logarithm.
    assert!(large < (small * 40.0).max(5.0), "{small} s, then {large} s");
}
