//! The number of bytes that at least one of a changing set of ranges covers.

use super::number::Number;
use std::ops::Range;

/// A balanced tree over the places where ranges begin and end: adding and removing a range takes logarithmic time
/// (J. L. Bentley, "Solutions to Klee's rectangle problems", 1977).
pub(super) struct Cover<N> {
    /// Sorted, each once.
    bounds: Vec<N>,
    /// How many ranges cover the whole stretch of a node, and not the whole of its parent's.
    times: Vec<u32>,
    /// Covered bytes of a node's stretch.
    bytes: Vec<N>,
}

impl<N: Number> Cover<N> {
    /// A tree for ranges that begin and end at the given places.
    pub(super) fn new(mut bounds: Vec<N>) -> Cover<N> {
        bounds.sort_unstable();
        bounds.dedup();
        let nodes = 4 * bounds.len().max(1);
        Cover { bounds, times: vec![0; nodes], bytes: vec![N::default(); nodes] }
    }

    /// Covered bytes.
    pub(super) fn bytes(&self) -> N {
        self.bytes.get(1).copied().unwrap_or_default()
    }

    /// Adds a range, or removes one that was added. Its ends are among the places.
    pub(super) fn change(&mut self, range: Range<N>, add: bool) {
        let (Ok(from), Ok(till)) =
            (self.bounds.binary_search(&range.start), self.bounds.binary_search(&range.end))
        else {
            return;
        };
        if from < till {
            self.descend(1, 0, self.bounds.len() - 1, from, till, add);
        }
    }

    /// Changes the node of the stretch between bounds `low` and `high`. Halves the stretch each time, so that calls are
    /// at most 64 deep.
    fn descend(&mut self, node: usize, low: usize, high: usize, from: usize, till: usize, add: bool) {
        if from <= low && high <= till {
            let times = &mut self.times[node];
            *times = if add { times.saturating_add(1) } else { times.saturating_sub(1) };
        } else {
            let middle = low.midpoint(high);
            if from < middle {
                self.descend(2 * node, low, middle, from, till, add);
            }
            if till > middle {
                self.descend(2 * node + 1, middle, high, from, till, add);
            }
        }
        self.bytes[node] = if self.times[node] > 0 {
            self.bounds[high] - self.bounds[low]
        } else if high - low > 1 {
            self.bytes[2 * node] + self.bytes[2 * node + 1]
        } else {
            N::default()
        };
    }
}
