//! Who plans, by name.

use std::fmt;
use std::str::FromStr;

use circle_plan::planners::Planner;
use circle_plan::spaces::Rule;

/// Who plans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The search for the least peak.
    Best,
    /// A planner of the field.
    Named(Planner),
    /// A planner of Aidge, which knows of memory that tensors share around a ring.
    Spaces(Rule),
}

impl Choice {
    /// All choices.
    pub fn all() -> impl Iterator<Item = Choice> {
        let named = Planner::ALL.into_iter().map(Self::Named);
        std::iter::once(Self::Best).chain(named).chain(Rule::AIDGE.into_iter().map(Self::Spaces))
    }

    /// Its name, as [`FromStr`] takes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Named(planner) => planner.name(),
            Self::Spaces(rule) => rule.name(),
        }
    }
}

/// Nobody who plans has this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownChoice(pub String);

impl fmt::Display for UnknownChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known: Vec<&str> = Choice::all().map(Choice::name).collect();
        write!(f, "unknown planner `{}`, known are {}", self.0, known.join(", "))
    }
}

impl std::error::Error for UnknownChoice {}

impl FromStr for Choice {
    type Err = UnknownChoice;

    fn from_str(name: &str) -> Result<Self, UnknownChoice> {
        Self::all().find(|choice| choice.name() == name).ok_or_else(|| UnknownChoice(name.to_owned()))
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
