//! Placing in great haste: above whatever lives at about the same time.

use crate::problem::{Block, Plan, Problem, align_up};
use crate::ticks::Sections;

/// Stretches of time that are told apart: few enough to look at all of them for each block.
const STRETCHES: usize = 64;

/// The highest end of what lives in each of a few stretches of sections.
#[derive(Debug, Default)]
pub(crate) struct Coarse {
    /// Sections of a stretch, at least 1.
    width: usize,
    tops: Vec<u64>,
}

impl Coarse {
    /// With the highest end that `top` tells of each range of sections.
    pub(crate) fn new(sections: usize, top: impl Fn(usize, usize) -> u64) -> Self {
        let width = sections.div_ceil(STRETCHES).max(1);
        let begins = (0..sections).step_by(width);
        Self { width, tops: begins.map(|from| top(from, sections.min(from + width))).collect() }
    }

    /// Places a block that lives in the sections `from..to` above all that lives in their stretches.
    pub(crate) fn place(&mut self, (from, to): (usize, usize), block: &Block) -> u64 {
        let stretches = from / self.width..to.div_ceil(self.width).min(self.tops.len());
        let met = self.tops.get_mut(stretches).unwrap_or_default();
        let offset = align_up(met.iter().copied().max().unwrap_or(0), block.alignment);
        met.fill(offset.saturating_add(block.size));
        offset
    }
}

/// A plan in next to no time; fixed blocks keep their places. What lives in two stretches carries the end of one to the
/// other, so that in the order of birth each would lie above all before it: first come those that begin in every other
/// stretch, then those between, last what lives in one only.
pub(crate) fn plan(problem: &Problem, sections: &Sections) -> Plan {
    let blocks = || problem.blocks().iter().zip(&sections.of);
    let fixed = blocks().filter_map(|(block, _)| Some(block.fixed?.saturating_add(block.size)));
    let floor = fixed.max().unwrap_or(0);
    let mut coarse = Coarse::new(sections.count, |_, _| floor);
    let width = coarse.width;
    let turn = |&(from, to): &(usize, usize)| match from / width {
        begin if to <= (begin + 1) * width => 2,
        begin => begin % 2,
    };
    let mut offsets: Vec<u64> = blocks().map(|(block, _)| block.fixed.unwrap_or(0)).collect();
    for now in 0..3 {
        for ((block, life), slot) in blocks().zip(&mut offsets) {
            if block.fixed.is_none() && block.size > 0 && turn(life) == now {
                *slot = coarse.place(*life, block);
            }
        }
    }
    Plan::new(problem, offsets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check;
    use crate::random::Random;

    #[test]
    fn plans_in_haste_are_valid_and_use_memory_again() {
        for seed in 0..30 {
            let mut random = Random::new(seed);
            let mut below = |bound: usize| random.below(bound) as u64;
            let block = |id: usize| {
                let lower = below(3000);
                let block = Block::new(id.to_string(), lower, lower + 1 + below(40), below(300));
                let fixed = (id == 7).then_some(64);
                Block { alignment: 1 << below(5), fixed: fixed.filter(|_| seed % 2 == 0), ..block }
            };
            let mut blocks: Vec<Block> = (0..2000).map(block).collect();
            blocks[7].alignment = 1;
            let problem = Problem::new(blocks, None).unwrap();
            let plan = plan(&problem, &Sections::new(&problem));
            assert_eq!(check(&problem, &plan), [], "seed {seed}");
            let sum: u64 = problem.blocks().iter().map(|block| block.size).sum();
            assert!(plan.peak < sum / 4, "seed {seed}: {} of {sum}", plan.peak);
        }
    }
}
