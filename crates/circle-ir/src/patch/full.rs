//! How many originals a step may take and what it makes may stand for. Every step is told with all that it took, and
//! every operator with all that it stands for: along a chain that shrinks into one operator, step by step, both would
//! grow with the square of its length.

use std::collections::BTreeMap;

use super::Patch;
use crate::entity::ValueId;
use crate::lineage::Store;
use crate::lineage::claims::Claim;
use crate::subgraph::Subgraph;

/// The most originals that a step takes, and that an operator, tensor or constant stands for once it is made or grows,
/// operators and tensors counted apart. Real ones have a handful. It may be more where equal things become one all at
/// once, since each is told once then: where nothing that goes into it is more than a 16th of the whole. What has more
/// already, because a file says so, may change as long as it does not grow.
pub const MOST_ORIGINALS: usize = 128;

/// See [`MOST_ORIGINALS`].
const AT_ONCE: usize = 16;

/// Whether the union of `parts`, each of which ascends by `key`, is more than may be. Takes time in proportion to what
/// the parts have, or, where one is large and few others join it, to what those have.
fn is_full<T, K: Ord>(parts: &[&[T]], key: impl Fn(&T) -> K) -> bool {
    let sum = parts.iter().fold(0, |sum: usize, part| sum.saturating_add(part.len()));
    if sum <= MOST_ORIGINALS {
        return false;
    }
    let Some((at, largest)) = parts.iter().enumerate().max_by_key(|(_, part)| part.len()) else {
        return false;
    };
    let others = || parts.iter().enumerate().filter(|&(index, _)| index != at).flat_map(|(_, part)| *part);
    let grows = others().any(|member| largest.binary_search_by_key(&key(member), &key).is_err());
    if !grows || (largest.len() >= MOST_ORIGINALS && sum / AT_ONCE < largest.len()) {
        return grows;
    }
    let mut all: Vec<K> = parts.iter().flat_map(|part| part.iter().map(&key)).collect();
    all.sort_unstable();
    all.dedup();
    all.len() > MOST_ORIGINALS && all.len() / AT_ONCE < largest.len()
}

/// The sets of originals that go into one thing.
#[derive(Default)]
struct Parts<'a> {
    claims: Vec<&'a [Claim]>,
    tensors: Vec<&'a [crate::entity::TensorOriginId]>,
}

impl<'a> Parts<'a> {
    fn is_full(&self) -> bool {
        is_full(&self.claims, |claim| claim.origin) || is_full(&self.tensors, |&tensor| tensor)
    }

    fn operator(&mut self, store: &'a Store, sg: &Subgraph, op: crate::entity::OpId) {
        self.claims.extend(sg.operator(op).map(|op| store.claim_sets.get(op.lineage.claims)));
    }

    /// What goes into tensor `value`, which may be one of those that `patch` makes.
    fn value(&mut self, store: &'a Store, sg: &Subgraph, patch: &Patch, value: ValueId) {
        let new = value.number().checked_sub(patch.first_new_value.number());
        let new = new.and_then(|index| patch.new_values.get(index as usize));
        let from = new.map_or(std::slice::from_ref(&value), |new| &new.from);
        for lineage in from.iter().filter_map(|&value| Some(sg.value(value)?.lineage())) {
            self.claims.push(store.claim_sets.get(lineage.claims));
            self.tensors.push(store.tensor_sets.get(lineage.tensors));
        }
        new.into_iter().flat_map(|new| &new.folded).for_each(|&op| self.operator(store, sg, op));
    }
}

impl Patch {
    /// Whether it would take, or something that it makes or lets grow would stand for, more than [`MOST_ORIGINALS`]. What
    /// new operators claim is taken, so that they need no look of their own.
    pub(super) fn is_full(&self, store: &Store, sg: &Subgraph) -> bool {
        let mut taken = Parts::default();
        self.takes().into_iter().for_each(|op| taken.operator(store, sg, op));
        if taken.is_full() {
            return true;
        }
        let new = |index: usize| ValueId::from_number(self.first_new_value.number() + index as u32);
        let made = (0..self.new_values.len()).any(|index| {
            let mut parts = Parts::default();
            parts.value(store, sg, self, new(index));
            parts.is_full()
        });
        if made {
            return true;
        }
        // All that one tensor takes over it takes over at once.
        let mut united: BTreeMap<ValueId, Vec<ValueId>> = BTreeMap::new();
        for (gone, stays, either) in self.unites(sg) {
            let pinned = either && sg.value(gone).is_some_and(|value| value.pins > 0);
            let (gone, stays) = if pinned { (stays, gone) } else { (gone, stays) };
            united.entry(stays).or_default().push(gone);
        }
        united.into_iter().any(|(stays, gone)| {
            let mut parts = Parts::default();
            std::iter::once(stays).chain(gone).for_each(|value| parts.value(store, sg, self, value));
            parts.is_full()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn full(parts: &[Vec<usize>]) -> bool {
        let parts: Vec<&[usize]> = parts.iter().map(Vec::as_slice).collect();
        is_full(&parts, |&member| member)
    }

    #[test]
    fn sets_grow_to_the_bound_and_no_further() {
        let most = MOST_ORIGINALS;
        assert!(!full(&[(0..most - 1).collect(), vec![most]]));
        assert!(full(&[(0..most).collect(), vec![most]]));
        assert!(full(&[(0..most).collect(), (most..2 * most).collect()]));
        assert!(!full(&[(0..most).collect(), (0..most).collect()]), "the same once more is no growth");
        let halves: [Vec<usize>; 3] = std::array::from_fn(|i| (i * 50..i * 50 + 50).collect());
        assert!(full(&halves));
    }

    #[test]
    fn many_may_become_one_at_once() {
        let single: Vec<Vec<usize>> = (0..5_000).map(|i| vec![i]).collect();
        assert!(!full(&single));
        let mut uneven = single.clone();
        uneven.push((0..400).collect());
        assert!(full(&uneven), "one has more than a 16th");
    }

    #[test]
    fn what_is_too_large_already_may_stay_as_it_is() {
        assert!(!full(&[(0..1_000).collect()]));
        assert!(!full(&[(0..1_000).collect(), vec![3, 999]]));
        assert!(full(&[(0..1_000).collect(), vec![3, 1_000]]));
    }
}
