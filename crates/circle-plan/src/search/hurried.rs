//! Searches whose time is over at any of their looks at the clock.

use std::time::Duration;

use super::best::best;
use super::outcome::{Options, Outcome};
use crate::check::check;
use crate::clock::counting::by_looks;
use crate::coarse;
use crate::problem::{Block, Problem};
use crate::random::Random;
use crate::ticks::Sections;

/// Short lives of sizes that differ much: each block above what the planners' orders put there before is far worse than
/// what is made in haste.
fn problem(seed: u64, count: usize, aligned: bool) -> Problem {
    let mut random = Random::new(seed);
    let mut below = |bound: usize| random.below(bound) as u64;
    let block = |id: usize| {
        let lower = below(count);
        let block = Block::new(id.to_string(), lower, lower + 1 + below(12), 1 + below(3000));
        Block { alignment: if aligned { 16 } else { 1 }, ..block }
    };
    Problem::new((0..count).map(block).collect(), None).unwrap()
}

fn within(problem: &Problem, looks: u64) -> (Outcome, u128) {
    let options = Options { time_limit: Duration::from_millis(looks), ..Options::default() };
    by_looks(|| best(problem, &options))
}

#[test]
fn no_limit_makes_a_plan_worse_than_that_made_in_haste() {
    // As the last of the planners ends after so many looks, every one of them is cut off by some limit.
    for (seed, count) in [(1, 1_200), (2, 1_600)] {
        let problem = problem(seed, count, seed % 2 == 0);
        let hasty = coarse::plan(&problem, &Sections::new(&problem)).peak;
        let (mut cut, mut improved) = (0, 0);
        for looks in (0..60).chain((60..1200).step_by(37)) {
            let (outcome, taken) = within(&problem, looks);
            let peak = outcome.plan.peak;
            assert!(peak <= hasty, "seed {seed}, {looks} looks: {peak}, in haste {hasty}");
            assert!(peak >= outcome.lower_bound, "seed {seed}, {looks} looks");
            assert_eq!(check(&problem, &outcome.plan), [], "seed {seed}, {looks} looks");
            cut += usize::from(u128::from(looks) < taken);
            improved += usize::from(peak < hasty);
        }
        // Else the limits would not have been reached, or nothing but haste would have been seen.
        assert!(cut > 60 && improved > 10, "seed {seed}: {cut} cut off, {improved} improved");
    }
}
