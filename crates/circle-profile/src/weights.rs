//! By what the cost of an operator is shared out over the originals it stands for.

use std::collections::BTreeMap;

use circle_ir::OriginId;
use circle_ir::lineage::claims::Claim;

/// A way to share out a cost. Only the proportions count; all zero means equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Weights {
    /// Every original bears the same.
    Equal,
    /// Each original has a weight of its own, such as its multiplications or the bytes it moves; those that are
    /// not listed weigh nothing.
    PerOrigin {
        /// What the weights are; shown in reports.
        name: String,
        /// The weights.
        weights: BTreeMap<OriginId, u64>,
    },
}

impl Weights {
    /// The name in reports.
    pub fn name(&self) -> &str {
        match self {
            Self::Equal => "equal",
            Self::PerOrigin { name, .. } => name,
        }
    }

    /// The weight of each claim.
    pub fn of(&self, claims: &[Claim]) -> Vec<u64> {
        let weight = |claim: &Claim| match self {
            Self::Equal => 1,
            Self::PerOrigin { weights, .. } => weights.get(&claim.origin).copied().unwrap_or(0),
        };
        claims.iter().map(weight).collect()
    }
}
