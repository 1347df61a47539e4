//! The group `--O1`: which passes it runs and in which order, to a fixed point.
//!
//! The order is: first what makes constants of operators (folds), then what makes operators vanish (removals), then
//! what moves transposes out of the way of fusion, then fusion, then merging, and dead code last. Rounds are
//! repeated until nothing fires.

use crate::registry::find;
use crate::rule::Pass;

/// Names of the passes of the group, in order.
pub const NAMES: &[&str] = &["fuse_activation_function", "dead_code"];

/// The passes of the group, in order.
pub fn passes() -> Vec<Pass> {
    NAMES.iter().filter_map(|name| find(name)).collect()
}
