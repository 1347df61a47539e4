//! What a form cannot express.

mod support;

use circle_memory::read::Form;
use circle_memory::write::{WriteOptions, write};
use circle_memory::{Block, Kind, Memory, Piece, Segment, TickUnit};
use support::text;

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
        (
            block(|b| drop(b.extra.insert("origin".into(), "who".into()))),
            "block 0: an extra key that the form has",
        ),
        (
            full(&|m| drop(m.segments[0].extra.insert("size".into(), 64.into()))),
            "segment 0 \"S\": an extra key that the form has",
        ),
        (
            block(|b| drop(b.extra.insert("id".into(), "own".into()))),
            "block 0: an extra key that would be read as the block's id",
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

#[test]
fn what_is_null_is_none_and_stays() {
    let json = "{\"schema_version\": 1, \"segments\": [{\"name\": \"S\", \"size\": null, \"allocations\": [{\"offset\": 0, \
                \"size\": 8, \"alive_from\": 0, \"alive_till\": 1, \"origin\": null}]}]}";
    let memory = text(json).memory;
    let mut out = Vec::new();
    write(&memory, Form::Tracealloc, &WriteOptions::default(), &mut out).expect("a file");
    assert_eq!(text(&out).memory, memory);
    let written = String::from_utf8(out).expect("text");
    assert_eq!(written.matches("null").count(), 2, "{written}");
}

#[test]
fn a_block_in_two_pieces_becomes_two_allocations_of_one_name() {
    let ring = Block {
        id: Some("r".into()),
        name: Some("ring".into()),
        offset: 24,
        size: 16,
        alive_from: 3,
        alive_till: 7,
        wrap: Some(Piece { offset: 8, size: 6 }),
        ..Block::default()
    };
    let next = Block { name: Some("next".into()), size: 4, alive_from: 7, alive_till: 9, ..Block::default() };
    let segment = Segment { name: "S".into(), blocks: vec![ring, next], ..Segment::default() };
    let tick = circle_memory::Tick { unit: TickUnit::Cycle, ..Default::default() };
    let memory = Memory { tick, segments: vec![segment], ..Memory::default() };
    let options = WriteOptions { allow_loss: true, ..WriteOptions::default() };
    for form in [Form::Tracealloc, Form::DraftV1, Form::BackendCsv] {
        let mut out = Vec::new();
        let lost = write(&memory, form, &options, &mut out).expect("a file");
        assert!(lost.iter().any(|loss| loss.what.starts_with("a block in two pieces")), "{form}: {lost:?}");
        let back = text(&out).memory;
        let blocks = back.segments.iter().flat_map(|segment| &segment.blocks);
        let found: Vec<_> = blocks
            .map(|b| {
                let name =
                    b.origins.first().and_then(|id| back.origin(*id)).map(|origin| origin.name.as_str());
                (name, b.offset, b.size, b.alive_from, b.alive_till)
            })
            .collect();
        let due = [(Some("ring"), 24, 10, 3, 7), (Some("ring"), 8, 6, 3, 7), (Some("next"), 0, 4, 7, 9)];
        assert_eq!(found, due, "{form}");
    }
}

#[test]
fn an_end_beyond_64_bits_is_refused_even_where_losses_are_allowed() {
    let mut memory = Memory::default();
    memory.tick.unit = TickUnit::Cycle;
    let block = Block { offset: u64::MAX, size: 1, alive_till: 4, ..Block::default() };
    memory.segments.push(Segment { name: "memory".into(), blocks: vec![block], ..Segment::default() });
    let options = WriteOptions { allow_loss: true, ..WriteOptions::default() };
    for form in [Form::DraftV1, Form::BackendCsv] {
        let mut out = Vec::new();
        let error = write(&memory, form, &options, &mut out).expect_err("no such number").to_string();
        assert!(error.contains("block 0: an end beyond 64 bits"), "{error}");
        assert!(out.is_empty(), "nothing was written");
    }
    // One byte less is written with its end as it is.
    memory.segments[0].blocks[0].offset -= 1;
    for form in [Form::DraftV1, Form::BackendCsv] {
        let mut out = Vec::new();
        write(&memory, form, &options, &mut out).unwrap();
        let written = String::from_utf8(out).unwrap();
        assert!(written.contains("18446744073709551615"), "{written}");
    }
}

#[test]
fn an_origin_without_a_name_is_not_lost_unsaid() {
    let json = "{\"schema_version\": 1, \"segments\": [{\"name\": \"S\", \"allocations\": [{\"offset\": 0, \
                \"size\": 8, \"alive_from\": 0, \"alive_till\": 1, \"origin\": \"\"}]}]}";
    let memory = text(json).memory;
    let error =
        write(&memory, Form::BackendCsv, &WriteOptions::default(), &mut Vec::new()).expect_err("a loss");
    assert!(error.to_string().contains("segment 0 \"S\", block 0: an origin without a name"), "{error}");
    // JSON holds it.
    let mut out = Vec::new();
    write(&memory, Form::Tracealloc, &WriteOptions::default(), &mut out).expect("a file");
    assert_eq!(text(&out).memory, memory);
}
