//! What must hold of a lineage in itself.

use std::collections::{BTreeMap, BTreeSet};

use circle_ir::lineage::annotation::Note;
use circle_ir::lineage::claims::{Claim, Role};
use circle_ir::lineage::history::Action;
use circle_ir::lineage::ledger::Reason;
use circle_ir::verify::untouched::{self, Untouched};
use circle_ir::verify::{lineage, structure};
use circle_ir::{Model, OriginId, ReasonId, Value};
use serde::Serialize;

use super::Finding;
use crate::coverage::{Coverage, Percent, Standing, standing};

/// Where the originals are now. One that is in several places counts where it is named first here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Originals {
    /// All of them.
    pub all: u64,
    /// Carried by an operator.
    pub live: u64,
    /// Held by a constant.
    pub constants: u64,
    /// In the ledger, as having left.
    pub ledger: u64,
    /// In the ledger, as not known to have left.
    pub untraced: u64,
    /// In none of these.
    pub lost: u64,
}

/// Counts the originals of `model` by where they are.
pub fn originals(model: &Model) -> Originals {
    let store = model.store();
    let live = lineage::live_origins(model);
    let members = |sets: BTreeSet<_>| -> BTreeSet<OriginId> {
        sets.into_iter().flat_map(|set| store.claim_sets.get(set)).map(|claim| claim.origin).collect()
    };
    let values = model.subgraphs().flat_map(|(_, sg)| sg.values());
    let constants = members(values.map(|(_, v)| v.lineage().claims()).collect());
    let entered = |untraced: bool| {
        let entries = store.ledger.iter().filter(move |entry| (entry.reason == Reason::Untraced) == untraced);
        members(entries.map(|departure| departure.claims).collect())
    };
    let (ledger, untraced) = (entered(false), entered(true));
    let mut count = Originals::default();
    for id in store.origins.operators.keys() {
        count.all += 1;
        let place = match id {
            id if live.contains(id) => &mut count.live,
            id if constants.contains(id) => &mut count.constants,
            id if ledger.contains(id) => &mut count.ledger,
            id if untraced.contains(id) => &mut count.untraced,
            _ => &mut count.lost,
        };
        *place += 1;
    }
    count
}

/// Everything in itself wrong with the lineage of `model`.
pub fn check(model: &Model) -> Vec<Finding> {
    let wrap = |code: &'static str| move |f: circle_ir::verify::Finding| Finding::new(code, f.place, f.text);
    let mut findings: Vec<Finding> = structure::check(model).into_iter().map(wrap("structure")).collect();
    findings.extend(lineage::check(model, &lineage::balance(model)).into_iter().map(wrap("conservation")));
    targets(model, &mut findings);
    references(model, &mut findings);
    steps(model, &mut findings);
    tensors(model, &mut findings);
    findings
}

/// Claims against the steps that are said to have led to them: an operator can have nothing that its last step did not
/// take, and one that no step has touched is its original still.
fn steps(model: &Model, findings: &mut Vec<Finding>) {
    let store = model.store();
    let ledger = store.ledger.iter().flat_map(|departure| store.claim_sets.get(departure.claims));
    let originals = Untouched::new(&store.origins, ledger.map(|claim| claim.origin).collect());
    for (id, sg) in model.subgraphs() {
        for (index, (_, op)) in sg.operators().enumerate() {
            let place = || format!("{id}:{index}");
            let claims = store.claim_sets.get(op.lineage().claims());
            let Some(step) = op.lineage().event() else {
                let name = op.outputs().first().and_then(|&v| sg.value(v)).map_or("", |value| value.name());
                let text = untouched::contradiction(&originals, &op.code().name(), name, claims);
                findings.extend(text.map(|text| Finding::new("history", place(), text)));
                continue;
            };
            // That the step does not exist is told elsewhere.
            let Some(event) = store.history.get(step) else { continue };
            let (action, pass, number) = (event.action, store.pass_name(event.pass), step.number());
            if action == Action::Retire {
                let text = format!("its last step (by {pass}, step {number}) took it out, and it is there");
                findings.push(Finding::new("history", place(), text));
            }
            let took = store.claim_sets.get(event.took);
            let missing = |claim: &&Claim| {
                claim.role != Role::Inferred
                    && took.binary_search_by_key(&claim.origin, |took| took.origin).is_err()
            };
            for claim in claims.iter().filter(missing) {
                let text = format!(
                    "claims {}, which its last step ({} by {pass}, step {number}) did not take",
                    claim.origin,
                    action.name(),
                );
                findings.push(Finding::new("history", place(), text));
            }
        }
    }
}

/// Names of tensors that no step has touched.
fn tensors(model: &Model, findings: &mut Vec<Finding>) {
    let store = model.store();
    for (id, sg) in model.subgraphs() {
        for (index, (_, value)) in sg.values().enumerate() {
            let lineage = value.lineage();
            if lineage.event().is_some() || lineage.unknown().is_some() {
                continue;
            }
            let said = store.tensor_sets.get(lineage.tensors()).iter();
            let said = said.filter_map(|&origin| store.origins.tensor(origin)).map(|origin| &*origin.name);
            let text = untouched::renamed(value.name(), said);
            findings.extend(text.map(|text| Finding::new("history", format!("{id}:%{index}"), text)));
        }
    }
}

/// Originals: each in a file that is known, no two of them one operator.
fn targets(model: &Model, findings: &mut Vec<Finding>) {
    let origins = &model.store().origins;
    let mut seen = BTreeMap::new();
    for (id, origin) in &origins.operators {
        let Some(file) = origin.file else { continue };
        if file.number() as usize >= origins.files.len() {
            let text = format!("lies in file {}, and {} are known", file.number(), origins.files.len());
            findings.push(Finding::new("target", id.to_string(), text));
        }
        let Some(operator) = origin.operator else { continue };
        if let Some(first) = seen.insert((file, origin.subgraph, operator), *id) {
            let text = format!(
                "is operator {operator} of subgraph {} of file {}, as {first} is already",
                origin.subgraph,
                file.number()
            );
            findings.push(Finding::new("target", id.to_string(), text));
        }
    }
}

/// Steps that operators refer to, and measurements that operators and tensors do.
fn references(model: &Model, findings: &mut Vec<Finding>) {
    let store = model.store();
    for (id, sg) in model.subgraphs() {
        for (index, (_, op)) in sg.operators().enumerate() {
            let place = || format!("{id}:{index}");
            if let Some(event) = op.lineage().event().filter(|e| e.number() as usize >= store.history.len()) {
                let text = format!("step {} does not exist ({} there)", event.number(), store.history.len());
                findings.push(Finding::new("history", place(), text));
            }
            values(model, op.notes(), &place, findings);
            let folded = |role| role == Role::FoldedConst;
            if let Some(claim) =
                store.claim_sets.get(op.lineage().claims()).iter().find(|claim| folded(claim.role))
            {
                let text = format!("claims {} as folded-const, which only a constant can", claim.origin);
                findings.push(Finding::new("role", place(), text));
            }
        }
        for (index, (v, _)) in sg.values().enumerate().filter(|(_, (v, _))| !sg.notes(*v).is_empty()) {
            values(model, sg.notes(v), &|| format!("{id}:%{index}"), findings);
        }
    }
}

/// Values that were measured at `place`.
fn values(model: &Model, notes: &[Note], place: &dyn Fn() -> String, findings: &mut Vec<Finding>) {
    let (store, metrics) = (model.store(), model.store().metrics.len());
    for note in notes {
        if note.metric.number() as usize >= metrics {
            let text = format!("metric {} does not exist ({metrics} there)", note.metric.number());
            findings.push(Finding::new("metrics", place(), text));
        }
        let missing = store.claim_sets.get(note.over).iter().find(|c| !known(model, c.origin));
        if let Some(claim) = missing {
            let text = format!("a value was measured over {}, which does not exist", claim.origin);
            findings.push(Finding::new("metrics", place(), text));
        }
    }
}

fn known(model: &Model, origin: OriginId) -> bool {
    model.store().origins.operators.contains_key(&origin)
}

/// Of how many operators ONE's tables alone speak, and how many of these bear the name of an original that they are
/// credited to.
pub fn by_tables(model: &Model) -> (u64, u64) {
    let store = model.store();
    let (mut all, mut named) = (0, 0);
    for (_, sg) in model.subgraphs() {
        for (_, op) in sg.operators() {
            let claims = store.claim_sets.get(op.lineage().claims());
            if !claims.iter().any(|claim| claim.role == Role::Unknown) {
                continue;
            }
            all += 1;
            let names = || op.outputs().iter().filter_map(|&v| sg.value(v)).map(Value::name);
            let mut origins = claims.iter().filter_map(|claim| store.origins.operator(claim.origin));
            named += u64::from(
                origins.any(|origin| !origin.name.is_empty() && names().any(|name| name == &*origin.name)),
            );
        }
    }
    (all, named)
}

/// The finding that of all that ONE's tables say nothing is confirmed: there are operators of which a table alone
/// speaks, none of them bears the name of an original of its, and of no other more is known.
pub fn unconfirmed(model: &Model, coverage: &Coverage) -> Option<Finding> {
    let (all, named) = by_tables(model);
    (all > 0 && named == 0 && coverage.proven == 0).then(|| {
        let text = "no operator bears the name of an original of its, so that nothing confirms the table";
        Finding::new("tables", "ONE_op_table", text)
    })
}

/// The finding that nothing is known of any operator, where there are some of which something could be.
pub fn nothing_known(coverage: &Coverage) -> Option<Finding> {
    let nothing = coverage.counted() > 0 && coverage.proven == 0 && coverage.inferred == 0;
    nothing.then(|| Finding::new("coverage", "model", "nothing is known of where its operators come from"))
}

/// The finding that too little is proven, if it is.
pub fn coverage(coverage: &Coverage, minimum: Option<Percent>) -> Option<Finding> {
    let least = minimum.filter(|&least| !coverage.reaches(least))?;
    let text = format!(
        "{} of {} operators are proven ({} %), and at least {least} % are asked for",
        coverage.proven,
        coverage.counted(),
        coverage.percent()
    );
    Some(Finding::new("coverage", "model", text))
}

/// How many operators are listed by name in a remark about many.
const LISTED: usize = 5;

/// What is worth knowing: operators whose origin is unknown, by reason, and those whose origin is inferred.
pub fn remarks(model: &Model) -> Vec<Finding> {
    let store = model.store();
    let mut unknown: BTreeMap<Option<ReasonId>, Vec<String>> = BTreeMap::new();
    let mut inferred = Vec::new();
    for (id, sg) in model.subgraphs() {
        for (index, (_, op)) in sg.operators().enumerate() {
            match standing(store, op) {
                Standing::Unknown => {
                    unknown.entry(op.lineage().unknown()).or_default().push(format!("{id}:{index}"));
                }
                Standing::Inferred => inferred.push(format!("{id}:{index}")),
                Standing::Proven | Standing::Helper => {}
            }
        }
    }
    let mut remarks = Vec::new();
    for (reason, places) in unknown {
        let reason = reason.map_or("without a reason", |id| store.reason_text(id));
        let text = format!("{} of unknown origin: {reason}", operators(places.len()));
        remarks.push(Finding::new("unknown", list(&places), text));
    }
    if !inferred.is_empty() {
        let text = format!("{} whose origin is inferred, not proven", operators(inferred.len()));
        remarks.push(Finding::new("inferred", list(&inferred), text));
    }
    let subgraphs = model.subgraphs().count();
    if subgraphs > 1 {
        let elsewhere: usize = model.subgraphs().skip(1).map(|(_, sg)| sg.operator_count()).sum();
        let text = format!(
            "ONE's tables speak of the first of {subgraphs} subgraphs; {} of the others {} in our lineage only",
            operators(elsewhere),
            if elsewhere == 1 { "is" } else { "are" }
        );
        remarks.push(Finding::new("subgraphs", "ONE_op_table", text));
    }
    remarks
}

fn operators(count: usize) -> String {
    if count == 1 { "1 operator".into() } else { format!("{count} operators") }
}

fn list(places: &[String]) -> String {
    let first = places.iter().take(LISTED).cloned().collect::<Vec<_>>().join(", ");
    match places.len().saturating_sub(LISTED) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}
