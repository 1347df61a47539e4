//! Why a model has no lifetimes.

use std::fmt;

/// More tensors at fault than this are counted and not listed.
pub const MOST_LISTED: usize = 20;

/// A place in a model, as messages name it: `subgraph 0 "main" tensor 3 "x"`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Number and name of the subgraph.
    pub subgraph: (u32, String),
    /// What of it, its number, and its name or kind; absent if the subgraph as a whole is meant.
    pub part: Option<(&'static str, u32, String)>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = |f: &mut fmt::Formatter<'_>, name: &str| {
            if name.is_empty() { Ok(()) } else { write!(f, " {:?}", shortened(name)) }
        };
        write!(f, "subgraph {}", self.subgraph.0)?;
        named(f, &self.subgraph.1)?;
        let Some((what, number, name)) = &self.part else { return Ok(()) };
        write!(f, " {what} {number}")?;
        named(f, name)
    }
}

/// The first characters of a name that goes on for long.
fn shortened(name: &str) -> String {
    const MOST: usize = 60;
    let mut short: String = name.chars().take(MOST).collect();
    if short.len() < name.len() {
        short.push_str("...");
    }
    short
}

/// Why the bytes of a tensor are not known before the model runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SizeFault {
    /// A dimension is open.
    Dynamic {
        /// Which, from 0.
        dimension: usize,
    },
    /// Elements of the type have no fixed size: strings, variants, packed types of blocks.
    Type {
        /// Name of the type.
        name: String,
    },
    /// Elements times their size exceed 64 bits.
    Overflow,
}

impl fmt::Display for SizeFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dynamic { dimension } => write!(f, "dimension {dimension} is open, its size is not known"),
            Self::Type { name } => write!(f, "elements of type {name} have no fixed size"),
            Self::Overflow => f.write_str("its shape comes to more bytes than 64 bits count"),
        }
    }
}

/// Why a model has no lifetimes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LivenessError {
    /// Tensors that need memory are of unknown size.
    Sizes {
        /// The first of them.
        faults: Vec<(Place, SizeFault)>,
        /// How many there are beyond those.
        more: usize,
    },
    /// An operator calls a subgraph that does not exist.
    NoSubgraph {
        /// The operator.
        place: Place,
        /// The subgraph it names.
        number: i64,
        /// How many there are.
        count: usize,
    },
    /// A subgraph calls itself, at once or through others.
    Recursion {
        /// An operator on the way around.
        place: Place,
    },
    /// Bodies of control flow, each counted wherever it is called, run for more ticks than 62 bits count.
    TooLong {
        /// The subgraph at which the sum passes the bound.
        place: Place,
    },
    /// How much scratch memory an operator takes is not known.
    Scratch {
        /// The operator.
        place: Place,
        /// Why not.
        text: &'static str,
    },
}

impl fmt::Display for LivenessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sizes { faults, more } => {
                for (index, (place, fault)) in faults.iter().enumerate() {
                    write!(f, "{}{place}: {fault}", if index == 0 { "" } else { "\n  " })?;
                }
                if *more > 0 { write!(f, "\n  and {more} more") } else { Ok(()) }
            }
            Self::NoSubgraph { place, number, count } => {
                write!(f, "{place}: calls subgraph {number}, there are {count}")
            }
            Self::Recursion { place } => {
                write!(f, "{place}: its subgraph calls itself, so no plan can hold it")
            }
            Self::TooLong { place } => write!(f, "{place}: runs for more than 2^62 ticks"),
            Self::Scratch { place, text } => write!(f, "{place}: {text}"),
        }
    }
}

impl std::error::Error for LivenessError {}
