//! How many bytes are alive, and when.

use crate::lifetimes::Liveness;
use crate::plan::Arena;

/// Bytes alive by stretch of time between births and deaths: adding and asking take logarithmic time.
pub(super) struct Live {
    /// Ticks at which something begins or ends, ascending.
    pub(super) ticks: Vec<u64>,
    /// A tree over the stretches: bytes of all of a subtree, and the most of any within.
    all: Vec<u64>,
    most: Vec<u64>,
    leaves: usize,
}

impl Live {
    pub(super) fn new(liveness: &Liveness) -> Self {
        let mut ticks: Vec<u64> = liveness.units.iter().flat_map(|unit| [unit.from, unit.till]).collect();
        ticks.sort_unstable();
        ticks.dedup();
        let leaves = ticks.len().next_power_of_two();
        Self { ticks, all: vec![0; 2 * leaves], most: vec![0; 2 * leaves], leaves }
    }

    /// Of what lies in an arena.
    pub(super) fn of(liveness: &Liveness, arena: &Arena) -> Self {
        let mut live = Self::new(liveness);
        for found in arena.units.iter().filter_map(|&unit| liveness.units.get(unit)) {
            live.add(found.from, found.till, found.size);
        }
        live
    }

    fn stretches(&self, from: u64, till: u64) -> (usize, usize) {
        let at = |tick: u64| self.ticks.partition_point(|&t| t < tick);
        (at(from), at(till))
    }

    /// The nodes that together cover a range of leaves.
    fn cover(&self, from: u64, till: u64) -> Vec<usize> {
        let (first, end) = self.stretches(from, till);
        let (mut low, mut high) = (first + self.leaves, end + self.leaves);
        let mut nodes = Vec::new();
        while low < high {
            if low % 2 == 1 {
                nodes.push(low);
                low += 1;
            }
            if high % 2 == 1 {
                high -= 1;
                nodes.push(high);
            }
            (low, high) = (low / 2, high / 2);
        }
        nodes
    }

    fn value(list: &[u64], node: usize) -> u64 {
        list.get(node).copied().unwrap_or(0)
    }

    pub(super) fn add(&mut self, from: u64, till: u64, bytes: u64) {
        for node in self.cover(from, till) {
            for list in [&mut self.all, &mut self.most] {
                if let Some(value) = list.get_mut(node) {
                    *value = value.saturating_add(bytes);
                }
            }
            let mut parent = node / 2;
            while parent > 0 {
                let below = Self::value(&self.most, 2 * parent).max(Self::value(&self.most, 2 * parent + 1));
                let most = below.saturating_add(Self::value(&self.all, parent));
                if let Some(value) = self.most.get_mut(parent) {
                    *value = most;
                }
                parent /= 2;
            }
        }
    }

    /// Most bytes alive at a tick of a stretch of time.
    pub(super) fn most(&self, from: u64, till: u64) -> u64 {
        let mut most = 0;
        for node in self.cover(from, till) {
            let mut bytes = Self::value(&self.most, node);
            let mut parent = node / 2;
            while parent > 0 {
                bytes = bytes.saturating_add(Self::value(&self.all, parent));
                parent /= 2;
            }
            most = most.max(bytes);
        }
        most
    }
}
