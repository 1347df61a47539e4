//! ONE's `*.tracealloc.json`, which its viewer Mondrian draws.
//!
//! Addresses are bytes, lifetimes ticks of a kind that the file does not tell. The viewer draws `alive_till` exclusive;
//! circle-execution-plan writes it inclusive, see [`ReadOptions::inclusive_till`]. A segment is named by `name`, in the
//! viewer's documentation by `title`. What the form does not know is kept.

use serde_json::value::RawValue;

use super::builder::Builder;
use super::error::{Faulty, ReadFault, at, at_field};
use super::json::{Shape, Sink, walk};
use super::object::{Object, string, whole};
use super::strict::strict;
use super::{Document, Form, ReadOptions};
use crate::finding::{Code, Severity};
use crate::form::{Block, Segment, TickUnit};
use crate::place::Place;

const SHAPE: Shape = Shape { segments: "segments", blocks: "allocations" };

/// The version of the form.
pub(super) const VERSION: u32 = 1;

/// The only segment that circle-execution-plan writes.
const ITS_SEGMENT: &str = "Segment1";

pub(super) fn read(text: &str, options: &ReadOptions<'_>) -> Faulty<Document> {
    let mut sink = Tracealloc {
        builder: Builder::new(options, TickUnit::Unknown),
        version: false,
        name: None,
        title: None,
        instant: None,
    };
    walk(text, SHAPE, &mut sink)?;
    if !sink.version {
        return at(0, ReadFault::Missing("\"schema_version\"".to_owned()));
    }
    sink.hint();
    Ok(sink.builder.finish(Form::Tracealloc))
}

/// Checks the version of a form of which there is only one.
pub(super) fn only_version(value: &RawValue, line: u64) -> Faulty<()> {
    let key = "schema_version";
    let found = whole(value, line, key)?;
    if found == u64::from(VERSION) {
        return Ok(());
    }
    at_field(line, key, ReadFault::Version { found: found.to_string(), known: vec![VERSION] })
}

struct Tracealloc<'o> {
    builder: Builder<'o>,
    version: bool,
    name: Option<String>,
    title: Option<String>,
    /// The first block that would be alive at no tick, by segment, block and line.
    instant: Option<(usize, usize, u64)>,
}

impl Tracealloc<'_> {
    /// Says what speaks for inclusive ends where they were read as exclusive.
    fn hint(&mut self) {
        if self.builder.options.inclusive_till {
            return;
        }
        let memory = &self.builder.memory;
        if let Some((segment, block, line)) = self.instant {
            let place = Place::block(memory, segment, block).with("alive_till");
            let text = "alive at no tick: the ends of this file may be the last ticks of lifetimes, as \
                        circle-execution-plan writes them, and it should then be read with inclusive ends";
            self.builder.note(Severity::Warning, Code::Reading, place, line, text.to_owned());
        } else if let [only] = memory.segments.as_slice()
            && only.name == ITS_SEGMENT
            && only.size.is_none()
        {
            let text = "one segment of that name and without a size is what circle-execution-plan writes, whose ends \
                        are the last ticks of lifetimes; they are read as exclusive unless inclusive ends are asked for";
            let place = Place::segment(memory, 0);
            self.builder.note(Severity::Note, Code::Reading, place, 0, text.to_owned());
        }
    }
}

impl<'a> Sink<'a> for Tracealloc<'_> {
    fn top(&mut self, key: &str, value: &'a RawValue, line: u64) -> Faulty<()> {
        if key == "schema_version" {
            self.version = true;
            return only_version(value, line);
        }
        self.builder.memory.extra.insert(key.to_owned(), strict(value, line, key)?);
        Ok(())
    }

    fn open(&mut self, line: u64) -> Faulty<()> {
        (self.name, self.title) = (None, None);
        self.builder.open(Segment::default(), line);
        Ok(())
    }

    fn field(&mut self, key: &str, value: &'a RawValue, line: u64) -> Faulty<()> {
        if matches!(key, "name" | "size") {
            self.builder.member(false, key, value, line);
        }
        let Some(segment) = self.builder.memory.segments.last_mut() else { return Ok(()) };
        match key {
            "name" => {
                segment.name = string(value, line, key)?.into_owned();
                self.name = Some(segment.name.clone());
            }
            "size" if value.get() != "null" => segment.size = Some(whole(value, line, key)?),
            _ => {
                if key == "title" && value.get().starts_with('"') {
                    self.title = Some(string(value, line, key)?.into_owned());
                }
                segment.extra.insert(key.to_owned(), strict(value, line, key)?);
            }
        }
        Ok(())
    }

    fn block(&mut self, value: &'a RawValue, line: u64) -> Faulty<()> {
        let mut object = Object::new(value, line)?;
        let offset = object.number("offset")?;
        let size = object.number("size")?;
        let alive_from = object.number("alive_from")?;
        let till = object.number("alive_till")?;
        let origin = object.text("origin")?;
        let mut block = Block {
            offset,
            size,
            alive_from,
            alive_till: self.builder.till(till, line)?,
            origins: origin.map(|name| self.builder.origin(&name)).into_iter().collect(),
            extra: object.rest()?,
            ..Block::default()
        };
        let segment = self.builder.last();
        let index = self.builder.memory.segments.last().map_or(0, |s| s.blocks.len());
        if block.alive_from == till && size > 0 && self.instant.is_none() {
            self.instant = Some((segment, index, line));
        }
        self.builder.identify(&mut block);
        self.builder.push(segment, block, line);
        Ok(())
    }

    fn close(&mut self, blocks: bool, line: u64) -> Faulty<()> {
        if !blocks {
            return at(line, ReadFault::Missing("\"allocations\"".to_owned()));
        }
        let Some(segment) = self.builder.memory.segments.last_mut() else { return Ok(()) };
        match (self.name.take(), self.title.take()) {
            (None, None) => return at(line, ReadFault::Missing("\"name\"".to_owned())),
            // The title stays among what is kept, so that it is written again as it was.
            (None, Some(title)) => segment.name = title,
            _ => {}
        }
        Ok(())
    }

    fn segment_name(&self) -> Option<&str> {
        self.name.as_deref().or(self.title.as_deref())
    }

    fn block_name(&self, value: &'a RawValue) -> Option<String> {
        Some(Object::lenient(value, 0).ok()?.text("origin").ok()??.into_owned())
    }
}
