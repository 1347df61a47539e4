//! From an original to what carries it now.

use circle_ir::{ClaimSetId, EventId, Model, OriginId};
use serde::Serialize;

use super::{Carrier, Original, RoleRow, Step, original, role, step, steps};

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
    /// Constants that hold its work.
    pub constants: Vec<ConstantHit>,
    /// Its departures: the ledger's entries about it.
    pub departures: Vec<Departed>,
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
    /// The steps that took the original on its way to this operator, oldest first.
    pub steps: Vec<Step>,
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
    /// The steps that took the original on its way to this constant, oldest first.
    pub steps: Vec<Step>,
}

/// An entry of the ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Departed {
    /// Why the original left.
    pub reason: &'static str,
    /// The role in which it was carried until then.
    #[serde(flatten)]
    pub role: RoleRow,
    /// The step in which it left.
    pub step: Option<Step>,
}

/// Where `origin` is now; `None` if there is no such original.
pub fn whereabouts(model: &Model, origin: OriginId) -> Option<Whereabouts> {
    let store = model.store();
    store.origins.operator(origin)?;
    let claim = |set: ClaimSetId| {
        let claims = store.claim_sets.get(set);
        claims.binary_search_by_key(&origin, |claim| claim.origin).ok().and_then(|at| claims.get(at))
    };
    let taking = |event: Option<EventId>| -> Vec<Step> {
        let mut steps = steps(model, event);
        steps.retain(|step| step.took.contains(&origin.number()));
        steps
    };
    let mut found = Whereabouts {
        schema_version: 1,
        original: original(store, origin),
        operators: Vec::new(),
        constants: Vec::new(),
        departures: Vec::new(),
    };
    for (id, sg) in model.subgraphs() {
        for (index, (_, op)) in sg.operators().enumerate() {
            let Some(claim) = claim(op.lineage().claims()) else { continue };
            let name = op.outputs().first().and_then(|&v| sg.value(v)).map_or("", |v| v.name());
            found.operators.push(OperatorHit {
                operator: Carrier {
                    subgraph: id.number(),
                    operator: index as u32,
                    opcode: op.code().name(),
                    name: name.to_owned(),
                },
                role: role(claim),
                steps: taking(op.lineage().event()),
            });
        }
        for (index, (_, value)) in sg.values().enumerate() {
            let Some(claim) = claim(value.lineage().claims()) else { continue };
            found.constants.push(ConstantHit {
                subgraph: id.number(),
                tensor: index as u32,
                name: value.name().to_owned(),
                role: role(claim),
                steps: taking(value.lineage().event()),
            });
        }
    }
    for departure in &store.ledger {
        let Some(claim) = claim(departure.claims) else { continue };
        found.departures.push(Departed {
            reason: departure.reason.name(),
            role: role(claim),
            step: step(store, departure.event),
        });
    }
    Some(found)
}
