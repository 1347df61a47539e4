//! Pairs of rectangles of time and address that overlap and differ in colour.
//!
//! A sweep over time holds the rectangles that are alive in a segment tree over the addresses that occur. Each node keeps
//! those whose addresses are all of the node's, and knows whether its subtree holds none, one colour or several. What
//! overlaps a new rectangle lies on the way to the nodes that make it up, or beneath them; subtrees without another colour
//! are not entered. So each step leads to a pair, but for the logarithm.

use std::collections::{BTreeMap, BTreeSet};

use super::touching::{Rectangle, touching};
use crate::form::Piece;

/// A rectangle, or two that are one thing.
#[derive(Debug, Clone)]
pub(super) struct Item {
    colour: u64,
    ticks: (u64, u64),
    /// First addresses and ends, which may be beyond 64 bits.
    pieces: [Option<(u128, u128)>; 2],
}

impl Item {
    /// What occupies nothing has no pieces and overlaps with nothing.
    pub(super) fn new(colour: u64, ticks: (u64, u64), pieces: impl Iterator<Item = Piece>) -> Self {
        let mut item = Self { colour, ticks, pieces: [None, None] };
        if ticks.0 < ticks.1 {
            for (slot, piece) in item.pieces.iter_mut().zip(pieces) {
                let start = u128::from(piece.offset);
                *slot = (piece.size > 0).then(|| (start, start + u128::from(piece.size)));
            }
        }
        item
    }

    fn pieces(&self) -> impl Iterator<Item = (u128, u128)> + use<> {
        self.pieces.into_iter().flatten()
    }

    /// Whether two items share an address at one tick and differ in colour.
    fn meets(&self, other: &Self) -> bool {
        self.colour != other.colour
            && meet(self.ticks, other.ticks)
            && self.pieces().any(|one| other.pieces().any(|second| meet(one, second)))
    }
}

fn meet<T: Ord>(one: (T, T), other: (T, T)) -> bool {
    one.0 < other.1 && other.0 < one.1
}

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Positions, the smaller first, ascending, each pair once.
    pub(super) pairs: Vec<(usize, usize)>,
    /// Whether the search was ended before all were found.
    pub(super) more: bool,
}

/// Looks for all pairs, so long as there are not many times more than items.
pub(super) fn find(items: &[Item]) -> Found {
    let most = items.len().saturating_mul(16).saturating_add(1 << 16);
    let mut edges: Vec<u128> =
        items.iter().flat_map(Item::pieces).flat_map(|(start, end)| [start, end]).collect();
    edges.sort_unstable();
    edges.dedup();
    // Removals come before insertions at the same tick, for ends are exclusive.
    let mut events: Vec<(u64, bool, usize)> = Vec::with_capacity(items.len().saturating_mul(2));
    for (at, item) in items.iter().enumerate().filter(|(_, item)| item.pieces().next().is_some()) {
        events.extend([(item.ticks.0, true, at), (item.ticks.1, false, at)]);
    }
    events.sort_unstable();

    let mut tree = Tree::new(edges.len().saturating_sub(1));
    // The item that last was paired with each.
    let mut paired = vec![usize::MAX; items.len()];
    let mut found = Found::default();
    let mut steps = 0usize;
    for (_, insert, at) in events {
        let Some(item) = items.get(at) else { continue };
        let position = |edge: u128| edges.partition_point(|e| *e < edge);
        let ranges: Vec<(usize, usize)> =
            item.pieces().map(|(start, end)| (position(start), position(end))).collect();
        if !insert {
            ranges.iter().for_each(|range| tree.change(*range, (item.colour, at), false));
            continue;
        }
        for &range in &ranges {
            tree.visit(range, item.colour, |other| {
                steps += 1;
                if let Some(last) = paired.get_mut(other).filter(|last| **last != at) {
                    *last = at;
                    found.pairs.push((other.min(at), other.max(at)));
                }
                steps < most
            });
        }
        if steps >= most {
            found.more = true;
            break;
        }
        ranges.iter().for_each(|range| tree.change(*range, (item.colour, at), true));
    }
    found.pairs.sort_unstable();
    found
}

/// All pairs, also those that are not listed.
#[derive(Debug, Default)]
pub(super) struct Total {
    pub(super) count: u64,
    /// Whether that is the least number.
    pub(super) at_least: bool,
    /// Positions of the items that have part in a pair, ascending.
    pub(super) items: Vec<usize>,
}

/// Counts all pairs, of which some are `listed`, without looking at each. Items in two pieces are held against every other
/// one, so long as that takes no more than 2^26 steps; beyond, those of their pairs are counted that are listed.
pub(super) fn total(items: &[Item], listed: &[(usize, usize)]) -> Total {
    const MOST: usize = 1 << 26;
    let is_single = |at: usize| items.get(at).is_some_and(|item| item.pieces().count() == 1);
    let all: Vec<usize> = (0..items.len()).filter(|at| is_single(*at)).collect();
    let mut others = vec![0_u64; items.len()];
    for (at, count) in all.iter().zip(among(items, &all)) {
        others[*at] = count;
    }
    let mut colours: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for at in &all {
        colours.entry(items[*at].colour).or_default().push(*at);
    }
    for of_one in colours.values().filter(|of_one| of_one.len() > 1) {
        for (at, count) in of_one.iter().zip(among(items, of_one)) {
            others[*at] = others[*at].saturating_sub(count);
        }
    }
    let mut count: u128 = others.iter().map(|count| u128::from(*count)).sum::<u128>() / 2;
    let double: Vec<usize> = (0..items.len()).filter(|at| items[*at].pieces().count() == 2).collect();
    let at_least = double.len().saturating_mul(items.len()) > MOST;
    let mut enter = |one: usize, other: usize| {
        count += 1;
        others[one] += 1;
        others[other] += 1;
    };
    if at_least {
        let doubled = listed.iter().filter(|(one, other)| !is_single(*one) || !is_single(*other));
        doubled.for_each(|(one, other)| enter(*one, *other));
    } else {
        for &one in &double {
            for other in 0..items.len() {
                // Of two in two pieces the pair is counted once.
                if (is_single(other) || other > one) && items[one].meets(&items[other]) {
                    enter(one, other);
                }
            }
        }
    }
    let items = (0..items.len()).filter(|at| others[*at] > 0).collect();
    Total { count: u64::try_from(count).unwrap_or(u64::MAX), at_least, items }
}

/// For each of some items in one piece, how many of the same it overlaps, whatever their colours.
fn among(items: &[Item], some: &[usize]) -> Vec<u64> {
    let rectangle = |at: &usize| -> Option<Rectangle> {
        let item = items.get(*at)?;
        Some((item.ticks, item.pieces().next()?))
    };
    touching(&some.iter().filter_map(rectangle).collect::<Vec<_>>())
}

/// The colours of a subtree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Colours {
    None,
    One(u64),
    Several,
}

impl Colours {
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::None, colours) | (colours, Self::None) => colours,
            (Self::One(one), Self::One(other)) if one == other => self,
            _ => Self::Several,
        }
    }
    fn only(self, colour: u64) -> bool {
        matches!(self, Self::None) || self == Self::One(colour)
    }
}

/// Items that are alive, by address. Node 1 is the root, those below node n are 2n and 2n + 1.
#[derive(Debug)]
struct Tree {
    leaves: usize,
    /// What covers all of a node and not of the node above, by colour.
    own: Vec<BTreeSet<(u64, usize)>>,
    colours: Vec<Colours>,
}

impl Tree {
    fn new(edges: usize) -> Self {
        let leaves = edges.max(1).next_power_of_two();
        Self { leaves, own: vec![BTreeSet::new(); 2 * leaves], colours: vec![Colours::None; 2 * leaves] }
    }

    /// Enters an item into the nodes that make up a range, or takes it out.
    fn change(&mut self, (start, end): (usize, usize), entry: (u64, usize), insert: bool) {
        let (mut low, mut high) = (start + self.leaves, end + self.leaves);
        while low < high {
            if low % 2 == 1 {
                self.change_node(low, entry, insert);
                low += 1;
            }
            if high % 2 == 1 {
                high -= 1;
                self.change_node(high, entry, insert);
            }
            (low, high) = (low / 2, high / 2);
        }
    }

    fn change_node(&mut self, node: usize, entry: (u64, usize), insert: bool) {
        if let Some(own) = self.own.get_mut(node) {
            if insert {
                own.insert(entry);
            } else {
                own.remove(&entry);
            }
        }
        let mut node = node;
        while node > 0 {
            let colours =
                self.own_colours(node).and(self.colours_of(2 * node)).and(self.colours_of(2 * node + 1));
            match self.colours.get_mut(node) {
                Some(before) if *before != colours => *before = colours,
                _ => return,
            }
            node /= 2;
        }
    }

    fn own_colours(&self, node: usize) -> Colours {
        let ends = self.own.get(node).and_then(|own| Some((own.first()?.0, own.last()?.0)));
        ends.map_or(Colours::None, |(first, last)| Colours::One(first).and(Colours::One(last)))
    }

    /// Those of a node that is not there are none.
    fn colours_of(&self, node: usize) -> Colours {
        self.colours.get(node).copied().unwrap_or(Colours::None)
    }

    /// Hands on what shares an address with a range and has another colour, possibly more than once, until told to stop.
    fn visit(&self, (start, end): (usize, usize), colour: u64, mut hand: impl FnMut(usize) -> bool) {
        // Nodes with the leaves they span.
        let mut open = vec![(1usize, 0usize, self.leaves)];
        while let Some((node, from, to)) = open.pop() {
            if to <= start || end <= from || self.colours_of(node).only(colour) {
                continue;
            }
            if let Some(own) = self.own.get(node) {
                let others = own.range(..(colour, 0)).chain(own.range((colour.saturating_add(1), 0)..));
                for (_, item) in others {
                    if !hand(*item) {
                        return;
                    }
                }
            }
            if to - from > 1 {
                let middle = from.midpoint(to);
                open.extend([(2 * node + 1, middle, to), (2 * node, from, middle)]);
            }
        }
    }
}
