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
    let mut of_reader: BTreeMap<OriginId, Vec<usize>> = BTreeMap::new();
    for (number, unit) in units.iter().enumerate() {
        for &reader in &unit.readers {
            of_reader.entry(reader).or_default().push(number);
        }
    }
    // For each unit what claims its readers; units that share one of these are kept apart.
    let mut claimed: Vec<BTreeSet<Place>> = vec![BTreeSet::new(); units.len()];
    for (&place, origins) in claims {
        for &unit in origins.keys().filter_map(|origin| of_reader.get(origin)).flatten() {
            claimed[unit].insert(place);
        }
    }
    let first = colour(units, &claimed, units.len(), |_| 0);
    // The second time units go on from different groups, as many as there were, so that others come together.
    let count = first.len().max(2).min(units.len().max(1));
    let second = colour(units, &claimed, count, |number| number / count + number % count);
    [first, second].concat()
}

/// Units changed in one run, what claims their readers, and their bytes.
#[derive(Default)]
struct Group {
    members: Vec<usize>,
    claimed: BTreeSet<Place>,
    bytes: u64,
}

/// Puts each unit into the first group that holds no rival, beginning with group `start(number)` and going round
/// through `count` groups; further ones are opened as needed.
fn colour<'a>(
    units: &'a [Unit],
    claimed: &[BTreeSet<Place>],
    count: usize,
    start: impl Fn(usize) -> usize,
) -> Vec<Vec<&'a Unit>> {
    let mut groups: Vec<Group> = Vec::new();
    for (number, (unit, own)) in units.iter().zip(claimed).enumerate() {
        let (size, begin) = (unit.size(), start(number));
        let fits = |group: &Group| {
            group.bytes.saturating_add(size) <= BUDGET && own.iter().all(|p| !group.claimed.contains(p))
        };
        let turn = (0..count).map(|i| (begin + i) % count);
        let free = turn.chain(count..).find(|&g| groups.get(g).is_none_or(&fits)).unwrap_or(groups.len());
        if groups.len() <= free {
            groups.resize_with(free + 1, Group::default);
        }
        let group = &mut groups[free];
        group.members.push(number);
        group.claimed.extend(own);
        group.bytes = group.bytes.saturating_add(size);
    }
    let members = |group: Group| group.members.into_iter().map(|n| &units[n]).collect();
    groups.into_iter().filter(|group| !group.members.is_empty()).map(members).collect()
}
