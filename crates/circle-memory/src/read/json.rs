//! The shape that all JSON forms share: an object with a list of segments, each an object with a list of blocks.
//!
//! The text is walked once and blocks are handed on one by one, so that nothing is held but what is kept. Values are handed
//! on as slices of the text, by which their lines are known.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::error::{Fault, Faulty, ReadFault, at};
use super::text::Lines;
use crate::place::{Named, Place, printable};

/// Keys of the lists.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    pub(super) segments: &'static str,
    pub(super) blocks: &'static str,
}

/// Who takes what is found. Lines are those on which the values begin.
pub(super) trait Sink<'a> {
    /// A member of the file.
    fn top(&mut self, key: &str, value: &'a RawValue, line: u64) -> Faulty<()>;
    /// The beginning of a segment.
    fn open(&mut self, line: u64) -> Faulty<()>;
    /// A member of the segment.
    fn field(&mut self, key: &str, value: &'a RawValue, line: u64) -> Faulty<()>;
    /// A block of the segment.
    fn block(&mut self, value: &'a RawValue, line: u64) -> Faulty<()>;
    /// The end of the segment, and whether it had a list of blocks.
    fn close(&mut self, blocks: bool, line: u64) -> Faulty<()>;
    /// Name of the segment, as far as it is known.
    fn segment_name(&self) -> Option<&str>;
    /// Name of a block, for errors about it.
    fn block_name(&self, value: &'a RawValue) -> Option<String>;
}

/// Walks over a text.
///
/// # Errors
/// What the sink says, with its place; JSON that is none; a second list; no list of segments.
pub(super) fn walk<'a>(text: &'a str, shape: Shape, sink: &mut dyn Sink<'a>) -> Faulty<()> {
    let mut walk = Walk { shape, sink, lines: Lines::new(text), fault: None, segment: None, block: None };
    let mut json = serde_json::Deserializer::from_str(text);
    let read = json.deserialize_map(Top(&mut walk)).and_then(|found| json.end().map(|()| found));
    match (read, walk.fault.take()) {
        (_, Some(fault)) => Err(fault),
        (Ok(true), None) => Ok(()),
        (Ok(false), None) => at(0, ReadFault::Missing(format!("{:?}", shape.segments))),
        (Err(error), None) => {
            let place = walk.place(None);
            Err(Box::new(Fault { line: error.line() as u64, place, fault: ReadFault::Json(message(&error)) }))
        }
    }
}

/// What the parser says, without the place, which is told otherwise.
pub(super) fn message(error: &serde_json::Error) -> String {
    let text = error.to_string();
    printable(text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message))
}

struct Walk<'s, 'a> {
    shape: Shape,
    sink: &'s mut dyn Sink<'a>,
    lines: Lines<'a>,
    /// What the sink said; the parser is then stopped with an error that says nothing.
    fault: Option<Box<Fault>>,
    segment: Option<usize>,
    block: Option<usize>,
}

impl<'a> Walk<'_, 'a> {
    /// Where the walk is.
    fn place(&self, block: Option<String>) -> Place {
        let segment = self.segment.map(|index| Named::new(index, self.sink.segment_name()));
        let block = self.block.map(|index| Named::new(index, block.as_deref()));
        Place { segment, block, field: None }
    }

    /// Hands a value to the sink.
    fn hand<E: serde::de::Error>(
        &mut self,
        value: &'a RawValue,
        to: impl FnOnce(&mut dyn Sink<'a>, u64) -> Faulty<()>,
    ) -> Result<(), E> {
        let line = self.lines.of(value.get());
        to(self.sink, line).or_else(|fault| {
            let name = self.block.and_then(|_| self.sink.block_name(value));
            self.stop(fault.inside(self.place(name)))
        })
    }

    fn stop<E: serde::de::Error>(&mut self, fault: Box<Fault>) -> Result<(), E> {
        self.fault = Some(fault);
        Err(E::custom(""))
    }

    /// The line of a key, as far as it is a part of the text.
    fn line_of(&mut self, key: &Text<'a>) -> u64 {
        match &key.0 {
            Cow::Borrowed(key) => self.lines.of(key),
            Cow::Owned(_) => self.lines.line(),
        }
    }

    fn twice<E: serde::de::Error>(&mut self, key: &Text<'a>) -> Result<(), E> {
        let line = self.line_of(key);
        let fault = Fault { line, place: self.place(None), fault: ReadFault::twice(&key.0) };
        self.stop(Box::new(fault))
    }
}

struct Top<'w, 's, 'a>(&'w mut Walk<'s, 'a>);

impl<'a> Visitor<'a> for Top<'_, '_, 'a> {
    /// Whether there is a list of segments.
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'a>>(self, mut map: M) -> Result<bool, M::Error> {
        let mut keys = Keys::default();
        while let Some(key) = map.next_key::<Text<'a>>()? {
            if keys.again(&key.0) {
                self.0.twice(&key)?;
            }
            if key.0 == self.0.shape.segments {
                map.next_value_seed(Segments(self.0))?;
                (self.0.segment, self.0.block) = (None, None);
            } else {
                let value = map.next_value::<&'a RawValue>()?;
                self.0.hand(value, |sink, line| sink.top(&key.0, value, line))?;
            }
        }
        Ok(keys.has(self.0.shape.segments))
    }
}

struct Segments<'w, 's, 'a>(&'w mut Walk<'s, 'a>);

impl<'a> DeserializeSeed<'a> for Segments<'_, '_, 'a> {
    type Value = ();
    fn deserialize<D: Deserializer<'a>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_seq(self)
    }
}

impl<'a> Visitor<'a> for Segments<'_, '_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} to be a list", self.0.shape.segments)
    }

    fn visit_seq<S: SeqAccess<'a>>(self, mut list: S) -> Result<(), S::Error> {
        for index in 0.. {
            (self.0.segment, self.0.block) = (Some(index), None);
            if list.next_element_seed(Segment(self.0))?.is_none() {
                break;
            }
        }
        Ok(())
    }
}

struct Segment<'w, 's, 'a>(&'w mut Walk<'s, 'a>);

impl<'a> DeserializeSeed<'a> for Segment<'_, '_, 'a> {
    type Value = ();
    fn deserialize<D: Deserializer<'a>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_map(self)
    }
}

impl<'a> Visitor<'a> for Segment<'_, '_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a segment, which is an object")
    }

    fn visit_map<M: MapAccess<'a>>(self, mut map: M) -> Result<(), M::Error> {
        let walk = self.0;
        let mut keys = Keys::default();
        let mut opened = false;
        while let Some(key) = map.next_key::<Text<'a>>()? {
            if !opened {
                let line = match &key.0 {
                    Cow::Borrowed(key) => walk.lines.of_brace(key),
                    Cow::Owned(_) => walk.lines.line(),
                };
                opened = true;
                walk.sink.open(line).or_else(|fault| walk.stop(fault))?;
            }
            if keys.again(&key.0) {
                walk.twice(&key)?;
            }
            if key.0 == walk.shape.blocks {
                map.next_value_seed(Blocks(walk))?;
                walk.block = None;
            } else {
                let value = map.next_value::<&'a RawValue>()?;
                walk.hand(value, |sink, line| sink.field(&key.0, value, line))?;
            }
        }
        let line = walk.lines.line();
        if !opened {
            walk.sink.open(line).or_else(|fault| walk.stop(fault))?;
        }
        let blocks = keys.has(walk.shape.blocks);
        let place = walk.place(None);
        walk.sink.close(blocks, line).or_else(|fault| walk.stop(fault.inside(place)))
    }
}

struct Blocks<'w, 's, 'a>(&'w mut Walk<'s, 'a>);

impl<'a> DeserializeSeed<'a> for Blocks<'_, '_, 'a> {
    type Value = ();
    fn deserialize<D: Deserializer<'a>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_seq(self)
    }
}

impl<'a> Visitor<'a> for Blocks<'_, '_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} to be a list", self.0.shape.blocks)
    }

    fn visit_seq<S: SeqAccess<'a>>(self, mut list: S) -> Result<(), S::Error> {
        for index in 0.. {
            self.0.block = Some(index);
            let Some(value) = list.next_element::<&'a RawValue>()? else { break };
            self.0.hand(value, |sink, line| sink.block(value, line))?;
        }
        Ok(())
    }
}

/// The keys of an object that were seen.
#[derive(Debug, Default)]
struct Keys(std::collections::BTreeSet<String>);

impl Keys {
    /// Whether the key was there before; now it is.
    fn again(&mut self, key: &str) -> bool {
        !self.0.insert(key.to_owned())
    }
    fn has(&self, key: &str) -> bool {
        self.0.contains(key)
    }
}

/// A string, borrowed from the text where it holds no escapes.
#[derive(Debug)]
pub(super) struct Text<'a>(pub(super) Cow<'a, str>);

impl<'a> serde::Deserialize<'a> for Text<'a> {
    fn deserialize<D: Deserializer<'a>>(json: D) -> Result<Self, D::Error> {
        struct Take;
        impl<'a> Visitor<'a> for Take {
            type Value = Text<'a>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }
            fn visit_borrowed_str<E>(self, text: &'a str) -> Result<Text<'a>, E> {
                Ok(Text(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Text<'a>, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }
        json.deserialize_str(Take)
    }
}
