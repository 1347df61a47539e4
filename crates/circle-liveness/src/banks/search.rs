//! Assignments of blocks to banks, where the one by gain leaves blocks without a place.
//!
//! Blocks are taken in several orders, each is tried in all banks in which the bytes alive with it leave room, and what
//! turns out to lead nowhere is taken back. An assignment in which bytes fit is then planned, bank by bank. All is
//! counted, so that the result is the same wherever it is computed; only large models come to the time limit.

use std::time::Instant;

use circle_plan::planners::Planner;
use circle_plan::search::{Answer, Question, decide};
use circle_plan::{Plan, ProblemError, bound, check};

use super::{Bank, Proof, gain};
use crate::lifetimes::Liveness;
use crate::plan::{Arena, Choice, Settings, problem, solve};

/// Sections of time that one order may look at, assignments that it may plan, and positions of each plan.
const MOST_STEPS: u64 = 4_000_000;
const MOST_PLANS: usize = 40;
const MOST_POSITIONS: u64 = 20_000;
/// Blocks of a bank that is searched exactly.
const MOST_BLOCKS: usize = 600;

/// What came of the search.
pub(super) enum Found {
    /// All blocks have a place.
    Arenas(Vec<Arena>),
    /// Nothing was found, with a proof if there is nothing.
    Nothing(Option<Proof>),
}

/// Looks for an assignment of all units.
///
/// # Errors
/// When sizes add up to more than can be planned.
pub(super) fn search(
    liveness: &Liveness,
    banks: &[Bank],
    touches: &[u64],
    settings: &Settings,
) -> Result<Found, ProblemError> {
    let deadline = Instant::now().checked_add(settings.time_limit);
    let late = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let pieces = Pieces::new(liveness, banks, settings.alignment);
    if let Some(proof) = pieces.proof(liveness) {
        return Ok(Found::Nothing(Some(proof)));
    }
    for order in pieces.orders(liveness, touches) {
        for by_size in [false, true] {
            let mut preferred: Vec<usize> = (0..banks.len()).collect();
            if by_size {
                preferred.sort_by_key(|&bank| banks.get(bank).map(|bank| bank.capacity));
            }
            let mut dive = Dive::new(&pieces, banks.len());
            let (mut plans, mut proven) = (0, true);
            while let Some(homes) = dive.next(&order, &preferred) {
                let (arenas, impossible) = planned(liveness, banks, homes, settings, deadline)?;
                if let Some(arenas) = arenas {
                    return Ok(Found::Arenas(arenas));
                }
                proven &= impossible;
                plans += 1;
                if plans >= MOST_PLANS || late() {
                    break;
                }
            }
            if late() {
                return Ok(Found::Nothing(None));
            }
            if dive.exhausted && proven {
                return Ok(Found::Nothing(Some(Proof::Exhausted)));
            }
        }
    }
    Ok(Found::Nothing(None))
}

/// Plans an assignment; if there is no plan, whether that is proven.
fn planned(
    liveness: &Liveness,
    banks: &[Bank],
    homes: &[usize],
    settings: &Settings,
    deadline: Option<Instant>,
) -> Result<(Option<Vec<Arena>>, bool), ProblemError> {
    let mut parts: Vec<Vec<usize>> = vec![Vec::new(); banks.len()];
    for (unit, &bank) in homes.iter().enumerate() {
        if let Some(part) = parts.get_mut(bank) {
            part.push(unit);
        }
    }
    let mut arenas = Vec::with_capacity(banks.len());
    for (bank, units) in banks.iter().zip(parts) {
        let problem = problem(liveness, &units, settings.alignment, Some(bank.capacity))?;
        let lower_bound = bound::lower_bound(&problem);
        if lower_bound > bank.capacity {
            return Ok((None, true));
        }
        let fits = |plan: &Plan| plan.peak <= bank.capacity && check::check(&problem, plan).is_empty();
        let mut heuristics = Planner::ALL.into_iter().filter(|planner| !planner.searches());
        let (plan, planner) = match settings.planner {
            Choice::Named(_) | Choice::Spaces(_) => {
                let rest =
                    deadline.map_or(settings.time_limit, |at| at.saturating_duration_since(Instant::now()));
                let solved = solve(&problem, &Settings { time_limit: rest, ..*settings });
                (Some(solved.plan).filter(fits), solved.planner)
            }
            Choice::Best => {
                let plan = |planner: Planner| {
                    Some(planner.plan_until(&problem, deadline)).filter(fits).map(|p| (p, planner))
                };
                match heuristics.find_map(plan) {
                    Some((plan, planner)) => (Some(plan), planner.to_string()),
                    None if units.len() > MOST_BLOCKS => (None, String::new()),
                    None => {
                        let question = Question { bytes: bank.capacity, positions: MOST_POSITIONS };
                        match decide(&problem, &question) {
                            Answer::Found(plan) => (Some(plan).filter(fits), "exact search".to_owned()),
                            Answer::Impossible => return Ok((None, true)),
                            Answer::Unknown => (None, String::new()),
                        }
                    }
                }
            }
        };
        let Some(Plan { offsets, peak }) = plan else { return Ok((None, false)) };
        arenas.push(Arena {
            name: bank.name.clone(),
            capacity: Some(bank.capacity),
            alignment: Some(settings.alignment),
            units,
            offsets,
            peak,
            lower_bound,
            planner,
        });
    }
    Ok((Some(arenas), false))
}

/// A unit: its bytes, the same rounded up, and the sections of time in which it is alive.
#[derive(Clone, Copy)]
struct Piece {
    size: u64,
    rounded: u64,
    from: usize,
    till: usize,
}

struct Pieces {
    pieces: Vec<Piece>,
    /// When each section begins: at births of units.
    births: Vec<u64>,
    /// What banks have, and the same rounded up: the topmost block may end early.
    capacities: Vec<(u64, u64)>,
}

impl Pieces {
    fn new(liveness: &Liveness, banks: &[Bank], alignment: u64) -> Self {
        let round = |size: u64| size.checked_next_multiple_of(alignment.max(1)).unwrap_or(u64::MAX);
        let mut births: Vec<u64> = liveness.units.iter().map(|unit| unit.from).collect();
        births.sort_unstable();
        births.dedup();
        let at = |tick: u64| births.partition_point(|&birth| birth < tick);
        let pieces = liveness.units.iter().map(|unit| Piece {
            size: unit.size,
            rounded: round(unit.size),
            from: at(unit.from),
            till: at(unit.till),
        });
        let pieces = pieces.collect();
        let capacities = banks.iter().map(|bank| (bank.capacity, round(bank.capacity))).collect();
        Self { pieces, births, capacities }
    }

    /// Bytes alive in each section, rounded up as blocks are.
    fn live(&self) -> Vec<u128> {
        let mut changes = vec![0i128; self.births.len() + 1];
        for piece in &self.pieces {
            for (at, change) in [(piece.from, 1), (piece.till, -1)] {
                if let Some(slot) = changes.get_mut(at) {
                    *slot += change * i128::from(piece.rounded);
                }
            }
        }
        let live = changes.iter().scan(0i128, |live, change| {
            *live += change;
            Some(u128::try_from(*live).unwrap_or(0))
        });
        live.take(self.births.len()).collect()
    }

    /// Whether it is plain to see that nothing fits.
    fn proof(&self, liveness: &Liveness) -> Option<Proof> {
        let largest = self.capacities.iter().map(|&(capacity, _)| capacity).max().unwrap_or(0);
        if let Some(unit) = self.pieces.iter().position(|piece| piece.size > largest) {
            return Some(Proof::Block { name: crate::plan::name(liveness, unit) });
        }
        let room: u128 = self.capacities.iter().map(|&(_, rounded)| u128::from(rounded)).sum();
        let crowded = self.live().into_iter().zip(&self.births).find(|&(live, _)| live > room);
        crowded.map(|(bytes, &tick)| Proof::Tick { tick, bytes, room })
    }

    /// Orders in which units are tried: by gain, the largest first, by the most bytes alive with them, by area.
    fn orders(&self, liveness: &Liveness, touches: &[u64]) -> Vec<Vec<usize>> {
        let mut live = super::Live::new(liveness);
        for unit in &liveness.units {
            live.add(unit.from, unit.till, unit.size);
        }
        let units = || liveness.units.iter().enumerate();
        let pressed: Vec<u64> = units().map(|(_, unit)| live.most(unit.from, unit.till)).collect();
        let sorted = |key: &dyn Fn(usize) -> (u128, u64)| {
            let mut order: Vec<usize> = (0..self.pieces.len()).collect();
            order.sort_by_cached_key(|&unit| (std::cmp::Reverse(key(unit)), unit));
            order
        };
        let size = |unit: usize| self.pieces.get(unit).map_or(0, |piece| piece.size);
        let span = |unit: usize| liveness.units.get(unit).map_or(0, |u| u.till.saturating_sub(u.from));
        let pressure = |unit: usize| u128::from(pressed.get(unit).copied().unwrap_or(0));
        let mut by_gain: Vec<usize> = (0..self.pieces.len()).collect();
        by_gain.sort_by_cached_key(|&unit| (std::cmp::Reverse(gain(liveness, touches, unit)), unit));
        vec![
            by_gain,
            sorted(&|unit| (u128::from(size(unit)), span(unit))),
            sorted(&|unit| (pressure(unit), size(unit))),
            sorted(&|unit| (u128::from(size(unit)) * u128::from(span(unit)), size(unit))),
        ]
    }
}

/// A search through the assignments in which the bytes alive fit, in depth, without calls of itself.
struct Dive<'a> {
    pieces: &'a Pieces,
    /// Bytes taken, by bank and section.
    used: Vec<Vec<u64>>,
    /// Where units are, by position; for those that have no place it means nothing.
    homes: Vec<usize>,
    /// By depth, how many banks were tried.
    tried: Vec<usize>,
    steps: u64,
    exhausted: bool,
}

impl<'a> Dive<'a> {
    fn new(pieces: &'a Pieces, banks: usize) -> Self {
        let count = pieces.pieces.len();
        let used = vec![vec![0; pieces.births.len()]; banks];
        Self { pieces, used, homes: vec![0; count], tried: vec![0], steps: 0, exhausted: false }
    }

    /// The next assignment, by unit the bank; none if there are no more, or time is up.
    fn next(&mut self, order: &[usize], preferred: &[usize]) -> Option<&[usize]> {
        if self.tried.len() > order.len() {
            self.back(order, preferred);
        }
        while let Some(tried) = self.tried.last_mut() {
            if self.steps >= MOST_STEPS {
                return None;
            }
            let turn = *tried;
            *tried += 1;
            let depth = self.tried.len() - 1;
            let Some(&unit) = order.get(depth) else { return Some(&self.homes) };
            let Some(&bank) = preferred.get(turn) else {
                self.back(order, preferred);
                continue;
            };
            if self.fits(unit, bank) {
                self.change(unit, bank, true);
                if let Some(home) = self.homes.get_mut(unit) {
                    *home = bank;
                }
                self.tried.push(0);
            }
        }
        self.exhausted = true;
        None
    }

    /// Leaves the deepest level, and takes back what led there.
    fn back(&mut self, order: &[usize], preferred: &[usize]) {
        self.tried.pop();
        let Some(&turn) = self.tried.last() else { return };
        let unit = order.get(self.tried.len() - 1);
        let bank = turn.checked_sub(1).and_then(|turn| preferred.get(turn));
        if let (Some(&unit), Some(&bank)) = (unit, bank) {
            self.change(unit, bank, false);
        }
    }

    fn fits(&mut self, unit: usize, bank: usize) -> bool {
        let (Some(piece), Some(used)) = (self.pieces.pieces.get(unit), self.used.get(bank)) else {
            return false;
        };
        let Some(&(capacity, rounded)) = self.pieces.capacities.get(bank) else { return false };
        let sections = used.get(piece.from..piece.till).unwrap_or(&[]);
        self.steps += 1 + sections.len() as u64;
        let taken = sections.iter().copied().max().unwrap_or(0);
        piece.size <= capacity && taken.saturating_add(piece.rounded) <= rounded
    }

    fn change(&mut self, unit: usize, bank: usize, add: bool) {
        let (Some(piece), Some(used)) = (self.pieces.pieces.get(unit), self.used.get_mut(bank)) else {
            return;
        };
        for bytes in used.get_mut(piece.from..piece.till).unwrap_or(&mut []) {
            *bytes =
                if add { bytes.saturating_add(piece.rounded) } else { bytes.saturating_sub(piece.rounded) };
        }
    }
}
