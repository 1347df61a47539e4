//! How few bytes any plan of a problem needs at least.
//!
//! Three bounds, of which the largest counts:
//! - bytes alive at one tick: blocks alive together lie at different addresses;
//! - the same with alignment: if every alignment in the problem is a multiple of some `a`, blocks begin
//!   at multiples of `a`, so each but the topmost takes its size rounded up to `a`. The topmost one
//!   is unknown: at each tick, the largest rounding of a block alive there is taken off;
//! - the end of every fixed block.

use std::collections::BinaryHeap;

use crate::problem::{Problem, align_up};
use crate::ticks::Sections;

/// A number of bytes that no plan of the problem can be below.
pub fn lower_bound(problem: &Problem) -> u64 {
    within(problem, &Sections::new(problem))
}

/// The same with the problem's sections.
pub(crate) fn within(problem: &Problem, sections: &Sections) -> u64 {
    let live = sections.live(problem).into_iter().max().unwrap_or(0);
    let fixed = problem.blocks().iter().filter(|b| b.size > 0);
    let fixed = fixed.filter_map(|b| Some(b.fixed?.saturating_add(b.size))).max().unwrap_or(0);
    live.max(fixed).max(aligned(problem, sections))
}

/// Most bytes alive at one tick, without regard to alignment.
pub fn max_live(problem: &Problem) -> u64 {
    Sections::new(problem).live(problem).into_iter().max().unwrap_or(0)
}

fn aligned(problem: &Problem, sections: &Sections) -> u64 {
    let occupying = || problem.blocks().iter().filter(|b| b.size > 0);
    let common = occupying().fold(0, |a, b| gcd(a, b.alignment));
    if common <= 1 {
        return 0;
    }
    let rounded = |size: u64| align_up(size, common);
    let sums = sections.sums(problem.blocks().iter().map(|b| rounded(b.size)));
    // Blocks in the order in which they begin: what each leaves free behind it, and the section where it ends.
    let mut begins: Vec<(usize, u64, usize)> = problem
        .blocks()
        .iter()
        .zip(&sections.of)
        .filter(|(block, _)| block.size > 0)
        .map(|(block, &(from, to))| (from, rounded(block.size).saturating_sub(block.size), to))
        .collect();
    begins.sort_unstable();
    let mut begins = begins.into_iter().peekable();
    // The one that leaves most in front; what is over is taken off when it comes there.
    let mut alive: BinaryHeap<(u64, usize)> = BinaryHeap::new();
    let needed = sums.into_iter().enumerate().map(|(section, sum)| {
        while let Some((_, free, to)) = begins.next_if(|begin| begin.0 <= section) {
            alive.push((free, to));
        }
        while alive.peek().is_some_and(|&(_, to)| to <= section) {
            alive.pop();
        }
        sum.saturating_sub(alive.peek().map_or(0, |&(free, _)| free))
    });
    needed.max().unwrap_or(0)
}

/// Greatest common divisor; that of 0 and `b` is `b`.
pub(crate) fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
