//! CSV with a heading that names the columns.

use crate::place::shortened;

use super::error::{Faulty, ReadFault, at, at_field};
use super::text::{Lines, count, digits};

/// A table, read row by row.
pub(super) struct Table<'a> {
    reader: csv::Reader<&'a [u8]>,
    lines: Lines<'a>,
    text: &'a str,
    columns: Vec<String>,
}

/// One row with its line.
#[derive(Debug, Default)]
pub(super) struct Row {
    record: csv::StringRecord,
    pub(super) line: u64,
}

impl<'a> Table<'a> {
    /// Reads the heading. Lines that begin with `#` are comments.
    ///
    /// # Errors
    /// No heading; a column that is there twice.
    pub(super) fn new(text: &'a str) -> Faulty<Self> {
        let reader = csv::ReaderBuilder::new()
            .comment(Some(b'#'))
            .has_headers(false)
            .flexible(true)
            .from_reader(text.as_bytes());
        let mut table = Self { reader, lines: Lines::new(text), text, columns: Vec::new() };
        let mut row = Row::default();
        if !table.next_row(&mut row)? {
            return at(0, ReadFault::Missing("heading".to_owned()));
        }
        table.columns = row.record.iter().map(|column| column.trim().to_owned()).collect();
        let mut sorted: Vec<&str> = table.columns.iter().map(String::as_str).collect();
        sorted.sort_unstable();
        let twice = sorted.windows(2).find(|pair| pair.first() == pair.get(1)).and_then(|pair| pair.first());
        match twice {
            Some(column) => at_field(row.line, column, ReadFault::twice(column)),
            None => Ok(table),
        }
    }

    /// The columns, in order.
    pub(super) fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Position of a column.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }

    /// Position of a column that must be there.
    pub(super) fn need(&self, name: &str) -> Faulty<usize> {
        let missing = || match self.alike(name) {
            Some(other) => format!("column {name:?} (there is {}, but case counts)", shortened(other)),
            None => format!("column {name:?}"),
        };
        self.find(name).map_or_else(|| at(self.lines.line(), ReadFault::Missing(missing())), Ok)
    }

    /// A column whose name differs in case at most.
    pub(super) fn alike(&self, name: &str) -> Option<&str> {
        self.columns.iter().map(String::as_str).find(|column| column.eq_ignore_ascii_case(name))
    }

    /// Reads the next row, and says whether there is one.
    ///
    /// # Errors
    /// A row with more or fewer cells than columns.
    pub(super) fn next_row(&mut self, row: &mut Row) -> Faulty<bool> {
        let more = self.reader.read_record(&mut row.record);
        let start = row
            .record
            .position()
            .map_or(0, |position| usize::try_from(position.byte()).unwrap_or(usize::MAX));
        // The reader's rows begin at the line ends, comments and empty lines before them.
        let blank = self.text.as_bytes().get(start..).unwrap_or_default();
        row.line = self.lines.at_byte(start + skipped(blank));
        match more {
            Err(error) => at(row.line, ReadFault::Csv(error.to_string())),
            Ok(true) if !self.columns.is_empty() && row.record.len() != self.columns.len() => {
                let text = format!("{} cells, and {} columns", row.record.len(), self.columns.len());
                at(row.line, ReadFault::Csv(text))
            }
            Ok(more) => Ok(more),
        }
    }

    /// Number of lines passed.
    pub(super) fn last_line(&self) -> u64 {
        count(self.text.as_bytes()) + 1
    }
}

/// Bytes of comments and empty lines at the beginning.
fn skipped(bytes: &[u8]) -> usize {
    let mut at = 0;
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        match rest.first() {
            Some(b'\n' | b'\r') => at += 1,
            Some(b'#') => at += memchr::memchr(b'\n', rest).unwrap_or(rest.len()),
            _ => return at,
        }
    }
}

impl Row {
    /// A cell as it stands.
    pub(super) fn cell(&self, column: usize) -> &str {
        self.record.get(column).unwrap_or_default()
    }

    /// A cell that is not empty, as it stands.
    pub(super) fn filled(&self, column: Option<usize>) -> Option<&str> {
        column.map(|column| self.cell(column)).filter(|cell| !cell.is_empty())
    }

    /// A number, blanks around it aside.
    pub(super) fn number(&self, column: usize, name: &str) -> Faulty<u64> {
        let cell = self.cell(column).trim();
        digits(cell).map_or_else(|| at_field(self.line, name, ReadFault::number(&format!("{cell:?}"))), Ok)
    }
}
