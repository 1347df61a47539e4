//! Planners on large synthetic problems.

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use circle_plan::planners::Planner;
use circle_plan::search::{Options, best};
use circle_plan::{Problem, bound, check};

use crate::{milliseconds, shapes, verdict};

type Shape = (&'static str, fn(usize) -> Vec<circle_plan::Block>);

const SHAPES: [Shape; 3] =
    [("decoder", shapes::decoder), ("training", shapes::training), ("random", shapes::random)];

/// Greedy by size of 5,000 blocks: median and least of 21 runs.
pub(crate) fn greedy(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    writeln!(out, "\ngreedy by size, 5,000 blocks, to take less than 10 ms:")?;
    writeln!(out, "{:<28} {:<26} {:>6} {:>9} {:>9}", "problem", "planner", "ratio", "median ms", "least ms")?;
    for (name, shape) in SHAPES {
        let problem = Problem::new(shape(5_000), None)?;
        let bound = bound::lower_bound(&problem);
        for planner in [Planner::GreedyBySize, Planner::GreedyBySizeFirstFit] {
            let mut plan = planner.plan(&problem);
            let mut times: Vec<f64> = (0..21)
                .map(|_| {
                    let begin = Instant::now();
                    plan = planner.plan(&problem);
                    milliseconds(begin)
                })
                .collect();
            times.sort_by(f64::total_cmp);
            let ratio = plan.peak as f64 / bound as f64;
            let (median, least) = (times[times.len() / 2], times[0]);
            let planner = planner.name();
            let verdict = verdict(median < 10.0);
            writeln!(out, "{name:<28} {planner:<26} {ratio:>6.3} {median:>9.1} {least:>9.1}  {verdict}")?;
        }
    }
    Ok(())
}

/// The best search on 30,000 blocks, five seconds each: made-up ones, and ten copies of the decoder llm_3200, if that is
/// among the problems of `folder`, each begun when so much of the one before has passed.
pub(crate) fn large(folder: &Path, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    writeln!(out, "\nbest search, 30,000 blocks, to be within 1 % of the lower bound in less than 5 s:")?;
    writeln!(out, "{:<28} {:>11} {:>8} {:>9}  found by", "problem", "lower bound", "ratio", "ms")?;
    for (name, shape) in SHAPES {
        one(name, shape(30_000), true, out)?;
    }
    let decoder = folder.join("llm_3200.csv");
    if !decoder.exists() {
        return Ok(());
    }
    let decoder = crate::read(&decoder)?;
    let after =
        [("at once", 0, 1), ("a tenth", 1, 10), ("a third", 1, 3), ("half", 1, 2), ("one by one", 1, 1)];
    for (name, part, of) in after {
        one(&format!("llm_3200 x 10, {name}"), shapes::copies(decoder.blocks(), part, of, 0), true, out)?;
    }
    writeln!(out, "sizes of each copy changed by up to 10 %, whose least peaks are not known:")?;
    for (name, part, of) in after {
        one(&format!("llm_3200 x 10, {name}"), shapes::copies(decoder.blocks(), part, of, 10), false, out)?;
    }
    Ok(())
}

/// The best search on one problem, which is said to reach the figure or not if that is `due`.
fn one(
    name: &str,
    blocks: Vec<circle_plan::Block>,
    due: bool,
    out: &mut impl Write,
) -> Result<(), Box<dyn Error>> {
    let problem = Problem::new(blocks, None)?;
    let begin = Instant::now();
    let options = Options { time_limit: std::time::Duration::from_millis(4_500), ..Options::default() };
    let outcome = best(&problem, &options);
    let spent = milliseconds(begin);
    let (bound, stage) = (outcome.lower_bound, outcome.stage);
    let ratio = outcome.plan.peak as f64 / bound as f64;
    let verdict = if due { verdict(ratio <= 1.01 && spent < 5_000.0) } else { "" };
    writeln!(out, "{name:<28} {bound:>11} {ratio:>8.4} {spent:>9.1}  {stage:?}  {verdict}")?;
    if let Some(fault) = check::check(&problem, &outcome.plan).first() {
        return Err(format!("{name}: {fault}").into());
    }
    Ok(())
}

/// The best search of large problems in little time: how much of it is taken.
pub(crate) fn limits(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    writeln!(out, "\nbest search with little time, to keep the limit within 10 % and 20 ms:")?;
    writeln!(
        out,
        "{:<28} {:>7} {:>8} {:>9} {:>8}  found by",
        "problem", "blocks", "limit ms", "ms", "ratio"
    )?;
    let hard: [Shape; 2] = [("stairs", shapes::stairs), ("fan", shapes::fan)];
    for (name, shape) in SHAPES.into_iter().chain(hard) {
        for blocks in [30_000, 200_000] {
            let problem = Problem::new(shape(blocks), None)?;
            for limit in [50, 100, 300, 900] {
                let begin = Instant::now();
                let time_limit = std::time::Duration::from_millis(limit);
                let outcome = best(&problem, &Options { time_limit, ..Options::default() });
                let spent = milliseconds(begin);
                let ratio = outcome.plan.peak as f64 / outcome.lower_bound as f64;
                let (stage, verdict) = (outcome.stage, verdict(spent <= limit as f64 * 1.1 + 20.0));
                writeln!(
                    out,
                    "{name:<28} {blocks:>7} {limit:>8} {spent:>9.1} {ratio:>8.4}  {stage:?}  {verdict}"
                )?;
                if let Some(fault) = check::check(&problem, &outcome.plan).first() {
                    return Err(format!("{name}: {fault}").into());
                }
            }
        }
    }
    Ok(())
}
