//! What pictures say, and that it adds up.

use circle_memory::{Block, Memory, Segment, Space};
use circle_visual::memory::{Options, Plan, html, svg};
use resvg::usvg;

use crate::common::{data, small, texts};
use crate::plans;

#[test]
fn everything_about_a_plan_is_said() {
    let drawn = svg(&small(), &Options::default()).unwrap();
    let shown = texts(&drawn).join("\n");
    for text in [
        "SRAM · 64 KiB in all",
        "peak 68 KiB (69\u{a0}632 B) at operator 9 · lower bound 40 KiB (40\u{a0}960 B), 70.0 % above it",
        "operators, in order of execution",
        "ring_b (1/2)",
        "ring_b (2/2)",
        "space reserved for its blocks; striped where none lies",
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
fn what_a_closed_space_reserves_is_named() {
    // One block of 1 KiB at a time, in a space of 4 KiB.
    let closed = |size: u64, open: bool| {
        let block = |alive_from: u64| Block {
            name: Some(format!("b{alive_from}")),
            size: 1024,
            alive_from,
            alive_till: alive_from + 2,
            space: Some(3),
            ..Block::default()
        };
        let space = Space { id: 3, size, alive_till: 4, open, ..Space::default() };
        let segment = Segment {
            name: "ram".into(),
            blocks: vec![block(0), block(2)],
            spaces: vec![space],
            ..Segment::default()
        };
        let memory = Memory { segments: vec![segment], ..Memory::default() };
        Plan { title: "plan".into(), memory, ..Plan::default() }
    };
    let drawn = svg(&[closed(4096, false)], &Options::default()).unwrap();
    let shown = texts(&drawn).join("\n");
    let due = [
        "peak 4 KiB (4\u{a0}096 B) at tick 0 · lower bound 4 KiB (4\u{a0}096 B), which is the least",
        "rest of space 3, shared\n3\u{a0}072\nb0\n1\u{a0}024\ngaps between them\n0\npeak\n4\u{a0}096",
        "space reserved for its blocks",
    ];
    for text in due {
        assert!(shown.contains(text), "{text:?} is not in\n{shown}");
    }
    assert!(
        drawn.contains("<title>space 3, shared: reserved as a whole") && drawn.contains("url(#reserved)")
    );
    // An open one is not reserved.
    let drawn = svg(&[closed(4096, true)], &Options::default()).unwrap();
    let shown = texts(&drawn).join("\n");
    assert!(
        shown.contains("peak 1 KiB") && !shown.contains("rest of space") && !drawn.contains("(#reserved)")
    );
    // Nor is its life that of the ticks shown only.
    let part = Options { ticks: Some(2..3), ..Options::default() };
    let drawn = svg(&[closed(4096, false)], &part).unwrap();
    assert!(
        texts(&drawn).join("\n").contains("at tick 2") && drawn.contains("reserved from tick 0 to before 4")
    );
    let compare = Options { compare: true, ..Options::default() };
    let drawn = svg(&[closed(4096, false), closed(2048, false)], &compare).unwrap();
    let shown = texts(&drawn).join("\n");
    let due = "origin unknown\n1\u{a0}024\n1\u{a0}024\n0\nreserved by spaces\n3\u{a0}072\n1\u{a0}024\n−2\u{a0}048\ngaps";
    assert!(shown.contains(due), "{shown}");
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
    // A range without an end is told as one.
    let open = Options { ticks: Some(2..u64::MAX), ..Options::default() };
    let shown = texts(&svg(&small(), &open).unwrap()).join("\n");
    assert!(shown.contains("only operator 2 on: figures"), "{shown}");
    let page = data(&html(&small(), &open).unwrap());
    assert_eq!(page["start"]["ticks"], serde_json::json!(["2", ""]));
}

#[test]
fn blocks_that_never_live_are_counted_apart() {
    let block = |from, till| Block { size: 16, alive_from: from, alive_till: till, ..Block::default() };
    let space =
        |id, from, till| Space { id, size: 16, alive_from: from, alive_till: till, ..Space::default() };
    let segment = Segment {
        spaces: vec![space(0, 0, 3), space(1, 6, 9)],
        blocks: vec![block(0, 9), block(4, 4), block(5, 2)],
        ..Segment::default()
    };
    let plan = [Plan::new("p", Memory { segments: vec![segment], ..Memory::default() })];
    let told = |ticks| {
        let shown = texts(&svg(&plan, &Options { ticks, ..Options::default() }).unwrap());
        let told = |text: &&String| text.contains("without lifetime");
        shown
            .iter()
            .filter(told)
            .map(|text| text.rsplit(" · ").next().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(told(None), ["3 blocks, 2 without lifetime"; 2]);
    // Such a block is seen where it begins.
    let mut part = told(Some(4..5));
    assert_eq!(part.remove(1), "2 blocks, 1 without lifetime");
    assert!(part[0].starts_with("only tick 4 to before 5"), "{part:?}");
    assert_eq!(told(Some(2..4)), [""; 0]);
    // The page has the same blocks, and of the spaces those that are reserved then.
    let page = data(&html(&plan, &Options { ticks: Some(4..7), ..Options::default() }).unwrap());
    let segment = &page["plans"][0]["segments"][0];
    assert_eq!(segment["at"], serde_json::json!([0, 1, 2]));
    assert_eq!(segment["spaces"], serde_json::json!([[1, 0, 16, 6, 3, "shared", false]]));
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
fn all_faults_are_counted_and_marked_and_warnings_are_none() {
    // Thirty blocks in one place: 435 pairs, of which two are told one by one; and one block without bytes.
    let block = |size| circle_memory::Block { size, alive_till: 4, ..Default::default() };
    let mut blocks = vec![block(64); 30];
    blocks.push(block(0));
    let segment = circle_memory::Segment { name: "S".into(), blocks, ..Default::default() };
    let memory = circle_memory::Memory { segments: vec![segment], ..Default::default() };
    let options = circle_memory::CheckOptions { each: 2 };
    let report = circle_memory::check(&memory, &Default::default(), options);
    let plan = Plan::new("many", memory).with_findings(&report.findings);
    let drawn = svg(std::slice::from_ref(&plan), &Options::default()).unwrap();
    let shown = texts(&drawn);
    for text in ["435 faults", "one warning"] {
        assert!(shown.iter().any(|shown| shown == text), "{text:?} is not in\n{shown:?}");
    }
    assert_eq!(drawn.matches("stroke-dasharray=\"6 2\"").count(), 30, "outlines of blocks at fault");
    let page = html(&[plan], &Options::default()).unwrap();
    let rest: Vec<String> = (0..30).map(|entry| entry.to_string()).collect();
    let counted = format!("433 more findings of this kind (overlap)\",-1,433,[{}],false]", rest.join(","));
    assert!(page.contains(&counted), "the page knows of all");
}

#[test]
fn faults_are_counted_wherever_they_are() {
    use circle_memory::{Finding, Place, Severity, finding::Code};
    let fault = |place: Place, further, at_least| Finding {
        further,
        at_least,
        ..Finding::new(Severity::Error, Code::Overlap, place, "amiss")
    };
    let memory = plans::small().memory;
    let of_file = fault(Place::field("origins 3 id"), 0, false);
    let plan = |findings: &[Finding]| [Plan::new("p", memory.clone()).with_findings(findings)];
    let shown = |plan: &[Plan]| texts(&svg(plan, &Options::default()).unwrap()).join("\n");
    let both = plan(&[of_file.clone(), fault(Place::segment(&memory, 1), 0, false)]);
    assert!(shown(&both).contains("2 faults\norigins 3 id: amiss\nDRAM: amiss"), "{}", shown(&both));
    let more = plan(&[of_file, fault(Place::segment(&memory, 0), 1999, true)]);
    assert!(shown(&more).contains("at least 2\u{a0}001 faults"), "{}", shown(&more));
    let page = data(&html(&more, &Options::default()).unwrap());
    assert_eq!(page["plans"][0]["marks"], serde_json::json!([["origins 3 id: amiss", 1, false]]));
    assert_eq!(
        page["plans"][0]["segments"][0]["marks"],
        serde_json::json!([[-1, "amiss", -1, 2000, [], true]])
    );
}

#[test]
fn what_is_no_fault_is_not_told_as_one() {
    let block = |size| circle_memory::Block { size, alive_till: 4, ..Default::default() };
    let of = |blocks: Vec<circle_memory::Block>| {
        let segment = circle_memory::Segment { name: "S".into(), blocks, ..Default::default() };
        circle_memory::Memory { segments: vec![segment], ..Default::default() }
    };
    let shown = |memory| texts(&svg(&[Plan::new("p", memory)], &Options::default()).unwrap()).join("\n");
    assert!(shown(of(vec![block(0)])).contains("no block that is ever alive has bytes"));
    let dead = circle_memory::Block { alive_till: 0, ..block(8) };
    assert!(shown(of(vec![dead])).contains("no block is ever alive"));
    let mut unplanned = of(vec![block(8)]);
    unplanned.segments[0].extra.insert(circle_memory::UNPLANNED.to_owned(), true.into());
    let page = data(&html(&[Plan::new("p", unplanned)], &Options::default()).unwrap());
    let segment = &page["plans"][0]["segments"][0];
    assert_eq!(segment["marks"], serde_json::json!([]));
    assert!(segment["note"].as_str().unwrap().starts_with("offsets are not planned yet"));
}

#[test]
fn rows_of_several_names_that_are_cut_to_the_same_are_told_apart() {
    let block = |at: u64, name: String| circle_memory::Block {
        offset: 64 * at,
        size: 64,
        alive_till: 4,
        name: Some(name),
        ..Default::default()
    };
    let long = |middle: &str| format!("{}{middle}{}", "encoder/".repeat(20), "/output".repeat(20));
    let names = [long("one"), long("two"), "short".to_owned(), "short".to_owned()];
    let blocks = (0..).zip(names).map(|(at, name)| block(at, name)).collect();
    let segment = circle_memory::Segment { name: "S".into(), blocks, ..Default::default() };
    let memory = circle_memory::Memory { segments: vec![segment], ..Default::default() };
    let drawn = svg(&[Plan::new("p", memory)], &Options::default()).unwrap();
    let titled: Vec<&str> =
        drawn.split("</title>").skip(1).filter_map(|text| text.split('<').next()).collect();
    for tail in ["… #0", "… #1"] {
        let (cut, number) = tail.split_once(' ').unwrap();
        let rows: Vec<_> =
            titled.iter().filter(|text| text.contains(cut) && text.ends_with(number)).collect();
        assert_eq!(rows.len(), 1, "{titled:?}");
    }
    assert_eq!(texts(&drawn).iter().filter(|text| text.starts_with("short #")).count(), 0);
}
