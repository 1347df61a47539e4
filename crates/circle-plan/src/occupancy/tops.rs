//! Up to where addresses are taken, section by section, and how many of them are: for placing without regard to holes,
//! and for telling where there can be none.

/// Of a node, a range of sections.
#[derive(Debug, Clone, Copy, Default)]
struct Node {
    /// The highest end of what lives through the range.
    all: u64,
    /// The highest end of what lives in any part of the range.
    any: u64,
    /// Bytes of what lives through the range and not through that of the node above.
    through: u64,
    /// Bytes taken in the fullest section of the range, without those taken through that of a node above.
    most: u64,
}

/// A binary tree over the sections: 1 is the root. The first and the last leaf stand for no section.
#[derive(Debug)]
pub(crate) struct Tops {
    leaves: usize,
    sections: usize,
    nodes: Vec<Node>,
}

/// What is taken in a range of sections.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Below {
    /// The highest end.
    pub(crate) top: u64,
    /// Bytes in the section with most of them, if what was taken does not overlap.
    pub(crate) most: u64,
}

impl Tops {
    /// Nothing taken in `sections` sections.
    pub(crate) fn new(sections: usize) -> Self {
        let leaves = (sections + 2).next_power_of_two();
        Self { leaves, sections, nodes: vec![Node::default(); leaves * 2] }
    }

    /// Takes nothing any more.
    pub(crate) fn clear(&mut self) {
        self.nodes.fill(Node::default());
    }

    /// Takes `size` bytes below `end` during the sections `from..to`.
    pub(crate) fn insert(&mut self, from: usize, to: usize, size: u64, end: u64) {
        let to = to.min(self.sections);
        if from >= to {
            return;
        }
        // The leaves next to those of the range.
        let (mut left, mut right) = (from + self.leaves, to + 1 + self.leaves);
        let (mut on_left, mut on_right) = (false, false);
        while left ^ right != 1 {
            if left & 1 == 0 {
                self.take(left + 1, size, end);
                on_left = true;
            }
            if right & 1 == 1 {
                self.take(right - 1, size, end);
                on_right = true;
            }
            (left, right) = (left >> 1, right >> 1);
            self.refresh(left, if on_left { end } else { 0 });
            self.refresh(right, if on_right { end } else { 0 });
        }
        while left > 1 {
            left >>= 1;
            self.refresh(left, end);
        }
    }

    fn take(&mut self, node: usize, size: u64, end: u64) {
        if let Some(node) = self.nodes.get_mut(node) {
            node.all = node.all.max(end);
            node.any = node.any.max(end);
            node.through = node.through.saturating_add(size);
            node.most = node.most.saturating_add(size);
        }
    }

    /// Takes account of what was taken below a node, up to `end`.
    fn refresh(&mut self, node: usize, end: u64) {
        let below = match self.nodes.get(node * 2..node * 2 + 2) {
            Some([one, other]) => one.most.max(other.most),
            _ => return,
        };
        if let Some(node) = self.nodes.get_mut(node) {
            node.any = node.any.max(end);
            node.most = node.through.saturating_add(below);
        }
    }

    /// What is taken in the sections `from..to`.
    pub(crate) fn look(&self, from: usize, to: usize) -> Below {
        let to = to.min(self.sections);
        if from >= to {
            return Below::default();
        }
        let node = |at: usize| self.nodes.get(at).copied().unwrap_or_default();
        let (mut left, mut right) = (from + self.leaves, to + 1 + self.leaves);
        let (mut on_left, mut on_right) = (None, None);
        let with = |side: Option<Below>, inner: Node| {
            let Below { top, most } = side.unwrap_or_default();
            Some(Below { top: top.max(inner.any), most: most.max(inner.most) })
        };
        // What lives through the range of a node above lives in the part of it that is asked for.
        let under = |side: Below, outer: Node| Below {
            top: side.top.max(outer.all),
            most: side.most.saturating_add(outer.through),
        };
        while left ^ right != 1 {
            if left & 1 == 0 {
                on_left = with(on_left, node(left + 1));
            }
            if right & 1 == 1 {
                on_right = with(on_right, node(right - 1));
            }
            (left, right) = (left >> 1, right >> 1);
            on_left = on_left.map(|side| under(side, node(left)));
            on_right = on_right.map(|side| under(side, node(right)));
        }
        let (one, other) = (on_left.unwrap_or_default(), on_right.unwrap_or_default());
        let mut all = Below { top: one.top.max(other.top), most: one.most.max(other.most) };
        while left > 1 {
            left >>= 1;
            all = under(all, node(left));
        }
        all
    }
}

/// The nodes of such a tree that make up a range of leaves.
pub(super) fn parts(mut left: usize, mut right: usize) -> impl Iterator<Item = usize> + Clone {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn tops_and_sums_are_those_of_each_section() {
        for seed in 0..40 {
            let mut random = Random::new(seed);
            let sections = 1 + random.below(if seed % 2 == 0 { 9 } else { 70 });
            let mut tops = Tops::new(sections);
            let mut each = vec![Below::default(); sections];
            for turn in 0..100 {
                let from = random.below(sections);
                let to = from + 1 + random.below(sections - from);
                let found = tops.look(from, to);
                let wanted = each[from..to].iter().fold(Below::default(), |all, one| Below {
                    top: all.top.max(one.top),
                    most: all.most.max(one.most),
                });
                assert_eq!(found, wanted, "seed {seed}, turn {turn}");
                let (size, end) = (random.below(50) as u64, random.below(1000) as u64);
                tops.insert(from, to, size, end);
                for one in &mut each[from..to] {
                    *one = Below { top: one.top.max(end), most: one.most + size };
                }
            }
            tops.clear();
            assert_eq!(tops.look(0, sections), Below::default());
        }
    }
}
