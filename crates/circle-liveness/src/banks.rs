//! Several memories of given sizes.
//!
//! Blocks are given to the banks in the order in which these are named, the fastest first: a bank takes the blocks that
//! gain most by lying in it, as far as they fit. What a block gains is how often operators touch it, for the bytes and
//! ticks that it occupies; of equal ones the smaller comes first. A block is taken if the bytes alive with it at any tick
//! do not exceed the bank, and the bank is then planned; blocks that end up beyond its end go to the next bank, the one
//! that gains least first.

use std::time::Instant;

use circle_plan::ProblemError;

use crate::lifetimes::{Liveness, What};
use crate::plan::{Arena, Settings, arena, name};

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
    waiting.sort_unstable();
    let lives: Vec<Live> = arenas.iter().map(|arena| Live::of(liveness, arena)).collect();
    let homeless = waiting.into_iter().map(|unit| homeless(liveness, banks, &lives, unit)).collect();
    Ok(Assignment { arenas, homeless })
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

/// Bytes alive by stretch of time between births and deaths: adding and asking take logarithmic time.
struct Live {
    /// Ticks at which something begins or ends, ascending.
    ticks: Vec<u64>,
    /// A tree over the stretches: bytes of all of a subtree, and the most of any within.
    all: Vec<u64>,
    most: Vec<u64>,
    leaves: usize,
}

impl Live {
    fn new(liveness: &Liveness) -> Self {
        let mut ticks: Vec<u64> = liveness.units.iter().flat_map(|unit| [unit.from, unit.till]).collect();
        ticks.sort_unstable();
        ticks.dedup();
        let leaves = ticks.len().next_power_of_two();
        Self { ticks, all: vec![0; 2 * leaves], most: vec![0; 2 * leaves], leaves }
    }

    /// Of what lies in an arena.
    fn of(liveness: &Liveness, arena: &Arena) -> Self {
        let mut live = Self::new(liveness);
        for found in arena.units.iter().filter_map(|&unit| liveness.units.get(unit)) {
            live.add(found.from, found.till, found.size);
        }
        live
    }

    fn stretches(&self, from: u64, till: u64) -> (usize, usize) {
        let at = |tick: u64| self.ticks.partition_point(|&t| t < tick);
        (at(from), at(till))
    }

    /// The nodes that together cover a range of leaves.
    fn cover(&self, from: u64, till: u64) -> Vec<usize> {
        let (first, end) = self.stretches(from, till);
        let (mut low, mut high) = (first + self.leaves, end + self.leaves);
        let mut nodes = Vec::new();
        while low < high {
            if low % 2 == 1 {
                nodes.push(low);
                low += 1;
            }
            if high % 2 == 1 {
                high -= 1;
                nodes.push(high);
            }
            (low, high) = (low / 2, high / 2);
        }
        nodes
    }

    fn value(list: &[u64], node: usize) -> u64 {
        list.get(node).copied().unwrap_or(0)
    }

    fn add(&mut self, from: u64, till: u64, bytes: u64) {
        for node in self.cover(from, till) {
            for list in [&mut self.all, &mut self.most] {
                if let Some(value) = list.get_mut(node) {
                    *value = value.saturating_add(bytes);
                }
            }
            let mut parent = node / 2;
            while parent > 0 {
                let below = Self::value(&self.most, 2 * parent).max(Self::value(&self.most, 2 * parent + 1));
                let most = below.saturating_add(Self::value(&self.all, parent));
                if let Some(value) = self.most.get_mut(parent) {
                    *value = most;
                }
                parent /= 2;
            }
        }
    }

    /// Most bytes alive at a tick of a stretch of time.
    fn most(&self, from: u64, till: u64) -> u64 {
        let mut most = 0;
        for node in self.cover(from, till) {
            let mut bytes = Self::value(&self.most, node);
            let mut parent = node / 2;
            while parent > 0 {
                bytes = bytes.saturating_add(Self::value(&self.all, parent));
                parent /= 2;
            }
            most = most.max(bytes);
        }
        most
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lifetimes::Unit;

    fn liveness(blocks: &[(u64, u64, u64)]) -> Liveness {
        let units =
            blocks.iter().map(|&(from, till, size)| Unit { members: vec![], size, from, till, reason: None });
        Liveness { items: vec![], units: units.collect(), ticks: 10, tick_names: vec![] }
    }

    fn banks(capacities: &[u64]) -> Vec<Bank> {
        capacities.iter().zip('a'..).map(|(&capacity, name)| Bank { name: name.into(), capacity }).collect()
    }

    #[test]
    fn most_bytes_alive_over_time() {
        let live_of = liveness(&[(0, 4, 8), (2, 6, 16), (5, 9, 32)]);
        let mut live = Live::new(&live_of);
        for unit in &live_of.units {
            live.add(unit.from, unit.till, unit.size);
        }
        // At each tick 0..9 the same, counted plainly.
        for tick in 0..9 {
            let plain: u64 =
                live_of.units.iter().filter(|u| u.from <= tick && tick < u.till).map(|u| u.size).sum();
            let (from, till) =
                *live.ticks.windows(2).map(|w| (w[0], w[1])).find(|w| tick < w.1).as_ref().unwrap();
            assert_eq!(live.most(from, till), plain, "{tick}");
        }
        assert_eq!(live.most(0, 9), 48);
        assert_eq!(live.most(0, 2), 8);
    }

    /// A crowd that fits nowhere takes time in proportion, and the limit holds for all rounds.
    #[test]
    fn a_crowd_without_a_place() {
        let crowd: Vec<(u64, u64, u64)> = (0..40_000).map(|k| (k, k + 3, 64)).collect();
        let live = liveness(&crowd);
        let settings = Settings { time_limit: std::time::Duration::from_secs(1), ..Settings::default() };
        let found = assign(&live, &banks(&[1, 63]), &vec![2; crowd.len()], &settings).unwrap();
        assert_eq!(found.homeless.len(), crowd.len());
        assert!(found.homeless.iter().all(|homeless| homeless.free == [1, 63]));
    }

    #[test]
    fn what_gains_most_lies_in_the_first_bank() {
        let live = liveness(&[(0, 8, 64), (0, 2, 64), (2, 4, 64)]);
        let found = assign(&live, &banks(&[64, 128]), &[2, 2, 2], &Settings::default()).unwrap();
        assert_eq!(found.arenas[0].units, [1, 2]);
        assert_eq!(found.arenas[1].units, [0]);
        assert_eq!(found.homeless, []);
        assert!(found.arenas.iter().all(|arena| arena.peak <= arena.capacity.unwrap()));
    }

    #[test]
    fn what_fits_nowhere_is_told_with_what_is_free() {
        let live = liveness(&[(0, 4, 32), (0, 4, 32), (1, 3, 100)]);
        let banks = banks(&[64, 40]);
        let found = assign(&live, &banks, &[2, 2, 2], &Settings::default()).unwrap();
        assert_eq!(found.homeless.len(), 1);
        assert_eq!(
            explain(&live, &banks, &found.homeless[0]),
            "block 2 of 100 bytes fits into no bank: a has 64, b has 40"
        );
        let live = liveness(&[(0, 4, 48), (0, 4, 48), (0, 4, 40)]);
        let found = assign(&live, &banks, &[3, 2, 2], &Settings::default()).unwrap();
        let texts: Vec<String> = found.homeless.iter().map(|h| explain(&live, &banks, h)).collect();
        assert_eq!(
            texts,
            ["block 1 of 48 bytes fits into no bank: a has 16 of 64 free while it is alive, b has 40"]
        );
    }

    #[test]
    fn banks_that_are_too_fragmented_give_blocks_up() {
        // Bytes alive never exceed 3, but no plan of all blocks is that low: blocks of 2 and 1 change places.
        let settings = Settings { alignment: 1, ..Settings::default() };
        let live = liveness(&[
            (0, 3, 1),
            (0, 2, 1),
            (0, 1, 1),
            (1, 4, 1),
            (2, 5, 1),
            (3, 6, 2),
            (4, 5, 0),
            (5, 7, 1),
        ]);
        let found = assign(&live, &banks(&[3, 8]), &[2; 8], &settings).unwrap();
        assert!(found.homeless.is_empty());
        assert!(found.arenas.iter().all(|arena| arena.peak <= arena.capacity.unwrap()));
        let all: usize = found.arenas.iter().map(|arena| arena.units.len()).sum();
        assert_eq!(all, 8);
    }
}
