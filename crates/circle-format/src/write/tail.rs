//! Where the bytes behind the head go, and the writing of the file from its parts.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::WriteError;
use super::buffers::Buffers;
use crate::archive::Archive;

/// Alignment of data from the start of the file, in bytes: the schema's `force_align` of `Buffer.data`.
const ALIGNMENT: u64 = 16;

/// The length of a vector, which stands before its data.
const LENGTH: u64 = 4;

/// One block of the tail.
struct Block<'a> {
    /// Where its first byte goes: the length of a vector, the data of others.
    at: u64,
    vector: bool,
    bytes: &'a [u8],
}

/// The blocks behind the head in the order of the file: vectors, which belong to the flatbuffer, then buffers outside
/// it, then custom options.
pub(super) struct Tail<'a> {
    blocks: Vec<Block<'a>>,
    inline: usize,
    /// For each custom options the block that holds them.
    custom: Vec<usize>,
    /// What they come to, in bytes.
    pub(super) custom_bytes: u64,
    /// What an archive that follows consists of: its files, and its directory with their new places.
    archive: Option<(&'a [u8], Vec<u8>)>,
    flatbuffer_end: u64,
    end: u64,
}

impl<'a> Tail<'a> {
    /// Places everything behind a head of `head` bytes.
    pub(super) fn new(head: u64, buffers: &Buffers<'a>, custom: &[&'a [u8]]) -> Self {
        let mut this = Self {
            blocks: Vec::with_capacity(buffers.inline.len() + buffers.external.len()),
            inline: buffers.inline.len(),
            custom: Vec::with_capacity(custom.len()),
            custom_bytes: 0,
            archive: None,
            flatbuffer_end: head,
            end: head,
        };
        for bytes in &buffers.inline {
            this.push(bytes, true);
        }
        this.flatbuffer_end = this.end;
        for bytes in &buffers.external {
            this.push(bytes, false);
        }
        // Operators that share their options, in one place of memory, go on doing so.
        let mut known = BTreeMap::new();
        for bytes in custom {
            let next = this.blocks.len();
            let block = *known.entry((bytes.as_ptr() as usize, bytes.len())).or_insert(next);
            if block == next {
                this.push(bytes, false);
                this.custom_bytes = this.custom_bytes.saturating_add(bytes.len() as u64);
            }
            this.custom.push(block);
        }
        this
    }

    fn push(&mut self, bytes: &'a [u8], vector: bool) {
        let before = if vector { LENGTH } else { 0 };
        let data = self.end.saturating_add(before).next_multiple_of(ALIGNMENT);
        // Nothing needs no place of its own, and no padding that would count as part of the file.
        let at = if bytes.is_empty() && !vector { self.end } else { data - before };
        self.blocks.push(Block { at, vector, bytes });
        self.end = at.saturating_add(before).saturating_add(bytes.len() as u64);
    }

    /// Lets the archive `bytes` follow everything else.
    pub(super) fn attach(&mut self, bytes: &'a [u8]) -> Result<(), WriteError> {
        let archive = Archive::parse(bytes).ok_or(WriteError::Archive)?;
        self.archive = Some(archive.moved(bytes, self.end));
        self.end = self.end.saturating_add(bytes.len() as u64);
        Ok(())
    }

    fn at(&self, block: usize) -> u64 {
        self.blocks.get(block).map_or(0, |block| block.at)
    }

    /// Where a vector begins, with its length.
    pub(super) fn inline(&self, block: usize) -> u64 {
        self.at(block)
    }

    /// Where the bytes of a vector lie.
    pub(super) fn payload(&self, block: usize) -> std::ops::Range<u64> {
        let start = self.at(block).saturating_add(LENGTH);
        start..start.saturating_add(self.blocks.get(block).map_or(0, |block| block.bytes.len() as u64))
    }

    /// Where the data of a buffer outside the flatbuffer begins.
    pub(super) fn external(&self, block: usize) -> u64 {
        self.at(self.inline.saturating_add(block))
    }

    /// Where the custom options `index` begin.
    pub(super) fn custom(&self, index: usize) -> u64 {
        self.custom.get(index).map_or(0, |&block| self.at(block))
    }

    /// Length of the flatbuffer in bytes.
    pub(super) fn flatbuffer_end(&self) -> u64 {
        self.flatbuffer_end
    }

    /// Length of the file in bytes.
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    /// Writes the head and everything behind it.
    pub(super) fn stream(&self, head: &[u8], sink: &mut dyn Write) -> io::Result<()> {
        sink.write_all(head)?;
        let mut end = head.len() as u64;
        for block in &self.blocks {
            let padding = [0; ALIGNMENT as usize];
            // Less than an alignment by construction.
            let gap = block.at.saturating_sub(end).min(ALIGNMENT) as usize;
            sink.write_all(padding.get(..gap).unwrap_or_default())?;
            if block.vector {
                sink.write_all(&(block.bytes.len() as u32).to_le_bytes())?;
            }
            sink.write_all(block.bytes)?;
            end = block.at + if block.vector { LENGTH } else { 0 } + block.bytes.len() as u64;
        }
        for part in self.archive.iter().flat_map(|(files, end)| [*files, end]) {
            sink.write_all(part)?;
        }
        Ok(())
    }
}
