//! Joins measurements to operators and shares their cost out over origins, exactly.
//!
//! - [`join`]: which operator each row of a profile is about, and why the others are about none;
//! - [`attach`]: the values onto the operators, where they stay through passes and files;
//! - [`attribute`]: the cost of each original operator, between bounds, with nothing lost;
//! - [`report`]: that as text, CSV and JSON;
//! - [`dump`]: everything that is known of a model's lineage;
//! - [`verify`]: whether that holds, and [`coverage`]: for how many operators;
//! - [`history`]: the way from an operator to its originals, and back.
//!
//! ```
//! use circle_profile::{attach::attach, attribute::attribute, join::join, report, weights::Weights};
//!
//! let text = "subgraph sg0 \"main\" (%0) -> (%1)\n %0: f32[8] \"x\"\n %1: f32[8] \"y\"\n op0 RELU (%0) -> %1\n";
//! let mut model = circle_ir::text::parse(text)?;
//! let csv = b"subgraph,op_index,metric,unit,value,opcode\n0,0,time,us,1.5,RELU\n";
//! let profile = circle_metadata::profile::read("board.csv", csv)?;
//! let joined = join(&model, &profile);
//! assert!(joined.unmatched.is_empty());
//! attach(&mut model, "board.csv", &profile, &joined)?;
//! let tables = attribute(&model, &Weights::Equal, &[]);
//! tables.iter().try_for_each(|table| table.check())?;
//! assert!(report::to_text(&report::rows(&model, &tables)).contains("1500 ns"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

pub mod attach;
pub mod attribute;
pub mod coverage;
pub mod dump;
pub mod history;
pub mod identity;
pub mod join;
mod json;
mod lines;
pub mod metric;
pub mod outside;
pub mod own;
pub mod rebase;
pub mod report;
pub mod verify;
pub mod weights;
