//! Kept references: SVG and pages by bytes, PNG and JPEG by decoded pixels.

use circle_visual::Theme;
use circle_visual::memory::{ColourBy, Names, Options, html, jpeg, png, svg};
use std::path::Path;

use crate::common::{assert_same, golden, pixels, small};
use crate::plans;
use crate::support::assert_same_jpeg;

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
fn the_same_plan_gives_the_same_bytes() {
    let list = [plans::made_up(500), plans::small()];
    for colour in [ColourBy::Origin, ColourBy::Kind, ColourBy::Size] {
        let options = Options { colour, ..Options::default() };
        assert_eq!(svg(&list, &options).unwrap(), svg(&list, &options).unwrap());
        assert_eq!(html(&list, &options).unwrap(), html(&list, &options).unwrap());
    }
}
