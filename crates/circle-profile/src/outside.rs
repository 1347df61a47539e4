//! What a profile measured that no operator of the model stands for: the time of the whole run, operators that the
//! runtime put in, rows that do not fit. It belongs into a report, since it was paid for; it cannot be kept as an
//! annotation, since nothing is there to carry it.

use std::collections::BTreeMap;

use circle_ir::lineage::annotation::{Metric, MetricKind};
use circle_metadata::profile::{OtherReason, Profile, Unit, lower_median};

use crate::attach::base_name;
use crate::join::{Join, Reason, RowRef};
use crate::metric;
use crate::own::OwnValues;

/// An additive cost without an operator.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Outside {
    /// What was measured.
    pub metric: Metric,
    /// Base name of the profile.
    pub file: String,
    /// What it is.
    pub what: What,
    /// In the metric's unit, for one run of the model.
    pub value: i128,
}

/// What a cost without an operator is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// The whole run of the main subgraph, everything included.
    Wall,
    /// Operators that the runtime put in.
    Inserted,
    /// Operators of a delegate, which do not correspond to those of the file one by one.
    Delegate,
    /// Rows of operators that the model does not have, or has of another kind.
    Unmatched,
}

impl What {
    /// The words in reports.
    pub fn text(self) -> &'static str {
        match self {
            Self::Wall => "whole run",
            Self::Inserted => "inserted by the runtime",
            Self::Delegate => "in a delegate",
            Self::Unmatched => "rows without an operator",
        }
    }
}

/// The additive costs in a profile that were not joined. Rows that repeat others are left out: they were paid for
/// once.
pub fn outside(name: &str, profile: &Profile, join: &Join, own: &OwnValues) -> Vec<Outside> {
    let time = metric::metric("time", Unit::Nanoseconds);
    let mut sums: BTreeMap<(Metric, What), i128> = BTreeMap::new();
    for unmatched in &join.unmatched {
        let (what, metric, value) = match unmatched.row {
            RowRef::Operator(index) => {
                let what = match unmatched.reason {
                    Reason::Inserted { .. } => What::Inserted,
                    Reason::Repeated { .. } => continue,
                    _ => What::Unmatched,
                };
                let Some(row) = profile.rows.get(index) else { continue };
                let metric = metric::metric(&row.metric, row.unit);
                if metric.kind != MetricKind::Additive {
                    continue;
                }
                (what, metric, own.values.get(index).copied().flatten())
            }
            RowRef::Other(index) => {
                let Some(other) = profile.other.get(index) else { continue };
                let what = match (other.reason, other.subgraph) {
                    (OtherReason::Subgraph, Some(0)) => What::Wall,
                    (OtherReason::Delegate, _) => What::Delegate,
                    _ => continue,
                };
                (what, time.clone(), lower_median(&other.samples).or(other.time))
            }
        };
        if let Some(value) = value {
            *sums.entry((metric, what)).or_insert(0) += i128::from(value);
        }
    }
    let file = base_name(name).to_owned();
    let one = |((metric, what), value)| Outside { metric, file: file.clone(), what, value };
    sums.into_iter().map(one).collect()
}
