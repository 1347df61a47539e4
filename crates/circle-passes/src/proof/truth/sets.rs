//! Which constants can be changed in one run so that it is clear which of them a difference comes from.

use std::collections::{BTreeMap, BTreeSet};

use circle_ir::OriginId;
use circle_ir::lineage::claims::Role;

use super::Place;
use super::perturb::Unit;

/// So many bytes of constants at most are changed in one run, since changed ones lie in memory.
const BUDGET: u64 = 64 << 20;

/// Groups of units of which no two have readers that one operator claims. Each unit is in two of them, with others in
/// each, so that a difference that a wrong claim would hide in one group shows in the other.
pub(super) fn independent<'a>(
    units: &'a [Unit],
    claims: &BTreeMap<Place, BTreeMap<OriginId, Role>>,
) -> Vec<Vec<&'a Unit>> {
    let mut of_reader: BTreeMap<OriginId, BTreeSet<usize>> = BTreeMap::new();
    for (number, unit) in units.iter().enumerate() {
        for &reader in &unit.readers {
            of_reader.entry(reader).or_default().insert(number);
        }
    }
    let mut rivals: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); units.len()];
    for origins in claims.values() {
        let together: BTreeSet<usize> =
            origins.keys().filter_map(|origin| of_reader.get(origin)).flatten().copied().collect();
        for &unit in &together {
            rivals[unit].extend(together.iter().filter(|&&other| other != unit));
        }
    }
    let first = colour(units, &rivals, units.len(), |_| 0);
    // The second time units go on from different groups, as many as there were, so that others come together.
    let count = first.len().max(2).min(units.len().max(1));
    let second = colour(units, &rivals, count, |number| number / count + number % count);
    [first, second].concat()
}

/// Puts each unit into the first group that holds no rival, beginning with group `start(number)` and going round
/// through `count` groups; further ones are opened as needed.
fn colour<'a>(
    units: &'a [Unit],
    rivals: &[BTreeSet<usize>],
    count: usize,
    start: impl Fn(usize) -> usize,
) -> Vec<Vec<&'a Unit>> {
    let mut groups: Vec<(BTreeSet<usize>, u64)> = Vec::new();
    for (number, unit) in units.iter().enumerate() {
        let size = unit.size();
        let begin = start(number);
        let fits = |(members, bytes): &(BTreeSet<usize>, u64)| {
            bytes.saturating_add(size) <= BUDGET && members.is_disjoint(&rivals[number])
        };
        let turn = (0..count).map(|i| (begin + i) % count.max(1));
        let free = turn.chain(count..).find(|&g| groups.get(g).is_none_or(&fits)).unwrap_or(groups.len());
        while groups.len() <= free {
            groups.push((BTreeSet::new(), 0));
        }
        groups[free].0.insert(number);
        groups[free].1 = groups[free].1.saturating_add(size);
    }
    let members = |(members, _): (BTreeSet<usize>, u64)| members.into_iter().map(|n| &units[n]).collect();
    groups.into_iter().filter(|(members, _)| !members.is_empty()).map(members).collect()
}
