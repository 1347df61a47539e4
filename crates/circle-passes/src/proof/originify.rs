//! Plants an original and a cost on every operator, and reads them back after a pass.
//!
//! The cost of the k-th operator is a power of two, in a metric of its own for each [`BLOCK`] operators so that it fits
//! into an `i64`. No sum of some of these costs is a sum of others, so a cost that went astray shows in the sums.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use circle_ir::import::{Draft, ImportError, ImportedLineage};
use circle_ir::lineage::Store;
use circle_ir::lineage::annotation::{Metric, MetricKind, Note, NoteValue};
use circle_ir::lineage::claims::Role;
use circle_ir::lineage::history::Event;
use circle_ir::lineage::ledger::Reason;
use circle_ir::lineage::origin::OriginFile;
use circle_ir::{ClaimSetId, EventId, MetricId, Model, OriginId};

use crate::rule::PassInfo;

/// How many operators share a metric: powers of two up to 2^59, so that their sum fits into an `i64`.
pub const BLOCK: usize = 60;

/// The model of `draft` with fresh lineage, a cost on each operator, all of it in `file`.
///
/// # Errors
/// When the draft refers to what is not there.
pub fn plant(draft: Draft, file: OriginFile) -> Result<Model, ImportError> {
    let mut lineage = ImportedLineage::fresh(&draft, file);
    for (number, op) in lineage.operators.iter_mut().flatten().enumerate() {
        let (block, power) = (number / BLOCK, number % BLOCK);
        let name = Arc::from(format!("planted {block}"));
        let metric = Metric { name, unit: Arc::from("units"), kind: MetricKind::Additive };
        let metric = lineage.store.metric(&metric);
        let value = NoteValue::Integer(1 << power);
        op.notes = vec![Note { metric, over: op.claims, value, from: Arc::from("planted:1") }];
    }
    draft.adopt(lineage)
}

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

/// The originals whose costs are found in `notes`, with the sum of what is found of each.
fn costs(notes: &[Note], store: &Store) -> BTreeMap<ClaimSetId, BTreeMap<MetricId, i128>> {
    let mut found: BTreeMap<ClaimSetId, BTreeMap<MetricId, i128>> = BTreeMap::new();
    for note in notes {
        let planted =
            store.metrics.get(note.metric.number() as usize).is_some_and(|m| m.name.starts_with("planted "));
        if let (true, NoteValue::Integer(value)) = (planted, &note.value) {
            *found.entry(note.over).or_default().entry(note.metric).or_default() += i128::from(*value);
        }
    }
    found
}

/// Everything that does not hold of `after`, which is `before` (as [`plant`] made it) after `pass` alone.
///
/// The conservation law and the check of each patch are the driver's (`verify_each`); this adds what can be said only
/// because originals and costs were planted: costs are where their originals are claimed, all of each is there, and
/// roles, steps and reasons are those that suit the kind of change.
pub fn check(before: &Model, after: &Model, pass: &PassInfo) -> Vec<String> {
    let mut wrong = Vec::new();
    let store = after.store();
    let traces = traces(after, pass.name);
    let change = pass.change.name();
    let legal = pass.change.roles();
    wrong.extend(
        traces
            .roles
            .keys()
            .filter(|r| !legal.contains(r))
            .map(|r| format!("{change} must not make anything {r}")),
    );
    let folded = traces.on_constants.keys().filter(|role| **role != Role::FoldedConst);
    wrong.extend(folded.map(|role| format!("a constant is {role}")));
    let reasons = traces.reasons.keys().filter(|reason| !pass.change.reasons().contains(reason));
    wrong.extend(reasons.map(|reason| format!("{change} must not call operators {}", reason.name())));
    let legal: Vec<&str> = pass.change.actions().iter().map(|action| action.name()).collect();
    wrong.extend(
        traces.steps.keys().filter(|s| !legal.contains(s)).map(|step| format!("{change} must not {step}")),
    );

    // Each unit of cost is where its original is claimed or retired.
    let mut sums: BTreeMap<ClaimSetId, BTreeMap<MetricId, i128>> = BTreeMap::new();
    let mut place = |notes: &[Note], claims: ClaimSetId, what: &dyn Fn() -> String| {
        let own: BTreeSet<OriginId> = store.claim_sets.get(claims).iter().map(|claim| claim.origin).collect();
        for (over, by_metric) in costs(notes, store) {
            for claim in store.claim_sets.get(over).iter().filter(|claim| !own.contains(&claim.origin)) {
                wrong.push(format!("{} has the cost of {}, which it does not claim", what(), claim.origin));
            }
            for (metric, value) in by_metric {
                *sums.entry(over).or_default().entry(metric).or_default() += value;
            }
        }
    };
    for (id, sg) in after.subgraphs() {
        for (op, operator) in sg.operators() {
            let what = || format!("{id} {op} {}", operator.code().name());
            place(operator.notes(), operator.lineage().claims(), &what);
        }
    }
    for departure in &store.ledger {
        place(&departure.notes, departure.claims, &|| "the ledger".into());
    }
    // Whoever does an original's work has a share of its cost, if only nothing.
    for (id, sg) in after.subgraphs() {
        for (op, operator) in sg.operators() {
            let has: BTreeSet<OriginId> = costs(operator.notes(), store)
                .keys()
                .flat_map(|over| store.claim_sets.get(*over))
                .map(|claim| claim.origin)
                .collect();
            let works = store.claim_sets.get(operator.lineage().claims());
            for claim in works.iter().filter(|c| c.role != Role::Helper && !has.contains(&c.origin)) {
                let code = operator.code().name();
                wrong.push(format!(
                    "{id} {op} {code} is {} for {} and has no share of its cost",
                    claim.role, claim.origin
                ));
            }
        }
    }
    let planted: Vec<Note> = before
        .subgraphs()
        .flat_map(|(_, sg)| sg.operators())
        .flat_map(|(_, op)| op.notes().iter().cloned())
        .collect();
    let due = costs(&planted, before.store());
    for over in due.keys().chain(sums.keys()).collect::<BTreeSet<_>>() {
        if due.get(over) != sums.get(over) {
            let names = store.claim_sets.get(*over).iter().map(|c| c.origin.to_string()).collect::<Vec<_>>();
            let amount = |of: &BTreeMap<ClaimSetId, BTreeMap<MetricId, i128>>| -> i128 {
                of.get(over).map_or(0, |by_metric| by_metric.values().sum())
            };
            wrong.push(format!("{} cost {} and costs {}", names.join(" + "), amount(&due), amount(&sums)));
        }
    }
    wrong
}
