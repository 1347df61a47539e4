//! Names that a tool has given by counting: `t0`, `t1`, `t2`, … in execution order. They say where a result stands in
//! that one file and nothing else, and the next tool that counts gives them to others. Names that were kept have gaps
//! where operators have left.

use std::collections::BTreeSet;

use circle_ir::SubgraphId;

use super::side::Side;

/// Fewer results than this may be numbered so by chance.
const FEWEST: usize = 3;

/// The subgraphs whose results bear names that count on by one, in at least 19 of 20 steps from one result to the next.
pub(super) fn subgraphs(side: &Side<'_>) -> BTreeSet<SubgraphId> {
    let mut counted = BTreeSet::new();
    for ops in side.ops.chunk_by(|a, b| a.subgraph == b.subgraph) {
        let results = ops.iter().flat_map(|op| &op.outputs).filter_map(|&t| side.tensors.get(t));
        let numbers: Vec<Option<u64>> = results.map(|tensor| number(tensor.value.name())).collect();
        let steps = numbers.windows(2).filter(|pair| match pair {
            [Some(a), Some(b)] => a.checked_add(1) == Some(*b),
            _ => false,
        });
        let steps = steps.count();
        if let Some(op) = ops.first().filter(|_| numbers.len() >= FEWEST)
            && steps.saturating_mul(20) >= (numbers.len() - 1).saturating_mul(19)
        {
            counted.insert(op.subgraph);
        }
    }
    counted
}

/// The number at the end of a name.
fn number(name: &str) -> Option<u64> {
    let digits = name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    name.get(name.len() - digits..)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_stand_at_the_end() {
        let of = ["t0", "onnx::Conv_123", "7", "add", "", "x1y", "é9", "n99999999999999999999"].map(number);
        assert_eq!(of, [Some(0), Some(123), Some(7), None, None, None, Some(9), None]);
    }
}
