//! Our own form. What it does not know is refused by name: data of others belongs into `extra`.

use serde_json::value::RawValue;

use super::builder::Builder;
use super::detect::members;
use super::error::{Faulty, ReadFault, at, at_field};
use super::json::{Shape, Sink, walk};
use super::object::{Object, parse, string, whole};
use super::strict::strict_map;
use super::{Document, Form, ReadOptions, records};
use crate::form::{Block, FORMAT, Segment, TickUnit, VERSIONS};

const SHAPE: Shape = Shape { segments: "segments", blocks: "blocks" };

const TOP: &[&str] =
    &["format", "schema_version", "producer", "model", "tick", "files", "origins", "segments", "extra"];
const SEGMENT: &[&str] = &["name", "size", "alignment", "tick", "spaces", "blocks", "extra"];
const BLOCK: &[&str] = &[
    "id",
    "name",
    "offset",
    "size",
    "alive_from",
    "alive_till",
    "stays",
    "kind",
    "wrap",
    "space",
    "tensor",
    "written_by",
    "read_by",
    "origins",
    "extra",
];

pub(super) fn read(text: &str, options: &ReadOptions<'_>) -> Faulty<Document> {
    // A later version may have what this one does not know: it is told apart before anything else is judged.
    version(text)?;
    let mut own = Own {
        builder: Builder::new(options, TickUnit::Unknown),
        format: false,
        version: false,
        named: false,
    };
    walk(text, SHAPE, &mut own)?;
    for (key, there) in [("format", own.format), ("schema_version", own.version)] {
        if !there {
            return at(0, ReadFault::Missing(format!("{key:?}")));
        }
    }
    Ok(own.builder.finish(Form::Own))
}

fn version(text: &str) -> Faulty<()> {
    let Some((_, value)) = members(text.as_bytes()).find(|(key, _)| key == b"schema_version") else {
        return Ok(());
    };
    let end = value.iter().position(|b| !b.is_ascii_digit()).unwrap_or(value.len());
    let digits = value.get(..end).and_then(|digits| std::str::from_utf8(digits).ok()).unwrap_or_default();
    let known = |digits: &str| VERSIONS.iter().any(|version| version.to_string() == digits);
    if digits.is_empty() || known(digits) {
        return Ok(());
    }
    let before = text.len().saturating_sub(value.len());
    let line = super::text::count(text.as_bytes().get(..before).unwrap_or_default()) + 1;
    let found = crate::place::shortened(digits);
    at_field(line, "schema_version", ReadFault::Version { found, known: VERSIONS.to_vec() })
}

struct Own<'o> {
    builder: Builder<'o>,
    format: bool,
    version: bool,
    /// Whether the segment has a name.
    named: bool,
}

impl<'a> Sink<'a> for Own<'_> {
    fn top(&mut self, key: &str, value: &'a RawValue, line: u64) -> Faulty<()> {
        self.builder.member(true, key, value, line);
        let memory = &mut self.builder.memory;
        match key {
            "format" => {
                self.format = true;
                if string(value, line, key)? != FORMAT {
                    return at_field(line, key, ReadFault::expected("\"memory-allocation\"", value.get()));
                }
            }
            "schema_version" => {
                self.version = true;
                let found = whole(value, line, key)?;
                if !VERSIONS.iter().any(|version| u64::from(*version) == found) {
                    let fault = ReadFault::Version { found: found.to_string(), known: VERSIONS.to_vec() };
                    return at_field(line, key, fault);
                }
            }
            "producer" => memory.producer = parse(value, line, key)?,
            "model" => memory.model = parse(value, line, key)?,
            "tick" => memory.tick = parse(value, line, key)?,
            "files" => memory.files = parse(value, line, key)?,
            "origins" => memory.origins = parse(value, line, key)?,
            "extra" => memory.extra = strict_map(value, line, key)?,
            _ => return at_field(line, key, ReadFault::unknown(key, TOP)),
        }
        Ok(())
    }

    fn open(&mut self, line: u64) -> Faulty<()> {
        self.named = false;
        self.builder.open(Segment::default(), line);
        Ok(())
    }

    fn field(&mut self, key: &str, value: &'a RawValue, line: u64) -> Faulty<()> {
        self.builder.member(false, key, value, line);
        let Some(segment) = self.builder.memory.segments.last_mut() else { return Ok(()) };
        match key {
            "name" => {
                self.named = true;
                segment.name = string(value, line, key)?.into_owned();
            }
            "size" | "alignment" => {
                let number = if value.get() == "null" { None } else { Some(whole(value, line, key)?) };
                *(if key == "size" { &mut segment.size } else { &mut segment.alignment }) = number;
            }
            "tick" => segment.tick = parse(value, line, key)?,
            "spaces" => segment.spaces = parse(value, line, key)?,
            "extra" => segment.extra = strict_map(value, line, key)?,
            _ => return at_field(line, key, ReadFault::unknown(key, SEGMENT)),
        }
        Ok(())
    }

    fn block(&mut self, value: &'a RawValue, line: u64) -> Faulty<()> {
        // The derived reader is fast, but does not say where exactly it failed, and forgets and rounds in `extra`.
        let block = match records::from_str::<Block>(value.get()) {
            Ok(block) if block.extra.is_empty() => block,
            _ => with_care(value, line)?,
        };
        let segment = self.builder.last();
        self.builder.push(segment, block, line);
        Ok(())
    }

    fn close(&mut self, blocks: bool, line: u64) -> Faulty<()> {
        let missing = |what: &str| at(line, ReadFault::Missing(format!("{what:?}")));
        match (self.named, blocks) {
            (false, _) => missing("name"),
            (_, false) => missing("blocks"),
            _ => Ok(()),
        }
    }

    fn segment_name(&self) -> Option<&str> {
        self.builder.memory.segments.last().map(|segment| segment.name.as_str())
    }

    fn block_name(&self, value: &'a RawValue) -> Option<String> {
        let mut object = Object::lenient(value, 0).ok()?;
        let name = object.text("name").ok()?.or(object.text("id").ok()?)?;
        Some(name.into_owned())
    }
}

/// Reads a block member by member, so that a fault is known by its member and its line.
fn with_care(value: &RawValue, line: u64) -> Faulty<Block> {
    let mut object = Object::new(value, line)?;
    let block = Block {
        id: object.text("id")?.map(Into::into),
        name: object.text("name")?.map(Into::into),
        offset: object.number("offset")?,
        size: object.number("size")?,
        alive_from: object.number("alive_from")?,
        alive_till: object.number("alive_till")?,
        stays: object.value("stays")?,
        kind: object.value("kind")?,
        wrap: object.value("wrap")?,
        space: object.value("space")?,
        tensor: object.value("tensor")?,
        written_by: object.value("written_by")?,
        read_by: object.value("read_by")?,
        origins: object.value("origins")?,
        extra: object.map("extra")?,
    };
    object.end(BLOCK)?;
    Ok(block)
}
