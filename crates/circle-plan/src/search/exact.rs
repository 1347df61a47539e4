//! Exact search: is there a plan within so many bytes?
//!
//! A depth-first search over positions ([`super::state`]) with the branches of [`super::branch`].
//! Where no waiting item lives on both sides of a point in time, both sides are searched on their own:
//! if one has no solution nobody goes back into the other. Positions without solution are remembered
//! ([`super::table`]). The stack is a list, so that deep searches are no danger.

use std::time::Instant;

use super::branch::{Choice, Way, above, choose};
use super::model::Model;
use super::state::{PLACED, Propagated, State};
use super::table::{Key, Table};
use crate::clock::now;
use crate::problem::{Plan, Problem};
use crate::random::Random;

/// What the search says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Yes, this plan.
    Found(Plan),
    /// No, there is none.
    Impossible,
    /// It has given up.
    Unknown,
}

/// What to ask [`decide`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// Bytes the plan may need.
    pub bytes: u64,
    /// Positions to look at before giving up.
    pub positions: u64,
}

/// Lists of live items of a problem may have this many entries together to be searched exactly, and it may
/// have [`MOST_ITEMS`] items. A dive to a plan takes time in proportion to items times entries.
pub(super) const MOST_ENTRIES: usize = 1 << 19;

/// See [`MOST_ENTRIES`].
pub(super) const MOST_ITEMS: usize = 6000;

/// Whether the problem has a plan within the bytes asked for. A problem too large for its lists of live
/// blocks is [`Answer::Unknown`].
pub fn decide(problem: &Problem, question: &Question) -> Answer {
    let Some(model) = Model::new(problem, MOST_ITEMS, MOST_ENTRIES) else { return Answer::Unknown };
    let mut table = Table::new(18);
    let (pick, prefer) = super::branch::WAYS[0];
    let way = Way { pick, prefer, noise: 0 };
    let mut search = Search { model: &model, table: &mut table, way, seed: 0, deadline: None };
    match search.run(question.bytes / model.unit, question.positions) {
        Verdict::Found(places) => Answer::Found(model.plan(problem, &places)),
        Verdict::Impossible => Answer::Impossible,
        Verdict::Unknown => Answer::Unknown,
    }
}

/// As [`Answer`], with the offsets in units.
#[derive(Debug)]
pub(super) enum Verdict {
    Found(Vec<u64>),
    Impossible,
    Unknown,
}

/// One search.
#[derive(Debug)]
pub(super) struct Search<'a> {
    pub(super) model: &'a Model,
    pub(super) table: &'a mut Table,
    pub(super) way: Way,
    pub(super) seed: u64,
    pub(super) deadline: Option<Instant>,
}

enum Frame {
    /// A position of the sections `from..to` and which of its branches comes next.
    Branch { from: usize, to: usize, choice: Choice, next: usize, mark: usize, key: Key },
    /// Ranges of sections that are still to be solved.
    Parts(Vec<(usize, usize)>),
}

enum Step {
    Enter(usize, usize),
    Leave { solved: bool },
}

impl Search<'_> {
    /// Looks for offsets within `capacity` units, at `positions` positions at most.
    pub(super) fn run(&mut self, capacity: u64, positions: u64) -> Verdict {
        let Some(mut state) = State::new(self.model, capacity) else { return Verdict::Impossible };
        let mut random = Random::new(self.seed);
        let mut stack: Vec<Frame> = Vec::new();
        let mut step = Step::Enter(0, self.model.sections.len());
        let mut seen = 0u64;
        loop {
            step = match step {
                Step::Enter(from, to) => {
                    seen += 1;
                    if seen > positions || self.late() {
                        return Verdict::Unknown;
                    }
                    match state.propagate(from, to) {
                        Propagated::Open => self.enter(&state, from, to, &mut stack, &mut random),
                        Propagated::Dead => Step::Leave { solved: false },
                        Propagated::Tired => return Verdict::Unknown,
                    }
                }
                Step::Leave { solved } => match stack.pop() {
                    None if solved => return Verdict::Found(state.place),
                    None => return Verdict::Impossible,
                    Some(Frame::Parts(mut rest)) => match rest.pop() {
                        Some((from, to)) if solved => {
                            stack.push(Frame::Parts(rest));
                            Step::Enter(from, to)
                        }
                        _ => Step::Leave { solved },
                    },
                    Some(Frame::Branch { .. }) if solved => Step::Leave { solved },
                    Some(Frame::Branch { from, to, choice, next, mark, key }) => {
                        state.undo(mark);
                        match branch(&mut state, &choice, next) {
                            None => {
                                self.table.put(key);
                                Step::Leave { solved: false }
                            }
                            Some(possible) => {
                                stack.push(Frame::Branch { from, to, choice, next: next + 1, mark, key });
                                if possible { Step::Enter(from, to) } else { Step::Leave { solved: false } }
                            }
                        }
                    }
                },
            };
        }
    }

    fn late(&self) -> bool {
        self.deadline.is_some_and(|deadline| now() >= deadline)
    }

    fn enter(
        &self,
        state: &State<'_>,
        from: usize,
        to: usize,
        stack: &mut Vec<Frame>,
        random: &mut Random,
    ) -> Step {
        let mut parts = parts(state, from, to);
        let Some((from, to)) = parts.pop() else { return Step::Leave { solved: true } };
        if !parts.is_empty() {
            stack.push(Frame::Parts(parts));
            return Step::Enter(from, to);
        }
        let key = key(state, from, to);
        if self.table.has(key) {
            return Step::Leave { solved: false };
        }
        let choice = choose(state, from, to, self.way, random);
        stack.push(Frame::Branch { from, to, choice, next: 0, mark: state.mark(), key });
        // Back to the frame just made, for its first branch.
        Step::Leave { solved: false }
    }
}

/// Takes branch number `next`: `None` if there are no more, `false` if it leads nowhere.
fn branch(state: &mut State<'_>, choice: &Choice, next: usize) -> Option<bool> {
    if let Some(&item) = choice.candidates.get(next) {
        return Some(state.put(item));
    }
    if next > choice.candidates.len() || !choice.empty {
        return None;
    }
    // First all new offsets, then the changes: one must not raise the other.
    let raised: Option<Vec<u64>> = choice.candidates.iter().map(|&x| above(state, x)).collect();
    let Some(raised) = raised else { return Some(false) };
    Some(choice.candidates.iter().zip(raised).all(|(&x, low)| state.raise(x, low)))
}

/// The ranges of sections within `from..to` that no waiting item connects.
fn parts(state: &State<'_>, from: usize, to: usize) -> Vec<(usize, usize)> {
    let mut parts: Vec<(usize, usize)> = Vec::new();
    for s in from..to {
        if state.rest[s] == 0 {
            continue;
        }
        let waiting = state.model.sections[s].iter().map(|&x| x as usize);
        let ends = waiting.filter(|&x| state.low[x] != PLACED).map(|x| state.model.items[x].to);
        let reach = ends.max().unwrap_or(s + 1);
        match parts.last_mut() {
            Some((_, end)) if s < *end => *end = reach.max(*end),
            _ => parts.push((s, reach)),
        }
    }
    parts
}

fn key(state: &State<'_>, from: usize, to: usize) -> Key {
    let mut key = Key::new(state.capacity);
    for (index, (item, &low)) in state.model.items.iter().zip(&state.low).enumerate() {
        if low != PLACED && from <= item.from && item.to <= to {
            key.add(index, low);
        }
    }
    key
}
