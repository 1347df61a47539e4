//! The picture as pixels: PNG and JPEG.

use super::chart::Chart;
use super::options::Options;
use super::place::Place;
use super::plan::Plan;
use super::svg::document;
use crate::encode::raster::pixels_of;
use crate::encode::{jpeg, png};
use crate::error::Error;
use image::RgbImage;

fn render(plans: &[Plan], options: &Options) -> Result<RgbImage, Error> {
    let chart = Chart::new(plans, options)?;
    let place = Place::new(&chart)?;
    pixels_of(&document(&chart, &place, false), place.pixels.0, place.pixels.1)
}

/// Draws memory plans as PNG. The bytes are the same on every machine.
///
/// # Errors
/// Those of [`svg`](super::svg()).
pub fn png(plans: &[Plan], options: &Options) -> Result<Vec<u8>, Error> {
    png::encode(&render(plans, options)?)
}

/// Draws memory plans as JPEG, for places that take nothing else.
///
/// # Errors
/// Those of [`svg`](super::svg()).
pub fn jpeg(plans: &[Plan], options: &Options) -> Result<Vec<u8>, Error> {
    jpeg::encode(&render(plans, options)?)
}
