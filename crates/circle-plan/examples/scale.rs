//! Measures planners on large synthetic problems: `scale [BLOCKS] [SECONDS]`, 30000 and 5 if not given. Times
//! are the least of five runs, that of the best search that of its only one.
//!
//! - `decoder`: a language model's decoder layers, with two caches of each layer that live to the end;
//! - `random`: sizes from 1 to 64 KiB, most lives short, some of them through a great part of time.

use std::error::Error;
use std::io::Write;
use std::time::{Duration, Instant};

use circle_plan::planners::Planner;
use circle_plan::search::{Options, best};
use circle_plan::{Block, Problem, bound, check};

/// Birth within a layer, ticks of life and KiB of the blocks of a decoder layer.
const LAYER: [(u64, u64, u64); 22] = [
    (0, 2, 2),
    (1, 2, 2),
    (2, 2, 4096),
    (3, 4, 2048),
    (4, 4, 2048),
    (5, 4, 512),
    (6, 7, 512),
    (7, 4, 2048),
    (9, 2, 16384),
    (10, 2, 16384),
    (11, 3, 8192),
    (13, 2, 2048),
    (14, 2, 2048),
    (15, 7, 2048),
    (16, 2, 4096),
    (17, 2, 2048),
    (18, 2, 5632),
    (19, 2, 5632),
    (20, 2, 5632),
    (21, 2, 2048),
    (21, 17, 2048),
    (21, 2, 4096),
];

/// `blocks` blocks or a layer more.
fn decoder(blocks: usize) -> Vec<Block> {
    let layers = blocks.div_ceil(LAYER.len() + 2) as u64;
    let mut list = Vec::new();
    for layer in 0..layers {
        let begin = layer * 22;
        for (number, (birth, life, size)) in LAYER.into_iter().enumerate() {
            let lower = begin + birth;
            list.push(Block::new(format!("{layer}.{number}"), lower, lower + life, size * 1024));
        }
        for (name, birth) in [("key", 8), ("value", 12)] {
            list.push(Block::new(format!("{layer}.{name}"), begin + birth, layers * 22 + 1, 512 * 1024));
        }
    }
    list
}

fn random(blocks: usize) -> Vec<Block> {
    // A linear congruential generator (the constants are Knuth's MMIX); its high bits are good enough.
    let mut state = 1u64;
    let mut below = |bound: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    let ticks = blocks as u64;
    let block = |id: usize| {
        let lower = below(ticks);
        let life = if below(100) == 0 { below(ticks / 4 + 1) } else { below(40) };
        Block::new(id.to_string(), lower, lower + 1 + life, (1 + below(1024)) * 64)
    };
    (0..blocks).map(block).collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let blocks: usize = arguments.next().map_or(Ok(30_000), |text| text.parse())?;
    let seconds: u64 = arguments.next().map_or(Ok(5), |text| text.parse())?;
    let options = Options { time_limit: Duration::from_secs(seconds), ..Options::default() };
    let mut out = std::io::stdout().lock();
    for (name, list) in [("decoder", decoder(blocks)), ("random", random(blocks))] {
        let problem = Problem::new(list, None)?;
        let bound = bound::lower_bound(&problem);
        writeln!(out, "{name}: {} blocks, lower bound {bound}", problem.blocks().len())?;
        for planner in Planner::ALL.into_iter().filter(|planner| !planner.searches()) {
            let mut plan = planner.plan(&problem);
            let mut spent = f64::MAX;
            for _ in 0..5 {
                let begin = Instant::now();
                plan = planner.plan(&problem);
                spent = spent.min(begin.elapsed().as_secs_f64() * 1e3);
            }
            writeln!(
                out,
                "  {:<26} {:>8.4} {spent:>9.1} ms",
                planner.name(),
                plan.peak as f64 / bound as f64
            )?;
        }
        let begin = Instant::now();
        let outcome = best(&problem, &options);
        let spent = begin.elapsed().as_secs_f64() * 1e3;
        let ratio = outcome.plan.peak as f64 / outcome.lower_bound as f64;
        let stage = format!("{:?}", outcome.stage);
        writeln!(out, "  {:<26} {ratio:>8.4} {spent:>9.1} ms, found by {stage}", "best")?;
        let begin = Instant::now();
        let faults = check::check(&problem, &outcome.plan).len();
        writeln!(out, "  {:<26} {faults:>8} {:>9.1} ms", "faults", begin.elapsed().as_secs_f64() * 1e3)?;
    }
    Ok(())
}
