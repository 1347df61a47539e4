//! The digest of a model's constants: SHA-256 over, for each subgraph the number of its tensors (u64), and for each
//! tensor that has bytes its number (u64) and the SHA-256 of these. Numbers are little-endian.
//!
//! How bytes are shared between buffers, and where in a file they lie, does not count.

use std::collections::HashMap;

use circle_ir::import::Draft;
use circle_ir::{Buffer, Bytes, Model};
use sha2::{Digest, Sha256};

use crate::write::Numbering;

/// Takes in the constants of one model. Bytes that several tensors share are hashed once.
struct Constants<'a> {
    bytes: &'a dyn Bytes,
    whole: Sha256,
    known: HashMap<(u64, u64), [u8; 32]>,
    /// How far the file reaches, by its constants, and how many bytes of it were hashed.
    reach: u64,
    hashed: u64,
}

impl<'a> Constants<'a> {
    fn new(bytes: &'a dyn Bytes, buffers: impl Iterator<Item = &'a Buffer>) -> Self {
        let end = |buffer: &Buffer| match buffer {
            Buffer::Source { range, .. } => range.end,
            Buffer::Empty { .. } | Buffer::Owned(_) => 0,
        };
        let reach = buffers.map(end).max().unwrap_or(0);
        Self { bytes, whole: Sha256::new(), known: HashMap::new(), reach, hashed: 0 }
    }

    fn put(&mut self, number: usize) {
        self.whole.update((number as u64).to_le_bytes());
    }

    /// Nothing when the bytes are not there, or lie over each other so that hashing them takes longer than reading the
    /// file, which no writer of models does.
    fn tensor(&mut self, number: usize, buffer: Option<&Buffer>) -> Option<()> {
        let Some(buffer) = buffer.filter(|buffer| !buffer.is_empty()) else { return Some(()) };
        let digest = match buffer {
            Buffer::Source { range, .. } => match self.known.get(&(range.start, range.end)) {
                Some(digest) => *digest,
                None => {
                    self.hashed = self.hashed.checked_add(buffer.len())?;
                    if self.hashed / 2 > self.reach {
                        return None;
                    }
                    let digest = Sha256::digest(self.bytes.bytes(buffer)?).into();
                    self.known.insert((range.start, range.end), digest);
                    digest
                }
            },
            Buffer::Empty { .. } | Buffer::Owned(_) => Sha256::digest(self.bytes.bytes(buffer)?).into(),
        };
        self.put(number);
        self.whole.update(digest);
        Some(())
    }

    fn finish(self) -> [u8; 32] {
        self.whole.finalize().into()
    }
}

/// The digest of the constants of `model`, as they are written with `numbering`; nothing if one has no bytes that could
/// be read.
pub fn of_model(model: &Model, numbering: &Numbering, bytes: &dyn Bytes) -> Option<[u8; 32]> {
    let values = || model.subgraphs().flat_map(|(_, sg)| sg.values());
    let mut constants = Constants::new(bytes, values().filter_map(|(_, v)| model.buffer(v.buffer())));
    for ((_, sg), values) in model.subgraphs().zip(&numbering.values) {
        constants.put(values.len());
        for (number, &v) in values.iter().enumerate() {
            constants.tensor(number, model.buffer(sg.value(v)?.buffer()))?;
        }
    }
    Some(constants.finish())
}

/// The digest of the constants of a model as read.
pub fn of_draft(draft: &Draft, bytes: &dyn Bytes) -> Option<[u8; 32]> {
    let mut constants = Constants::new(bytes, draft.buffers.iter());
    for sg in &draft.subgraphs {
        constants.put(sg.values.len());
        for (number, value) in sg.values.iter().enumerate() {
            constants.tensor(number, draft.buffers.get(value.buffer.number() as usize))?;
        }
    }
    Some(constants.finish())
}
