//! ONE's `*.tracealloc.json`. What was kept of one when it was read is written again.

use std::io::Write;

use super::flat::{Allocation, Labels, clash, losses as common, pieces, taken_for, till};
use super::json::Open;
use super::losses::Losses;
use super::{WriteError, WriteOptions};
use crate::form::{Memory, TickUnit};

const KEYS: [&str; 4] = ["offset", "size", "alive_from", "alive_till"];

pub(super) fn write(
    memory: &Memory,
    options: &WriteOptions,
    losses: &mut Losses<'_>,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    common(memory, options, &[TickUnit::Unknown], losses)?;
    losses.file(memory.producer.as_ref().is_some_and(|p| p.created.is_some()), "time of making");
    losses.file(
        memory.model.as_ref().is_some_and(|m| m.name.is_some()) && !losses.implied.model,
        "name of the model",
    );
    losses.file(clash(&memory.extra, &["schema_version", "segments"]), "an extra key that the form has");
    let labels = Labels::new(memory, options);
    for (index, segment) in memory.segments.iter().enumerate() {
        let sized = segment.size.is_some() || taken_for(&segment.extra, "size");
        let own: &[&str] = if sized { &["name", "size", "allocations"] } else { &["name", "allocations"] };
        losses.segment(clash(&segment.extra, own), "an extra key that the form has", index);
        for (at, block) in segment.blocks.iter().enumerate() {
            let own = labels.of(block).is_some() && block.extra.contains_key("origin");
            let named = own || taken_for(&block.extra, "origin");
            losses.block(clash(&block.extra, &KEYS) || named, "an extra key that the form has", (index, at));
        }
    }

    losses.settle()?;
    let mut file = Open::file(out)?;
    file.member("schema_version", &1)?;
    for (key, value) in
        memory.extra.iter().filter(|(key, _)| !["schema_version", "segments"].contains(&key.as_str()))
    {
        file.member(key, value)?;
    }
    let mut list = file.open_list("segments")?;
    for segment in &memory.segments {
        let mut entry = list.open_entry()?;
        entry.member("name", &segment.name)?;
        entry.optional("size", &segment.size)?;
        let sized = segment.size.is_some() || taken_for(&segment.extra, "size");
        let own = |key: &str| key == "name" || key == "allocations" || (key == "size" && sized);
        for (key, value) in segment.extra.iter().filter(|(key, _)| !own(key)) {
            entry.member(key, value)?;
        }
        let allocations = pieces(&segment.blocks).map(|(block, piece)| Allocation {
            keys: KEYS,
            numbers: [piece.offset, piece.size, block.alive_from, till(block, options)],
            id: block.id.as_deref().filter(|_| !losses.implied.ids),
            origin: labels.of(block),
            extra: &block.extra,
        });
        entry.list("allocations", allocations)?;
        entry.close()?;
    }
    list.close()?;
    file.close()?;
    Ok(out.write_all(b"\n")?)
}
