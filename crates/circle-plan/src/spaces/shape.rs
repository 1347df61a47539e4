//! What a space takes of address and time, as rectangles.

use super::problem::{Space, Spaces};

/// Bytes from the begin of a space, and ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rectangle {
    pub(super) lower: u64,
    pub(super) upper: u64,
    pub(super) start: u64,
    pub(super) end: u64,
}

/// The rectangles of a space, one or two a plane; those may overlap. A space whose one plane takes all
/// of it all the time is one rectangle.
pub(super) fn shape(space: &Space) -> Vec<Rectangle> {
    let (lower, upper) = (space.lower(), space.upper());
    let full = |p: &&super::Plane| p.size == space.size && p.lower == lower && p.upper == upper;
    if space.size > 0 && space.planes.iter().any(|plane| full(&plane)) {
        return vec![Rectangle { lower, upper, start: 0, end: space.size }];
    }
    let mut shape = Vec::with_capacity(space.planes.len());
    for plane in space.planes.iter().filter(|plane| plane.size > 0) {
        let (one, other) = space.pieces(plane);
        for piece in [Some(one), other].into_iter().flatten() {
            let (lower, upper) = (plane.lower, plane.upper);
            shape.push(Rectangle { lower, upper, start: piece.start, end: piece.end });
        }
    }
    shape.sort_unstable();
    shape.dedup();
    shape
}

/// The shapes of all spaces with ticks turned into sections, numbered from 0: a plane is alive in whole
/// sections only.
#[derive(Debug)]
pub(super) struct Shapes {
    /// Of each space: first section, section after the last one, first byte, end.
    pub(super) of: Vec<Vec<(usize, usize, u64, u64)>>,
    /// First section of each space, and the one after its last.
    pub(super) life: Vec<(usize, usize)>,
    /// Number of sections.
    pub(super) sections: usize,
}

impl Shapes {
    pub(super) fn new(problem: &Spaces) -> Self {
        let shapes: Vec<Vec<Rectangle>> = problem.spaces().iter().map(shape).collect();
        let planes = problem.spaces().iter().flat_map(|space| &space.planes);
        // Only births part sections, as in the sections of blocks.
        let mut births: Vec<u64> = planes.map(|plane| plane.lower).collect();
        births.sort_unstable();
        births.dedup();
        let section = |tick: u64| births.partition_point(|&t| t < tick);
        let of = shapes.iter().map(|shape| {
            shape.iter().map(|r| (section(r.lower), section(r.upper), r.start, r.end)).collect()
        });
        let life = problem.spaces().iter().map(|space| (section(space.lower()), section(space.upper())));
        Self { of: of.collect(), life: life.collect(), sections: births.len() }
    }
}
