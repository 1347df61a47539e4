//! Checks a plan of spaces, sharing no code with the planners.
//!
//! A sweep through time keeps the pieces of planes that are alive, in a tree over their addresses that knows for each
//! range which spaces lie in it. A piece that meets another space is reported and left out.

use std::collections::BTreeMap;
use std::fmt;

use super::problem::{SpacePlan, Spaces};
use crate::check::MOST_FINDINGS;

/// A fault of a plan of spaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The plan has another number of offsets than the problem has spaces.
    Count {
        /// Offsets of the plan.
        offsets: usize,
        /// Spaces of the problem.
        spaces: usize,
    },
    /// The offset is no multiple of the alignment.
    Alignment {
        /// The space.
        space: String,
        /// Its offset.
        offset: u64,
        /// Its alignment.
        alignment: u64,
    },
    /// Offset plus size exceeds 64 bits.
    Overflow {
        /// The space.
        space: String,
        /// Its offset.
        offset: u64,
        /// Its size.
        size: u64,
    },
    /// The space ends beyond the capacity.
    Capacity {
        /// The space.
        space: String,
        /// Its end.
        end: u64,
        /// The capacity.
        capacity: u64,
    },
    /// Planes of two spaces share an address at one tick.
    Overlap {
        /// Space and plane that begins to live first.
        first: (String, String),
        /// A space that it meets, with the plane that does.
        second: (String, String),
    },
    /// The peak that the plan states is not that of its offsets.
    Peak {
        /// As stated.
        stated: u64,
        /// As it is.
        actual: u64,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count { offsets, spaces } => write!(f, "{offsets} offsets for {spaces} spaces"),
            Self::Alignment { space, offset, alignment } => {
                write!(f, "space `{space}`: offset {offset} is no multiple of {alignment}")
            }
            Self::Overflow { space, offset, size } => {
                write!(f, "space `{space}`: offset {offset} plus size {size} exceeds 64 bits")
            }
            Self::Capacity { space, end, capacity } => {
                write!(f, "space `{space}`: ends at {end}, beyond the capacity of {capacity}")
            }
            Self::Overlap { first, second } => write!(
                f,
                "plane `{}` of space `{}` and plane `{}` of space `{}` overlap in time and address",
                first.1, first.0, second.1, second.0
            ),
            Self::Peak { stated, actual } => write!(f, "peak stated as {stated}, is {actual}"),
        }
    }
}

/// The faults of a plan; none if it is valid. At most [`MOST_FINDINGS`] overlaps are listed.
pub fn check(problem: &Spaces, plan: &SpacePlan) -> Vec<Fault> {
    let spaces = problem.spaces();
    if plan.offsets.len() != spaces.len() {
        return vec![Fault::Count { offsets: plan.offsets.len(), spaces: spaces.len() }];
    }
    let mut faults = Vec::new();
    let mut actual = 0u64;
    for (space, &offset) in spaces.iter().zip(&plan.offsets) {
        let id = || space.id.clone();
        if space.alignment == 0 || offset % space.alignment != 0 {
            faults.push(Fault::Alignment { space: id(), offset, alignment: space.alignment });
        }
        let Some(end) = offset.checked_add(space.size) else {
            faults.push(Fault::Overflow { space: id(), offset, size: space.size });
            continue;
        };
        if space.size > 0 {
            actual = actual.max(end);
            if let Some(capacity) = problem.capacity().filter(|&capacity| end > capacity) {
                faults.push(Fault::Capacity { space: id(), end, capacity });
            }
        }
    }
    if faults.iter().any(|fault| matches!(fault, Fault::Overflow { .. })) {
        return faults;
    }
    if actual != plan.peak {
        faults.push(Fault::Peak { stated: plan.peak, actual });
    }
    overlaps(problem, plan, &mut faults);
    faults
}

/// Address, end, and the plane as space and position.
type Piece = (u64, u64, (usize, usize));

fn overlaps(problem: &Spaces, plan: &SpacePlan, faults: &mut Vec<Fault>) {
    let mut pieces: Vec<Piece> = Vec::new();
    // `false` sorts first: at one tick, planes die before others are born.
    let mut events: Vec<(u64, bool, usize)> = Vec::new();
    for (number, (space, &offset)) in problem.spaces().iter().zip(&plan.offsets).enumerate() {
        for (position, plane) in space.planes.iter().enumerate().filter(|(_, plane)| plane.size > 0) {
            let end = plane.start.saturating_add(plane.size);
            let around = end.saturating_sub(space.size);
            for (from, to) in [(plane.start, end - around), (0, around)] {
                if from < to {
                    events.push((plane.lower, true, pieces.len()));
                    events.push((plane.upper, false, pieces.len()));
                    pieces.push((offset + from, offset + to, (number, position)));
                }
            }
        }
    }
    events.sort_unstable();
    let mut alive = Alive::new(&pieces);
    let mut left_out = vec![false; pieces.len()];
    let name = |(space, plane): (usize, usize)| {
        let space = problem.spaces().get(space);
        let plane = space.and_then(|s| s.planes.get(plane));
        (space.map(|s| s.id.clone()).unwrap_or_default(), plane.map(|p| p.id.clone()).unwrap_or_default())
    };
    let mut found = 0;
    for (_, born, index) in events {
        let (Some(&piece), Some(out)) = (pieces.get(index), left_out.get_mut(index)) else { continue };
        if !born {
            if !*out {
                alive.change(piece, false);
            }
        } else if let Some(other) = alive.other(piece) {
            *out = true;
            faults.push(Fault::Overlap { first: name(other), second: name(piece.2) });
            found += 1;
            if found == MOST_FINDINGS {
                return;
            }
        } else {
            alive.change(piece, true);
        }
    }
}

/// The planes of each space that are entered somewhere, space by space.
type Owners = BTreeMap<usize, BTreeMap<usize, u32>>;

/// Pieces that are alive: a tree over the addresses between all ends of pieces.
struct Alive {
    points: Vec<u64>,
    leaves: usize,
    /// Of each node, what covers all of it.
    covering: Vec<Owners>,
    /// Of each node, what lies somewhere in it.
    within: Vec<Owners>,
}

impl Alive {
    fn new(pieces: &[Piece]) -> Self {
        let mut points: Vec<u64> = pieces.iter().flat_map(|piece| [piece.0, piece.1]).collect();
        points.sort_unstable();
        points.dedup();
        let leaves = points.len().max(1).next_power_of_two();
        let none = || vec![Owners::new(); leaves * 2];
        Self { points, leaves, covering: none(), within: none() }
    }

    /// The nodes that make up a piece, and the other nodes above these.
    fn nodes(&self, piece: Piece) -> (Vec<usize>, Vec<usize>) {
        let place = |at: u64| self.points.partition_point(|&point| point < at) + self.leaves;
        let (mut left, mut right) = (place(piece.0), place(piece.1));
        let mut own = Vec::new();
        while left < right {
            if left & 1 == 1 {
                own.push(left);
                left += 1;
            }
            if right & 1 == 1 {
                right -= 1;
                own.push(right);
            }
            left >>= 1;
            right >>= 1;
        }
        let mut above: Vec<usize> = own.iter().flat_map(|&n| (1..=n.ilog2()).map(move |h| n >> h)).collect();
        above.sort_unstable();
        above.dedup();
        (own, above)
    }

    /// A plane of another space that shares an address with the piece.
    fn other(&self, piece: Piece) -> Option<(usize, usize)> {
        let (own, above) = self.nodes(piece);
        let within = own.iter().filter_map(|&node| self.within.get(node));
        let covering = above.iter().filter_map(|&node| self.covering.get(node));
        within.chain(covering).find_map(|owners| {
            let (&space, planes) = owners.iter().find(|(space, _)| **space != piece.2.0)?;
            Some((space, *planes.keys().next()?))
        })
    }

    fn change(&mut self, piece: Piece, born: bool) {
        let (own, above) = self.nodes(piece);
        for &node in &own {
            count(self.covering.get_mut(node), piece.2, born);
        }
        for &node in own.iter().chain(&above) {
            count(self.within.get_mut(node), piece.2, born);
        }
    }
}

fn count(owners: Option<&mut Owners>, (space, plane): (usize, usize), born: bool) {
    let Some(owners) = owners else { return };
    let planes = owners.entry(space).or_default();
    let times = planes.entry(plane).or_default();
    *times = if born { *times + 1 } else { times.saturating_sub(1) };
    if *times == 0 {
        planes.remove(&plane);
    }
    if planes.is_empty() {
        owners.remove(&space);
    }
}
