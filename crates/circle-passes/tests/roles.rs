//! Every pass fires on its example, computes there what was computed before, and leaves steps, roles and departures
//! that are legal for its kind of change. The table of what each leaves is printed (`--nocapture`).

mod common;

use std::collections::BTreeSet;

use circle_ir::lineage::claims::Role;
use circle_ir::lineage::history::Event;
use circle_ir::lineage::ledger::Reason;
use circle_ir::text::parse;
use circle_ir::{EventId, Model};
use circle_passes::registry::PASSES;
use circle_passes::{Change, Pass};
use common::{check_history, eval, run_all};

/// What a pass left in a model.
struct Traces {
    steps: BTreeSet<&'static str>,
    /// On operators that it made or changed.
    roles: BTreeSet<Role>,
    on_constants: BTreeSet<Role>,
    /// Of operators that left.
    reasons: BTreeSet<Reason>,
}

fn traces(model: &Model, pass: &Pass) -> Traces {
    let store = model.store();
    let is_own = |event: &Event| store.pass_name(event.pass) == pass.name();
    let by_pass =
        |event: Option<EventId>| event.and_then(|event| store.history.get(event)).is_some_and(is_own);
    let subgraphs = || model.subgraphs().map(|(_, sg)| sg);
    let operators = subgraphs().flat_map(|sg| sg.operators()).map(|(_, op)| op.lineage());
    let values = subgraphs().flat_map(|sg| sg.values()).map(|(_, value)| value.lineage().claims());
    let roles = |claims| store.claim_sets.get(claims).iter().map(|claim| claim.role).collect::<Vec<_>>();
    let left = store.ledger.iter().filter(|departure| !store.claim_sets.get(departure.claims).is_empty());
    Traces {
        steps: store
            .history
            .iter()
            .filter(|(_, event)| is_own(event))
            .map(|(_, event)| event.action.name())
            .collect(),
        roles: operators.filter(|l| by_pass(l.event())).flat_map(|l| roles(l.claims())).collect(),
        on_constants: values.flat_map(roles).collect(),
        reasons: left.map(|departure| departure.reason).collect(),
    }
}

/// What a pass of that kind must leave, in words for the one that does not.
fn lacks(change: Change, before: &Model, after: &Model, traces: &Traces) -> Option<&'static str> {
    let has = |role| traces.roles.contains(&role);
    let fewer = after.operator_count() < before.operator_count();
    let fine = match change {
        Change::Fuse => {
            (fewer && has(Role::Primary) && has(Role::Absorbed), "one operator that absorbs another")
        }
        Change::Replace => (has(Role::Replaced), "a replaced operator"),
        Change::Split => (has(Role::Cloned) && !fewer, "parts"),
        Change::Forward => (!traces.steps.is_empty(), "a step"),
        Change::Remove => (fewer && !traces.reasons.is_empty(), "an entry in the ledger"),
        Change::Merge => (traces.steps.contains("merge") || traces.steps.contains("move"), "a merged thing"),
        Change::Fold => (
            fewer
                && traces.reasons.contains(&Reason::Folded)
                && traces.on_constants.contains(&Role::FoldedConst),
            "a constant that tells what was folded into it",
        ),
    };
    (!fine.0).then_some(fine.1)
}

#[test]
fn passes_leave_what_their_kind_of_change_allows() {
    let names = |roles: &BTreeSet<Role>| roles.iter().map(|role| role.name()).collect::<Vec<_>>().join(", ");
    let mut wrong = Vec::new();
    println!(
        "{:34} {:8} {:24} {:30} {:14} {}",
        "pass", "change", "steps", "roles", "constants", "departures"
    );
    for pass in PASSES {
        let info = pass.info();
        let before = parse(info.before).unwrap_or_else(|e| panic!("{}: {e}", info.name));
        let mut after = before.clone();
        let report = run_all(&mut after, &[*pass], false, info.name);
        assert!(report.patches > 0, "{} does not fire on its example", info.name);
        check_history(&after, info.name);
        for seed in 0..3 {
            eval::compare(&before, &after, seed)
                .unwrap_or_else(|e| panic!("{}, seed {seed}: {e}", info.name));
        }
        let traces = traces(&after, pass);
        let steps = traces.steps.iter().copied().collect::<Vec<_>>().join(", ");
        let reasons = traces.reasons.iter().map(|reason| reason.name()).collect::<Vec<_>>().join(", ");
        let change = info.change.name();
        let (roles, constants) = (names(&traces.roles), names(&traces.on_constants));
        println!("{:34} {change:8} {steps:24} {roles:30} {constants:14} {reasons}", info.name);

        let (legal_roles, legal_reasons) = (info.change.roles(), info.change.reasons());
        let illegal = traces.roles.iter().filter(|role| !legal_roles.contains(role)).map(|role| role.name());
        wrong.extend(illegal.map(|role| format!("{}: {change} must not make anything {role}", info.name)));
        let illegal = traces.reasons.iter().filter(|reason| !legal_reasons.contains(reason));
        wrong.extend(
            illegal
                .map(|reason| format!("{}: {change} must not call operators {}", info.name, reason.name())),
        );
        let illegal = traces.on_constants.iter().filter(|role| **role != Role::FoldedConst);
        wrong.extend(illegal.map(|role| format!("{}: a constant is {role}", info.name)));
        wrong.extend(
            lacks(info.change, &before, &after, &traces)
                .map(|what| format!("{} leaves no {what}", info.name)),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
