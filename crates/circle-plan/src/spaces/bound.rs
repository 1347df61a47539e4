//! How few bytes any plan of spaces needs at least: the most bytes that planes take at one tick, bytes that several
//! planes of one space share counted once; or the size of the largest space.

use super::problem::Spaces;
use super::shape::{Rectangle, shape};

/// A number of bytes that no plan of the spaces can be below.
pub fn lower_bound(problem: &Spaces) -> u64 {
    let mut changes: Vec<(u64, u64, u64)> = Vec::new();
    for space in problem.spaces() {
        changes_of(&shape(space), &mut changes);
    }
    changes.sort_unstable_by_key(|change| change.0);
    let largest = problem.spaces().iter().map(|space| space.size).max();
    let (mut taken, mut most) = (0u64, largest.unwrap_or(0));
    let mut rest = changes.as_slice();
    while let Some(&(tick, ..)) = rest.first() {
        let now = rest.partition_point(|change| change.0 == tick);
        let (here, later) = rest.split_at(now);
        for &(_, more, less) in here {
            taken = taken.saturating_add(more).saturating_sub(less);
        }
        most = most.max(taken);
        rest = later;
    }
    most
}

/// The ticks at which the bytes taken by a space change, and by how many they grow or shrink.
fn changes_of(shape: &[Rectangle], changes: &mut Vec<(u64, u64, u64)>) {
    let mut points: Vec<u64> = shape.iter().flat_map(|r| [r.start, r.end]).collect();
    points.sort_unstable();
    points.dedup();
    let mut union = Union::new(points);
    let mut events: Vec<(u64, bool, &Rectangle)> = Vec::with_capacity(shape.len() * 2);
    for rectangle in shape {
        events.push((rectangle.lower, true, rectangle));
        events.push((rectangle.upper, false, rectangle));
    }
    events.sort_unstable_by_key(|event| event.0);
    let mut before = 0u64;
    let mut events = events.into_iter().peekable();
    while let Some((tick, born, rectangle)) = events.next() {
        union.change(rectangle.start, rectangle.end, born);
        if events.peek().is_none_or(|next| next.0 != tick) {
            let now = union.bytes();
            changes.push((tick, now.saturating_sub(before), before.saturating_sub(now)));
            before = now;
        }
    }
}

/// Bytes of the union of address ranges that come and go: a tree over the gaps between all their ends.
struct Union {
    points: Vec<u64>,
    leaves: usize,
    /// Of each node, how many ranges cover all of it and not all of the node above.
    covers: Vec<u64>,
    /// Of each node, the bytes covered by what is entered at it and below.
    covered: Vec<u64>,
}

impl Union {
    fn new(points: Vec<u64>) -> Self {
        let leaves = points.len().max(1).next_power_of_two();
        Self { points, leaves, covers: vec![0; leaves * 2], covered: vec![0; leaves * 2] }
    }

    fn change(&mut self, start: u64, end: u64, born: bool) {
        let place = |at: u64| self.points.partition_point(|&point| point < at) + self.leaves;
        let (mut left, mut right) = (place(start), place(end));
        let (first, last) = (left, right.saturating_sub(1));
        while left < right {
            if left & 1 == 1 {
                self.count(left, born);
                left += 1;
            }
            if right & 1 == 1 {
                right -= 1;
                self.count(right, born);
            }
            left >>= 1;
            right >>= 1;
        }
        // Only the nodes above both ends hold others that have changed.
        for mut node in [first, last] {
            while node > 0 {
                self.refresh(node);
                node >>= 1;
            }
        }
    }

    fn count(&mut self, node: usize, born: bool) {
        if let Some(count) = self.covers.get_mut(node) {
            *count = if born { count.saturating_add(1) } else { count.saturating_sub(1) };
        }
        self.refresh(node);
    }

    fn refresh(&mut self, node: usize) {
        let bytes = if self.covers.get(node).is_some_and(|&count| count > 0) {
            self.width(node)
        } else {
            let below = self.covered.get(node * 2..node * 2 + 2).unwrap_or(&[]);
            below.iter().sum()
        };
        if let Some(slot) = self.covered.get_mut(node) {
            *slot = bytes;
        }
    }

    /// Bytes of the address range of a node.
    fn width(&self, node: usize) -> u64 {
        let height = self.leaves.ilog2() - node.ilog2();
        let first = (node << height) - self.leaves;
        let last = (first + (1 << height)).min(self.points.len().saturating_sub(1));
        let point = |at: usize| self.points.get(at).copied().unwrap_or(0);
        point(last).saturating_sub(point(first))
    }

    fn bytes(&self) -> u64 {
        self.covered.get(1).copied().unwrap_or(0)
    }
}
