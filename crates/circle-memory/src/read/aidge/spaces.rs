//! Which planes share a space.

use std::collections::BTreeMap;

use crate::form::{Block, Space, SpaceReason};

/// Finds the spaces of one memory and enters them into its blocks. A wrapped block has a space of its own, if no other.
pub(super) fn infer(blocks: &mut [(Block, u64)]) -> Vec<Space> {
    let mut by_end: BTreeMap<(u64, bool), Vec<usize>> = BTreeMap::new();
    for (at, (block, _)) in blocks.iter().enumerate() {
        by_end.entry((block.alive_till, block.stays)).or_default().push(at);
    }
    let mut groups: Vec<Vec<usize>> =
        by_end.into_values().flat_map(|members| overlapping(blocks, members)).collect();
    // In the order of the file.
    groups.sort();
    let mut spaces = Vec::new();
    for group in groups {
        let wrapped = group.iter().any(|&at| blocks.get(at).is_some_and(|(block, _)| block.wrap.is_some()));
        if group.len() < 2 && !wrapped {
            continue;
        }
        let Ok(id) = u32::try_from(spaces.len()) else { break };
        if let Some(space) = space(id, blocks, &group, wrapped) {
            spaces.push(space);
            for at in group {
                if let Some((block, _)) = blocks.get_mut(at) {
                    block.space = Some(id);
                }
            }
        }
    }
    spaces
}

/// Parts the blocks into groups whose addresses are connected; each group and all of them in ascending order.
fn overlapping(blocks: &[(Block, u64)], members: Vec<usize>) -> Vec<Vec<usize>> {
    // Pieces by address, each with the position of its block in `members`.
    let mut pieces: Vec<(u64, u64, usize)> = Vec::new();
    for (own, &at) in members.iter().enumerate() {
        let found = blocks.get(at).into_iter().flat_map(|(block, _)| block.pieces());
        pieces.extend(found.filter(|piece| piece.size > 0).filter_map(|p| Some((p.offset, p.end()?, own))));
    }
    pieces.sort_unstable();
    let mut sets = Sets::new(members.len());
    // The end and the owner of the run of overlapping pieces so far.
    let mut run: Option<(u64, usize)> = None;
    for (offset, end, own) in pieces {
        run = match run {
            Some((reach, first)) if offset < reach => {
                sets.join(first, own);
                Some((reach.max(end), first))
            }
            _ => Some((end, own)),
        };
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (own, at) in members.into_iter().enumerate() {
        groups.entry(sets.find(own)).or_default().push(at);
    }
    groups.into_values().collect()
}

/// The space that holds a group. Aidge lets other planes into what those of a space leave free.
fn space(id: u32, blocks: &[(Block, u64)], group: &[usize], wrapped: bool) -> Option<Space> {
    let members = || group.iter().filter_map(|&at| blocks.get(at)).map(|(block, _)| block);
    let offset = members().flat_map(Block::pieces).map(|piece| piece.offset).min()?;
    let end = members().flat_map(Block::pieces).filter_map(|piece| piece.end()).max()?;
    let alive_from = members().map(|block| block.alive_from).min()?;
    let alive_till = members().map(|block| block.alive_till).max()?;
    let mut ticks: Vec<u64> = members().map(|block| block.alive_from).collect();
    ticks.sort_unstable();
    let one_after_another = ticks.windows(2).all(|pair| pair.first() != pair.get(1));
    let reason = match (wrapped, one_after_another) {
        (true, _) => SpaceReason::Wrapped,
        (false, true) => SpaceReason::InPlace,
        (false, false) => SpaceReason::Shared,
    };
    Some(Space { id, offset, size: end.saturating_sub(offset), alive_from, alive_till, reason, open: true })
}

/// Disjoint sets with path halving, the smaller number leading.
struct Sets(Vec<usize>);

impl Sets {
    fn new(len: usize) -> Self {
        Self((0..len).collect())
    }
    fn find(&mut self, mut at: usize) -> usize {
        while let Some(&up) = self.0.get(at).filter(|&&up| up != at) {
            let next = self.0.get(up).copied().unwrap_or(up);
            if let Some(slot) = self.0.get_mut(at) {
                *slot = next;
            }
            at = next;
        }
        at
    }
    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.find(one), self.find(other));
        let (low, high) = (one.min(other), one.max(other));
        if let Some(slot) = self.0.get_mut(high) {
            *slot = low;
        }
    }
}
