//! The text form of a model: what tests, examples of passes, error pages and bug reports are written in.
//!
//! ```text
//! subgraph sg0 "main" (%0) -> (%3)
//!   %0: f32[1,8] "x"
//!   %1: f32[8] "half" = [0.5]
//!   %3: f32[1,8] "y"
//!   op0 MUL {fused_activation_function=RELU} (%0, %1) -> %3  ; @0 primary
//! ```
//!
//! - One tensor or operator a line; a tensor stands before the first operator that names it. Identities are those
//!   in memory, so a line of a log can be found again.
//! - `?` stands for an open dimension. After the name come the other fields of the tensor's table, if any.
//! - `= [...]` gives the elements of a constant in order; a single one stands for all. Constants of more elements
//!   than are readable are shown by their bytes' place and number, and such text cannot be parsed.
//! - A left-out optional input is `_`. `v2` after an operator's name is its version when it is not 1. Options follow
//!   in braces, then `+{...}` with other fields of the operator's table, and after the outputs `~(...)` with
//!   intermediate tensors.
//! - After `;` stands the lineage, which is printed and not parsed: a parsed model is its own origin.

mod parse;
mod print;

pub use parse::{ParseError, parse};
pub use print::{Show, print, print_operator};

/// Constants of more elements are shown by place and number only.
pub const MAX_SHOWN_ELEMENTS: u64 = 64;
