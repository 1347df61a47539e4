//! Whole plans, carried out byte by byte.
//!
//! Every operator of a model runs in an arena of bytes, in order. It reads its inputs and writes its outputs where the plan
//! as it is written (the memory allocation form) says, and in the order in which a plain kernel goes (`kernels.rs`). Values
//! are no real arithmetic: an element of an output is a hash of the operator and of all elements that it depends on, by the
//! real geometry of windows, strides, dilations and padding, so that a single byte that is overwritten too early changes all
//! that follows. A plan is right if every tensor has the values that it has where no two tensors share a byte (`run.rs`).
//!
//! Nothing here asks the code under test what may share memory: what is read once and in order, and what lives how long,
//! is said here anew.
//!
//! - `layout.rs`: what a plan says of where tensors lie;
//! - `kernels.rs`, `windows.rs`: in which order operators read and write;
//! - `run.rs`: runs of whole models, with garbage wherever no tensor lives;
//! - `nets.rs`: random nets;
//! - `plans.rs`: plans of models and nets, with and without permissions, in one memory and in several, by all planners;
//! - `faults.rs`: plans with a fault, each of which must be noticed.

mod faults;
#[path = "../it/files.rs"]
mod files;
mod kernels;
mod layout;
mod nets;
mod plans;
mod run;
mod windows;
