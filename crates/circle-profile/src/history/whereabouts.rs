//! From an original to what carries it now.

use circle_ir::{ClaimSetId, EventId, Model, OriginId};
use serde::Serialize;

use super::room::{Room, Steps};
use super::{Carrier, Original, RoleRow, Step, none, original, role};

/// Where an original is now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Whereabouts {
    /// Rises when the meaning of a key changes.
    pub schema_version: u32,
    /// The original.
    #[serde(flatten)]
    pub original: Original,
    /// Operators that stand for it.
    pub operators: Vec<OperatorHit>,
    /// How many there are besides.
    #[serde(skip_serializing_if = "none")]
    pub operators_more: u64,
    /// Constants that hold its work.
    pub constants: Vec<ConstantHit>,
    /// How many there are besides.
    #[serde(skip_serializing_if = "none")]
    pub constants_more: u64,
    /// Its departures: the ledger's entries about it.
    pub departures: Vec<Departed>,
    /// How many there are besides.
    #[serde(skip_serializing_if = "none")]
    pub departures_more: u64,
}

/// An operator that stands for the original.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OperatorHit {
    /// The operator.
    #[serde(flatten)]
    pub operator: Carrier,
    /// In which role.
    #[serde(flatten)]
    pub role: RoleRow,
    /// The steps that took the original on its way to this operator, oldest first. The latest 256 steps of
    /// the operator are looked at.
    pub steps: Vec<Step>,
    /// Whether there are earlier steps that were not looked at or that there was no room for.
    #[serde(skip_serializing_if = "not")]
    pub steps_cut: bool,
}

/// A constant that holds the original's work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConstantHit {
    /// Its subgraph.
    pub subgraph: u32,
    /// Index of the tensor.
    pub tensor: u32,
    /// Name of the tensor.
    pub name: String,
    /// In which role.
    #[serde(flatten)]
    pub role: RoleRow,
    /// The steps that took the original on its way to this constant, oldest first, as those of operators.
    pub steps: Vec<Step>,
    /// Whether there are earlier steps, as with operators.
    #[serde(skip_serializing_if = "not")]
    pub steps_cut: bool,
}

/// An entry of the ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Departed {
    /// Why the original left.
    pub reason: &'static str,
    /// The role in which it was carried until then.
    #[serde(flatten)]
    pub role: RoleRow,
    /// The step in which it left; `null` if it is not there, or there is no room for it.
    pub step: Option<Step>,
}

/// How many steps of each operator and constant are looked at: they may all have the same long history.
const LATEST: usize = 256;

fn not(flag: &bool) -> bool {
    !flag
}

/// Where `origin` is now; `None` if there is no such original.
pub fn whereabouts(model: &Model, origin: OriginId) -> Option<Whereabouts> {
    let store = model.store();
    store.origins.operator(origin)?;
    let claim = |set: ClaimSetId| {
        let claims = store.claim_sets.get(set);
        claims.binary_search_by_key(&origin, |claim| claim.origin).ok().and_then(|at| claims.get(at))
    };
    let mut rows = Steps::new(store);
    let mut taking = |event: Option<EventId>, room: &mut Room| -> (Vec<Step>, bool) {
        let (mut events, more) = event.map(|event| store.history.latest(event, LATEST)).unwrap_or_default();
        events.retain(|&event| store.history.get(event).is_some_and(|event| claim(event.took).is_some()));
        let (steps, unlisted) = rows.latest(&events, room);
        (steps, more || unlisted > 0)
    };
    let mut found = Whereabouts {
        schema_version: 1,
        original: original(store, origin),
        operators: Vec::new(),
        operators_more: 0,
        constants: Vec::new(),
        constants_more: 0,
        departures: Vec::new(),
        departures_more: 0,
    };
    let [mut operators, mut constants, mut departures] = [Room::new(), Room::new(), Room::new()];
    for (id, sg) in model.subgraphs() {
        for (index, (_, op)) in sg.operators().enumerate() {
            let Some(claim) = claim(op.lineage().claims()) else { continue };
            let name = op.outputs().first().and_then(|&v| sg.value(v)).map_or("", |v| v.name());
            let opcode = op.code().name();
            if !operators.takes(name.len() + opcode.len()) {
                found.operators_more += 1;
                continue;
            }
            let (steps, steps_cut) = taking(op.lineage().event(), &mut operators);
            found.operators.push(OperatorHit {
                operator: Carrier {
                    subgraph: id.number(),
                    operator: index as u32,
                    opcode,
                    name: name.to_owned(),
                },
                role: role(claim),
                steps,
                steps_cut,
            });
        }
        for (index, (_, value)) in sg.values().enumerate() {
            let Some(claim) = claim(value.lineage().claims()) else { continue };
            if !constants.takes(value.name().len()) {
                found.constants_more += 1;
                continue;
            }
            let (steps, steps_cut) = taking(value.lineage().event(), &mut constants);
            found.constants.push(ConstantHit {
                subgraph: id.number(),
                tensor: index as u32,
                name: value.name().to_owned(),
                role: role(claim),
                steps,
                steps_cut,
            });
        }
    }
    for departure in &store.ledger {
        let Some(claim) = claim(departure.claims) else { continue };
        if !departures.takes(0) {
            found.departures_more += 1;
            continue;
        }
        found.departures.push(Departed {
            reason: departure.reason.name(),
            role: role(claim),
            step: rows.row(departure.event, &mut departures),
        });
    }
    Some(found)
}
