//! Numbers in pages.

use circle_memory::{Block, Memory, Segment};
use circle_visual::memory::{Options, Plan, html, svg};

use crate::common::{data, texts};
use crate::plans;

#[test]
fn numbers_that_a_script_cannot_count_are_texts() {
    let most = (1u64 << 53) - 1;
    // One block ends just where numbers are exact, or goes beyond.
    for (offset, wide) in [(most - 65_536, false), (most - 65_535, true), (u64::MAX - 1, true)] {
        let mut plan = plans::small();
        let block = &mut plan.memory.segments[1].blocks[0];
        (block.offset, block.size) = (offset, 65_536);
        let page = data(&html(&[plan], &Options::default()).unwrap());
        let segment = &page["plans"][0]["segments"][1];
        assert_eq!(segment["wide"].is_object(), wide, "{segment}");
        let entry = segment["at"].as_array().unwrap().iter().position(|at| at == 0).unwrap();
        if wide {
            assert_eq!(segment["wide"]["offset"][entry], offset.to_string());
            assert_eq!(segment["wide"]["size_of"][entry], "65536");
            assert!(segment["offset"].as_array().unwrap().is_empty());
        } else {
            assert_eq!(segment["size_of"][entry], 65_536);
        }
        // What has no such number stays as it was.
        assert!(page["plans"][0]["segments"][0]["wide"].is_null());
    }
    // Sums must be exact, too.
    let mut plan = plans::small();
    for block in &mut plan.memory.segments[0].blocks {
        (block.offset, block.size, block.wrap) = (0, most / 8 + 1, None);
    }
    let page = data(&html(&[plan], &Options::default()).unwrap());
    assert!(page["plans"][0]["segments"][0]["wide"].is_object());
    // So must ticks and the lifetimes of spaces.
    let mut plan = plans::small();
    plan.memory.segments[0].spaces[0].alive_till = most + 1;
    let page = data(&html(&[plan], &Options::default()).unwrap());
    assert_eq!(page["plans"][0]["segments"][0]["wide"]["spaces"].as_array().unwrap().len(), 2);
}

#[test]
fn clocks_that_began_long_ago_are_counted_from_the_first_tick() {
    let mut plan = plans::small();
    let began = 1_700_000_000_000_000_000;
    for block in plan.memory.segments.iter_mut().flat_map(|segment| &mut segment.blocks) {
        block.alive_from += began;
        block.alive_till += began;
    }
    let page = data(&html(&[plan], &Options::default()).unwrap());
    assert_eq!(page["plans"][0]["segments"][0]["base"], began.to_string());
    assert_eq!(page["plans"][0]["segments"][0]["at"].as_array().unwrap().len(), 8);
}

#[test]
fn numbers_beyond_64_bits_are_exact() {
    let half = 1_u64 << 63;
    let block = |offset: u64, size: u64, alive_from: u64| Block {
        name: Some(format!("b{alive_from}")),
        offset,
        size,
        alive_from,
        alive_till: 3,
        ..Block::default()
    };
    let plan = |blocks: Vec<Block>| {
        let segment = Segment { name: "ram".into(), blocks, ..Segment::default() };
        let memory = Memory { segments: vec![segment], ..Memory::default() };
        [Plan { title: "plan".into(), memory, ..Plan::default() }]
    };
    let list = plan(vec![block(half + 1, u64::MAX, 0), block(0, half, 1), block(0, half - 7, 2)]);
    let options = Options { width: Some(2400), ..Options::default() };
    let drawn = svg(&list, &options).unwrap();
    let shown = texts(&drawn).join("\n").replace('\u{a0}', "");
    for text in [
        "peak 24 EiB (27670116110564327424 B) at tick 2 · lower bound 32 EiB (36893488147419103224 B)",
        "b0\n18446744073709551615\n",
        "gaps between them\n1\npeak\n27670116110564327424",
        "20 EiB\n24 EiB",
    ] {
        assert!(shown.contains(text), "{text:?} is not in\n{shown}");
    }
    // It is drawn up to its end, and as high as it is: two thirds of the peak.
    let rect = drawn.split("address 9\u{a0}223\u{a0}372\u{a0}036\u{a0}854\u{a0}775\u{a0}809").nth(1).unwrap();
    assert!(
        rect.starts_with(" to before 27\u{a0}670\u{a0}116\u{a0}110\u{a0}564\u{a0}327\u{a0}424"),
        "{rect}"
    );
    let figures =
        data(&html(&list, &Options::default()).unwrap())["plans"][0]["segments"][0]["figures"].clone();
    let due = ["27670116110564327424", "2", "36893488147419103224", "1", "0"];
    assert_eq!(figures.as_array().unwrap(), &due);
    // Heights are in proportion.
    let height = |drawn: &str, name: &str| -> f64 {
        let from = drawn.split(&format!("<title>{name}\n")).nth(1).unwrap();
        from.split("height=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
    };
    let ratio = height(&drawn, "b0") / height(&drawn, "b1");
    assert!((ratio - 2.0).abs() < 0.02, "{ratio}");
}
