//! Records as text, `{padding=SAME, stride_w=1, fused_activation_function=RELU}`.
//!
//! ```text
//! record   = "{" [ field { "," field } ] "}"
//! field    = name "=" value
//! value    = "true" | "false"            truth value
//!          | integer                     decimal, unsigned for ulong
//!          | float                       decimal, inf, -inf, nan, nan:0x7fc00001
//!          | name | integer              enumeration, a number only where it has no name
//!          | string                      "..." with the escapes \" \\ \n \r \t \u{1f}
//!          | "x" string                  unsigned bytes in hexadecimal, x"00ff"
//!          | "[" [ value { "," value } ] "]"
//!          | record                      table
//!          | table-name record           member of a union
//! ```
//!
//! White space may stand between any two of these. Only fields that are present are written, so a
//! record and its text say the same, to the bit.

mod error;
mod parse;
mod print;

pub use error::{ParseError, ParseProblem};
pub use parse::{parse, parse_prefix, unquote};
pub use print::quote;
