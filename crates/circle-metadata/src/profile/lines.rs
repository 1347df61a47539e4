//! Offsets to line numbers.

/// Number of line feeds in `bytes`.
pub(super) fn count(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|&&byte| byte == b'\n').count() as u64
}

/// Line numbers of ascending offsets, found in one walk over the text.
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

    /// The line, from 1, on which `part` starts. `part` must be a slice of the text, and not start
    /// before the one asked for last.
    pub(super) fn of(&mut self, part: &str) -> u64 {
        let offset = (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        if let Some(passed) = self.text.as_bytes().get(self.at..offset) {
            self.line += count(passed);
            self.at = offset;
        }
        self.line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_are_found() {
        let text = "a\nb\n\nc";
        let mut lines = Lines::new(text);
        assert_eq!(lines.of(&text[0..1]), 1);
        assert_eq!(lines.of(&text[2..]), 2);
        assert_eq!(lines.of(&text[5..]), 4);
    }
}
