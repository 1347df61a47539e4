//! Codecs of everything that travels beside the graph: ONE's tables, the lineage blob, measured profiles.
//!
//! Bytes, JSON or CSV on one side, plain structs on the other. Nothing here knows what a graph is.
#![forbid(unsafe_code)]

mod cursor;
mod decimal;
pub mod hex;
pub mod lineage;
pub mod name;
pub mod offline_memory;
pub mod one;
pub mod op_table;
pub mod origin_id;
pub mod plan_table;
pub mod problem;
pub mod profile;
mod records;
pub mod source_table;
mod text_value;
