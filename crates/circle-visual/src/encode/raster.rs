//! Pixels: the SVG rendered with the bundled font only.

use super::svg::{document, size};
use crate::drawing::Drawing;
use crate::error::Error;
use crate::options::Options;
use crate::scene::Scene;
use crate::text_metrics::{BOLD, FAMILY, REGULAR};
use image::RgbImage;
use resvg::{tiny_skia, usvg};
use std::sync::Arc;

/// Largest width or height in pixels. JPEG could hold 65,535, few viewers can.
pub(crate) const SIDE: u64 = 16_384;
/// Largest number of pixels: 256 MiB while drawing.
pub(crate) const PIXELS: u64 = 64 << 20;
/// The longer side that a picture of usual size is drawn with, so that its text can be enlarged a little.
const LONG_SIDE: f64 = 4_800.0;
/// Below this scale text cannot be told from noise and is left out.
const LEGIBLE: f64 = 0.35;

/// Renders a scene.
///
/// # Errors
/// [`Error::Scene`], or [`Error::Size`] where the width asked for gives a picture without pixels or beyond the bounds.
pub(super) fn render(scene: &Scene, options: &Options) -> Result<RgbImage, Error> {
    scene.validate()?;
    let drawing = Drawing::new(scene, options.colour);
    let (own_width, own_height) = size(&drawing);
    let (width, height) = pixels((own_width, own_height), options.width)?;
    let scale = width as f64 / own_width;

    pixels_of(&document(&drawing, options.theme, scale >= LEGIBLE), width as u32, height as u32)
}

/// Draws an SVG document of ours, stretched to a picture of the given size in pixels.
pub(crate) fn pixels_of(document: &str, width: u32, height: u32) -> Result<RgbImage, Error> {
    let mut fonts = usvg::fontdb::Database::new();
    fonts.load_font_data(REGULAR.to_vec());
    fonts.load_font_data(BOLD.to_vec());
    fonts.set_sans_serif_family(FAMILY);
    let settings =
        usvg::Options { fontdb: Arc::new(fonts), font_family: FAMILY.to_owned(), ..usvg::Options::default() };
    let tree = usvg::Tree::from_str(document, &settings).map_err(|error| Error::Raster(error.to_string()))?;
    let mut map = tiny_skia::Pixmap::new(width, height).ok_or(Error::Size {
        width: width.into(),
        height: height.into(),
        bound: SIDE,
        pixels: PIXELS,
    })?;
    let own = tree.size();
    let transform =
        tiny_skia::Transform::from_scale(width as f32 / own.width(), height as f32 / own.height());
    resvg::render(&tree, transform, &mut map.as_mut());
    // The background is opaque, so that the alpha channel says nothing.
    let mut rgb = Vec::with_capacity(map.data().len() / 4 * 3);
    for pixel in map.data().chunks_exact(4) {
        rgb.extend_from_slice(&pixel[..3]);
    }
    RgbImage::from_raw(width, height, rgb)
        .ok_or_else(|| Error::Raster("the number of pixels is wrong".to_owned()))
}

/// Width and height in pixels of a drawing of the given own size, as wide as wished.
fn pixels(own: (f64, f64), wished: Option<u32>) -> Result<(u64, u64), Error> {
    let longer = own.0.max(own.1);
    let scale = match wished {
        Some(width) => f64::from(width) / own.0,
        None => {
            let usual = (LONG_SIDE / longer).clamp(1.0, 2.0);
            let side = (SIDE - 1) as f64 / longer;
            let area = ((PIXELS - 2 * SIDE) as f64 / (own.0 * own.1)).sqrt();
            usual.min(side).min(area)
        }
    };
    // A very long and thin drawing keeps at least one pixel of width, unless no width at all is asked for.
    let least = if wished == Some(0) { 0.0 } else { 1.0 };
    let [width, height] = [own.0, own.1].map(|length| (length * scale).round().max(least) as u64);
    if width == 0 || height == 0 || width > SIDE || height > SIDE || width * height > PIXELS {
        return Err(Error::Size { width, height, bound: SIDE, pixels: PIXELS });
    }
    Ok((width, height))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_drawings_are_enlarged_and_large_ones_reduced() {
        assert_eq!(pixels((640.0, 480.0), None).unwrap(), (1280, 960));
        assert_eq!(pixels((4000.0, 3000.0), None).unwrap(), (4800, 3600));
        assert_eq!(pixels((6000.0, 3000.0), None).unwrap(), (6000, 3000));
        for own in [(60_000.0, 30_000.0), (1e7, 700.0), (640.0, 1e8), (16_384.0, 16_384.0)] {
            let (width, height) = pixels(own, None).unwrap();
            assert!((1..=SIDE).contains(&width) && (1..=SIDE).contains(&height), "{width} x {height}");
            assert!(width * height <= PIXELS && width.max(height) > 8_000, "{width} x {height}");
        }
    }

    #[test]
    fn a_wished_width_is_kept_or_refused() {
        assert_eq!(pixels((1000.0, 500.0), Some(300)).unwrap(), (300, 150));
        assert_eq!(pixels((1e6, 500.0), Some(300)).unwrap(), (300, 1));
        for (own, width) in
            [((1000.0, 500.0), 0), ((1000.0, 500.0), 20_000), ((640.0, 1e6), 640), ((1000.0, 1000.0), 12_000)]
        {
            assert!(matches!(pixels(own, Some(width)), Err(Error::Size { .. })), "{own:?} at {width}");
        }
    }
}
