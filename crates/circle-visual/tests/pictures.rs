//! The pictures as a user gets them: goldens, equality of bytes and pixels, hostile names, bounds.
//! `BLESS=1 cargo test -p circle-visual` rewrites the goldens.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../examples/scenes/mod.rs"]
mod scenes;
#[path = "support/mod.rs"]
mod support;

use circle_visual::{
    ColourBy, Edge, EdgeSource, EdgeTarget, Error, FileLabel, MetricInfo, MetricKind, MetricValue, Node,
    Options, OriginRef, Retired, Scene, SourceNode, SubgraphScene, Terminal, Theme, html, jpeg, png, svg,
};
use resvg::usvg;
use std::path::{Path, PathBuf};
use support::assert_same_jpeg;

fn golden(name: &str, bytes: &[u8]) -> (PathBuf, Vec<u8>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, bytes).unwrap();
    }
    let expected = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    (path, expected)
}

/// Every kind of operator on a handful of boxes: fused, split, helper, unknown, without a value.
fn small() -> Scene {
    let origin = |id, role: &str, part| OriginRef { id, role: role.into(), part };
    let node = |operator, opcode: &str, name: &str, origins: Vec<OriginRef>, time: Option<i64>| Node {
        operator,
        opcode: opcode.into(),
        name: name.into(),
        origins,
        metrics: time.map(|time| (0, MetricValue::Integer(time))).into_iter().collect(),
        output: "f32[1,8,8,4]".into(),
        ..Node::default()
    };
    let edge =
        |from, to, tensor: &str| Edge { from, to, tensor: tensor.into(), label: "f32[1,8,8,4]".into() };
    let mut nodes = vec![
        node(
            0,
            "CONV_2D",
            "relu1",
            vec![origin(0, "primary", None), origin(1, "absorbed", None)],
            Some(1_200_000),
        ),
        node(1, "EXP", "softmax_exp", vec![origin(2, "replaced", Some((1, 2)))], Some(90)),
        node(2, "TRANSPOSE", "back", vec![origin(2, "helper", None)], Some(40_000)),
        node(3, "ADD", "sum", vec![], None),
    ];
    nodes[0].history = vec!["fuse_activation_function".into()];
    nodes[3].unknown = Some("not in the table".into());
    let source = |id, name: &str, opcode: &str| SourceNode {
        id,
        name: name.into(),
        file: Some(0),
        subgraph: Some(0),
        operator: Some(id),
        opcode: Some(opcode.into()),
    };
    Scene {
        title: "small.circle".into(),
        files: vec![FileLabel {
            name: "before.circle".into(),
            md5: "d41d8cd98f00b204e9800998ecf8427e".into(),
        }],
        subgraphs: vec![SubgraphScene {
            name: "main".into(),
            nodes,
            edges: vec![
                edge(EdgeSource::Input(0), EdgeTarget::Node(0), "x"),
                edge(EdgeSource::Node(0), EdgeTarget::Node(1), "relu1"),
                edge(EdgeSource::Node(0), EdgeTarget::Node(2), "relu1"),
                edge(EdgeSource::Node(0), EdgeTarget::Node(3), "relu1"),
                edge(EdgeSource::Node(1), EdgeTarget::Node(3), "softmax_exp"),
                edge(EdgeSource::Node(2), EdgeTarget::Node(3), "back"),
                edge(EdgeSource::Node(3), EdgeTarget::Output(0), "sum"),
            ],
            inputs: vec![Terminal { name: "x".into(), label: "f32[1,8,8,3]".into() }],
            outputs: vec![Terminal { name: "sum".into(), label: "f32[1,8,8,4]".into() }],
            ..SubgraphScene::default()
        }],
        sources: vec![
            source(0, "conv1", "CONV_2D"),
            source(1, "relu1", "RELU"),
            source(2, "softmax", "SOFTMAX"),
            source(3, "r", "RESHAPE"),
        ],
        metrics: vec![MetricInfo { name: "time".into(), unit: "ns".into(), kind: MetricKind::Additive }],
        retired: vec![Retired {
            source: 3,
            reason: "identity".into(),
            by: "remove_unnecessary_reshape".into(),
        }],
        notices: vec!["3 rows of the profile met no operator".into()],
    }
}

fn options(colour: ColourBy, theme: Theme) -> Options {
    Options { colour, theme, width: None }
}

#[test]
fn svg_is_as_it_was() {
    for (name, options) in [
        ("small-cost-light.svg", options(ColourBy::Auto, Theme::Light)),
        ("small-origin-dark.svg", options(ColourBy::Origin, Theme::Dark)),
    ] {
        let drawn = svg(&small(), &options).unwrap();
        let (path, expected) = golden(name, drawn.as_bytes());
        assert!(drawn.as_bytes() == expected, "{} differs; look at it and bless it", path.display());
    }
}

#[test]
fn png_pixels_are_as_they_were() {
    let drawn = png(&small(), &Options { width: Some(640), ..Options::default() }).unwrap();
    let (path, expected) = golden("small.png", &drawn);
    let drawn = image::load_from_memory(&drawn).unwrap().to_rgb8();
    let expected = image::load_from_memory(&expected).unwrap().to_rgb8();
    assert_eq!(drawn.dimensions(), expected.dimensions());
    // Processors may round the last bit of an edge differently.
    let far = drawn.iter().zip(expected.iter()).filter(|(a, b)| a.abs_diff(**b) > 2).count();
    assert!(far == 0, "{}: {far} channels differ", path.display());
}

#[test]
fn jpeg_pixels_are_as_they_were_and_those_of_png() {
    let options = Options { width: Some(900), theme: Theme::Dark, ..Options::default() };
    let exact = image::load_from_memory(&png(&small(), &options).unwrap()).unwrap().to_rgb8();
    let lossy = jpeg(&small(), &options).unwrap();
    let (path, kept) = golden("small.jpg", &lossy);
    let kept = image::load_from_memory(&kept).unwrap().to_rgb8();
    let lossy = image::load_from_memory(&lossy).unwrap().to_rgb8();
    assert_same_jpeg(&lossy, &kept, &path.display().to_string());
    assert_eq!(exact.dimensions(), lossy.dimensions());
    assert_eq!(exact.width(), 900);
    let sum: u64 = exact.iter().zip(lossy.iter()).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    let mean = sum as f64 / exact.as_raw().len() as f64;
    assert!(mean < 3.0, "mean difference {mean}");
}

#[test]
fn text_is_drawn_in_raster_pictures() {
    // Black pixels within a box come from its text only.
    let mut scene = small();
    let ink = |scene: &Scene| {
        let picture = image::load_from_memory(&png(scene, &Options::default()).unwrap()).unwrap().to_rgb8();
        picture.pixels().filter(|p| p.0.iter().all(|c| *c < 60)).count()
    };
    let with = ink(&scene);
    for node in &mut scene.subgraphs[0].nodes {
        node.name = String::new();
    }
    let without = ink(&scene);
    assert!(with > without + 200, "{with} and {without} dark pixels");
}

#[test]
fn the_same_scene_gives_the_same_bytes() {
    let scene = scenes::made_up(120);
    for colour in [ColourBy::Auto, ColourBy::Origin, ColourBy::Cost { metric: 1 }] {
        let options = options(colour, Theme::Light);
        assert_eq!(svg(&scene, &options).unwrap(), svg(&scene, &options).unwrap());
        assert_eq!(html(&scene, &options).unwrap(), html(&scene, &options).unwrap());
    }
    let reduced = Options { width: Some(1500), ..Options::default() };
    assert_eq!(png(&scene, &reduced).unwrap(), png(&scene, &reduced).unwrap());
    assert_eq!(jpeg(&scene, &reduced).unwrap(), jpeg(&scene, &reduced).unwrap());
}

#[test]
fn hostile_names_are_safe_in_svg() {
    for colour in [ColourBy::Auto, ColourBy::Origin] {
        let drawn = svg(&scenes::hostile(), &options(colour, Theme::Light)).unwrap();
        usvg::Tree::from_str(&drawn, &usvg::Options::default()).expect("well formed");
        assert!(!drawn.contains("<script") && !drawn.contains("<img"));
        let hidden = |c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c);
        assert_eq!(drawn.chars().find(|c| hidden(*c)), None);
        assert!(drawn.contains("nul\\0bell\\u{7}escape"), "control characters are written out");
        assert!(!drawn.contains(&"x".repeat(1000)), "a long name is shortened");
        assert!(drawn.contains("&lt;/script&gt;"));
    }
}

#[test]
fn hostile_names_are_safe_in_html() {
    let page = html(&scenes::hostile(), &Options::default()).unwrap();
    assert_eq!(page.matches("</script").count(), 2, "data and script end once each");
    assert_eq!(page.matches("<script").count(), 2);
    assert!(!page.contains("<img") && !page.contains("\u{202e}\u{2028}"));
    let data = page.split("id=\"data\">").nth(1).unwrap().split("</script").next().unwrap();
    assert!(!data.contains(['<', '>', '&', '\0', '\u{2028}', '\u{2029}']));
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    let strings = data["strings"].as_array().unwrap();
    assert!(strings.iter().any(|s| s.as_str().unwrap().len() == 10_009), "the page holds long names in full");
    assert!(strings.iter().any(|s| s.as_str().unwrap().contains("nul\0bell\u{7}")));
}

#[test]
fn the_page_allows_its_own_script_only() {
    use base64::Engine as _;
    use sha2::Digest as _;
    let page = html(&small(), &Options::default()).unwrap();
    let between =
        |from: &str, to: &str| page.split(from).nth(1).unwrap().split(to).next().unwrap().to_owned();
    let policy = between("Content-Security-Policy\" content=\"", "\"");
    let hash = |text: String| base64::engine::general_purpose::STANDARD.encode(sha2::Sha256::digest(text));
    let script = hash(between("<script>", "</script>"));
    let style = hash(between("<style>", "</style>"));
    assert!(policy.starts_with("default-src 'none';"));
    assert!(policy.contains(&format!("script-src 'sha256-{script}'")));
    assert!(policy.contains(&format!("style-src 'sha256-{style}'")));
    assert!(!policy.contains("unsafe") && !policy.contains("http"));
}

#[test]
fn marks_and_units_do_not_depend_on_colour() {
    for colour in [ColourBy::Auto, ColourBy::Origin] {
        let drawn = svg(&small(), &options(colour, Theme::Light)).unwrap();
        assert!(drawn.contains("#3 ? unknown") && drawn.contains("url(#hatch)"));
        assert!(drawn.contains("#2 helper of 2") && drawn.contains("stroke-dasharray=\"5 3\""));
        assert!(drawn.contains("#0 ← 0+1") && drawn.contains("#1 ← 2 (1/2)"));
        assert!(drawn.contains("1.20 ms") && drawn.contains("90 ns"));
        assert!(drawn.contains("origin unknown: not in the table"));
        assert!(drawn.contains("from 1 relu1 (absorbed)"), "tool tips name originals and roles");
    }
    let cost = svg(&small(), &Options::default()).unwrap();
    assert!(cost.contains("sum 1\u{a0}240\u{a0}090 ns over 3 operators"), "the legend has the exact sum");
}

#[test]
fn every_text_in_a_box_has_contrast() {
    let luminance = |hex: &str| -> f64 {
        let channel = |at: usize| {
            let c = f64::from(u8::from_str_radix(&hex[at..at + 2], 16).unwrap()) / 255.0;
            if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    };
    let mut seen = 0;
    for theme in [Theme::Light, Theme::Dark] {
        for colour in [ColourBy::Auto, ColourBy::Origin] {
            let drawn = svg(&scenes::made_up(200), &options(colour, theme)).unwrap();
            for group in drawn.split("<g id=\"op-").skip(1) {
                let fill = |part: &str| part.split("fill=\"").nth(1).unwrap()[..7].to_owned();
                let (box_fill, ink) =
                    (fill(group.split("<rect").nth(1).unwrap()), fill(group.split("<g ").nth(1).unwrap()));
                let (a, b) = (luminance(&box_fill), luminance(&ink));
                assert!((a.max(b) + 0.05) / (a.min(b) + 0.05) >= 4.5, "{ink} on {box_fill}");
                seen += 1;
            }
        }
    }
    assert_eq!(seen, 800);
}

#[test]
fn raster_sizes_have_bounds() {
    let scene = small();
    for width in [0, 16_385, u32::MAX] {
        let error = png(&scene, &Options { width: Some(width), ..Options::default() }).unwrap_err();
        assert!(matches!(error, Error::Size { .. }), "{error}");
        assert!(error.to_string().contains("16384"), "{error}");
    }
    let one = png(&scene, &Options { width: Some(1), ..Options::default() }).unwrap();
    assert_eq!(image::load_from_memory(&one).unwrap().width(), 1);
}

#[test]
fn a_reduced_picture_keeps_colours_without_text() {
    let scene = scenes::made_up(400);
    let drawn = png(&scene, &Options { width: Some(500), ..Options::default() }).unwrap();
    let picture = image::load_from_memory(&drawn).unwrap().to_rgb8();
    assert_eq!(picture.width(), 500);
    let strong = |p: &&image::Rgb<u8>| p.0.iter().max().unwrap().abs_diff(*p.0.iter().min().unwrap()) > 60;
    let coloured = picture.pixels().filter(strong).count();
    assert!(
        coloured * 20 > picture.pixels().len(),
        "{coloured} coloured pixels of {}",
        picture.pixels().len()
    );
}

#[test]
fn senseless_scenes_are_refused_by_all() {
    let mut scene = small();
    scene.subgraphs[0].edges[4].to = EdgeTarget::Node(99);
    let errors = [
        svg(&scene, &Options::default()).map(drop).unwrap_err(),
        png(&scene, &Options::default()).map(drop).unwrap_err(),
        jpeg(&scene, &Options::default()).map(drop).unwrap_err(),
        html(&scene, &Options::default()).map(drop).unwrap_err(),
    ];
    for error in errors {
        assert_eq!(
            error.to_string(),
            "scene: subgraph 0, edge 4, target node: index 99 is out of range for a list of 4"
        );
    }
    let mut scene = small();
    scene.subgraphs[0].nodes[1].metrics.push((1, MetricValue::Integer(0)));
    assert!(scene.validate().unwrap_err().to_string().contains("operator 1, metric: index 1"));
    let mut scene = small();
    scene.sources[2].file = Some(1);
    assert!(scene.validate().unwrap_err().to_string().starts_with("source 2, file"));
}

#[test]
fn empty_scenes_can_be_drawn() {
    for scene in [Scene::default(), Scene { subgraphs: vec![SubgraphScene::default()], ..Scene::default() }] {
        svg(&scene, &Options::default()).unwrap();
        png(&scene, &Options::default()).unwrap();
        jpeg(&scene, &Options { colour: ColourBy::Cost { metric: 7 }, ..Options::default() }).unwrap();
        html(&scene, &Options::default()).unwrap();
    }
}

#[test]
fn scenes_survive_json() {
    let scene = small();
    let text = serde_json::to_string(&scene).unwrap();
    assert_eq!(serde_json::from_str::<Scene>(&text).unwrap(), scene);
}
