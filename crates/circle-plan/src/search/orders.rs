//! Orders of placing that do well on large plans and are in no one's planner.
//!
//! Sizes and lifetimes are taken by powers of two, so that blocks which are about alike follow each other by when they
//! live: what is given back together then lies together, and makes room for what is a little larger, too.

use std::cmp::Reverse;

use crate::place::{Fit, order_by};
use crate::problem::{Block, Problem};

/// How to make an order, and how blocks choose among the holes.
pub(super) type Order = (fn(&Problem) -> Vec<usize>, Fit);

/// The orders, each made only when there is time for it.
pub(super) const ORDERS: [Order; 4] = [
    (by_death, Fit::First),
    (by_size_and_death, Fit::First),
    (by_size_and_lifetime, Fit::Best),
    (by_lifetime_and_birth, Fit::Best),
];

fn by_death(problem: &Problem) -> Vec<usize> {
    order_by(problem, |i, b| (b.upper, Reverse(b.size), i))
}

fn by_size_and_death(problem: &Problem) -> Vec<usize> {
    order_by(problem, |i, b| (Reverse(power(b.size) / 2), b.upper, b.lower, i))
}

fn by_size_and_lifetime(problem: &Problem) -> Vec<usize> {
    let powers = |b: &Block| (Reverse(power(b.size)), Reverse(power(b.lifetime())));
    order_by(problem, |i, b| (powers(b), Reverse(b.upper), Reverse(b.size), i))
}

fn by_lifetime_and_birth(problem: &Problem) -> Vec<usize> {
    order_by(problem, |i, b| (Reverse(power(b.lifetime())), b.lower, Reverse(b.size), i))
}

/// The power of two that is not above `number`; 0 for 0.
fn power(number: u64) -> u32 {
    number.checked_ilog2().unwrap_or(0)
}
