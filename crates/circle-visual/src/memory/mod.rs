//! Draws memory plans: time across, address up, one plot a segment.
//!
//! The same plans and options give the same bytes on every machine. Pictures stay of sensible size however many blocks
//! there are: those smaller than a pixel are merged, so that nothing is hidden.

mod axis;
mod cells;
mod chart;
mod failed;
mod groups;
mod html;
mod html_data;
mod html_segment;
mod html_strings;
mod mass;
mod names;
mod options;
mod paint;
mod place;
mod plan;
mod raster;
mod svg;
mod svg_blocks;
mod svg_lines;
mod svg_names;
mod svg_panel;
mod svg_side;
mod svg_table;

pub use chart::missing_segment;
pub use failed::failed;
pub use html::html;
pub use options::{ColourBy, Names, Options};
pub use plan::{Mark, Plan};
pub use raster::{jpeg, png};
pub use svg::svg;
