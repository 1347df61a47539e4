//! Colours of operators: equal for operators whose surroundings are equal up to a distance. Colours are numbers given to
//! exact descriptions, not hashes, so that two operators never look alike by accident.

use super::side::{Numbers, Side};

/// How far a neighbourhood reaches, in operators.
const REACH: usize = 6;

/// For each distance from 1 on, the colours of both sides' operators.
pub(super) fn refine(now: &Side<'_>, earlier: &Side<'_>) -> Vec<(Vec<u32>, Vec<u32>)> {
    let start = |side: &Side<'_>| -> Vec<u32> { side.ops.iter().map(|op| op.signature).collect() };
    let mut colours = (start(now), start(earlier));
    let mut all = Vec::with_capacity(REACH);
    for _ in 0..REACH {
        let mut numbers = Numbers::new();
        colours = (step(now, &colours.0, &mut numbers), step(earlier, &colours.1, &mut numbers));
        all.push(colours.clone());
    }
    all
}

/// One step outwards.
fn step(side: &Side<'_>, before: &[u32], numbers: &mut Numbers<Vec<u32>>) -> Vec<u32> {
    let colour = |op: usize| before.get(op).copied().unwrap_or(u32::MAX);
    let describe = |(index, op): (usize, &super::side::Op<'_>)| {
        let mut words = vec![op.subgraph.number(), colour(index)];
        for tensor in op.inputs.iter().map(|t| t.and_then(|t| side.tensors.get(t))) {
            words.extend(match tensor {
                None => [0, 0, 0],
                Some(tensor) => match (tensor.producer, tensor.content, tensor.input) {
                    (Some(producer), ..) => [1, colour(producer), tensor.port],
                    (_, Some(content), _) => [2, content, 0],
                    (.., Some(input)) => [3, input, 0],
                    _ => [4, 0, 0],
                },
            });
        }
        for tensor in op.outputs.iter().filter_map(|&t| side.tensors.get(t)) {
            let mut users: Vec<[u32; 2]> =
                tensor.users.iter().map(|&(op, slot)| [colour(op), slot]).collect();
            users.sort_unstable();
            words.push(u32::MAX);
            words.extend(users.into_iter().flatten());
        }
        words
    };
    side.ops.iter().enumerate().map(|op| numbers.of(describe(op))).collect()
}
