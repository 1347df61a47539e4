//! What lies where in memory, and when: one form for the plans of every backend.
//!
//! - [`form`]: the plain types of the form, written as JSON by serde and described by a JSON Schema;
//! - [`read`]: readers for it and for the forms in use elsewhere, told apart by content, turn them into a [`Memory`];
//! - [`mod@write`]: writers turn it back where the other form can express it, and name what it cannot;
//! - [`mod@check`]: whether a plan is sound;
//! - [`part`]: some of the segments and ticks of a memory;
//! - [`analysis`]: peak, lower bound, fragmentation, who holds which byte when, and two plans compared;
//! - [`schema()`]: the JSON Schema of the form.
//!
//! The crate knows nothing of models, of planners or of pictures.
#![forbid(unsafe_code)]

pub mod analysis;
pub mod check;
pub mod finding;
pub mod form;
pub mod part;
pub mod place;
pub mod read;
mod schema;
pub mod write;

pub use check::{CheckOptions, Report, check, check_part};
pub use finding::{Code, Finding, Severity};
pub use form::{
    Block, File, Kind, Memory, ModelFile, OperatorRef, Origin, Piece, Producer, Segment, Space, SpaceReason,
    TensorRef, Tick, TickUnit,
};
pub use part::{Part, Positions};
pub use place::{Named, Place, Places};
pub use read::{Document, Form, ReadError, ReadOptions};
pub use schema::schema;
pub use write::{Implied, ImpliedProducer, Loss, WriteError, WriteOptions};

/// Key in [`Segment::extra`] of a segment whose blocks have no offsets yet, with the value `true`: a planning problem.
pub const UNPLANNED: &str = "unplanned";

/// Whether the blocks of a segment have no offsets yet.
pub fn is_unplanned(segment: &Segment) -> bool {
    segment.extra.get(UNPLANNED).is_some_and(|value| *value == serde_json::Value::Bool(true))
}
