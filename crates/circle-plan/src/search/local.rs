//! Local search over the order in which blocks are placed.
//!
//! In the manner of Vela's search: find a block on which the peak rests; move it, or one that meets it, to
//! another turn; keep the new order unless its plan is worse.

use std::time::Instant;

use crate::place::{Fit, Placer, late};
use crate::problem::{Plan, Problem};
use crate::random::Random;

/// How long a climb goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Climb {
    /// Rounds at most, each of which places all blocks once.
    pub rounds: usize,
    /// Rounds without a better plan after which it gives up.
    pub patience: usize,
    /// Seed of the random choices.
    pub seed: u64,
    /// When to stop at the latest.
    pub deadline: Option<Instant>,
}

impl Default for Climb {
    /// 500 rounds, patience for 200, seed 1, no deadline.
    fn default() -> Self {
        Self { rounds: 500, patience: 200, seed: 1, deadline: None }
    }
}

/// Climbs from `order`, which holds the position of every block once, placing by first fit. Stops early
/// at a peak of `enough` bytes.
pub fn climb(problem: &Problem, order: &[usize], enough: u64, climb: &Climb) -> Plan {
    let mut placer = Placer::new(problem);
    let mut order = order.to_vec();
    let mut plan = placer.place(&order, Fit::First, climb.deadline);
    let mut random = Random::new(climb.seed);
    let mut idle = 0;
    for _ in 0..climb.rounds {
        if plan.peak <= enough || idle >= climb.patience || order.len() < 2 || late(climb.deadline) {
            break;
        }
        let Some((one, other)) = step(problem, &plan, &order, &mut random) else { break };
        order.swap(one, other);
        let next = placer.place(&order, Fit::First, climb.deadline);
        idle = if next.peak < plan.peak { 0 } else { idle + 1 };
        if next.peak <= plan.peak {
            plan = next;
        } else {
            order.swap(one, other);
        }
    }
    plan
}

/// Two turns to swap: that of a block which meets the one on top, or of that one itself, and mostly
/// another such, else any.
fn step(problem: &Problem, plan: &Plan, order: &[usize], random: &mut Random) -> Option<(usize, usize)> {
    let blocks = problem.blocks();
    let end = |i: usize| Some(plan.offsets.get(i)?.saturating_add(blocks.get(i)?.size));
    let on_top = order.iter().find(|&&i| end(i) == Some(plan.peak))?;
    let top = blocks.get(*on_top)?;
    let meets = |turn: &usize| order.get(*turn).and_then(|&i| blocks.get(i)).is_some_and(|b| b.meets(top));
    let meeting: Vec<usize> = (0..order.len()).filter(meets).collect();
    let one = *meeting.get(random.below(meeting.len()))?;
    let other = match random.below(4) {
        0 => random.below(order.len()),
        _ => *meeting.get(random.below(meeting.len()))?,
    };
    Some((one, other))
}
