//! Planning problems, and solutions: `id,lower,upper,size[,offset][,alignment]`, and the names beside them.

use std::collections::HashSet;
use std::io::Write;

use serde_json::Value;

use super::flat::{of_producer, of_unit};
use super::losses::Losses;
use super::{WriteError, WriteOptions};
use crate::UNPLANNED;
use crate::form::{Block, Memory, Segment, TickUnit};
use crate::is_unplanned;
use crate::place::Place;
use crate::read::UNNAMED;
use crate::read::plan_csv::ALIGNMENT;

pub(super) fn write(
    memory: &Memory,
    options: &WriteOptions,
    losses: &mut Losses<'_>,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    let several = memory.segments.len() != 1;
    losses.never(several, "another number of segments than one", Place::default())?;
    let Some(segment) = memory.segments.first() else { return Ok(()) };
    of_file(memory, losses);
    of_segment(memory, segment, options, losses)?;
    losses.settle()?;

    let planned = !is_unplanned(segment);
    let alignment = |block: &Block| block.extra.get(ALIGNMENT).and_then(Value::as_u64).or(segment.alignment);
    let aligned = segment.blocks.iter().any(|block| alignment(block).is_some());
    let mut table = csv::WriterBuilder::new().comment(Some(b'#')).from_writer(out);
    let mut row: Vec<String> = ["id", "lower", "upper", "size"].map(str::to_owned).to_vec();
    row.extend(planned.then(|| "offset".to_owned()));
    row.extend(aligned.then(|| ALIGNMENT.to_owned()));
    table.write_record(&row)?;
    for (at, block) in segment.blocks.iter().enumerate() {
        row.clear();
        row.push(id(at, block));
        row.extend([block.alive_from, block.alive_till, block.size].map(|number| number.to_string()));
        row.extend(planned.then(|| block.offset.to_string()));
        row.extend(aligned.then(|| alignment(block).map(|bytes| bytes.to_string()).unwrap_or_default()));
        table.write_record(&row)?;
    }
    Ok(table.flush()?)
}

/// Writes the names of blocks as CSV `id,name`, for those that have one. They belong to a planning problem that is written
/// from the same memory.
///
/// # Errors
/// Those of the output.
pub fn names(memory: &Memory, out: &mut dyn Write) -> Result<(), WriteError> {
    let mut table = csv::WriterBuilder::new().comment(Some(b'#')).from_writer(out);
    table.write_record(["id", "name"])?;
    for (at, block) in memory.segments.iter().flat_map(|segment| &segment.blocks).enumerate() {
        if let Some(name) = &block.name {
            table.write_record([&id(at, block), name])?;
        }
    }
    Ok(table.flush()?)
}

/// The block's id, or where it has none its position.
fn id(at: usize, block: &Block) -> String {
    block.id.clone().unwrap_or_else(|| at.to_string())
}

fn of_file(memory: &Memory, losses: &mut Losses<'_>) {
    let Memory { format: _, schema_version: _, producer, model, tick, files, origins, segments: _, extra } =
        memory;
    of_producer(producer.as_ref(), losses);
    losses.file(producer.as_ref().is_some_and(|p| p.created.is_some()), "time of making");
    losses.file(model.is_some() && !losses.implied.model, "model");
    of_unit(tick.unit, &[TickUnit::Unknown], losses);
    losses.file(!tick.names.is_empty(), "names of ticks");
    losses.file(!files.is_empty(), "files that origins come from");
    losses.file(!origins.is_empty(), "origins");
    losses.file(!extra.is_empty(), "extra keys of the file");
}

fn of_segment(
    memory: &Memory,
    segment: &Segment,
    options: &WriteOptions,
    losses: &mut Losses<'_>,
) -> Result<(), WriteError> {
    let Segment { name, size, alignment, tick, spaces, blocks, extra } = segment;
    losses.segment(name != UNNAMED, "name of the segment", 0);
    losses.segment(size.is_some(), "size of the segment", 0);
    losses.segment(alignment.is_some() && blocks.is_empty(), "alignment of the segment", 0);
    losses.segment(tick.as_ref().is_some_and(|own| *own != memory.tick), "ticks of the segment", 0);
    losses.segment(!spaces.is_empty(), "spaces that blocks share", 0);
    losses.segment(extra.keys().any(|key| key != UNPLANNED), "extra keys of the segment", 0);
    let named = blocks.iter().any(|block| block.id.is_some());
    let mut ids = HashSet::new();
    for (at, block) in blocks.iter().enumerate() {
        let unnamed = named && block.id.is_none();
        if unnamed || !ids.insert(id(at, block)) {
            losses.never(unnamed, "a block without an id", Place::block(memory, 0, at))?;
            losses.never(true, "an id that is given twice", Place::block(memory, 0, at))?;
        }
        of_block(block, at, options, losses);
    }
    Ok(())
}

fn of_block(block: &Block, at: usize, options: &WriteOptions, losses: &mut Losses<'_>) {
    let Block {
        id: _,
        name,
        offset: _,
        size: _,
        alive_from: _,
        alive_till: _,
        stays,
        kind,
        wrap,
        space,
        tensor,
        written_by,
        read_by,
        origins,
        extra,
    } = block;
    let implied = losses.implied;
    let mut lost = |lost, what| losses.block(lost, what, (0, at));
    lost(name.is_some() && !options.names_beside, "name of the block");
    lost(*stays, "that the block stays alive after the plan");
    lost(kind.is_some() && !implied.kinds, "kind of the block");
    lost(wrap.is_some(), "the second piece of a block, written as one");
    lost(space.is_some(), "space of the block");
    lost(tensor.is_some(), "tensor of the block");
    let operators = written_by.is_some() || !read_by.is_empty();
    lost(operators && !implied.operators, "operators of the block");
    lost(!origins.is_empty(), "origins of the block");
    let other = |(key, value): (&String, &Value)| key != ALIGNMENT || !value.is_u64();
    lost(extra.iter().any(other), "extra keys of the block");
}
