//! From a model to a memory plan.
//!
//! - [`size`]: how many bytes a tensor takes;
//! - [`lifetimes`](mod@lifetimes): when each tensor lives, over all subgraphs, and which may share memory;
//! - [`scratch`]: working memory that kernels ask for;
//! - [`plan`]: lifetimes to offsets, by the planners of `circle-plan`;
//! - [`to_memory`]: a plan in the memory allocation form, with the original layers of each block.
//!
//! The crate changes no model and knows no file.
#![forbid(unsafe_code)]

pub mod error;
mod inplace;
pub mod lifetimes;
mod memory;
mod names;
pub mod plan;
pub mod scratch;
pub mod size;
mod timeline;

pub use error::{LivenessError, Place, SizeFault};
pub use lifetimes::{Item, Liveness, Options, Unit, What, lifetimes};
pub use memory::to_memory;
pub use plan::{Arena, Choice, Settings};
pub use scratch::Platform;
