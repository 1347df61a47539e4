//! Plans memory: blocks with a size and a lifetime in, offsets out.
#![forbid(unsafe_code)]

pub mod bound;
pub mod check;
pub mod csv;
mod occupancy;
mod place;
pub mod planners;
pub mod problem;
mod random;
pub mod search;
mod ticks;

pub use problem::{Block, Plan, Problem, ProblemError};
