//! The best plan that can be found in time: all heuristics, then a local search, in large plans ejection and the
//! repair of parts, then exact search of the whole.
//!
//! Each stage ends the search as soon as the peak equals the lower bound. The exact search asks whether a
//! plan within the lower bound exists, in each of several ways but not for long; a problem that
//! resists one way for a long time often gives in to another at once. Then it closes in on the least peak
//! by halving the gap. Rounds of all this follow, each about twice as long as the one before, until the
//! gap is closed or time is up.

use std::time::{Duration, Instant};

use super::branch::{WAYS, Way};
use super::eject::{Ejection, Patience};
use super::exact::{MOST_ENTRIES, MOST_ITEMS, Search, Verdict};
use super::local::{Climb, climb};
use super::model::Model;
use super::orders::ORDERS;
use super::outcome::{Options, Outcome, Stage};
use super::repair::{Repair, repair};
use super::table::Table;
use crate::bound::within;
use crate::clock::now;
use crate::coarse;
use crate::place::{Placer, late};
use crate::planners::Planner;
use crate::problem::{Plan, Problem};
use crate::ticks::Sections;

/// Problems of more blocks than this are repaired from the first round on, before they are searched as a
/// whole.
const SMALL: usize = 600;

/// Of more blocks than this, even an order takes its time.
const MANY: usize = 20_000;

/// So few blocks are placed by the first planner whatever the time limit: in one or two milliseconds.
const FEW: usize = 1_000;

/// What a planner takes for each block before it places any: what has no time for that is not begun.
const SORTING: Duration = Duration::from_nanos(250);

/// Blocks placed by ejection for each target of the first round.
const EJECTED: u64 = 1500;

/// Blocks placed by the local search before the exact one begins: some tens of milliseconds.
const CLIMB_BLOCKS: usize = 20_000;

/// The best plan found within the time limit. If that is enough for all of them, its peak is never above that of any
/// [`Planner`] but the hill climbs, and not above those of these either where the problem is solved. However short the
/// limit, it is never above that of the plan that is made in haste ([`Stage::Hasty`]), nor, of up to 1,000 blocks, above
/// that of [`Planner::GreedyBySizeFirstFit`], unless it is `enough`.
pub fn best(problem: &Problem, options: &Options) -> Outcome {
    let deadline = now().checked_add(options.time_limit);
    let sections = Sections::new(problem);
    let lower_bound = within(problem, &sections);
    // Of many blocks only a quick plan is there whatever the time, and mostly it is the better one.
    let quick = problem.blocks().len() > MANY;
    let hasty = coarse::plan(problem, &sections);
    let (plan, stage) = match quick {
        true => (hasty.clone(), Stage::Hasty),
        false => (Planner::Bump.plan(problem), Stage::Heuristic(Planner::Bump)),
    };
    let mut run = Run { problem, options, deadline, outcome: Outcome { plan, lower_bound, stage } };
    let mut order = None;
    if !run.done() && problem.blocks().len() <= FEW {
        // In less time than anybody measures: no limit is a reason to do without.
        let first = Planner::GreedyBySizeFirstFit;
        if run.take(first.plan(problem), Stage::Heuristic(first)) {
            order = first.order(problem).map(|(turns, _)| turns);
        }
    }
    let (mut placer, mut sections) = (None, Some(sections));
    for planner in Planner::ALL.into_iter().filter(|planner| !planner.searches()) {
        if run.done() {
            return run.outcome;
        }
        if !run.has_time(SORTING) {
            break;
        }
        let Some((turns, fit)) = planner.order(problem) else {
            if quick {
                run.take(planner.plan(problem), Stage::Heuristic(planner));
            }
            continue;
        };
        let mut made = || Placer::with(problem, sections.take().unwrap_or_else(|| Sections::new(problem)));
        let plan = placer.get_or_insert_with(&mut made).place(&turns, fit, deadline);
        if run.take(plan, Stage::Heuristic(planner)) {
            order = Some(turns);
        }
    }
    if problem.blocks().len() > SMALL {
        for (order_of, fit) in ORDERS {
            if run.done() {
                return run.outcome;
            }
            if !run.has_time(SORTING) {
                break;
            }
            let turns = order_of(problem);
            let mut made =
                || Placer::with(problem, sections.take().unwrap_or_else(|| Sections::new(problem)));
            let plan = placer.get_or_insert_with(&mut made).place(&turns, fit, deadline);
            if run.take(plan, Stage::Order) {
                order = Some(turns);
            }
        }
    }
    drop(placer);
    // Wherever time ran out, a planner that was cut off may have done worse.
    run.take(hasty, Stage::Hasty);
    if !run.has_time(SORTING) {
        return run.outcome;
    }
    let order = order.unwrap_or_else(|| (0..problem.blocks().len()).collect());
    let urgent = Planner::Urgency.order(problem).map_or_else(|| order.clone(), |(order, _)| order);
    let model = Model::new(problem, MOST_ITEMS, MOST_ENTRIES);
    let mut table = Table::new(16);
    let mut ejection = None;
    for round in 0u32.. {
        if run.done() || (run.late() && round > 0) {
            break;
        }
        // Of problems too large to be searched as a whole, placing all again and again is no use either.
        if model.is_some() || (round == 0 && !quick) {
            run.climb(if round % 2 == 0 { &order } else { &urgent }, round);
        }
        if problem.blocks().len() > SMALL || round > 2 {
            if ejection.is_some() || run.has_time(SORTING) {
                run.eject(ejection.get_or_insert_with(|| Ejection::new(problem, options.seed)), round);
            }
            run.repair(round);
        }
        if let Some(model) = &model {
            if round == 3 {
                table = Table::new(20);
            }
            run.exact(model, &mut table, round);
        }
    }
    run.outcome
}

struct Run<'a> {
    problem: &'a Problem,
    options: &'a Options,
    deadline: Option<Instant>,
    outcome: Outcome,
}

impl Run<'_> {
    fn enough(&self) -> u64 {
        self.options.enough.unwrap_or(0).max(self.outcome.lower_bound)
    }

    fn late(&self) -> bool {
        late(self.deadline)
    }

    /// Whether there is time for so much a block.
    fn has_time(&self, each: Duration) -> bool {
        let need = each.saturating_mul(u32::try_from(self.problem.blocks().len()).unwrap_or(u32::MAX));
        self.deadline.is_none_or(|deadline| deadline.saturating_duration_since(now()) > need)
    }

    fn done(&self) -> bool {
        self.outcome.plan.peak <= self.enough()
    }

    /// Keeps a plan that is better than the one before.
    fn take(&mut self, plan: Plan, stage: Stage) -> bool {
        let better = plan.peak < self.outcome.plan.peak;
        if better {
            self.outcome.plan = plan;
            self.outcome.stage = stage;
        }
        better
    }

    /// Climbs from an order, twice as long in each round.
    fn climb(&mut self, order: &[usize], round: u32) {
        let least = CLIMB_BLOCKS / order.len().max(1);
        let rounds = least.saturating_mul(1 << round.min(20)).max(3);
        let seed = self.options.seed.wrapping_add(u64::from(round));
        let limits = Climb { rounds, patience: rounds, seed, deadline: self.deadline };
        let plan = climb(self.problem, order, self.enough(), &limits);
        self.take(plan, Stage::Local);
    }

    /// Brings the peak down by ejection: halves the gap, or gives up on the lower half of it in this round. Each round is
    /// finer than the one before, and more patient.
    fn eject(&mut self, ejection: &mut Ejection<'_>, round: u32) {
        let steps = EJECTED.saturating_mul(3u64.saturating_pow(round));
        let finest = (self.outcome.lower_bound / 1000) >> (2 * round).min(63);
        let mut hopeless = self.enough().saturating_sub(1);
        while self.outcome.plan.peak.saturating_sub(hopeless) > finest.max(1) && !self.late() {
            let target = hopeless + (self.outcome.plan.peak - hopeless) / 2;
            match ejection.run(&self.outcome.plan, target, &Patience { steps, deadline: self.deadline }) {
                Some(plan) => _ = self.take(plan, Stage::Ejection),
                None => hopeless = target,
            }
        }
    }

    /// Brings the peak down by parts: halves the gap, or gives up on the lower half of it in this round. Each
    /// round is finer than the one before, and more patient.
    fn repair(&mut self, round: u32) {
        let patience = 20usize.saturating_mul(3usize.saturating_pow(round));
        let finest = (self.outcome.lower_bound / 1000) >> (2 * round).min(63);
        let mut seed = self.options.seed.wrapping_add(u64::from(round) << 32);
        let mut hopeless = self.enough().saturating_sub(1);
        while self.outcome.plan.peak.saturating_sub(hopeless) > finest.max(1) && !self.late() {
            let target = hopeless + (self.outcome.plan.peak - hopeless) / 2;
            seed = seed.wrapping_add(1);
            let limits = Repair { patience, seed, deadline: self.deadline };
            match repair(self.problem, &self.outcome.plan, target, &limits) {
                Some(plan) => _ = self.take(plan, Stage::Repair),
                None => hopeless = target,
            }
        }
    }

    /// Asks for a plan within the lower bound, then five times for one within half of the gap that is left.
    fn exact(&mut self, model: &Model, table: &mut Table, round: u32) {
        let unit = model.unit;
        // The way down to a plan without a wrong turn is about one position for each item.
        let positions = (model.items.len() as u64 * 2 + 400).saturating_mul(1 << round.min(40));
        // Peaks are multiples of the unit, so the bound can be rounded up to one.
        let mut below = self.outcome.lower_bound.div_ceil(unit);
        let mut target = below;
        for part in 0..6u64 {
            if self.done() || self.late() || target >= self.outcome.plan.peak.div_ceil(unit) {
                return;
            }
            // Most is done for the bound: mostly the least peak is equal to it.
            let seeds = if round > 0 && part == 0 { 3 } else { 1 };
            let noise = if round > 0 { 40 } else { 0 };
            let effort = Effort { positions, seeds, noise, first_seed: u64::from(round) << 16 | part << 8 };
            if !self.ask(model, table, target, &effort) {
                below = below.max(target + 1);
            }
            below = below.max(self.outcome.lower_bound.div_ceil(unit));
            let peak = self.outcome.plan.peak / unit;
            target = below + (peak.saturating_sub(1)).saturating_sub(below) / 2;
        }
    }

    /// Asks in all ways for a plan within `target` units. `true` if there is one now.
    fn ask(&mut self, model: &Model, table: &mut Table, target: u64, effort: &Effort) -> bool {
        let tries = (0..effort.seeds).flat_map(|_| WAYS);
        for (number, (pick, prefer)) in (effort.first_seed..).zip(tries) {
            let way = Way { pick, prefer, noise: effort.noise };
            let seed = self.options.seed.wrapping_add(number);
            let mut search = Search { model, table, way, seed, deadline: self.deadline };
            match search.run(target, effort.positions) {
                Verdict::Found(places) => {
                    self.take(model.plan(self.problem, &places), Stage::Exact);
                    return true;
                }
                Verdict::Impossible => {
                    let bound = (target + 1).saturating_mul(model.unit);
                    self.outcome.lower_bound = self.outcome.lower_bound.max(bound);
                    return false;
                }
                Verdict::Unknown if self.late() => return false,
                Verdict::Unknown => {}
            }
        }
        false
    }
}

/// How hard to try one target.
struct Effort {
    /// Positions for each try.
    positions: u64,
    /// How often each way is tried.
    seeds: usize,
    /// As in [`Way`].
    noise: usize,
    /// Seed of the first try, to which the seed of the options is added; the others follow.
    first_seed: u64,
}
