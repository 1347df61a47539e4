//! A hill climb over the order in which blocks are placed, in the manner of Vela's search: start with
//! the order by urgency; find the block on which the peak rests; move it, or one that meets it, forward in
//! the order; keep the new order unless it is worse.

use crate::place::{Fit, Placer};
use crate::problem::{Plan, Problem};
use crate::random::Random;

/// How long a hill climb goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Climb {
    /// Rounds at most, each of which places all blocks once.
    pub rounds: usize,
    /// Rounds without a better plan after which it gives up.
    pub patience: usize,
    /// Seed of the random choices.
    pub seed: u64,
}

impl Default for Climb {
    /// 500 rounds, patience for 200, seed 1.
    fn default() -> Self {
        Self { rounds: 500, patience: 200, seed: 1 }
    }
}

/// Climbs from the order by urgency. Stops early at the lower bound.
pub fn hill_climb(problem: &Problem, climb: &Climb) -> Plan {
    let bound = crate::bound::lower_bound(problem);
    let mut placer = Placer::new(problem);
    let mut order = super::by_urgency::order(problem);
    let mut plan = placer.place(&order, Fit::First);
    let mut random = Random::new(climb.seed);
    let mut idle = 0;
    for _ in 0..climb.rounds {
        if plan.peak <= bound || idle >= climb.patience || order.len() < 2 {
            break;
        }
        let Some((from, to)) = step(problem, &plan, &order, &mut random) else { break };
        let mut changed = order.clone();
        changed.swap(from, to);
        let next = placer.place(&changed, Fit::First);
        idle = if next.peak < plan.peak { 0 } else { idle + 1 };
        if next.peak <= plan.peak {
            (plan, order) = (next, changed);
        }
    }
    plan
}

/// Two positions in the order to swap: one of a block on top or of one that meets it, and an earlier one.
fn step(problem: &Problem, plan: &Plan, order: &[usize], random: &mut Random) -> Option<(usize, usize)> {
    let blocks = problem.blocks();
    let at = |index: usize| Some((blocks.get(index)?, plan.offsets.get(index)?));
    let on_top = |&index: &usize| at(index).is_some_and(|(b, &o)| o.saturating_add(b.size) == plan.peak);
    let top = blocks.get(*order.iter().find(|i| on_top(i))?)?;
    let meeting: Vec<usize> = (0..order.len())
        .filter(|&p| order.get(p).and_then(|&i| blocks.get(i)).is_some_and(|b| b.meets(top)))
        .collect();
    // The top block is among those that meet it; later ones move in front of earlier ones.
    let one = *meeting.get(random.below(meeting.len()))?;
    let other = match random.below(4) {
        0 => random.below(order.len()),
        _ => *meeting.get(random.below(meeting.len()))?,
    };
    Some((one, other))
}
