//! From profile files to costs of originals.

#[path = "it/common.rs"]
mod common;
#[path = "it/conservation.rs"]
mod conservation;
#[path = "it/corpus.rs"]
mod corpus;
#[path = "it/joining.rs"]
mod joining;
#[path = "it/worked_example.rs"]
mod worked_example;
