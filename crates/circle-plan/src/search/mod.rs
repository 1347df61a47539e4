//! Search for plans that no single heuristic finds: [`best`], and the parts it is made of.

mod best;
mod branch;
mod eject;
mod exact;
#[cfg(test)]
mod hurried;
mod local;
mod meeting;
mod model;
mod orders;
mod outcome;
mod repair;
mod state;
mod table;

pub use best::best;
pub use exact::{Answer, Question, decide};
pub use local::{Climb, climb};
pub use outcome::{Options, Outcome, Stage};
