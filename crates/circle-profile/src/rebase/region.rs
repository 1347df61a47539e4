//! What of the earlier model an operator does: everything that leads from what it reads to what it computes.

use std::collections::HashSet;

use circle_tables::opcode;

use super::anchors::Anchors;
use super::side::Side;

/// A region of more operators is not believed to have become one.
const LARGEST: usize = 64;

/// The earlier operators, ascending, between the tensors that `op` reads and the tensor `top` that it computes; nothing
/// if the way back leaves the tensors that it reads.
pub(super) fn region(
    now: &Side<'_>,
    earlier: &Side<'_>,
    anchors: &Anchors,
    constants: &HashSet<usize>,
    op: usize,
    top: usize,
) -> Option<Vec<usize>> {
    let mut cut = HashSet::new();
    for (_, tensor) in now.variable_inputs(op) {
        cut.insert(anchors.tensors.get(tensor).copied().flatten()?.0);
    }
    let mut found = HashSet::new();
    let mut walk = vec![top];
    while let Some(tensor) = walk.pop() {
        if cut.contains(&tensor) {
            continue;
        }
        let tensor = earlier.tensors.get(tensor)?;
        let Some(producer) = tensor.producer else {
            if tensor.content.is_some() {
                continue;
            }
            return None;
        };
        if constants.contains(&producer) || !found.insert(producer) {
            continue;
        }
        if found.len() > LARGEST {
            return None;
        }
        walk.extend(earlier.ops.get(producer)?.inputs.iter().flatten());
    }
    let own = now.ops.get(op)?;
    // Operators that only bring numbers into another shape or order vanish between others more often than others take
    // them up.
    let all_moves = found.iter().all(|&op| earlier.ops.get(op).is_some_and(|op| moves(op.op)));
    let mut region: Vec<usize> = found
        .into_iter()
        .filter(|&op| all_moves || earlier.ops.get(op).is_some_and(|op| !moves(op.op)))
        .collect();
    region.sort_unstable();
    if all_moves && !moves(own.op) { None } else { Some(region) }
}

/// Whether an operator changes no number, only where it stands.
pub(super) fn moves(op: &circle_ir::Operator) -> bool {
    let names = ["TRANSPOSE", "RESHAPE", "SQUEEZE", "EXPAND_DIMS"];
    opcode::name(op.code().builtin).is_some_and(|name| names.contains(&name))
}
