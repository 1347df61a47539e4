//! Draws operator graphs: laid out in layers, coloured by measured cost or by origin, as SVG, PNG, JPEG and as one
//! offline HTML page. The crate knows nothing of model files: it is given a [`Scene`] of plain data.

#![forbid(unsafe_code)]

mod error;
mod layout;
mod options;
mod scene;

pub use error::{Error, SceneError};
pub use options::{ColourBy, Options, Theme};
pub use scene::{
    Edge, EdgeSource, EdgeTarget, FileLabel, MetricInfo, MetricKind, MetricValue, Node, OriginRef, Retired,
    Scene, SourceNode, SubgraphScene, Terminal,
};
