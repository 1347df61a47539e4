//! Pictures of memory plans as a user gets them: kept references, exact sums, hostile names, bounds.
//! `BLESS=1 cargo test -p circle-visual` rewrites the references.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod bounds;
mod common;
mod kept;
mod lines;
mod numbers;
#[path = "../../examples/plans/mod.rs"]
mod plans;
mod samples;
#[path = "../support/mod.rs"]
mod support;
mod words;
