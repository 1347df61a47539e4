//! Vela's search: a climb from the order by urgency, the blocks that live when memory is fullest first.

use crate::problem::{Plan, Problem};
use crate::search::{Climb, climb};

pub(super) fn plan(problem: &Problem) -> Plan {
    let order = super::by_urgency::order(problem);
    climb(problem, &order, crate::bound::lower_bound(problem), &Climb::default())
}
