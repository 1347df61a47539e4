//! Times of drawing memory plans: `memory_bench [FILE]`. Without a file, made-up plans of the size of a vision
//! transformer (627 blocks), 10,000 and 100,000 blocks. Each time is the median of five runs.

#![allow(clippy::print_stdout, reason = "a benchmark prints its measurements")]

mod plans;

use circle_memory::analysis::figures;
use circle_visual::memory::{Options, Plan, html, png, svg};
use std::error::Error;
use std::time::Instant;

/// Median of five runs in milliseconds, with the bytes of the result.
fn time(run: impl Fn() -> Result<usize, circle_visual::Error>) -> Result<(f64, usize), circle_visual::Error> {
    let mut times = Vec::new();
    let mut bytes = 0;
    for _ in 0..5 {
        let began = Instant::now();
        bytes = run()?;
        times.push(began.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    Ok((times[times.len() / 2], bytes))
}

fn main() -> Result<(), Box<dyn Error>> {
    let plans: Vec<Plan> = match std::env::args().nth(1) {
        Some(file) => {
            vec![Plan::new(&file, circle_memory::read::read(&std::fs::read(&file)?, &file)?.memory)]
        }
        None => [627, 10_000, 100_000].map(plans::made_up).into(),
    };
    println!("{:>10} {:>12} {:>24} {:>24} {:>24}", "blocks", "figures", "html", "svg", "png");
    for plan in plans {
        let count: usize = plan.memory.segments.iter().map(|segment| segment.blocks.len()).sum();
        let (summing, _) = time(|| Ok(plan.memory.segments.iter().map(|s| figures(s).blocks).sum()))?;
        let list = [plan];
        let options = Options::default();
        let page = time(|| Ok(html(&list, &options)?.len()))?;
        let drawing = time(|| Ok(svg(&list, &options)?.len()))?;
        let pixels = time(|| Ok(png(&list, &options)?.len()))?;
        let cell = |(time, bytes): (f64, usize)| format!("{time:.1} ms {:>8.0} kB", bytes as f64 / 1e3);
        println!(
            "{count:>10} {summing:>9.1} ms {:>24} {:>24} {:>24}",
            cell(page),
            cell(drawing),
            cell(pixels)
        );
    }
    Ok(())
}
