//! The plan as ONE's memory viewer reads it.

use circle_memory::Memory;
use serde_json::{Value, json};

/// The JSON document. Lifetimes end before their last tick, segments have their size, and every allocation has an
/// origin: the original layers that it belongs to, or else its own name.
pub(super) fn tracealloc(memory: &Memory) -> Value {
    let segments: Vec<Value> = memory
        .segments
        .iter()
        .map(|segment| {
            let allocations: Vec<Value> = segment
                .blocks
                .iter()
                .map(|block| {
                    json!({
                        "offset": block.offset, "size": block.size,
                        "alive_from": block.alive_from, "alive_till": block.alive_till,
                        "origin": origin(memory, block),
                    })
                })
                .collect();
            json!({ "name": segment.name, "size": segment.size, "allocations": allocations })
        })
        .collect();
    json!({ "schema_version": 1, "segments": segments })
}

fn origin(memory: &Memory, block: &circle_memory::Block) -> String {
    block.name.clone().or_else(|| block.id.clone()).unwrap_or_else(|| {
        let names =
            block.origins.iter().filter_map(|&id| memory.origin(id)).map(|origin| origin.name.as_str());
        names.collect::<Vec<_>>().join(", ")
    })
}
