//! Removal of what nothing uses.

mod dead_code;

pub(crate) use dead_code::DeadCode;
