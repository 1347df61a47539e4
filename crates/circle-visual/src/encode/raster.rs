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
const SIDE: u64 = 16_384;
/// Largest number of pixels: 256 MiB while drawing.
const PIXELS: u64 = 64 << 20;
/// The longer side that a picture of usual size is drawn with, so that its text can be enlarged a little.
const LONG_SIDE: f64 = 4_800.0;
/// Below this scale text cannot be told from noise and is left out.
const LEGIBLE: f64 = 0.25;

/// Renders a scene.
///
/// # Errors
/// [`Error::Scene`], or [`Error::Size`] where the width asked for gives a picture without pixels or beyond the bounds.
pub(super) fn render(scene: &Scene, options: &Options) -> Result<RgbImage, Error> {
    scene.validate()?;
    let drawing = Drawing::new(scene, options.colour);
    let (own_width, own_height) = size(&drawing);
    let scale = match options.width {
        Some(width) => f64::from(width) / own_width,
        None => {
            let wished = (LONG_SIDE / own_width.max(own_height)).clamp(1.0, 2.0);
            let side = (SIDE - 1) as f64 / own_width.max(own_height);
            let area = ((PIXELS - 2 * SIDE) as f64 / (own_width * own_height)).sqrt();
            wished.min(side).min(area)
        }
    };
    let pixels =
        |length: f64| (length * scale).round().max(if options.width.is_none() { 1.0 } else { 0.0 }) as u64;
    let (width, height) = (pixels(own_width), pixels(own_height));
    if width == 0 || height == 0 || width > SIDE || height > SIDE || width * height > PIXELS {
        return Err(Error::Size { width, height, bound: SIDE, pixels: PIXELS });
    }

    let text = document(&drawing, options.theme, scale >= LEGIBLE);
    let mut fonts = usvg::fontdb::Database::new();
    fonts.load_font_data(REGULAR.to_vec());
    fonts.load_font_data(BOLD.to_vec());
    fonts.set_sans_serif_family(FAMILY);
    let settings =
        usvg::Options { fontdb: Arc::new(fonts), font_family: FAMILY.to_owned(), ..usvg::Options::default() };
    let tree = usvg::Tree::from_str(&text, &settings).map_err(|error| Error::Raster(error.to_string()))?;
    let mut map = tiny_skia::Pixmap::new(width as u32, height as u32).ok_or(Error::Size {
        width,
        height,
        bound: SIDE,
        pixels: PIXELS,
    })?;
    let scale = tiny_skia::Transform::from_scale(
        (width as f64 / own_width) as f32,
        (height as f64 / own_height) as f32,
    );
    resvg::render(&tree, scale, &mut map.as_mut());
    // The background is opaque, so that the alpha channel says nothing.
    let rgb: Vec<u8> = map.data().chunks_exact(4).flat_map(|pixel| pixel[..3].to_vec()).collect();
    RgbImage::from_raw(width as u32, height as u32, rgb)
        .ok_or_else(|| Error::Raster("the number of pixels is wrong".to_owned()))
}
