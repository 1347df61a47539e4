//! CSV with a heading that names the columns.

use crate::place::shortened;

use super::error::{Faulty, ReadFault, at, at_field};
use super::text::{Lines, count, digits};

/// A table, read row by row.
pub(super) struct Table<'a> {
    reader: csv::Reader<&'a [u8]>,
    lines: Lines<'a>,
    text: &'a str,
    /// Where the reader begins.
    begin: usize,
    columns: Vec<String>,
}

/// One row with its line.
#[derive(Debug, Default)]
pub(super) struct Row {
    record: csv::StringRecord,
    pub(super) line: u64,
}

impl<'a> Table<'a> {
    /// Reads the heading. Lines before it that begin with `#` are comments; behind it every line is a row, for names may
    /// begin so, too.
    ///
    /// # Errors
    /// No heading; a column that is there twice.
    pub(super) fn new(text: &'a str) -> Faulty<Self> {
        let begin = heading(text.as_bytes());
        let reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .from_reader(text.as_bytes().get(begin..).unwrap_or_default());
        let mut table = Self { reader, lines: Lines::new(text), text, begin, columns: Vec::new() };
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
            .map_or(0, |position| usize::try_from(position.byte()).unwrap_or(usize::MAX))
            .saturating_add(self.begin);
        // The reader's rows begin at the line ends and empty lines before them.
        let rest = self.text.as_bytes().get(start..).unwrap_or_default();
        let blank = rest.iter().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
        row.line = self.lines.at_byte(start.saturating_add(blank));
        match more {
            Err(error) => at(row.line, ReadFault::Csv(error.to_string())),
            Ok(true) if !self.columns.is_empty() && row.record.len() != self.columns.len() => {
                let comment = row.record.get(0).is_some_and(|cell| cell.starts_with('#'));
                let comment = if comment { "; comments stand before the heading" } else { "" };
                let text = format!("{} cells, and {} columns{comment}", row.record.len(), self.columns.len());
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

/// Where the heading begins, behind comments and empty lines.
fn heading(bytes: &[u8]) -> usize {
    let mut begin = 0;
    while let Some(rest) = bytes.get(begin..).filter(|rest| !rest.is_empty()) {
        let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
        let line = rest.get(..end).unwrap_or_default().trim_ascii_start();
        if !line.is_empty() && !line.starts_with(b"#") {
            break;
        }
        begin += end;
    }
    begin
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
