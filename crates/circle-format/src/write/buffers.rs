//! Which buffers are written, under which number, and where their bytes lie. Mirrors `read/buffers.rs`.

use std::collections::BTreeMap;
use std::ops::Range;

use circle_ir::{Buffer, BufferId, Entity, Model, Placement, model};

use super::numbering::fault;
use super::{Layout, WriteError};
use crate::fault::Place;

/// Where a rule puts bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// All of them in the flatbuffer.
    Inline,
    /// Where they lay; new ones outside.
    Mixed,
    /// Outside, but for metadata.
    Extended,
}

impl Mode {
    /// What to try one after the other, given what the caller wants and how the input was laid out.
    pub(super) fn of(wanted: Layout, input: model::Layout) -> &'static [Mode] {
        match (wanted, input) {
            (Layout::Keep, model::Layout::Inline) => &[Mode::Inline, Mode::Extended],
            (Layout::Keep, model::Layout::Extended) => &[Mode::Mixed, Mode::Extended],
            (Layout::Inline, _) => &[Mode::Inline],
            (Layout::Extended, _) => &[Mode::Extended],
        }
    }
}

/// How one buffer lies. Numbers are indices of the blocks of [`Buffers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lie {
    /// Without data.
    Absent,
    /// With an empty vector.
    Empty,
    /// In a vector of the tail.
    Inline(usize),
    /// Behind the flatbuffer.
    External(usize),
}

/// Metadata above this many bytes goes outside with the weights; ONE's readers look for theirs inside.
const LARGE_METADATA: u64 = 1 << 20;

/// Buffers and custom options of a file can share bytes, and each of them is written. Files that share more than this many times their
/// length do so to do harm.
pub(super) const MAX_SHARING: u64 = 8;

/// A set of buffers, by their numbers, which are dense.
#[derive(Default)]
struct Set(Vec<bool>);

impl Set {
    fn of(buffers: impl Iterator<Item = BufferId>) -> Self {
        let mut set = Self::default();
        for id in buffers {
            if set.0.len() <= id.index() {
                set.0.resize(id.index() + 1, false);
            }
            if let Some(there) = set.0.get_mut(id.index()) {
                *there = true;
            }
        }
        set
    }
    fn contains(&self, id: BufferId) -> bool {
        self.0.get(id.index()) == Some(&true)
    }
}

/// The buffers of the file to be written.
#[derive(Debug)]
pub(super) struct Buffers<'a> {
    /// In file order.
    pub(super) list: Vec<Lie>,
    /// Vectors of the tail.
    pub(super) inline: Vec<&'a [u8]>,
    /// Blocks behind the flatbuffer.
    pub(super) external: Vec<&'a [u8]>,
    /// By identity.
    numbers: Vec<Option<u32>>,
    /// The number of the first of our own.
    own: u32,
    /// Blocks by range of the input and kind, so that what was shared stays shared.
    known: BTreeMap<(u64, u64, bool), Lie>,
    /// What is taken from the input, in bytes.
    pub(super) copied: u64,
}

impl<'a> Buffers<'a> {
    /// The buffers of `model` and `own` more for our own metadata, whose bytes come later.
    pub(super) fn new(model: &'a Model, input: &'a [u8], own: usize, mode: Mode) -> Result<Self, WriteError> {
        let frame = model.frame();
        let values = model.subgraphs().flat_map(|(_, sg)| sg.values());
        let weights = Set::of(values.map(|(_, v)| v.buffer()));
        let entries = frame.metadata.iter().flatten().map(|entry| entry.buffer);
        let metadata = Set::of(entries.chain(frame.metadata_buffer.iter().flatten().copied()));
        let unused = Set::of(frame.unused_buffers.iter().copied());
        let mut this = Self {
            list: Vec::new(),
            inline: Vec::new(),
            external: Vec::new(),
            numbers: Vec::new(),
            own: 0,
            known: BTreeMap::new(),
            copied: 0,
        };
        for (id, buffer) in model.buffers() {
            // The first is the empty one, by convention of both formats.
            let stays =
                id.index() == 0 || weights.contains(id) || metadata.contains(id) || unused.contains(id);
            if !stays {
                continue;
            }
            this.numbers.resize(id.index() + 1, None);
            if let Some(slot) = this.numbers.get_mut(id.index()) {
                *slot = u32::try_from(this.list.len()).ok();
            }
            let only_metadata = metadata.contains(id) && !weights.contains(id);
            let inside = match (mode, buffer) {
                (Mode::Inline, _) => true,
                (Mode::Mixed, Buffer::Source { placement, .. }) => *placement == Placement::Inline,
                _ => only_metadata && buffer.len() <= LARGE_METADATA,
            };
            let lie = this.lie(id, buffer, input, inside)?;
            this.list.push(lie);
        }
        if this.list.is_empty() && own > 0 {
            this.list.push(Lie::Absent);
        }
        this.own = this.list.len() as u32;
        for _ in 0..own {
            this.list.push(Lie::Inline(this.inline.len()));
            this.inline.push(&[]);
        }
        Ok(this)
    }

    /// Gives our own metadata their bytes.
    pub(super) fn fill(&mut self, payloads: &[&'a [u8]]) {
        let blocks: Vec<usize> = self.own_blocks().collect();
        for (block, payload) in blocks.into_iter().zip(payloads) {
            if let Some(bytes) = self.inline.get_mut(block) {
                *bytes = payload;
            }
        }
    }

    fn lie(
        &mut self,
        id: BufferId,
        buffer: &'a Buffer,
        input: &'a [u8],
        inside: bool,
    ) -> Result<Lie, WriteError> {
        let place = || Place { part: Some(format!("buffer {}", id.number())), ..Place::default() };
        let range = match buffer {
            Buffer::Empty { vector: true } => return Ok(Lie::Empty),
            Buffer::Empty { vector: false } => return Ok(Lie::Absent),
            // A constant without elements is a constant all the same, and an absent vector would deny it.
            Buffer::Owned(bytes) if bytes.is_empty() => return Ok(Lie::Empty),
            Buffer::Owned(bytes) => return Ok(self.block(bytes, inside)),
            Buffer::Source { range, .. } => range,
        };
        if range.is_empty() && inside {
            return Ok(Lie::Empty);
        }
        let key = (range.start, range.end, inside);
        if let Some(&lie) = self.known.get(&key) {
            return Ok(lie);
        }
        let lie = self.block(part_of(input, range, place)?, inside);
        self.known.insert(key, lie);
        self.copied = self.copied.saturating_add(range.end - range.start);
        Ok(lie)
    }

    fn block(&mut self, bytes: &'a [u8], inside: bool) -> Lie {
        let (blocks, lie): (_, fn(usize) -> Lie) = match inside {
            true => (&mut self.inline, Lie::Inline),
            false => (&mut self.external, Lie::External),
        };
        blocks.push(bytes);
        lie(blocks.len() - 1)
    }

    /// The number of a buffer in the file.
    pub(super) fn number(&self, id: BufferId, place: impl FnOnce() -> Place) -> Result<u32, WriteError> {
        let number = self.numbers.get(id.index()).copied().flatten();
        number.ok_or_else(|| fault(place(), format!("buffer {} is not in the model", id.number())))
    }

    /// The number of the buffer of our own metadata entry `index`.
    pub(super) fn own(&self, index: usize) -> u32 {
        self.own.saturating_add(index as u32)
    }

    /// The blocks of our own metadata.
    pub(super) fn own_blocks(&self) -> impl Iterator<Item = usize> + '_ {
        let own = self.list.iter().skip(self.own as usize);
        own.filter_map(|lie| match lie {
            Lie::Inline(block) => Some(*block),
            _ => None,
        })
    }

    /// What a reader will call the layout.
    pub(super) fn layout(&self) -> model::Layout {
        match self.external.is_empty() {
            true => model::Layout::Inline,
            false => model::Layout::Extended,
        }
    }
}

/// A range of the input.
pub(super) fn part_of<'a>(
    input: &'a [u8],
    range: &Range<u64>,
    place: impl FnOnce() -> Place,
) -> Result<&'a [u8], WriteError> {
    let found = usize::try_from(range.start).ok().zip(usize::try_from(range.end).ok());
    let found = found.and_then(|(start, end)| input.get(start..end));
    found.ok_or_else(|| WriteError::Input {
        place: Box::new(place()),
        range: range.clone(),
        len: input.len() as u64,
    })
}
