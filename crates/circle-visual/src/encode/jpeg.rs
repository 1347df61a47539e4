//! JPEG, for places that take nothing else: text is sharper in PNG.

use super::raster::render;
use crate::error::Error;
use crate::options::Options;
use crate::scene::Scene;
use image::codecs::jpeg::JpegEncoder;
use image::{ExtendedColorType, ImageEncoder, RgbImage};

/// Quality from 1 to 100 at which small text keeps clean edges.
const QUALITY: u8 = 92;

/// Draws a scene as JPEG.
///
/// # Errors
/// Those of [`png`](crate::png).
pub fn jpeg(scene: &Scene, options: &Options) -> Result<Vec<u8>, Error> {
    encode(&render(scene, options)?)
}

/// Pixels as JPEG.
pub(crate) fn encode(pixels: &RgbImage) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    JpegEncoder::new_with_quality(&mut out, QUALITY).write_image(
        pixels.as_raw(),
        pixels.width(),
        pixels.height(),
        ExtendedColorType::Rgb8,
    )?;
    Ok(out)
}
