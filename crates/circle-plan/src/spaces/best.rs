//! The best plan of spaces that can be found in time: all rules, the search for blocks with the spaces as blocks,
//! then a climb over orders that uses their holes.

use std::time::{Duration, Instant};

use super::bound::lower_bound;
use super::place::{Holes, Placer};
use super::problem::{SpacePlan, Spaces};
use super::rules::Rule;
use super::shape::shape;
use crate::Problem;
use crate::random::Random;
use crate::search::{self, Options};

/// What found the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// A rule.
    Rule(Rule),
    /// The search for blocks.
    Blocks(search::Stage),
    /// The climb over orders of spaces.
    Local,
}

/// A plan of spaces and what is known of better ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The plan.
    pub plan: SpacePlan,
    /// Bytes that no plan can be below.
    pub lower_bound: u64,
    /// What found the plan.
    pub stage: Stage,
}

impl Outcome {
    /// Whether no plan needs less.
    pub fn is_optimal(&self) -> bool {
        self.plan.peak <= self.lower_bound
    }

    /// Bytes by which another plan may be better; 0 if it is optimal.
    pub fn gap(&self) -> u64 {
        self.plan.peak.saturating_sub(self.lower_bound)
    }

    fn take(&mut self, plan: SpacePlan, stage: Stage) {
        if plan.peak < self.plan.peak {
            self.plan = plan;
            self.stage = stage;
        }
    }
}

/// Spaces placed by the climb: some tenths of a second.
const CLIMB_SPACES: usize = 200_000;

/// The best plan found within the time limit, of which the rules take what they need. Its peak is never above that of
/// any rule. The search for blocks has the greater part of the time.
pub fn best(problem: &Spaces, options: &Options) -> Outcome {
    let deadline = Instant::now().checked_add(options.time_limit);
    let left = || deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
    let first = Rule::AidgeNone;
    let mut outcome =
        Outcome { plan: first.plan(problem), lower_bound: lower_bound(problem), stage: Stage::Rule(first) };
    let enough = options.enough.unwrap_or(0);
    let done = |outcome: &Outcome| outcome.plan.peak <= outcome.lower_bound.max(enough);
    for rule in Rule::ALL {
        if done(&outcome) {
            return outcome;
        }
        outcome.take(rule.plan(problem), Stage::Rule(rule));
    }
    if done(&outcome) {
        return outcome;
    }
    if let Ok(blocks) = Problem::new(problem.blocks(), None) {
        let time_limit = left().map_or(options.time_limit, |left| left / 4 * 3);
        let enough = Some(outcome.lower_bound.max(enough));
        let found = search::best(&blocks, &Options { time_limit, enough, ..options.clone() });
        // Where no space has a hole, what is proven of the blocks is proven of the spaces.
        let solid = problem.spaces().iter().all(|space| match shape(space).as_slice() {
            [only] => (only.start, only.end) == (0, space.size),
            several => several.is_empty() && space.size == 0,
        });
        if solid {
            outcome.lower_bound = outcome.lower_bound.max(found.lower_bound);
        }
        outcome.take(SpacePlan::new(problem, found.plan.offsets), Stage::Blocks(found.stage));
    }
    if !done(&outcome) {
        let target = outcome.lower_bound.max(enough);
        let late = || left().is_some_and(|left| left == Duration::ZERO);
        climb(problem, options.seed, target, &mut outcome, late);
    }
    outcome
}

/// Climbs from the order of each rule that uses all holes.
fn climb(problem: &Spaces, seed: u64, target: u64, outcome: &mut Outcome, late: impl Fn() -> bool) {
    let mut placer = Placer::new(problem);
    let mut random = Random::new(seed);
    let starts = Rule::ALL.into_iter().filter(|rule| rule.holes() == Holes::Both);
    for rule in starts {
        let mut order = rule.order(problem);
        let mut plan = placer.place(&order, Holes::Both);
        for _ in 0..(CLIMB_SPACES / order.len().max(1)).clamp(3, 2000) {
            if outcome.plan.peak <= target || order.len() < 2 || late() {
                return;
            }
            let Some((one, other)) = step(problem, &plan, &order, &mut random) else { break };
            order.swap(one, other);
            let next = placer.place(&order, Holes::Both);
            if next.peak <= plan.peak {
                plan = next;
                outcome.take(plan.clone(), Stage::Local);
            } else {
                order.swap(one, other);
            }
        }
    }
}

/// Two turns to swap: of a space that lives at the same time as the one on top, or of that itself, and mostly of
/// another such, else of any.
fn step(problem: &Spaces, plan: &SpacePlan, order: &[usize], random: &mut Random) -> Option<(usize, usize)> {
    let space = |turn: usize| order.get(turn).and_then(|&i| problem.spaces().get(i));
    let end = |turn: usize| {
        let offset = order.get(turn).and_then(|&i| plan.offsets.get(i))?;
        Some(offset.saturating_add(space(turn)?.size))
    };
    let top = space((0..order.len()).find(|&turn| end(turn) == Some(plan.peak))?)?;
    let (lower, upper) = (top.lower(), top.upper());
    let meets = |turn: &usize| space(*turn).is_some_and(|s| s.lower() < upper && lower < s.upper());
    let meeting: Vec<usize> = (0..order.len()).filter(meets).collect();
    let one = *meeting.get(random.below(meeting.len()))?;
    let other = match random.below(4) {
        0 => random.below(order.len()),
        _ => *meeting.get(random.below(meeting.len()))?,
    };
    Some((one, other))
}
