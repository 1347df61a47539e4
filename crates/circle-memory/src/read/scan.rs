//! Taking lines of logs apart, from left to right.

use super::error::{Faulty, ReadFault, at};
use super::text::digits;

/// The rest of a line.
#[derive(Debug, Clone)]
pub(super) struct Scan<'a> {
    line: u64,
    rest: &'a str,
}

impl<'a> Scan<'a> {
    pub(super) fn new(line: u64, text: &'a str) -> Self {
        Self { line, rest: text }
    }

    /// Takes a mark that may stand behind blanks, if it is next.
    pub(super) fn eat(&mut self, mark: &str) -> bool {
        match self.rest.trim_start().strip_prefix(mark) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// Takes a mark that must be next.
    pub(super) fn need(&mut self, mark: &'static str) -> Faulty<()> {
        if self.eat(mark) { Ok(()) } else { at(self.line, ReadFault::expected(mark, self.rest)) }
    }

    /// Takes a number, digits that may stand behind blanks.
    pub(super) fn number(&mut self, what: &'static str) -> Faulty<u64> {
        let rest = self.rest.trim_start();
        let end = rest.bytes().position(|b| !b.is_ascii_digit() && b != b'-').unwrap_or(rest.len());
        let (number, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
        if number.is_empty() {
            return at(self.line, ReadFault::expected(what, self.rest));
        }
        let value = digits(number);
        self.rest = behind;
        value.map_or_else(|| super::error::at_field(self.line, what, ReadFault::number(number)), Ok)
    }

    /// Takes a hexadecimal number that begins with `0x`.
    pub(super) fn hexadecimal(&mut self, what: &'static str) -> Faulty<u64> {
        let rest = self.rest.trim_start();
        let Some(rest) = rest.strip_prefix("0x") else {
            return at(self.line, ReadFault::expected(what, self.rest));
        };
        let end = rest.bytes().position(|b| !b.is_ascii_hexdigit()).unwrap_or(rest.len());
        let (number, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
        self.rest = behind;
        match u64::from_str_radix(number, 16) {
            Ok(value) if !number.is_empty() => Ok(value),
            _ => super::error::at_field(self.line, what, ReadFault::number(&format!("0x{number}"))),
        }
    }

    /// What is left, without blanks around it.
    pub(super) fn rest(&self) -> &'a str {
        self.rest.trim()
    }

    /// Nothing but blanks may be left.
    pub(super) fn end(&self) -> Faulty<()> {
        if self.rest().is_empty() {
            Ok(())
        } else {
            at(self.line, ReadFault::expected("the end of the line", self.rest()))
        }
    }
}
