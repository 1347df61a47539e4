//! Which constants of a subgraph are equal.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash};

use foldhash::fast::RandomState;

use circle_ir::{BufferId, Value, ValueId, View};

/// The constants that equal an earlier one, with the earliest. Constants of which there is no second with the same
/// type, shape, quantization and beginning are not read to the end, and no constant is hashed twice.
pub(super) fn duplicates(view: &View<'_>) -> Vec<(ValueId, ValueId)> {
    let mut by_form: HashMap<u64, Vec<ValueId>, RandomState> = HashMap::default();
    let hasher = RandomState::default();
    let mut forms = Vec::new();
    for (id, value) in view.subgraph().values() {
        if value.uses().is_empty() && value.pins() == 0 {
            continue;
        }
        let Some(bytes) = view.constant(id) else { continue };
        let form = form(&hasher, value, bytes);
        let group = by_form.entry(form).or_default();
        if group.is_empty() {
            forms.push(form);
        }
        group.push(id);
    }
    let mut found = Vec::new();
    for group in forms.iter().filter_map(|form| by_form.get(form)).filter(|group| group.len() > 1) {
        equal_in(view, &hasher, group, &mut found);
    }
    found.sort_unstable();
    found
}

fn equal_in(view: &View<'_>, hasher: &RandomState, group: &[ValueId], found: &mut Vec<(ValueId, ValueId)>) {
    let mut digests: HashMap<BufferId, u64, RandomState> = HashMap::default();
    let mut first: HashMap<u64, ValueId, RandomState> = HashMap::default();
    for &id in group {
        let (Some(value), Some(bytes)) = (view.value(id), view.constant(id)) else { continue };
        let digest = *digests.entry(value.buffer()).or_insert_with(|| hash_of(hasher, bytes));
        let Some(&earlier) = first.get(&digest) else {
            first.insert(digest, id);
            continue;
        };
        // Another content under the same hash keeps its place: it is not merged, which costs nothing but space.
        let same = view.value(earlier).is_some_and(|e| {
            e.is_like(value) && (e.buffer() == value.buffer() || view.constant(earlier) == Some(bytes))
        });
        if same {
            found.push((id, earlier));
        }
    }
}

/// How many bytes of a constant tell it from most others. Less than a page, so that little is read from disk.
const BEGINNING: usize = 256;

fn form(hasher: &RandomState, value: &Value, bytes: &[u8]) -> u64 {
    let beginning = bytes.get(..BEGINNING).unwrap_or(bytes);
    hash_of(hasher, (beginning, value.ty(), value.shape(), value.shape_signature(), value.quantization()))
}

fn hash_of(hasher: &RandomState, thing: impl Hash) -> u64 {
    hasher.hash_one(thing)
}
