//! Each form in small: what it says exactly, and what is refused where.

mod support;

use circle_memory::read::{Foreign, Form, ReadOptions, detect, read_with};
use circle_memory::write::{WriteOptions, to_json, write};
use circle_memory::{Block, Kind, Memory, Piece, Segment, Severity, TickUnit, is_unplanned};
use support::{findings, refused, text, written};

/// Our own form around the members of one block.
fn own(block: &str) -> String {
    format!(
        "{{\"format\": \"memory-allocation\", \"schema_version\": 1, \"tick\": {{\"unit\": \"cycle\"}},\n\
         \"segments\": [{{\"name\": \"SRAM0\", \"blocks\": [\n{{{block}}}\n]}}]}}"
    )
}

/// Tracealloc around the members of one allocation.
fn tracealloc(allocation: &str) -> String {
    format!(
        "{{\"schema_version\": 1,\n\"segments\": [{{\"name\": \"S\", \"allocations\": [\n{{{allocation}}}]}}]}}"
    )
}

const NUMBERS: &str = "\"offset\": 0, \"size\": 4, \"alive_from\": 1, \"alive_till\": 2";

#[test]
fn faults_of_our_own_form_are_located() {
    let at = "t:3: segment 0 \"SRAM0\", block 0 \"conv1\", ";
    for (block, expected) in [
        ("\"offset\": -1", "offset: -1 is no whole number from 0 to 18446744073709551615"),
        ("\"offset\": 1.0", "offset: 1.0 is no whole number from 0 to 18446744073709551615"),
        ("\"offset\": 1e3", "offset: 1e3 is no whole number from 0 to 18446744073709551615"),
        (
            "\"offset\": 18446744073709551616",
            "offset: 18446744073709551616 is no whole number from 0 to 18446744073709551615",
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
        "t:3: segment 0 \"S\", block 0, size: 4.5 is no whole number from 0 to 18446744073709551615"
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

#[test]
fn tables() {
    // Columns in any order, a byte order mark, CR LF, comments, quotes, further columns.
    let csv = "\u{feff}# made by hand\r\nalive_till,origin,size,offset,alive_from,dtype\r\n\r\n9,\"a, \"\"b\"\"\",4,0,1,int8\r\n9,,4,4,1,\r\n";
    let document = text(csv);
    assert_eq!((document.form, document.memory.tick.unit), (Form::BackendCsv, TickUnit::Unknown));
    let segment = &document.memory.segments[0];
    assert_eq!((segment.name.as_str(), segment.blocks.len()), ("memory", 2));
    assert_eq!(document.memory.origins[0].name, "a, \"b\"");
    assert_eq!(segment.blocks[0].extra["dtype"], "int8");
    assert!(segment.blocks[1].origins.is_empty() && segment.blocks[1].extra.is_empty());
    assert_eq!((document.places.block(0, 0), document.places.block(0, 1)), (Some(4), Some(5)));
    let again = written(&document.memory, Form::BackendCsv);
    assert_eq!(text(&again).memory, document.memory);
    assert_eq!(written(&text(&again).memory, Form::BackendCsv), again);

    for (csv, expected) in [
        ("offset,size,alive_from\n", "t:1: no column \"alive_till\""),
        ("offset,alive_from,alive_till\n", "t:1: no column \"size\""),
        ("offset,size,offset,alive_from,alive_till\n", "t:1: offset: \"offset\" is there twice"),
        ("offset,size,front_addr,alive_from,alive_till\n", "t:1: columns of both forms"),
        ("offset,size,alive_from,alive_till\n0,1,2\n", "t:2: 3 cells, and 4 columns"),
        ("offset,size,alive_from,alive_till\n0,1,2,x\n", "t:2: alive_till: \"x\" is no whole number"),
        ("offset,size,alive_from,alive_till\n0,-1,2,3\n", "t:2: size: \"-1\" is no whole number"),
        ("offset,size,alive_from,alive_till\n0,+1,2,3\n", "t:2: size: \"+1\" is no whole number"),
        ("offset,size,alive_from,alive_till\n0,,2,3\n", "t:2: size: \"\" is no whole number"),
        ("front_addr,back_addr,alive_from,alive_till\n1,0,2,3\n", "t:2: back_addr: ends at 0, before"),
        (
            "offset,size,alive_from,alive_till\n\n0,18446744073709551616,2,3\n",
            "t:3: size: \"18446744073709551616\" is no whole number from 0 to 18446744073709551615",
        ),
    ] {
        let error = refused(csv);
        assert!(error.starts_with(expected), "{error}\nexpected {expected}");
    }
}

#[test]
fn problems_and_solutions() {
    let problem = text("lower,upper,id,size\n0,5,\"a,1\",16\n5,9,b,32\n");
    let segment = &problem.memory.segments[0];
    assert!(is_unplanned(segment));
    assert_eq!(segment.blocks[0].id.as_deref(), Some("a,1"));
    assert_eq!(
        findings(&problem),
        ["t:1: segment 0 \"memory\", blocks: no block has an offset, they have not been planned"]
    );
    assert_eq!(written(&problem.memory, Form::PlanCsv), b"id,lower,upper,size\n\"a,1\",0,5,16\nb,5,9,32\n");
    // Nothing says that the blocks lie at 0, whatever may be lost.
    let loss = WriteOptions { allow_loss: true, ..WriteOptions::default() };
    for form in [Form::Tracealloc, Form::DraftV1, Form::BackendCsv] {
        let error = write(&problem.memory, form, &loss, &mut Vec::new()).expect_err("no offsets").to_string();
        assert!(
            error.ends_with("segment 0 \"memory\": a planning problem, whose blocks have no offsets"),
            "{error}"
        );
    }
    assert!(is_unplanned(&text(to_json(&problem.memory)).memory.segments[0]));

    let csv = "id,lower,upper,size,offset,alignment\na,0,5,16,0,64\nb,0,9,32,64,64\n";
    let solution = text(csv);
    let segment = &solution.memory.segments[0];
    assert_eq!((segment.alignment, segment.blocks[1].offset, is_unplanned(segment)), (Some(64), 64, false));
    assert_eq!(written(&solution.memory, Form::PlanCsv), csv.as_bytes());
    let csv = "id,lower,upper,size,offset,alignment\na,0,5,16,0,64\nb,0,9,32,64,\n";
    let solution = text(csv);
    assert_eq!(solution.memory.segments[0].alignment, None);
    assert_eq!(written(&solution.memory, Form::PlanCsv), csv.as_bytes());

    for (csv, expected) in [
        (
            "id,lower,upper,size,offset\na,0,5,16,0\nb,0,5,16,\n",
            "t:3: no offset, but the block of line 2 has one",
        ),
        ("id,lower,upper,size,Offset\n", "t:1: Offset: \"Offset\" is not known here, known are: id, lower,"),
        ("id,lower,upper\n", "t:1: no column \"size\""),
    ] {
        assert!(refused(csv).starts_with(expected), "{}", refused(csv));
    }
    let named = |names: &str| {
        let options = ReadOptions { names: Some(names.as_bytes()), ..ReadOptions::default() };
        read_with(b"id,lower,upper,size\na,0,5,16\n", "t", &options)
    };
    assert_eq!(
        named("id,name\na,x\na,y\n").expect_err("twice").to_string(),
        "t: line 3 of the names: \"a\" is there twice"
    );
    let said = named("id,name\na,x\nc,y\n").expect("names").findings;
    assert_eq!(said[0].to_string(), "names of no block of the problem: 1");
}

#[test]
fn aidge_in_all_its_variants() {
    // Without a colon, two planes, no end, several memories.
    let log = "conv1\n  0 0 (0x00000000U) -> 64 (0x00000040U) [64] @ 0 to 1 [MEM_0] @ 0\n  1 0 (0x0U) -> 16 (0x10U) [16] @ 0 [MEM_1] @ 0\n\n:\n  0 64 (0x00000040U) -> 128 (0x00000080U) [64] @ 1 [MEM_0] @ 1\n";
    let document = text(log);
    let [first, second] = document.memory.segments.as_slice() else { panic!("{:?}", document.memory) };
    assert_eq!((first.name.as_str(), second.name.as_str()), ("MEM_0", "MEM_1"));
    let lives: Vec<(u64, u64, bool)> =
        first.blocks.iter().chain(&second.blocks).map(|b| (b.alive_from, b.alive_till, b.stays)).collect();
    assert_eq!(lives, [(0, 2, false), (1, 2, true), (0, 2, true)]);
    assert_eq!(second.blocks[0].name.as_deref(), Some("conv1 plane 1"));
    assert!(first.blocks[1].origins.is_empty() && first.blocks[1].written_by.is_none());
    assert_eq!(document.memory.origins.len(), 1);

    let plane = |plane: &str| refused(format!("a:\n  0 0 (0x0U) -> 64 (0x40U) [64] @ 0 to 1\n  {plane}\n"));
    for (text, expected) in [
        ("0 0 (0x0U) -> 64 (0x41U) [64] @ 0 to 1", "t:3: address: the address is 64, but 0x41 is 65"),
        (
            "0 0 (0x0U) -> 64 (0x40U) [65] @ 0 to 1",
            "t:3: size: the addresses hold 64 bytes, but the size is 65",
        ),
        ("0 64 (0x40U) -> 0 (0x0U) [64] @ 0 to 1", "t:3: ends at 0, before it begins at 64"),
        ("0 0 (0x0U) -> 64 (0x40U) [64] @ 0 to", "t:3: expected the end of the line, found \"to\""),
        ("0 0 (0x0U) -> 64 (0x40U) [64] @ 0 to 18446744073709551615", "t:3: released: the tick after"),
        ("0 0 (0x0U) -> 64 (0x40U) [64] @ -3 to 1", "t:3: allocated: -3 is no whole number from 0 to"),
        ("0 0 (0x0U) -> 64 (0x40U)", "t:3: expected [, found"),
    ] {
        assert!(plane(text).starts_with(expected), "{}\nexpected {expected}", plane(text));
    }
}

#[test]
fn aidge_planes_that_end_apart_share_nothing() {
    let log =
        "a:\n  0 0 (0x0U) -> 64 (0x40U) [64] @ 0 to 3\n\nb:\n  0 32 (0x20U) -> 96 (0x60U) [64] @ 1 to 2\n";
    let document = text(log);
    assert_eq!(document.memory.segments[0].spaces, []);
    assert_eq!(
        findings(&document),
        [
            "t:5: segment 0 \"memory\", block 1 \"b\", offset: shares addresses 32..64 at ticks 1..3 with block 0 \"a\""
        ]
    );
}

#[test]
fn tflm_logs() {
    let log = "Starting\n0 (id=0): size=192, offset=0, first_used=0 last_used=1\n1 (id=1): size=64, offset=192, first_used=1 last_used=1\n 0: 000000... (1k)\n0 (id=0): size=8, offset=0, first_used=0 last_used=0\n";
    let document = text(log);
    let names: Vec<&str> = document.memory.segments.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["arena", "arena 1"]);
    assert_eq!(document.memory.segments[1].blocks[0].id.as_deref(), Some("1/0"));
    assert_eq!(document.places.block(1, 0), Some(5));
    let error = refused("0 (id=0): size=192, offset=-1, first_used=0 last_used=1\n");
    assert!(error.starts_with("t:1: offset: -1 is no whole number"), "{error}");
    let error = refused("0 (id=0): size=192, offset=1, first_used=0\n");
    assert_eq!(error, "t:1: expected last_used=, found \"\"");
}

#[test]
fn onert_planners() {
    // First fit: addresses are told with the claims, releases without a percent sign.
    let log = "[  FF_PLANNER  ] claim(%1): [+0, 16sz]\n[   Compiler   ] x\n[  FF_PLANNER  ] claim(%2): [+16, 8sz]\n[  FF_PLANNER  ] release(1): [+0, 16sz]\n";
    let document = text(log);
    let blocks = &document.memory.segments[0].blocks;
    let life = |b: &Block| (b.offset, b.size, b.alive_from, b.alive_till, b.stays);
    assert_eq!((life(&blocks[0]), life(&blocks[1])), ((0, 16, 0, 2, false), (16, 8, 1, 3, true)));
    // Bump: in capitals, and nothing is ever given back.
    let log = "[  BP_PLANNER  ] CLAIM( %1): 0, 16\n[  BP_PLANNER  ] RELEASE( %1): NOTHING does\n[  BP_PLANNER  ] CLAIM( %1): 16, 4\n";
    let document = text(log);
    let names: Vec<&str> = document.memory.segments.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["BP 0", "BP 1"]);
    assert_eq!(document.memory.segments[1].blocks[0].id.as_deref(), Some("1/%1"));

    let wic = |lines: &str| refused(format!("[ WIC_PLANNER ] claim( %1): [8sz]\n{lines}"));
    for (lines, expected) in [
        ("", "t:1: operand %1 is claimed, and no address is given to it"),
        ("[ WIC_PLANNER ] release( %2)\n", "t:2: operand %2 was not claimed"),
        (
            "[ WIC_PLANNER ] release( %1)\n[ WIC_PLANNER ] release( %1)\n",
            "t:3: operand %1 was released before",
        ),
        (
            "[ WIC_PLANNER ] alloc( %1): [+0, 9sz]\n",
            "t:2: line 1 claims 8 bytes for operand %1, but 9 are allocated",
        ),
        ("[ WIC_PLANNER ] alloc( %1): [8sz]\n", "t:2: no offset of operand %1"),
        (
            "[ WIC_PLANNER ] alloc( %1): [+99999999999999999999, 8sz]\n",
            "t:2: offset: 99999999999999999999 is no",
        ),
    ] {
        assert!(wic(lines).starts_with(expected), "{}\nexpected {expected}", wic(lines));
    }
}

#[test]
fn vela_rows() {
    let head = "Allocation, memory Sram, usage mask: FeatureMap\nStart Time - End Time  : Start Addr -   End Addr: Tensor Size: Memory Usage: Format         : Name\n";
    let document = text(format!(
        "{head}         0 -          1:        0x0 -     0x3000:       12288:        15360: NHWC           : a:0\nAllocation Peak\n 5 - x\n"
    ));
    let block = &document.memory.segments[0].blocks[0];
    assert_eq!((block.name.as_deref(), block.size, block.alive_till), (Some("a:0"), 12_288, 2));
    assert_eq!(block.extra["format"], "NHWC");
    for (row, expected) in [
        (
            "0 - 1: 0x0 - 0x3000: 4: 5: NHWC : a",
            "t:3: Tensor Size: the addresses hold 12288 bytes, but the size is 4",
        ),
        ("0 - 1: 0x10 - 0x0: 4: 5: NHWC : a", "t:3: End Addr: ends at 0, before it begins at 16"),
        ("0 - 1: 0x0 - 0xfffffffffffffffff: 4", "t:3: End Addr: 0xfffffffffffffffff is no whole number"),
        ("0 - 1: 0x0 - 0x4: 4: 5: NHWC", "t:3: expected purpose and name, found \"NHWC\""),
        ("0 - 1: 0 - 0x4: 4: 5: NHWC: a", "t:3: expected Start Addr, found"),
    ] {
        let error = refused(format!("{head}{row}\n"));
        assert!(error.starts_with(expected), "{error}\nexpected {expected}");
    }
}

#[test]
fn other_files_are_named() {
    for (bytes, expected) in [
        (&b""[..], Foreign::Empty),
        (b" \r\n\t", Foreign::Empty),
        (b"\xef\xbb\xbf", Foreign::Empty),
        (b"\x1c\0\0\0CIR0", Foreign::Circle),
        (b"\x1c\0\0\0TFL3\0", Foreign::Tflite),
        (b"\x89PNG\r\n\x1a\n", Foreign::Png),
        (b"\xff\xd8\xff\xe0", Foreign::Jpeg),
        (b"\x1f\x8b\x08", Foreign::Gzip),
        (b"PK\x03\x04", Foreign::Zip),
        (b"\xff\xfe{\0", Foreign::Utf16),
        (b"<svg>", Foreign::Markup),
        (b"{\"traceEvents\": [", Foreign::ChromeTrace),
        (b"{\"displayTimeUnit\": \"us\", \"traceEvents\": [", Foreign::ChromeTrace),
        (b"[{\"ph\": \"X\"}]", Foreign::ChromeTrace),
        (b"{\"Execution_Data\": {}}", Foreign::OnertExecution),
        (b"# Session: 0\n| $0 subgraph @0 Transpose | cpu |", Foreign::OnertTable),
        (b"{\"rows\": [{\"node_type\": \"ADD\"}]}", Foreign::LitertProfile),
        (b"==== Run Order ====\n[node type] [times called] [Name]", Foreign::LitertProfile),
        (b"subgraph,op_index,metric,unit,value\n", Foreign::ProfileCsv),
        (b"id,name\n1,x\n", Foreign::NamesCsv),
        (b"{\"sidecar_version\": 1}", Foreign::Lineage),
        (b"{}", Foreign::Json),
        (b"[1, 2]", Foreign::Json),
        (b"{\"format\": \"other\"}", Foreign::Json),
        (b"a,b,c\n1,2,3\n", Foreign::Text),
        (b"hello", Foreign::Text),
        (b"\0\x01\x02", Foreign::Binary),
        (b"\x80\x81", Foreign::Binary),
    ] {
        assert_eq!(detect(bytes), Form::Foreign(expected), "{}", String::from_utf8_lossy(bytes));
        let error = refused(bytes);
        assert!(error.starts_with("t: no memory data: ") && error.contains(expected.what()), "{error}");
    }
    assert!(refused(b"\x1c\0\0\0CIR0").contains("circle-execution-plan plans its memory"));
    assert!(refused("{\"traceEvents\": []}").contains("circle-profile attach"));
}

#[test]
fn damaged_files_are_recognised() {
    for (bytes, expected) in [
        (&b"{\"format\": \"memory-allocation\", \"sch"[..], Form::Own),
        (b"{\"segments\": [], \"format\": \"memory-allocation\"", Form::Own),
        (b"{\"extra\": {\"memory_segments\": []}, \"segments\": [", Form::Tracealloc),
        (b"{\"a\\\"b\": \"}\", \"memory_segments\": 5", Form::DraftV1),
        (b"front_addr,back_addr", Form::BackendCsv),
        (b"\"id\", \"lower\"\n", Form::PlanCsv),
        (b"[ WIC_PLANNER ] claim( %10", Form::OnertPlanner),
    ] {
        assert_eq!(detect(bytes), expected, "{}", String::from_utf8_lossy(bytes));
        refused(bytes);
    }
    assert_eq!(refused(b"offset,alive_from\n1,\xff\n"), "t:2: not UTF-8");
}

#[test]
fn what_a_form_cannot_express_is_refused_by_name() {
    let full = |change: &dyn Fn(&mut Memory)| {
        let mut memory = Memory::default();
        let block = Block { offset: 0, size: 8, alive_from: 0, alive_till: 4, ..Block::default() };
        memory.segments.push(Segment {
            name: "S".into(),
            blocks: vec![block.clone(), block],
            ..Segment::default()
        });
        change(&mut memory);
        memory
    };
    let block =
        |change: fn(&mut Block)| full(&|memory| memory.segments[0].blocks.iter_mut().for_each(change));
    for (memory, expected) in [
        (full(&|m| m.tick.unit = TickUnit::Operator), "unit of ticks"),
        (full(&|m| m.segments[0].alignment = Some(16)), "segment 0 \"S\": alignment of the segment"),
        (block(|b| b.kind = Some(Kind::Input)), "segment 0 \"S\", block 0: kind of the block"),
        (block(|b| b.stays = true), "segment 0 \"S\", block 0: that the block stays alive after the plan"),
        (block(|b| b.space = Some(0)), "segment 0 \"S\", block 0: space of the block"),
        (
            block(|b| b.wrap = Some(Piece { offset: 32, size: 4 })),
            "segment 0 \"S\", block 0: a block in two pieces",
        ),
        (block(|b| b.origins = vec![9]), "segment 0 \"S\", block 0: an origin that does not exist"),
        (
            block(|b| drop(b.extra.insert("offset".into(), 1.into()))),
            "block 0: an extra key that the form has",
        ),
    ] {
        let mut out = Vec::new();
        let error = write(&memory, Form::Tracealloc, &WriteOptions::default(), &mut out).expect_err(expected);
        let error = error.to_string();
        assert!(
            error.starts_with("ONE tracealloc cannot express this: ") && error.contains(expected),
            "{error}"
        );
        assert!(out.is_empty(), "nothing was written");

        let options = WriteOptions { allow_loss: true, ..WriteOptions::default() };
        let lost = write(&memory, Form::Tracealloc, &options, &mut out).expect("a file");
        assert!(lost[0].to_string().contains(expected), "{lost:?}");
        assert_eq!(text(&out).form, Form::Tracealloc);
    }
    // What is lost more than once is told once.
    let options = WriteOptions { allow_loss: true, ..WriteOptions::default() };
    let lost = write(&block(|b| b.stays = true), Form::DraftV1, &options, &mut Vec::new()).expect("a file");
    let lost: Vec<String> = lost.iter().map(ToString::to_string).collect();
    assert_eq!(
        lost,
        ["unit of ticks", "segment 0 \"S\", block 0: that the block stays alive after the plan (and 1 more)"]
    );
}
