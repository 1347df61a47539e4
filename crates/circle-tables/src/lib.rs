//! Static description of the circle and tflite schemas: names, slots, types, defaults, codes.
//!
//! Three things live here, none of which knows a byte of any file:
//! * [`CIRCLE`] and [`TFLITE`] describe every table, enumeration and union of the two schemas;
//! * [`opcode`] knows the operator codes, the options each operator takes, and the rule by which a
//!   code is spread over two fields of a file;
//! * [`Record`] is the value of any table, for everything that is carried without being understood
//!   one by one: options of operators, quantization, sparsity.
#![forbid(unsafe_code)]

mod convert;
mod datum;
mod generated;
mod getters;
pub mod opcode;
mod record;
mod schema;
mod text;

pub use convert::LossError;
pub use datum::Datum;
pub use generated::{circle, circle::CIRCLE, tflite, tflite::TFLITE};
pub use record::{Record, SetError};
pub use schema::{DefaultValue, Element, EnumDef, FieldDef, Kind, Scalar, SchemaDef, TableDef, UnionDef};
pub use text::{ParseError, ParseProblem, parse, parse_prefix, quote, unquote};
