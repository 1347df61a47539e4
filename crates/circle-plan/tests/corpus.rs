//! The problems of a corpus: `CIRCLE_LINEAGE_CORPUS` names a folder with planning problems in its folder
//! `plans`. Without it, nothing is tested here.

mod common;

use std::path::PathBuf;
use std::time::Duration;

use circle_plan::bound::lower_bound;
use circle_plan::check::check;
use circle_plan::planners::Planner;
use circle_plan::search::{Options, best};

fn corpus() -> Option<PathBuf> {
    let plans = PathBuf::from(std::env::var_os("CIRCLE_LINEAGE_CORPUS")?).join("plans");
    plans.is_dir().then_some(plans)
}

#[test]
fn all_problems_are_solved_and_all_planners_valid() {
    let Some(folder) = corpus() else { return };
    for (name, problem) in common::folder(&folder) {
        for planner in Planner::ALL {
            let plan = planner.plan(&problem);
            assert_eq!(check(&problem, &plan), [], "{name}, {planner}");
            assert!(plan.peak >= lower_bound(&problem), "{name}, {planner}");
        }
        let options = Options { time_limit: Duration::from_secs(300), ..Options::default() };
        let outcome = best(&problem, &options);
        assert_eq!(check(&problem, &outcome.plan), [], "{name}");
        assert!(outcome.is_optimal(), "{name}: gap {}", outcome.gap());
    }
}
