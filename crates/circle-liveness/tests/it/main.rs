//! Tests of lifetimes and plans on small models in text form and on the corpus.

mod common;
mod corpus;
mod files;
mod lifetimes;
mod luci;
mod order;
mod permitted;
mod rings;
