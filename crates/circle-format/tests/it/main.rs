//! Tests of the whole crate in one program, because linking takes its time.

mod amend;
mod common;
mod compare;
mod layout;
mod measured;
mod passes;
mod place;
mod rewrite;
mod sidecar;
mod trailing;
