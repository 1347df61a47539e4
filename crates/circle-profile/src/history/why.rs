//! From an operator to its originals.

use std::collections::BTreeSet;

use circle_ir::lineage::annotation::{Metric, NoteValue};
use circle_ir::{Model, OpId, OriginId, SubgraphId};
use serde::Serialize;

use super::room::{Room, Steps, ids};
use super::{Carrier, Original, RoleRow, Step, none, original, role};

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
    /// For how many originals it stands besides.
    #[serde(skip_serializing_if = "none")]
    pub originals_more: u64,
    /// The steps that led to it, oldest first: the latest of them.
    pub steps: Vec<Step>,
    /// How many earlier steps there are.
    #[serde(skip_serializing_if = "none")]
    pub steps_more: u64,
    /// The originals that are listed with these steps and that it does not stand for.
    pub others: Vec<Original>,
    /// How many there are besides.
    #[serde(skip_serializing_if = "none")]
    pub others_more: u64,
    /// What was measured on it or on what it stands for.
    pub measured: Vec<Measured>,
    /// How many values there are besides.
    #[serde(skip_serializing_if = "none")]
    pub measured_more: u64,
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
    /// Ids of the originals that it was measured over, the first [`IDS`](super::IDS) of them.
    pub over: Vec<u32>,
    /// Over how many originals it was measured besides.
    #[serde(skip_serializing_if = "none")]
    pub over_more: u64,
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
    let ancestry = lineage.event().map(|event| store.history.ancestry(event)).unwrap_or_default();
    let (steps, steps_more) = Steps::new(store).latest(&ancestry, &mut Room::new());
    let others: BTreeSet<u32> = steps
        .iter()
        .flat_map(|step| step.took.iter().copied())
        .filter(|id| claims.binary_search_by_key(id, |claim| claim.origin.number()).is_err())
        .collect();
    let others = others.into_iter().collect::<Vec<_>>().into_iter();
    let others = others.map(|id| original(store, OriginId::from_number(id)));
    let (others, others_more) = Room::new().list(others, Original::bytes);
    let originals =
        claims.iter().map(|claim| Claimed { original: original(store, claim.origin), role: role(claim) });
    let (originals, originals_more) = Room::new().list(originals, |claimed| claimed.original.bytes());
    let measured = operator.notes().iter().map(|note| {
        let metric = store.metrics.get(note.metric.number() as usize);
        let value = match &note.value {
            NoteValue::Integer(value) => (*value).into(),
            NoteValue::Decimal(text) | NoteValue::Text(text) => text.to_string().into(),
        };
        let (over, over_more) = ids(store, note.over);
        let text =
            |text: fn(&Metric) -> &str| metric.map_or_else(String::new, |metric| text(metric).to_owned());
        Measured {
            name: text(|metric| &metric.name),
            unit: text(|metric| &metric.unit),
            value,
            over,
            over_more,
            from: note.from.to_string(),
        }
    });
    let (measured, measured_more) = Room::new().list(measured, |value| {
        let number = value.value.as_str().map_or(8, str::len);
        value.name.len() + value.unit.len() + number + 8 * value.over.len() + value.from.len()
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
        originals,
        originals_more,
        steps,
        steps_more,
        others,
        others_more,
        measured,
        measured_more,
    })
}
