//! Lifetimes to offsets.

use std::time::{Duration, Instant};

use circle_memory::Kind;
use circle_plan::search::{self, Stage};
use circle_plan::spaces::{self, Plane, Rule, Space, SpaceError, Spaces};
use circle_plan::{Block, Plan, Problem, ProblemError, bound};

pub use crate::choice::{Choice, UnknownChoice};
use crate::lifetimes::{Liveness, What};

/// How to plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Who plans.
    pub planner: Choice,
    /// Every offset is a multiple of this many bytes, at least 1.
    pub alignment: u64,
    /// Time after which planning ends with what it has, for each memory.
    pub time_limit: Duration,
    /// Seed of the search.
    pub seed: u64,
}

impl Default for Settings {
    /// The best plan, 16 bytes, ten seconds.
    fn default() -> Self {
        let search::Options { time_limit, seed, .. } = search::Options::default();
        Self { planner: Choice::Best, alignment: 16, time_limit, seed }
    }
}

/// One memory with what lies in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arena {
    /// Its name.
    pub name: String,
    /// Bytes that it has, where that is known.
    pub capacity: Option<u64>,
    /// Every offset is a multiple of this, where that is known.
    pub alignment: Option<u64>,
    /// Positions in [`Liveness::units`].
    pub units: Vec<usize>,
    /// Where each of them lies, in bytes.
    pub offsets: Vec<u64>,
    /// Bytes that the plan needs.
    pub peak: u64,
    /// Bytes that no plan can be below.
    pub lower_bound: u64,
    /// What found the offsets.
    pub planner: String,
}

impl Arena {
    /// Whether no plan needs less.
    pub fn is_optimal(&self) -> bool {
        self.peak <= self.lower_bound
    }
}

/// Where each arena begins if they lie behind one another, the first at 0: at a multiple of its alignment, so that offsets
/// in it remain multiples of that.
pub fn bases(arenas: &[Arena]) -> Vec<u64> {
    let mut end = 0u64;
    let begin = |arena: &Arena| {
        // What does not fit into 64 bits does not fit into any table either.
        let base = end.checked_next_multiple_of(arena.alignment.unwrap_or(1).max(1)).unwrap_or(u64::MAX);
        end = base.saturating_add(arena.capacity.unwrap_or(arena.peak));
        base
    };
    arenas.iter().map(begin).collect()
}

/// The planning problem of some units. Blocks stand in the order of `units`; names are those of [`name`].
///
/// # Errors
/// When sizes add up to more than can be planned.
pub fn problem(
    liveness: &Liveness,
    units: &[usize],
    alignment: u64,
    capacity: Option<u64>,
) -> Result<Problem, ProblemError> {
    let block = |&index: &usize| {
        let unit = liveness.units.get(index)?;
        let mut block = Block::new(name(liveness, index), unit.from, unit.till, unit.size);
        block.alignment = unit.alignment.unwrap_or(alignment);
        Some(block)
    };
    Problem::new(units.iter().filter_map(block).collect(), capacity)
}

/// The name of a unit in a planning problem: its own, or, unique in its model, subgraph and tensor, `0:12`, or subgraph, operator and
/// piece of scratch memory, `0:op3.0`, by identity, of the first member.
pub fn name(liveness: &Liveness, unit: usize) -> String {
    let found = liveness.units.get(unit);
    if let Some(id) = found.and_then(|unit| unit.id.as_ref()) {
        return id.clone();
    }
    let first = found.and_then(|unit| unit.members.first());
    let Some(item) = first.and_then(|&index| liveness.items.get(index)) else { return unit.to_string() };
    let subgraph = item.subgraph.number();
    match item.what {
        What::Tensor(v) => format!("{subgraph}:{}", v.number()),
        What::Scratch(op, piece) => format!("{subgraph}:op{}.{piece}", op.number()),
    }
}

/// A plan, and what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solved {
    /// The plan.
    pub plan: Plan,
    /// Bytes that no plan can be below.
    pub lower_bound: u64,
    /// What found the plan; with a word about it if it had not the time to end.
    pub planner: String,
}

/// Plans within the time limit. The alignment is that of the problem.
pub fn solve(problem: &Problem, settings: &Settings) -> Solved {
    let deadline = Instant::now().checked_add(settings.time_limit);
    let plan = match settings.planner {
        Choice::Named(planner) => planner.plan_until(problem, deadline),
        Choice::Spaces(rule) => rule.plan_blocks(problem, deadline),
        Choice::Best => {
            let Settings { time_limit, seed, .. } = *settings;
            let outcome = search::best(problem, &search::Options { time_limit, seed, enough: None });
            let planner = stage(outcome.stage);
            return Solved { plan: outcome.plan, lower_bound: outcome.lower_bound, planner };
        }
    };
    let lower_bound = bound::lower_bound(problem);
    let late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let cut = if late && plan.peak > lower_bound { " (out of time)" } else { "" };
    Solved { plan, lower_bound, planner: format!("{}{cut}", settings.planner) }
}

fn stage(stage: Stage) -> String {
    match stage {
        Stage::Heuristic(planner) => planner.to_string(),
        Stage::Hasty => "in haste".into(),
        Stage::Order => "order".into(),
        Stage::Local => "local search".into(),
        Stage::Ejection => "ejection".into(),
        Stage::Repair => "repair".into(),
        Stage::Exact => "exact search".into(),
    }
}

/// Plans spaces, whose holes are used by [`Choice::Best`] and as each [`Choice::Spaces`] does; planners that know blocks
/// only move spaces as a whole. The offsets are those of the spaces.
pub fn solve_spaces(problem: &Spaces, settings: &Settings) -> Result<Solved, ProblemError> {
    let (plan, lower_bound, planner) = match settings.planner {
        Choice::Named(_) => {
            let solved = solve(&Problem::new(problem.blocks(), problem.capacity())?, settings);
            let lower_bound = spaces::lower_bound(problem);
            return Ok(Solved { lower_bound, ..solved });
        }
        Choice::Spaces(rule) => (rule.plan(problem), spaces::lower_bound(problem), rule.to_string()),
        Choice::Best => {
            let Settings { time_limit, seed, .. } = *settings;
            let found = spaces::best(problem, &search::Options { time_limit, seed, enough: None });
            let planner = match found.stage {
                spaces::Stage::Rule(rule) if Rule::AIDGE.contains(&rule) => rule.to_string(),
                spaces::Stage::Rule(rule) => format!("spaces by {rule}"),
                spaces::Stage::Blocks(found) => stage(found),
                spaces::Stage::Local => "local search".into(),
            };
            (found.plan, found.lower_bound, planner)
        }
    };
    let plan = Plan { offsets: plan.offsets, peak: plan.peak };
    Ok(Solved { plan, lower_bound, planner })
}

/// The planning problem of units, those that are rings with their tensors.
///
/// # Errors
/// When sizes add up to more than can be planned.
fn space_problem(
    liveness: &Liveness,
    units: &[usize],
    alignment: u64,
    capacity: Option<u64>,
) -> Result<Spaces, SpaceError> {
    let space = |&index: &usize| {
        let unit = liveness.units.get(index)?;
        let items = unit.members.iter().filter_map(|&item| liveness.items.get(item));
        let plane = |(number, (item, &start)): (usize, (&crate::Item, &u64))| {
            let (lower, upper, size) = (item.from, item.till, item.size);
            Plane { id: number.to_string(), lower, upper, size, start }
        };
        let whole = || {
            let (lower, upper, size) = (unit.from, unit.till, unit.size);
            vec![Plane { id: String::new(), lower, upper, size, start: 0 }]
        };
        let planes =
            if unit.is_ring() { items.zip(&unit.starts).enumerate().map(plane).collect() } else { whole() };
        let alignment = unit.alignment.unwrap_or(alignment);
        Some(Space { id: name(liveness, index), size: unit.size, alignment, planes })
    };
    Spaces::new(units.iter().filter_map(space).collect(), capacity)
}

/// Plans some units into one memory. That the plan may not fit into `capacity` is no error.
///
/// # Errors
/// When sizes add up to more than can be planned.
pub fn arena(
    liveness: &Liveness,
    name: &str,
    units: Vec<usize>,
    capacity: Option<u64>,
    settings: &Settings,
) -> Result<Arena, ProblemError> {
    let problem = problem(liveness, &units, settings.alignment, capacity)?;
    let rings = units.iter().filter_map(|&unit| liveness.units.get(unit)).any(crate::Unit::is_ring);
    // What has passed as blocks has no other fault as spaces: tensors lie within their rings and their lives.
    let spaces = rings.then(|| space_problem(liveness, &units, settings.alignment, capacity).ok()).flatten();
    let solved = match &spaces {
        Some(spaces) => solve_spaces(spaces, settings)?,
        None => solve(&problem, settings),
    };
    let Solved { plan: Plan { offsets, peak }, lower_bound, planner } = solved;
    let alignment = Some(settings.alignment);
    Ok(Arena { name: name.to_owned(), capacity, alignment, units, offsets, peak, lower_bound, planner })
}

/// All units in one memory, called `arena`.
///
/// # Errors
/// When sizes add up to more than can be planned.
pub fn common(liveness: &Liveness, settings: &Settings) -> Result<Vec<Arena>, ProblemError> {
    let units = (0..liveness.units.len()).collect();
    Ok(vec![arena(liveness, "arena", units, None, settings)?])
}

/// Inputs, outputs and everything else in three memories, as onert-micro can take them.
///
/// # Errors
/// When sizes add up to more than can be planned.
pub fn split(liveness: &Liveness, settings: &Settings) -> Result<Vec<Arena>, ProblemError> {
    let mut parts: [Vec<usize>; 3] = Default::default();
    for (index, unit) in liveness.units.iter().enumerate() {
        let kinds = || unit.members.iter().filter_map(|&item| liveness.items.get(item)).map(|item| item.kind);
        let part = match () {
            () if kinds().any(|kind| kind == Kind::Input) => 0,
            () if kinds().any(|kind| kind == Kind::Output) => 1,
            () => 2,
        };
        if let Some(part) = parts.get_mut(part) {
            part.push(index);
        }
    }
    let named = ["inputs", "outputs", "arena"].into_iter().zip(parts);
    named.map(|(name, units)| arena(liveness, name, units, None, settings)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arenas_begin_where_their_alignment_lets_them() {
        let arena = |capacity, alignment, peak| Arena {
            name: String::new(),
            capacity,
            alignment,
            units: vec![],
            offsets: vec![],
            peak,
            lower_bound: 0,
            planner: String::new(),
        };
        let of = |list: &[Arena]| bases(list);
        assert_eq!(of(&[arena(Some(33), Some(16), 5), arena(None, Some(16), 17)]), [0, 48]);
        assert_eq!(
            of(&[arena(None, Some(16), 17), arena(None, None, 3), arena(None, Some(12), 3)]),
            [0, 17, 24]
        );
        let far = of(&[arena(Some(u64::MAX), Some(16), 5), arena(Some(1), Some(16), 1)]);
        assert_eq!(far, [0, u64::MAX]);
    }
}
