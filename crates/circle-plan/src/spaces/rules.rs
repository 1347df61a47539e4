//! Orders in which spaces are placed, by name.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::time::Instant;

use super::place::{Holes, Placer};
use super::problem::{Space, SpacePlan, Spaces};
use crate::place::{self, Fit};
use crate::{Plan, Problem};

/// A planner of spaces with a name. Each places spaces one after the other at their lowest free offsets.
///
/// Those of Aidge need a hole that is free for all bytes of a space during all of its life, as its memory manager does,
/// but leave the holes in a space to later ones. It takes a space to be occupied by the planes that came last, whether
/// earlier ones are still needed or not; here, it is by all planes alive. The others also let a space
/// come to lie around what is in its own holes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// Aidge without strategy: in the order of birth; holes in spaces stay unused.
    AidgeNone,
    /// `OptimizeMaxLifetimeMinSizeFirst`: longest life first, then the smallest.
    AidgeMinSize,
    /// `OptimizeMaxLifetimeMaxSizeFirst`: longest life first, then the largest.
    AidgeMaxSize,
    /// `OptimizeMaxHoleMaxLifetimeFirst`: biggest hole first, then the longest life. The hole of a space is the
    /// most bytes of it that planes born at one tick leave.
    AidgeMaxHole,
    /// The largest first, then by birth.
    Size,
    /// The largest product of size and lifetime first.
    Area,
    /// The longest life first, then the largest.
    Lifetime,
    /// In the order of birth, then the largest.
    Birth,
}

impl Rule {
    /// All rules.
    pub const ALL: [Rule; 8] = [
        Rule::Size,
        Rule::Area,
        Rule::Lifetime,
        Rule::AidgeMaxSize,
        Rule::AidgeMinSize,
        Rule::AidgeMaxHole,
        Rule::Birth,
        Rule::AidgeNone,
    ];

    /// Those of Aidge.
    pub const AIDGE: [Rule; 4] =
        [Rule::AidgeMaxSize, Rule::AidgeMinSize, Rule::AidgeMaxHole, Rule::AidgeNone];

    /// Its name, as [`FromStr`] takes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::AidgeNone => "aidge_none",
            Self::AidgeMinSize => "aidge_max_lifetime_min_size",
            Self::AidgeMaxSize => "aidge_max_lifetime_max_size",
            Self::AidgeMaxHole => "aidge_max_hole_max_lifetime",
            Self::Size => "size",
            Self::Area => "area",
            Self::Lifetime => "lifetime",
            Self::Birth => "birth",
        }
    }

    /// Plans. The plan is valid but for the capacity, which no rule regards.
    pub fn plan(self, problem: &Spaces) -> SpacePlan {
        Placer::new(problem).place(&self.order(problem), self.holes())
    }

    pub(super) fn holes(self) -> Holes {
        match self {
            Self::AidgeNone => Holes::Unused,
            Self::AidgeMinSize | Self::AidgeMaxSize | Self::AidgeMaxHole => Holes::Left,
            Self::Size | Self::Area | Self::Lifetime | Self::Birth => Holes::Both,
        }
    }

    pub(super) fn order(self, problem: &Spaces) -> Vec<usize> {
        self.sorted(problem.spaces().iter().map(|space| Outline {
            lower: space.lower(),
            upper: space.upper(),
            size: space.size,
            hole: hole(space),
        }))
    }

    /// Plans blocks, each of which is a space without a hole. Fixed ones keep their places; from the deadline on,
    /// blocks are placed above all that have a place.
    pub fn plan_blocks(self, problem: &Problem, deadline: Option<Instant>) -> Plan {
        let outline = |b: &crate::Block| Outline { lower: b.lower, upper: b.upper, size: b.size, hole: 0 };
        let order = self.sorted(problem.blocks().iter().map(outline));
        place::Placer::new(problem).place(&order, Fit::First, deadline)
    }

    /// Positions in the order of placing; ties in input order.
    fn sorted(self, outlines: impl Iterator<Item = Outline>) -> Vec<usize> {
        let mut keyed: Vec<_> = outlines.enumerate().map(|(index, o)| (self.key(&o), index)).collect();
        keyed.sort_unstable();
        keyed.into_iter().map(|(_, index)| index).collect()
    }

    /// What is looked at, the least first.
    fn key(self, o: &Outline) -> [u128; 2] {
        let life = o.upper.saturating_sub(o.lower);
        let area = u128::from(o.size) * u128::from(life);
        let (lower, size, life, hole) = (o.lower.into(), o.size.into(), u128::from(life), o.hole.into());
        let most_first = |number: u128| u128::MAX - number;
        match self {
            Self::AidgeNone => [lower, 0],
            Self::AidgeMinSize => [most_first(life), size],
            Self::AidgeMaxSize | Self::Lifetime => [most_first(life), most_first(size)],
            Self::AidgeMaxHole => [most_first(hole), most_first(life)],
            Self::Size => [most_first(size), lower],
            Self::Area => [most_first(area), 0],
            Self::Birth => [lower, most_first(size)],
        }
    }
}

/// What rules look at.
struct Outline {
    lower: u64,
    upper: u64,
    size: u64,
    hole: u64,
}

fn hole(space: &Space) -> u64 {
    let mut taken: BTreeMap<u64, u64> = BTreeMap::new();
    for plane in &space.planes {
        let bytes = taken.entry(plane.lower).or_default();
        *bytes = bytes.saturating_add(plane.size);
    }
    taken.values().map(|bytes| space.size.saturating_sub(*bytes)).max().unwrap_or(0)
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No rule has this name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownRule(pub String);

impl fmt::Display for UnknownRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown planner of spaces `{}`, known are", self.0)?;
        let names = Rule::ALL.iter().enumerate();
        names.into_iter().try_for_each(|(i, rule)| write!(f, "{} {rule}", if i == 0 { "" } else { "," }))
    }
}

impl std::error::Error for UnknownRule {}

impl FromStr for Rule {
    type Err = UnknownRule;

    fn from_str(name: &str) -> Result<Self, UnknownRule> {
        Self::ALL.into_iter().find(|rule| rule.name() == name).ok_or_else(|| UnknownRule(name.to_owned()))
    }
}
