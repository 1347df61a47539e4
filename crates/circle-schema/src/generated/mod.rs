//! What flatc makes of `schema/*.fbs`. Written by `schema/regen.sh`. Do not edit.
//!
//! Each file holds one module named after the namespace of its schema.

#[rustfmt::skip]
#[allow(
    warnings,
    clippy::all,
    clippy::unwrap_used,
    clippy::allow_attributes_without_reason,
    missing_debug_implementations,
    missing_docs,
    unreachable_pub,
    unsafe_code,
    reason = "generated code follows the rules of its generator"
)]
#[path = "circle.rs"]
mod circle_generated;
pub use circle_generated::circle;

#[rustfmt::skip]
#[allow(
    warnings,
    clippy::all,
    clippy::unwrap_used,
    clippy::allow_attributes_without_reason,
    missing_debug_implementations,
    missing_docs,
    unreachable_pub,
    unsafe_code,
    reason = "generated code follows the rules of its generator"
)]
#[path = "tflite.rs"]
mod tflite_generated;
pub use tflite_generated::tflite;

#[rustfmt::skip]
#[allow(
    warnings,
    clippy::all,
    clippy::unwrap_used,
    clippy::allow_attributes_without_reason,
    missing_debug_implementations,
    missing_docs,
    unreachable_pub,
    unsafe_code,
    reason = "generated code follows the rules of its generator"
)]
#[path = "lineage.rs"]
mod lineage_generated;
pub use lineage_generated::lineage;
