//! From a model to a memory plan.
//!
//! - [`size`]: how many bytes a tensor takes;
//! - [`lifetimes`](mod@lifetimes): when each tensor lives, over all subgraphs, and which may share memory;
//! - [`scratch`]: working memory that kernels ask for;
//! - [`order`]: orders of operators that need less memory;
//! - [`banks`]: what lies in which of several memories;
//! - [`plan`]: lifetimes to offsets, by the planners of `circle-plan`;
//! - [`permitted`]: plans that make use of shared memory only where that needs less;
//! - [`luci`]: the nodes that luci numbers in ONE's execution plan table;
//! - [`table`], [`offline`]: plans as that table and as TensorFlow Lite Micro's list of offsets, and back;
//! - [`to_memory`]: a plan in the memory allocation form, with the original layers of each block.
//!
//! The crate knows no file, and changes nothing of a model but the order of its operators.
#![forbid(unsafe_code)]

pub mod banks;
mod choice;
pub mod error;
mod fixed;
mod inplace;
pub mod lifetimes;
pub mod luci;
mod memory;
mod names;
pub mod offline;
pub mod order;
mod origins;
pub mod permitted;
pub mod plan;
pub mod scratch;
pub mod size;
pub mod table;
mod timeline;

pub use error::{LivenessError, Place, SizeFault};
pub use fixed::{Misfit, Overlaps, Unplaced};
pub use lifetimes::{Item, Liveness, Options, Unit, What, lifetimes};
pub use memory::to_memory;
pub use plan::{Arena, Choice, Settings, UnknownChoice};
pub use scratch::Platform;
