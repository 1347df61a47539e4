//! The logs in small: what is read, and what is refused where.

mod support;

use circle_memory::Block;
use support::{findings, refused, text};

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
