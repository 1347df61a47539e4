//! The command-line drivers.
//!
//! Each driver is a module with a `main` that returns an exit code; the binaries in `bin/` only call it. This is the
//! only crate that prints.
#![forbid(unsafe_code)]

pub mod args;
pub mod circle2circle;
pub mod circle_execution_plan;
pub mod circle_profile;
pub mod circle_profile_dump;
pub mod failure;
pub mod model;
mod moved;
pub mod one_visualizer;
pub mod output;
mod places;
mod plans;
pub mod progress;
pub mod sidecar;
