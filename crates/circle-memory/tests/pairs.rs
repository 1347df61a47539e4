//! Each form, written in each other: what a reader fills in by itself does not stand in the way, what a file says does.

mod support;

use circle_memory::read::{Form, read};
use circle_memory::write::{Implied, WriteError, WriteOptions, write};
use circle_memory::{Memory, UNPLANNED};
use support::{sample, samples, text};

const WRITTEN: [Form; 4] = [Form::Tracealloc, Form::DraftV1, Form::BackendCsv, Form::PlanCsv];

/// What no form may change: numbers of each block, and its identity.
fn blocks(memory: &Memory) -> Vec<([u64; 4], Option<&str>)> {
    let blocks = memory.segments.iter().flat_map(|segment| &segment.blocks);
    blocks.map(|b| ([b.offset, b.size, b.alive_from, b.alive_till], b.id.as_deref())).collect()
}

/// The texts of a refusal, or nothing if the memory was written and is the same when it is read again.
fn refusal(path: &str, form: Form) -> Vec<&'static str> {
    let first = sample(path);
    let options = WriteOptions { implied: Implied::by(first.form), ..WriteOptions::default() };
    let mut out = Vec::new();
    match write(&first.memory, form, &options, &mut out) {
        Ok(lost) => {
            assert_eq!(lost, [], "{path} as {form}");
            let again = read(&out, "t").unwrap_or_else(|error| panic!("{path} as {form}: {error}"));
            assert_eq!(again.form, form, "{path}");
            // A planning problem needs an identity for each block, and gets its position where there is none.
            if form != Form::PlanCsv || first.form == Form::PlanCsv {
                assert_eq!(blocks(&again.memory), blocks(&first.memory), "{path} as {form}");
            }
            // What was written so is written again.
            let mut second = Vec::new();
            let options = WriteOptions { implied: Implied::by(form), ..WriteOptions::default() };
            write(&again.memory, form, &options, &mut second).expect("as before");
            assert_eq!(second, out, "{path} as {form}");
            Vec::new()
        }
        Err(WriteError::CannotExpress { losses, .. }) => {
            assert!(out.is_empty(), "{path} as {form}: nothing is written");
            losses.iter().map(|loss| loss.what).collect()
        }
        Err(error) => panic!("{path} as {form}: {error}"),
    }
}

#[test]
fn nothing_that_a_reader_fills_in_is_a_loss() {
    for path in samples() {
        for form in WRITTEN {
            let lost = refusal(&path, form);
            let filled_in = ["name of the producer", "version of the producer", "id of the block"];
            assert!(!lost.iter().any(|what| filled_in.contains(what)), "{path} as {form}: {lost:?}");
            // Only a claim that is not true is refused: that operators or steps are cycles.
            let ticks = [Form::Aidge, Form::Vela, Form::TflmPlan, Form::OnertPlanner];
            let untrue = form == Form::DraftV1 && ticks.contains(&sample(&path).form);
            assert_eq!(lost.contains(&"unit of ticks"), untrue, "{path} as {form}: {lost:?}");
        }
    }
}

#[test]
fn forms_become_one_another() {
    let none: [&str; 0] = [];
    for (path, form, lost) in [
        ("memory/tflm_memory_plan.txt", Form::Tracealloc, &none[..]),
        ("memory/tflm_memory_plan.txt", Form::BackendCsv, &none),
        ("memory/tflm_memory_plan.txt", Form::PlanCsv, &["name of the segment"]),
        ("memory/tflm_memory_plan.txt", Form::DraftV1, &["unit of ticks"]),
        ("memory/onert_wic_planner.log", Form::Tracealloc, &["planner"]),
        ("memory/backend_draft.csv", Form::Tracealloc, &none),
        ("memory/backend_draft.csv", Form::DraftV1, &none),
        ("memory/one_draft_v1.json", Form::BackendCsv, &["time of making", "name of the model"]),
        ("memory/sample.tracealloc.json", Form::DraftV1, &["size of the segment"]),
        ("memory/sample.tracealloc.json", Form::BackendCsv, &["size of the segment"]),
    ] {
        assert_eq!(refusal(path, form), lost, "{path} as {form}");
    }
    // All that is in the way is told at once.
    let aidge = "memory/aidge/vit_tiny_raw_single_wrap_OptimizeMaxLifetimeMaxSizeFirst.txt";
    let lost = refusal(aidge, Form::Tracealloc);
    assert!(
        lost.contains(&"spaces that blocks share") && lost.contains(&"a block in two pieces, written as two")
    );
    assert!(!lost.contains(&"operators of the block"), "{lost:?}");
    // The same, once it is said in a file of our own, is not taken for granted.
    let memory = sample("memory/tflm_memory_plan.txt").memory;
    let own = text(circle_memory::write::to_json(&memory));
    let options = WriteOptions { implied: Implied::by(own.form), ..WriteOptions::default() };
    let error = write(&own.memory, Form::BackendCsv, &options, &mut Vec::new()).expect_err("a producer");
    assert_eq!(error.to_string(), "allocation CSV cannot express this: name of the producer; unit of ticks");
}

#[test]
fn a_problem_without_offsets_is_nothing_else() {
    for path in samples().iter().filter(|path| path.starts_with("plans/")) {
        if sample(path).memory.segments[0].extra.contains_key(UNPLANNED) {
            assert_eq!(
                refusal(path, Form::BackendCsv),
                ["a planning problem, whose blocks have no offsets"],
                "{path}"
            );
        }
    }
}

#[test]
fn identities_come_back_where_they_are_unique() {
    let csv = "offset,size,alive_from,alive_till,id\n0,8,0,4,a\n8,8,0,4,a\n16,8,0,4,\n";
    let read = text(csv);
    let ids: Vec<Option<&str>> = read.memory.segments[0].blocks.iter().map(|b| b.id.as_deref()).collect();
    assert_eq!(ids, [Some("a"), None, None]);
    assert!(support::checked(&read).is_sound());
    let options = WriteOptions { implied: Implied::by(read.form), ..WriteOptions::default() };
    let mut out = Vec::new();
    write(&read.memory, Form::BackendCsv, &options, &mut out).expect("the same");
    assert_eq!(String::from_utf8(out).expect("text"), csv);
    let mut json = Vec::new();
    write(&read.memory, Form::Tracealloc, &options, &mut json).expect("a tracealloc");
    assert_eq!(text(&json).memory.segments, read.memory.segments);
}

#[test]
fn a_column_in_another_case_is_told_as_such() {
    let error = support::refused("OFFSET,size,alive_from,alive_till\n0,8,0,4\n");
    assert!(error.contains("column \"offset\" (there is OFFSET, but case counts)"), "{error}");
    let error = support::refused("OFFSET,SIZE,alive_from,alive_till\n0,8,0,4\n");
    assert!(error.contains("column \"offset\" (there is OFFSET, but case counts)"), "{error}");
    let error = support::refused("FRONT_ADDR,back_addr,alive_from,alive_till\n0,8,0,4\n");
    assert!(error.contains("column \"front_addr\" (there is FRONT_ADDR, but case counts)"), "{error}");
}
