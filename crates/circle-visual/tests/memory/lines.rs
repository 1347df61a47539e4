//! Names and labels beside lines.

use circle_visual::memory::{Options, Plan, svg};

use crate::common::texts;

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
    // Where nothing is alive at the ticks asked for, the picture says that, and neither what colours mean nor addresses.
    let drawn = svg(&wide, &Options { ticks: Some(500..600), ..Options::default() }).unwrap();
    let words = texts(&drawn);
    assert_eq!(words.iter().filter(|text| *text == "no blocks in this range").count(), 2, "{words:?}");
    let is_nonsense = |text: &str| text.contains("colour") || text.contains("address") || text == "1 B";
    assert!(!words.iter().any(|text| is_nonsense(text)), "{words:?}");
    assert!(words.contains(&"500".to_owned()), "the ticks asked for are told: {words:?}");
}

#[test]
fn captions_of_addresses_far_above_zero_are_true() {
    const FIRST: u64 = 0x8000_0000;
    let drawn = |size: u64, offsets: [u64; 2]| {
        let segment = circle_memory::Segment {
            name: "SRAM".into(),
            size: Some(size),
            blocks: offsets
                .map(|offset| circle_memory::Block {
                    offset,
                    size: 4096,
                    alive_till: 9,
                    ..Default::default()
                })
                .to_vec(),
            ..Default::default()
        };
        let memory = circle_memory::Memory { segments: vec![segment], ..Default::default() };
        svg(&[Plan::new("p", memory)], &Options::default()).unwrap()
    };
    let told = |drawn: &str| texts(drawn).join("\n");
    let least = "which is the least";
    // 8192 bytes live in 6144: that is no lower bound of what there is.
    for low in [FIRST, 6144] {
        let words = told(&drawn(low + 8192, [low, low + 2048]));
        assert!(words.contains("overlapping blocks would need more than there is"), "{words}");
        assert!(!words.contains(least) && !words.contains("= lower bound") && !words.contains("above it"));
    }
    let words = told(&drawn(FIRST + 8192, [FIRST, FIRST + 4096]));
    assert!(words.contains(&format!("{least} from 0x80000000 on")), "{words}");
    // The end of a memory that lies below the axis is not drawn beside the plot; one just above its beginning is.
    assert!(!told(&drawn(65536, [FIRST, FIRST + 4096])).contains("end of memory"));
    let near = drawn(FIRST + 64, [FIRST, FIRST + 4096]);
    assert!(told(&near).contains("end of memory"));
    let axis =
        near.rsplit("<path d=\"M0 0V").next().unwrap().split('H').next().unwrap().parse::<f64>().unwrap();
    let (labels, _) = captions(&near);
    assert!(labels.iter().all(|(_, top, _, low)| *top >= 0.0 && *low <= axis), "{labels:?} {axis}");
}

#[test]
fn names_stand_where_no_other_block_lies_on_theirs() {
    let block = |name: &str, offset, alive_from, alive_till| circle_memory::Block {
        name: Some(name.to_owned()),
        offset,
        size: 4096,
        alive_from,
        alive_till,
        ..Default::default()
    };
    // The second lies on the middle of the first, and on nothing of the third.
    let blocks = vec![block("below", 0, 0, 10), block("above", 1024, 3, 9), block("beside", 8192, 0, 10)];
    let segment = circle_memory::Segment { name: "SRAM".into(), blocks, ..Default::default() };
    let memory = circle_memory::Memory { segments: vec![segment], ..Default::default() };
    let report = circle_memory::check(&memory, &circle_memory::Places::default(), Default::default());
    let plan = Plan::new("p", memory).with_findings(&report.findings);
    let drawn = svg(&[plan], &Options::default()).unwrap();
    let (_, names) = captions(&drawn);
    let at = |wanted: &str| names.iter().find(|(name, ..)| name == wanted).unwrap().1;
    let third = at("beside") * 2.0 / 10.0 * 3.0;
    assert!(at("below") < third && at("above") > third, "{names:?} {third}");
}

#[test]
fn labels_that_would_be_cut_to_the_same_are_told_apart() {
    let name = |part: &str| {
        format!("encoder_of_the_first_kind/{part}/of_a_very_long_name_in_its_end/batchnorm/sub1")
    };
    let block = |at: u64, part: &str| circle_memory::Block {
        name: Some(name(part)),
        offset: at * 64,
        size: 64,
        alive_till: 4,
        ..Default::default()
    };
    let blocks = vec![block(0, "relu_1"), block(1, "relu_2")];
    let segment = circle_memory::Segment { name: "SRAM".into(), blocks, ..Default::default() };
    let memory = circle_memory::Memory { segments: vec![segment], ..Default::default() };
    let drawn = svg(&[Plan::new("p", memory)], &Options::default()).unwrap();
    for part in ["relu_1", "relu_2"] {
        let legend =
            drawn.split("<text").find(|text| text.contains(&format!("<title>{}</title>", name(part))));
        let shown = legend.unwrap().split("</title>").nth(1).unwrap();
        assert!(
            shown.starts_with(&format!("…{}", &part[5..])) || shown.starts_with(&format!("…{part}")),
            "{shown}"
        );
    }
}
