//! Plans that a model holds: offsets that are given, with the lifetimes that we find.

use std::fmt;

use circle_ir::Model;
use circle_memory::check::CheckOptions;
use circle_memory::{Kind, Memory, Places, Segment, SpaceReason};
use circle_plan::check;
use circle_plan::{Block, Plan, Problem, ProblemError, bound};

use crate::lifetimes::{Liveness, Unit, regroup};
use crate::plan::{Arena, name};

/// Why a plan that is given does not fit a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// It has no lifetimes.
    Lifetimes(crate::LivenessError),
    /// Its nodes have no numbers.
    Numbering(crate::luci::NumberingError),
    /// The plan is of another number of nodes or tensors, or otherwise of another model.
    Other(String),
    /// Blocks overlap.
    Overlap(Overlaps),
    /// The blocks make no problem.
    Problem(ProblemError),
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lifetimes(error) => error.fmt(f),
            Self::Numbering(error) => error.fmt(f),
            Self::Other(text) => f.write_str(text),
            Self::Overlap(overlaps) => overlaps.fmt(f),
            Self::Problem(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Misfit {}

/// Blocks of a plan that overlap in time and address. The plan is of its model all the same, and has a place for each
/// block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlaps {
    /// How many pairs of blocks do, at least 1.
    pub count: usize,
    /// The first of them.
    pub first: String,
}

impl fmt::Display for Overlaps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.first)?;
        match self.count.saturating_sub(1) {
            0 => Ok(()),
            1 => f.write_str(", and 1 more pair does"),
            more => write!(f, ", and {more} more pairs do"),
        }
    }
}

/// What of a model has no place in a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unplaced {
    /// How many blocks have none.
    pub blocks: usize,
    /// How many there are.
    pub of: usize,
    /// The bytes of those that have none, added up.
    pub bytes: u128,
}

impl Unplaced {
    /// Counts inputs, outputs, activations and scratch memory of all subgraphs; constants and variables lie elsewhere if
    /// they are in no arena.
    pub fn new(liveness: &Liveness, arenas: &[Arena]) -> Self {
        let mut placed = vec![false; liveness.items.len()];
        let units = arenas.iter().flat_map(|arena| &arena.units).filter_map(|&unit| liveness.units.get(unit));
        for &item in units.flat_map(|unit| &unit.members) {
            if let Some(placed) = placed.get_mut(item) {
                *placed = true;
            }
        }
        let mut this = Self::default();
        for (item, placed) in liveness.items.iter().zip(placed) {
            if matches!(item.kind, Kind::Constant | Kind::Variable) {
                continue;
            }
            this.of += 1;
            if !placed {
                this.blocks += 1;
                this.bytes = this.bytes.saturating_add(item.size.into());
            }
        }
        this
    }
}

impl fmt::Display for Unplaced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of the model's {} blocks ({} bytes)", self.blocks, self.of, self.bytes)
    }
}

/// What is placed, or why it must not be there if anything overlaps.
pub(crate) fn sound<T>((placed, overlaps): (T, Option<Overlaps>)) -> Result<T, Misfit> {
    match overlaps {
        None => Ok(placed),
        Some(overlaps) => Err(Misfit::Overlap(overlaps)),
    }
}

/// The arenas of items whose places are given: the number of the arena, and the offset in it; with what overlaps in them.
/// Items that may share memory do if their places are equal; each unit that has a place is in its arena, and `liveness`
/// gets units accordingly. All arenas are made at once, since the units that they refer to are counted anew.
///
/// # Errors
/// When the blocks make no problem.
pub(crate) fn arenas(
    model: &Model,
    liveness: &mut Liveness,
    over_inputs: bool,
    names: &[&str],
    planner: &str,
    place_of: impl Fn(usize) -> Option<(usize, u64)>,
) -> Result<(Vec<Arena>, Option<Overlaps>), Misfit> {
    regroup(model, liveness, over_inputs, &place_of);
    split_units(liveness, &place_of);
    let mut parts: Vec<(Vec<usize>, Vec<u64>)> = vec![Default::default(); names.len()];
    for (index, unit) in liveness.units.iter().enumerate() {
        let place = unit.members.first().and_then(|&item| place_of(item));
        let part = place.and_then(|(number, offset)| Some((parts.get_mut(number)?, offset)));
        if let Some(((units, offsets), offset)) = part {
            units.push(index);
            offsets.push(offset);
        }
    }
    let mut arenas = Vec::with_capacity(names.len());
    let mut overlaps: Option<Overlaps> = None;
    for (name, (units, offsets)) in names.iter().zip(parts) {
        let (arena, found) = arena(liveness, name, planner, units, offsets)?;
        arenas.push(arena);
        if let Some(found) = found {
            let all = overlaps.get_or_insert_with(|| Overlaps { count: 0, ..found.clone() });
            all.count = all.count.saturating_add(found.count);
        }
    }
    Ok((arenas, overlaps))
}

fn arena(
    liveness: &Liveness,
    name_of: &str,
    planner: &str,
    units: Vec<usize>,
    offsets: Vec<u64>,
) -> Result<(Arena, Option<Overlaps>), Misfit> {
    let block = |&index: &usize| {
        let unit = liveness.units.get(index)?;
        Some(Block::new(name(liveness, index), unit.from, unit.till, unit.size))
    };
    let problem = Problem::new(units.iter().filter_map(block).collect(), None).map_err(Misfit::Problem)?;
    let plan = Plan::new(&problem, offsets);
    let faults = check::check(&problem, &plan);
    let arena = Arena {
        name: name_of.to_owned(),
        capacity: None,
        alignment: None,
        units,
        offsets: plan.offsets,
        peak: plan.peak,
        lower_bound: bound::lower_bound(&problem),
        planner: planner.to_owned(),
    };
    let overlaps = faults.first().map(|first| Overlaps {
        count: pairs(problem.blocks(), &arena.offsets).max(faults.len()),
        first: first.to_string(),
    });
    Ok((arena, overlaps))
}

/// How many blocks overlap others. The check of plans leaves out a block once it was found to be in the way of another one,
/// so what is in the way of that block is not told; that of memory data tells each pair.
fn pairs(blocks: &[Block], offsets: &[u64]) -> usize {
    let blocks = blocks.iter().zip(offsets).map(|(block, &offset)| circle_memory::Block {
        offset,
        size: block.size,
        alive_from: block.lower,
        alive_till: block.upper,
        ..circle_memory::Block::default()
    });
    let segment = Segment { blocks: blocks.collect(), ..Segment::default() };
    let memory = Memory { segments: vec![segment], ..Memory::default() };
    let report = circle_memory::check(&memory, &Places::default(), CheckOptions { each: 0 });
    let counts = report.overlaps.iter().map(|overlaps| usize::try_from(overlaps.count).unwrap_or(usize::MAX));
    counts.fold(0, usize::saturating_add)
}

/// Parts units where the places of neighbours differ.
fn split_units(liveness: &mut Liveness, place_of: &impl Fn(usize) -> Option<(usize, u64)>) {
    let Liveness { items, units, .. } = liveness;
    let mut parted = Vec::with_capacity(units.len());
    for unit in units.iter() {
        for members in unit.members.chunk_by(|&a, &b| place_of(a) == place_of(b)) {
            let of = || members.iter().filter_map(|&item| items.get(item));
            let reason = unit.reason.filter(|_| members.len() > 1);
            parted.push(Unit {
                size: of().map(|item| item.size).max().unwrap_or(0),
                from: of().map(|item| item.from).min().unwrap_or(0),
                till: of().map(|item| item.till).max().unwrap_or(1),
                starts: vec![0; members.len()],
                members: members.to_vec(),
                // Of a chain of writes a part may be views only; that it is in place is true of both.
                reason: reason.or((members.len() > 1).then_some(SpaceReason::Shared)),
                ..Unit::default()
            });
        }
    }
    *units = parted;
}
