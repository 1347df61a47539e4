//! Placing spaces one after the other.

use super::problem::{SpacePlan, Spaces};
use super::shape::Shapes;
use crate::occupancy::{Occupancy, Taken};
use crate::problem::align_up;

/// What a space needs when its turn comes, and what it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holes {
    /// Needs all its bytes for all its life, and takes them: holes stay unused.
    Unused,
    /// Needs all its bytes for all its life, but takes only what its planes do.
    Left,
    /// Needs only what its planes take.
    Both,
}

/// Places spaces in orders, again and again if wanted.
#[derive(Debug)]
pub(super) struct Placer<'a> {
    problem: &'a Spaces,
    shapes: Shapes,
    taken: Occupancy,
}

impl<'a> Placer<'a> {
    pub(super) fn new(problem: &'a Spaces) -> Self {
        let shapes = Shapes::new(problem);
        let lives = shapes.of.iter().flatten().map(|&(from, to, ..)| (from, to));
        let taken = Occupancy::new(shapes.sections, lives, 1);
        Self { problem, shapes, taken }
    }

    /// Places the spaces of `order`, which holds each once, at their lowest free offsets.
    pub(super) fn place(&mut self, order: &[usize], holes: Holes) -> SpacePlan {
        self.taken.clear();
        let mut offsets = vec![0u64; self.problem.spaces().len()];
        for &index in order {
            let (Some(space), Some(shape), Some(&(from, to)), Some(slot)) = (
                self.problem.spaces().get(index),
                self.shapes.of.get(index),
                self.shapes.life.get(index),
                offsets.get_mut(index),
            ) else {
                continue;
            };
            let (size, alignment) = (space.size, space.alignment);
            *slot = match holes {
                Holes::Both => fit(&mut self.taken, shape, alignment),
                Holes::Left | Holes::Unused => self.taken.lowest(from, to, size, alignment, 0),
            };
            if holes == Holes::Unused {
                self.taken.insert(Taken { from, to, offset: *slot, end: *slot + size });
            } else {
                for &(from, to, start, end) in shape {
                    self.taken.insert(Taken { from, to, offset: *slot + start, end: *slot + end });
                }
            }
        }
        SpacePlan::new(self.problem, offsets)
    }
}

/// The lowest offset at which all rectangles of a shape are free. Each that is not free moves all of them up, until
/// all were free in a row.
fn fit(taken: &mut Occupancy, shape: &[(usize, usize, u64, u64)], alignment: u64) -> u64 {
    let (mut at, mut free) = (0u64, 0usize);
    for &(from, to, start, end) in shape.iter().cycle() {
        let lowest = taken.lowest(from, to, end - start, 1, at + start) - start;
        if lowest > at {
            at = align_up(lowest, alignment);
            free = 0;
        }
        free += 1;
        // After an alignment the rectangle itself must be looked at again.
        if free > shape.len() {
            break;
        }
    }
    at
}
