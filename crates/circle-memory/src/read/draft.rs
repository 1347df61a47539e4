//! The JSON that was drafted for ONE's backends, version 1.
//!
//! Addresses are bytes from `front_addr` to `back_addr`, which is exclusive; ticks are cycles, `alive_till` exclusive;
//! `codegen_ts` counts seconds since 1970. What the form does not know is kept.

use serde_json::value::RawValue;

use super::builder::{Builder, between};
use super::error::{Faulty, ReadFault, at, at_field};
use super::json::{Shape, Sink, walk};
use super::object::{Object, parse, string};
use super::strict::strict;
use super::tracealloc::only_version;
use super::{Document, Form, ReadOptions};
use crate::form::{Block, ModelFile, Producer, Segment, TickUnit};

const SHAPE: Shape = Shape { segments: "memory_segments", blocks: "memory_allocations" };

pub(super) fn read(text: &str, options: &ReadOptions<'_>) -> Faulty<Document> {
    let mut sink = Draft { builder: Builder::new(options, TickUnit::Cycle), version: false, named: false };
    walk(text, SHAPE, &mut sink)?;
    if !sink.version {
        return at(0, ReadFault::Missing("\"schema_version\"".to_owned()));
    }
    Ok(sink.builder.finish(Form::DraftV1))
}

struct Draft<'o> {
    builder: Builder<'o>,
    version: bool,
    named: bool,
}

impl<'a> Sink<'a> for Draft<'_> {
    fn top(&mut self, key: &str, value: &'a RawValue, line: u64) -> Faulty<()> {
        let memory = &mut self.builder.memory;
        match key {
            "schema_version" => {
                self.version = true;
                return only_version(value, line);
            }
            "model_name" if value.get() != "null" => {
                let name = Some(string(value, line, key)?.into_owned());
                memory.model = Some(ModelFile { name, ..ModelFile::default() });
            }
            "codegen_ts" if value.get() != "null" => {
                let created: i64 = parse(value, line, key).or_else(|_| {
                    let text = crate::place::shortened(value.get());
                    at_field(
                        line,
                        key,
                        ReadFault::Number { text, least: i64::MIN, most: i64::MAX.unsigned_abs() },
                    )
                })?;
                memory.producer = Some(Producer { created: Some(created), ..Producer::default() });
            }
            _ => {
                memory.extra.insert(key.to_owned(), strict(value, line, key)?);
            }
        }
        Ok(())
    }

    fn open(&mut self, line: u64) -> Faulty<()> {
        self.named = false;
        self.builder.open(Segment::default(), line);
        Ok(())
    }

    fn field(&mut self, key: &str, value: &'a RawValue, line: u64) -> Faulty<()> {
        let Some(segment) = self.builder.memory.segments.last_mut() else { return Ok(()) };
        if key == "segment" {
            self.named = true;
            segment.name = string(value, line, key)?.into_owned();
        } else {
            segment.extra.insert(key.to_owned(), strict(value, line, key)?);
        }
        Ok(())
    }

    fn block(&mut self, value: &'a RawValue, line: u64) -> Faulty<()> {
        let mut object = Object::new(value, line)?;
        let front = object.number("front_addr")?;
        let back = object.number("back_addr")?;
        let alive_from = object.number("alive_from")?;
        let till = object.number("alive_till")?;
        let origin = object.text("origin")?;
        let mut block = Block {
            offset: front,
            size: between(front, back).or_else(|fault| at_field(line, "back_addr", fault))?,
            alive_from,
            alive_till: self.builder.till(till, line)?,
            origins: origin.map(|name| self.builder.origin(&name)).into_iter().collect(),
            extra: object.rest()?,
            ..Block::default()
        };
        let segment = self.builder.last();
        self.builder.identify(&mut block);
        self.builder.push(segment, block, line);
        Ok(())
    }

    fn close(&mut self, blocks: bool, line: u64) -> Faulty<()> {
        let missing = |what: &str| at(line, ReadFault::Missing(format!("{what:?}")));
        match (self.named, blocks) {
            (false, _) => missing("segment"),
            (_, false) => missing(SHAPE.blocks),
            _ => Ok(()),
        }
    }

    fn segment_name(&self) -> Option<&str> {
        self.builder.memory.segments.last().map(|segment| segment.name.as_str()).filter(|_| self.named)
    }

    fn block_name(&self, value: &'a RawValue) -> Option<String> {
        Some(Object::lenient(value, 0).ok()?.text("origin").ok()??.into_owned())
    }
}
