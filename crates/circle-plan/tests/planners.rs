//! Every planner gives valid plans, and those that are known.

mod common;

use std::time::{Duration, Instant};

use circle_plan::bound::lower_bound;
use circle_plan::check::check;
use circle_plan::planners::Planner;
use circle_plan::{Block, Problem};
use common::{Shape, kept, random};

fn sound(name: &str, problem: &Problem) {
    let bound = lower_bound(problem);
    for planner in Planner::ALL {
        let plan = planner.plan(problem);
        assert_eq!(check(problem, &plan), [], "{name}, {planner}");
        assert!(plan.peak >= bound, "{name}, {planner}: {} below {bound}", plan.peak);
    }
}

#[test]
fn plans_of_random_problems_are_valid() {
    for seed in 0..120 {
        let shape = Shape {
            blocks: seed % 60,
            ticks: 1 + seed % 37,
            longest: 1 + seed % 11,
            largest: 1 + seed * 7 % 100,
            aligned: seed % 2 == 1,
            fixed: seed % 3 == 1,
        };
        sound(&format!("seed {seed}"), &random(seed, shape));
    }
}

#[test]
fn plans_that_are_cut_short_are_valid() {
    let mut cut = 0;
    for seed in 0..40 {
        let shape = Shape {
            blocks: 200 + seed * 10,
            ticks: 1 + seed % 37 * 3,
            longest: 1 + seed % 23,
            largest: 1 + seed * 7 % 100,
            aligned: seed % 2 == 1,
            fixed: seed % 3 == 1,
        };
        let problem = random(seed, shape);
        for planner in Planner::ALL {
            let plan = planner.plan_until(&problem, Some(Instant::now()));
            assert_eq!(check(&problem, &plan), [], "seed {seed}, {planner}");
            cut += usize::from(plan != planner.plan(&problem));
        }
    }
    assert!(cut > 200, "{cut}");
}

/// Of nested lifetimes no two can share memory, which is to be seen without a search.
#[test]
fn nested_lifetimes_are_planned_at_once() {
    const COUNT: u64 = 200_000;
    for alignment in [1, 64] {
        let block = |i: u64| {
            let size = 1 + i.wrapping_mul(0x9e37_79b9_7f4a_7c15) % 10_007;
            Block { alignment, ..Block::new(i.to_string(), i, 2 * COUNT - i, size) }
        };
        let problem = Problem::new((0..COUNT).map(block).collect(), None).unwrap();
        for planner in [Planner::GreedyBySize, Planner::GreedyBySizeFirstFit, Planner::TvmBySize] {
            let begin = Instant::now();
            let plan = planner.plan(&problem);
            // Ten times what it takes; searching takes thirty seconds and more.
            assert!(begin.elapsed() < Duration::from_secs(6), "{planner}: {:?}", begin.elapsed());
            assert_eq!(check(&problem, &plan), [], "{planner}");
        }
    }
}

/// Blocks by the thousand that meet, for which looking at each pair would take minutes.
#[test]
fn crowds_are_planned_in_proportion() {
    const COUNT: u64 = 40_000;
    let size = |i: u64| 1 + i.wrapping_mul(0x9e37_79b9_7f4a_7c15) % 10_007;
    let crowd = |alignment: u64, life: &dyn Fn(u64) -> (u64, u64)| {
        let block = |i: u64| {
            let (lower, upper) = life(i);
            Block { alignment, ..Block::new(i.to_string(), lower, upper, size(i)) }
        };
        Problem::new((0..COUNT).map(block).collect(), None).unwrap()
    };
    let problems = [
        // Alignment leaves holes that nothing fits into, one to a block.
        ("aligned", crowd(64, &|_| (0, 1))),
        // Of the few sections there are, nearly all blocks live in one.
        ("one section", crowd(1, &|i| if i < 2 { (i + 5, i + 7) } else { (5, 6) })),
        ("two sections", crowd(1, &|i| if i % 2 == 0 { (0, 2) } else { (1, 3) })),
        // Every block begins and ends at ticks of its own.
        ("pyramid", crowd(1, &|i| (i, 2 * COUNT - i))),
        ("aligned pyramid", crowd(64, &|i| (i, 2 * COUNT - i))),
        ("stairs", crowd(1, &|i| (i, i + 1000))),
    ];
    for (name, problem) in problems {
        let best_fit = Planner::GreedyBySize;
        for planner in [best_fit, Planner::GreedyBySizeFirstFit, Planner::FirstFit, Planner::Urgency] {
            let begin = Instant::now();
            let plan = planner.plan(&problem);
            let took = begin.elapsed();
            // Machines may be busy; the bound is far below what n x n steps take.
            assert!(took < Duration::from_secs(12), "{name}, {planner}: {took:?}");
            assert_eq!(check(&problem, &plan), [], "{name}, {planner}");
        }
    }
}

#[test]
fn plans_of_kept_problems_are_valid() {
    kept().iter().for_each(|(name, problem)| sound(name, problem));
}

#[test]
fn peaks_are_those_of_the_planners_they_are_named_after() {
    // Measured with the original planners.
    let known = [
        ("circle_mobilenet_v2", Planner::GreedyBySize, 1474),
        ("circle_mobilenet_v2", Planner::Tflm, 1000),
        ("circle_mobilenet_v2", Planner::Wic, 1474),
        ("circle_mobilenet_v2", Planner::Urgency, 1000),
        ("hand_landmark_full", Planner::GreedyBySize, 1075),
        ("hand_landmark_full", Planner::Urgency, 1175),
        ("tflm_audio_preprocessor_int8", Planner::GreedyBySize, 1000),
        ("tflm_audio_preprocessor_int8", Planner::Tflm, 1429),
        ("train_300", Planner::GreedyBySize, 1069),
    ];
    let kept = kept();
    for (name, planner, thousandths) in known {
        let (_, problem) = kept.iter().find(|(n, _)| n == name).unwrap();
        let peak = planner.plan(problem).peak * 1000;
        let bound = lower_bound(problem);
        let found = (peak + bound / 2) / bound;
        assert!(found.abs_diff(thousandths) <= 1, "{name}, {planner}: {found}");
    }
}

#[test]
fn best_fit_takes_the_smallest_hole_and_first_fit_the_lowest() {
    let fixed =
        |id, lower, upper, size, offset| Block { fixed: Some(offset), ..Block::new(id, lower, upper, size) };
    let blocks = vec![
        fixed("a", 0, 2, 10, 0),
        fixed("b", 0, 2, 10, 20),
        fixed("c", 0, 2, 10, 35),
        Block::new("x", 1, 3, 5),
    ];
    let problem = Problem::new(blocks, None).unwrap();
    assert_eq!(Planner::GreedyBySizeFirstFit.plan(&problem).offsets, [0, 20, 35, 10]);
    assert_eq!(Planner::GreedyBySize.plan(&problem).offsets, [0, 20, 35, 30]);
    assert_eq!(Planner::Bump.plan(&problem).offsets, [0, 20, 35, 45]);
}

#[test]
fn greedy_planners_of_tvm_fill_no_hole() {
    // `a` and `b` of equal size differ in what they meet; `d` would fit below `c`.
    let blocks = vec![
        Block::new("a", 0, 2, 10),
        Block::new("b", 1, 3, 10),
        Block::new("c", 2, 4, 9),
        Block::new("d", 3, 4, 8),
    ];
    let problem = Problem::new(blocks, None).unwrap();
    assert_eq!(Planner::TvmBySize.plan(&problem).offsets, [10, 0, 10, 19]);
    // `b` and `c` meet two others each, and `b` is larger; only then comes `a`.
    assert_eq!(Planner::TvmByConflicts.plan(&problem).offsets, [10, 0, 10, 19]);
    let blocks = vec![Block::new("top", 0, 2, 9), Block::new("low", 0, 1, 10), Block::new("late", 1, 3, 8)];
    let problem = Problem::new(blocks, None).unwrap();
    assert_eq!(Planner::Wic.plan(&problem).offsets, [10, 0, 0]);
    assert_eq!(Planner::TvmBySize.plan(&problem).offsets, [10, 0, 19]);
    assert_eq!(Planner::TvmByConflicts.plan(&problem).offsets, [0, 9, 9]);
}

#[test]
fn climbs_end_no_higher_than_where_they_begin() {
    let mut lower = 0;
    for seed in 0..20 {
        let shape = Shape { blocks: 60, ticks: 40, longest: 15, largest: 50, aligned: false, fixed: false };
        let problem = random(seed, shape);
        let (start, end) = (Planner::Urgency.plan(&problem).peak, Planner::HillClimb.plan(&problem).peak);
        assert!(end <= start, "seed {seed}");
        let climbed = Planner::TvmHillClimb.plan(&problem).peak;
        assert!(climbed <= Planner::TvmBySize.plan(&problem).peak, "seed {seed}");
        lower += usize::from(end < start);
    }
    assert!(lower > 5, "{lower}");
}

#[test]
fn alignment_moves_blocks_up_in_their_hole() {
    let wide = Block { alignment: 16, ..Block::new("wide", 0, 2, 20) };
    let blocks = vec![Block::new("low", 0, 1, 30), wide, Block::new("late", 1, 2, 7)];
    let problem = Problem::new(blocks, None).unwrap();
    let plan = Planner::Wic.plan(&problem);
    assert_eq!(plan.offsets, [0, 32, 0]);
    assert_eq!(plan.peak, 52);
}

#[test]
fn names_are_unique_and_found() {
    for planner in Planner::ALL {
        assert_eq!(planner.name().parse(), Ok(planner));
    }
    let error = "greedy".parse::<Planner>().unwrap_err().to_string();
    assert!(
        error.starts_with("unknown planner `greedy`, known are greedy_by_size_first_fit, tflm,"),
        "{error}"
    );
}

#[test]
fn nothing_to_plan_needs_nothing() {
    let empty = Problem::new(vec![], None).unwrap();
    let nothing = Problem::new(vec![Block::new("a", 0, 1, 0), Block::new("b", 0, 1, 0)], None).unwrap();
    for planner in Planner::ALL {
        assert_eq!(planner.plan(&empty).peak, 0);
        assert_eq!(planner.plan(&nothing).peak, 0);
    }
}
