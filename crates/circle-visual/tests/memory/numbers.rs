//! Numbers in pages.

use circle_visual::memory::{Options, html};

use crate::common::data;
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
