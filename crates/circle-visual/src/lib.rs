//! Draws operator graphs: laid out in layers, coloured by measured cost or by origin, as SVG, PNG, JPEG and as one
//! offline HTML page. The crate knows nothing of model files: it is given a [`Scene`] of plain data.

#![forbid(unsafe_code)]

mod colour;
mod error;
mod groups;
mod layout;
mod options;
mod palette;
mod scene;
mod text;
mod text_metrics;

pub use error::{Error, SceneError};
pub use options::{ColourBy, Options, Theme};
pub use scene::{
    Edge, EdgeSource, EdgeTarget, FileLabel, MetricInfo, MetricKind, MetricValue, Node, OriginRef, Retired,
    Scene, SourceNode, SubgraphScene, Terminal,
};
