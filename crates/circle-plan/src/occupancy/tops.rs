//! Up to where addresses are taken, section by section, and no more than that: for placing without regard to holes.

/// The highest end of what lives in each section, in a binary tree over the sections: 1 is the root.
#[derive(Debug)]
pub(crate) struct Tops {
    leaves: usize,
    /// Of each node, the highest end of what lives through its range.
    all: Vec<u64>,
    /// Of each node, the highest end of what lives in any part of its range.
    any: Vec<u64>,
}

impl Tops {
    /// Nothing taken in `sections` sections.
    pub(crate) fn new(sections: usize) -> Self {
        let leaves = sections.max(1).next_power_of_two();
        Self { leaves, all: vec![0; leaves * 2], any: vec![0; leaves * 2] }
    }

    /// Takes everything below `end` during the sections `from..to`.
    pub(crate) fn insert(&mut self, from: usize, to: usize, end: u64) {
        let to = to.min(self.leaves);
        if from >= to {
            return;
        }
        for node in parts(from + self.leaves, to + self.leaves) {
            for ends in [&mut self.all, &mut self.any] {
                if let Some(slot) = ends.get_mut(node) {
                    *slot = end.max(*slot);
                }
            }
        }
        for leaf in [from, to - 1] {
            for node in above(leaf + self.leaves) {
                if let Some(slot) = self.any.get_mut(node) {
                    *slot = end.max(*slot);
                }
            }
        }
    }

    /// The highest end in the sections `from..to`.
    pub(crate) fn top(&self, from: usize, to: usize) -> u64 {
        let to = to.min(self.leaves);
        if from >= to {
            return 0;
        }
        let within = parts(from + self.leaves, to + self.leaves).filter_map(|node| self.any.get(node));
        // What lives through the range of a node above lives in the part of it that is asked for.
        let through = [from, to - 1].into_iter().flat_map(|leaf| above(leaf + self.leaves));
        within.chain(through.filter_map(|node| self.all.get(node))).copied().max().unwrap_or(0)
    }
}

/// The nodes that make up a range of leaves.
fn parts(mut left: usize, mut right: usize) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if left >= right {
            return None;
        }
        let mut found = [None, None];
        if left % 2 == 1 {
            found[0] = Some(left);
            left += 1;
        }
        if right % 2 == 1 {
            right -= 1;
            found[1] = Some(right);
        }
        (left, right) = (left / 2, right / 2);
        Some(found)
    })
    .flatten()
    .flatten()
}

/// The nodes above a leaf.
fn above(leaf: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(leaf / 2), |node| Some(node / 2)).take_while(|node| *node > 0)
}
