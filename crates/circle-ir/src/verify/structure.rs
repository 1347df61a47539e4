//! Structure: definitions and uses agree, operators run in an order that works.

use petgraph::algo::toposort;

use super::{Finding, Subject};
use crate::entity::{OpId, SubgraphId};
use crate::model::Model;
use crate::operator::Operator;
use crate::subgraph::Subgraph;

/// What does not hold of one operator; and whether it reads something before that is computed.
fn check_operator(
    (id, sg): (SubgraphId, &Subgraph),
    (op, operator): (OpId, &Operator),
    findings: &mut Vec<Finding>,
) -> bool {
    let mut late = false;
    let mut report = |text: String| {
        let subject = Subject::Operator(id, op);
        findings.push(Finding { subject, place: format!("{id} {op}"), text });
    };
    for (slot, v) in operator.inputs().iter().enumerate() {
        let Some(v) = v else { continue };
        let Some(value) = sg.value(*v) else {
            report(format!("input {slot} reads {v}, which does not exist"));
            continue;
        };
        if !value.uses().contains(&(op, slot as u32)) {
            report(format!("input {slot} is not among the uses of {v}"));
        }
        if let Some((def, _)) = value.def()
            && !sg.order().is_before(def, op)
        {
            late = true;
            report(format!("reads {v} before {def} has computed it"));
        }
    }
    for (port, v) in operator.outputs().iter().enumerate() {
        if sg.value(*v).and_then(|value| value.def()) != Some((op, port as u32)) {
            report(format!("output {port} is not the definition of {v}"));
        }
    }
    late
}

/// What does not hold of the operators `ops` of subgraph `id`, those that are there: of them alone, so that the work is in
/// their number.
pub fn check_operators(model: &Model, id: SubgraphId, ops: &[OpId]) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Some(sg) = model.subgraph(id) {
        for (op, operator) in ops.iter().filter_map(|&op| Some((op, sg.operator(op)?))) {
            check_operator((id, sg), (op, operator), &mut findings);
        }
    }
    findings
}

/// Everything structural that does not hold.
pub fn check(model: &Model) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (id, sg) in model.subgraphs() {
        let mut late = false;
        for operator in sg.operators() {
            late |= check_operator((id, sg), operator, &mut findings);
        }
        let mut report = |place: String, text: String| {
            findings.push(Finding { subject: Subject::Other, place: format!("{id} {place}"), text });
        };
        for (v, value) in sg.values() {
            for &(op, slot) in value.uses() {
                if sg.operator(op).and_then(|o| o.input(slot as usize)) != Some(v) {
                    report(format!("{v}"), format!("is said to be read by {op} in slot {slot} and is not"));
                }
            }
            if let Some((op, port)) = value.def()
                && sg.operator(op).and_then(|o| o.outputs().get(port as usize)) != Some(&v)
            {
                report(format!("{v}"), format!("is said to be computed by {op} and is not"));
            }
            if model.buffer(value.buffer()).is_none() {
                report(format!("{v}"), format!("its {} does not exist", value.buffer()));
            }
        }
        for v in sg.inputs().iter().chain(sg.outputs()) {
            if sg.value(*v).is_none() {
                report(format!("{v}"), "is a graph input or output and does not exist".into());
            }
        }
        if sg.order().iter().count() != sg.operator_count() {
            report("order".into(), "does not hold each operator once".into());
        }
        // Operators that all read what ran before them cannot form a cycle. The search keeps its own stack, however
        // long the chains are.
        if late && toposort(sg, None).is_err() {
            report("graph".into(), "has a cycle".into());
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::text::parse;

    fn findings(text: &str) -> Vec<String> {
        let findings = check(&parse(text).unwrap());
        findings.into_iter().map(|finding| format!("{}: {}", finding.place, finding.text)).collect()
    }

    #[test]
    fn a_long_chain_in_the_wrong_order_is_no_cycle() {
        const LENGTH: usize = 10_000;
        let mut text = format!("subgraph sg0 \"\" (%0) -> (%{LENGTH})\n");
        (0..=LENGTH).for_each(|v| text += &format!("%{v}: f32[1] \"\"\n"));
        (0..LENGTH)
            .for_each(|op| text += &format!("op{op} NEG (%{}) -> %{}\n", LENGTH - op - 1, LENGTH - op));
        let findings = findings(&text);
        assert_eq!(findings.len(), LENGTH - 1);
        assert_eq!(findings[0], "sg0 op0: reads %9999 before op1 has computed it");
        assert!(!findings.iter().any(|finding| finding.contains("cycle")));
    }

    #[test]
    fn a_cycle_is_told() {
        let text = "subgraph sg0 \"\" (%0) -> (%2)\n%0: f32[1] \"\"\n%1: f32[1] \"\"\n%2: f32[1] \"\"\n\
                    op0 ADD (%0, %2) -> %1\nop1 NEG (%1) -> %2\n";
        assert_eq!(
            findings(text),
            ["sg0 op0: reads %2 before op1 has computed it", "sg0 graph: has a cycle"]
        );
    }
}
