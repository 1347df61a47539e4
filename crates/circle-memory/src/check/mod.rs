//! Whether a plan is sound: what it says holds together, and no two blocks are in one another's way.
//!
//! A memory with faults can still be drawn; [`Report`] names the blocks at fault for that.

mod collect;
mod fields;
mod overlap;
mod references;
mod shared;
mod spaces;
mod touching;

use crate::finding::{Finding, Severity};
use crate::form::Memory;
use crate::part::Part;
use crate::place::Places;

use collect::Collector;

/// The largest address, size and tick of the form, 2^63 - 1.
pub const MOST: u64 = i64::MAX as u64;

/// How a memory is checked.
#[derive(Debug, Clone, Copy)]
pub struct CheckOptions {
    /// So many findings of one code in one segment are told one by one; the others are counted.
    pub each: usize,
}

impl Default for CheckOptions {
    fn default() -> Self {
        Self { each: 100 }
    }
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// All findings, those of the file first, then segment by segment.
    pub findings: Vec<Finding>,
    /// For each segment the pairs of blocks that overlap.
    pub overlaps: Vec<Overlaps>,
}

/// Pairs of blocks of one segment that share an address at one tick, and no space.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overlaps {
    /// Positions of two blocks, the smaller one first, in ascending order, each pair once. Where there are many times as
    /// many pairs as blocks not all are listed.
    pub pairs: Vec<(usize, usize)>,
    /// How many pairs there are, listed or not.
    pub count: u64,
    /// Whether that is the least number: pairs that are not listed are counted, but for blocks in two pieces, where these
    /// times all blocks are more than 2^26.
    pub at_least: bool,
}

impl Report {
    /// Whether nothing is at fault; there may be warnings and notes.
    pub fn is_sound(&self) -> bool {
        self.findings.iter().all(|finding| finding.severity < Severity::Error)
    }
}

/// Checks a memory. `places` gives the lines of the file it was read from; its default serves where there is none.
///
/// It takes time in proportion to n log n and to the overlaps that are listed, which are at most so many as there are
/// blocks, times a constant; the others are counted in n log n.
pub fn check(memory: &Memory, places: &Places, options: CheckOptions) -> Report {
    check_part(memory, places, options, &Part::default())
}

/// Checks a part of a memory: what is at fault with its segments and with the blocks and spaces that are alive at its ticks,
/// and which of them are in one another's way then. What is said of the file as a whole is said in any case. All positions
/// are those of the whole.
pub fn check_part(memory: &Memory, places: &Places, options: CheckOptions, part: &Part) -> Report {
    let mut collector = Collector::new(memory, places, options.each, part);
    references::file(memory, &mut collector);
    collector.close();
    let mut overlaps = Vec::with_capacity(memory.segments.len());
    for (index, segment) in memory.segments.iter().enumerate() {
        if !part.has(segment) {
            overlaps.push(Overlaps::default());
            continue;
        }
        let spaces = spaces::check(index, segment, &mut collector);
        fields::check(index, segment, &spaces, &mut collector);
        references::segment(index, segment, &mut collector);
        overlaps.push(shared::check(index, segment, &mut collector));
        collector.close();
    }
    Report { findings: collector.finish(), overlaps }
}
