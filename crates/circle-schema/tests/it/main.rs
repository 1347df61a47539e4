//! Tests of the whole crate in one program, because linking the generated code takes its time.

mod common;
mod damage;
mod descriptions;
mod drift;
mod extent;
#[path = "../../../circle-tables/tests/random/mod.rs"]
mod random;
mod roundtrip;
