//! onert's bump planner: one block after the other in the order of birth, no byte used twice. Fixed
//! blocks come first, the others after the last of them.

use crate::problem::{Plan, Problem, align_up};

pub(super) fn plan(problem: &Problem) -> Plan {
    let blocks = problem.blocks();
    let mut offsets: Vec<u64> = blocks.iter().map(|b| b.fixed.unwrap_or(0)).collect();
    let fixed = blocks.iter().filter_map(|b| Some(b.fixed?.saturating_add(b.size)));
    let mut end = fixed.max().unwrap_or(0);
    for index in super::online::order(problem) {
        if let (Some(block), Some(slot)) = (blocks.get(index), offsets.get_mut(index))
            && block.fixed.is_none()
            && block.size > 0
        {
            *slot = align_up(end, block.alignment);
            end = slot.saturating_add(block.size);
        }
    }
    Plan::new(problem, offsets)
}
