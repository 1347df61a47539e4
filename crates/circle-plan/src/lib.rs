//! Plans memory: blocks with a size and a lifetime in, an offset for each out, so that blocks alive at one
//! tick share no address and the peak is low.
//!
//! - [`problem`]: blocks, what makes them a problem, and plans;
//! - [`bound`]: how few bytes any plan needs at least;
//! - [`planners`]: the planners of the field, by name;
//! - [`search`]: the best plan that can be found in a given time, with a proof if there is one;
//! - [`spaces`]: the same for memory that tensors share in place or around a ring;
//! - [`check`](mod@check): whether a plan is valid, independent of all planners;
//! - [`csv`]: problems and plans as text.
//!
//! ```
//! use circle_plan::{Block, Problem, check::check, planners::Planner, search};
//!
//! let blocks = vec![
//!     Block::new("conv", 0, 2, 64),
//!     Block { alignment: 16, ..Block::new("relu", 1, 3, 40) },
//!     Block::new("pool", 2, 4, 60),
//! ];
//! let problem = Problem::new(blocks, None)?;
//! let plan = Planner::GreedyBySize.plan(&problem);
//! assert_eq!((plan.offsets, plan.peak), (vec![0, 64, 0], 104));
//!
//! let outcome = search::best(&problem, &search::Options::default());
//! assert!(outcome.is_optimal());
//! assert_eq!(check(&problem, &outcome.plan), []);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Orders of operators, which decide on lifetimes, are outside of this crate's problem: whoever searches
//! them asks [`bound::max_live`] what an order is worth before anything is placed.
#![forbid(unsafe_code)]

pub mod bound;
pub mod check;
mod clock;
mod coarse;
pub mod csv;
mod occupancy;
mod place;
pub mod planners;
pub mod problem;
mod random;
pub mod search;
pub mod spaces;
mod ticks;

pub use problem::{Block, Plan, Problem, ProblemError};
