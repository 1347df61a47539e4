//! What a pass leaves behind: steps, roles, departures.

use std::collections::BTreeMap;

use circle_ir::lineage::claims::Role;
use circle_ir::lineage::history::Event;
use circle_ir::lineage::ledger::Reason;
use circle_ir::{ClaimSetId, EventId, Model};

/// What a pass left in a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Traces {
    /// How often each kind of step was taken.
    pub steps: BTreeMap<&'static str, u64>,
    /// Roles of operators that it made or changed, with how many claims there are of each.
    pub roles: BTreeMap<Role, u64>,
    /// Roles of originals on constants.
    pub on_constants: BTreeMap<Role, u64>,
    /// Why operators left, with how many did.
    pub reasons: BTreeMap<Reason, u64>,
}

impl Traces {
    /// Adds what was found in another model.
    pub fn add(&mut self, other: &Self) {
        other.steps.iter().for_each(|(k, n)| *self.steps.entry(k).or_default() += n);
        other.roles.iter().for_each(|(k, n)| *self.roles.entry(*k).or_default() += n);
        other.on_constants.iter().for_each(|(k, n)| *self.on_constants.entry(*k).or_default() += n);
        other.reasons.iter().for_each(|(k, n)| *self.reasons.entry(*k).or_default() += n);
    }
}

/// What `pass` left in `model`, which was planted and then given to it alone.
pub fn traces(model: &Model, pass: &str) -> Traces {
    let store = model.store();
    let is_own = |event: &Event| store.pass_name(event.pass) == pass;
    let by_pass =
        |event: Option<EventId>| event.and_then(|event| store.history.get(event)).is_some_and(is_own);
    let mut traces = Traces::default();
    for (_, event) in store.history.iter().filter(|(_, event)| is_own(event)) {
        // What tensors leave with the last reader is entered in the name of dead code; that is no operator's step.
        if event.took != store.claim_sets.empty() || pass != "dead_code" {
            *traces.steps.entry(event.action.name()).or_default() += 1;
        }
    }
    let roles = |set: ClaimSetId| store.claim_sets.get(set).iter().map(|claim| claim.role);
    for (_, sg) in model.subgraphs() {
        let changed = sg.operators().filter(|(_, op)| by_pass(op.lineage().event()));
        for role in changed.flat_map(|(_, op)| roles(op.lineage().claims())) {
            *traces.roles.entry(role).or_default() += 1;
        }
        for role in sg.values().flat_map(|(_, value)| roles(value.lineage().claims())) {
            *traces.on_constants.entry(role).or_default() += 1;
        }
    }
    for departure in store.ledger.iter().filter(|d| d.claims != store.claim_sets.empty()) {
        *traces.reasons.entry(departure.reason).or_default() += 1;
    }
    traces
}
