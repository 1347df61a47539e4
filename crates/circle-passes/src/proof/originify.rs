//! Plants an original and a cost on every operator and every constant, and reads them back after a pass.
//!
//! The cost of the k-th operator is a power of two, in a metric of its own for each [`BLOCK`] operators so that it fits
//! into an `i64`; that of the k-th constant likewise, in metrics of their own. No sum of some of these costs is a sum of
//! others, so a cost that went astray shows in the sums.

mod constants;
mod traces;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use circle_ir::import::{Draft, ImportError, ImportedLineage, Noted};
use circle_ir::lineage::Store;
use circle_ir::lineage::annotation::{Metric, MetricKind, Note, NoteValue};
use circle_ir::lineage::claims::Role;
use circle_ir::lineage::origin::OriginFile;
use circle_ir::verify::{Finding, Subject};
use circle_ir::{ClaimSetId, EventId, MetricId, Model, OriginId};

use crate::rule::PassInfo;
pub use traces::{Traces, traces};

/// How many operators, or constants, share a metric: powers of two up to 2^59, so that their sum fits into an `i64`.
pub const BLOCK: usize = 60;

/// The model of `draft` with fresh lineage, a cost on each operator and constant, all of it in `file`.
///
/// # Errors
/// When the draft refers to what is not there.
pub fn plant(draft: Draft, file: OriginFile) -> Result<Model, ImportError> {
    let lineage = ImportedLineage::fresh(&draft, file.clone());
    Ok(plant_anew(draft.adopt(lineage)?, file))
}

/// What the metrics of operators are called, before the number of the block.
const PREFIX: &str = "planted on operators ";

/// `model`, whose operators and tensors keep their numbers, with fresh lineage and a cost on each operator and constant,
/// all of it in `file`.
pub fn plant_anew(model: Model, file: OriginFile) -> Model {
    let from: Arc<str> = Arc::from("planted:1");
    let mut metrics: [Vec<MetricId>; 2] = Default::default();
    let [of_operators, of_constants] = &mut metrics;
    model.anew(file, |store, noted, over| {
        let (number, metrics, prefix) = match noted {
            Noted::Operator(number) => (number, &mut *of_operators, PREFIX),
            Noted::Constant(number) => (number, &mut *of_constants, constants::PREFIX),
        };
        let (block, power) = (number / BLOCK, number % BLOCK);
        if metrics.len() == block {
            // No other metric is called so: this is the store's first of that block.
            let name = Arc::from(format!("{prefix}{block}"));
            store.metrics.push(Metric { name, unit: Arc::from("units"), kind: MetricKind::Additive });
            metrics.push(MetricId::from_number((store.metrics.len() - 1) as u32));
        }
        let value = NoteValue::Integer(1 << power);
        let note = metrics.get(block).map(|&metric| Note { metric, over, value, from: from.clone() });
        note.into_iter().collect()
    })
}

/// Whether a note is in a metric that is called `prefix` and a number.
fn is_in(store: &Store, note: &Note, prefix: &str) -> bool {
    store.metrics.get(note.metric.number() as usize).is_some_and(|metric| metric.name.starts_with(prefix))
}

/// The originals whose costs are found in `notes`, with the sum of what is found of each.
fn costs(notes: &[Note], store: &Store) -> BTreeMap<ClaimSetId, BTreeMap<MetricId, i128>> {
    let mut found: BTreeMap<ClaimSetId, BTreeMap<MetricId, i128>> = BTreeMap::new();
    for note in notes {
        if let (true, NoteValue::Integer(value)) = (is_in(store, note, PREFIX), &note.value) {
            *found.entry(note.over).or_default().entry(note.metric).or_default() += i128::from(*value);
        }
    }
    found
}

/// What nothing of a kind of change leaves behind: roles, steps, reasons.
fn check_kind(after: &Model, pass: &PassInfo, report: &mut dyn FnMut(Subject, String, String)) {
    let (store, change) = (after.store(), pass.change);
    let kind = change.name();
    let claims = |set: ClaimSetId| store.claim_sets.get(set);
    let by_pass = |event: Option<EventId>| {
        let event = event.and_then(|event| store.history.get(event));
        event.is_some_and(|event| store.pass_name(event.pass) == pass.name)
    };
    for (id, sg) in after.subgraphs() {
        for (op, operator) in sg.operators().filter(|(_, op)| by_pass(op.lineage().event())) {
            let illegal = claims(operator.lineage().claims()).iter();
            for claim in illegal.filter(|claim| !change.roles().contains(&claim.role)) {
                let text =
                    format!("is {} for {}, and to {kind} makes nothing that", claim.role, claim.origin);
                report(Subject::Operator(id, op), format!("{id} {op}"), text);
            }
        }
        for (v, value) in sg.values() {
            let illegal = claims(value.lineage().claims()).iter();
            for claim in illegal.filter(|claim| claim.role != Role::FoldedConst) {
                let text = format!("is {} for {}, which no constant can be", claim.role, claim.origin);
                report(Subject::Origin(claim.origin), format!("{id} {v}"), text);
            }
        }
    }
    for departure in store.ledger.iter().filter(|gone| !change.reasons().contains(&gone.reason)) {
        for claim in claims(departure.claims) {
            let text = format!("left as {}, and to {kind} gives no such reason", departure.reason.name());
            report(Subject::Origin(claim.origin), claim.origin.to_string(), text);
        }
    }
    let mut steps: Vec<(&str, &str)> = Vec::new();
    for (_, event) in store.history.iter() {
        let (name, action) = (store.pass_name(event.pass), event.action);
        // What tensors leave with the last reader is entered in the name of dead code; that is no operator's step.
        let swept = name == "dead_code" && event.took == store.claim_sets.empty();
        if swept || steps.contains(&(name, action.name())) {
            continue;
        }
        steps.push((name, action.name()));
        if name != pass.name {
            report(Subject::Other, pass.name.into(), format!("has a step entered in the name of {name}"));
        } else if !change.actions().contains(&action) {
            let text = format!("a pass that is to {kind} must not {}", action.name());
            report(Subject::Other, pass.name.into(), text);
        }
    }
}

/// Everything that does not hold of `after`, which is `before` (as [`plant`] made it) after `pass` alone.
///
/// The conservation law and the check of each patch are the driver's (`verify_each`); this adds what can be said only
/// because originals and costs were planted: costs are where their originals are claimed, all of each is there, and
/// roles, steps and reasons are those that suit the kind of change. Time and memory are about linear in the operators.
pub fn check(before: &Model, after: &Model, pass: &PassInfo) -> Vec<Finding> {
    let mut wrong = Vec::new();
    let mut report =
        |subject: Subject, place: String, text: String| wrong.push(Finding { subject, place, text });
    check_kind(after, pass, &mut report);
    constants::check(before, after, &mut report);

    // Each unit of cost is where its original is claimed or retired.
    let store = after.store();
    let mut sums: BTreeMap<ClaimSetId, BTreeMap<MetricId, i128>> = BTreeMap::new();
    let mut place = |notes: &[Note], claims: ClaimSetId, subject: Subject, place: &dyn Fn() -> String| {
        let own = origins(store, claims);
        for (over, by_metric) in costs(notes, store) {
            for claim in store.claim_sets.get(over).iter().filter(|claim| !own.contains(&claim.origin)) {
                let subject = if subject == Subject::Other { Subject::Origin(claim.origin) } else { subject };
                let text = format!("has the cost of {}, which it does not claim", claim.origin);
                report(subject, place(), text);
            }
            for (metric, value) in by_metric {
                *sums.entry(over).or_default().entry(metric).or_default() += value;
            }
        }
    };
    for (id, sg) in after.subgraphs() {
        for (op, operator) in sg.operators() {
            let subject = Subject::Operator(id, op);
            place(operator.notes(), operator.lineage().claims(), subject, &|| format!("{id} {op}"));
        }
    }
    for (id, sg) in after.subgraphs() {
        for (v, notes) in sg.noted() {
            let claims = sg.value(v).map_or(store.claim_sets.empty(), |value| value.lineage().claims());
            let place_of = || format!("{id} {v}");
            place(notes, claims, Subject::Other, &place_of);
        }
    }
    for departure in &store.ledger {
        place(&departure.notes, departure.claims, Subject::Other, &|| "the ledger".into());
    }
    // Whoever does an original's work has a share of its cost, if only nothing.
    for (id, sg) in after.subgraphs() {
        for (op, operator) in sg.operators() {
            let over = costs(operator.notes(), store);
            let has: BTreeSet<OriginId> = over.keys().flat_map(|over| origins(store, *over)).collect();
            let works = store.claim_sets.get(operator.lineage().claims());
            for claim in works.iter().filter(|c| c.role != Role::Helper && !has.contains(&c.origin)) {
                let text = format!("is {} for {} and has no share of its cost", claim.role, claim.origin);
                report(Subject::Operator(id, op), format!("{id} {op}"), text);
            }
        }
    }
    let planted = before.subgraphs().flat_map(|(_, sg)| sg.operators());
    let planted: Vec<Note> = planted.flat_map(|(_, op)| op.notes().iter().cloned()).collect();
    // Sets that there were before keep their numbers.
    let due = costs(&planted, before.store());
    for over in due.keys().chain(sums.keys()).collect::<BTreeSet<_>>() {
        if due.get(over) != sums.get(over) {
            let of: Vec<OriginId> = origins(store, *over).into_iter().collect();
            let names = of.iter().map(OriginId::to_string).collect::<Vec<_>>().join(" + ");
            let amount = |of: &BTreeMap<ClaimSetId, BTreeMap<MetricId, i128>>| -> i128 {
                of.get(over).map_or(0, |by_metric| by_metric.values().sum())
            };
            let subject = of.first().map_or(Subject::Other, |&origin| Subject::Origin(origin));
            report(subject, names, format!("cost {} and costs {}", amount(&due), amount(&sums)));
        }
    }
    wrong
}

fn origins(store: &Store, claims: ClaimSetId) -> BTreeSet<OriginId> {
    store.claim_sets.get(claims).iter().map(|claim| claim.origin).collect()
}
