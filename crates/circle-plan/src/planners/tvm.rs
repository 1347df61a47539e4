//! The planners of TVM's unified static memory planner.
//!
//! Its greedy planners place a block above all blocks it meets that have a place already. Its hill climb
//! fills holes. In each of at most 500 rounds that swaps the turns of two blocks: of one that meets a block
//! on top and was placed before it, and of another such or, three times out of four, of one that in turn meets
//! such a block and was placed before that.

use std::cmp::Reverse;
use std::time::Instant;

use super::by_conflicts::conflicts;
use crate::bound::lower_bound;
use crate::place::{Fit, Placer, late, order_by};
use crate::problem::{Plan, Problem};
use crate::random::Random;

const ROUNDS: u64 = 500;

pub(super) fn by_size(problem: &Problem) -> Vec<usize> {
    let conflicts = conflicts(problem);
    order_by(problem, |index, b| Reverse((b.size, conflicts.get(index).copied(), b.id.as_str())))
}

pub(super) fn by_conflicts(problem: &Problem) -> Vec<usize> {
    let conflicts = conflicts(problem);
    order_by(problem, |index, b| Reverse((conflicts.get(index).copied(), b.size, b.id.as_str())))
}

/// Ends early at the lower bound, and gives the best plan of all rounds; TVM gives that of the last
/// order it took.
pub(super) fn climb(problem: &Problem, deadline: Option<Instant>) -> Plan {
    let mut placer = Placer::new(problem);
    let mut order = by_size(problem);
    let mut plan = placer.place(&order, Fit::First, deadline);
    let mut best = plan.clone();
    let enough = lower_bound(problem);
    let mut random = Random::new(0);
    for round in 1..=ROUNDS {
        if best.peak <= enough || late(deadline) {
            break;
        }
        let Some((one, other)) = step(problem, &plan, &order, &mut random) else { continue };
        order.swap(one, other);
        let next = placer.place(&order, Fit::First, deadline);
        // A worse order is taken with a chance of up to half of what it is worse by, shrinking with time.
        let worse = next.peak.saturating_sub(plan.peak);
        let chance = u128::from(worse) * 50 / u128::from(next.peak.max(1)) / u128::from(round);
        if next.peak < plan.peak || (random.below(100) as u128) < chance {
            plan = next;
            if plan.peak < best.peak {
                best = plan.clone();
            }
        } else {
            order.swap(one, other);
        }
    }
    best
}

/// Two turns to swap, if there are two such.
fn step(problem: &Problem, plan: &Plan, order: &[usize], random: &mut Random) -> Option<(usize, usize)> {
    let blocks = problem.blocks();
    let block = |turn: usize| order.get(turn).and_then(|&i| blocks.get(i));
    let end = |turn: usize| {
        let index = *order.get(turn)?;
        Some(plan.offsets.get(index)?.saturating_add(blocks.get(index)?.size))
    };
    // Turns before `turn` of blocks that its block meets.
    let before = |turn: usize| -> Vec<usize> {
        let Some(later) = block(turn) else { return Vec::new() };
        (0..turn).filter(|&t| block(t).is_some_and(|b| b.meets(later))).collect()
    };
    let on_top: Vec<usize> = (0..order.len()).filter(|&t| end(t) == Some(plan.peak)).collect();
    let near = before(*on_top.get(random.below(on_top.len()))?);
    let pick = |list: &[usize], random: &mut Random| list.get(random.below(list.len())).copied();
    let one = pick(&near, random)?;
    let far = if random.below(100) > 25 { before(pick(&near, random)?) } else { Vec::new() };
    let other = pick(if far.is_empty() { &near } else { &far }, random)?;
    (one != other).then_some((one, other))
}
