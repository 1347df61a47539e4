//! Allocations as CSV: with `front_addr` and `back_addr` where ticks are cycles, else with `offset` and `size`.

use std::collections::BTreeSet;
use std::io::Write;

use serde_json::Value;

use super::flat::{Labels, ends, losses as common, pieces, till};
use super::losses::Losses;
use super::{WriteError, WriteOptions};
use crate::form::{Memory, TickUnit};
use crate::read::backend_csv::KNOWN;
use crate::read::{ID, UNNAMED};

pub(super) fn write(
    memory: &Memory,
    options: &WriteOptions,
    losses: &mut Losses<'_>,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    common(memory, options, &[TickUnit::Unknown, TickUnit::Cycle], losses)?;
    let labels = Labels::new(memory, options);
    let mut further = only_csv(memory, &labels, losses);
    let cycles = memory.tick.unit == TickUnit::Cycle;
    if cycles {
        ends(memory, losses)?;
    }
    losses.settle()?;
    let blocks = || memory.segments.iter().flat_map(|segment| &segment.blocks);
    let named =
        !matches!(memory.segments.as_slice(), [] | [_]) || memory.segments.iter().any(|s| s.name != UNNAMED);
    let ids = !losses.implied.ids && blocks().any(|block| block.id.is_some());
    if ids {
        further.retain(|key| *key != ID);
    }
    let origins = blocks().any(|block| labels.of(block).is_some());

    let mut table = csv::WriterBuilder::new().comment(Some(b'#')).from_writer(out);
    let mut row: Vec<String> = Vec::new();
    row.extend(named.then(|| "segment".to_owned()));
    let addresses = if cycles { ["front_addr", "back_addr"] } else { ["offset", "size"] };
    row.extend(addresses.into_iter().chain(["alive_from", "alive_till"]).map(str::to_owned));
    row.extend(ids.then(|| ID.to_owned()));
    row.extend(origins.then(|| "origin".to_owned()));
    row.extend(further.iter().map(|key| (*key).to_owned()));
    table.write_record(&row)?;
    for segment in &memory.segments {
        for (block, piece) in pieces(&segment.blocks) {
            row.clear();
            row.extend(named.then(|| segment.name.clone()));
            // What ends beyond 64 bits was refused before anything was written.
            let second = if cycles { piece.end().unwrap_or(u64::MAX) } else { piece.size };
            let numbers = [piece.offset, second, block.alive_from, till(block, options)];
            row.extend(numbers.map(|number| number.to_string()));
            let id = || block.id.as_deref().or_else(|| text(block.extra.get(ID))).unwrap_or_default();
            row.extend(ids.then(|| id().to_owned()));
            row.extend(origins.then(|| labels.of(block).unwrap_or_default().into_owned()));
            row.extend(further.iter().map(|key| text(block.extra.get(*key)).unwrap_or_default().to_owned()));
            table.write_record(&row)?;
        }
    }
    Ok(table.flush()?)
}

/// A value that a cell can hold.
fn text(value: Option<&Value>) -> Option<&str> {
    value.and_then(Value::as_str).filter(|text| !text.is_empty())
}

/// Finds what only CSV cannot express, and gives the columns of what blocks have besides, in order.
fn only_csv<'a>(memory: &'a Memory, labels: &Labels<'_>, losses: &mut Losses<'_>) -> Vec<&'a str> {
    losses.file(memory.producer.as_ref().is_some_and(|p| p.created.is_some()), "time of making");
    losses.file(
        memory.model.as_ref().is_some_and(|m| m.name.is_some()) && !losses.implied.model,
        "name of the model",
    );
    losses.file(!memory.extra.is_empty(), "extra keys of the file");
    losses.file(memory.segments.is_empty(), "that there is no segment");
    let mut names = BTreeSet::new();
    let (mut seen, mut further) = (BTreeSet::new(), Vec::new());
    let alone = memory.segments.len() == 1;
    for (index, segment) in memory.segments.iter().enumerate() {
        losses.segment(segment.size.is_some(), "size of the segment", index);
        losses.segment(!names.insert(&segment.name), "two segments of one name", index);
        let empty = segment.blocks.is_empty() && !(alone && segment.name == UNNAMED);
        losses.segment(empty, "a segment without blocks", index);
        losses.segment(!segment.extra.is_empty(), "extra keys of the segment", index);
        for (at, block) in segment.blocks.iter().enumerate() {
            let place = (index, at);
            let unnamed = block.name.as_deref() == Some("");
            losses.block(unnamed, "an empty name", place);
            let empty = labels.of(block).is_some_and(|label| label.is_empty());
            losses.block(empty && !unnamed, "an origin without a name", place);
            for (key, value) in &block.extra {
                let column = !KNOWN.contains(&key.as_str()) && key.trim() == key;
                losses.block(!column, "an extra key that is no name of a column", place);
                losses.block(text(Some(value)).is_none(), "an extra value that is no text", place);
                if column && seen.insert(key.as_str()) {
                    further.push(key.as_str());
                }
            }
        }
    }
    further
}
