//! The best search finds the optimum, proves it, and says what it has not proven.
#![allow(clippy::unwrap_used, reason = "a test may fail here")]

mod common;

use std::time::Duration;

use circle_plan::bound::{lower_bound, max_live};
use circle_plan::check::check;
use circle_plan::planners::Planner;
use circle_plan::search::{Answer, Options, Question, Stage, best, decide};
use circle_plan::{Block, Problem};
use common::{Shape, kept, random};

/// The least peak, by placing the free blocks in every order as low as possible. An optimal plan's
/// own order by address gives a plan that is no worse.
fn brute_force(problem: &Problem) -> u64 {
    fn go(blocks: &[Block], placed: &mut Vec<(usize, u64)>, waiting: &mut Vec<usize>, least: &mut u64) {
        if waiting.is_empty() {
            let ends = placed.iter().filter(|p| blocks[p.0].size > 0).map(|p| p.1 + blocks[p.0].size);
            *least = (*least).min(ends.max().unwrap_or(0));
        }
        for turn in 0..waiting.len() {
            let index = waiting.remove(turn);
            let block = &blocks[index];
            let free = |at: u64| {
                placed.iter().all(|&(other, offset)| {
                    let other = &blocks[other];
                    !other.meets(block)
                        || other.size == 0
                        || at + block.size <= offset
                        || offset + other.size <= at
                })
            };
            let at = (0..)
                .step_by(block.alignment as usize)
                .find(|&at| block.size == 0 || free(at))
                .expect("addresses do not end");
            placed.push((index, at));
            go(blocks, placed, waiting, least);
            placed.pop();
            waiting.insert(turn, index);
        }
    }
    let blocks = problem.blocks();
    let mut placed: Vec<(usize, u64)> =
        (0..blocks.len()).filter_map(|i| Some((i, blocks[i].fixed?))).collect();
    let mut waiting: Vec<usize> = (0..blocks.len()).filter(|&i| blocks[i].fixed.is_none()).collect();
    let mut least = u64::MAX;
    go(blocks, &mut placed, &mut waiting, &mut least);
    least
}

/// Alignments that have much in common, so that the bound counts what rounding costs.
#[test]
fn the_bound_with_rounding_is_below_every_plan() {
    let mut raised = 0;
    for seed in 0..400 {
        let mut blocks = tiny(seed).blocks().to_vec();
        for (number, block) in (seed..).zip(&mut blocks) {
            block.alignment = [4, 8, 12][(number % 3) as usize];
            block.fixed = block.fixed.map(|offset| offset / block.alignment * block.alignment);
        }
        let Ok(problem) = Problem::new(blocks.clone(), None) else { continue };
        assert!(lower_bound(&problem) <= brute_force(&problem), "seed {seed}: {problem:?}");
        raised += usize::from(lower_bound(&problem) > max_live(&problem));
    }
    assert!(raised > 100, "{raised}");
}

/// A block that leaves much free behind it says nothing of ticks at which it is dead.
#[test]
fn rounding_counts_where_it_is() {
    let aligned =
        |id: &str, lower, upper, size| Block { alignment: 16, ..Block::new(id, lower, upper, size) };
    let blocks = vec![aligned("a", 0, 1, 1), aligned("b", 1, 2, 20), aligned("c", 1, 3, 32)];
    let problem = Problem::new(blocks, None).unwrap();
    assert_eq!(lower_bound(&problem), 52);
    let blocks = vec![aligned("a", 0, 1, 1), aligned("b", 1, 2, 20), aligned("c", 1, 3, 28)];
    let problem = Problem::new(blocks, None).unwrap();
    // Either may be the topmost: 32 and 20, not 32 and 28.
    assert_eq!((lower_bound(&problem), brute_force(&problem)), (52, 52));
}

fn tiny(seed: u64) -> Problem {
    let shape = Shape {
        blocks: 1 + seed % 7,
        ticks: 2 + seed % 5,
        longest: 1 + seed % 4,
        largest: 3 + seed % 9,
        aligned: seed % 3 == 1,
        fixed: seed % 4 == 1,
    };
    random(seed, shape)
}

#[test]
fn the_optimum_is_that_of_brute_force() {
    let mut above_bound = 0;
    for seed in 0..1500 {
        let problem = tiny(seed);
        let least = brute_force(&problem);
        let outcome = best(&problem, &Options::default());
        assert_eq!(check(&problem, &outcome.plan), [], "seed {seed}");
        assert_eq!((outcome.plan.peak, outcome.lower_bound), (least, least), "seed {seed}: {problem:?}");
        assert!(lower_bound(&problem) <= least, "seed {seed}");
        above_bound += usize::from(least > lower_bound(&problem));
    }
    // Else the proofs above would be those of the bound alone.
    assert!(above_bound > 20, "{above_bound}");
}

#[test]
fn a_decision_is_right_on_both_sides_of_the_optimum() {
    for seed in 0..600 {
        let problem = tiny(seed);
        let least = brute_force(&problem);
        let ask = |bytes| decide(&problem, &Question { bytes, positions: 1_000_000 });
        match ask(least) {
            Answer::Found(plan) => {
                assert_eq!(check(&problem, &plan), [], "seed {seed}");
                assert_eq!(plan.peak, least, "seed {seed}");
            }
            other => panic!("seed {seed}: {other:?} at {least}"),
        }
        if least > 0 {
            assert_eq!(ask(least - 1), Answer::Impossible, "seed {seed} at {}", least - 1);
        }
    }
}

#[test]
fn kept_problems_are_solved() {
    for (name, problem) in kept() {
        let outcome = best(&problem, &Options { time_limit: Duration::from_secs(120), ..Options::default() });
        assert_eq!(check(&problem, &outcome.plan), [], "{name}");
        assert_eq!(outcome.plan.peak, max_live(&problem), "{name}");
        assert!(outcome.is_optimal(), "{name}");
        assert_eq!(outcome.gap(), 0, "{name}");
    }
}

#[test]
fn a_transformer_needs_less_than_aidge_plans() {
    let kept = kept();
    // The file, the peak of Aidge's best strategy, and ours, which is the lower bound.
    let known = [("aidge_vit_s_raw", 5_526_528, 5_131_776), ("aidge_vit_s_fused", 3_552_768, 3_552_768)];
    for (name, theirs, ours) in known {
        let (_, problem) = kept.iter().find(|(n, _)| n == name).unwrap();
        let strategies = [Planner::LifetimeSizeDescending, Planner::LifetimeSizeAscending, Planner::FirstFit];
        let least = strategies.map(|planner| planner.plan(problem).peak).into_iter().min();
        assert_eq!(least, Some(theirs), "{name}");
        let outcome = best(problem, &Options { time_limit: Duration::from_secs(60), ..Options::default() });
        assert_eq!((outcome.plan.peak, outcome.lower_bound), (ours, ours), "{name}");
    }
}

#[test]
fn the_time_limit_is_kept() {
    // Far too hard for the time.
    let shape = Shape { blocks: 1500, ticks: 300, longest: 60, largest: 5000, aligned: true, fixed: false };
    let problem = random(3, shape);
    let begin = std::time::Instant::now();
    let outcome = best(&problem, &Options { time_limit: Duration::from_millis(300), ..Options::default() });
    // Machines may be busy: generous, but far below a search without limit.
    assert!(begin.elapsed() < Duration::from_secs(8), "{:?}", begin.elapsed());
    assert_eq!(check(&problem, &outcome.plan), []);
    assert_eq!(outcome.gap(), outcome.plan.peak - outcome.lower_bound);
    assert!(outcome.gap() > 0, "shows nothing");
}

#[test]
fn the_time_limit_is_kept_by_heuristics_too() {
    // One of them alone takes longer.
    let block = |i: u64| {
        let number = i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
        let lower = number % 50_000;
        let (upper, size) = (lower + 1 + number % 907, 1 + number % 9007);
        Block { alignment: 16, ..Block::new(i.to_string(), lower, upper, size) }
    };
    let problem = Problem::new((0..60_000).map(block).collect(), None).unwrap();
    let begin = std::time::Instant::now();
    let outcome = best(&problem, &Options { time_limit: Duration::from_millis(300), ..Options::default() });
    assert!(begin.elapsed() < Duration::from_secs(4), "{:?}", begin.elapsed());
    assert_eq!(check(&problem, &outcome.plan), []);
    // What was not placed in time lies on top of the rest, not each block on memory of its own.
    let apart: u64 = problem.blocks().iter().map(|block| block.size).sum();
    assert!(outcome.plan.peak < apart / 4, "{} of {apart}", outcome.plan.peak);
}

#[test]
fn no_heuristic_is_better() {
    for seed in 0..12 {
        let aligned = seed % 2 == 0;
        let shape = Shape { blocks: 60, ticks: 40, longest: 15, largest: 50, aligned, fixed: seed % 3 == 0 };
        let problem = random(seed, shape);
        let options = Options { time_limit: Duration::from_millis(500), ..Options::default() };
        let outcome = best(&problem, &options);
        assert_eq!(check(&problem, &outcome.plan), [], "seed {seed}");
        assert!(outcome.lower_bound >= lower_bound(&problem), "seed {seed}");
        assert!(outcome.plan.peak >= outcome.lower_bound, "seed {seed}");
        for planner in Planner::ALL.into_iter().filter(|p| !p.searches()) {
            assert!(outcome.plan.peak <= planner.plan(&problem).peak, "seed {seed}, {planner}");
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_plan() {
    let kept = kept();
    let (_, problem) = kept.iter().find(|(name, _)| name == "challenging_C").unwrap();
    for seed in 0..3 {
        let options = Options { time_limit: Duration::from_secs(120), seed, enough: None };
        assert_eq!(best(problem, &options), best(problem, &options));
    }
}

#[test]
fn enough_ends_the_search() {
    let kept = kept();
    let (_, problem) = kept.iter().find(|(name, _)| name == "challenging_A").unwrap();
    let first = Planner::ALL[0].plan(problem).peak;
    let outcome = best(problem, &Options { enough: Some(first), ..Options::default() });
    assert_eq!(outcome.plan.peak, first);
    assert!(!outcome.is_optimal());
    assert_eq!(outcome.gap(), first - lower_bound(problem));
    assert_eq!(outcome.fits(first), Some(true));
    assert_eq!(outcome.fits(first - 1), None);
    assert_eq!(outcome.fits(lower_bound(problem) - 1), Some(false));
}

#[test]
fn large_plans_become_better_than_any_heuristic() {
    let shape = Shape { blocks: 800, ticks: 300, longest: 30, largest: 500, aligned: false, fixed: false };
    for seed in 1..3 {
        let problem = random(seed, shape);
        let heuristics = Planner::ALL.iter().map(|planner| planner.plan(&problem).peak).min().unwrap();
        assert!(heuristics > lower_bound(&problem), "seed {seed} shows nothing");
        let options = Options { time_limit: Duration::from_secs(240), enough: Some(heuristics - 1), seed };
        let outcome = best(&problem, &options);
        assert_eq!(check(&problem, &outcome.plan), [], "seed {seed}");
        assert!(!matches!(outcome.stage, Stage::Heuristic(_)), "seed {seed}");
        assert!(outcome.plan.peak < heuristics, "seed {seed}");
    }
}

#[test]
fn no_time_gives_a_heuristic_plan() {
    let kept = kept();
    for (name, problem) in &kept {
        let outcome = best(problem, &Options { time_limit: Duration::ZERO, ..Options::default() });
        assert_eq!(check(problem, &outcome.plan), [], "{name}");
        if problem.blocks().len() <= 1_000 {
            let greedy = Planner::GreedyBySizeFirstFit.plan(problem).peak;
            assert!(outcome.plan.peak <= greedy, "{name}: {} and {greedy}", outcome.plan.peak);
        }
        assert!(name != "challenging_K" || outcome.gap() > 0, "{name} shows nothing");
    }
}

#[test]
fn no_time_for_any_heuristic_still_uses_memory_again() {
    let block =
        |i: u64| Block { alignment: 16, ..Block::new(i.to_string(), i, i + 1 + i % 90, 1 + i * 7919 % 9007) };
    let problem = Problem::new((0..60_000).map(block).collect(), None).unwrap();
    let outcome = best(&problem, &Options { time_limit: Duration::ZERO, ..Options::default() });
    assert_eq!((outcome.stage, check(&problem, &outcome.plan)), (Stage::Hasty, vec![]));
    let apart: u64 = problem.blocks().iter().map(|block| block.size).sum();
    assert!(outcome.plan.peak < apart / 20, "{} of {apart}", outcome.plan.peak);
}
