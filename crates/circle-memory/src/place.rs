//! Where something stands in a memory and in the file it was read from.

use std::collections::HashMap;
use std::fmt;

use crate::form::{Block, Memory};

/// Names longer than this many characters are cut when shown.
const SHOWN: usize = 64;

/// A segment, block or field, as far as it is known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    /// The segment.
    pub segment: Option<Named>,
    /// The block of that segment.
    pub block: Option<Named>,
    /// The field, of the block if there is one, else of the segment, else of the file.
    pub field: Option<String>,
}

/// A position in a list, with the name of what stands there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Named {
    /// Position from 0.
    pub index: usize,
    /// Its name, or its identity where it has no name.
    pub name: Option<String>,
}

impl Named {
    /// What stands at `index`. Long names are cut.
    pub fn new(index: usize, name: Option<&str>) -> Self {
        Self { index, name: name.map(shortened) }
    }
}

impl Place {
    /// A field of the file as a whole.
    pub fn field(field: impl Into<String>) -> Self {
        Self { field: Some(field.into()), ..Self::default() }
    }

    /// A segment of a memory.
    pub fn segment(memory: &Memory, segment: usize) -> Self {
        let name = memory.segments.get(segment).map(|s| s.name.as_str());
        Self { segment: Some(Named::new(segment, name)), ..Self::default() }
    }

    /// A block of a memory.
    pub fn block(memory: &Memory, segment: usize, block: usize) -> Self {
        let found = memory.segments.get(segment).and_then(|s| s.blocks.get(block));
        let name = found.and_then(|b| called(memory, b));
        Self { block: Some(Named::new(block, name)), ..Self::segment(memory, segment) }
    }

    /// The same with a field.
    #[must_use]
    pub fn with(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// What a block is called: its name, its identity, or the name of its first origin.
fn called<'a>(memory: &'a Memory, block: &'a Block) -> Option<&'a str> {
    let own = block.name.as_deref().or(block.id.as_deref());
    let origin =
        || block.origins.first().and_then(|id| memory.origin(*id)).map(|origin| origin.name.as_str());
    own.or_else(origin).filter(|name| !name.is_empty())
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut comma = "";
        for (what, named) in [("segment", &self.segment), ("block", &self.block)] {
            if let Some(named) = named {
                write!(f, "{comma}{what} {}", named.index)?;
                if let Some(name) = &named.name {
                    write!(f, " {name:?}")?;
                }
                comma = ", ";
            }
        }
        match &self.field {
            Some(field) => write!(f, "{comma}{}", printable(field)),
            None => Ok(()),
        }
    }
}

/// A text cut to a length that fits into a message.
pub(crate) fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// A text from a file as a part of a message: on one line, and not too long.
pub(crate) fn printable(text: &str) -> String {
    const LONGEST: usize = 240;
    let mut shown = String::new();
    for (count, c) in text.chars().enumerate() {
        if count == LONGEST {
            shown.push('…');
            break;
        }
        if c.is_control() {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Lines of a file on which segments and blocks stand, and what else is in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places {
    segments: Vec<(u64, Vec<u64>)>,
    /// Lines of members by their names: of segments by position, of the file without one.
    members: HashMap<(Option<usize>, String), Member>,
}

/// A member of the file or of a segment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Member {
    line: u64,
    /// The lines of its elements, where it is a list that others refer to.
    elements: Vec<u64>,
}

impl Places {
    /// The line, from 1, on which a segment begins.
    pub fn segment(&self, segment: usize) -> Option<u64> {
        self.segments.get(segment).map(|(line, _)| *line)
    }

    /// The line, from 1, on which a block begins.
    pub fn block(&self, segment: usize, block: usize) -> Option<u64> {
        self.segments.get(segment).and_then(|(_, blocks)| blocks.get(block)).copied()
    }

    /// The line of whatever a place names: the block's before that of its field, that of a field before the segment's.
    pub fn of(&self, place: &Place) -> Option<u64> {
        let segment = place.segment.as_ref().map(|segment| segment.index);
        if let Some(block) = &place.block {
            return self.block(segment?, block.index);
        }
        let field = || self.field(segment, place.field.as_deref()?);
        field().or_else(|| self.segment(segment?))
    }

    /// The line of a field, which is a member such as `size`, or an element of one, such as `spaces 3 offset`.
    fn field(&self, segment: Option<usize>, field: &str) -> Option<u64> {
        let mut words = field.split(' ');
        let member = self.members.get(&(segment, words.next()?.to_owned()))?;
        let element = words.next().and_then(|word| member.elements.get(word.parse::<usize>().ok()?));
        Some(*element.unwrap_or(&member.line))
    }

    /// Enters a segment; it gets the next position.
    pub(crate) fn enter_segment(&mut self, line: u64) {
        self.segments.push((line, Vec::new()));
    }

    /// Enters a block of a segment; it gets the next position in it.
    pub(crate) fn enter_block(&mut self, segment: usize, line: u64) {
        if let Some((_, blocks)) = self.segments.get_mut(segment) {
            blocks.push(line);
        }
    }

    /// Enters a member of the file, or of the segment entered last, with the lines of its elements.
    pub(crate) fn enter_member(&mut self, of_file: bool, name: &str, line: u64, elements: Vec<u64>) {
        let segment = if of_file { None } else { self.segments.len().checked_sub(1) };
        self.members.insert((segment, name.to_owned()), Member { line, elements });
    }
}
