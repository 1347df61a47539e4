//! Several memories of given sizes.
//!
//! Blocks are given to the banks in the order in which these are named, the fastest first: a bank takes the blocks that
//! gain most by lying in it, as far as they fit. What a block gains is how often operators touch it, for the bytes and
//! ticks that it occupies; of equal ones the smaller comes first. A block is taken if the bytes alive with it at any tick
//! do not exceed the bank, and the bank is then planned; blocks that end up beyond its end go to the next bank, the one
//! that gains least first. Where that leaves blocks without a place, other assignments are searched for (`search.rs`).

mod live;
mod search;

use std::fmt;
use std::time::Instant;

use circle_plan::ProblemError;

use crate::lifetimes::{Liveness, What};
use crate::plan::{Arena, Settings, arena, name};
use live::Live;

/// A memory with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bank {
    /// Its name.
    pub name: String,
    /// Bytes that it has.
    pub capacity: u64,
}

/// A block that lies in no bank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Homeless {
    /// Position in [`Liveness::units`].
    pub unit: usize,
    /// By bank, the bytes that are free while the block is alive: at any tick of it, at least so many. More than its size
    /// means that the free bytes do not lie together, or not at one address for as long.
    pub free: Vec<u64>,
}

/// What lies where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The banks with their plans, in the order given.
    pub arenas: Vec<Arena>,
    /// What lies nowhere, by position.
    pub homeless: Vec<Homeless>,
    /// Why something must lie nowhere; none if all have a place, or it is only that no assignment was found.
    pub proof: Option<Proof>,
}

/// Why no assignment gives every block a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// A block is larger than each bank.
    Block {
        /// Its name.
        name: String,
    },
    /// At a tick, more bytes are alive than all banks have.
    Tick {
        /// The tick.
        tick: u64,
        /// Bytes alive, those that alignment costs included.
        bytes: u128,
        /// Bytes of all banks, likewise.
        room: u128,
    },
    /// All assignments were tried.
    Exhausted,
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Block { name } => {
                write!(f, "not all blocks can fit: block {name} is larger than each bank")
            }
            Self::Tick { tick, bytes, room } => {
                write!(
                    f,
                    "not all blocks can fit: at tick {tick} {bytes} bytes are alive with alignment, the banks have {room}"
                )
            }
            Self::Exhausted => {
                f.write_str("not all blocks can fit: all ways to give blocks to banks were tried")
            }
        }
    }
}

/// Gives every unit to a bank, as far as they fit. `touches` says how often a unit is written or read; see [`touches`].
///
/// # Errors
/// When sizes add up to more than can be planned.
pub fn assign(
    liveness: &Liveness,
    banks: &[Bank],
    touches: &[u64],
    settings: &Settings,
) -> Result<Assignment, ProblemError> {
    let mut waiting: Vec<usize> = (0..liveness.units.len()).collect();
    waiting.sort_by(|&a, &b| gain(liveness, touches, b).cmp(&gain(liveness, touches, a)).then(a.cmp(&b)));
    let mut arenas = Vec::with_capacity(banks.len());
    for bank in banks {
        let mut live = Live::new(liveness);
        let (mut taken, mut left) = (Vec::new(), Vec::new());
        for unit in waiting {
            let Some(found) = liveness.units.get(unit) else { continue };
            let size = rounded(found.size, settings.alignment);
            // The topmost block need not be rounded.
            let fits = live.most(found.from, found.till).saturating_add(found.size) <= bank.capacity;
            if fits {
                live.add(found.from, found.till, size);
                taken.push(unit);
            } else {
                left.push(unit);
            }
        }
        let planned = fitting(liveness, bank, &mut taken, &mut left, settings)?;
        arenas.push(planned);
        waiting = left;
        waiting.sort_by(|&a, &b| gain(liveness, touches, b).cmp(&gain(liveness, touches, a)).then(a.cmp(&b)));
    }
    let mut proof = None;
    if !waiting.is_empty() {
        match search::search(liveness, banks, touches, settings)? {
            search::Found::Arenas(arenas) => return Ok(Assignment { arenas, homeless: vec![], proof }),
            search::Found::Nothing(found) => proof = found,
        }
    }
    waiting.sort_unstable();
    let lives: Vec<Live> = arenas.iter().map(|arena| Live::of(liveness, arena)).collect();
    let homeless = waiting.into_iter().map(|unit| homeless(liveness, banks, &lives, unit)).collect();
    Ok(Assignment { arenas, homeless, proof })
}

/// Plans a bank, and gives up blocks until the plan fits into it.
fn fitting(
    liveness: &Liveness,
    bank: &Bank,
    taken: &mut Vec<usize>,
    left: &mut Vec<usize>,
    settings: &Settings,
) -> Result<Arena, ProblemError> {
    // All rounds together keep the time limit.
    let begun = Instant::now();
    loop {
        let rest = Settings { time_limit: settings.time_limit.saturating_sub(begun.elapsed()), ..*settings };
        let planned = arena(liveness, &bank.name, taken.clone(), Some(bank.capacity), &rest)?;
        if planned.peak <= bank.capacity {
            return Ok(planned);
        }
        // Blocks are ordered by what they gain. At least one lies beyond the end, so this comes to an end.
        let beyond = |position: usize| {
            let size =
                taken.get(position).and_then(|&unit| liveness.units.get(unit)).map_or(0, |unit| unit.size);
            planned.offsets.get(position).is_some_and(|offset| offset.saturating_add(size) > bank.capacity)
        };
        let out: Vec<usize> = (0..taken.len()).filter(|&position| beyond(position)).collect();
        // A half of them at a time: with those gone, the others may find a place.
        let keep = out.len() / 2;
        let gone: std::collections::BTreeSet<usize> = out.into_iter().skip(keep).collect();
        let mut position = 0;
        taken.retain(|&unit| {
            let stays = !gone.contains(&position);
            position += 1;
            if !stays {
                left.push(unit);
            }
            stays
        });
    }
}

/// How often each unit is written or read in a run, bodies of loops counted once.
pub fn touches(model: &circle_ir::Model, liveness: &Liveness) -> Vec<u64> {
    let of_item = |index: &usize| {
        let item = liveness.items.get(*index)?;
        Some(match item.what {
            What::Scratch(..) => 2,
            What::Tensor(v) => {
                let value = model.subgraph(item.subgraph)?.value(v)?;
                u64::from(value.def().is_some()) + value.uses().iter().count() as u64
            }
        })
    };
    liveness.units.iter().map(|unit| unit.members.iter().filter_map(of_item).sum()).collect()
}

/// Touches for each byte and tick, as a number that compares exactly: a fraction of 2^64. Then the smaller block.
fn gain(liveness: &Liveness, touches: &[u64], unit: usize) -> (u128, std::cmp::Reverse<u64>) {
    let Some(found) = liveness.units.get(unit) else { return (0, std::cmp::Reverse(0)) };
    let touched = u128::from(touches.get(unit).copied().unwrap_or(0));
    // A touch moves the whole block, so its bytes stand above and below the line.
    let ticks = u128::from(found.till.saturating_sub(found.from).max(1));
    ((touched << 64) / ticks, std::cmp::Reverse(found.size))
}

fn rounded(size: u64, alignment: u64) -> u64 {
    size.checked_next_multiple_of(alignment.max(1)).unwrap_or(u64::MAX)
}

fn homeless(liveness: &Liveness, banks: &[Bank], lives: &[Live], unit: usize) -> Homeless {
    let (from, till) = liveness.units.get(unit).map_or((0, 0), |found| (found.from, found.till));
    let free =
        banks.iter().zip(lives).map(|(bank, live)| bank.capacity.saturating_sub(live.most(from, till)));
    Homeless { unit, free: free.collect() }
}

/// What is to be told of a block that lies nowhere.
pub fn explain(liveness: &Liveness, banks: &[Bank], homeless: &Homeless) -> String {
    let size = liveness.units.get(homeless.unit).map_or(0, |unit| unit.size);
    let mut text = format!("block {} of {size} bytes fits into no bank", name(liveness, homeless.unit));
    for (index, (bank, free)) in banks.iter().zip(&homeless.free).enumerate() {
        let separator = if index == 0 { ":" } else { "," };
        text += &match size {
            size if size > bank.capacity => format!("{separator} {} has {}", bank.name, bank.capacity),
            size if size > *free => {
                format!("{separator} {} has {free} of {} free while it is alive", bank.name, bank.capacity)
            }
            _ => format!(
                "{separator} {} has {free} of {} free, but not in one piece",
                bank.name, bank.capacity
            ),
        };
    }
    text
}

#[cfg(test)]
mod tests;
