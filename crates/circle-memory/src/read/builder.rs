//! What all readers fill: the memory, the lines, and what is to be said about the reading.

use std::collections::{HashMap, HashSet};

use serde_json::Value;
use serde_json::value::RawValue;

use crate::finding::{Code, Finding, Severity};
use crate::form::{Block, Memory, Origin, Segment, TickUnit};
use crate::place::{Place, Places};

use super::error::{Fault, Faulty, ReadFault, in_place};
use super::text::Lines;
use super::{Document, Form, ID, ReadOptions};

/// A document in the making.
#[derive(Debug)]
pub(super) struct Builder<'a> {
    pub(super) options: &'a ReadOptions<'a>,
    pub(super) memory: Memory,
    places: Places,
    findings: Vec<Finding>,
    origins: HashMap<String, u32>,
    ids: HashSet<String>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(options: &'a ReadOptions<'a>, unit: TickUnit) -> Self {
        let mut memory = Memory::default();
        memory.tick.unit = unit;
        Self {
            options,
            memory,
            places: Places::default(),
            findings: Vec::new(),
            origins: HashMap::new(),
            ids: HashSet::new(),
        }
    }

    /// Enters a segment; the blocks that follow are its.
    pub(super) fn open(&mut self, segment: Segment, line: u64) {
        self.memory.segments.push(segment);
        self.places.enter_segment(line);
    }

    /// Enters where a member of the segment entered last stands, or one of the file.
    pub(super) fn member(&mut self, of_file: bool, key: &str, value: &RawValue, line: u64) {
        self.places.enter_member(of_file, key, line, elements(value, line));
    }

    /// Position of the segment entered last.
    pub(super) fn last(&self) -> usize {
        self.memory.segments.len().saturating_sub(1)
    }

    /// Enters a block of a segment.
    pub(super) fn push(&mut self, segment: usize, block: Block, line: u64) {
        if let Some(found) = self.memory.segments.get_mut(segment) {
            found.blocks.push(block);
            self.places.enter_block(segment, line);
        }
    }

    /// Takes the block's identity from what was kept of it. These forms do not promise that it is unique: one that is not
    /// stays where it is.
    pub(super) fn identify(&mut self, block: &mut Block) {
        let Some(Value::String(id)) = block.extra.get(ID) else { return };
        if !id.is_empty() && self.ids.insert(id.clone()) {
            block.id = Some(id.clone());
            block.extra.shift_remove(ID);
        }
    }

    /// The origin of this name, entered if it is new. All origins must be entered through this.
    pub(super) fn origin(&mut self, name: &str) -> u32 {
        if let Some(id) = self.origins.get(name) {
            return *id;
        }
        let id = u32::try_from(self.memory.origins.len()).unwrap_or(u32::MAX);
        self.origins.insert(name.to_owned(), id);
        self.memory.origins.push(Origin { id, name: name.to_owned(), ..Origin::default() });
        id
    }

    /// Numbers origins in the order in which blocks name them, segment by segment. None may be entered after it.
    pub(super) fn number_origins(&mut self) {
        let mut numbers: Vec<Option<u32>> = vec![None; self.memory.origins.len()];
        let mut next = 0;
        for block in self.memory.segments.iter_mut().flat_map(|segment| &mut segment.blocks) {
            for id in &mut block.origins {
                if let Some(number) = numbers.get_mut(*id as usize) {
                    *id = *number.get_or_insert_with(|| {
                        next += 1;
                        next - 1
                    });
                }
            }
        }
        // Each has been entered for a block.
        for (origin, number) in self.memory.origins.iter_mut().zip(numbers) {
            origin.id = number.unwrap_or(origin.id);
        }
        self.memory.origins.sort_unstable_by_key(|origin| origin.id);
    }

    /// The end of a lifetime, given its last tick or its end, as the options say.
    pub(super) fn till(&self, till: u64, line: u64) -> Faulty<u64> {
        if self.options.inclusive_till { after(till, line, "alive_till") } else { Ok(till) }
    }

    /// Notes something about the reading.
    pub(super) fn note(&mut self, severity: Severity, code: Code, place: Place, line: u64, message: String) {
        let line = (line > 0).then_some(line);
        self.findings.push(Finding { line, ..Finding::new(severity, code, place, message) });
    }

    pub(super) fn finish(self, form: Form) -> Document {
        Document { memory: self.memory, form, places: self.places, findings: self.findings }
    }
}

/// The lines on which the elements of a list begin; none where the value is no list.
fn elements(value: &RawValue, line: u64) -> Vec<u64> {
    if !value.get().starts_with('[') {
        return Vec::new();
    }
    let list: Vec<&RawValue> = serde_json::from_str(value.get()).unwrap_or_default();
    let mut lines = Lines::new(value.get());
    list.iter().map(|element| line + lines.of(element.get()).saturating_sub(1)).collect()
}

/// The tick after the last one at which a block is alive.
pub(super) fn after(last: u64, line: u64, field: &str) -> Faulty<u64> {
    last.checked_add(1).map_or_else(|| in_place(line, Place::field(field), ReadFault::Beyond(last)), Ok)
}

/// The bytes from one address to another.
pub(super) fn between(from: u64, to: u64) -> Result<u64, ReadFault> {
    to.checked_sub(from).ok_or(ReadFault::Reversed { from, to })
}

impl Fault {
    /// The fault with the segment and the block it is in.
    pub(super) fn inside(mut self: Box<Self>, place: Place) -> Box<Self> {
        self.place = Place { field: self.place.field.take(), ..place };
        self
    }
}
