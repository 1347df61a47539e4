//! From profile files to costs of originals.
#![cfg(test)]

mod common;
mod conservation;
mod corpus;
mod joining;
mod measured;
mod rebase;
mod removed;
mod verify;
mod worked_example;
