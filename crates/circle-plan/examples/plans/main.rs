//! Prints what the planners make of planning problems, beside what is known of others: `plans FOLDER [SECONDS]`.
//!
//! - every problem of the folder: a file `*.csv` as [`circle_plan::csv`] reads it; `*.names.csv` are passed over.
//!   Peaks are multiples of the lower bound. Then what the best search found within the seconds (10), whether
//!   that is proven optimal, how long it took, and how long minimalloc takes when told the capacity;
//! - a vision transformer as Eclipse Aidge sees it, without and with wrap-around;
//! - large synthetic problems, with plenty of time and with little.
//!
//! `ok` and `MISSED` say whether a figure is what it should be; times mean a release build and a machine at rest.

mod peers;
mod scale;
mod shapes;

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use circle_plan::planners::Planner;
use circle_plan::search::{Options, best};
use circle_plan::spaces::{self, Spaces};
use circle_plan::{Problem, bound, check, csv};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("usage: plans FOLDER [SECONDS]")?;
    let seconds: u64 = arguments.next().map_or(Ok(10), |text| text.parse())?;
    let options = Options { time_limit: Duration::from_secs(seconds), ..Options::default() };
    let mut out = std::io::stdout().lock();
    problems(Path::new(&folder), &options, &mut out)?;
    transformer(&options, &mut out)?;
    scale::greedy(&mut out)?;
    scale::large(Path::new(&folder), &mut out)?;
    scale::limits(&mut out)
}

fn problems(folder: &Path, options: &Options, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let entries: Result<Vec<PathBuf>, _> =
        std::fs::read_dir(folder)?.map(|entry| entry.map(|e| e.path())).collect();
    let mut paths = entries?;
    paths.retain(|path| {
        let name = path.to_string_lossy();
        name.ends_with(".csv") && !name.ends_with(".names.csv")
    });
    paths.sort();
    writeln!(out, "peak / lower bound of each planner:")?;
    for (number, planner) in Planner::ALL.iter().enumerate() {
        writeln!(out, "  ({number}) {planner}")?;
    }
    write!(out, "{:<28} {:>6} {:>11}", "problem", "blocks", "lower bound")?;
    (0..Planner::ALL.len()).try_for_each(|number| write!(out, " {:>6}", format!("({number})")))?;
    writeln!(out, " {:>11} {:>6} {:>8} {:>9} {:>13}", "best", "ratio", "optimal", "ms", "minimalloc ms")?;
    for path in paths {
        let at = |e: &dyn Error| format!("{}: {e}", path.display());
        let problem = read(&path)?;
        let bound = bound::lower_bound(&problem);
        let ratio = |peak: u64| peak as f64 / bound.max(1) as f64;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        write!(out, "{name:<28} {:>6} {bound:>11}", problem.blocks().len())?;
        for planner in Planner::ALL {
            write!(out, " {:>6.3}", ratio(planner.plan(&problem).peak))?;
        }
        let begin = Instant::now();
        let outcome = best(&problem, options);
        let spent = milliseconds(begin);
        let optimal = if outcome.is_optimal() { "yes".to_owned() } else { format!("-{}", outcome.gap()) };
        let peak = outcome.plan.peak;
        let theirs = peers::minimalloc(&name).map_or_else(|| "-".to_owned(), |s| format!("{:.0}", s * 1e3));
        let verdict = verdict(outcome.is_optimal() && spent < peers::bar(&name));
        writeln!(out, " {peak:>11} {:>6.3} {optimal:>8} {spent:>9.1} {theirs:>13}  {verdict}", ratio(peak))?;
        if let Some(fault) = check::check(&problem, &outcome.plan).first() {
            return Err(at(fault_error(fault).as_ref()).into());
        }
    }
    Ok(())
}

fn transformer(options: &Options, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    writeln!(out, "\na ViT-S/14 before and after fusing, by spaces:")?;
    writeln!(out, "{:<34} {:>11} {:>11} {:>11} {:>9}", "problem", "lower bound", "best", "Aidge", "ms")?;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/plans");
    for (name, theirs) in peers::AIDGE {
        let path = folder.join(name);
        let begin;
        let (bound, peak) = if name.starts_with("spaces/") {
            let problem = Spaces::new(spaces::csv::read(&std::fs::read(&path)?)?, None)?;
            begin = Instant::now();
            let outcome = spaces::best(&problem, options);
            if let Some(fault) = spaces::check(&problem, &outcome.plan).first() {
                return Err(format!("{name}: {fault}").into());
            }
            (outcome.lower_bound, outcome.plan.peak)
        } else {
            let problem = read(&path)?;
            begin = Instant::now();
            let outcome = best(&problem, options);
            (outcome.lower_bound, outcome.plan.peak)
        };
        let (spent, verdict) = (milliseconds(begin), verdict(peak <= theirs));
        writeln!(out, "{name:<34} {bound:>11} {peak:>11} {theirs:>11} {spent:>9.1}  {verdict}")?;
    }
    Ok(())
}

fn read(path: &Path) -> Result<Problem, Box<dyn Error>> {
    let at = |e: &dyn Error| format!("{}: {e}", path.display());
    let table = csv::read(&std::fs::read(path).map_err(|e| at(&e))?).map_err(|e| at(&e))?;
    Ok(Problem::new(table.blocks, None).map_err(|e| at(&e))?)
}

fn fault_error(fault: &check::Fault) -> Box<dyn Error> {
    fault.to_string().into()
}

fn milliseconds(begin: Instant) -> f64 {
    begin.elapsed().as_secs_f64() * 1e3
}

fn verdict(reached: bool) -> &'static str {
    if reached { "ok" } else { "MISSED" }
}
