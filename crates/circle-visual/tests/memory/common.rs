//! What tests of pictures of memory share.

use circle_visual::memory::Plan;
use std::path::{Path, PathBuf};

use crate::plans;

pub(crate) fn golden(name: &str, bytes: &[u8]) -> (PathBuf, Vec<u8>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/memory").join(name);
    if std::env::var_os("BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
    }
    let expected = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    (path, expected)
}

pub(crate) fn assert_same(name: &str, drawn: &[u8]) {
    let (path, expected) = golden(name, drawn);
    assert!(drawn == expected, "{} differs; look at it and bless it", path.display());
}

pub(crate) fn pixels(bytes: &[u8]) -> image::RgbImage {
    image::load_from_memory(bytes).unwrap().to_rgb8()
}

pub(crate) fn small() -> [Plan; 1] {
    [plans::small()]
}

/// The data of a page.
pub(crate) fn data(page: &str) -> serde_json::Value {
    let data = page.split("id=\"data\">").nth(1).unwrap().split("</script").next().unwrap();
    assert!(!data.contains(['<', '>', '&', '\0', '\u{2028}', '\u{2029}']));
    serde_json::from_str(data).unwrap()
}

/// The texts of a picture, in order.
pub(crate) fn texts(svg: &str) -> Vec<String> {
    svg.split("<text")
        .skip(1)
        .map(|t| t.split('>').nth(1).unwrap().split('<').next().unwrap().to_owned())
        .collect()
}
