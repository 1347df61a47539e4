//! JSON with one thing a line: members of objects that are laid open, and entries of lists.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::Formatter;

use super::WriteError;

/// Writes one value on one line, with blanks behind commas and colons.
pub(super) fn line<T: Serialize + ?Sized>(out: &mut dyn Write, value: &T) -> Result<(), WriteError> {
    let mut json = serde_json::Serializer::with_formatter(out, Spaced);
    Ok(value.serialize(&mut json)?)
}

struct Spaced;

impl Formatter for Spaced {
    fn begin_array_value<W: Write + ?Sized>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { out.write_all(b", ") }
    }
    fn begin_object_key<W: Write + ?Sized>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { out.write_all(b", ") }
    }
    fn begin_object_value<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }
}

/// An object or list that is laid open.
pub(super) struct Open<'w> {
    out: &'w mut dyn Write,
    /// Blanks before its members.
    indent: usize,
    first: bool,
    end: &'static str,
}

impl<'w> Open<'w> {
    /// The object that is the file.
    pub(super) fn file(out: &'w mut dyn Write) -> Result<Self, WriteError> {
        out.write_all(b"{")?;
        Ok(Self { out, indent: 2, first: true, end: "}" })
    }

    fn next(&mut self) -> Result<(), WriteError> {
        let comma = if self.first { "" } else { "," };
        self.first = false;
        Ok(write!(self.out, "{comma}\n{:1$}", "", self.indent)?)
    }

    fn key(&mut self, key: &str) -> Result<(), WriteError> {
        self.next()?;
        line(self.out, key)?;
        Ok(self.out.write_all(b": ")?)
    }

    fn nested(&mut self, start: &str, end: &'static str) -> Result<Open<'_>, WriteError> {
        self.out.write_all(start.as_bytes())?;
        Ok(Open { out: self.out, indent: self.indent + 2, first: true, end })
    }

    /// A member on one line.
    pub(super) fn member<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) -> Result<(), WriteError> {
        self.key(key)?;
        line(self.out, value)
    }

    /// A member on one line, if it is there.
    pub(super) fn optional<T: Serialize>(&mut self, key: &str, value: &Option<T>) -> Result<(), WriteError> {
        value.as_ref().map_or(Ok(()), |value| self.member(key, value))
    }

    /// A list with an entry a line.
    pub(super) fn list<T: Serialize>(
        &mut self,
        key: &str,
        entries: impl IntoIterator<Item = T>,
    ) -> Result<(), WriteError> {
        let mut list = self.open_list(key)?;
        for entry in entries {
            list.next()?;
            line(list.out, &entry)?;
        }
        list.close()
    }

    /// A list whose entries are laid open, too.
    pub(super) fn open_list(&mut self, key: &str) -> Result<Open<'_>, WriteError> {
        self.key(key)?;
        self.nested("[", "]")
    }

    /// An object of such a list.
    pub(super) fn open_entry(&mut self) -> Result<Open<'_>, WriteError> {
        self.next()?;
        self.nested("{", "}")
    }

    /// The end.
    pub(super) fn close(self) -> Result<(), WriteError> {
        if !self.first {
            write!(self.out, "\n{:1$}", "", self.indent.saturating_sub(2))?;
        }
        Ok(self.out.write_all(self.end.as_bytes())?)
    }
}
