//! Permissions that are made use of only where that needs less memory.
//!
//! Tensors that share memory are one piece for whoever plans, and a ring is longer than each of its tensors. That can cost
//! more than it saves. So the best plan is looked for without rings, and without writing in place, too.

use std::time::Instant;

use circle_ir::Model;
use circle_plan::ProblemError;
use circle_plan::planners::Planner;

use crate::choice::Choice;
use crate::lifetimes::{Liveness, Options, lifetimes};
use crate::plan::{Arena, Settings};

/// A plan, and what came of others that were as much allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permitted {
    /// What the plan makes use of: at most what was asked for.
    pub options: Options,
    /// The lifetimes that belong to it.
    pub liveness: Liveness,
    /// The plan.
    pub arenas: Vec<Arena>,
    /// The plan that makes use of all that was asked for, in bytes, where that is not the one taken.
    pub as_asked: Option<u64>,
    /// What a smaller plan makes less use of, and its bytes: only where a planner was named, who does as it is told.
    pub smaller: Option<(Options, u64)>,
}

/// What may be done without, from the least on: rings, then writing in place altogether.
fn fewer(asked: &Options) -> impl Iterator<Item = Options> {
    let plain = asked.inplace.then(|| Options { inplace: false, rings: None, ..asked.clone() });
    let flat = (asked.inplace && asked.rings.is_some()).then(|| Options { rings: None, ..asked.clone() });
    flat.into_iter().chain(plain)
}

/// Bytes of all memories together.
fn total(arenas: &[Arena], bytes: impl Fn(&Arena) -> u64) -> u64 {
    arenas.iter().map(bytes).fold(0, u64::saturating_add)
}

/// Plans by `plan`, with `liveness` for what was asked for. [`Choice::Best`] takes the smallest plan that is allowed, the one
/// that makes most use of it among equals; other planners do as they are told. The search for the best plan shares the time limit out
/// among what it tries.
///
/// # Errors
/// Those of `plan`.
pub fn permitted(
    model: &Model,
    asked: &Options,
    liveness: Liveness,
    settings: &Settings,
    plan: impl Fn(&Liveness, &Settings) -> Result<Vec<Arena>, ProblemError>,
) -> Result<Permitted, ProblemError> {
    let begin = Instant::now();
    let best = settings.planner == Choice::Best;
    let mut left = fewer(asked).count();
    // Each way has an equal share of what time is left when its turn comes.
    let share = |left: usize| {
        let rest = settings.time_limit.saturating_sub(begin.elapsed());
        let time_limit = match left {
            _ if !best => settings.time_limit,
            left => rest / u32::try_from(left.saturating_add(1)).unwrap_or(u32::MAX),
        };
        Settings { time_limit, ..*settings }
    };
    let arenas = plan(&liveness, &share(left))?;
    let first = total(&arenas, |arena| arena.peak);
    let (mut least, mut smaller) = (first, None);
    let mut chosen = Permitted { options: asked.clone(), liveness, arenas, as_asked: None, smaller: None };
    for options in fewer(asked) {
        left = left.saturating_sub(1);
        let Ok(liveness) = lifetimes(model, &options) else { continue };
        // What no plan can be below costs next to nothing to know.
        let quick = Settings { planner: Choice::Named(Planner::Bump), ..*settings };
        if total(&plan(&liveness, &quick)?, |arena| arena.lower_bound) >= least {
            continue;
        }
        let arenas = plan(&liveness, &share(left))?;
        let peak = total(&arenas, |arena| arena.peak);
        if peak >= least {
            continue;
        }
        least = peak;
        match best {
            true => chosen = Permitted { options, liveness, arenas, as_asked: Some(first), smaller: None },
            false => smaller = Some((options, peak)),
        }
    }
    Ok(Permitted { smaller, ..chosen })
}

/// What options do without that others ask for, in words; nothing where that is neither rings nor writing in place.
pub fn without(options: &Options, asked: &Options) -> Option<&'static str> {
    match (asked.inplace && !options.inplace, asked.rings.is_some() && options.rings.is_none()) {
        (true, true) => Some("rings and writing in place"),
        (true, false) => Some("writing in place"),
        (false, true) => Some("rings"),
        (false, false) => None,
    }
}
