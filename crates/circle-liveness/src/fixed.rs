//! Plans that a model holds: offsets that are given, with the lifetimes that we find.

use std::fmt;

use circle_memory::SpaceReason;
use circle_plan::{Block, Plan, Problem, ProblemError, bound, check};

use crate::lifetimes::{Liveness, Unit};
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
    Overlap {
        /// How many findings there are.
        count: usize,
        /// The first of them.
        first: String,
    },
    /// The blocks make no problem.
    Problem(ProblemError),
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lifetimes(error) => error.fmt(f),
            Self::Numbering(error) => error.fmt(f),
            Self::Other(text) => f.write_str(text),
            Self::Overlap { count: 1, first } => f.write_str(first),
            Self::Overlap { count, first } => write!(f, "{first}, and {} more findings", count - 1),
            Self::Problem(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Misfit {}

/// The arenas of items whose places are given: the number of the arena, and the offset in it. Items that may share memory
/// do if their places are equal; each unit that has a place is in its arena, and `liveness` gets units accordingly. All
/// arenas are made at once, since the units that they refer to are counted anew.
///
/// # Errors
/// When blocks that live at one tick overlap.
pub(crate) fn arenas(
    liveness: &mut Liveness,
    names: &[&str],
    planner: &str,
    place_of: impl Fn(usize) -> Option<(usize, u64)>,
) -> Result<Vec<Arena>, Misfit> {
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
    let named = names.iter().zip(parts);
    named.map(|(name, (units, offsets))| arena(liveness, name, planner, units, offsets)).collect()
}

fn arena(
    liveness: &Liveness,
    name_of: &str,
    planner: &str,
    units: Vec<usize>,
    offsets: Vec<u64>,
) -> Result<Arena, Misfit> {
    let block = |&index: &usize| {
        let unit = liveness.units.get(index)?;
        Some(Block::new(name(liveness, index), unit.from, unit.till, unit.size))
    };
    let problem = Problem::new(units.iter().filter_map(block).collect(), None).map_err(Misfit::Problem)?;
    let plan = Plan::new(&problem, offsets);
    let faults = check::check(&problem, &plan);
    if let Some(first) = faults.first() {
        return Err(Misfit::Overlap { count: faults.len(), first: first.to_string() });
    }
    Ok(Arena {
        name: name_of.to_owned(),
        capacity: None,
        alignment: None,
        units,
        offsets: plan.offsets,
        peak: plan.peak,
        lower_bound: bound::lower_bound(&problem),
        planner: planner.to_owned(),
    })
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
