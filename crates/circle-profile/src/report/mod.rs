//! Costs of originals as rows, and those as text, CSV and JSON. The JSON keys are a contract; they are added to and
//! never renamed.

mod csv;
mod json;
mod text;

use std::collections::BTreeSet;

use circle_ir::lineage::Store;
use circle_ir::{Model, OriginId};
use circle_metadata::hex;
use serde::Serialize;

use crate::attribute::{Rest, Share, Table};

pub use csv::to_csv;
pub use json::to_json;
pub use text::to_text;

/// Version of the meaning of the JSON keys.
const SCHEMA_VERSION: u32 = 1;

/// All tables of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Rises when the meaning of a key changes.
    pub schema_version: u32,
    /// Files that originals come from; their index is what `file` of a row means.
    pub origin_files: Vec<FileRow>,
    /// One table for each metric and profile.
    pub tables: Vec<TableRows>,
}

/// A file that originals come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileRow {
    /// Base name.
    pub name: String,
    /// MD5, hexadecimal.
    pub md5: String,
}

/// The costs of one metric from one profile, in its unit and without rounding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TableRows {
    /// What was measured.
    pub metric: String,
    /// Unit of all values.
    pub unit: String,
    /// Base name of the profile.
    pub profile: String,
    /// By what costs of several originals were shared out.
    pub weights: String,
    /// How much of the shares was measured for one original alone.
    pub exact: i128,
    /// Originals by descending share, then by id.
    pub rows: Vec<OriginCost>,
    /// What stands for no original.
    pub rest: Vec<RestRow>,
    /// How many originals of the model have no row, nothing having been measured for them.
    pub unmeasured: usize,
    /// The sums.
    pub equation: Equation,
}

/// What one original cost. `low <= share <= high`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OriginCost {
    /// Id of the original.
    pub id: u32,
    /// Its file; `null` if unknown.
    pub file: Option<u32>,
    /// Subgraph in that file.
    pub subgraph: Option<u32>,
    /// Index in that subgraph; `null` if unknown.
    pub operator: Option<u32>,
    /// Its operator code; empty if unknown.
    pub opcode: String,
    /// Name of its first output tensor.
    pub name: String,
    /// Measured for it alone.
    pub low: i128,
    /// Its part of everything in which it took part.
    pub share: i128,
    /// Everything in which it took part.
    pub high: i128,
    /// How much of `share` was measured on operators that only serve it.
    pub helper: i128,
    /// How much of `share` rests on relations that were not carried through passes.
    pub inferred: i128,
    /// How many values it took part in.
    pub values: u64,
}

/// A cost that stands for no original.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RestRow {
    /// `unattributed`, `retired`, `overhead` or `overlap`.
    pub kind: &'static str,
    /// Why.
    pub reason: String,
    /// Id of the original, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<u32>,
    /// Its operator code.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub opcode: String,
    /// Its name.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// In the unit of the table; below 0 for overlaps.
    pub value: i128,
}

/// `originals + unattributed + retired + overhead + overlap = total`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Equation {
    /// Sum of all shares.
    pub originals: i128,
    /// Measured on operators without a known origin.
    pub unattributed: i128,
    /// Measured on operators that have left.
    pub retired: i128,
    /// Measured on no operator of the model.
    pub overhead: i128,
    /// What nested operators cost beyond the one around them.
    pub overlap: i128,
    /// Everything that was measured.
    pub total: i128,
    /// Whether the sums are equal and all shares lie between their bounds.
    pub holds: bool,
}

/// Tables as rows, with what the model knows of each original.
pub fn rows(model: &Model, tables: &[Table]) -> Report {
    let store = model.store();
    let file = |file: &circle_ir::lineage::origin::OriginFile| FileRow {
        name: file.name.to_string(),
        md5: hex::encode(&file.md5),
    };
    Report {
        schema_version: SCHEMA_VERSION,
        origin_files: store.origins.files.iter().map(file).collect(),
        tables: tables.iter().map(|table| table_rows(store, table)).collect(),
    }
}

fn table_rows(store: &Store, table: &Table) -> TableRows {
    let mut rows: Vec<OriginCost> =
        table.shares.iter().map(|(&id, share)| origin_cost(store, id, share)).collect();
    rows.sort_by_key(|row| (std::cmp::Reverse(row.share), row.id));
    let rest = |((kind, reason, original), &value): (&(Rest, String, Option<OriginId>), &i128)| {
        let origin = original.and_then(|id| store.origins.operator(id));
        RestRow {
            kind: kind.name(),
            reason: reason.clone(),
            id: original.map(OriginId::number),
            opcode: origin.map_or("", |origin| &origin.opcode).to_owned(),
            name: origin.map_or("", |origin| &origin.name).to_owned(),
            value,
        }
    };
    // Counted from the table's side: there may be many tables, and each may know few of the originals.
    let retired = table.rest.keys().filter_map(|(.., original)| *original);
    let measured: BTreeSet<OriginId> = table.shares.keys().copied().chain(retired).collect();
    let originals = &store.origins.operators;
    let measured = measured.iter().filter(|id| originals.contains_key(id)).count();
    TableRows {
        metric: table.metric.name.to_string(),
        unit: table.metric.unit.to_string(),
        profile: table.file.clone(),
        weights: table.weights.clone(),
        exact: table.exact(),
        rows,
        rest: table.rest.iter().map(rest).collect(),
        unmeasured: originals.len() - measured,
        equation: Equation {
            originals: table.shared(),
            unattributed: table.rest_of(Rest::Unattributed),
            retired: table.rest_of(Rest::Retired),
            overhead: table.rest_of(Rest::Overhead),
            overlap: table.rest_of(Rest::Overlap),
            total: table.total,
            holds: table.check().is_ok(),
        },
    }
}

fn origin_cost(store: &Store, id: OriginId, share: &Share) -> OriginCost {
    let origin = store.origins.operator(id);
    let text = |text: fn(&circle_ir::lineage::origin::Origin) -> &str| origin.map_or("", text).to_owned();
    OriginCost {
        id: id.number(),
        file: origin.and_then(|origin| origin.file).map(|file| file.number()),
        subgraph: origin.map(|origin| origin.subgraph),
        operator: origin.and_then(|origin| origin.operator),
        opcode: text(|origin| &origin.opcode),
        name: text(|origin| &origin.name),
        low: share.low,
        share: share.share,
        high: share.high,
        helper: share.helper,
        inferred: share.inferred,
        values: share.values,
    }
}
