//! Orders in which spaces are placed, by name.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use super::place::{Holes, Placer};
use super::problem::{Space, SpacePlan, Spaces};

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
        let life = |s: &Space| s.upper().saturating_sub(s.lower());
        match self {
            Self::AidgeNone => sorted(problem, Space::lower),
            Self::AidgeMinSize => sorted(problem, |s| (Reverse(life(s)), s.size)),
            Self::AidgeMaxSize | Self::Lifetime => sorted(problem, |s| Reverse((life(s), s.size))),
            Self::AidgeMaxHole => sorted(problem, |s| Reverse((hole(s), life(s)))),
            Self::Size => sorted(problem, |s| (Reverse(s.size), s.lower())),
            Self::Area => sorted(problem, |s| Reverse(u128::from(s.size) * u128::from(life(s)))),
            Self::Birth => sorted(problem, |s| (s.lower(), Reverse(s.size))),
        }
    }
}

/// Positions of the spaces, sorted by what `key` says of each; ties in input order.
fn sorted<K: Ord>(problem: &Spaces, key: impl Fn(&Space) -> K) -> Vec<usize> {
    let mut order: Vec<usize> = (0..problem.spaces().len()).collect();
    order.sort_by_cached_key(|&index| problem.spaces().get(index).map(&key));
    order
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
