//! Every sample of memory data, drawn and compared with what was kept: SVG by bytes, pages by the digest of their bytes,
//! PNG and JPEG by decoded pixels, each with those of its own form. `BLESS=1 cargo test -p circle-visual` renews them.

use circle_memory::CheckOptions;
use circle_visual::memory::{Options, Plan, html, jpeg, png, svg};
use sha2::Digest as _;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::support::assert_same_jpeg;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// Paths below the folder of samples, in order.
fn samples() -> Vec<String> {
    let folder = root().join("../../testdata/memory");
    let mut found = Vec::new();
    for part in ["", "aidge/"] {
        for entry in std::fs::read_dir(folder.join(part)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            // Names of blocks are read with their plan only.
            if name.contains('.') && !name.ends_with(".md") && !name.ends_with(".names.csv") {
                found.push(format!("{part}{name}"));
            }
        }
    }
    found.sort();
    found
}

fn plan(sample: &str) -> [Plan; 1] {
    let bytes = std::fs::read(root().join("../../testdata/memory").join(sample)).unwrap();
    let document = circle_memory::read::read(&bytes, sample).unwrap();
    let report = circle_memory::check(&document.memory, &document.places, CheckOptions::default());
    [Plan::new(sample, document.memory).with_findings(&report.findings)]
}

fn kept(name: &str, drawn: &[u8]) -> Vec<u8> {
    let path = root().join("tests/golden/memory/samples").join(name);
    if std::env::var_os("BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, drawn).unwrap();
    }
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn file_name(sample: &str, ending: &str) -> String {
    format!("{}.{ending}", sample.replace('/', "-"))
}

#[test]
fn vector_pictures_of_all_samples_are_as_they_were() {
    let all = samples();
    assert!(all.len() >= 16, "{all:?}");
    for sample in all {
        let drawn = svg(&plan(&sample), &Options::default()).unwrap();
        assert!(kept(&file_name(&sample, "svg"), drawn.as_bytes()) == drawn.as_bytes(), "{sample} differs");
    }
}

#[test]
fn pages_of_all_samples_are_as_they_were() {
    let mut digests = String::new();
    for sample in samples() {
        let page = html(&plan(&sample), &Options::default()).unwrap();
        let digest: String = sha2::Sha256::digest(&page).iter().map(|byte| format!("{byte:02x}")).collect();
        writeln!(digests, "{digest}  {sample}").unwrap();
    }
    assert_eq!(String::from_utf8(kept("pages.sha256", digests.as_bytes())).unwrap(), digests);
}

#[test]
fn pixels_of_all_samples_are_as_they_were() {
    let options = Options { width: Some(560), height: Some(315), ..Options::default() };
    for sample in samples() {
        let plan = plan(&sample);
        let drawn = png(&plan, &options).unwrap();
        let expected = image::load_from_memory(&kept(&file_name(&sample, "png"), &drawn)).unwrap().to_rgb8();
        let drawn = image::load_from_memory(&drawn).unwrap().to_rgb8();
        assert_eq!(drawn.dimensions(), expected.dimensions());
        // Processors may round the last bit of an edge differently.
        let far = drawn.iter().zip(expected.iter()).filter(|(a, b)| a.abs_diff(**b) > 2).count();
        assert!(far == 0, "{sample}: {far} channels differ");
        let lossy = jpeg(&plan, &options).unwrap();
        let kept = image::load_from_memory(&kept(&file_name(&sample, "jpg"), &lossy)).unwrap().to_rgb8();
        let lossy = image::load_from_memory(&lossy).unwrap().to_rgb8();
        assert_same_jpeg(&lossy, &kept, &sample);
        let sum: u64 = drawn.iter().zip(lossy.iter()).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
        assert!((sum as f64) < 6.0 * drawn.as_raw().len() as f64, "{sample}: mean difference too large");
    }
}

#[test]
fn figures_of_the_vision_transformer_are_those_of_its_planner() {
    for (sample, peak) in [
        ("aidge/vit_s_raw_single_nowrap_OptimizeMaxLifetimeMaxSizeFirst.txt", 5_526_528),
        ("aidge/vit_s_raw_single_wrap_OptimizeMaxLifetimeMaxSizeFirst.txt", 3_947_520),
        ("aidge/vit_s_fused_single_nowrap_OptimizeMaxLifetimeMaxSizeFirst.txt", 3_552_768),
    ] {
        let [plan] = plan(sample);
        assert_eq!(circle_memory::analysis::figures(&plan.memory.segments[0]).peak, peak, "{sample}");
        assert!(plan.marks.is_empty(), "{sample}: {:?}", plan.marks);
    }
}
