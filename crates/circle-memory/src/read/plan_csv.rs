//! Planning problems and their solutions: `id,lower,upper,size[,offset][,alignment]`, with the columns in any order, and
//! beside them, if given, names `id,name`.
//!
//! `upper` is exclusive, sizes and offsets are bytes. A problem has no offsets: its blocks are read at address 0, and its
//! segment says so in `extra` ([`UNPLANNED`]).

use std::collections::HashMap;

use serde_json::Value;

use super::builder::Builder;
use super::error::{Fault, Faulty, ReadFault, at, at_field};
use super::table::{Row, Table};
use super::text::text as utf8;
use super::{Document, Form, ReadOptions, UNNAMED};
use crate::UNPLANNED;
use crate::finding::{Code, Severity};
use crate::form::{Block, Segment, TickUnit};
use crate::place::Place;

const KNOWN: &[&str] = &["id", "lower", "upper", "size", "offset", "alignment"];

/// Key under which a block keeps an alignment that is not that of all.
pub(crate) const ALIGNMENT: &str = "alignment";

pub(super) fn read(text: &str, options: &ReadOptions<'_>) -> Faulty<Document> {
    let mut table = Table::new(text)?;
    for column in table.columns() {
        if !KNOWN.contains(&column.as_str()) {
            return at_field(1, column, ReadFault::unknown(column, KNOWN));
        }
    }
    let [id, lower, upper, size] =
        [table.need("id")?, table.need("lower")?, table.need("upper")?, table.need("size")?];
    let (offset, alignment) = (table.find("offset"), table.find(ALIGNMENT));
    let mut names = options.names.map(read_names).transpose().map_err(in_names)?;
    let mut builder = Builder::new(options, TickUnit::Unknown);
    builder.open(Segment { name: UNNAMED.to_owned(), ..Segment::default() }, 1);
    let mut aligned = Alignments::default();
    // Lines of the first row with, and of the first row without an offset.
    let mut rows: [Option<u64>; 2] = [None, None];
    let mut row = Row::default();
    while table.next_row(&mut row)? {
        let planned = row.filled(offset).is_some();
        if let Some(first) = rows.get_mut(usize::from(!planned)) {
            first.get_or_insert(row.line);
        }
        let name = names.as_mut().and_then(|names| names.get_mut(row.cell(id)));
        let mut block = Block {
            id: Some(row.cell(id).to_owned()),
            name: name.map(|(name, used)| {
                *used = true;
                name.clone()
            }),
            offset: offset.filter(|_| planned).map_or(Ok(0), |column| row.number(column, "offset"))?,
            size: row.number(size, "size")?,
            alive_from: row.number(lower, "lower")?,
            alive_till: row.number(upper, "upper")?,
            ..Block::default()
        };
        let given = row.filled(alignment).is_some();
        let bytes = alignment.filter(|_| given).map(|column| row.number(column, ALIGNMENT)).transpose()?;
        aligned.see(bytes);
        block.extra.extend(bytes.map(|bytes| (ALIGNMENT.to_owned(), Value::from(bytes))));
        builder.push(0, block, row.line);
    }
    if let [Some(with), Some(without)] = rows {
        return at(without, ReadFault::Sequence(format!("no offset, but the block of line {with} has one")));
    }
    if let Some(segment) = builder.memory.segments.first_mut() {
        aligned.settle(segment);
        // Without any row, the column tells.
        if rows[0].is_none() && (rows[1].is_some() || offset.is_none()) {
            segment.extra.insert(UNPLANNED.to_owned(), Value::Bool(true));
        }
    }
    if let Some(unused) =
        names.map(|names| names.values().filter(|(_, used)| !used).count()).filter(|n| *n > 0)
    {
        let text = format!("names of no block of the problem: {unused}");
        builder.note(Severity::Warning, Code::Reference, Place::default(), 0, text);
    }
    Ok(builder.finish(Form::PlanCsv))
}

/// Alignments of the blocks, which are usually one.
#[derive(Debug, Default)]
struct Alignments {
    first: Option<Option<u64>>,
    differ: bool,
}

impl Alignments {
    fn see(&mut self, bytes: Option<u64>) {
        self.differ |= *self.first.get_or_insert(bytes) != bytes;
    }

    /// Moves an alignment that all blocks have to their segment.
    fn settle(&self, segment: &mut Segment) {
        if !self.differ
            && let Some(Some(bytes)) = self.first
        {
            segment.alignment = Some(bytes);
            segment.blocks.iter_mut().for_each(|block| drop(block.extra.shift_remove(ALIGNMENT)));
        }
    }
}

/// The fault is not one of the problem's own lines.
fn in_names(mut fault: Box<Fault>) -> Box<Fault> {
    let line = std::mem::take(&mut fault.line);
    fault.place = Place::field(format!("line {line} of the names"));
    fault
}

/// Names by id, each with whether a block has it.
fn read_names(bytes: &[u8]) -> Faulty<HashMap<String, (String, bool)>> {
    let mut table = Table::new(utf8(bytes)?)?;
    let (id, name) = (table.need("id")?, table.need("name")?);
    let mut names = HashMap::new();
    let mut row = Row::default();
    while table.next_row(&mut row)? {
        let twice = names.insert(row.cell(id).to_owned(), (row.cell(name).to_owned(), false)).is_some();
        if twice {
            return at_field(row.line, "id", ReadFault::twice(row.cell(id)));
        }
    }
    Ok(names)
}
