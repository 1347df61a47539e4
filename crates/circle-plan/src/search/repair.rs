//! Repair of large plans: bit by bit, with the exact search.
//!
//! A plan whose peak is too high mostly has few blocks that end above the target. Such a block and some
//! that meet it are taken out, everything else stays as if fixed, and the exact search looks for
//! places below the target for those taken out. Each success leaves fewer blocks above the target; when
//! none is left the peak has come down.

use std::time::Instant;

use super::branch::{WAYS, Way};
use super::exact::{Search, Verdict};
use super::model::Model;
use super::table::Table;
use crate::clock::now;
use crate::problem::{Block, Plan, Problem};
use crate::random::Random;

/// How long to go on.
#[derive(Debug, Clone)]
pub(super) struct Repair {
    /// Failures in a row after which it gives up.
    pub(super) patience: usize,
    /// Seed of the random choices.
    pub(super) seed: u64,
    /// When to stop at the latest.
    pub(super) deadline: Option<Instant>,
}

/// Blocks taken out at a time: at first, and at most.
const TAKEN_OUT: (usize, usize) = (12, 120);
/// A part of the problem may have this many blocks and entries in its lists, see [`Model::new`].
const MOST: (usize, usize) = (3000, 1 << 17);

/// Brings the peak of a valid plan down to `target` bytes. `None` if it cannot.
pub(super) fn repair(problem: &Problem, plan: &Plan, target: u64, limits: &Repair) -> Option<Plan> {
    let blocks = problem.blocks();
    let mut offsets = plan.offsets.clone();
    let mut random = Random::new(limits.seed);
    let (mut failures, mut take) = (0, TAKEN_OUT.0);
    loop {
        let above: Vec<usize> = (0..blocks.len())
            .filter(|&i| blocks[i].size > 0 && offsets[i] + blocks[i].size > target)
            .collect();
        if above.is_empty() {
            return Some(Plan::new(problem, offsets));
        }
        let late = limits.deadline.is_some_and(|deadline| now() >= deadline);
        if failures >= limits.patience || late {
            return None;
        }
        let worst = above[random.below(above.len())];
        let out = take_out(problem, &offsets, worst, take, &mut random);
        if place_again(problem, &mut offsets, &out, target, limits, &mut random) {
            (failures, take) = (0, TAKEN_OUT.0);
        } else {
            failures += 1;
            take = (take + take / 4).min(TAKEN_OUT.1);
        }
    }
}

/// The block and others that meet it, `count` at most, none of them fixed: preferably such as live no
/// longer than it does, as these leave most of the plan alone.
fn take_out(
    problem: &Problem,
    offsets: &[u64],
    worst: usize,
    count: usize,
    random: &mut Random,
) -> Vec<usize> {
    let blocks = problem.blocks();
    let block = &blocks[worst];
    // Half of the time, blocks near by in time that do not meet it are welcome too: they give way.
    let margin = if random.below(2) == 0 { 0 } else { block.lifetime() };
    let (lower, upper) = (block.lower.saturating_sub(margin), block.upper.saturating_add(margin));
    let near = |b: &Block| b.lower < upper && lower < b.upper && b.size > 0 && b.fixed.is_none();
    let mut others: Vec<(u64, usize)> = (0..blocks.len())
        .filter(|&i| i != worst && near(&blocks[i]))
        .map(|i| {
            let outside = lower.saturating_sub(blocks[i].lower) + blocks[i].upper.saturating_sub(upper);
            // The random part makes each try another one; high blocks are in the way more often.
            let chance = random.below(1 << 10) as u64 * (1 + outside.min(1 << 40));
            (if offsets[i] > offsets[worst] / 2 { chance / 2 } else { chance }, i)
        })
        .collect();
    others.sort_unstable();
    let mut out = vec![worst];
    out.extend(others.into_iter().take(count).map(|(_, i)| i));
    out.sort_unstable();
    out
}

/// Looks for new places of the blocks taken out, all below the target, and enters them.
fn place_again(
    problem: &Problem,
    offsets: &mut [u64],
    out: &[usize],
    target: u64,
    limits: &Repair,
    random: &mut Random,
) -> bool {
    let blocks = problem.blocks();
    let lower = out.iter().map(|&i| blocks[i].lower).min().unwrap_or(0);
    let upper = out.iter().map(|&i| blocks[i].upper).max().unwrap_or(0);
    let mut part: Vec<Block> = Vec::new();
    let mut of: Vec<usize> = Vec::new();
    for (i, block) in blocks.iter().enumerate() {
        if block.upper <= lower || block.lower >= upper || block.size == 0 {
            continue;
        }
        let stays = out.binary_search(&i).is_err();
        if stays && offsets[i] >= target {
            continue;
        }
        part.push(Block {
            id: String::new(),
            // What it does outside of this time does not matter here.
            lower: block.lower.max(lower),
            upper: block.upper.min(upper),
            // One that stays above the target cannot be in the way there.
            size: if stays { block.size.min(target - offsets[i]) } else { block.size },
            alignment: if stays { 1 } else { block.alignment },
            fixed: stays.then_some(offsets[i]),
        });
        of.push(i);
    }
    let part = Problem::trusted(part);
    let Some(model) = Model::new(&part, MOST.0, MOST.1) else { return false };
    let mut table = Table::new(10);
    for (pick, prefer) in WAYS.into_iter().take(4) {
        let way = Way { pick, prefer, noise: 40 };
        let (seed, deadline) = (random.next(), limits.deadline);
        let mut search = Search { model: &model, table: &mut table, way, seed, deadline };
        match search.run(target / model.unit, model.items.len() as u64 + 200) {
            Verdict::Found(places) => {
                let found = model.plan(&part, &places);
                for (&i, offset) in of.iter().zip(found.offsets) {
                    offsets[i] = offset;
                }
                return true;
            }
            Verdict::Impossible => return false,
            Verdict::Unknown => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bound::lower_bound;
    use crate::check::check;
    use crate::planners::Planner;

    #[test]
    fn a_plan_comes_down_to_the_target_or_stays() {
        let mut random = Random::new(7);
        let mut below = |bound: usize| random.below(bound) as u64;
        let block = |id: usize| {
            let lower = below(200);
            let block = Block::new(id.to_string(), lower, lower + 1 + below(20), 1 + below(300));
            Block { alignment: 1 << below(3), ..block }
        };
        let problem = Problem::new((0..200).map(block).collect(), None).unwrap();
        let plan = Planner::FirstFit.plan(&problem);
        let bound = lower_bound(&problem);
        let limits = Repair { patience: 100, seed: 1, deadline: None };
        let target = (bound + plan.peak) / 2;
        assert!(target < plan.peak);
        let better = repair(&problem, &plan, target, &limits).unwrap();
        assert!(better.peak <= target);
        assert_eq!(check(&problem, &better), []);
        assert_eq!(repair(&problem, &better, bound - 1, &limits), None);
    }
}
