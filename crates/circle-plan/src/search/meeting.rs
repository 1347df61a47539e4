//! Which blocks a block meets, found in about as many steps as there are such blocks.

use crate::problem::Problem;

/// The blocks that have bytes, by birth, and who lives at some of the ticks at which others are born.
#[derive(Debug)]
pub(super) struct Meeting {
    /// Births and blocks, ascending.
    born: Vec<(u64, usize)>,
    /// Before so many births these were alive; one such list for about as many births as it has blocks.
    alive: Vec<(usize, Vec<usize>)>,
}

/// Births between two lists at least.
const APART: usize = 64;

impl Meeting {
    pub(super) fn new(problem: &Problem) -> Self {
        let blocks = problem.blocks();
        let with_bytes = blocks.iter().enumerate().filter(|(_, block)| block.size > 0);
        let mut born: Vec<(u64, usize)> = with_bytes.map(|(index, block)| (block.lower, index)).collect();
        born.sort_unstable();
        let mut alive = vec![(0, Vec::new())];
        let mut now: Vec<usize> = Vec::new();
        let (mut since, mut due) = (0, APART);
        for (count, &(lower, index)) in born.iter().enumerate() {
            if since >= due {
                now.retain(|&other| blocks.get(other).is_some_and(|block| block.upper > lower));
                (since, due) = (0, now.len().max(APART));
                alive.push((count, now.clone()));
            }
            now.push(index);
            since += 1;
        }
        Self { born, alive }
    }

    /// The blocks that meet the one at `index`, itself left out, in an order that is always the same.
    pub(super) fn of(&self, problem: &Problem, index: usize, found: &mut Vec<usize>) {
        found.clear();
        let blocks = problem.blocks();
        let Some(block) = blocks.get(index) else { return };
        let first = self.born.partition_point(|&(lower, _)| lower < block.lower);
        let end = self.born.partition_point(|&(lower, _)| lower < block.upper);
        let lists = self.alive.partition_point(|&(count, _)| count <= first);
        let Some((count, list)) = lists.checked_sub(1).and_then(|last| self.alive.get(last)) else { return };
        let before = self.born.get(*count..first).unwrap_or(&[]).iter().map(|&(_, other)| other);
        let outlives = |other: &usize| blocks.get(*other).is_some_and(|other| other.upper > block.lower);
        found.extend(list.iter().copied().chain(before).filter(outlives));
        let with_it = self.born.get(first..end).unwrap_or(&[]).iter().map(|&(_, other)| other);
        found.extend(with_it.filter(|&other| other != index));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Block;
    use crate::random::Random;

    #[test]
    fn all_that_meet_and_no_others() {
        let mut random = Random::new(5);
        let mut below = |bound: usize| random.below(bound) as u64;
        for (count, ticks, life) in [(1, 4, 3), (40, 10, 30), (700, 300, 9), (700, 300, 280)] {
            let block = |id: usize| {
                let lower = below(ticks);
                Block::new(id.to_string(), lower, lower + 1 + below(life), below(3))
            };
            let problem = Problem::new((0..count).map(block).collect(), None).unwrap();
            let meeting = Meeting::new(&problem);
            let mut found = Vec::new();
            for (index, block) in problem.blocks().iter().enumerate() {
                meeting.of(&problem, index, &mut found);
                found.sort_unstable();
                let due: Vec<usize> = (0..count)
                    .filter(|&i| {
                        let other = &problem.blocks()[i];
                        i != index && other.size > 0 && other.lower < block.upper && block.lower < other.upper
                    })
                    .collect();
                assert_eq!(found, due, "{index} of {count}");
            }
            // The lists together are no longer than the problem.
            assert!(meeting.alive.iter().map(|(_, list)| list.len()).sum::<usize>() <= count);
        }
    }
}
