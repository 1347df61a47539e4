//! How a scene is drawn.

/// What the operators' colours mean.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ColourBy {
    /// By the first additive metric that some operator has a value of, else by origin group.
    #[default]
    Auto,
    /// By the value of a metric, an index into [`Scene::metrics`](crate::Scene::metrics).
    Cost {
        /// The metric.
        metric: usize,
    },
    /// By origin group: operators that stand for the same originals have one colour, neighbouring groups differ.
    Origin,
}

/// Background of the picture.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Theme {
    /// Dark on white.
    #[default]
    Light,
    /// Light on near-black.
    Dark,
}

/// Options of all encoders.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// What colours mean. The page can switch; this is what it begins with.
    pub colour: ColourBy,
    /// Background. The page follows the reader's preference and can switch.
    pub theme: Theme,
    /// Width of raster pictures in pixels; `None` chooses one at which text can be read.
    pub width: Option<u32>,
}
