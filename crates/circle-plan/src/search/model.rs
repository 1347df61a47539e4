//! A problem in the shape the exact search wants it.
//!
//! Blocks of size 0 are left out. Bytes are counted in units of the greatest number that divides all
//! sizes, fixed offsets and those alignments that do not follow from it; some best plan has all its
//! offsets at multiples of it. Of the sections only those are kept in which some block lives for the
//! last time: the live blocks of any other are all alive in the next one too. What is left are the
//! maximal cliques of the interval graph.

use crate::bound::gcd;
use crate::problem::{Plan, Problem};
use crate::ticks::Sections;

/// A block that occupies memory, sizes and offsets in units.
#[derive(Debug, Clone)]
pub(super) struct Item {
    /// Position in the problem.
    pub(super) block: usize,
    /// First section.
    pub(super) from: usize,
    /// Section after the last one; more than `from`.
    pub(super) to: usize,
    pub(super) size: u64,
    pub(super) alignment: u64,
    pub(super) fixed: Option<u64>,
    /// Begin and end of the fixed items it meets, by address; empty for a fixed one.
    pub(super) obstacles: Vec<(u64, u64)>,
}

/// The whole problem.
#[derive(Debug, Clone)]
pub(super) struct Model {
    pub(super) items: Vec<Item>,
    /// Items alive in each section.
    pub(super) sections: Vec<Vec<u32>>,
    /// Bytes of a unit, at least 1.
    pub(super) unit: u64,
}

impl Model {
    /// Of a problem; `None` if it has too many items or entries in its lists.
    pub(super) fn new(problem: &Problem, most_items: usize, most_entries: usize) -> Option<Self> {
        let occupying = || problem.blocks().iter().filter(|b| b.size > 0);
        if occupying().count() > most_items {
            return None;
        }
        let common = occupying().fold(0, |unit, b| gcd(gcd(unit, b.size), b.fixed.unwrap_or(0)));
        // An alignment that divides the unit is met by every multiple of it, others make it smaller. The
        // second look is needed because the unit may have become smaller after the first.
        let shrink = |unit: u64| {
            occupying().fold(
                unit,
                |unit, b| {
                    if unit % b.alignment == 0 { unit } else { gcd(unit, b.alignment) }
                },
            )
        };
        let mut unit = common.max(1);
        while shrink(unit) != unit {
            unit = shrink(unit);
        }
        let sections = Sections::new(problem);
        let mut last = vec![false; sections.count + 1];
        for (block, &(_, to)) in problem.blocks().iter().zip(&sections.of) {
            last[to] |= block.size > 0;
        }
        // How many sections before each one are kept.
        let mut kept = vec![0usize; sections.count + 1];
        for s in 0..sections.count {
            kept[s + 1] = kept[s] + usize::from(last[s + 1]);
        }
        let mut items: Vec<Item> = Vec::new();
        for (index, (block, &(from, to))) in problem.blocks().iter().zip(&sections.of).enumerate() {
            if block.size > 0 {
                items.push(Item {
                    block: index,
                    from: kept[from],
                    to: kept[to],
                    size: block.size / unit,
                    alignment: if unit % block.alignment == 0 { 1 } else { block.alignment / unit },
                    fixed: block.fixed.map(|offset| offset / unit),
                    obstacles: Vec::new(),
                });
            }
        }
        let entries = items.iter().map(|i| i.to - i.from).fold(0, usize::saturating_add);
        let mut fixed: Vec<(u64, u64, usize, usize)> = items
            .iter()
            .filter_map(|i| i.fixed.map(|offset| (offset, offset + i.size, i.from, i.to)))
            .collect();
        if entries.saturating_add(fixed.len().saturating_mul(items.len())) > most_entries {
            return None;
        }
        fixed.sort_unstable();
        for item in items.iter_mut().filter(|i| i.fixed.is_none()) {
            let met = fixed.iter().filter(|f| f.2 < item.to && item.from < f.3);
            item.obstacles = met.map(|f| (f.0, f.1)).collect();
        }
        let mut lists = vec![Vec::new(); kept[sections.count]];
        for (index, item) in (0u32..).zip(&items) {
            lists[item.from..item.to].iter_mut().for_each(|list| list.push(index));
        }
        Some(Self { items, sections: lists, unit })
    }

    /// The plan with these offsets, in units, of the items.
    pub(super) fn plan(&self, problem: &Problem, places: &[u64]) -> Plan {
        let fixed = problem.blocks().iter().map(|b| b.fixed.unwrap_or(0));
        let mut offsets: Vec<u64> = fixed.collect();
        for (item, place) in self.items.iter().zip(places) {
            offsets[item.block] = place * self.unit;
        }
        Plan::new(problem, offsets)
    }
}
