//! How plans are drawn.

use crate::options::Theme;
use std::ops::Range;

/// What the blocks' colours mean.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ColourBy {
    /// The original layers, in at most about twenty groups by the beginnings of their names; the blocks' own names where
    /// no plan has origins.
    #[default]
    Origin,
    /// What the block holds.
    Kind,
    /// How large the block is.
    Size,
}

/// Names inside blocks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Names {
    /// Where they can be read.
    #[default]
    Auto,
    /// In every block that is drawn by itself, however small the letters.
    All,
    /// Nowhere.
    None,
}

/// Options of all picture formats of memory plans.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// What colours mean. The page can switch; this is what it begins with.
    pub colour: ColourBy,
    /// Background. The page follows the reader's preference and can switch.
    pub theme: Theme,
    /// Names inside blocks. The page shows them wherever they can be read, unless there are to be none.
    pub names: Names,
    /// Width of the picture in pixels, 1600 if none is given. Does not matter to the page.
    pub width: Option<u32>,
    /// Height of the picture in pixels; if none is given 900, or more where segments or tables need it. Does not matter
    /// to the page.
    pub height: Option<u32>,
    /// Only what is alive within these ticks. Figures are those of these ticks, too.
    pub ticks: Option<Range<u64>>,
    /// Only the segments of these names; all if empty.
    pub segments: Vec<String>,
    /// Two plans side by side on one scale of addresses, with a table of the differences instead of that of the blocks.
    /// Without, and if there are not two plans, they stand one below the other.
    pub compare: bool,
}
