//! PNG, without loss.

use super::raster::render;
use crate::error::Error;
use crate::options::Options;
use crate::scene::Scene;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder, RgbImage};

/// Draws a scene as PNG. The bytes are the same on every machine.
///
/// # Errors
/// [`Error::Scene`] where the scene contradicts itself, [`Error::Size`] where the width asked for gives a picture
/// beyond 16,384 pixels a side or 64 Mi pixels in all. Without a width, large graphs are scaled down to the bounds.
pub fn png(scene: &Scene, options: &Options) -> Result<Vec<u8>, Error> {
    encode(&render(scene, options)?)
}

/// Pixels as PNG.
pub(crate) fn encode(pixels: &RgbImage) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    PngEncoder::new_with_quality(&mut out, CompressionType::Default, FilterType::NoFilter).write_image(
        pixels.as_raw(),
        pixels.width(),
        pixels.height(),
        ExtendedColorType::Rgb8,
    )?;
    Ok(out)
}
