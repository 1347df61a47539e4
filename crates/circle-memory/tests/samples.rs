//! Every sample is read as what it is, is as sound as it is, and survives being written.

mod support;

use circle_memory::read::{Form, ReadOptions, read, read_with};
use circle_memory::write::{self, WriteOptions, to_json};
use circle_memory::{Block, Document, Kind, Memory, Part, SpaceReason, TickUnit};
use support::{bytes, checked, findings, sample, samples, text, written};

/// The largest end of each segment.
fn peaks(document: &Document) -> Vec<(String, u64)> {
    let end = |block: &Block| block.pieces().filter_map(|piece| piece.end()).max().unwrap_or(0);
    let segments = document.memory.segments.iter();
    segments.map(|s| (s.name.clone(), s.blocks.iter().map(end).max().unwrap_or(0))).collect()
}

#[test]
fn samples_are_told_apart() {
    for path in samples() {
        let name = path.rsplit('/').next().expect("a name");
        let expected = match name {
            _ if path.contains("aidge/") => Form::Aidge,
            _ if path.starts_with("plans/") => Form::PlanCsv,
            "backend_draft.csv" => Form::BackendCsv,
            "one_draft_v1.json" => Form::DraftV1,
            "onert_wic_planner.log" => Form::OnertPlanner,
            "sample.tracealloc.json" => Form::Tracealloc,
            "tflm_memory_plan.txt" => Form::TflmPlan,
            _ if name.starts_with("vela_") => Form::Vela,
            other => panic!("{other} is no known sample"),
        };
        assert_eq!(sample(&path).form, expected, "{path}");
    }
}

#[test]
fn samples_survive_our_own_form() {
    for path in samples() {
        let first = sample(&path);
        let json = to_json(&first.memory);
        let again = text(&json);
        assert_eq!((again.form, &again.memory), (Form::Own, &first.memory), "{path}");
        assert_eq!(to_json(&again.memory), json, "{path}");
        let by_serde: circle_memory::Memory = serde_json::from_str(&json).expect("the types read it, too");
        assert_eq!(by_serde, first.memory, "{path}");
        // The lines of the blocks are those on which they stand.
        let lines: Vec<&str> = json.lines().collect();
        for (at, segment) in again.memory.segments.iter().enumerate() {
            for (index, block) in segment.blocks.iter().enumerate() {
                let line = again.places.block(at, index).expect("a line");
                let part = format!("\"offset\": {}, \"size\": {}", block.offset, block.size);
                assert!(lines[line as usize - 1].contains(&part), "{path} line {line}");
            }
        }
    }
}

#[test]
fn samples_survive_their_own_forms() {
    for path in samples() {
        let first = sample(&path);
        if [Form::Aidge, Form::Vela, Form::TflmPlan, Form::OnertPlanner].contains(&first.form) {
            let error = write::write(&first.memory, first.form, &WriteOptions::default(), &mut Vec::new());
            let error = error.expect_err("a form that is not written").to_string();
            assert!(error.ends_with("is read, not written"), "{error}");
            continue;
        }
        let again = text(written(&first.memory, first.form));
        assert_eq!((again.form, again.memory), (first.form, first.memory), "{path}");
    }
}

#[test]
fn real_plans_are_sound() {
    for path in samples() {
        let document = sample(&path);
        let report = checked(&document);
        if path.ends_with("sample.tracealloc.json") {
            let expected =
                "t:11: segment 0 \"Segment1\", block 3 \"Node4\", size: ends at 24576, the segment at 16384";
            assert_eq!(findings(&document), [expected]);
        } else {
            assert!(report.is_sound(), "{path}: {:#?}", report.findings);
            assert!(report.overlaps.iter().all(|o| o.pairs.is_empty() && o.count == 0), "{path}");
        }
    }
}

#[test]
fn aidge_peaks_are_what_it_says_they_are() {
    let peak = |name: &str| peaks(&sample(&format!("memory/aidge/{name}.txt")));
    let best = "OptimizeMaxLifetimeMaxSizeFirst";
    let one = |bytes| vec![("memory".to_owned(), bytes)];
    assert_eq!(peak(&format!("vit_s_fused_single_nowrap_{best}")), one(3_552_768));
    assert_eq!(peak(&format!("vit_s_raw_single_nowrap_{best}")), one(5_526_528));
    assert_eq!(peak(&format!("vit_s_raw_single_wrap_{best}")), one(3_947_520));
    assert_eq!(peak("vit_s_raw_multi_nowrap_None"), [("MEM_0".to_owned(), 6_316_032)]);
}

#[test]
fn aidge_spaces_are_found() {
    let document = sample("memory/aidge/vit_tiny_raw_single_wrap_OptimizeMaxLifetimeMaxSizeFirst.txt");
    let segment = &document.memory.segments[0];
    // Lines 19 and 20: a block that runs around the end of its space.
    let at = segment.blocks.iter().position(|block| block.wrap.is_some()).expect("a wrapped block");
    let block = &segment.blocks[at];
    let second = block.wrap.expect("two pieces");
    assert_eq!((block.offset, block.size, second.offset, second.size), (8772, 4352, 8704, 68));
    assert_eq!((block.alive_from, block.alive_till, block.stays), (6, 12, false));
    assert_eq!(document.places.block(0, at), Some(20));
    let space = segment.spaces.iter().find(|space| Some(space.id) == block.space).expect("its space");
    assert_eq!((space.offset, space.size, space.reason), (8704, 4352, SpaceReason::Wrapped));
    assert_eq!(document.memory.origins[block.origins[0] as usize].name, "layer_0_norm1_Sub");
    // The concatenation and the addition that is computed in its place, lines 10 to 14.
    let [concat, add] = ["emb_Concat", "emb_Add"].map(|name| {
        let written = |b: &&Block| b.written_by.as_ref().is_some_and(|op| op.name.as_deref() == Some(name));
        segment.blocks.iter().find(written).expect("a block")
    });
    assert_eq!(concat.space, add.space);
    let space = segment.spaces.iter().find(|space| Some(space.id) == add.space).expect("its space");
    assert_eq!((space.alive_from, space.alive_till, space.reason), (3, 36, SpaceReason::InPlace));
}

#[test]
fn vela_peaks_and_kinds() {
    assert_eq!(
        peaks(&sample("memory/vela_5.2_person_detect.txt")),
        [("Sram (FeatureMap|Staging)".to_owned(), 74_480), ("read-only NPU tensors".to_owned(), 233_744)]
    );
    let document = sample("memory/vela_3.12_cnn_int8.txt");
    let names = ["Sram (Scratch_fast)", "Dram (Scratch)", "Dram (Permanent_NPU)", "Dram (Permanent_CPU)"];
    let sizes = [21_056, 15_360, 3_328, 6_304];
    assert_eq!(peaks(&document), names.into_iter().map(str::to_owned).zip(sizes).collect::<Vec<_>>());
    let producer = document.memory.producer.as_ref().expect("a producer");
    assert_eq!(producer.planner.as_deref(), Some("HillClimb"));
    let block = &document.memory.segments[0].blocks[1];
    assert_eq!((block.offset, block.size, block.alive_from, block.alive_till), (0, 16_384, 4, 8));
    assert_eq!(block.kind, Some(Kind::Activation));
    assert!(document.memory.segments[2].blocks.iter().all(|b| b.kind == Some(Kind::Constant)));
    // Five tensors are one another's input and output.
    let shared = document.memory.segments[0].blocks.iter().filter(|b| b.space == Some(0)).count();
    assert_eq!(shared, 5);
}

#[test]
fn vela_times_are_inclusive() {
    // The column of memory usage says so: it is the most of all ticks of its row, the last one included.
    for (path, column) in [("memory/vela_5.2_cnn_int8.txt", 1), ("memory/vela_5.2_person_detect.txt", 0)] {
        let document = sample(path);
        let segment = &document.memory.segments[column];
        let text = String::from_utf8(bytes(path)).expect("text");
        let lines: Vec<&str> = text.lines().collect();
        for (at, block) in segment.blocks.iter().enumerate() {
            let line = document.places.block(column, at).expect("a line");
            let usage = lines[line as usize - 1].split(':').nth(3).expect("a column").trim();
            // Blocks of one space count once.
            let live = |tick: u64| -> u64 {
                let mut seen = std::collections::BTreeSet::new();
                let alive = segment.blocks.iter().filter(|b| b.alive_from <= tick && tick < b.alive_till);
                alive.filter(|b| b.space.is_none_or(|space| seen.insert(space))).map(|b| b.size).sum()
            };
            let most = (block.alive_from..block.alive_till).map(live).max().expect("a lifetime");
            assert_eq!(usage, most.to_string(), "{path} line {line}");
        }
    }
}

#[test]
fn onert_lifetimes_are_the_order_of_its_lines() {
    let document = sample("memory/onert_wic_planner.log");
    let memory = &document.memory;
    assert_eq!((memory.tick.unit, memory.segments.len()), (TickUnit::Step, 1));
    let blocks = &memory.segments[0].blocks;
    let of = |id: &str| blocks.iter().find(|block| block.id.as_deref() == Some(id)).expect("an operand");
    // claim 10, claim 11, release 10, claim 12, release 11
    let life = |id| (of(id).alive_from, of(id).alive_till, of(id).offset, of(id).size);
    assert_eq!(life("%10"), (0, 2, 32_768, 12_288));
    assert_eq!(life("%11"), (1, 4, 0, 32_768));
    assert_eq!(life("%32"), (23, 25, 64, 40));
    assert_eq!(document.places.block(0, 0), Some(451));
    assert_eq!(memory.producer.as_ref().and_then(|p| p.planner.as_deref()), Some("WIC"));
}

#[test]
fn tflm_ends_are_inclusive() {
    let document = sample("memory/tflm_memory_plan.txt");
    let blocks = &document.memory.segments[0].blocks;
    let last = blocks.iter().find(|block| block.id.as_deref() == Some("24")).expect("buffer 24");
    assert_eq!((last.offset, last.size, last.alive_from, last.alive_till), (192, 64, 21, 22));
    assert_eq!(document.memory.tick.unit, TickUnit::Operator);
}

#[test]
fn draft_and_csv_are_the_same() {
    let (json, csv) = (sample("memory/one_draft_v1.json"), sample("memory/backend_draft.csv"));
    assert_eq!(json.memory.segments.len(), 2);
    let numbers = |d: &Document| -> Vec<[u64; 4]> {
        let blocks = d.memory.segments.iter().flat_map(|s| &s.blocks);
        blocks.map(|b| [b.offset, b.size, b.alive_from, b.alive_till]).collect()
    };
    let expected = [[0, 256, 5, 120], [256, 1024, 40, 160], [0, 256, 120, 200], [4096, 65_536, 0, 200]];
    assert_eq!((numbers(&json), numbers(&csv)), (expected.to_vec(), expected.to_vec()));
    for document in [&json, &csv] {
        assert_eq!(document.memory.tick.unit, TickUnit::Cycle);
    }
    assert_eq!(csv.memory.origins[1].name, "relu1, fused");
    assert_eq!(json.memory.model.as_ref().and_then(|m| m.name.as_deref()), Some("model.circle"));
    assert_eq!(json.memory.producer.as_ref().and_then(|p| p.created), Some(1_648_028_141));
}

#[test]
fn problems_take_their_names_from_beside() {
    let (problem, names) =
        (bytes("plans/tflm_audio_preprocessor_int8.csv"), bytes("memory/audio_preprocessor.names.csv"));
    let options = ReadOptions { names: Some(&names), ..ReadOptions::default() };
    let document = read_with(&problem, "t", &options).expect("a problem with names");
    let blocks = &document.memory.segments[0].blocks;
    assert!(blocks.iter().all(|block| block.name.is_some()));
    assert_eq!(blocks[1].name.as_deref(), Some("signal_window"));
    assert_eq!(document.findings, []);

    // Written again, the two files say the same.
    let refusal = write::write(&document.memory, Form::PlanCsv, &WriteOptions::default(), &mut Vec::new());
    assert!(refusal.expect_err("names").to_string().contains("name of the block"));
    let options = WriteOptions { names_beside: true, ..WriteOptions::default() };
    let (mut problem, mut beside) = (Vec::new(), Vec::new());
    write::write(&document.memory, Form::PlanCsv, &options, &mut problem).expect("a problem");
    write::names(&document.memory, &mut beside).expect("names");
    let options = ReadOptions { names: Some(&beside), ..ReadOptions::default() };
    assert_eq!(read_with(&problem, "t", &options).expect("both").memory, document.memory);

    let error = read(&names, "n.csv").expect_err("names alone").to_string();
    assert!(error.contains("names of the blocks of a planning problem"), "{error}");
}

#[test]
fn ticks_can_be_chosen() {
    let document = read(&bytes("memory/one_draft_v1.json"), "t").expect("memory");
    let part = Part { ticks: Some(120..121), ..Part::default() };
    let (kept, positions) = part.kept(&document.memory);
    let blocks = kept.segments.iter().flat_map(|segment| &segment.blocks);
    let names: Vec<&str> =
        blocks.filter_map(|block| kept.origin(block.origins[0])).map(|origin| origin.name.as_str()).collect();
    assert_eq!(names, ["relu1", "fc", "weights"]);
    assert_eq!(kept.origins.len(), 3);
    // Where the first of them stands in the file.
    let first = &positions[0];
    assert_eq!(document.places.block(first.segment, first.blocks[0]), Some(10));
    let count = |memory: &Memory| memory.segments.iter().map(|segment| segment.blocks.len()).sum::<usize>();
    assert_eq!(count(&document.memory) - count(&kept), 1);
}
