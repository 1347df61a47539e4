//! Pictures of memory plans as a user gets them: kept references, exact sums, hostile names, bounds.
//! `BLESS=1 cargo test -p circle-visual` rewrites the references.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../examples/plans/mod.rs"]
mod plans;

use circle_memory::{Block, Memory, Piece, Segment, Space};
use circle_visual::memory::{ColourBy, Names, Options, Plan, html, jpeg, png, svg};
use circle_visual::{Error, Theme};
use resvg::usvg;
use std::path::{Path, PathBuf};

fn golden(name: &str, bytes: &[u8]) -> (PathBuf, Vec<u8>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/memory").join(name);
    if std::env::var_os("BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
    }
    let expected = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    (path, expected)
}

/// Pictures in JPEG are compared by their decoded pixels. Where a processor rounds the last bit of an edge differently, its
/// cell of eight by eight pixels does; cells of one in a hundred may.
#[track_caller]
fn assert_same_jpeg(drawn: &image::RgbImage, kept: &image::RgbImage, what: &str) {
    assert_eq!(drawn.dimensions(), kept.dimensions(), "{what}");
    let far = drawn.iter().zip(kept.iter()).filter(|(a, b)| a != b).count();
    assert!(far * 100 <= drawn.as_raw().len(), "{what}: {far} channels differ");
}

fn assert_same(name: &str, drawn: &[u8]) {
    let (path, expected) = golden(name, drawn);
    assert!(drawn == expected, "{} differs; look at it and bless it", path.display());
}

fn pixels(bytes: &[u8]) -> image::RgbImage {
    image::load_from_memory(bytes).unwrap().to_rgb8()
}

fn small() -> [Plan; 1] {
    [plans::small()]
}

/// The data of a page.
fn data(page: &str) -> serde_json::Value {
    let data = page.split("id=\"data\">").nth(1).unwrap().split("</script").next().unwrap();
    assert!(!data.contains(['<', '>', '&', '\0', '\u{2028}', '\u{2029}']));
    serde_json::from_str(data).unwrap()
}

/// The texts of a picture, in order.
fn texts(svg: &str) -> Vec<String> {
    svg.split("<text")
        .skip(1)
        .map(|t| t.split('>').nth(1).unwrap().split('<').next().unwrap().to_owned())
        .collect()
}

#[test]
fn svg_is_as_it_was() {
    let dark = Options { theme: Theme::Dark, colour: ColourBy::Kind, ..Options::default() };
    let part = Options {
        colour: ColourBy::Size,
        names: Names::All,
        ticks: Some(1..6),
        segments: vec!["SRAM".into()],
        width: Some(1000),
        height: Some(560),
        ..Options::default()
    };
    let compare = Options { compare: true, ..Options::default() };
    for (name, list, options) in [
        ("small-light.svg", vec![plans::small()], Options::default()),
        ("small-kind-dark.svg", vec![plans::small()], dark),
        ("small-part.svg", vec![plans::small()], part),
        ("compare.svg", vec![plans::made_up(40), plans::made_up(25)], compare),
    ] {
        assert_same(name, svg(&list, &options).unwrap().as_bytes());
    }
}

/// Byte for byte, but that the kept page names the scripts and styles that stand in it instead of repeating them.
#[test]
fn the_page_is_as_it_was() {
    let mut page = html(&small(), &Options::default()).unwrap();
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    for folder in ["memory", "shared", "page"] {
        let entries = std::fs::read_dir(assets.join(folder)).unwrap();
        let mut files: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        files.sort();
        // Of the graph's page, the memory page has only the style.
        files.retain(|name| if folder == "page" { name == "page.css" } else { !name.ends_with(".html") });
        for name in files {
            let text = std::fs::read_to_string(assets.join(folder).join(&name)).unwrap();
            assert_eq!(page.matches(text.trim_end()).count(), 1, "{folder}/{name} stands in the page once");
            page = page.replacen(text.trim_end(), &format!("[{folder}/{name}]"), 1);
        }
    }
    assert_same("small.html", page.as_bytes());
}

#[test]
fn pixels_are_as_they_were() {
    let options = Options { width: Some(1200), height: Some(700), ..Options::default() };
    let drawn = png(&small(), &options).unwrap();
    let (path, expected) = golden("small.png", &drawn);
    let (drawn, expected) = (pixels(&drawn), pixels(&expected));
    assert_eq!(drawn.dimensions(), (1200, 700));
    assert_eq!(expected.dimensions(), (1200, 700));
    // Processors may round the last bit of an edge differently.
    let far = drawn.iter().zip(expected.iter()).filter(|(a, b)| a.abs_diff(**b) > 2).count();
    assert!(far == 0, "{}: {far} channels differ", path.display());
    let lossy = jpeg(&small(), &options).unwrap();
    let (path, kept) = golden("small.jpg", &lossy);
    let (lossy, kept) = (pixels(&lossy), pixels(&kept));
    assert_same_jpeg(&lossy, &kept, &path.display().to_string());
    let sum: u64 = drawn.iter().zip(lossy.iter()).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    let mean = sum as f64 / drawn.as_raw().len() as f64;
    assert!(lossy.dimensions() == (1200, 700) && mean < 3.0, "mean difference {mean}");
}

#[test]
fn everything_about_a_plan_is_said() {
    let drawn = svg(&small(), &Options::default()).unwrap();
    let shown = texts(&drawn).join("\n");
    for text in [
        "SRAM · 64 KiB in all",
        "peak 68 KiB (69\u{a0}632 B) at operator 9 · lower bound 36 KiB (36\u{a0}864 B), 88.9 % above it",
        "operators, in order of execution",
        "ring_b (1/2)",
        "ring_b (2/2)",
        "space that blocks share",
        "one fault",
        "late&quot;: ends at 69632, beyond the segment&#39;s",
        "4\u{a0}096",
        "gaps between them",
        "end of memory 64 KiB",
    ] {
        assert!(shown.contains(text), "{text:?} is not in\n{shown}");
    }
    assert!(drawn.contains("<title>conv1\nfrom conv1\nwritten by CONV_2D\nf32[1,16,16,16]"), "tool tips");
    usvg::Tree::from_str(&drawn, &usvg::Options::default()).expect("well formed");
}

#[test]
fn the_table_adds_up_to_the_peak() {
    // More blocks than fit into the table: the rest is one line.
    for count in [3, 30, 3000] {
        let drawn = svg(&[plans::made_up(count)], &Options::default()).unwrap();
        let shown = texts(&drawn);
        let number = |text: &str| text.replace('\u{a0}', "").parse::<u64>().ok();
        let from = shown.iter().position(|text| text.starts_with("alive at the peak")).unwrap();
        let peak = shown[from..].iter().position(|text| text == "peak").unwrap() + from;
        let numbers: Vec<u64> = shown[from..peak].iter().filter_map(|text| number(text)).collect();
        assert_eq!(
            Some(numbers.iter().sum()),
            number(&shown[peak + 1]),
            "{count} blocks: {:?}",
            &shown[from..]
        );
        assert!(numbers.len() >= 2);
    }
}

#[test]
fn differences_add_up() {
    let list = [plans::made_up(300), plans::made_up(200)];
    let drawn = svg(&list, &Options { compare: true, ..Options::default() }).unwrap();
    let shown = texts(&drawn);
    let number =
        |text: &str| text.replace('\u{a0}', "").replace('−', "-").replace('+', "").parse::<i64>().ok();
    let from = shown.iter().position(|text| text == "change").unwrap();
    let peak = shown.iter().rposition(|text| text == "peak").unwrap();
    let numbers: Vec<i64> = shown[from..peak].iter().filter_map(|text| number(text)).collect();
    let sums: Vec<i64> = (0..3).map(|column| numbers.iter().skip(column).step_by(3).sum()).collect();
    let last: Vec<i64> = shown[peak + 1..].iter().filter_map(|text| number(text)).take(3).collect();
    assert_eq!(sums, last);
    assert_eq!(last[2], last[1] - last[0]);
    // One scale: the address axis is the same on both sides.
    let axes = shown.iter().filter(|text| *text == "address").count();
    assert_eq!(axes, 2);
    let ticks = |n: usize| -> Vec<&String> {
        let starts: Vec<usize> =
            shown.iter().enumerate().filter(|(_, t)| *t == "0").map(|(k, _)| k).collect();
        shown[starts[n]..].iter().take_while(|t| *t == "0" || t.ends_with("KiB")).collect()
    };
    assert!(ticks(0).len() > 3);
}

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
            segment: 99,
            block: Some(99),
            other: Some(98),
            message: String::new(),
        });
        plan.marks.push(circle_visual::memory::Mark {
            segment: 2,
            block: Some(99),
            other: None,
            message: "no such block".into(),
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

#[test]
fn a_range_of_ticks_has_figures_of_its_own() {
    let drawn =
        svg(&small(), &Options { ticks: Some(0..2), segments: vec!["SRAM".into()], ..Options::default() })
            .unwrap();
    let shown = texts(&drawn).join("\n");
    assert!(shown.contains("only operator 0 to before 2"), "{shown}");
    assert!(shown.contains("peak 60 KiB (61\u{a0}440 B) at operator 1"), "{shown}");
    assert!(!texts(&drawn).contains(&"late".to_owned()) && !shown.contains("DRAM"));
    // The page has the blocks of these ticks, with their whole lives.
    let page = data(&html(&small(), &Options { ticks: Some(0..2), ..Options::default() }).unwrap());
    assert_eq!(page["plans"][0]["segments"][0]["at"], serde_json::json!([4, 0, 5]));
    assert_eq!(page["plans"][0]["segments"][0]["life"], serde_json::json!([2, 3, 1]));
}

/// The number of an attribute of the tag that begins a piece of a picture.
fn number(tag: &str, attribute: &str) -> f64 {
    let text = tag.split('>').next().unwrap().split(&format!(" {attribute}=\"")).nth(1).unwrap();
    text.split('"').next().unwrap().parse().unwrap()
}

/// The labels of lines, `(x, y, right, low)`, and names in blocks, `(text, x, y, whether they have an edge)`.
type Labels = Vec<(f64, f64, f64, f64)>;
type Named = Vec<(String, f64, f64, bool)>;

fn captions(svg: &str) -> (Labels, Named) {
    let labels = svg.split("<rect").filter(|tag| tag.contains("rx=\"3\"")).map(|tag| {
        let (x, y) = (number(tag, "x"), number(tag, "y"));
        (x, y, x + number(tag, "width"), y + number(tag, "height"))
    });
    let names = svg.split("<text").skip(1).filter(|tag| tag.starts_with(" x=") && tag.contains("\"10.5\""));
    let names = names.map(|tag| {
        let text = tag.split('>').nth(1).unwrap().split('<').next().unwrap();
        let edge = tag.split('>').next().unwrap().contains("paint-order");
        (text.to_owned(), number(tag, "x"), number(tag, "y"), edge)
    });
    (labels.collect(), names.collect())
}

#[test]
fn names_and_labels_keep_clear_of_lines() {
    let plan = |blocks: &[(&str, u64, u64, u64, u64)], size: u64| {
        let blocks: Vec<serde_json::Value> = blocks
            .iter()
            .map(|(name, offset, size, from, till)| {
                serde_json::json!({"name": name, "offset": offset, "size": size, "alive_from": from, "alive_till": till})
            })
            .collect();
        let text = serde_json::json!({
            "format": "memory-allocation",
            "schema_version": 1,
            "tick": {"unit": "operator"},
            "segments": [{"name": "SRAM", "size": size, "blocks": blocks}],
        });
        let document = circle_memory::read::read(text.to_string().as_bytes(), "plan.json").unwrap();
        [Plan::new("plan.json", document.memory)]
    };
    let low = ("low", 0, 8192, 0, 19);
    // The lower bound goes through the middle of a block, the tick of the peak through the place of the label.
    let drawn = svg(&plan(&[low, ("high", 8192, 16384, 19, 20)], 65536), &Options::default()).unwrap();
    let (labels, _) = captions(&drawn);
    assert_eq!(labels.len(), 2, "peak and lower bound");
    let tick = drawn.split("<path d=\"M").find(|path| path.contains("\"2 3\"")).unwrap();
    let tick: f64 = tick.split(' ').next().unwrap().parse().unwrap();
    assert!(labels.iter().all(|(x, _, right, _)| tick < *x || *right < tick), "{labels:?} {tick}");

    let wide = plan(&[low, ("high", 8192, 16384, 19, 60)], 65536);
    let drawn = svg(&wide, &Options::default()).unwrap();
    let (labels, names) = captions(&drawn);
    let dashes = drawn.split("<path d=\"M0 ").find(|path| path.contains("\"7 4\"")).unwrap();
    let bound: f64 = dashes.split('H').next().unwrap().parse().unwrap();
    let (_, x, y, edge) = names.iter().find(|(name, ..)| name == "high").unwrap();
    // Letters reach from about 8 above to 3 below where they stand.
    assert!(!edge && !(y - 9.0..y + 4.0).contains(&bound), "{y} {bound}");
    assert!(
        labels
            .iter()
            .all(|(left, top, right, low)| *right < *x || x < left || *low < y - 8.0 || *y + 3.0 < *top)
    );

    // Two lines in one have one label.
    let drawn = svg(&plan(&[low, ("high", 8192, 16384, 19, 60)], 16384), &Options::default()).unwrap();
    assert!(texts(&drawn).contains(&"lower bound = end of memory 16 KiB".to_owned()), "{:?}", texts(&drawn));
    // Where nothing is alive at the ticks asked for, the picture does not say that nothing ever is.
    let drawn = svg(&wide, &Options { ticks: Some(500..600), ..Options::default() }).unwrap();
    assert!(texts(&drawn).contains(&"no block is alive at these ticks".to_owned()));
}

#[test]
fn headings_of_tables_say_whose_they_are() {
    let samples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/memory");
    let bytes = std::fs::read(samples.join("vela_5.2_person_detect.txt")).unwrap();
    let memory = circle_memory::read::read(&bytes, "vela").unwrap().memory;
    for width in [560, 640, 1600] {
        let options = Options { width: Some(width), height: Some(480), ..Options::default() };
        let shown = texts(&svg(&[Plan::new("vela", memory.clone())], &options).unwrap());
        for (segment, when) in
            [("Sram (FeatureMap|Staging): ", "peak, step 5"), ("read-only NPU tensors: ", "step 110")]
        {
            assert!(shown.iter().any(|text| text.starts_with(segment) && text.ends_with(when)), "{shown:?}");
        }
    }
}

#[test]
fn the_same_plan_gives_the_same_bytes() {
    let list = [plans::made_up(500), plans::small()];
    for colour in [ColourBy::Origin, ColourBy::Kind, ColourBy::Size] {
        let options = Options { colour, ..Options::default() };
        assert_eq!(svg(&list, &options).unwrap(), svg(&list, &options).unwrap());
        assert_eq!(html(&list, &options).unwrap(), html(&list, &options).unwrap());
    }
}
