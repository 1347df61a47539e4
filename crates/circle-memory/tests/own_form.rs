//! Our own form in small: what is read, and what is refused where.

mod support;

use circle_memory::write::to_json;
use circle_memory::{Kind, Memory, Piece, TickUnit};
use support::{refused, text};

/// Our own form around the members of one block.
fn own(block: &str) -> String {
    format!(
        "{{\"format\": \"memory-allocation\", \"schema_version\": 1, \"tick\": {{\"unit\": \"cycle\"}},\n\
         \"segments\": [{{\"name\": \"SRAM0\", \"blocks\": [\n{{{block}}}\n]}}]}}"
    )
}

#[test]
fn faults_of_our_own_form_are_located() {
    let at = "t:3: segment 0 \"SRAM0\", block 0 \"conv1\", ";
    for (block, expected) in [
        ("\"offset\": -1", "offset: -1 is no whole number from 0 to 9223372036854775807"),
        ("\"offset\": 1.0", "offset: 1.0 is no whole number from 0 to 9223372036854775807"),
        ("\"offset\": 1e3", "offset: 1e3 is no whole number from 0 to 9223372036854775807"),
        (
            "\"offset\": 18446744073709551616",
            "offset: 18446744073709551616 is no whole number from 0 to 9223372036854775807",
        ),
        ("\"offset\": \"4\"", "offset: expected a whole number, found \"\\\"4\\\"\""),
        ("\"offset\": 0, \"offset\": 1", "offset: \"offset\" is there twice"),
        (
            "\"offset\": 0, \"size\": 1, \"alive_from\": 0, \"alive_till\": 1, \"origin\": \"x\"",
            "origin: \"origin\" is not known here, known are: id, name, offset,",
        ),
        (
            "\"offset\": 0, \"size\": 1, \"alive_from\": 0, \"alive_till\": 1, \"kind\": \"weights\"",
            "kind: unknown variant `weights`, expected one of `activation`",
        ),
        (
            "\"offset\": 0, \"size\": 1, \"alive_from\": 0, \"alive_till\": 1, \"stays\": null",
            "stays: invalid type: null, expected a boolean",
        ),
        (
            "\"offset\": 0, \"size\": 1, \"alive_from\": 0, \"alive_till\": 1,\"wrap\":{\"offset\":0,\"size\":99999999999999999999}",
            "wrap: 99999999999999999999 is no whole number",
        ),
        (
            "\"offset\": 0, \"size\": 1, \"alive_from\": 0, \"alive_till\": 1,\"extra\":{\"a\":1,\"a\":2}",
            "extra: \"a\" is there twice",
        ),
        (
            "\"offset\": 0, \"size\": 1, \"alive_from\": 0, \"alive_till\": 1,\"extra\":{\"a\":[123456789012345678901]}",
            "extra: 123456789012345678901 is no whole number",
        ),
    ] {
        let error = refused(own(&format!("\"name\": \"conv1\", {block}")));
        assert!(error.starts_with(&format!("{at}{expected}")), "{error}");
    }
    let error = refused(own("\"offset\": 0, \"size\": 4, \"alive_from\": 1"));
    assert_eq!(error, "t:3: segment 0 \"SRAM0\", block 0: no \"alive_till\"");
    let error =
        refused(own("\"id\": \"7\",\n\"offset\": 0, \"size\": 4, \"alive_from\": 1,\n\"alive_till\": -5"));
    assert!(error.starts_with("t:5: segment 0 \"SRAM0\", block 0 \"7\", alive_till: -5 is"), "{error}");
}

#[test]
fn faults_outside_of_blocks_are_located() {
    let whole = |top: &str| format!("{{\"format\": \"memory-allocation\", \"schema_version\": 1,\n{top}}}");
    for (top, expected) in [
        ("\"segments\": [], \"colour\": 1", "t:2: colour: \"colour\" is not known here, known are: format,"),
        ("\"segments\": [{\"name\": \"a\"}]", "t:2: segment 0 \"a\": no \"blocks\""),
        ("\"segments\": [{\"blocks\": []}]", "t:2: segment 0 \"\": no \"name\""),
        ("\"segments\": [{\"name\": \"a\",\n\"size\": -4", "t:3: segment 0 \"a\", size: -4 is no"),
        ("\"segments\": [{\"name\": \"a\", \"base\": 4", "t:2: segment 0 \"a\", base: \"base\" is not known"),
        ("\"segments\": {}", "t:2: invalid type: map, expected \"segments\" to be a list"),
        ("\"segments\": [], \"segments\": []", "t:2: \"segments\" is there twice"),
        ("\"tick\": {\"unit\": \"hour\"}, \"segments\": []", "t:2: tick: unknown variant `hour`"),
        ("\"origins\": [{\"id\": 1}], \"segments\": []", "t:2: origins: missing field `name`"),
        ("\"tick\": {}", "t:2: tick: missing field `unit`"),
        ("\"tick\": {\"unit\": \"ns\"}", "t: no \"segments\""),
        ("\"segments\": []} x", "t:2: trailing characters"),
        ("\"segments\": [", "t:2: segment 0: expected value"),
    ] {
        let error = refused(whole(top));
        assert!(error.starts_with(expected), "{error}\nexpected {expected}");
    }
    let version = |version: &str| {
        refused(format!(
            "{{\"format\": \"memory-allocation\",\n\"schema_version\": {version}, \"regions\": [], \"segments\": []}}"
        ))
    };
    assert_eq!(version("2"), "t:2: schema_version: version 2 is not known, known are: 1");
    assert!(version("1.5").starts_with("t:2: schema_version: 1.5 is no whole number"));
    assert_eq!(refused("{\"format\": \"memory-allocation\", \"segments\": []}"), "t: no \"schema_version\"");
    let error = refused("{\"format\": \"memory-allocation/9\", \"schema_version\": 1, \"segments\": []}");
    assert!(error.starts_with("t:1: format: expected \"memory-allocation\", found"), "{error}");
}

#[test]
fn everything_of_our_own_form_is_read() {
    let json = "{\"format\": \"memory-allocation\", \"schema_version\": 1,
 \"producer\": {\"name\": \"npu\", \"version\": \"2\", \"created\": -1, \"planner\": \"best\"},
 \"model\": {\"name\": \"m.circle\", \"md5\": \"0123\", \"sha256\": \"45\", \"size\": 9},
 \"tick\": {\"unit\": \"operator\", \"names\": [\"a\", \"b\"]},
 \"files\": [{\"name\": \"o.circle\"}],
 \"origins\": [{\"id\": 7, \"name\": \"conv\", \"file\": 0, \"subgraph\": 1, \"operator\": 2, \"opcode\": \"CONV_2D\"}],
 \"segments\": [{\"name\": \"S\", \"size\": 64, \"alignment\": 4, \"tick\": {\"unit\": \"ns\"},
  \"spaces\": [{\"id\": 3, \"offset\": 0, \"size\": 32, \"alive_from\": 0, \"alive_till\": 9, \"reason\": \"wrapped\"}],
  \"blocks\": [{\"id\": \"x\", \"name\": \"y\", \"offset\": 24, \"size\": 16, \"alive_from\": 0, \"alive_till\": 9,
   \"stays\": true, \"kind\": \"scratch\", \"wrap\": {\"offset\": 0, \"size\": 8}, \"space\": 3,
   \"tensor\": {\"subgraph\": 1, \"index\": 4, \"name\": \"t\", \"dtype\": \"f32\", \"shape\": [1, -1]},
   \"written_by\": {\"index\": 5, \"output\": 1}, \"read_by\": [{\"name\": \"z\", \"opcode\": \"ADD\"}],
   \"origins\": [7], \"extra\": {\"n\": [1, 2.5, null, {\"deep\": true}]}}],
  \"extra\": {\"s\": 1}}],
 \"extra\": {\"f\": \"\\u00e9\"}}";
    let document = text(json);
    let by_serde: Memory = serde_json::from_str(json).expect("the types read it");
    assert_eq!(document.memory, by_serde);
    let block = &document.memory.segments[0].blocks[0];
    assert_eq!((block.wrap, block.kind), (Some(Piece { offset: 0, size: 8 }), Some(Kind::Scratch)));
    assert_eq!(block.first(), Piece { offset: 24, size: 8 });
    assert_eq!(document.memory.tick_of(&document.memory.segments[0]).unit, TickUnit::Ns);
    assert_eq!((document.places.segment(0), document.places.block(0, 0)), (Some(7), Some(9)));
    assert_eq!(text(to_json(&document.memory)).memory, document.memory);
}

#[test]
fn records_are_objects_and_words_are_texts() {
    let block = "\"name\": \"conv1\", \"offset\": 0, \"size\": 8, \"alive_from\": 0, \"alive_till\": 1";
    for (field, value) in [
        ("wrap", "[0, 4]"),
        ("tensor", "[0, 7, \"nm\", \"i8\", [1]]"),
        ("written_by", "[0, 1]"),
        ("read_by", "[{\"index\": 1},\n[1, 5]]"),
    ] {
        let line = 3 + value.lines().count() - 1;
        let error = refused(own(&format!("{block}, \"{field}\": {value}")));
        let at = format!("t:{line}: segment 0 \"SRAM0\", block 0 \"conv1\", {field}: ");
        assert_eq!(error, format!("{at}invalid type: sequence, expected an object"));
    }
    let error = refused(own(&format!("{block}, \"kind\": {{\"input\": null}}")));
    assert!(error.ends_with("block 0 \"conv1\", kind: invalid type: map, expected a text"), "{error}");
    // A name may hold whatever it likes, and lists of numbers are lists.
    let fits = "\"tensor\": {\"name\": \"[0, 1]\", \"shape\": [2, -1]}, \"origins\": [3], \"read_by\": []";
    assert_eq!(text(own(&format!("{block}, {fits}"))).memory.segments[0].blocks[0].origins, [3]);

    let file = |member: &str| {
        format!(
            "{{\"format\": \"memory-allocation\", \"schema_version\": 1,\n{member},\n\
             \"segments\": [{{\"name\": \"a\", \"blocks\": []}}]}}"
        )
    };
    for (field, value) in [
        ("producer", "[\"x\", \"1\"]"),
        ("model", "[\"x\"]"),
        ("tick", "[\"cycle\"]"),
        ("files", "[[\"x\"]]"),
        ("origins", "[[0, \"x\"]]"),
    ] {
        let error = refused(file(&format!("\"{field}\": {value}")));
        assert_eq!(error, format!("t:2: {field}: invalid type: sequence, expected an object"));
    }
    let error = refused(file("\"tick\": {\"unit\": {\"cycle\": null}}"));
    assert_eq!(error, "t:2: tick: invalid type: map, expected a text");
    for (member, field) in [("\"tick\": [\"ns\"]", "tick"), ("\"spaces\": [[0, 0, 8, 0, 1]]", "spaces")] {
        let json = format!(
            "{{\"format\": \"memory-allocation\", \"schema_version\": 1,\n\
             \"segments\": [{{\"name\": \"a\", {member}, \"blocks\": []}}]}}"
        );
        let at = format!("t:2: segment 0 \"a\", {field}: ");
        assert_eq!(refused(json), format!("{at}invalid type: sequence, expected an object"));
    }
}
