//! Ejection: bringing the peak of large plans down block by block.
//!
//! Blocks that end above the target wait for a place. One after the other takes the place below the target where least
//! is in its way; what was in its way waits in turn. A block that had to make others give way weighs more from then on,
//! so that those which are hard to place stay and others move, until nothing waits or patience is at its end.
//!
//! A step takes as long as sorting the blocks that the one to be placed meets.

use std::time::Instant;

use super::meeting::Meeting;
use crate::place::late;
use crate::problem::{Block, Plan, Problem, align_up};
use crate::random::Random;

/// How long to go on.
#[derive(Debug, Clone)]
pub(super) struct Patience {
    /// Blocks placed without fewer waiting than ever before, after which it gives up.
    pub(super) steps: u64,
    /// When to stop at the latest.
    pub(super) deadline: Option<Instant>,
}

/// The offset of a block that waits.
const WAITS: u64 = u64::MAX;
/// What the heaviest block weighs at first, and what a block weighs at most: sums of 2^27 blocks fit into 64 bits.
const HEAVY: (u128, u64) = (1 << 20, 1 << 34);
/// A block just placed counts so many times its weight for some steps, so that two do not eject each other in turn.
const RECENT: u64 = 8;
/// Of so many waiting blocks, taken at random, the heaviest is placed.
const DRAWN: usize = 4;
/// Blocks looked at between two looks at the clock.
const BETWEEN_LOOKS: usize = 1 << 14;

/// Ejection with what it has learned of the problem.
#[derive(Debug)]
pub(super) struct Ejection<'a> {
    problem: &'a Problem,
    meeting: Meeting,
    /// By block; what stands in the way of others and is hard to place weighs most.
    weights: Vec<u64>,
    random: Random,
    near: Vec<usize>,
    /// Where those near that have a place begin and end, ascending, with their weights.
    begins: Vec<(u64, u64)>,
    ends: Vec<(u64, u64)>,
    /// Where fixed blocks among these begin, and the highest end up to there.
    fixed: Vec<(u64, u64)>,
}

/// Who has a place, who waits, and until which step a block counts as just placed.
struct Places {
    offsets: Vec<u64>,
    waiting: Vec<usize>,
    recent: Vec<u64>,
}

impl<'a> Ejection<'a> {
    pub(super) fn new(problem: &'a Problem, seed: u64) -> Self {
        let area = |b: &Block| u128::from(b.size) * u128::from(b.lifetime());
        let most = problem.blocks().iter().map(area).max().unwrap_or(0).max(1);
        // Areas are below 2^126: they are halved until they leave room for the scale.
        let shift = (128 - most.leading_zeros()).saturating_sub(100);
        let share = |b: &Block| 1 + ((area(b) >> shift) * HEAVY.0 / (most >> shift).max(1)) as u64;
        Self {
            problem,
            meeting: Meeting::new(problem),
            weights: problem.blocks().iter().map(share).collect(),
            random: Random::new(seed),
            near: Vec::new(),
            begins: Vec::new(),
            ends: Vec::new(),
            fixed: Vec::new(),
        }
    }

    /// A plan within `target` bytes, made from a valid one. `None` if it finds none.
    pub(super) fn run(&mut self, plan: &Plan, target: u64, patience: &Patience) -> Option<Plan> {
        let blocks = self.problem.blocks();
        let mut places =
            Places { offsets: plan.offsets.clone(), waiting: Vec::new(), recent: vec![0; blocks.len()] };
        for (index, (block, offset)) in blocks.iter().zip(&mut places.offsets).enumerate() {
            if block.size == 0 || offset.saturating_add(block.size) <= target {
                continue;
            }
            if block.fixed.is_some() || block.size > target {
                return None;
            }
            *offset = WAITS;
            places.waiting.push(index);
        }
        let mut unseen = 0;
        let (mut fewest, mut last) = (places.waiting.len(), 0);
        for step in 1.. {
            if places.waiting.len() < fewest {
                (fewest, last) = (places.waiting.len(), step);
            }
            if step - last > patience.steps {
                return None;
            }
            let Some(index) = self.draw(&mut places.waiting) else {
                return Some(Plan::new(self.problem, places.offsets));
            };
            self.meeting.of(self.problem, index, &mut self.near);
            unseen += self.near.len() + 64;
            if unseen > BETWEEN_LOOKS {
                if late(patience.deadline) {
                    return None;
                }
                unseen = 0;
            }
            self.place(index, target, step, &mut places)?;
        }
        None
    }

    /// Takes out one of those that wait: the heaviest of a few. `None` if nothing waits.
    fn draw(&mut self, waiting: &mut Vec<usize>) -> Option<usize> {
        let weight = |turn: usize| waiting.get(turn).and_then(|&i| self.weights.get(i)).copied();
        if waiting.is_empty() {
            return None;
        }
        let turns = (0..DRAWN).map(|_| self.random.below(waiting.len()));
        let turn = turns.max_by_key(|&turn| weight(turn))?;
        Some(waiting.swap_remove(turn))
    }

    /// Places a block where the lightest blocks are in its way, and lets these wait. `None` where it cannot lie at all.
    fn place(&mut self, index: usize, target: u64, step: u64, places: &mut Places) -> Option<()> {
        let blocks = self.problem.blocks();
        let block = blocks.get(index)?;
        self.sort(places, step);
        let (offset, load) = self.lightest(block, target)?;
        if load > 0 {
            let end = offset + block.size;
            for &other in &self.near {
                let (Some(there), Some(size)) =
                    (places.offsets.get_mut(other), blocks.get(other).map(|b| b.size))
                else {
                    continue;
                };
                if *there != WAITS && *there < end && *there + size > offset {
                    *there = WAITS;
                    places.waiting.push(other);
                }
            }
            let weight = self.weights.get_mut(index)?;
            *weight = (*weight + *weight / 10 + 1).min(HEAVY.1);
        }
        *places.offsets.get_mut(index)? = offset;
        *places.recent.get_mut(index)? = step + 10 + self.random.below(20) as u64;
        Some(())
    }

    /// Sorts what is near and has a place.
    fn sort(&mut self, places: &Places, step: u64) {
        self.begins.clear();
        self.ends.clear();
        self.fixed.clear();
        let blocks = self.problem.blocks();
        for &other in &self.near {
            let (Some(block), Some(&offset)) = (blocks.get(other), places.offsets.get(other)) else {
                continue;
            };
            if offset == WAITS {
                continue;
            }
            let weight = self.weights.get(other).copied().unwrap_or(1);
            let recent = places.recent.get(other).is_some_and(|&until| until > step);
            let weight = if recent { weight * RECENT } else { weight };
            self.begins.push((offset, weight));
            self.ends.push((offset + block.size, weight));
            if block.fixed.is_some() {
                self.fixed.push((offset, offset + block.size));
            }
        }
        self.begins.sort_unstable_by_key(|&(begin, _)| begin);
        self.ends.sort_unstable_by_key(|&(end, _)| end);
        self.fixed.sort_unstable();
        let mut highest = 0;
        for (_, end) in &mut self.fixed {
            highest = highest.max(*end);
            *end = highest;
        }
    }

    /// The offset at which the blocks in the way weigh least, and what they weigh. Right above or right below another, at
    /// 0 or right below the target: between these nothing changes but for the worse.
    fn lightest(&mut self, block: &Block, target: u64) -> Option<(u64, u64)> {
        let last = target.checked_sub(block.size)?;
        let down = |offset: u64| offset - offset % block.alignment;
        let last = down(last);
        let mut best: Option<(u64, u64)> = None;
        let mut ties = 1;
        let (mut over, mut begun) = (Sum::default(), Sum::default());
        let (mut above, mut below) = (0, 0);
        let mut next = Some(0);
        while let Some(offset) = next {
            let gone = over.up_to(&self.ends, |end| end <= offset);
            let load = begun.up_to(&self.begins, |begin| begin < offset + block.size) - gone;
            let barred = self.barred(offset, offset + block.size);
            match best {
                _ if barred => {}
                Some((_, least)) if load > least => {}
                Some((_, least)) if load == least => {
                    // Of free places the lowest; of others any.
                    ties += 1;
                    if load > 0 && self.random.below(ties) == 0 {
                        best = Some((offset, load));
                    }
                }
                _ => (best, ties) = (Some((offset, load)), 1),
            }
            // The next offset right above or right below another.
            let up = loop {
                match self.ends.get(above).map(|&(end, _)| align_up(end, block.alignment)) {
                    Some(candidate) if candidate <= offset => above += 1,
                    candidate => break candidate,
                }
            };
            let under = loop {
                match self.begins.get(below).map(|&(begin, _)| begin.checked_sub(block.size).map(down)) {
                    Some(candidate) if candidate.is_none_or(|candidate| candidate <= offset) => below += 1,
                    candidate => break candidate.flatten(),
                }
            };
            let nearest = [up, under].into_iter().flatten().min();
            next = match nearest {
                Some(candidate) if candidate < last => Some(candidate),
                _ => (offset < last).then_some(last),
            };
        }
        best
    }

    /// Whether a fixed block lies between these addresses.
    fn barred(&self, from: u64, to: u64) -> bool {
        let before = self.fixed.partition_point(|&(begin, _)| begin < to);
        before.checked_sub(1).and_then(|last| self.fixed.get(last)).is_some_and(|&(_, end)| end > from)
    }
}

/// A running sum over a sorted list.
#[derive(Debug, Default)]
struct Sum {
    count: usize,
    load: u64,
}

impl Sum {
    fn up_to(&mut self, list: &[(u64, u64)], counts: impl Fn(u64) -> bool) -> u64 {
        while let Some(&(_, load)) = list.get(self.count).filter(|&&(at, _)| counts(at)) {
            self.load += load;
            self.count += 1;
        }
        self.load
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bound::lower_bound;
    use crate::check::check;
    use crate::planners::Planner;

    /// Some blocks are fixed, above one another and apart, and alignments differ.
    fn problem(seed: u64, count: usize) -> Problem {
        let mut random = Random::new(seed);
        let mut below = |bound: usize| random.below(bound) as u64;
        let block = |id: usize| {
            let lower = below(count);
            let block = Block::new(id.to_string(), lower, lower + 1 + below(count / 8), below(300));
            let fixed = id.is_multiple_of(97).then(|| 128 * (id as u64 / 97));
            let size = if fixed.is_some() { block.size.min(128) } else { block.size };
            Block { alignment: 1 << below(4), fixed, size, ..block }
        };
        Problem::new((0..count).map(block).collect(), None).unwrap()
    }

    #[test]
    fn a_plan_comes_down_to_the_target_and_is_valid() {
        let mut reached = 0;
        for seed in 0..6 {
            let problem = problem(seed, 400);
            let bound = lower_bound(&problem);
            let mut plan = Planner::FirstFit.plan(&problem);
            assert_eq!(check(&problem, &plan), []);
            let mut ejection = Ejection::new(&problem, seed);
            for _ in 0..6 {
                let target = bound + (plan.peak - bound) / 2;
                let patience = Patience { steps: 400, deadline: None };
                let Some(better) = ejection.run(&plan, target, &patience) else { break };
                assert!(better.peak <= target, "seed {seed}");
                assert_eq!(check(&problem, &better), [], "seed {seed}");
                plan = better;
                reached += 1;
            }
            assert_eq!(ejection.run(&plan, bound - 1, &Patience { steps: 200, deadline: None }), None);
        }
        assert!(reached >= 6, "only {reached} targets were reached");
    }

    #[test]
    fn what_cannot_lie_below_the_target_is_given_up() {
        let block = |id: &str, size, fixed| Block { fixed, ..Block::new(id.to_owned(), 0, 2, size) };
        let patience = Patience { steps: 50, deadline: None };
        // Two fixed blocks leave 10 bytes between them, and the third is larger.
        let blocks = vec![block("a", 10, Some(0)), block("b", 10, Some(20)), block("c", 12, None)];
        let problem = Problem::new(blocks, None).unwrap();
        let plan = Plan::new(&problem, vec![0, 20, 30]);
        assert_eq!(Ejection::new(&problem, 1).run(&plan, 41, &patience), None);
        // A fixed block ends above the target.
        assert_eq!(Ejection::new(&problem, 1).run(&plan, 29, &patience), None);
        // Larger than the target.
        assert_eq!(Ejection::new(&problem, 1).run(&plan, 11, &patience), None);
    }
}
