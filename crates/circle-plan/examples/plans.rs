//! Prints what each planner makes of every planning problem of a folder: `plans FOLDER [SECONDS]`.
//!
//! A problem is a file `*.csv` as [`circle_plan::csv`] reads it; `*.names.csv` are passed over. Peaks are
//! given as multiples of the lower bound. The last columns say what the best search found within the
//! seconds (10), whether that is proven optimal, and how long it took.

use std::error::Error;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use circle_plan::planners::Planner;
use circle_plan::search::{Options, best};
use circle_plan::{Problem, bound, check, csv};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("usage: plans FOLDER [SECONDS]")?;
    let seconds: u64 = arguments.next().map_or(Ok(10), |text| text.parse())?;
    let options = Options { time_limit: Duration::from_secs(seconds), ..Options::default() };
    let entries: Result<Vec<PathBuf>, _> =
        std::fs::read_dir(folder)?.map(|entry| entry.map(|e| e.path())).collect();
    let mut paths = entries?;
    paths.retain(|path| {
        let name = path.to_string_lossy();
        name.ends_with(".csv") && !name.ends_with(".names.csv")
    });
    paths.sort();
    let mut out = std::io::stdout().lock();
    writeln!(out, "peak / lower bound of each planner:")?;
    for (number, planner) in Planner::ALL.iter().enumerate() {
        writeln!(out, "  ({number}) {planner}")?;
    }
    write!(out, "{:<28} {:>6} {:>11}", "problem", "blocks", "lower bound")?;
    (0..Planner::ALL.len()).try_for_each(|number| write!(out, " {:>6}", format!("({number})")))?;
    writeln!(out, " {:>11} {:>6} {:>8} {:>9}", "best", "ratio", "optimal", "ms")?;
    for path in paths {
        let at = |e: &dyn Error| format!("{}: {e}", path.display());
        let table = csv::read(&std::fs::read(&path)?).map_err(|e| at(&e))?;
        let problem = Problem::new(table.blocks, None).map_err(|e| at(&e))?;
        let bound = bound::lower_bound(&problem);
        let ratio = |peak: u64| peak as f64 / bound.max(1) as f64;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        write!(out, "{name:<28} {:>6} {bound:>11}", problem.blocks().len())?;
        for planner in Planner::ALL {
            write!(out, " {:>6.3}", ratio(planner.plan(&problem).peak))?;
        }
        let begin = Instant::now();
        let outcome = best(&problem, &options);
        let spent = begin.elapsed().as_secs_f64() * 1e3;
        let optimal = if outcome.is_optimal() { "yes".to_owned() } else { format!("-{}", outcome.gap()) };
        let peak = outcome.plan.peak;
        writeln!(out, " {peak:>11} {:>6.3} {optimal:>8} {spent:>9.1}", ratio(peak))?;
        if let Some(fault) = check::check(&problem, &outcome.plan).first() {
            return Err(at(fault_error(fault).as_ref()).into());
        }
    }
    Ok(())
}

fn fault_error(fault: &check::Fault) -> Box<dyn Error> {
    fault.to_string().into()
}
