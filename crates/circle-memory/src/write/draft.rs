//! The JSON that was drafted for ONE's backends. What was kept of one when it was read is written again.

use std::io::Write;

use super::flat::{Allocation, Labels, clash, ends, losses as common, pieces, taken_for, till};
use super::json::Open;
use super::losses::Losses;
use super::{WriteError, WriteOptions};
use crate::form::{Memory, TickUnit};

const KEYS: [&str; 4] = ["front_addr", "back_addr", "alive_from", "alive_till"];

pub(super) fn write(
    memory: &Memory,
    options: &WriteOptions,
    losses: &mut Losses<'_>,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    common(memory, options, &[TickUnit::Cycle], losses)?;
    ends(memory, losses)?;
    let name = memory.model.as_ref().and_then(|model| model.name.as_ref());
    let created = memory.producer.as_ref().and_then(|producer| producer.created);
    let own_top = |key: &str| match key {
        "schema_version" | "memory_segments" => true,
        "model_name" => name.is_some() || taken_for(&memory.extra, key),
        "codegen_ts" => created.is_some() || taken_for(&memory.extra, key),
        _ => false,
    };
    losses.file(memory.extra.keys().any(|key| own_top(key)), "an extra key that the form has");
    let labels = Labels::new(memory, options);
    for (index, segment) in memory.segments.iter().enumerate() {
        losses.segment(segment.size.is_some(), "size of the segment", index);
        let own = ["segment", "memory_allocations"];
        losses.segment(clash(&segment.extra, &own), "an extra key that the form has", index);
        for (at, block) in segment.blocks.iter().enumerate() {
            let own = labels.of(block).is_some() && block.extra.contains_key("origin");
            let named = own || taken_for(&block.extra, "origin");
            losses.block(clash(&block.extra, &KEYS) || named, "an extra key that the form has", (index, at));
        }
    }

    losses.settle()?;
    let mut file = Open::file(out)?;
    file.member("schema_version", &1)?;
    file.optional("model_name", &name)?;
    file.optional("codegen_ts", &created)?;
    for (key, value) in memory.extra.iter().filter(|(key, _)| !own_top(key)) {
        file.member(key, value)?;
    }
    let mut list = file.open_list("memory_segments")?;
    for segment in &memory.segments {
        let mut entry = list.open_entry()?;
        entry.member("segment", &segment.name)?;
        let own = |key: &str| key == "segment" || key == "memory_allocations";
        for (key, value) in segment.extra.iter().filter(|(key, _)| !own(key)) {
            entry.member(key, value)?;
        }
        // What ends beyond 64 bits was refused before anything was written.
        let allocations = pieces(&segment.blocks).map(|(block, piece)| Allocation {
            keys: KEYS,
            numbers: [piece.offset, piece.end().unwrap_or(u64::MAX), block.alive_from, till(block, options)],
            id: block.id.as_deref().filter(|_| !losses.implied.ids),
            origin: labels.of(block),
            extra: &block.extra,
        });
        entry.list("memory_allocations", allocations)?;
        entry.close()?;
    }
    list.close()?;
    file.close()?;
    Ok(out.write_all(b"\n")?)
}
