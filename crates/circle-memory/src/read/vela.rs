//! What Arm's Vela prints with `--verbose-allocation`, a table for each memory:
//!
//! ```text
//! Tensor Allocation for mem_area Sram, of mem_type_set (Scratch), using allocator HillClimb, in Cpu and Npu subgraph:
//! Start Time -   End Time: Start Addr -   End Addr: Tensor Size: Memory Usage: Purpose     : Name
//!          0 -          3:        0x0 -      0x400:        1024:         1024: FeatureMap  : input
//! Allocation Peak Memory Usage:      1024 (     0x400) Bytes     1.00 KiB
//! ```
//!
//! Since version 4 the line above the heading is `Allocation, memory Sram, usage mask: FeatureMap|Staging`, or
//! `Tensor Allocation for read-only NPU tensors:`, and the column `Purpose` is `Format`.
//!
//! Times are positions in Vela's own schedule, the last one inclusive, as its memory usage shows, which is the most of all
//! times of a row; addresses are bytes, the end exclusive. Tensors that share one address on purpose, as they are equal or
//! computed in place, are rows of one address and size: those become a space.

use std::collections::HashSet;

use serde_json::Value;

use super::builder::{Builder, after, between};
use super::detect::contains;
use super::error::{Faulty, ReadFault, at, at_field};
use super::scan::Scan;
use super::text::numbered;
use super::{Document, Form, ReadOptions};
use crate::form::{Block, Kind, Producer, Segment, Space, SpaceReason, TickUnit};

/// Whether a line is the heading of a table.
pub(super) fn is_line(line: &[u8]) -> bool {
    contains(line, b"Start Time -") && contains(line, b"Start Addr -") && contains(line, b": Tensor Size:")
}

pub(super) fn read(text: &str, options: &ReadOptions<'_>) -> Faulty<Document> {
    let mut builder = Builder::new(options, TickUnit::Step);
    builder.memory.producer = Some(Producer { name: Some("Vela".to_owned()), ..Producer::default() });
    let mut names = HashSet::new();
    // The last line of words, and the table that is read.
    let mut title = "";
    let mut table: Option<Heading> = None;
    for (line, text) in numbered(text) {
        if is_line(text.as_bytes()) {
            let heading = Heading::new(title, text);
            let name = unique(heading.name.clone(), &mut names);
            builder.open(Segment { name, ..Segment::default() }, line);
            if let Some(producer) = &mut builder.memory.producer
                && producer.planner.is_none()
            {
                producer.planner.clone_from(&heading.allocator);
            }
            (title, table) = ("", Some(heading));
        } else if let Some(heading) = &table
            && text.trim_start().starts_with(|c: char| c.is_ascii_digit())
        {
            let block = row(line, text, heading)?;
            let segment = builder.last();
            builder.push(segment, block, line);
        } else if !text.trim().is_empty() {
            table = None;
            title = text.trim();
        }
    }
    builder.memory.segments.iter_mut().for_each(share);
    Ok(builder.finish(Form::Vela))
}

/// What stands above the rows of a table.
struct Heading {
    /// Name of the memory, with what lies in it where that is told.
    name: String,
    allocator: Option<String>,
    /// Name of the column before the last, in lower case: what a tensor is for, or how it is laid out.
    column: String,
    /// Whether the memory is only read.
    constant: bool,
}

impl Heading {
    fn new(title: &str, columns: &str) -> Self {
        let word = |mark: &str| {
            title.split_once(mark).map(|(_, rest)| rest.split(',').next().unwrap_or(rest).trim())
        };
        let area = word("mem_area ").or_else(|| word("Allocation, memory "));
        let holds = title
            .split_once("mem_type_set (")
            .and_then(|(_, rest)| rest.split_once(')'))
            .map(|(types, _)| types);
        let holds = holds.or_else(|| word("usage mask: "));
        let what = title.trim_start_matches("Tensor Allocation for ").trim_end_matches(':');
        let name = match (area, holds) {
            (Some(area), Some(holds)) => format!("{area} ({holds})"),
            (Some(area), None) => area.to_owned(),
            (None, _) if what.is_empty() => super::UNNAMED.to_owned(),
            (None, _) => what.to_owned(),
        };
        let mut columns = columns.rsplit(':').map(str::trim);
        let column = columns.nth(1).unwrap_or_default().to_lowercase();
        let allocator = word("using allocator ").map(str::to_owned);
        Self {
            name,
            allocator,
            column,
            constant: title.contains("read-only") || title.contains("(Permanent_"),
        }
    }
}

/// The name, or with a number where it was there before.
fn unique(name: String, names: &mut HashSet<String>) -> String {
    let name = if names.contains(&name) { format!("{name} {}", names.len() + 1) } else { name };
    names.insert(name.clone());
    name
}

fn row(line: u64, text: &str, heading: &Heading) -> Faulty<Block> {
    let mut scan = Scan::new(line, text);
    let alive_from = scan.number("Start Time")?;
    scan.need("-")?;
    let last = scan.number("End Time")?;
    scan.need(":")?;
    let offset = scan.hexadecimal("Start Addr")?;
    scan.need("-")?;
    let end = scan.hexadecimal("End Addr")?;
    scan.need(":")?;
    let size = scan.number("Tensor Size")?;
    scan.need(":")?;
    scan.number("Memory Usage")?;
    scan.need(":")?;
    let Some((purpose, name)) = scan.rest().split_once(':') else {
        return at(line, ReadFault::expected("purpose and name", scan.rest()));
    };
    let bytes = between(offset, end).or_else(|fault| at_field(line, "End Addr", fault))?;
    if bytes != size {
        let (one, other) = (format!("the addresses hold {bytes} bytes"), format!("the size is {size}"));
        return at_field(line, "Tensor Size", ReadFault::Disagree { one, other });
    }
    let (purpose, name) = (purpose.trim(), name.trim());
    let alive_till = after(last, line, "End Time")?;
    let kind = if heading.constant { Some(Kind::Constant) } else { kind(purpose) };
    let mut block = Block { offset, size, alive_from, alive_till, kind, ..Block::default() };
    block.name = (!name.is_empty()).then(|| name.to_owned());
    block.extra.insert(heading.column.clone(), Value::String(purpose.to_owned()));
    Ok(block)
}

/// What a purpose of Vela's means to us.
fn kind(purpose: &str) -> Option<Kind> {
    match purpose {
        "FeatureMap" => Some(Kind::Activation),
        "Weights" | "Bias" | "FSBias" | "LUT" => Some(Kind::Constant),
        "Scratch" | "ScratchFast" => Some(Kind::Scratch),
        _ => None,
    }
}

/// Gives a space to tensors of one address and size that are alive at the same time.
fn share(segment: &mut Segment) {
    let key = |b: &Block| (b.offset, b.size, b.alive_from);
    let mut order: Vec<usize> = (0..segment.blocks.len()).collect();
    order.sort_by_key(|&at| segment.blocks.get(at).map(key));
    let mut spaces: Vec<(Space, Vec<usize>)> = Vec::new();
    for at in order {
        let Some(block) = segment.blocks.get(at) else { continue };
        match spaces.last_mut() {
            Some((space, members))
                if (space.offset, space.size) == (block.offset, block.size)
                    && block.alive_from < space.alive_till =>
            {
                space.alive_till = space.alive_till.max(block.alive_till);
                members.push(at);
            }
            _ => {
                let &Block { offset, size, alive_from, alive_till, .. } = block;
                let space = Space {
                    id: 0,
                    offset,
                    size,
                    alive_from,
                    alive_till,
                    reason: SpaceReason::Shared,
                    open: false,
                };
                spaces.push((space, vec![at]));
            }
        }
    }
    for (mut space, members) in spaces.into_iter().filter(|(_, members)| members.len() > 1) {
        let Ok(id) = u32::try_from(segment.spaces.len()) else { return };
        space.id = id;
        segment.spaces.push(space);
        for at in members {
            if let Some(block) = segment.blocks.get_mut(at) {
                block.space = Some(id);
            }
        }
    }
}
