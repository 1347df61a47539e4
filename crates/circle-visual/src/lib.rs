//! Draws operator graphs: laid out in layers, coloured by measured cost or by origin, as SVG, PNG, JPEG and as one
//! offline HTML page. [`memory`] draws memory plans likewise. The crate knows nothing of model files: it is given a [`Scene`] of plain data.
//!
//! The same scene and options give the same bytes on every machine: text is measured and drawn with a bundled font.

#![forbid(unsafe_code)]

mod card;
mod colour;
mod drawing;
mod encode;
mod error;
mod groups;
mod layout;
pub mod memory;
mod options;
mod palette;
mod scene;
mod text;
mod text_metrics;

pub use encode::html::html;
pub use encode::jpeg::jpeg;
pub use encode::png::png;
pub use encode::svg::svg;
pub use error::{Error, SceneError};
pub use options::{ColourBy, Options, Theme};
pub use scene::{
    Edge, EdgeSource, EdgeTarget, FileLabel, MetricInfo, MetricKind, MetricValue, Node, OriginRef, Retired,
    Scene, SourceNode, SubgraphScene, Terminal,
};
