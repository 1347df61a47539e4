//! Plans in the memory allocation form, and for forms that know no shared memory.

use std::collections::{BTreeMap, BTreeSet};

use circle_memory::check::{CheckOptions, check};
use circle_memory::write::{WriteOptions, write};
use circle_memory::{Block, Form, Memory, Places, Segment, Severity};

use crate::failure::Failure;
use crate::output;

/// Writes a plan that a checker which knows nothing of planners finds no fault in.
pub(super) fn save_plan(path: &str, memory: &Memory) -> Result<(), Failure> {
    let findings = check(memory, &Places::default(), CheckOptions::default()).findings;
    if let Some(fault) = findings.iter().find(|finding| finding.severity == Severity::Error) {
        return Err(Failure::at(path, format!("the plan is faulty and was not written: {fault}")));
    }
    output::write(path, |sink| {
        let mut sink = std::io::BufWriter::new(sink);
        write(memory, Form::Own, &WriteOptions::default(), &mut sink)
            .map_err(|error| Failure::at(path, error))?;
        std::io::Write::flush(&mut sink).map_err(|error| Failure::at(path, error))
    })
}

/// Makes one block of each space with all that lies in it: reserved as a whole, with the layers and names of all.
pub(super) fn join_spaces(memory: &mut Memory) {
    memory.segments.iter_mut().for_each(join);
}

fn join(segment: &mut Segment) {
    let spaces = std::mem::take(&mut segment.spaces);
    let mut members: BTreeMap<u32, Vec<Block>> = BTreeMap::new();
    let mut places: BTreeMap<u32, usize> = BTreeMap::new();
    let mut blocks = Vec::with_capacity(segment.blocks.len());
    for block in std::mem::take(&mut segment.blocks) {
        let Some(id) = block.space else {
            blocks.push(block);
            continue;
        };
        // The whole takes the place of the first in the list.
        places.entry(id).or_insert_with(|| {
            blocks.push(Block::default());
            blocks.len() - 1
        });
        members.entry(id).or_default().push(block);
    }
    for space in spaces {
        let place = places.get(&space.id).and_then(|&at| blocks.get_mut(at));
        let (Some(place), Some(inside)) = (place, members.remove(&space.id)) else { continue };
        let origins: BTreeSet<u32> = inside.iter().flat_map(|block| block.origins.iter().copied()).collect();
        let names: Vec<&str> = inside.iter().filter_map(|block| block.name.as_deref()).collect();
        *place = Block {
            offset: space.offset,
            size: space.size,
            alive_from: space.alive_from,
            alive_till: space.alive_till,
            name: Some(names.join(", ")).filter(|text| !text.is_empty()),
            stays: inside.iter().any(|block| block.stays),
            origins: origins.into_iter().collect(),
            ..Block::default()
        };
    }
    segment.blocks = blocks;
}

#[cfg(test)]
mod tests {
    use circle_memory::{Piece, Space, SpaceReason};

    use super::*;

    fn block(name: &str, offset: u64, size: u64, from: u64, till: u64, origins: &[u32]) -> Block {
        Block {
            name: Some(name.into()),
            offset,
            size,
            alive_from: from,
            alive_till: till,
            origins: origins.to_vec(),
            ..Block::default()
        }
    }

    /// A space is larger than each of its blocks and lives longer; what lies in it may be in two pieces.
    #[test]
    fn a_space_becomes_one_block_as_large_and_as_long_as_it_is() {
        let space = |id, offset, size| Space {
            id,
            offset,
            size,
            alive_from: 1,
            alive_till: 9,
            open: false,
            reason: SpaceReason::Wrapped,
        };
        let within = |id, block: Block| Block { space: Some(id), ..block };
        let ring = Block {
            wrap: Some(Piece { offset: 64, size: 4 }),
            stays: true,
            ..block("c", 80, 20, 4, 9, &[2, 0])
        };
        let mut memory = Memory {
            segments: vec![Segment {
                spaces: vec![space(7, 64, 32), space(3, 128, 8)],
                blocks: vec![
                    block("first", 0, 16, 0, 2, &[5]),
                    within(7, block("a", 64, 16, 1, 4, &[1])),
                    block("between", 16, 8, 2, 3, &[]),
                    within(3, block("b", 128, 8, 1, 9, &[])),
                    within(7, ring),
                ],
                ..Segment::default()
            }],
            ..Memory::default()
        };
        join_spaces(&mut memory);
        let due = vec![
            block("first", 0, 16, 0, 2, &[5]),
            Block { stays: true, ..block("a, c", 64, 32, 1, 9, &[0, 1, 2]) },
            block("between", 16, 8, 2, 3, &[]),
            block("b", 128, 8, 1, 9, &[]),
        ];
        assert_eq!(memory.segments[0].blocks, due);
        assert!(memory.segments[0].spaces.is_empty());
    }
}
