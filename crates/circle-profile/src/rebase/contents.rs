//! What constants hold, looked at once for each range of bytes and never at more bytes than the file can have: ranges of
//! a hostile file may overlap without end.

use std::collections::HashMap;
use std::ops::Range;

use circle_ir::{Buffer, BufferId, Bytes, Model, Value};
use sha2::{Digest, Sha256};

/// What of a constant matters here.
#[derive(Clone, Copy, Debug)]
pub(super) struct Content {
    /// SHA-256 of its bytes.
    pub(super) digest: [u8; 32],
    /// Whether all its elements are zero, whatever their type.
    zeros: bool,
    /// Whether all its elements are one, as 32-bit floats.
    float_ones: bool,
}

impl Content {
    /// Whether adding the constant `value` changes nothing.
    pub(super) fn is_zero(&self, value: &Value) -> bool {
        self.zeros && value.quantization().is_none()
    }
    /// Whether multiplying by the constant `value` changes nothing. Only 32-bit floats are looked at.
    pub(super) fn is_one(&self, value: &Value) -> bool {
        self.float_ones && value.ty() == circle_ir::ElementType::FLOAT32 && value.quantization().is_none()
    }
    fn of(bytes: &[u8]) -> Self {
        Self {
            digest: Sha256::digest(bytes).into(),
            zeros: bytes.iter().all(|&byte| byte == 0),
            float_ones: bytes.chunks(4).all(|element| element == 1_f32.to_le_bytes()),
        }
    }
}

/// The contents of one model's constants.
pub(super) struct Contents<'a> {
    model: &'a Model,
    bytes: &'a dyn Bytes,
    /// By buffer, and by range, since several buffers may be one range.
    buffers: HashMap<BufferId, Option<Content>>,
    ranges: HashMap<Range<u64>, Content>,
    /// How many bytes may still be looked at.
    left: u64,
}

impl<'a> Contents<'a> {
    pub(super) fn new(model: &'a Model, bytes: &'a dyn Bytes) -> Self {
        let end = model.buffers().map(|(_, buffer)| match buffer {
            Buffer::Source { range, .. } => range.end,
            _ => 0,
        });
        let owned = model.buffers().map(|(_, buffer)| match buffer {
            Buffer::Owned(bytes) => bytes.len() as u64,
            _ => 0,
        });
        let left = end.max().unwrap_or(0).saturating_add(owned.sum());
        Self { model, bytes, buffers: HashMap::new(), ranges: HashMap::new(), left }
    }

    /// What the buffer of `value` holds; nothing if it is empty, or too much has been looked at already.
    pub(super) fn of(&mut self, value: &Value) -> Option<Content> {
        let id = value.buffer();
        if let Some(&known) = self.buffers.get(&id) {
            return known;
        }
        let content = self.look(id);
        self.buffers.insert(id, content);
        content
    }

    fn look(&mut self, id: BufferId) -> Option<Content> {
        let buffer = self.model.buffer(id).filter(|buffer| !buffer.is_empty())?;
        let range = match buffer {
            Buffer::Source { range, .. } => Some(range),
            _ => None,
        };
        if let Some(known) = range.and_then(|range| self.ranges.get(range)) {
            return Some(*known);
        }
        self.left = self.left.checked_sub(buffer.len())?;
        let content = Content::of(self.bytes.bytes(buffer)?);
        if let Some(range) = range {
            self.ranges.insert(range.clone(), content);
        }
        Some(content)
    }
}
