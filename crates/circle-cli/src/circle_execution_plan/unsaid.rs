//! What was planned and is not in ONE's table, since the runtime has no entry for it.

use std::collections::BTreeMap;

use circle_liveness::table::Read;
use circle_liveness::{Arena, Item, Liveness};
use circle_memory::Kind;

/// What of the main subgraph has a place in the plan and none in the table that was made of it, by kind: `2 constants, 1
/// piece of scratch memory`; nothing if all is there. Outputs that nothing reads are told elsewhere.
pub(super) fn unsaid(liveness: &Liveness, arenas: &[Arena], read: &Read) -> Option<String> {
    // By what they are called: one, several.
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for names in main(liveness, arenas).filter_map(|item| called(item.kind)) {
        *counts.entry(names).or_default() += 1;
    }
    for names in main(&read.liveness, &read.arenas).filter_map(|item| called(item.kind)) {
        if let Some(count) = counts.get_mut(&names) {
            *count = count.saturating_sub(1);
        }
    }
    let left = counts.into_iter().filter(|(_, count)| *count > 0);
    let told = left.map(|((one, several), count)| match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {several}"),
    });
    Some(told.collect::<Vec<_>>().join(", ")).filter(|text| !text.is_empty())
}

/// What lies in memories and belongs to the main subgraph.
fn main<'a>(liveness: &'a Liveness, arenas: &'a [Arena]) -> impl Iterator<Item = &'a Item> {
    let units = arenas.iter().flat_map(|arena| &arena.units).filter_map(|&unit| liveness.units.get(unit));
    let items = units.flat_map(|unit| &unit.members).filter_map(|&item| liveness.items.get(item));
    items.filter(|item| item.subgraph.number() == 0)
}

fn called(kind: Kind) -> Option<(&'static str, &'static str)> {
    match kind {
        Kind::Activation | Kind::Output => None,
        Kind::Input => Some(("input", "inputs")),
        Kind::Constant => Some(("constant", "constants")),
        Kind::Variable => Some(("variable", "variables")),
        Kind::Scratch => Some(("piece of scratch memory", "pieces of scratch memory")),
    }
}
