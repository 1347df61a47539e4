//! What tests of all pictures share.

/// Pictures in JPEG are compared by their decoded pixels. Where a processor rounds the last bit of an edge differently, its
/// cell of eight by eight pixels does; cells of one in a hundred may.
#[track_caller]
pub(crate) fn assert_same_jpeg(drawn: &image::RgbImage, kept: &image::RgbImage, what: &str) {
    assert_eq!(drawn.dimensions(), kept.dimensions(), "{what}");
    let far = drawn.iter().zip(kept.iter()).filter(|(a, b)| a != b).count();
    assert!(far * 100 <= drawn.as_raw().len(), "{what}: {far} channels differ");
}
