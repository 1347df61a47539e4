//! Where the parts of a picture are, in pixels.

use super::chart::Chart;
use super::options::Options;
use crate::encode::raster::{PIXELS, SIDE};
use crate::error::Error;

/// Space around everything.
pub(super) const MARGIN: f64 = 20.0;
/// Title and subtitle.
pub(super) const HEADER: f64 = 58.0;
/// Room of an address axis, its caption included.
pub(super) const AXIS: f64 = 84.0;
/// Two lines above each plot.
pub(super) const HEADING: f64 = 38.0;
/// Tick marks, their numbers and the caption below a plot.
pub(super) const TIME: f64 = 40.0;
const GAP: f64 = 12.0;
/// The smallest picture in which the parts have room; a smaller one is this one reduced.
const LEAST: (f64, f64) = (1000.0, 560.0);
const USUAL: (u32, u32) = (1600, 900);
/// Most plots in a picture; more could not be told apart in the largest one.
const PANELS: usize = 250;

/// A rectangle.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Area {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// Where everything is.
#[derive(Debug)]
pub(super) struct Place {
    /// Pixels of the picture.
    pub(super) pixels: (u32, u32),
    /// Own units: those of all that follows. At least as many as pixels.
    pub(super) own: (f64, f64),
    /// Plot of each panel, in the order of the panels.
    pub(super) plots: Vec<Area>,
    /// Whether a time axis is drawn below a plot.
    pub(super) timed: Vec<bool>,
    pub(super) side: Area,
}

/// Panels in rows: one a row, or before and after side by side.
fn rows(chart: &Chart<'_>) -> Vec<[Option<usize>; 2]> {
    match &chart.pairs {
        Some(pairs) => pairs.iter().map(|(_, before, after)| [*before, *after]).collect(),
        None => (0..chart.panels.len()).map(|panel| [Some(panel), None]).collect(),
    }
}

impl Place {
    /// # Errors
    /// [`Error::Size`] where the size asked for has no pixels or too many, [`Error::Segments`] where there are too many
    /// plots.
    pub(super) fn new(chart: &Chart<'_>) -> Result<Place, Error> {
        let options: &Options = chart.options;
        if chart.panels.len() > PANELS {
            return Err(Error::Segments { count: chart.panels.len(), most: PANELS });
        }
        let rows = rows(chart);
        let count = rows.len().max(1) as f64;
        let shared = chart.one_unit() && chart.pairs.is_none();
        let axes = if shared { TIME } else { TIME * count };
        let fixed = 2.0 * MARGIN + HEADER + axes + (HEADING + GAP) * count;
        // A plot of usual height has 110 pixels, one that has to be small 14.
        let usual = (fixed + 110.0 * count).clamp(f64::from(USUAL.1), 12_000.0) as u32;
        let pixels = (options.width.unwrap_or(USUAL.0), options.height.unwrap_or(usual));
        let (width, height) = (u64::from(pixels.0), u64::from(pixels.1));
        if width == 0 || height == 0 || width > SIDE || height > SIDE || width * height > PIXELS {
            return Err(Error::Size { width, height, bound: SIDE, pixels: PIXELS });
        }
        let (width, height) = (f64::from(pixels.0), f64::from(pixels.1));
        let grow = (LEAST.0 / width).max(LEAST.1.max(fixed + 14.0 * count) / height).max(1.0);
        let own = (width * grow, height * grow);

        let side_width = if chart.pairs.is_some() { 470.0 } else { 400.0_f64 }.min(own.0 * 0.36);
        let side = Area {
            x: own.0 - MARGIN - side_width,
            y: MARGIN + HEADER,
            width: side_width,
            height: own.1 - 2.0 * MARGIN - HEADER,
        };
        let plot = ((own.1 - fixed) / count).floor();
        let room = side.x - 24.0 - MARGIN;
        let mut plots = vec![Area::default(); chart.panels.len()];
        let mut timed = vec![false; chart.panels.len()];
        let mut y = MARGIN + HEADER;
        for (row, panels) in rows.iter().enumerate() {
            let columns = if chart.pairs.is_some() { 2.0 } else { 1.0 };
            let axis = !shared || row + 1 == rows.len();
            for (column, panel) in panels.iter().enumerate() {
                let Some(panel) = *panel else { continue };
                let x = MARGIN + AXIS + room / columns * column as f64;
                plots[panel] =
                    Area { x, y: y + HEADING, width: (room / columns - AXIS - 6.0).floor(), height: plot };
                timed[panel] = axis;
            }
            y += HEADING + plot + GAP + if axis { TIME } else { 0.0 };
        }
        Ok(Place { pixels, own, plots, timed, side })
    }
}
