//! The history of a model, walked both ways: from an operator to its originals ([`why`](why::why)), and from an original
//! to what carries it now ([`whereabouts`](whereabouts::whereabouts)). Every hop names pass, action, run and what it
//! took. Lists are bounded ([`IDS`], [`BYTES`]), and what is not listed is counted.

mod names;
mod room;
mod text;
pub mod whereabouts;
pub mod why;

use circle_ir::OriginId;
use circle_ir::lineage::Store;
use circle_ir::lineage::claims::Claim;
use circle_metadata::hex;
use serde::Serialize;

pub use names::{NameError, operator, source};
pub use room::{BYTES, IDS};
pub use text::{whereabouts_text, why_text};

/// An original operator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Original {
    /// Its id.
    pub id: u32,
    /// Operator code there; empty if it was not recorded.
    pub opcode: String,
    /// Name of its first output tensor there.
    pub name: String,
    /// Base name of its file; `null` if the lineage names none.
    pub file: Option<String>,
    /// md5 of that file.
    pub md5: Option<String>,
    /// Subgraph in that file.
    pub subgraph: u32,
    /// Operator index in that subgraph; `null` if only its name was recorded.
    pub operator: Option<u32>,
}

/// How an original is stood for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RoleRow {
    /// The role.
    pub role: &'static str,
    /// Which part, from 1.
    pub part: Option<u32>,
    /// Of how many.
    pub parts: Option<u32>,
}

/// A step of the history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// Its number; later steps have larger ones.
    pub step: u32,
    /// The pass.
    pub pass: String,
    /// What it did.
    pub action: &'static str,
    /// The run of a tool in which it happened.
    pub run: RunRow,
    /// Ids of the originals of everything that it took, the first [`IDS`] of them.
    pub took: Vec<u32>,
    /// How many originals it took besides.
    #[serde(skip_serializing_if = "none")]
    pub took_more: u64,
    /// The steps that it builds on, the first [`IDS`] of them.
    pub after: Vec<u32>,
    /// On how many steps it builds besides.
    #[serde(skip_serializing_if = "none")]
    pub after_more: u64,
}

/// A run of a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RunRow {
    /// Its number, from 0.
    pub run: u32,
    /// The tool.
    pub tool: String,
    /// Its version.
    pub version: String,
    /// The options that shaped the result.
    pub options: String,
}

/// An operator of the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Carrier {
    /// Its subgraph.
    pub subgraph: u32,
    /// Its index there.
    pub operator: u32,
    /// Its operator code.
    pub opcode: String,
    /// Name of its first output tensor.
    pub name: String,
}

/// Counts of what is not listed are left out where all is.
fn none(count: &u64) -> bool {
    *count == 0
}

fn original(store: &Store, id: OriginId) -> Original {
    let Some(origin) = store.origins.operator(id) else {
        return Original {
            id: id.number(),
            opcode: String::new(),
            name: String::new(),
            file: None,
            md5: None,
            subgraph: 0,
            operator: None,
        };
    };
    let file = origin.file.and_then(|f| store.origins.files.get(f.number() as usize));
    Original {
        id: id.number(),
        opcode: origin.opcode.to_string(),
        name: origin.name.to_string(),
        file: file.map(|file| file.name.to_string()),
        md5: file.map(|file| hex::encode(&file.md5)),
        subgraph: origin.subgraph,
        operator: origin.operator,
    }
}

fn role(claim: &Claim) -> RoleRow {
    RoleRow {
        role: claim.role.name(),
        part: claim.part.map(|part| part.index),
        parts: claim.part.map(|part| part.count),
    }
}

/// What either walk found, as JSON: indented, with a line feed at its end.
///
/// # Errors
/// When it has a key that is no string, as neither has.
pub fn to_json(found: &impl Serialize) -> Result<String, serde_json::Error> {
    crate::json::pretty(found)
}
