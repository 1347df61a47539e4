//! Bounds: many blocks, small and large ones, senseless plans, hostile names, what is not there.

use circle_memory::{Block, Memory, Piece, Segment, Space};
use circle_visual::Error;
use circle_visual::memory::{ColourBy, Names, Options, Plan, html, jpeg, png, svg};
use resvg::usvg;

use crate::common::{data, pixels, small};
use crate::plans;

#[test]
fn pictures_of_many_blocks_are_of_sensible_size() {
    let many = [plans::made_up(60_000)];
    let drawn = svg(&many, &Options::default()).unwrap();
    assert!(drawn.len() < 4 << 20, "{} bytes", drawn.len());
    assert!(drawn.contains("width=\"1600\" height=\"900\""));
    let page = html(&many, &Options::default()).unwrap();
    let without = html(&[], &Options::default()).unwrap().len();
    assert!(without < 1 << 20, "the page alone has {without} bytes");
    assert!(page.len() < without + 60_000 * 80, "{} bytes", page.len());
}

#[test]
fn no_block_is_lost_however_small() {
    // A block of one byte and one tick in a plan of a million ticks and a GiB.
    let block = |offset, size, alive_from, alive_till| Block {
        offset,
        size,
        alive_from,
        alive_till,
        ..Block::default()
    };
    let plan = |tiny: bool| {
        let mut blocks = vec![block(0, 1 << 29, 0, 1_000_000), block((1 << 30) - 1024, 1024, 0, 1)];
        if tiny {
            blocks.push(block(3 << 28, 1, 500_000, 500_001));
        }
        [Plan {
            memory: Memory { segments: vec![Segment { blocks, ..Segment::default() }], ..Memory::default() },
            ..Plan::default()
        }]
    };
    let options = Options { names: Names::None, ..Options::default() };
    let (with, without) =
        (pixels(&png(&plan(true), &options).unwrap()), pixels(&png(&plan(false), &options).unwrap()));
    // Within the plot, right of its axis: figures beside it differ anyway.
    let differ = (200..1000).flat_map(|x| (150..800).map(move |y| (x, y))).filter(|(x, y)| {
        let (a, b) = (with.get_pixel(*x, *y), without.get_pixel(*x, *y));
        a.0.iter().zip(b.0).any(|(a, b)| a.abs_diff(b) > 8)
    });
    assert!(differ.count() >= 1);
}

/// Large blocks upon one another would be drawn for minutes, cell by cell.
#[test]
fn a_heap_of_large_blocks_is_drawn_in_time() {
    let block = |i: u64| Block {
        offset: i / 2,
        size: 60_000 - i,
        alive_from: i / 3,
        alive_till: 60_000 - i,
        ..Block::default()
    };
    let memory = Memory {
        segments: vec![Segment {
            name: "s".into(),
            blocks: (0..20_000).map(block).collect(),
            ..Segment::default()
        }],
        ..Memory::default()
    };
    let plans = [Plan { memory, title: "heap".into(), ..Plan::default() }];
    let begin = std::time::Instant::now();
    let drawn = svg(&plans, &Options::default()).unwrap();
    // Machines may be busy; it is far below what 20,000 blocks of a million cells each take.
    assert!(begin.elapsed() < std::time::Duration::from_secs(30), "{:?}", begin.elapsed());
    assert!(drawn.len() < 4_000_000, "{}", drawn.len());
    assert!(usvg::Tree::from_str(&drawn, &usvg::Options::default()).is_ok());
}

#[test]
fn more_segments_than_have_room_are_refused_but_in_a_page() {
    let segment = |i: u64| {
        let block = Block { size: 1 + i, alive_till: 1, ..Block::default() };
        Segment { name: format!("s{i}"), blocks: vec![block], ..Segment::default() }
    };
    let memory = Memory { segments: (0..300).map(segment).collect(), ..Memory::default() };
    let plans = [Plan { memory, ..Plan::default() }];
    let all = Options::default();
    assert!(matches!(svg(&plans, &all), Err(Error::Segments { count: 300, .. })));
    assert!(matches!(png(&plans, &all), Err(Error::Segments { count: 300, .. })));
    assert!(html(&plans, &all).is_ok());
    let one = Options { segments: vec!["s7".into()], ..Options::default() };
    assert!(png(&plans, &one).is_ok());
}

#[test]
fn senseless_plans_can_be_drawn() {
    let strange = |block: Block| {
        let spaces = vec![Space {
            id: 0,
            offset: u64::MAX,
            size: u64::MAX,
            alive_from: 5,
            alive_till: 1,
            ..Space::default()
        }];
        let segment =
            Segment { blocks: vec![block], spaces, size: Some(0), alignment: Some(0), ..Segment::default() };
        let mut plan = plans::small();
        plan.memory.segments.push(segment);
        plan.marks.push(circle_visual::memory::Mark {
            segment: Some(99),
            block: Some(99),
            other: Some(98),
            message: String::new(),
            ..Default::default()
        });
        plan.marks.push(circle_visual::memory::Mark {
            segment: Some(2),
            block: Some(99),
            other: None,
            message: "no such block".into(),
            ..Default::default()
        });
        [plan]
    };
    for block in [
        Block { offset: u64::MAX, size: u64::MAX, alive_from: 0, alive_till: u64::MAX, ..Block::default() },
        Block {
            offset: 5,
            size: 0,
            alive_from: u64::MAX,
            alive_till: 0,
            space: Some(77),
            ..Block::default()
        },
        Block {
            size: 3,
            alive_till: 1,
            wrap: Some(Piece { offset: u64::MAX, size: 9 }),
            origins: vec![4_000_000_000; 20],
            ..Block::default()
        },
    ] {
        for colour in [ColourBy::Origin, ColourBy::Kind, ColourBy::Size] {
            let options = Options { colour, ..Options::default() };
            svg(&strange(block.clone()), &options).unwrap();
            html(&strange(block.clone()), &options).unwrap();
        }
        png(&strange(block.clone()), &Options { ticks: Some(3..u64::MAX), ..Options::default() }).unwrap();
    }
    for list in [vec![], vec![Plan::default()], vec![Plan::default(), Plan::default()]] {
        for compare in [false, true] {
            let options = Options { compare, ..Options::default() };
            svg(&list, &options).unwrap();
            png(&list, &options).unwrap();
            html(&list, &options).unwrap();
        }
    }
}

#[test]
fn hostile_names_are_safe() {
    let list = [plans::hostile()];
    for names in [Names::Auto, Names::All] {
        let drawn = svg(&list, &Options { names, ..Options::default() }).unwrap();
        usvg::Tree::from_str(&drawn, &usvg::Options::default()).expect("well formed");
        assert!(!drawn.contains("<script") && !drawn.contains("<img") && !drawn.contains("<b "));
        let hidden = |c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c);
        assert_eq!(drawn.chars().find(|c| hidden(*c)), None);
        assert!(!drawn.contains(&"x".repeat(1000)), "a long name is shortened");
    }
    let page = html(&list, &Options::default()).unwrap();
    assert_eq!(page.matches("</script").count(), 2, "data and script end once each");
    assert!(!page.contains("<img") && !page.contains("\u{202e}") && !page.contains("</title><"));
    let data = data(&page);
    assert!(data["strings"].as_array().unwrap().iter().any(|s| s.as_str().unwrap().len() == 10_000));
}

#[test]
fn what_is_not_there_is_refused() {
    let refuse = |options: Options| {
        let errors = [
            svg(&small(), &options).map(drop),
            png(&small(), &options).map(drop),
            jpeg(&small(), &options).map(drop),
        ];
        errors.map(|error| error.unwrap_err().to_string())
    };
    for text in refuse(Options { segments: vec!["SRAM".into(), "FLASH".into()], ..Options::default() }) {
        assert_eq!(text, "no segment is called \"FLASH\"; there are \"SRAM\", \"DRAM\"");
    }
    for text in refuse(Options { ticks: Some(7..7), ..Options::default() }) {
        assert_eq!(text, "there is no tick from 7 to before 7");
    }
    assert!(matches!(
        html(&small(), &Options { ticks: Some(7..7), ..Options::default() }),
        Err(Error::Ticks { .. })
    ));
    for (width, height) in [(0, 5), (5, 0), (16_385, 5), (16_384, 16_384), (u32::MAX, u32::MAX)] {
        for text in refuse(Options { width: Some(width), height: Some(height), ..Options::default() }) {
            assert!(text.starts_with(&format!("a picture of {width} x {height} pixels")), "{text}");
        }
    }
    let tiny = png(&small(), &Options { width: Some(1), height: Some(1), ..Options::default() }).unwrap();
    assert_eq!(pixels(&tiny).dimensions(), (1, 1));
}

/// Offsets of a tool may be addresses of a device: the axis then begins where its memory does.
#[test]
fn blocks_far_above_0_fill_the_plot() {
    let at = |base: u64| {
        let block = |at: u64| Block {
            offset: base + (at << 16),
            size: 1 << 16,
            alive_from: at,
            alive_till: at + 4,
            ..Block::default()
        };
        let blocks = (0..12).map(block).collect();
        let memory = Memory { segments: vec![Segment { blocks, ..Segment::default() }], ..Memory::default() };
        let options = Options { names: Names::None, ..Options::default() };
        svg(&[Plan { memory, ..Plan::default() }], &options).unwrap()
    };
    let boxes = |drawn: &str| -> Vec<String> {
        let plot = drawn.split("clip-path").nth(1).unwrap().split("</g>").next().unwrap();
        let shapes = plot.lines().filter(|line| line.contains("<path d=") || line.contains("<rect"));
        shapes.map(|line| line.split("fill").next().unwrap().to_owned()).collect()
    };
    let near = at(0);
    assert!(near.contains(">address</text>") && near.contains(">768 KiB</text>"), "{near}");
    for base in [0x2000_0000, 1 << 62] {
        let far = at(base);
        assert_eq!(boxes(&far), boxes(&near), "the blocks of {base:#x} stand where those of 0 do");
        assert!(far.contains(&format!(">address − {base:#x}</text>")), "{far}");
        assert!(far.contains(&format!("200.0 % above it from {base:#x} on")), "{far}");
        assert!(far.contains(">768 KiB</text>"), "{far}");
    }
    // A hole below the blocks is part of the plan.
    assert!(at(1 << 20).contains(">address</text>"));
}
