//! The texts of a page, each once.

use std::collections::BTreeMap;

/// Numbers each text once, in order of first use.
#[derive(Default)]
pub(super) struct Strings {
    numbers: BTreeMap<String, u32>,
    list: Vec<String>,
}

impl Strings {
    pub(super) fn number(&mut self, text: &str) -> u32 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = self.list.len() as u32;
        self.list.push(text.to_owned());
        self.numbers.insert(text.to_owned(), number);
        number
    }

    pub(super) fn optional(&mut self, text: Option<String>) -> i32 {
        text.filter(|text| !text.is_empty()).map_or(-1, |text| self.number(&text) as i32)
    }

    /// How much each shares with the one before, and the rest.
    pub(super) fn packed(self) -> (Vec<usize>, Vec<String>) {
        let mut shared = Vec::with_capacity(self.list.len());
        let mut rest = Vec::with_capacity(self.list.len());
        let mut before = "";
        for text in &self.list {
            let same = before.chars().zip(text.chars()).take_while(|(a, b)| a == b);
            let (mut units, mut bytes) = (0, 0);
            for (c, _) in same {
                units += c.len_utf16();
                bytes += c.len_utf8();
            }
            shared.push(units);
            rest.push(text[bytes..].to_owned());
            before = text;
        }
        (shared, rest)
    }
}
