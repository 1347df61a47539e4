//! Search for plans that no single heuristic finds: [`best`], and the parts it is made of.

mod best;
mod branch;
mod exact;
#[cfg(test)]
mod hurried;
mod local;
mod model;
mod repair;
mod state;
mod table;

pub use best::{Options, Outcome, Stage, best};
pub use exact::{Answer, Question, decide};
pub use local::{Climb, climb};
