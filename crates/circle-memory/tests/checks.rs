//! Each fault is found where it is.

mod support;

use circle_memory::{
    Block, CheckOptions, Code, Memory, ModelFile, Origin, Part, Piece, Places, Segment, Severity, Space,
    SpaceReason, check, check_part,
};
use support::{findings, text};

fn block(offset: u64, size: u64, alive_from: u64, alive_till: u64) -> Block {
    Block { offset, size, alive_from, alive_till, ..Block::default() }
}

fn memory(segment: Segment) -> Memory {
    Memory { segments: vec![Segment { name: "S".into(), ..segment }], ..Memory::default() }
}

/// The findings about one segment.
fn found(segment: Segment) -> Vec<String> {
    let memory = memory(segment);
    let report = check(&memory, &Places::default(), CheckOptions::default());
    report.findings.iter().map(|f| f.to_string().replace("segment 0 \"S\", ", "")).collect()
}

fn blocks(blocks: impl IntoIterator<Item = Block>) -> Vec<String> {
    found(Segment { blocks: blocks.into_iter().collect(), ..Segment::default() })
}

const MOST: u64 = i64::MAX as u64;

#[test]
fn numbers() {
    let nothing: [&str; 0] = [];
    assert_eq!(blocks([block(0, 8, 0, 1), block(8, 8, 0, 1), block(0, 16, 1, 2)]), nothing);
    assert_eq!(blocks([block(0, 0, 0, 1)]), ["block 0, size: no bytes"]);
    assert_eq!(blocks([block(0, 8, 5, 5)]), ["block 0, alive_till: the lifetime 5..5 is empty"]);
    assert_eq!(blocks([block(0, 8, 5, 3)]), ["block 0, alive_till: the lifetime 5..3 is reversed"]);
    let large = |number| format!("{number} is beyond 9223372036854775807");
    assert_eq!(
        blocks([block(MOST + 1, 0, 0, u64::MAX)]),
        [
            format!("block 0, offset: {}", large(MOST + 1)),
            format!("block 0, alive_till: {}", large(u64::MAX)),
            "block 0, size: no bytes".to_owned(),
            format!("block 0, size: ends at {}, beyond 9223372036854775807", MOST + 1),
        ]
    );
    assert_eq!(
        blocks([block(MOST, 1, 0, 1), block(MOST, MOST, 2, 3)]),
        [
            "block 0, size: ends at 9223372036854775808, beyond 9223372036854775807",
            "block 1, size: ends at 18446744073709551614, beyond 9223372036854775807"
        ]
    );
    let end = Block {
        wrap: Some(Piece { offset: u64::MAX, size: 4 }),
        space: Some(0),
        ..block(u64::MAX, u64::MAX, 0, 1)
    };
    assert!(
        blocks([end.clone(), end]).iter().any(|text| text.contains("ends at 36893488147419103226, beyond"))
    );
}

#[test]
fn segments() {
    let blocks = vec![block(0, 8, 0, 1), block(60, 8, 0, 1)];
    let segment = Segment { size: Some(64), alignment: Some(8), blocks, ..Segment::default() };
    assert_eq!(
        found(segment.clone()),
        ["block 1, size: ends at 68, the segment at 64", "block 1, offset: 60 is no multiple of 8"]
    );
    assert_eq!(
        found(Segment { alignment: Some(0), size: Some(u64::MAX), blocks: vec![], ..segment }),
        [
            "size: 18446744073709551615 is beyond 9223372036854775807",
            "alignment: an alignment of 0 bytes, 1 is the least"
        ]
    );
}

#[test]
fn overlaps() {
    let named = |name: &str, block| Block { name: Some(name.into()), ..block };
    // Side by side in time or address is no overlap.
    let one = named("a", block(0, 16, 0, 4));
    let two = named("b", block(8, 16, 3, 9));
    let three = block(24, 8, 0, 9);
    assert_eq!(
        blocks([one, two, three]),
        ["block 1 \"b\", offset: shares addresses 8..16 at ticks 3..4 with block 0 \"a\""]
    );
    // All of them at once: told up to the bound, then counted.
    let many = Segment { blocks: vec![block(0, 1, 0, 1); 60], ..Segment::default() };
    let report = check(&memory(many), &Places::default(), CheckOptions { each: 10 });
    assert_eq!((report.overlaps[0].pairs.len(), report.overlaps[0].count), (60 * 59 / 2, 60 * 59 / 2));
    assert_eq!(report.findings.len(), 11);
    assert_eq!(report.findings[10].to_string(), "segment 0 \"S\": 1760 more findings of this kind (overlap)");
    // Those that are counted are known by number, and by the blocks that have part in them.
    let counted = &report.findings[10];
    assert_eq!((counted.further, &counted.blocks), (1759, &(0..60).collect::<Vec<usize>>()));
    assert!(!report.is_sound());
    let first = &report.findings[0];
    assert_eq!((first.code, first.severity, first.other), (Code::Overlap, Severity::Error, Some(0)));
}

#[test]
fn overlaps_beyond_64_bits() {
    let far = |offset, size| block(offset, size, 0, 4);
    let blocks =
        vec![far(u64::MAX - 4, 100), far(u64::MAX, 1), far(u64::MAX - 8, 4), far(u64::MAX, u64::MAX)];
    let segment = Segment { name: "S".into(), blocks, ..Segment::default() };
    let report = check(&memory(segment), &Places::default(), CheckOptions { each: usize::MAX });
    assert_eq!(report.overlaps[0].pairs, [(0, 1), (0, 3), (1, 3)]);
    let told = report.findings.iter().filter(|finding| finding.code == Code::Overlap);
    assert!(told.map(ToString::to_string).any(|text| {
        text.ends_with(
            "shares addresses 18446744073709551615..18446744073709551616 at ticks 0..4 with block 0",
        )
    }));
}

#[test]
fn overlaps_that_are_not_listed_are_counted() {
    // Two spaces whose blocks all lie on one another, blocks of no space, and one around the ring.
    let of = |space, block| Block { space, ..block };
    let space = |id| Space { id, size: 64, alive_till: 9, ..Space::default() };
    let mut blocks = vec![of(Some(0), block(0, 64, 0, 9)); 400];
    blocks.extend(vec![of(Some(1), block(32, 8, 0, 9)); 300]);
    blocks.extend(vec![of(None, block(8, 8, 3, 4)); 300]);
    // What is alive at no tick, or has no bytes, is in nobody's way.
    blocks.extend([block(8, 0, 0, 9), block(8, 8, 9, 9), block(64, 8, 0, 9)]);
    let wrap = Some(Piece { offset: 4, size: 8 });
    blocks.push(Block { wrap, ..of(Some(1), block(60, 12, 0, 9)) });
    let segment = Segment { spaces: vec![space(0), space(1)], blocks, ..Segment::default() };
    let overlaps = |segment: &Segment| {
        check(&memory(segment.clone()), &Places::default(), CheckOptions::default()).overlaps.remove(0)
    };
    let pairs = 400 * 300 + 400 * 300 + 300 * 299 / 2 + 400 + 300;
    let found = overlaps(&segment);
    assert_eq!((found.count, found.at_least), (pairs, false));
    assert!((found.pairs.len() as u64) < pairs, "{}", found.pairs.len());

    // Of very many in two pieces those are counted that are listed, and it says so.
    let wrapped = Block { wrap: Some(Piece { offset: 0, size: 2 }), ..block(8, 4, 0, 9) };
    let segment = Segment { blocks: vec![wrapped; 9_000], ..Segment::default() };
    let report = check(&memory(segment), &Places::default(), CheckOptions { each: 2 });
    let found = &report.overlaps[0];
    assert!(found.at_least && found.count == found.pairs.len() as u64 && found.count > 100_000);
    let last = report.findings.iter().find(|finding| finding.further > 0 && finding.code == Code::Overlap);
    let text = last.expect("those that are not told").to_string();
    assert_eq!(
        text,
        format!("segment 0 \"S\": at least {} more findings of this kind (overlap)", found.count - 2)
    );
}

#[test]
fn the_search_for_overlaps_is_bounded() {
    let many = Segment { blocks: vec![block(0, 1, 0, 1); 20_000], ..Segment::default() };
    let start = std::time::Instant::now();
    let report = check(&memory(many), &Places::default(), CheckOptions { each: 2 });
    // A hundred and ninety-nine million pairs are not looked at, but they are counted.
    let all = 20_000 * 19_999 / 2;
    assert_eq!((report.overlaps[0].count, report.overlaps[0].at_least), (all, false));
    assert!(report.overlaps[0].pairs.len() < 3_000_000);
    let told: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    assert_eq!(told[2], format!("segment 0 \"S\": {} more findings of this kind (overlap)", all - 2));
    assert_eq!((report.findings[2].further as u64, report.findings[2].blocks.len()), (all - 3, 20_000));
    // Nor are those of one space.
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
    let shared = |block| Block { space: Some(0), ..block };
    let space = Space {
        id: 0,
        offset: 0,
        size: 1,
        alive_from: 0,
        alive_till: 1,
        reason: SpaceReason::InPlace,
        open: false,
    };
    let many = Segment {
        spaces: vec![space],
        blocks: vec![shared(block(0, 1, 0, 1)); 20_000],
        ..Segment::default()
    };
    let start = std::time::Instant::now();
    assert_eq!(check(&memory(many), &Places::default(), CheckOptions::default()).findings, []);
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn spaces() {
    let space = Space {
        id: 4,
        offset: 0,
        size: 32,
        alive_from: 0,
        alive_till: 9,
        reason: SpaceReason::Wrapped,
        open: false,
    };
    let within = |block| Block { space: Some(4), ..block };
    let sound = vec![
        within(block(0, 16, 0, 4)),
        within(block(8, 16, 2, 9)),
        within(Block { wrap: Some(Piece { offset: 0, size: 8 }), ..block(24, 16, 3, 9) }),
    ];
    let segment = Segment { spaces: vec![space.clone()], blocks: sound, ..Segment::default() };
    assert_eq!(found(segment.clone()), [""; 0]);

    let with = |more: Block| {
        let mut segment = segment.clone();
        segment.blocks.push(more);
        found(segment)
    };
    assert_eq!(with(within(block(40, 8, 0, 9))), ["block 3, offset: lies at 40..48, its space 4 at 0..32"]);
    assert_eq!(
        with(within(block(0, 8, 0, 10))),
        ["block 3, alive_till: alive at 0..10, its space 4 at 0..9"]
    );
    assert_eq!(
        with(Block { space: Some(5), ..block(64, 8, 0, 9) }),
        ["block 3, space: space 5 does not exist"]
    );
    // An open space lets others into what its blocks leave free, and nowhere else.
    let open = |more: Block| {
        let mut segment = segment.clone();
        segment.spaces[0].open = true;
        segment.blocks.push(more);
        found(segment)
    };
    assert_eq!(open(block(28, 8, 0, 2)), [""; 0]);
    assert_eq!(
        open(block(28, 8, 0, 4)),
        ["block 3, offset: shares addresses 28..32 at ticks 3..4 with block 2"]
    );
    // Reserved by the space, though no block of it is there at that tick; where one is, it alone is told.
    assert_eq!(
        with(block(28, 8, 0, 2)),
        ["block 3, offset: shares addresses 28..32 at ticks 0..2 with space 4, of which it is none"]
    );
    let text = with(block(8, 8, 0, 1));
    assert!(
        text.iter().all(|text| !text.contains("with space")),
        "what is told of a block is told once: {text:?}"
    );
    assert!(
        text[0].starts_with("block 3, offset: shares addresses 8..16 at ticks 0..1 with block 0"),
        "{text:?}"
    );

    let wrapped = |size, wrap, space| Block { wrap: Some(wrap), space, ..block(24, size, 0, 9) };
    let piece = |offset, size| Piece { offset, size };
    assert_eq!(
        blocks([wrapped(16, piece(0, 8), None)]),
        ["block 0, wrap: in two pieces, but in no space to run around"]
    );
    assert_eq!(
        with(wrapped(4, piece(0, 5), Some(4)))[0],
        "block 3, wrap: the second piece has 5 bytes, the block 4"
    );
    assert_eq!(with(wrapped(4, piece(0, 4), Some(4))), ["block 3, wrap: one of the two pieces has no bytes"]);
    assert_eq!(with(wrapped(8, piece(25, 4), Some(4))), ["block 3, wrap: the two pieces overlap"]);

    let mut twice = segment.clone();
    twice.spaces.push(Space { size: 0, alive_till: 0, ..space.clone() });
    assert_eq!(
        found(twice),
        [
            "spaces 1 id: id 4 is given twice",
            "spaces 1 alive_till: the lifetime 0..0 is empty",
            "spaces 1 size: no bytes"
        ]
    );
    let mut two = segment.clone();
    two.spaces.push(Space { id: 5, offset: 16, ..space });
    assert_eq!(found(two), ["spaces 1: shares addresses 16..32 at ticks 0..9 with space 4"]);
    let small = Segment { size: Some(31), ..segment };
    assert!(found(small).contains(&"spaces 0 size: ends at 32, the segment at 31".to_owned()));
}

#[test]
fn rings_and_their_alignment() {
    let space = Space { size: 64, alive_till: 5, reason: SpaceReason::Wrapped, ..Space::default() };
    let wrapped =
        |offset, size, wrap| Block { space: Some(0), wrap: Some(wrap), ..block(offset, size, 0, 5) };
    let of = |space: &Space, block| {
        let (spaces, blocks) = (vec![space.clone()], vec![block]);
        found(Segment { alignment: Some(16), spaces, blocks, ..Segment::default() })
    };
    assert_eq!(of(&space, wrapped(48, 20, Piece { offset: 0, size: 4 })), [""; 0]);
    assert_eq!(
        of(&space, wrapped(16, 20, Piece { offset: 48, size: 4 })),
        [
            "block 0, wrap: the first piece ends at 32, its space 0 at 64",
            "block 0, wrap: the second piece begins at 48, its space 0 at 0",
        ]
    );
    assert_eq!(
        of(&space, wrapped(48, 20, Piece { offset: 3, size: 4 })),
        [
            "block 0, wrap: 3 is no multiple of 16",
            "block 0, wrap: the second piece begins at 3, its space 0 at 0",
        ]
    );
    let odd = Space { offset: 8, ..space.clone() };
    let within = Block { space: Some(0), ..block(16, 10, 0, 5) };
    assert_eq!(of(&odd, within.clone()), ["spaces 0 offset: 8 is no multiple of 16"]);
    for till in [MOST + 1, u64::MAX] {
        let long = Space { alive_till: till, ..space.clone() };
        let expected = format!("spaces 0 alive_till: {till} is beyond 9223372036854775807");
        assert_eq!(of(&long, within.clone()), [expected]);
    }
}

#[test]
fn what_contradicts_the_form() {
    let unplanned = |offset| {
        let mut segment = Segment { blocks: vec![block(offset, 8, 0, 1)], ..Segment::default() };
        segment.extra.insert(circle_memory::UNPLANNED.to_owned(), true.into());
        found(segment)
    };
    assert_eq!(unplanned(0).len(), 1);
    assert_eq!(unplanned(5)[1], "block 0, offset: 5, but the segment says that none is planned");

    let shaped = |dimension| {
        let tensor = circle_memory::TensorRef { shape: Some(vec![dimension]), ..Default::default() };
        blocks([Block { tensor: Some(tensor), ..block(0, 8, 0, 1) }])
    };
    assert_eq!(shaped(-1), [""; 0]);
    for dimension in [-2, i64::MIN] {
        let expected = format!(
            "block 0, tensor: dimension {dimension}, the least is -1, which is one that is not known"
        );
        assert_eq!(shaped(dimension), [expected]);
    }

    let mut memory = memory(Segment::default());
    memory.model = Some(ModelFile { name: Some("/a/x".into()), ..ModelFile::default() });
    memory.files = vec![circle_memory::form::File { name: "a\\x".into(), md5: None }];
    let report = check(&memory, &Places::default(), CheckOptions::default());
    let texts: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    let expected = [
        "model name: \"/a/x\" is not a name without folders",
        "files 0 name: \"a\\\\x\" is not a name without folders",
    ];
    assert_eq!(texts, expected);
    assert!(report.is_sound());
}

#[test]
fn references_and_identities() {
    let mut memory = memory(Segment::default());
    let id = |id: &str, block| Block { id: Some(id.into()), ..block };
    memory.segments[0].blocks = vec![id("x", block(0, 8, 0, 1)), id("x", block(8, 8, 0, 1))];
    memory.segments[0].blocks[0].origins = vec![3, 8, 3];
    memory.segments.push(Segment { name: "S".into(), ..Segment::default() });
    memory.origins =
        vec![Origin { id: 3, file: Some(0), ..Origin::default() }, Origin { id: 3, ..Origin::default() }];
    memory.model = Some(ModelFile { md5: Some("XYZ".into()), ..ModelFile::default() });
    memory.schema_version = 3;
    let report = check(&memory, &Places::default(), CheckOptions::default());
    let told: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "schema_version: version 3 is not known, known are: 1",
            "model md5: \"XYZ\" is not 32 hexadecimal digits in lower case",
            "origins 0 file: file 0 does not exist (0 there)",
            "origins 1 id: id 3 is given twice",
            "segment 1 \"S\", name: the name is that of segment 0",
            "segment 0 \"S\", block 1 \"x\", id: the id is that of segment 0 \"S\", block 0 \"x\"",
            "segment 0 \"S\", block 0 \"x\", origins: origin 8 does not exist",
            "segment 0 \"S\", block 0 \"x\", origins: origin 3 is named twice",
        ]
    );
}

#[test]
fn findings_have_the_lines_of_the_file() {
    let json = "{\"format\": \"memory-allocation\", \"schema_version\": 1, \"tick\": {\"unit\": \"cycle\"}, \"segments\": [
 {\"name\": \"SRAM0\",
  \"size\": 8,
  \"blocks\": [
   {\"name\": \"conv1\", \"offset\": 0, \"size\": 16,
    \"alive_from\": 4, \"alive_till\": 2}]}]}";
    assert_eq!(
        findings(&text(json)),
        [
            "t:5: segment 0 \"SRAM0\", block 0 \"conv1\", alive_till: the lifetime 4..2 is reversed",
            "t:5: segment 0 \"SRAM0\", block 0 \"conv1\", size: ends at 16, the segment at 8"
        ]
    );
}

#[test]
fn lists_of_the_file_and_of_segments_have_lines_of_their_own() {
    let json = "{\"format\": \"memory-allocation\", \"schema_version\": 1,
\"model\": {\"name\": \"a\", \"md5\": \"XYZ\"},
\"files\": [{\"name\": \"b\"},
 {\"name\": \"c/d\"}],
\"origins\": [
 {\"id\": 0, \"name\": \"x\"}, {\"id\": 1, \"name\": \"y\", \"file\": 9},
 {\"id\": 1, \"name\": \"z\"}],
\"segments\": [
 {\"name\": \"S\", \"blocks\": []},
 {\"blocks\": [],
  \"name\": \"S\",
  \"alignment\": 0,
  \"spaces\": [{\"id\": 0, \"offset\": 0, \"size\": 8, \"alive_from\": 0, \"alive_till\": 4},
   {\"id\": 0, \"offset\": 8, \"size\": 8,
    \"alive_from\": 0, \"alive_till\": 0}]}]}";
    assert_eq!(
        findings(&text(json)),
        [
            "t:4: files 1 name: \"c/d\" is not a name without folders",
            "t:2: model md5: \"XYZ\" is not 32 hexadecimal digits in lower case",
            "t:6: origins 1 file: file 9 does not exist (2 there)",
            "t:7: origins 2 id: id 1 is given twice",
            "t:11: segment 1 \"S\", name: the name is that of segment 0",
            "t:14: segment 1 \"S\", spaces 1 id: id 0 is given twice",
            "t:14: segment 1 \"S\", spaces 1 alive_till: the lifetime 0..0 is empty",
            "t:12: segment 1 \"S\", alignment: an alignment of 0 bytes, 1 is the least",
        ]
    );
}

#[test]
fn a_part_is_checked_for_what_is_in_it() {
    let sram = vec![block(0, 8, 0, 9), block(4, 8, 0, 3), block(6, 8, 5, 9), block(0, 8, 4, 4)];
    let dram = vec![block(0, 0, 0, 9)];
    let segment = |name: &str, blocks| Segment { name: name.into(), blocks, ..Segment::default() };
    let memory = Memory { segments: vec![segment("SRAM", sram), segment("DRAM", dram)], ..Memory::default() };
    let found = |ticks, segments: &[&str]| -> Vec<String> {
        let part = Part { ticks, segments: segments.iter().map(ToString::to_string).collect() };
        let report = check_part(&memory, &Places::default(), CheckOptions::default(), &part);
        assert_eq!(report.overlaps.len(), 2, "one for each segment of the whole");
        report.findings.iter().map(ToString::to_string).collect()
    };
    let early = "segment 0 \"SRAM\", block 1, offset: shares addresses 4..8 at ticks 0..3 with block 0";
    let late = "segment 0 \"SRAM\", block 2, offset: shares addresses 6..8 at ticks 5..9 with block 0";
    let empty = "segment 0 \"SRAM\", block 3, alive_till: the lifetime 4..4 is empty";
    let none = "segment 1 \"DRAM\", block 0, size: no bytes";
    assert_eq!(found(None, &[]), [empty, early, late, none]);
    assert_eq!(found(Some(2..5), &["SRAM"]), [empty, early]);
    assert_eq!(found(Some(3..4), &["SRAM"]), [""; 0]);
    assert_eq!(found(Some(5..u64::MAX), &[]), [late, none]);
    assert_eq!(found(None, &["DRAM"]), [none]);
}
