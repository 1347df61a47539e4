//! The execution order of a subgraph's operators: a linked list with comparable labels, so that inserting in the
//! middle and asking which of two operators runs first are both cheap however large the graph is.

use crate::entity::{Entity, OpId};

const GAP: u64 = 1 << 32;

#[derive(Clone, Copy, Debug, Default)]
struct Link {
    previous: Option<OpId>,
    next: Option<OpId>,
    label: u64,
    linked: bool,
}

/// The order. Every live operator of the subgraph is in it exactly once.
#[derive(Clone, Debug, Default)]
pub struct Order {
    links: Vec<Link>,
    first: Option<OpId>,
    last: Option<OpId>,
}

impl Order {
    fn link(&self, op: OpId) -> Link {
        self.links.get(op.index()).copied().unwrap_or_default()
    }
    fn link_mut(&mut self, op: OpId) -> &mut Link {
        if self.links.len() <= op.index() {
            self.links.resize(op.index() + 1, Link::default());
        }
        &mut self.links[op.index()]
    }
    /// The operator that runs first.
    pub fn first(&self) -> Option<OpId> {
        self.first
    }
    /// The operator that runs after `op`.
    pub fn next(&self, op: OpId) -> Option<OpId> {
        self.link(op).next
    }
    /// The operator that runs before `op`.
    pub fn previous(&self, op: OpId) -> Option<OpId> {
        self.link(op).previous
    }
    /// Whether `a` runs before `b`. Both must be in the order.
    pub fn is_before(&self, a: OpId, b: OpId) -> bool {
        self.link(a).label < self.link(b).label
    }
    /// All operators in order.
    pub fn iter(&self) -> impl Iterator<Item = OpId> + '_ {
        std::iter::successors(self.first, |&op| self.next(op))
    }
    /// Adds `op` at the end.
    pub(crate) fn push(&mut self, op: OpId) {
        self.insert_between(op, self.last, None);
    }
    /// Adds `op` directly before `anchor`.
    pub(crate) fn insert_before(&mut self, op: OpId, anchor: OpId) {
        self.insert_between(op, self.link(anchor).previous, Some(anchor));
    }
    /// Takes `op` out.
    pub(crate) fn remove(&mut self, op: OpId) {
        let Link { previous, next, linked, .. } = self.link(op);
        if !linked {
            return;
        }
        match previous {
            Some(p) => self.link_mut(p).next = next,
            None => self.first = next,
        }
        match next {
            Some(n) => self.link_mut(n).previous = previous,
            None => self.last = previous,
        }
        *self.link_mut(op) = Link::default();
    }
    fn insert_between(&mut self, op: OpId, previous: Option<OpId>, next: Option<OpId>) {
        let label = match (previous.map(|p| self.link(p).label), next.map(|n| self.link(n).label)) {
            (None, None) => GAP,
            (Some(p), None) => p.saturating_add(GAP),
            (None, Some(n)) => n / 2,
            (Some(p), Some(n)) => p + n.saturating_sub(p) / 2,
        };
        *self.link_mut(op) = Link { previous, next, label, linked: true };
        match previous {
            Some(p) => self.link_mut(p).next = Some(op),
            None => self.first = Some(op),
        }
        match next {
            Some(n) => self.link_mut(n).previous = Some(op),
            None => self.last = Some(op),
        }
        let crowded = previous.is_some_and(|p| self.link(p).label >= label)
            || next.is_some_and(|n| self.link(n).label <= label)
            || label == 0;
        if crowded {
            self.relabel();
        }
    }
    /// Spreads the labels evenly again; halving a gap 32 times between two relabels makes this rare.
    fn relabel(&mut self) {
        let mut label = 0;
        let mut at = self.first;
        while let Some(op) = at {
            label += GAP;
            self.link_mut(op).label = label;
            at = self.link(op).next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn op(n: u32) -> OpId {
        OpId::from_number(n)
    }

    #[test]
    fn inserting_often_at_one_place_keeps_the_order() {
        let mut order = Order::default();
        order.push(op(0));
        order.push(op(1));
        for n in 2..200 {
            order.insert_before(op(n), op(1));
        }
        let got: Vec<u32> = order.iter().map(|o| o.number()).collect();
        let want: Vec<u32> = std::iter::once(0).chain(2..200).chain(std::iter::once(1)).collect();
        assert_eq!(got, want);
        assert!(got.windows(2).all(|w| order.is_before(op(w[0]), op(w[1]))));
        order.remove(op(0));
        order.remove(op(1));
        assert_eq!((order.first(), order.iter().last()), (Some(op(2)), Some(op(199))));
    }
}
