//! Rebasing after another tool has taken an operator out: what is left does what it did, and no more.
#![allow(clippy::print_stdout, reason = "the figures are what the test is run for")]

use std::collections::BTreeSet;

use circle_ir::import::Draft;

use crate::rebase::{Score, claims, corpus, draft, fresh, infer, rewritten};

/// So many operators of each model are taken out, one at a time, spread over all of them.
const TAKEN_OUT: usize = 12;

/// Whether results of the operator at `index` of the first subgraph may be what its input is: it has one of each that is
/// not constant, of one type and shape, and the result is not the graph's.
fn bypass(draft: &Draft, index: usize) -> Option<(circle_ir::ValueId, circle_ir::ValueId)> {
    let [sg] = draft.subgraphs.as_slice() else { return None };
    let op = sg.operators.get(index)?;
    let [output] = op.outputs.as_slice() else { return None };
    let form = |v: circle_ir::ValueId| {
        let record = &sg.values.get(v.number() as usize)?.record;
        Some((record.get("type").cloned(), record.get("shape").cloned()))
    };
    let computed = |v: &circle_ir::ValueId| {
        sg.inputs.contains(v) || sg.operators.iter().any(|op| op.outputs.contains(v))
    };
    let read: Vec<_> = op.inputs.iter().flatten().copied().filter(computed).collect();
    let [input] = read.as_slice() else { return None };
    (form(*input) == form(*output) && !sg.outputs.contains(output)).then_some((*input, *output))
}

/// The model without the operator at `index`, whose readers read its input.
fn without(mut draft: Draft, index: usize) -> Draft {
    let Some((input, output)) = bypass(&draft, index) else { return draft };
    let sg = &mut draft.subgraphs[0];
    sg.operators.remove(index);
    for read in sg.operators.iter_mut().flat_map(|op| &mut op.inputs).flatten() {
        if *read == output {
            *read = input;
        }
    }
    draft
}

/// What is inferred of `raw` without its operator at `index`, held against the truth.
fn score(raw: &[u8], index: usize) -> Score {
    let now = rewritten(raw, |draft| without(draft, index));
    let truth: Vec<BTreeSet<u32>> = claims(&fresh(raw))
        .into_iter()
        .enumerate()
        .filter(|&(op, _)| op != index)
        .map(|(_, claims)| claims)
        .collect();
    let rebased = infer(&now, raw);
    Score::of(&truth, &claims(&rebased.model))
}

#[test]
fn operators_do_not_take_up_what_another_tool_took_out() {
    let text = "subgraph sg0 \"main\" (%0) -> (%6)\n  %0: f32[4] \"x\"\n  %1: f32[4] \"a\" = [1.0, 2.0, 3.0, 4.0]\n  \
                %2: f32[4] \"b\" = [5.0, 6.0, 7.0, 8.0]\n  %3: f32[4] \"mul\"\n  %4: f32[4] \"add\"\n  \
                %5: f32[4] \"abs\"\n  %6: f32[4] \"y\"\n  op0 MUL (%0, %1) -> %3\n  op1 ADD (%3, %2) -> %4\n  \
                op2 ABS (%4) -> %5\n  op3 NEG (%5) -> %6\n";
    let model = circle_ir::text::parse(text).unwrap();
    let mut raw = Vec::new();
    let numbering = circle_format::write::number(&model);
    circle_format::write::write(&model, &[], &numbering, &[], Default::default(), &mut raw).unwrap();
    for index in 0..3 {
        let score = score(&raw, index);
        assert_eq!((score.inferred, score.right), (3, 3), "without {index}");
    }
}

#[test]
fn precision_holds_where_operators_were_taken_out() {
    let (mut total, mut removed) = (Score::default(), 0);
    for path in corpus("tico_raw") {
        let raw = std::fs::read(&path).unwrap();
        let whole = draft(&raw);
        let count = whole.subgraphs[0].operators.len();
        let found: Vec<usize> = (0..count).filter(|&index| bypass(&whole, index).is_some()).collect();
        for &index in found.iter().step_by(found.len().div_ceil(TAKEN_OUT).max(1)) {
            let one = score(&raw, index);
            if one.right < one.inferred && std::env::var_os("SHOW").is_some() {
                println!("{} without {index}: {} of {}", path.display(), one.right, one.inferred);
            }
            total.add(&one);
            removed += 1;
        }
    }
    if removed > 0 {
        println!(
            "{removed} operators taken out: {} claims inferred, {} right, of {}",
            total.inferred, total.right, total.truth
        );
        assert!(removed > 80, "only {removed} could be taken out");
        assert!(total.right * 100 >= total.inferred * 99, "precision is below 99 %");
        assert!(total.right * 100 >= total.truth * 95, "recall is below 95 %");
    }
}
