//! Proof that lineage is kept and true, on any model and with any passes. Users run it as `--verify_each` and
//! `circle2circle --truth`; tests run it over every pass.
//!
//! - [`originify`] gives each operator an original and a cost of its own, and after a pass tells whether any was lost,
//!   invented, misplaced or counted twice.
//! - [`truth`] asks whether the claims are *true*: it changes the constants of one original and sees which operators
//!   of the result change.

pub mod originify;
pub mod truth;
