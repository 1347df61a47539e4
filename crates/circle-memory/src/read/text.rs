//! Text and the numbers of its lines.

use super::error::{Faulty, ReadFault, at};

/// The bytes as text.
pub(super) fn text(bytes: &[u8]) -> Faulty<&str> {
    let bytes = super::detect::unmarked(bytes);
    std::str::from_utf8(bytes).or_else(|error| {
        let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
        at(count(valid) + 1, ReadFault::NotText)
    })
}

/// Number of line feeds in `bytes`.
pub(super) fn count(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

/// Where a part of a text starts.
fn offset(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

/// Line numbers of ascending places, found in one walk over the text.
#[derive(Debug)]
pub(super) struct Lines<'a> {
    text: &'a str,
    at: usize,
    line: u64,
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0, line: 1 }
    }

    /// The line, from 1, on which a part of the text starts; not before the one asked for last.
    pub(super) fn of(&mut self, part: &str) -> u64 {
        self.at_byte(offset(self.text, part))
    }

    /// The line of the brace before the first key of an object.
    pub(super) fn of_brace(&mut self, key: &str) -> u64 {
        let key = offset(self.text, key);
        let before = self.text.as_bytes().get(self.at..key).unwrap_or_default();
        let brace = before.iter().rposition(|&byte| byte == b'{').unwrap_or(before.len());
        self.at_byte(self.at.saturating_add(brace))
    }

    /// The line reached.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// The same for a position in bytes.
    pub(super) fn at_byte(&mut self, offset: usize) -> u64 {
        if let Some(passed) = self.text.as_bytes().get(self.at..offset) {
            self.line += count(passed);
            self.at = offset;
        }
        self.line
    }
}

/// The lines of a text with their numbers, from 1.
pub(super) fn numbered(text: &str) -> impl Iterator<Item = (u64, &str)> {
    (1..).zip(text.lines())
}

/// A number without sign as text forms write it: digits, nothing else.
pub(super) fn digits(text: &str) -> Option<u64> {
    let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| plain)
}
