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
