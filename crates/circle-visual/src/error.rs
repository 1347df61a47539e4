//! What can go wrong: a scene that contradicts itself, or a picture that cannot be encoded.

use crate::text::shorten;
use std::fmt;

/// An index of a scene that points to nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SceneError {
    /// Where the index stands.
    pub place: String,
    /// The index.
    pub index: u32,
    /// Length of the list that it points into.
    pub bound: usize,
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: index {} is out of range for a list of {}", self.place, self.index, self.bound)
    }
}

impl std::error::Error for SceneError {}

/// Why a picture could not be made.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The scene contradicts itself.
    Scene(SceneError),
    /// The raster picture would have no pixel, or more than the bound.
    Size {
        /// Width asked for, in pixels.
        width: u64,
        /// Height that goes with it, in pixels.
        height: u64,
        /// Largest width or height.
        bound: u64,
        /// Largest number of pixels.
        pixels: u64,
    },
    /// The drawing could not be turned into pixels.
    Raster(String),
    /// The pixels could not be encoded.
    Encode(image::ImageError),
    /// No memory plan has a segment of the name asked for.
    Segment {
        /// The name.
        wanted: String,
        /// Names that there are, the first twenty.
        known: Vec<String>,
    },
    /// More segments than have room in one picture.
    Segments {
        /// Segments to be drawn.
        count: usize,
        /// Most that are.
        most: usize,
    },
    /// A range of ticks to draw that has none.
    Ticks {
        /// First tick.
        from: u64,
        /// The tick before which the range ends.
        till: u64,
    },
    /// The data of the page could not be written as JSON.
    Json(serde_json::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Scene(error) => write!(f, "scene: {error}"),
            Error::Size { width, height, bound, pixels } => write!(
                f,
                "a picture of {width} x {height} pixels is outside of 1 to {bound} on a side and {pixels} in all"
            ),
            Error::Raster(text) => write!(f, "cannot render the drawing: {text}"),
            Error::Encode(_) => write!(f, "cannot encode the pixels"),
            Error::Segment { wanted, known } => {
                let known: Vec<String> =
                    known.iter().map(|name| format!("{:?}", shorten(name, 60))).collect();
                let wanted = shorten(wanted, 60);
                match known.len() {
                    0 => write!(f, "no segment is called {wanted:?}; there is none"),
                    1 => write!(f, "no segment is called {wanted:?}; there is {}", known.join(", ")),
                    _ => write!(f, "no segment is called {wanted:?}; there are {}", known.join(", ")),
                }
            }
            Error::Segments { count, most } => write!(
                f,
                "{count} segments are too many for one picture, which has room for {most}; choose some, or draw a page"
            ),
            Error::Ticks { from, till } => write!(f, "there is no tick from {from} to before {till}"),
            Error::Json(_) => write!(f, "cannot write the data of the page"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Scene(error) => Some(error),
            Error::Encode(error) => Some(error),
            Error::Json(error) => Some(error),
            Error::Size { .. }
            | Error::Raster(_)
            | Error::Segment { .. }
            | Error::Segments { .. }
            | Error::Ticks { .. } => None,
        }
    }
}

impl From<SceneError> for Error {
    fn from(error: SceneError) -> Self {
        Error::Scene(error)
    }
}

impl From<image::ImageError> for Error {
    fn from(error: image::ImageError) -> Self {
        Error::Encode(error)
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Error::Json(error)
    }
}
