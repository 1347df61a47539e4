//! From an operator to its originals.

use circle_ir::lineage::annotation::NoteValue;
use circle_ir::{Model, OpId, SubgraphId};
use serde::Serialize;

use super::{Carrier, Original, RoleRow, Step, ids, original, role, steps};

/// Why an operator is as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Why {
    /// Rises when the meaning of a key changes.
    pub schema_version: u32,
    /// The operator.
    #[serde(flatten)]
    pub operator: Carrier,
    /// Why its origin, or part of it, is unknown.
    pub unknown: Option<String>,
    /// What it stands for.
    pub originals: Vec<Claimed>,
    /// The steps that led to it, oldest first.
    pub steps: Vec<Step>,
    /// The originals that these steps took besides and that it does not stand for.
    pub others: Vec<Original>,
    /// What was measured on it or on what it stands for.
    pub measured: Vec<Measured>,
}

/// An original that an operator stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Claimed {
    /// The original.
    #[serde(flatten)]
    pub original: Original,
    /// How it is stood for.
    #[serde(flatten)]
    pub role: RoleRow,
}

/// A measured value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Measured {
    /// The metric.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// The value; a whole number or a text.
    pub value: serde_json::Value,
    /// Ids of the originals that it was measured over.
    pub over: Vec<u32>,
    /// Base name of the profile and its line.
    pub from: String,
}

/// Why operator `op` is as it is; `None` if it is not there.
pub fn why(model: &Model, subgraph: SubgraphId, op: OpId) -> Option<Why> {
    let store = model.store();
    let sg = model.subgraph(subgraph)?;
    let index = sg.operators().position(|(id, _)| id == op)?;
    let operator = sg.operator(op)?;
    let name = operator.outputs().first().and_then(|&v| sg.value(v)).map_or("", |v| v.name());
    let lineage = operator.lineage();
    let claims = store.claim_sets.get(lineage.claims());
    let steps = steps(model, lineage.event());
    let others: std::collections::BTreeSet<u32> = steps
        .iter()
        .flat_map(|step| step.took.iter().copied())
        .filter(|id| claims.binary_search_by_key(id, |claim| claim.origin.number()).is_err())
        .collect();
    let measured = operator.notes().iter().filter_map(|note| {
        let metric = store.metrics.get(note.metric.number() as usize)?;
        let value = match &note.value {
            NoteValue::Integer(value) => (*value).into(),
            NoteValue::Decimal(text) | NoteValue::Text(text) => text.to_string().into(),
        };
        Some(Measured {
            name: metric.name.to_string(),
            unit: metric.unit.to_string(),
            value,
            over: ids(store, note.over),
            from: note.from.to_string(),
        })
    });
    Some(Why {
        schema_version: 1,
        operator: Carrier {
            subgraph: subgraph.number(),
            operator: index as u32,
            opcode: operator.code().name(),
            name: name.to_owned(),
        },
        unknown: lineage.unknown().map(|reason| store.reason_text(reason).to_owned()),
        originals: claims
            .iter()
            .map(|claim| Claimed { original: original(store, claim.origin), role: role(claim) })
            .collect(),
        others: others.into_iter().map(|id| original(store, circle_ir::OriginId::from_number(id))).collect(),
        measured: measured.collect(),
        steps,
    })
}
