//! What a judgement says.

use std::fmt;

use circle_ir::import::ImportError;
use circle_ir::{OpId, OriginId, SubgraphId, ValueId};

use crate::driver::DriverError;

/// A part of the result that claims originals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// An operator.
    Operator(SubgraphId, OpId),
    /// A constant that an operator reads.
    Constant(SubgraphId, ValueId),
}

/// Why a model's claims could not be judged at all.
#[derive(Debug)]
pub enum TruthError {
    /// Tensors have left the model since it was read.
    Changed,
    /// The model refers to what is not there.
    Import(ImportError),
    /// The passes failed.
    Driver(DriverError),
}

impl fmt::Display for TruthError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Changed => f.write_str("the model is not as it was read"),
            Self::Import(error) => error.fmt(f),
            Self::Driver(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TruthError {}

/// A claim that is not true, or one that is wanting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Untrue {
    /// The operator of the result in one line of text with its lineage, or the constant with its name.
    pub operator: String,
    /// Operator of the model that was given, `@` and its number counted through all subgraphs.
    pub original: OriginId,
    /// Its code.
    pub code: String,
    /// The name of its first result.
    pub name: String,
    /// Whether the claim is there and not borne out; otherwise it is wanting.
    pub claimed: bool,
}

impl fmt::Display for Untrue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { operator, original, code, name, claimed } = self;
        if *claimed {
            write!(
                f,
                "{operator}\n  ^~~ claims {original} {code} {name:?} and does not depend on its constants"
            )
        } else {
            write!(
                f,
                "{operator}\n  ^~~ depends on constants of {original} {code} {name:?} and does not claim it"
            )
        }
    }
}

/// What [`check`](super::check) found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TruthReport {
    /// Pairs of operator and original that hold: claimed and seen.
    pub confirmed: u64,
    /// How many of these are of operators that a pass has made or changed.
    pub confirmed_on_changed: u64,
    /// Claims that numbers cannot decide and that count neither way: of several parts or results of one step one has
    /// the constants, and no factor shows in a constant of zeros. The values of tensors decide these, as they do for
    /// operators without numbers.
    pub untried: u64,
    /// What does not hold.
    pub untrue: Vec<Untrue>,
    /// Constants that could not be judged, as the passes took another course with each change that was tried: tensor
    /// name and readers.
    pub undecided: Vec<String>,
    /// How many operators of the model read numbers that can be changed.
    pub judged: usize,
    /// How many read none.
    pub without_numbers: usize,
    /// How many patches were applied to the model as it is.
    pub patches: u64,
    /// How often the passes were run.
    pub runs: u64,
}

impl TruthReport {
    /// Pairs that are seen and not claimed.
    pub fn missing(&self) -> u64 {
        self.untrue.iter().filter(|untrue| !untrue.claimed).count() as u64
    }
    /// Pairs that are claimed and not seen.
    pub fn unfounded(&self) -> u64 {
        self.untrue.iter().filter(|untrue| untrue.claimed).count() as u64
    }
}
