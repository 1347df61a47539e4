//! Allocations as CSV, one a row.
//!
//! The heading names the columns of either JSON form, in any order: `front_addr` and `back_addr` with cycles, or `offset`
//! and `size` with ticks of an unknown kind; `alive_from`, `alive_till`; and, where they are wanted, `segment` and `origin`.
//! Further columns are kept as texts; an empty cell is as good as none.

use std::collections::HashMap;

use serde_json::Value;

use super::builder::{Builder, between};
use super::error::{Faulty, ReadFault, at, at_field};
use super::table::{Row, Table};
use super::{Document, Form, ReadOptions, UNNAMED};
use crate::form::{Block, Segment, TickUnit};

pub(crate) const KNOWN: [&str; 8] =
    ["segment", "front_addr", "back_addr", "offset", "size", "alive_from", "alive_till", "origin"];

pub(super) fn read(text: &str, options: &ReadOptions<'_>) -> Faulty<Document> {
    let mut table = Table::new(text)?;
    let addresses = Addresses::new(&table)?;
    let unit = if matches!(addresses, Addresses::Ends(..)) { TickUnit::Cycle } else { TickUnit::Unknown };
    let (from, till) = (table.need("alive_from")?, table.need("alive_till")?);
    let (segment, origin) = (table.find("segment"), table.find("origin"));
    let further: Vec<(usize, String)> = table
        .columns()
        .iter()
        .cloned()
        .enumerate()
        .filter(|(_, name)| !KNOWN.contains(&name.as_str()))
        .collect();
    let mut builder = Builder::new(options, unit);
    let mut segments: HashMap<String, usize> = HashMap::new();
    let mut row = Row::default();
    while table.next_row(&mut row)? {
        let name = segment.map_or(UNNAMED, |column| row.cell(column));
        let at = match segments.get(name) {
            Some(at) => *at,
            None => {
                builder.open(Segment { name: name.to_owned(), ..Segment::default() }, row.line);
                segments.insert(name.to_owned(), builder.last());
                builder.last()
            }
        };
        let (offset, size) = addresses.of(&row)?;
        let mut block =
            Block { offset, size, alive_from: row.number(from, "alive_from")?, ..Block::default() };
        block.alive_till = builder.till(row.number(till, "alive_till")?, row.line)?;
        block.origins.extend(row.filled(origin).map(|name| builder.origin(name)));
        for (column, name) in &further {
            if let Some(cell) = row.filled(Some(*column)) {
                block.extra.insert(name.clone(), Value::String(cell.to_owned()));
            }
        }
        builder.identify(&mut block);
        builder.push(at, block, row.line);
    }
    if builder.memory.segments.is_empty() {
        builder.open(Segment { name: UNNAMED.to_owned(), ..Segment::default() }, table.last_line());
    }
    // Rows of several segments may take turns; origins are numbered as if they did not.
    builder.number_origins();
    Ok(builder.finish(Form::BackendCsv))
}

/// The columns that say where a block lies.
enum Addresses {
    /// First byte, and the first one behind.
    Ends(usize, usize),
    /// First byte, and number of bytes.
    Sized(usize, usize),
}

impl Addresses {
    fn new(table: &Table<'_>) -> Faulty<Self> {
        let has = |name| table.find(name).is_some();
        if (has("front_addr") || has("back_addr")) && (has("offset") || has("size")) {
            let text = "columns of both forms: front_addr, back_addr and offset, size".to_owned();
            return at(1, ReadFault::Csv(text));
        }
        // A name in another case is told as such.
        let meant = |name| table.alike(name).is_some();
        if has("offset") || has("size") || !has("front_addr") && !has("back_addr") && meant("offset") {
            Ok(Self::Sized(table.need("offset")?, table.need("size")?))
        } else {
            Ok(Self::Ends(table.need("front_addr")?, table.need("back_addr")?))
        }
    }

    /// First byte and number of bytes.
    fn of(&self, row: &Row) -> Faulty<(u64, u64)> {
        match *self {
            Self::Sized(offset, size) => Ok((row.number(offset, "offset")?, row.number(size, "size")?)),
            Self::Ends(front, back) => {
                let (front, back) = (row.number(front, "front_addr")?, row.number(back, "back_addr")?);
                let size = between(front, back).or_else(|fault| at_field(row.line, "back_addr", fault))?;
                Ok((front, size))
            }
        }
    }
}
