//! Joins measurements to operators and shares their cost out over origins, exactly.
#![forbid(unsafe_code)]

pub mod dump;
