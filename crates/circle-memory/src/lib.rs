//! What lies where in memory, and when: one form for the plans of every backend.
//!
//! - [`form`]: the plain types of the form, written as JSON by serde and described by a JSON Schema;
//! - readers for the forms in use elsewhere turn them into a [`Memory`], writers turn it back where the other form can
//!   express it;
//! - [`analysis`]: peak, lower bound, fragmentation, who holds which byte when, and two plans compared.
//!
//! The crate knows nothing of models, of planners or of pictures.
#![forbid(unsafe_code)]

pub mod analysis;
pub mod form;

pub use form::{
    Block, File, Kind, Memory, ModelFile, OperatorRef, Origin, Piece, Producer, Segment, Space, SpaceReason,
    TensorRef, Tick, TickUnit,
};
