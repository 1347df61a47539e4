//! Eclipse Aidge's `memory_info.txt`:
//!
//! ```text
//! layer_0_Sub:
//!   0 790532 (0x000C1004U) -> 1184256 (0x00121200U) + 789504 (0x000C0C00U) -> 790532 (0x000C1004U) [394752] @ 6 to 11
//! ```
//!
//! A node, then its planes: number, first byte and end of the piece, the same of the piece behind the wrap-around if there is
//! one, bytes of both, the tick of allocation, the last tick; behind it the memory, `[MEM_k] @ tick`, where there are several.
//! An older variant has no colon behind the node. Ticks are positions in the order of nodes. The last tick is inclusive and
//! that of the *space* in which the plane lies; a plane without one is needed to the end of the plan, and longer.
//!
//! Planes of one space overlap on purpose, and the file does not say which do. But they have their last tick in common, at
//! which all of them are alive; so two planes of one memory that end together and share an address must be of one space, and
//! these are the spaces that are entered.

mod spaces;

use std::collections::BTreeMap;

use super::builder::{Builder, after, between};
use super::detect::contains;
use super::error::{Faulty, ReadFault, at, at_field};
use super::scan::Scan;
use super::text::numbered;
use super::{Document, Form, ReadOptions, UNNAMED};
use crate::form::{Block, OperatorRef, Piece, Producer, Segment, TickUnit};

/// Whether a line is a plane.
pub(super) fn is_line(line: &[u8]) -> bool {
    line.first().is_some_and(u8::is_ascii_whitespace) && contains(line, b" (0x") && contains(line, b"U) -> ")
}

/// A plane, and what is known of it before all are read.
struct Plane<'a> {
    line: u64,
    node: &'a str,
    number: u64,
    first: Piece,
    wrap: Option<Piece>,
    size: u64,
    allocated: u64,
    /// The tick after the last one.
    end: Option<u64>,
    memory: Option<u64>,
}

pub(super) fn read(text: &str, options: &ReadOptions<'_>) -> Faulty<Document> {
    let mut planes: Vec<Plane<'_>> = Vec::new();
    let mut node = "";
    for (line, text) in numbered(text) {
        if text.starts_with(|c: char| c.is_ascii_whitespace()) && !text.trim().is_empty() {
            planes.push(Plane::parse(line, node, text)?);
        } else if !text.trim().is_empty() {
            node = text.trim_end().strip_suffix(':').unwrap_or(text.trim_end());
        }
    }
    // The end of the plan, to which planes live that have no end of their own.
    let mut end = 0;
    for plane in &planes {
        end = end.max(plane.end.unwrap_or(0)).max(after(plane.allocated, plane.line, "allocated")?);
    }

    let mut builder = Builder::new(options, TickUnit::Operator);
    let name = Some("Eclipse Aidge".to_owned());
    builder.memory.producer = Some(Producer { name, ..Producer::default() });
    let mut segments: BTreeMap<Option<u64>, usize> = BTreeMap::new();
    let mut several = BTreeMap::new();
    for plane in &planes {
        *several.entry(plane.node).or_insert(0u64) += u64::from(plane.number > 0);
    }
    let mut all: Vec<(Vec<(Block, u64)>, u64)> = Vec::new();
    for plane in planes {
        let segment = *segments.entry(plane.memory).or_insert_with(|| {
            all.push((Vec::new(), plane.line));
            all.len() - 1
        });
        let more = several.get(plane.node).is_some_and(|count| *count > 0);
        let (line, node) = (plane.line, plane.node);
        let mut block = plane.block(end, more);
        if !node.is_empty() {
            block.origins = vec![builder.origin(node)];
        }
        if let Some((blocks, _)) = all.get_mut(segment) {
            blocks.push((block, line));
        }
    }
    let names: BTreeMap<usize, Option<u64>> = segments.into_iter().map(|(memory, at)| (at, memory)).collect();
    for (at, (mut blocks, line)) in all.into_iter().enumerate() {
        let memory = names.get(&at).copied().flatten();
        let name = memory.map_or_else(|| UNNAMED.to_owned(), |number| format!("MEM_{number}"));
        let spaces = spaces::infer(&mut blocks);
        builder.open(Segment { name, spaces, ..Segment::default() }, line);
        for (block, line) in blocks {
            builder.push(at, block, line);
        }
    }
    Ok(builder.finish(Form::Aidge))
}

impl<'a> Plane<'a> {
    fn parse(line: u64, node: &'a str, text: &str) -> Faulty<Self> {
        let mut scan = Scan::new(line, text);
        let number = scan.number("plane")?;
        let first = piece(line, &mut scan)?;
        let wrap = if scan.eat("+") { Some(piece(line, &mut scan)?) } else { None };
        scan.need("[")?;
        let size = scan.number("size")?;
        scan.need("]")?;
        scan.need("@")?;
        let allocated = scan.number("allocated")?;
        let last = if scan.eat("to ") { Some(scan.number("released")?) } else { None };
        let memory = if scan.eat("[MEM_") {
            let memory = scan.number("memory")?;
            scan.need("]")?;
            scan.need("@")?;
            scan.number("allocated")?;
            Some(memory)
        } else {
            None
        };
        scan.end()?;
        let both = first.size.checked_add(wrap.map_or(0, |piece| piece.size));
        if both != Some(size) {
            let bytes = both.map_or_else(|| format!("more than {}", u64::MAX), |bytes| bytes.to_string());
            let (one, other) = (format!("the addresses hold {bytes} bytes"), format!("the size is {size}"));
            return at_field(line, "size", ReadFault::Disagree { one, other });
        }
        let end = last.map(|last| after(last, line, "released")).transpose()?;
        Ok(Self { line, node, number, first, wrap, size, allocated, end, memory })
    }

    /// The block, with the end of the plan and whether its node has several planes.
    fn block(self, end: u64, more: bool) -> Block {
        let name = more.then(|| format!("{} plane {}", self.node, self.number));
        let written_by = OperatorRef { name: Some(self.node.to_owned()), ..OperatorRef::default() };
        Block {
            name,
            offset: self.first.offset,
            size: self.size,
            alive_from: self.allocated,
            alive_till: self.end.unwrap_or(end),
            stays: self.end.is_none(),
            wrap: self.wrap,
            written_by: (!self.node.is_empty()).then_some(written_by),
            ..Block::default()
        }
    }
}

/// `OFFSET (0x..U) -> END (0x..U)`.
fn piece(line: u64, scan: &mut Scan<'_>) -> Faulty<Piece> {
    let offset = address(line, scan)?;
    scan.need("->")?;
    let end = address(line, scan)?;
    let size = between(offset, end).or_else(|fault| at(line, fault))?;
    Ok(Piece { offset, size })
}

/// An address in decimal and hexadecimal digits.
fn address(line: u64, scan: &mut Scan<'_>) -> Faulty<u64> {
    let address = scan.number("address")?;
    scan.need("(")?;
    let again = scan.hexadecimal("hexadecimal address")?;
    scan.need("U)")?;
    if address != again {
        let (one, other) = (format!("the address is {address}"), format!("{again:#x} is {again}"));
        return at_field(line, "address", ReadFault::Disagree { one, other });
    }
    Ok(address)
}
