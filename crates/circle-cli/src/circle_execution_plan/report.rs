//! What is told of a plan, to people and to programs.

use circle_liveness::Arena;
use circle_liveness::order::Reordered;
use serde_json::{Value, json};

/// A memory and what it takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment<'a> {
    pub(super) name: &'a str,
    pub(super) size: u64,
    pub(super) capacity: Option<u64>,
    pub(super) lower_bound: u64,
    pub(super) planner: &'a str,
    pub(super) blocks: usize,
    pub(super) alignment: Option<u64>,
}

impl<'a> Segment<'a> {
    pub(super) fn of(arena: &'a Arena) -> Self {
        Self {
            name: &arena.name,
            size: arena.peak,
            capacity: arena.capacity,
            lower_bound: arena.lower_bound,
            planner: &arena.planner,
            blocks: arena.units.len(),
            alignment: arena.alignment,
        }
    }

    fn optimal(&self) -> bool {
        self.size <= self.lower_bound
    }
}

/// The report: what each memory takes.
pub(super) fn segments_json(segments: &[Segment<'_>]) -> Value {
    let list: Vec<Value> = segments
        .iter()
        .map(|segment| {
            json!({
                "name": segment.name, "size": segment.size, "lower_bound": segment.lower_bound,
                "optimal": segment.optimal(), "planner": segment.planner, "blocks": segment.blocks,
                "capacity": segment.capacity, "alignment": segment.alignment,
            })
        })
        .collect();
    json!({ "schema_version": 1, "segments": list })
}

/// What a search for a better order came to.
pub(super) fn reordered_json(found: &Reordered) -> Value {
    json!({
        "before": found.before, "after": found.after, "optimal": found.optimal,
        "subgraphs": found.orders.iter().filter(|order| order.is_some()).count(),
    })
}

/// A line for each memory.
pub(super) fn summary(segments: &[Segment<'_>]) -> String {
    let mut text = String::new();
    for segment in segments {
        let capacity = segment.capacity.map(|bytes| format!(" of {bytes}")).unwrap_or_default();
        let proof = match segment.size.saturating_sub(segment.lower_bound) {
            0 => "optimal".to_owned(),
            _ => format!("lower bound {}", segment.lower_bound),
        };
        text += &format!(
            "{}: {} bytes{capacity}, {proof}, {} block{}, {}\n",
            crate::failure::shown(segment.name),
            segment.size,
            segment.blocks,
            if segment.blocks == 1 { "" } else { "s" },
            segment.planner
        );
    }
    text
}
