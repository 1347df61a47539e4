//! The graph in memory: operators, tensors, lineage, annotations, and the patches that change them.
//!
//! An operator cannot come into being without its derivation, and an origin cannot leave without an entry in the
//! ledger. Both hold by construction:
//!
//! - [`Operator`] and [`Lineage`](lineage::Lineage) have private fields and no public
//!   constructor;
//! - operators come in through [`Draft::adopt`](import::Draft::adopt), which wants a lineage for each, and change
//!   through [`Model::apply`](model::Model::apply), which takes a [`Patch`](patch::Patch);
//! - a patch is made by verbs of [`PatchBuilder`](patch::PatchBuilder) that take the matched operators;
//! - rules see a [`View`], which is read-only.
//!
//! ```compile_fail,E0451
//! # use circle_ir::{lineage::Lineage, entity::*};
//! // A lineage cannot be written by hand.
//! let lineage = Lineage { claims: ClaimSetId::from_number(0), event: None, unknown: None };
//! ```
//! ```compile_fail,E0616
//! # use circle_ir::model::Model;
//! // The graph cannot be changed behind the engine's back.
//! fn pass(model: &mut Model) { model.subgraphs.clear(); }
//! ```
//! ```compile_fail,E0599
//! // A patch that says nothing of lineage cannot be made.
//! let patch = circle_ir::patch::Patch::default();
//! ```
//! ```compile_fail,E0061
//! # use circle_ir::{patch::PatchBuilder, entity::OpId};
//! // An operator cannot leave without a reason.
//! fn rule(patch: &mut PatchBuilder<'_>, op: OpId) { patch.retire(op); }
//! ```
//! ```compile_fail,E0560
//! # use circle_ir::OpSpec;
//! // What a rule says of a new operator holds neither costs nor claims: it can neither drop nor double nor move them.
//! fn rule(spec: OpSpec) -> OpSpec { OpSpec { notes: Vec::new(), ..spec } }
//! ```
//! ```compile_fail,E0596
//! # use circle_ir::View;
//! // A step cannot be entered by hand, and so no wrong one; nor can one be left out.
//! fn rule(view: &View<'_>, event: circle_ir::lineage::history::Event) {
//!     view.model().store().history.push(event, []);
//! }
//! ```
//! ```compile_fail,E0596
//! # use circle_ir::View;
//! // The ledger is not for rules to write in.
//! fn rule(view: &View<'_>) { view.model().store().ledger.clear(); }
//! ```
#![forbid(unsafe_code)]

pub mod buffer;
#[cfg(feature = "damage")]
pub mod damage;
mod dataflow;
pub mod entity;
pub mod import;
pub mod lineage;
pub mod model;
pub mod operator;
pub mod order;
pub mod patch;
pub mod subgraph;
pub mod text;
pub mod uses;
pub mod value;
pub mod verify;
pub mod view;

pub use buffer::{Buffer, Bytes, Placement};
pub use entity::*;
pub use model::Model;
pub use operator::{OpCode, OpSpec, Operator};
pub use subgraph::Subgraph;
pub use value::{ElementType, Value, ValueSpec};
pub use view::View;
