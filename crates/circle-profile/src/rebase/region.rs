//! What of the earlier model an operator does: everything that leads from what it reads to what it computes.

use std::collections::{BTreeSet, HashSet};

use circle_tables::opcode;

use super::anchors::Anchors;
use super::side::{Op, Side};

/// A region of more operators is not believed to have become one.
const LARGEST: usize = 64;
/// Nor is one that reads more tensors.
const TENSORS: usize = 1024;

/// What lies between the tensors that an operator reads and the one that it computes.
#[derive(Debug, Default)]
pub(super) struct Region {
    /// Earlier operators whose work it does, ascending.
    pub(super) work: Vec<usize>,
    /// Others in between, ascending: they change nothing, or bring numbers into another shape or order and are more
    /// often moved away or done away with than taken up.
    pub(super) passed: Vec<usize>,
}

/// The region of `op`, which computes the earlier tensor `top`; nothing if the way back leaves the tensors that it
/// reads.
pub(super) fn region(
    now: &Side<'_>,
    earlier: &Side<'_>,
    anchors: &Anchors,
    constants: &HashSet<usize>,
    op: usize,
    top: usize,
) -> Option<Region> {
    let mut cut = HashSet::new();
    for (_, tensor) in now.variable_inputs(op) {
        cut.insert(anchors.tensors.get(tensor).copied().flatten()?.0);
    }
    let mut found = BTreeSet::new();
    let mut walk = vec![top];
    let mut seen = 0;
    while let Some(tensor) = walk.pop() {
        seen += 1;
        if seen > TENSORS {
            return None;
        }
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
    let like = |test: &dyn Fn(&Op<'_>) -> bool| -> Region {
        let (work, passed) = found.iter().copied().partition(|&op| earlier.ops.get(op).is_some_and(test));
        Region { work, passed }
    };
    // One that is what it was, with the same options and constants, does no more than it did: what else lay in between
    // has gone.
    let itself = earlier.tensors.get(top).and_then(|tensor| tensor.producer).filter(|&producer| {
        !moves(own.op) && earlier.ops.get(producer).is_some_and(|op| op.signature == own.signature)
    });
    if let Some(producer) = itself {
        let passed = found.into_iter().filter(|&op| op != producer).collect();
        return Some(Region { work: vec![producer], passed });
    }
    let mut region = match (moves(own.op), found.len()) {
        // It took the place of this one.
        (false, 1) => like(&|op| op.kind == own.kind || !moves(op.op)),
        (true, 1) => like(&|op| op.kind == own.kind || moves(op.op)),
        (false, _) => like(&|op| !moves(op.op) && !op.idle),
        (true, _) => like(&|op| op.kind == own.kind),
    };
    if region.work.is_empty() {
        region = like(&|op| op.kind == own.kind);
    }
    Some(region)
}

/// Whether an operator changes no number, only where it stands.
pub(super) fn moves(op: &circle_ir::Operator) -> bool {
    let names = ["TRANSPOSE", "RESHAPE", "SQUEEZE", "EXPAND_DIMS"];
    opcode::name(op.code().builtin).is_some_and(|name| names.contains(&name))
}
