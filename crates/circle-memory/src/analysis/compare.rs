//! Two plans: by how much the peak changed, and which layers made the difference.

use super::alive::alive_at;
use super::figures::{Figures, figures};
use super::origins::{OriginSums, origin_sums};
use crate::form::{Memory, Origin, Segment};
use std::collections::BTreeMap;

/// A layer before and after, in bytes at each plan's own peak tick.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OriginChange {
    /// Name of the layer as [`layer_name`] gives it, `None` for blocks without origin.
    pub layer: Option<String>,
    /// Bytes before.
    pub before: u128,
    /// Bytes after.
    pub after: u128,
}

/// A segment before and after. The changes of the layers, of what is reserved besides and of the gaps add up to that of the
/// peak exactly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// Name of the segment before, or after where it is new.
    pub segment: String,
    /// Position in [`Memory::segments`] before, where it was there.
    pub before_at: Option<usize>,
    /// Position in [`Memory::segments`] after, where it is there.
    pub after_at: Option<usize>,
    /// Figures before; those of nothing where the segment was not there.
    pub before: Figures,
    /// Figures after.
    pub after: Figures,
    /// The layers, those that changed most first, of equals by name.
    pub layers: Vec<OriginChange>,
}

impl OriginChange {
    /// Bytes by which the layer grew.
    pub fn change(&self) -> i128 {
        difference(self.before, self.after)
    }
}

impl Comparison {
    /// Bytes by which the peak grew.
    pub fn change(&self) -> i128 {
        difference(self.before.peak, self.after.peak)
    }

    /// Bytes by which grew what closed spaces have reserved at the peak tick and no block takes.
    pub fn reserved_change(&self) -> i128 {
        difference(self.before.reserved_at_peak, self.after.reserved_at_peak)
    }

    /// Bytes by which the gaps at the peak tick grew.
    pub fn gap_change(&self) -> i128 {
        difference(self.before.gaps_at_peak(), self.after.gaps_at_peak())
    }
}

/// Bytes added; peaks and what they are made of have 65 bits.
fn difference(before: u128, after: u128) -> i128 {
    let signed = |bytes: u128| i128::try_from(bytes).unwrap_or(i128::MAX);
    signed(after) - signed(before)
}

/// How a layer is called in both plans: by its name, or by its place where it has none. Layers that are called the same
/// are one, whatever their ids and files: a model that was optimised speaks of the layers of the model before. Inferred
/// origins are never one with proven ones.
pub fn layer_name(origin: &Origin) -> String {
    let name = match (origin.name.is_empty(), origin.operator) {
        (false, _) => origin.name.clone(),
        (true, Some(operator)) => format!("operator {operator} of subgraph {}", origin.subgraph.unwrap_or(0)),
        (true, None) => format!("origin {}", origin.id),
    };
    if origin.inferred { name + " (inferred)" } else { name }
}

/// Compares two plans segment by segment: segments of one name are one; if each plan has a single segment, these are.
pub fn compare(before: &Memory, after: &Memory) -> Vec<Comparison> {
    let single = before.segments.len() == 1 && after.segments.len() == 1;
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for (position, segment) in after.segments.iter().enumerate() {
        places.entry(&segment.name).or_insert(position);
    }
    let mut pairs: Vec<(Option<usize>, Option<usize>)> = Vec::new();
    for (position, segment) in before.segments.iter().enumerate() {
        let other = if single { Some(0) } else { places.remove(segment.name.as_str()) };
        pairs.push((Some(position), other));
    }
    let mut taken = vec![false; after.segments.len()];
    for other in pairs.iter().filter_map(|pair| pair.1) {
        taken[other] = true;
    }
    pairs.extend((0..after.segments.len()).filter(|position| !taken[*position]).map(|new| (None, Some(new))));
    let (names, later_names) = (layer_names(before), layer_names(after));
    pairs
        .into_iter()
        .map(|(before_at, after_at)| {
            let old = before_at.and_then(|position| before.segments.get(position));
            let new = after_at.and_then(|position| after.segments.get(position));
            let (figures_before, sums_before) = old.map(peak_sums).unwrap_or_default();
            let (figures_after, sums_after) = new.map(peak_sums).unwrap_or_default();
            let mut layers: BTreeMap<Option<String>, (u128, u128)> = BTreeMap::new();
            for share in &sums_before.shares {
                layers.entry(share.origin.map(|id| named(&names, id))).or_default().0 += share.bytes;
            }
            for share in &sums_after.shares {
                layers.entry(share.origin.map(|id| named(&later_names, id))).or_default().1 += share.bytes;
            }
            let mut layers: Vec<OriginChange> = layers
                .into_iter()
                .map(|(layer, (before, after))| OriginChange { layer, before, after })
                .collect();
            layers.sort_by_key(|layer| std::cmp::Reverse(layer.change().unsigned_abs()));
            Comparison {
                segment: old.or(new).map(|segment| segment.name.clone()).unwrap_or_default(),
                before_at,
                after_at,
                before: figures_before,
                after: figures_after,
                layers,
            }
        })
        .collect()
}

fn peak_sums(segment: &Segment) -> (Figures, OriginSums) {
    let figures = figures(segment);
    let sums = figures.peak_tick.map(|tick| origin_sums(segment, &alive_at(segment, tick)));
    (figures, sums.unwrap_or_default())
}

/// Names of all layers by id: looking each up alone would be quadratic where ids are not positions.
fn layer_names(memory: &Memory) -> BTreeMap<u32, String> {
    let mut names = BTreeMap::new();
    for origin in &memory.origins {
        names.entry(origin.id).or_insert_with(|| layer_name(origin));
    }
    names
}

fn named(names: &BTreeMap<u32, String>, id: u32) -> String {
    names.get(&id).cloned().unwrap_or_else(|| format!("origin {id}"))
}
