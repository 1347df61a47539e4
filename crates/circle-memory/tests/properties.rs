//! What holds for any memory.

mod support;

use std::collections::BTreeSet;

use circle_memory::read::{Form, read};
use circle_memory::write::{WriteOptions, to_json, write};
use circle_memory::{
    Block, CheckOptions, Code, File, Kind, Memory, ModelFile, OperatorRef, Origin, Part, Piece, Places,
    Producer, Segment, Space, SpaceReason, TensorRef, Tick, TickUnit, check, check_part,
};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use support::text;

/// Texts that are hard on JSON and CSV.
fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,6}",
        Just("a, \"b\"".to_owned()),
        Just("#1\r\n2".to_owned()),
        Just("\u{feff}é\u{0}\u{202e}</script>".to_owned()),
        Just("\\u0041\t".to_owned()),
        Just(" x ".to_owned()),
    ]
}

fn number() -> impl Strategy<Value = u64> {
    prop_oneof![0..64u64, any::<u64>(), Just(u64::MAX), Just(1 << 63)]
}

fn extra() -> impl Strategy<Value = Map<String, Value>> {
    let value = prop_oneof![
        words().prop_map(Value::from),
        number().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        Just(json!({"deep": [null, true, 2.5, {}]})),
    ];
    vec((words(), value), 0..3).prop_map(|members| members.into_iter().collect())
}

fn operator() -> impl Strategy<Value = OperatorRef> {
    (any::<u32>(), of(any::<u32>()), of(words()), of(words()), of(any::<u32>())).prop_map(
        |(subgraph, index, name, opcode, output)| OperatorRef { subgraph, index, name, opcode, output },
    )
}

fn tensor() -> impl Strategy<Value = TensorRef> {
    (any::<u32>(), of(any::<u32>()), of(words()), of(words()), of(vec(any::<i64>(), 0..3)))
        .prop_map(|(subgraph, index, name, dtype, shape)| TensorRef { subgraph, index, name, dtype, shape })
}

fn kind() -> impl Strategy<Value = Kind> {
    use Kind::{Activation, Constant, Input, Output, Scratch, Variable};
    proptest::sample::select(vec![Activation, Input, Output, Constant, Variable, Scratch])
}

prop_compose! {
    fn any_block()(
        id in of(words()), name in of(words()), numbers in [number(), number(), number(), number()], stays: bool,
        kind in of(kind()), wrap in of((number(), number())), space in of(0..4u32), tensor in of(tensor().boxed()),
        written_by in of(operator().boxed()), read_by in vec(operator().boxed(), 0..2), origins in vec(0..5u32, 0..3), extra in extra(),
    ) -> Block {
        let [offset, size, alive_from, alive_till] = numbers;
        let wrap = wrap.map(|(offset, size)| Piece { offset, size });
        Block { id, name, offset, size, alive_from, alive_till, stays, kind, wrap, space, tensor, written_by, read_by, origins, extra }
    }
}

fn tick() -> impl Strategy<Value = Tick> {
    use TickUnit::{Cycle, Ns, Operator, Step, Unknown};
    let unit = proptest::sample::select(vec![Operator, Cycle, Ns, Step, Unknown]);
    (unit, vec(words(), 0..2)).prop_map(|(unit, names)| Tick { unit, names })
}

prop_compose! {
    fn any_segment()(
        name in words(), size in of(number()), alignment in of(number()), tick in of(tick()),
        spaces in vec((0..4u32, [number(), number(), number(), number()]), 0..3),
        blocks in vec(any_block().boxed(), 0..5), extra in extra(),
    ) -> Segment {
        let space = |(id, [offset, size, alive_from, alive_till]): (u32, [u64; 4])| {
            Space { id, offset, size, alive_from, alive_till, reason: SpaceReason::InPlace, open: id % 3 == 1 }
        };
        let spaces = spaces.into_iter().map(space).collect();
        Segment { name, size, alignment, tick, spaces, blocks, extra }
    }
}

prop_compose! {
    fn any_memory()(
        producer in of((of(words()), of(words()), of(any::<i64>()), of(words()))),
        model in of((of(words()), of(words()), of(words()), of(number()))), tick in tick(),
        files in vec((words(), of(words())), 0..2),
        origins in vec((any::<u32>(), words(), of(0..3u32), of(any::<u32>()), of(words()), any::<bool>()), 0..4),
        segments in vec(any_segment().boxed(), 0..3), extra in extra(),
    ) -> Memory {
        let producer = producer.map(|(name, version, created, planner)| Producer { name, version, created, planner });
        let model = model.map(|(name, md5, sha256, size)| ModelFile { name, md5, sha256, size });
        let files = files.into_iter().map(|(name, md5)| File { name, md5 }).collect();
        let origin = |(id, name, file, operator, opcode, inferred)| {
            Origin { id, name, file, subgraph: operator, operator, opcode, inferred }
        };
        let origins = origins.into_iter().map(origin).collect();
        Memory { producer, model, tick, files, origins, segments, extra, ..Memory::default() }
    }
}

prop_compose! {
    /// What the tracealloc, draft and CSV forms have: numbers and one text a block, and further texts.
    fn flat_memory(unit: TickUnit)(
        segments in vec((words(), vec(([0..1000u64, 0..1000, 0..100, 0..100], of(words()), vec(("[g-k]{1,3}", "[a-z, ]{1,3}"), 0..2)), 1..5)), 1..4),
    ) -> Memory {
        let mut memory = Memory::default();
        memory.tick.unit = unit;
        for (at, (name, blocks)) in segments.into_iter().enumerate() {
            let mut segment = Segment { name: format!("{name}{at}"), ..Segment::default() };
            for ([offset, size, alive_from, alive_till], origin, extra) in blocks {
                let origins = origin.map(|name| {
                    let found = memory.origins.iter().position(|origin| origin.name == name);
                    found.unwrap_or_else(|| {
                        memory.origins.push(Origin { id: memory.origins.len() as u32, name, ..Origin::default() });
                        memory.origins.len() - 1
                    }) as u32
                });
                let origins = origins.into_iter().collect();
                let extra = extra.into_iter().map(|(key, value)| (key, Value::from(value))).collect();
                segment.blocks.push(Block { offset, size, alive_from, alive_till, origins, extra, ..Block::default() });
            }
            memory.segments.push(segment);
        }
        memory
    }
}

prop_compose! {
    /// Blocks in few addresses, ticks and spaces, so that many of them meet.
    fn crowded()(
        blocks in vec(([0..40u64, 0..12, 0..30, 0..12], of(0..3u32), of((0..40u64, 0..12u64))), 0..40),
    ) -> Segment {
        let block = |([offset, size, alive_from, life], space, wrap): ([u64; 4], Option<u32>, Option<(u64, u64)>)| {
            let wrap = wrap.map(|(offset, size)| Piece { offset, size });
            Block { offset, size, alive_from, alive_till: alive_from + life, space, wrap, ..Block::default() }
        };
        Segment { name: "S".into(), blocks: blocks.into_iter().map(block).collect(), ..Segment::default() }
    }
}

/// The same question, asked of each pair.
fn naive(blocks: &[Block]) -> BTreeSet<(usize, usize)> {
    let mut pairs = BTreeSet::new();
    for (other, b) in blocks.iter().enumerate() {
        for (one, a) in blocks.iter().enumerate().take(other) {
            let alive = a.alive_from.max(b.alive_from) < a.alive_till.min(b.alive_till);
            let meets =
                |p: Piece, q: Piece| p.offset.max(q.offset) < (p.offset + p.size).min(q.offset + q.size);
            let address = a.pieces().any(|p| b.pieces().any(|q| meets(p, q)));
            if alive && address && (a.space.is_none() || a.space != b.space) {
                pairs.insert((one, other));
            }
        }
    }
    pairs
}

/// What is a block's alone.
fn numbers(memory: &Memory) -> Vec<(String, u64, u64, u64, u64)> {
    let of = |s: &Segment| -> Vec<_> {
        s.blocks.iter().map(|b| (s.name.clone(), b.offset, b.size, b.alive_from, b.alive_till)).collect()
    };
    memory.segments.iter().flat_map(of).collect()
}

proptest! {
    // What fails is mended and becomes a test of its own, not a file beside this one.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn our_own_form_holds_everything(memory in any_memory()) {
        let json = to_json(&memory);
        let again = text(&json);
        prop_assert_eq!(&again.memory, &memory);
        prop_assert_eq!(to_json(&again.memory), json.clone());
        prop_assert_eq!(&serde_json::from_str::<Memory>(&json).expect("the types read it"), &memory);
        // Each value stands on a line of its own, whatever it holds.
        let blocks: usize = memory.segments.iter().map(|segment| segment.blocks.len()).sum();
        prop_assert_eq!(json.lines().filter(|line| line.contains("\"alive_till\": ") && line.contains("\"size\": ") && line.starts_with("        {") && !line.contains("\"reason\"")).count(), blocks);
    }

    #[test]
    fn checking_any_memory_ends(memory in any_memory()) {
        let report = check(&memory, &Places::default(), CheckOptions::default());
        prop_assert_eq!(report.overlaps.len(), memory.segments.len());
        for form in Form::ALL {
            let options = WriteOptions { allow_loss: true, ..WriteOptions::default() };
            let mut out = Vec::new();
            if write(&memory, form, &options, &mut out).is_ok() {
                prop_assert_eq!(circle_memory::read::detect(&out), form, "{}", String::from_utf8_lossy(&out));
                if let Err(error) = read(&out, "t") {
                    prop_assert!(false, "{}: {} in {}", form, error, String::from_utf8_lossy(&out));
                }
            }
        }
    }

    #[test]
    fn flat_forms_hold_what_they_can(memory in flat_memory(TickUnit::Unknown), cycles in flat_memory(TickUnit::Cycle)) {
        for (form, memory) in [(Form::Tracealloc, &memory), (Form::BackendCsv, &memory), (Form::DraftV1, &cycles), (Form::BackendCsv, &cycles)] {
            let mut out = Vec::new();
            let lost = write(memory, form, &WriteOptions::default(), &mut out).map_err(|e| TestCaseError::fail(e.to_string()))?;
            prop_assert_eq!(lost, vec![]);
            let again = text(&out);
            prop_assert_eq!(again.form, form);
            prop_assert_eq!(&again.memory, memory);
            let mut second = Vec::new();
            write(&again.memory, form, &WriteOptions::default(), &mut second).expect("as before");
            prop_assert_eq!(second, out);
        }
    }

    #[test]
    fn conversions_keep_the_numbers(memory in flat_memory(TickUnit::Cycle)) {
        let through = |memory: &Memory, form| {
            let mut out = Vec::new();
            write(memory, form, &WriteOptions { allow_loss: true, ..WriteOptions::default() }, &mut out).expect("a file");
            text(&out).memory
        };
        let mut now = memory.clone();
        for form in [Form::DraftV1, Form::Own, Form::Tracealloc, Form::BackendCsv, Form::Own] {
            now = through(&now, form);
            prop_assert_eq!(numbers(&now), numbers(&memory));
        }
    }

    #[test]
    fn overlaps_are_all_found_and_no_others(segment in crowded()) {
        let expected = naive(&segment.blocks);
        let memory = Memory { segments: vec![segment], ..Memory::default() };
        let report = check(&memory, &Places::default(), CheckOptions { each: usize::MAX });
        let pairs: BTreeSet<(usize, usize)> = report.overlaps[0].pairs.iter().copied().collect();
        prop_assert_eq!(pairs.len(), report.overlaps[0].pairs.len());
        prop_assert_eq!(report.overlaps[0].count, pairs.len() as u64);
        prop_assert_eq!(&pairs, &expected);
        let told = report.findings.iter().filter(|finding| finding.code == Code::Overlap);
        let told: BTreeSet<(usize, usize)> =
            told.map(|f| (f.other.expect("a pair"), f.place.block.as_ref().expect("a block").index)).collect();
        prop_assert_eq!(told, expected);
    }

    #[test]
    fn a_part_has_the_overlaps_of_what_is_shown_of_it(segment in crowded(), from in 0..30u64, life in 1..12u64) {
        let part = Part { ticks: Some(from..from + life), segments: Vec::new() };
        let (shown, positions) = part.within(0, &segment);
        let whole = |at: usize| positions.blocks[at];
        let expected = naive(&shown.blocks).into_iter().map(|(one, other)| (whole(one), whole(other)));
        let expected: Vec<(usize, usize)> = expected.collect();
        let memory = Memory { segments: vec![segment], ..Memory::default() };
        let report = check_part(&memory, &Places::default(), CheckOptions { each: usize::MAX }, &part);
        prop_assert_eq!(&report.overlaps[0].pairs, &expected);
        let blocks: Vec<usize> = report.findings.iter().filter_map(|f| Some(f.place.block.as_ref()?.index)).collect();
        prop_assert!(blocks.iter().all(|block| positions.blocks.contains(block)));
    }

    #[test]
    fn a_planted_overlap_is_found(sizes in vec(1..50u64, 2..60), at in any::<prop::sample::Index>(), shift in 1..50u64) {
        // Blocks one behind the other, all alive at once: sound until one of them is moved back.
        let mut offset = 0;
        let mut blocks = Vec::new();
        for size in sizes {
            blocks.push(Block { offset, size, alive_from: 0, alive_till: 9, ..Block::default() });
            offset += size;
        }
        let of = |blocks: &[Block]| {
            let segment = Segment { name: "S".into(), blocks: blocks.to_vec(), ..Segment::default() };
            let memory = Memory { segments: vec![segment], ..Memory::default() };
            check(&memory, &Places::default(), CheckOptions::default()).overlaps.remove(0).pairs
        };
        prop_assert_eq!(of(&blocks), vec![]);
        let at = 1 + at.index(blocks.len() - 1);
        let shift = shift.min(blocks[at].offset);
        blocks[at].offset -= shift;
        prop_assert!(of(&blocks).iter().any(|&(one, other)| one == at || other == at));
    }
}
