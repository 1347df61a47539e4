//! The picture formats.

pub(crate) mod html;
pub(crate) mod html_data;
mod html_graph;
pub(crate) mod jpeg;
pub(crate) mod png;
pub(crate) mod raster;
pub(crate) mod svg;
mod svg_header;
