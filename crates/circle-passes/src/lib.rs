//! Graph rewrites that carry lineage, one rule a file, and the driver that applies them.
//!
//! A rule reads the model through a [`View`](circle_ir::View) and returns a patch; see [`rule`]. The folders hold
//! the rules by kind of change; [`registry`] lists them all and [`o1`] the group in its order.
#![forbid(unsafe_code)]

pub mod driver;
pub mod matcher;
pub mod o1;
pub mod proof;
pub mod registry;
pub mod rule;

mod clean;
mod decompose;
mod fold;
mod forward;
mod fuse;
mod merge;
mod remove;
mod substitute;
#[cfg(test)]
mod testing;

pub use driver::{Context, Drawn, DriverError, Report, Settings, When, run};
pub use rule::{Change, ModelPass, Pass, PassInfo, Rule};
