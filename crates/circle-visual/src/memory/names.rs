//! What blocks, kinds and ticks are called.

use crate::text::grouped;
use circle_memory::{Block, Kind, Memory, SpaceReason, TickUnit, analysis::layer_name};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Names of a plan's origins by id; an id that is listed twice is what it is first.
pub(super) fn origin_names(memory: &Memory) -> BTreeMap<u32, String> {
    let mut names = BTreeMap::new();
    for origin in &memory.origins {
        names.entry(origin.id).or_insert_with(|| layer_name(origin));
    }
    names
}

/// The layers of a block, joined.
pub(super) fn layers(block: &Block, origins: &BTreeMap<u32, String>) -> String {
    let mut out = String::new();
    for (position, id) in block.origins.iter().enumerate() {
        if position == 8 {
            out.push_str(&format!(" and {} more", block.origins.len() - 8));
            break;
        }
        if position > 0 {
            out.push_str(" + ");
        }
        match origins.get(id) {
            Some(name) => out.push_str(name),
            None => out.push_str(&format!("origin {id}")),
        }
    }
    out
}

/// What a block is called: its name, else those of its layers, its tensor, its operator, its identity, its position.
pub(super) fn block_name<'a>(
    block: &'a Block,
    position: usize,
    origins: &BTreeMap<u32, String>,
) -> Cow<'a, str> {
    let some = |text: &'a Option<String>| text.as_deref().filter(|text| !text.is_empty());
    if let Some(name) = some(&block.name) {
        return name.into();
    }
    if !block.origins.is_empty() {
        return layers(block, origins).into();
    }
    let tensor = block.tensor.as_ref().and_then(|tensor| some(&tensor.name));
    let operator = block.written_by.as_ref().and_then(|operator| some(&operator.name));
    match tensor.or(operator).or(some(&block.id)) {
        Some(name) => name.into(),
        None => format!("block {position}").into(),
    }
}

/// How many blocks there are, and how many of them are drawn nowhere, since they never live.
pub(super) fn block_count(blocks: usize, without_lifetime: usize) -> String {
    let plural = if blocks == 1 { "" } else { "s" };
    let all = format!("{} block{plural}", grouped(blocks as i128));
    match without_lifetime {
        0 => all,
        some => format!("{all}, {} without lifetime", grouped(some as i128)),
    }
}

/// All kinds, in the order of their colours.
pub(super) const KINDS: [Kind; 6] =
    [Kind::Activation, Kind::Input, Kind::Output, Kind::Constant, Kind::Variable, Kind::Scratch];

/// A kind in words.
pub(super) fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Activation => "activation",
        Kind::Input => "input",
        Kind::Output => "output",
        Kind::Constant => "constant",
        Kind::Variable => "variable",
        Kind::Scratch => "scratch",
    }
}

/// One tick, in words.
pub(super) fn tick_word(unit: TickUnit) -> &'static str {
    match unit {
        TickUnit::Operator => "operator",
        TickUnit::Cycle => "cycle",
        TickUnit::Ns => "ns",
        TickUnit::Step => "step",
        TickUnit::Unknown => "tick",
    }
}

/// The caption of a time axis.
pub(super) fn time_caption(unit: TickUnit) -> &'static str {
    match unit {
        TickUnit::Operator => "operators, in order of execution",
        TickUnit::Cycle => "cycles",
        TickUnit::Ns => "time",
        TickUnit::Step => "steps of the planner",
        TickUnit::Unknown => "ticks",
    }
}

/// Why blocks share a space, in words.
pub(super) fn reason_name(reason: SpaceReason) -> &'static str {
    match reason {
        SpaceReason::InPlace => "in place",
        SpaceReason::Wrapped => "around a ring",
        SpaceReason::Shared => "shared",
    }
}
