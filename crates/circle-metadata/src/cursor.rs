//! Bounded reading of little-endian words, for tables whose counts are not to be believed.

/// A position in a payload. Every read says how far the payload falls short instead of panicking.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Offset of the next unread byte.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// How many bytes are left.
    pub(crate) fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// The next little-endian `u32`, or `None` (and no movement) when fewer than four bytes are left.
    pub(crate) fn word(&mut self) -> Option<u32> {
        let (word, _) = self.bytes.get(self.at..)?.split_first_chunk::<4>()?;
        self.at += 4;
        Some(u32::from_le_bytes(*word))
    }

    /// The next `count` bytes, or `None` (and no movement) when fewer are left.
    pub(crate) fn take(&mut self, count: u64) -> Option<&'a [u8]> {
        let count = usize::try_from(count).ok()?;
        let taken = self.bytes.get(self.at..)?.get(..count)?;
        self.at += count;
        Some(taken)
    }
}
