//! What is to be planned: spaces with planes.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use crate::problem::{Block, MOST_BYTES, ProblemError};

/// A tensor in a space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plane {
    /// Its name.
    pub id: String,
    /// First tick at which it is alive.
    pub lower: u64,
    /// First tick at which it is no longer alive, more than `lower`.
    pub upper: u64,
    /// Size in bytes, at most that of the space.
    pub size: u64,
    /// Where it begins, in bytes from the begin of the space; less than the size of the space, or 0.
    pub start: u64,
}

/// A run of bytes in which planes lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Space {
    /// Its name, unique within a problem.
    pub id: String,
    /// Size in bytes.
    pub size: u64,
    /// The offset of the space must be a multiple of this many bytes; at least 1.
    pub alignment: u64,
    /// At least one.
    pub planes: Vec<Plane>,
}

/// A plane of a ring, before it is known where it lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Name of the plane.
    pub id: String,
    /// First tick at which it is alive.
    pub lower: u64,
    /// First tick at which it is no longer alive.
    pub upper: u64,
    /// Size in bytes.
    pub size: u64,
    /// How many bytes the ring must have beyond this plane's size, so that writing it does not destroy what is
    /// still to be read of the plane before. 0 for the first plane.
    pub margin: u64,
}

impl Space {
    /// A space in which each plane takes the place of the one before. It is as large as the largest.
    pub fn in_place(id: impl Into<String>, alignment: u64, mut planes: Vec<Plane>) -> Self {
        planes.iter_mut().for_each(|plane| plane.start = 0);
        let size = planes.iter().map(|plane| plane.size).max().unwrap_or(0);
        Self { id: id.into(), size, alignment, planes }
    }

    /// A ring, in which each plane begins where the one before ends, around its end if need be. It is as large as
    /// its most demanding link: size plus margin. This is the arithmetic of wrap-around buffers in Aidge's memory
    /// manager, for planes without stride.
    ///
    /// # Errors
    /// [`SpaceError::TooMany`] if a link is larger than can be planned.
    pub fn ring(id: impl Into<String>, alignment: u64, links: &[Link]) -> Result<Self, SpaceError> {
        let id = id.into();
        let mut size = 0u64;
        for link in links {
            let wanted = link.size.checked_add(link.margin).filter(|bytes| *bytes <= MOST_BYTES);
            size = size.max(wanted.ok_or_else(|| SpaceError::TooMany { space: id.clone() })?);
        }
        let mut next = 0u64;
        let planes = links.iter().map(|link| {
            let start = next;
            next = (start + link.size).checked_rem(size).unwrap_or(0);
            Plane { id: link.id.clone(), lower: link.lower, upper: link.upper, size: link.size, start }
        });
        let planes = planes.collect();
        Ok(Self { id, size, alignment, planes })
    }

    /// First tick at which any plane is alive.
    pub fn lower(&self) -> u64 {
        self.planes.iter().map(|plane| plane.lower).min().unwrap_or(0)
    }

    /// First tick at which no plane is alive any more.
    pub fn upper(&self) -> u64 {
        self.planes.iter().map(|plane| plane.upper).max().unwrap_or(0)
    }

    /// The bytes of a plane, counted from the begin of the space, in one piece or around its end in two.
    pub fn pieces(&self, plane: &Plane) -> (Range<u64>, Option<Range<u64>>) {
        let end = plane.start.saturating_add(plane.size);
        match end.checked_sub(self.size) {
            Some(rest) if rest > 0 => (plane.start..self.size, Some(0..rest)),
            _ => (plane.start..end, None),
        }
    }
}

/// Spaces that were found to be plannable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spaces {
    spaces: Vec<Space>,
    capacity: Option<u64>,
}

/// Why spaces cannot be planned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SpaceError {
    /// The space as a block is at fault: its name, its alignment or its size.
    Block(ProblemError),
    /// A space has no plane.
    Empty {
        /// Its name.
        space: String,
    },
    /// The lifetime of a plane is empty or reversed.
    Lifetime {
        /// Name of the space.
        space: String,
        /// Name of the plane.
        plane: String,
        /// Its first tick.
        lower: u64,
        /// Its end.
        upper: u64,
    },
    /// A plane is larger than its space, or begins behind it.
    Outside {
        /// Name of the space.
        space: String,
        /// Name of the plane.
        plane: String,
        /// Where it begins.
        start: u64,
        /// Its size.
        size: u64,
        /// Size of the space.
        bytes: u64,
    },
    /// Two planes of a space have one name.
    DuplicateId {
        /// Name of the space.
        space: String,
        /// Name of the planes.
        plane: String,
    },
    /// A ring is larger than [`MOST_BYTES`].
    TooMany {
        /// Its name.
        space: String,
    },
}

impl fmt::Display for SpaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Block(error) => write!(f, "as a block of memory: {error}"),
            Self::Empty { space } => write!(f, "space `{space}`: no plane, must have at least 1"),
            Self::Lifetime { space, plane, lower, upper } => {
                write!(f, "space `{space}`, plane `{plane}`: lifetime {lower}..{upper} is empty or reversed")
            }
            Self::Outside { space, plane, start, size, bytes } => write!(
                f,
                "space `{space}`, plane `{plane}`: {size} bytes from {start} are not in {bytes} bytes"
            ),
            Self::DuplicateId { space, plane } => {
                write!(f, "space `{space}`: two planes are called `{plane}`")
            }
            Self::TooMany { space } => write!(f, "space `{space}`: more than {MOST_BYTES} bytes"),
        }
    }
}

impl std::error::Error for SpaceError {}

impl Spaces {
    /// Checks the spaces. `capacity` is the size in bytes of the memory they should fit into, if any.
    ///
    /// # Errors
    /// The first fault found, see [`SpaceError`].
    pub fn new(spaces: Vec<Space>, capacity: Option<u64>) -> Result<Self, SpaceError> {
        for space in &spaces {
            check_planes(space)?;
        }
        let problem = Self { spaces, capacity };
        crate::Problem::new(problem.blocks(), capacity).map_err(SpaceError::Block)?;
        Ok(problem)
    }

    /// The spaces, in the order given.
    pub fn spaces(&self) -> &[Space] {
        &self.spaces
    }

    /// The bytes the spaces should fit into, if that is known.
    pub fn capacity(&self) -> Option<u64> {
        self.capacity
    }

    /// The spaces as blocks, holes and all. Any plan of these is one of the spaces.
    pub fn blocks(&self) -> Vec<Block> {
        let block = |space: &Space| Block {
            alignment: space.alignment,
            ..Block::new(space.id.clone(), space.lower(), space.upper(), space.size)
        };
        self.spaces.iter().map(block).collect()
    }
}

fn check_planes(space: &Space) -> Result<(), SpaceError> {
    let id = || space.id.clone();
    if space.planes.is_empty() {
        return Err(SpaceError::Empty { space: id() });
    }
    let mut seen: BTreeMap<&str, ()> = BTreeMap::new();
    for plane in &space.planes {
        let name = || plane.id.clone();
        if plane.lower >= plane.upper {
            let (lower, upper) = (plane.lower, plane.upper);
            return Err(SpaceError::Lifetime { space: id(), plane: name(), lower, upper });
        }
        if plane.size > space.size || plane.start > space.size.saturating_sub(1) {
            let (start, size, bytes) = (plane.start, plane.size, space.size);
            return Err(SpaceError::Outside { space: id(), plane: name(), start, size, bytes });
        }
        if seen.insert(&plane.id, ()).is_some() {
            return Err(SpaceError::DuplicateId { space: id(), plane: name() });
        }
    }
    Ok(())
}

/// Where each space goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpacePlan {
    /// Offset in bytes of each space, in the order of the problem's spaces.
    pub offsets: Vec<u64>,
    /// Bytes that the plan needs: the largest offset plus size.
    pub peak: u64,
}

impl SpacePlan {
    /// Takes offsets, one a space in the problem's order, and works out the peak. Missing offsets
    /// count as 0, surplus ones are dropped.
    pub fn new(problem: &Spaces, mut offsets: Vec<u64>) -> Self {
        offsets.resize(problem.spaces().len(), 0);
        let ends = problem.spaces().iter().zip(&offsets).filter(|(space, _)| space.size > 0);
        let peak = ends.map(|(space, &offset)| offset.saturating_add(space.size)).max().unwrap_or(0);
        Self { offsets, peak }
    }
}
