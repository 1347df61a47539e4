//! Vela's search: a climb from the order by urgency, the blocks that live when memory is fullest first.

use std::time::Instant;

use crate::problem::{Plan, Problem};
use crate::search::{Climb, climb};

pub(super) fn plan(problem: &Problem, deadline: Option<Instant>) -> Plan {
    let order = super::by_urgency::order(problem);
    climb(problem, &order, crate::bound::lower_bound(problem), &Climb { deadline, ..Climb::default() })
}
