//! Where the bytes of constants are. The graph never loads them: a buffer of the input file is a range of that
//! file, and only what a pass computed is owned.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// How a buffer's bytes lie in the file they were read from, and so how they are written again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// In the flatbuffer, as the vector `data`.
    Inline,
    /// Behind the flatbuffer, found by `offset` and `size`.
    External,
}

/// The bytes of a buffer, or where they are.
#[derive(Clone, PartialEq, Eq)]
pub enum Buffer {
    /// No data at all. `vector` tells a present but empty `data` vector from an absent one.
    Empty {
        /// Whether the file holds a `data` vector of length zero.
        vector: bool,
    },
    /// Bytes `range` of the input file.
    Source {
        /// Range in bytes from the start of the input file.
        range: Range<u64>,
        /// Where in the file's layout the range lies.
        placement: Placement,
    },
    /// Bytes that a pass computed.
    Owned(Arc<[u8]>),
}

impl Buffer {
    /// Length in bytes.
    pub fn len(&self) -> u64 {
        match self {
            Self::Empty { .. } => 0,
            Self::Source { range, .. } => range.end.saturating_sub(range.start),
            Self::Owned(bytes) => bytes.len() as u64,
        }
    }
    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty { vector } => write!(f, "Empty {{ vector: {vector} }}"),
            Self::Source { range, placement } => {
                write!(f, "Source({:#x}..{:#x}, {placement:?})", range.start, range.end)
            }
            Self::Owned(bytes) => {
                write!(f, "Owned({} bytes: {:02x?})", bytes.len(), &bytes[..bytes.len().min(8)])
            }
        }
    }
}

/// Lends the bytes of buffers to those who need the numbers (folding, fusing into weights).
pub trait Bytes {
    /// The bytes of `buffer`, or nothing when its range lies outside the file.
    fn bytes<'a>(&'a self, buffer: &'a Buffer) -> Option<&'a [u8]>;
}

/// A file's bytes in memory or mapped.
impl Bytes for &[u8] {
    fn bytes<'a>(&'a self, buffer: &'a Buffer) -> Option<&'a [u8]> {
        match buffer {
            Buffer::Empty { .. } => Some(&[]),
            Buffer::Owned(bytes) => Some(bytes),
            Buffer::Source { range, .. } => {
                self.get(usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?)
            }
        }
    }
}
