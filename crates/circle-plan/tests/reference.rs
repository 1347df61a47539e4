//! Greedy planners against plain ones that look at all blocks placed before, each time.
#![allow(clippy::unwrap_used, reason = "a test may fail here")]

mod common;

use std::cmp::Reverse;

use circle_plan::planners::Planner;
use circle_plan::{Block, Plan, Problem};
use common::{Numbers, Shape, random};

/// Places blocks in an order: in the smallest hole, or in the lowest one.
fn plain(problem: &Problem, order: &[usize], smallest: bool) -> Plan {
    let blocks = problem.blocks();
    let mut offsets: Vec<u64> = blocks.iter().map(|b| b.fixed.unwrap_or(0)).collect();
    let fixed = (0..blocks.len()).filter(|&i| blocks[i].fixed.is_some());
    let mut placed: Vec<usize> = fixed.collect();
    for &index in order.iter().filter(|&&i| blocks[i].fixed.is_none() && blocks[i].size > 0) {
        let block = &blocks[index];
        let met = placed.iter().filter(|&&i| blocks[i].meets(block) && blocks[i].size > 0);
        let mut met: Vec<(u64, u64)> = met.map(|&i| (offsets[i], offsets[i] + blocks[i].size)).collect();
        met.sort_unstable();
        let (mut at, mut holes) = (0, Vec::new());
        for (start, end) in met {
            holes.push((at, start));
            at = end.max(at);
        }
        let place = |begin: u64| begin.next_multiple_of(block.alignment);
        holes.retain(|&(begin, end)| place(begin) + block.size <= end);
        let hole = match smallest {
            true => holes.iter().min_by_key(|(begin, end)| (end - begin, *begin)),
            false => holes.first(),
        };
        offsets[index] = place(hole.map_or(at, |hole| hole.0));
        placed.push(index);
    }
    Plan::new(problem, offsets)
}

fn order<K: Ord>(problem: &Problem, key: impl Fn(&Block) -> K) -> Vec<usize> {
    let mut order: Vec<usize> = (0..problem.blocks().len()).collect();
    order.sort_by_key(|&i| key(&problem.blocks()[i]));
    order
}

fn compare(name: &str, problem: &Problem) {
    let begin = problem.blocks().iter().map(|b| b.lower).min();
    let end = problem.blocks().iter().map(|b| b.upper).max();
    let whole = |b: &Block| (Some(b.lower), Some(b.upper)) == (begin, end);
    let by_size = order(problem, |b| (!whole(b), Reverse(b.size), b.lower));
    let by_birth = order(problem, |b| b.lower);
    let by_lifetime = order(problem, |b| Reverse((b.lifetime(), b.size)));
    for (planner, order, smallest) in [
        (Planner::GreedyBySize, &by_size, true),
        (Planner::GreedyBySizeFirstFit, &by_size, false),
        (Planner::FirstFit, &by_birth, false),
        (Planner::LifetimeSizeDescending, &by_lifetime, false),
    ] {
        let wanted = plain(problem, order, smallest);
        assert_eq!(planner.plan(problem), wanted, "{name}, {planner}");
    }
}

#[test]
fn random_problems_are_planned_alike() {
    for seed in 0..60 {
        let shape = Shape {
            blocks: 20 + seed * 9,
            ticks: 1 + seed * 13 % 300,
            longest: 1 + seed * 7 % 80,
            largest: if seed % 4 == 0 { 6 } else { 2000 },
            aligned: seed % 2 == 1,
            fixed: seed % 5 == 1,
        };
        compare(&format!("seed {seed}"), &random(seed, shape));
    }
}

#[test]
fn shapes_of_models_are_planned_alike() {
    let mut numbers = Numbers::new(3);
    let mut size = |bytes: u64| 64 * (1 + numbers.below(bytes));
    // Activations that live until their gradients, and blocks of a moment.
    let training = |layers: u64, size: &mut dyn FnMut(u64) -> u64| -> Vec<Block> {
        let end = 2 * layers;
        let layer = |i: u64| {
            let bytes = size(600);
            [
                Block::new(format!("a{i}"), i, end - i, bytes),
                Block::new(format!("g{i}"), end - i - 1, end - i + 1, bytes),
                Block::new(format!("s{i}"), i, i + 2, 2 * bytes),
            ]
        };
        (0..layers).flat_map(layer).collect()
    };
    // Layers one after the other, with caches that stay.
    let decoder = |layers: u64, size: &mut dyn FnMut(u64) -> u64| -> Vec<Block> {
        let block = |i: u64| {
            let upper = if i % 11 == 3 { layers * 11 + 9 } else { i + 2 + i * 5 % 7 };
            Block::new(i.to_string(), i, upper, size([4, 4, 90, 30][(i % 4) as usize]))
        };
        (0..layers * 11).map(block).collect()
    };
    let lives = |count: u64, size: &mut dyn FnMut(u64) -> u64, life: &dyn Fn(u64) -> (u64, u64)| {
        let block = |i: u64| Block::new(i.to_string(), life(i).0, life(i).1, size(900));
        (0..count).map(block).collect::<Vec<_>>()
    };
    let problems = [
        ("training", training(300, &mut size)),
        ("decoder", decoder(80, &mut size)),
        ("nested", lives(700, &mut size, &|i| (i, 1400 - i))),
        ("stairs", lives(700, &mut size, &|i| (i, i + 350))),
        ("comb", lives(700, &mut size, &|i| if i % 20 == 0 { (i, 702) } else { (i, i + 2) })),
        ("two families", lives(700, &mut size, &|i| (i, if i % 2 == 0 { 1400 - i } else { i + 90 }))),
        ("one tick", lives(700, &mut size, &|_| (3, 4))),
    ];
    for (name, blocks) in problems {
        compare(name, &Problem::new(blocks.clone(), None).unwrap());
        // Sizes that alignment leaves holes between.
        let odd = |b: Block| Block { alignment: 64, size: b.size - b.size / 64 % 50, ..b };
        compare(name, &Problem::new(blocks.into_iter().map(odd).collect(), None).unwrap());
    }
}
