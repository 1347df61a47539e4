//! A position of the exact search, and what follows from it.
//!
//! Items get their place from the bottom up: whatever waits for its place lies above all placed items
//! that it meets. Of each waiting item the state knows the lowest offset it may have. Three rules raise
//! these, in every section, until nothing changes. `rest` are the bytes of a section that wait:
//! - some item is the lowest of those waiting, and all others lie above it: an item that begins
//!   above `capacity - rest` at least is not the lowest one;
//! - an item that is not the lowest one lies above the least address at which another may end;
//! - if only one can be the lowest one, all others lie above that one.
//!
//! If none can be the lowest one, there is no plan.

use super::model::Model;
use crate::problem::align_up;

/// Lowest offset of an item that has its place.
pub(super) const PLACED: u64 = u64::MAX;

/// What is known of the items of a section that wait for their place; [`PLACED`] twice if none does.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Summary {
    /// Least offset at which one may begin.
    pub(super) floor: u64,
    /// Least address at which one may end.
    pub(super) top: u64,
}

/// What came of drawing conclusions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Propagated {
    /// There are no more, and there may be a plan.
    Open,
    /// There is no plan.
    Dead,
    /// There are more, but two items of few bytes could push each other up for ever so long.
    Tired,
}

/// Sweeps over all sections for the conclusions from one step; some ten are common.
const MOST_SWEEPS: usize = 10_000;

/// The position. Everything is in units of the model.
#[derive(Debug)]
pub(super) struct State<'a> {
    pub(super) model: &'a Model,
    pub(super) capacity: u64,
    /// Lowest offset of each item, or [`PLACED`].
    pub(super) low: Vec<u64>,
    /// Offset of each placed item.
    pub(super) place: Vec<u64>,
    /// Sum of the sizes that wait in each section.
    pub(super) rest: Vec<u64>,
    /// Right after [`State::propagate`].
    pub(super) summary: Vec<Summary>,
    /// Sections with a change that no conclusions have been drawn from.
    dirty: Vec<bool>,
    /// Items with the value of `low` they had before.
    trail: Vec<(usize, u64)>,
}

impl<'a> State<'a> {
    /// Nothing placed; `None` if some item cannot lie anywhere.
    pub(super) fn new(model: &'a Model, capacity: u64) -> Option<Self> {
        let sum = |list: &Vec<u32>| list.iter().map(|&i| model.items[i as usize].size).sum();
        let mut state = Self {
            model,
            capacity,
            low: model.items.iter().map(|item| item.fixed.unwrap_or(0)).collect(),
            place: vec![0; model.items.len()],
            rest: model.sections.iter().map(sum).collect(),
            summary: vec![Summary::default(); model.sections.len()],
            dirty: vec![true; model.sections.len()],
            trail: Vec::new(),
        };
        // Puts each item above fixed ones that leave no room below, and beneath the capacity.
        (0..model.items.len()).all(|i| state.raise(i, 0)).then_some(state)
    }

    /// Where to [`State::undo`] to.
    pub(super) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Takes back all that happened since the mark.
    pub(super) fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            let Some((i, before)) = self.trail.pop() else { return };
            let item = &self.model.items[i];
            if self.low[i] == PLACED {
                self.rest[item.from..item.to].iter_mut().for_each(|rest| *rest += item.size);
            }
            self.low[i] = before;
            self.dirty[item.from..item.to].fill(true);
        }
    }

    fn set(&mut self, i: usize, low: u64) {
        self.trail.push((i, self.low[i]));
        self.low[i] = low;
        let item = &self.model.items[i];
        self.dirty[item.from..item.to].fill(true);
    }

    /// Item `i`, which waits, begins at `low` at least. `false` if it cannot.
    pub(super) fn raise(&mut self, i: usize, low: u64) -> bool {
        let item = &self.model.items[i];
        let mut low = low.max(self.low[i]);
        if let Some(fixed) = item.fixed {
            return low <= fixed && fixed + item.size <= self.capacity;
        }
        low = align_up(low, item.alignment);
        for &(begin, end) in &item.obstacles {
            if low < end && low.saturating_add(item.size) > begin {
                low = align_up(end, item.alignment);
            }
        }
        if low.saturating_add(item.size) > self.capacity {
            return false;
        }
        if low > self.low[i] {
            self.set(i, low);
        }
        true
    }

    /// Places item `i` at its lowest offset, and all that wait and meet it above. `false` if they cannot.
    pub(super) fn put(&mut self, i: usize) -> bool {
        let model = self.model;
        let item = &model.items[i];
        self.place[i] = self.low[i];
        let end = self.low[i] + item.size;
        self.set(i, PLACED);
        self.rest[item.from..item.to].iter_mut().for_each(|rest| *rest -= item.size);
        let met = model.sections[item.from..item.to].iter().flatten().map(|&x| x as usize);
        for x in met {
            if self.low[x] < end && !self.raise(x, end) {
                return false;
            }
        }
        true
    }

    /// Draws all conclusions in the sections `from..to`.
    pub(super) fn propagate(&mut self, from: usize, to: usize) -> Propagated {
        for _ in 0..MOST_SWEEPS {
            let mut quiet = true;
            for s in from..to {
                if self.dirty[s] {
                    self.dirty[s] = false;
                    quiet = false;
                    if !self.conclude(s) {
                        self.dirty[s] = true;
                        return Propagated::Dead;
                    }
                }
            }
            if quiet {
                return Propagated::Open;
            }
        }
        Propagated::Tired
    }

    fn conclude(&mut self, s: usize) -> bool {
        let model = self.model;
        let list = &model.sections[s];
        self.summary[s] = Summary { floor: PLACED, top: PLACED };
        if self.rest[s] == 0 {
            return true;
        }
        let Some(limit) = self.capacity.checked_sub(self.rest[s]) else { return false };
        let (mut floor, mut top, mut second, mut lowest) = (PLACED, PLACED, PLACED, 0);
        let (mut possible, mut first, mut late) = (0, 0, false);
        for x in list.iter().map(|&x| x as usize).filter(|&x| self.low[x] != PLACED) {
            let low = self.low[x];
            let end = low + model.items[x].size;
            floor = floor.min(low);
            if end < top {
                (second, top, lowest) = (top, end, x);
            } else {
                second = second.min(end);
            }
            if low <= limit {
                (possible, first) = (possible + 1, x);
            } else {
                late = true;
            }
        }
        self.summary[s] = Summary { floor, top };
        if possible == 0 {
            return false;
        }
        if possible > 1 && !late {
            return true;
        }
        let only = (possible == 1).then(|| self.low[first] + model.items[first].size);
        for x in list.iter().map(|&x| x as usize) {
            let low = match only {
                _ if self.low[x] == PLACED => continue,
                Some(_) if x == first => continue,
                Some(end) => end,
                None if self.low[x] <= limit => continue,
                None if x == lowest => second,
                None => top,
            };
            if low > self.low[x] && !self.raise(x, low) {
                return false;
            }
        }
        true
    }
}
