//! What `schema/regen.sh` writes: one line a field, so that a change of schema is a readable diff.

#[rustfmt::skip]
pub mod circle;
#[rustfmt::skip]
pub(crate) mod opcode;
#[rustfmt::skip]
pub mod tflite;
