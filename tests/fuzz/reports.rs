//! Reports on inputs that have much of one thing: they are made in linear time, and bounded where a list would say the
//! same again and again.

use std::fmt::Write as _;

use circle_format::lineage::import::Basis;
use circle_ir::{OriginId, SubgraphId};
use circle_metadata::{lineage, profile};
use circle_profile::attach::attach;
use circle_profile::attribute::attribute;
use circle_profile::history::whereabouts::whereabouts;
use circle_profile::history::why::why;
use circle_profile::history::{BYTES, IDS, to_json, whereabouts_text, why_text};
use circle_profile::join::join;
use circle_profile::report::rows;
use circle_profile::weights::Weights;

use crate::directed::{bounded, chain, dumped, load};
use crate::guard::alone;
use crate::large::Large;

#[test]
fn profiles_of_many_metrics() {
    let _alone = alone();
    let table = |rows: usize, metrics: usize| {
        let mut text = "subgraph,op_index,metric,unit,value\n".to_owned();
        for i in 0..rows {
            let _ = writeln!(text, "0,{},metric_{},us,1", i / metrics, i % metrics);
        }
        text
    };
    let many = table(100_000, 100_000);
    let error = bounded(many.len(), || profile::read("m.csv", many.as_bytes())).expect_err("a refusal");
    assert_eq!(
        error.to_string(),
        "m.csv line 4098: one metric more than 4096, which are the most of a profile"
    );
    // As many as there may be, on as many operators: each row looks for its metric, and each table for its originals.
    let text = table(100_000, 4_000);
    let bytes = Large { chain: 2_000, ..Large::default() }.build();
    let mut model = load(&bytes).unwrap_or_else(|error| panic!("{error}")).model;
    let rows = bounded(bytes.len() + text.len(), || {
        let profile = profile::read("m.csv", text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
        let joined = join(&model, &profile);
        attach(&mut model, "m.csv", &profile, &joined).unwrap_or_else(|error| panic!("{error}"));
        let report = rows(&model, &attribute(&model, &Weights::Equal, &[]));
        report.tables.iter().map(|table| table.rows.len()).sum::<usize>()
    });
    assert_eq!(rows, 100_000);
}

/// Originals that a set of claims has and an operator stands for, steps that took all of them, and a run with long options in
/// which all these steps happened: what would be said of each step is as long as the lineage.
#[test]
fn steps_that_took_everything() {
    let _alone = alone();
    let (originals, steps) = (4_000, 10_000);
    let (bytes, mut known) = chain(originals);
    let options = "\u{1}".repeat(1 << 16);
    known.runs.push(lineage::Run { tool: "t".into(), version: "1".into(), options: "".into() });
    known.runs.push(lineage::Run { tool: "t".into(), version: "1".into(), options: options.as_str().into() });
    known.passes = vec!["a".into()];
    let all = known.claim_sets.len() as u32;
    let mut claims: Vec<lineage::Claim> = known.claim_sets.iter().flatten().cloned().collect();
    claims.sort_by_key(|claim| claim.source);
    known.claim_sets.push(claims);
    let event = |index: u32| lineage::Event {
        run: index / (steps - 5),
        pass: 0,
        action: lineage::Action::Fuse,
        took: all,
        parents: if index == steps - 1 {
            (0..index).collect()
        } else {
            index.checked_sub(1).into_iter().collect()
        },
    };
    known.events = (0..steps).map(event).collect();
    known.subgraphs[0].operators.iter_mut().take(50).for_each(|op| op.claims = all);
    known.subgraphs[0].operators.iter_mut().for_each(|op| op.event = Some(steps - 1));
    known.ledger = (0..50)
        .map(|_| lineage::LedgerRecord {
            claims: all,
            tensors: 0,
            reason: lineage::Reason::Dead,
            pass: 0,
            event: steps - 1,
            notes: vec![],
        })
        .collect();
    let (imported, _) = dumped(&bytes, &known);
    assert_eq!(imported.basis, Basis::Lineage, "{:?}", imported.stale);
    let (model, len) = (&imported.model, bytes.len());
    let sg = SubgraphId::from_number(0);
    let op = model.subgraph(sg).and_then(|sg| sg.operators().next()).expect("an operator").0;
    let found = bounded(len, || {
        let found = why(model, sg, op).expect("an operator");
        let text = why_text(&found);
        assert!(text.contains(" that are not listed"), "{}", text.len());
        assert!(text.len() < 16 * BYTES, "{}", text.len());
        let json = to_json(&found).unwrap_or_else(|error| panic!("{error}"));
        assert!(json.len() < 16 * BYTES, "{}", json.len());
        found
    });
    let count = |listed: usize, more: u64| listed as u64 + more;
    assert_eq!(count(found.originals.len(), found.originals_more), originals as u64);
    assert_eq!(count(found.steps.len(), found.steps_more), u64::from(steps));
    let last = found.steps.last().expect("a step");
    assert_eq!((last.step, last.took.len(), last.after.len()), (steps - 1, IDS, IDS));
    assert_eq!(count(last.took.len(), last.took_more), originals as u64);
    assert_eq!(count(last.after.len(), last.after_more), u64::from(steps - 1));
    let found = bounded(len, || {
        let found = whereabouts(model, OriginId::from_number(0)).expect("an original");
        let text = whereabouts_text(&found);
        assert!(text.len() < 16 * BYTES, "{}", text.len());
        let json = to_json(&found).unwrap_or_else(|error| panic!("{error}"));
        assert!(json.len() < 16 * BYTES, "{}", json.len());
        found
    });
    assert_eq!(count(found.operators.len(), found.operators_more), 50);
    assert_eq!(count(found.departures.len(), found.departures_more), 50);
    assert!(found.operators.iter().all(|hit| hit.steps_cut));
}
