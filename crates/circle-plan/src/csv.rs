//! Problems and plans as text: `id,lower,upper,size[,offset]`, `upper` exclusive, sizes and offsets in
//! bytes. The public sets of planning problems have this form.
//!
//! A header line names the columns, in any order. Lines that begin with `#` before it are comments; behind it every line is
//! a row, for an id may begin so. Optional columns: `offset` (a plan; an empty cell
//! is no offset) and `alignment`. Other columns are refused: a name misspelt is a fault to be told.

use std::fmt;

use crate::problem::{Block, Plan, Problem};

/// Why text is no problem. `line` counts from 1.
#[derive(Debug)]
pub enum CsvError {
    /// The text is no CSV.
    Syntax {
        /// Line, if known.
        line: u64,
        /// What the parser says.
        reason: String,
    },
    /// The header has no such column.
    Missing {
        /// Line of the header.
        line: u64,
        /// Its name.
        column: &'static str,
    },
    /// The header names an unknown column, or one twice.
    Column {
        /// Line of the header.
        line: u64,
        /// Its name.
        column: String,
        /// Whether it is there twice.
        twice: bool,
        /// The columns there may be.
        known: &'static [&'static str],
    },
    /// A cell is no number of 64 bits.
    Number {
        /// Its line.
        line: u64,
        /// Its column.
        column: &'static str,
        /// What stands there.
        value: String,
    },
    /// What must be the same for all planes of a space is not.
    Differs {
        /// Its line.
        line: u64,
        /// Its column.
        column: &'static str,
        /// What stands there.
        value: u64,
        /// What stands in the lines before.
        before: u64,
    },
    /// Some blocks have an offset and some have none, where a plan was expected.
    Partial {
        /// Line of the first block without offset.
        line: u64,
        /// Its id.
        id: String,
    },
}

impl fmt::Display for CsvError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax { line, reason } => write!(f, "line {line}: {reason}"),
            Self::Missing { line, column } => write!(f, "line {line}: no column `{column}`"),
            Self::Column { line, column, twice: true, .. } => {
                write!(f, "line {line}: column `{column}` twice")
            }
            Self::Column { line, column, twice: false, known } => {
                write!(f, "line {line}: unknown column `{column}`, known are {}", known.join(", "))
            }
            Self::Number { line, column, value } => {
                write!(f, "line {line}, {column}: `{value}` is no number from 0 to {}", u64::MAX)
            }
            Self::Differs { line, column, value, before } => {
                write!(f, "line {line}, {column}: {value}, but {before} before in the same space")
            }
            Self::Partial { line, id } => write!(f, "line {line}: block `{id}` has no offset, others have"),
        }
    }
}

impl std::error::Error for CsvError {}

const COLUMNS: [&str; 6] = ["id", "lower", "upper", "size", "offset", "alignment"];

/// What a file holds: blocks, and where each goes if the file says so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// The blocks, none fixed.
    pub blocks: Vec<Block>,
    /// Offset of each block, if there is a column of offsets with any value in it.
    pub offsets: Option<Vec<u64>>,
}

/// Reads a table. Spaces around numbers are ignored, ids are taken as they stand.
///
/// # Errors
/// The first fault, see [`CsvError`]. Whether the blocks make a problem is for [`Problem::new`] to say.
pub fn read(text: &[u8]) -> Result<Table, CsvError> {
    read_aligned(text, 1)
}

/// The same, with the alignment in bytes of blocks that say nothing of theirs; what the file says of a block counts, also
/// if that is 1.
///
/// # Errors
/// As of [`read`].
pub fn read_aligned(text: &[u8], alignment_unsaid: u64) -> Result<Table, CsvError> {
    let (text, before) = behind_comments(text);
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::Headers).from_reader(text);
    let columns = columns(reader.headers().map_err(|e| syntax(&e, before))?, &COLUMNS, before + 1)?;
    let [id, lower, upper, size, offset, alignment] = columns;
    for (column, name) in [id, lower, upper, size].iter().zip(COLUMNS) {
        column.ok_or(CsvError::Missing { line: before + 1, column: name })?;
    }
    let mut blocks = Vec::new();
    let mut offsets = Vec::new();
    let mut without: Option<(u64, String)> = None;
    for record in reader.records() {
        let record = record.map_err(|e| syntax(&e, before))?;
        let line = before + record.position().map_or(0, csv::Position::line);
        let cell = |column: Option<usize>| column.and_then(|c| record.get(c)).unwrap_or("");
        let number = |column, name| number(line, name, cell(column));
        let mut block =
            Block::new(cell(id), number(lower, "lower")?, number(upper, "upper")?, number(size, "size")?);
        block.alignment = match cell(alignment).trim() {
            "" => alignment_unsaid,
            _ => number(alignment, "alignment")?,
        };
        if cell(offset).trim().is_empty() {
            without.get_or_insert_with(|| (line, block.id.clone()));
        } else {
            offsets.push(number(offset, "offset")?);
        }
        blocks.push(block);
    }
    match without {
        Some((line, id)) if !offsets.is_empty() => Err(CsvError::Partial { line, id }),
        Some(_) => Ok(Table { blocks, offsets: None }),
        None => Ok(Table { blocks, offsets: offset.map(|_| offsets) }),
    }
}

/// The number in a cell, without the spaces around it.
pub(crate) fn number(line: u64, column: &'static str, cell: &str) -> Result<u64, CsvError> {
    let value = cell.trim();
    value.parse().map_err(|_| CsvError::Number { line, column, value: value.to_owned() })
}

/// The text from its header on, and the number of lines before it: comments and empty lines.
pub(crate) fn behind_comments(text: &[u8]) -> (&[u8], u64) {
    let (mut rest, mut before) = (text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text), 0);
    while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
        let (line, behind) = rest.split_at(end + 1);
        let line = line.trim_ascii();
        if !line.is_empty() && !line.starts_with(b"#") {
            break;
        }
        (rest, before) = (behind, before + 1);
    }
    (rest, before)
}

/// Where each of the known columns stands in the header, which is that line.
pub(crate) fn columns<const N: usize>(
    header: &csv::StringRecord,
    known: &'static [&'static str; N],
    line: u64,
) -> Result<[Option<usize>; N], CsvError> {
    let mut columns = [None; N];
    for (at, name) in header.iter().enumerate() {
        let fault = |twice| CsvError::Column { line, column: name.to_owned(), twice, known };
        match known.iter().position(|c| *c == name).and_then(|c| columns.get_mut(c)) {
            None => return Err(fault(false)),
            Some(Some(_)) => return Err(fault(true)),
            Some(slot) => *slot = Some(at),
        }
    }
    Ok(columns)
}

/// What the parser says of text that `before` lines come before.
pub(crate) fn syntax(error: &csv::Error, before: u64) -> CsvError {
    let line = before + error.position().map_or(0, csv::Position::line);
    CsvError::Syntax { line, reason: error.to_string() }
}

/// Writes the blocks of a problem, with their offsets if a plan is given. [`read`] gives them back. The
/// column `alignment` is only there if some block has one.
pub fn write(problem: &Problem, plan: Option<&Plan>) -> String {
    let aligned = problem.blocks().iter().any(|b| b.alignment != 1);
    let mut text = String::from("id,lower,upper,size");
    text.push_str(if plan.is_some() { ",offset" } else { "" });
    text.push_str(if aligned { ",alignment\n" } else { "\n" });
    for (index, block) in problem.blocks().iter().enumerate() {
        let mut cells =
            vec![quoted(&block.id), block.lower.to_string(), block.upper.to_string(), block.size.to_string()];
        if let Some(plan) = plan {
            cells.push(plan.offsets.get(index).map(u64::to_string).unwrap_or_default());
        }
        if aligned {
            cells.push(block.alignment.to_string());
        }
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    text
}

/// A cell in quotes where CSV needs them, with quotes doubled; also where others would take the row for a comment.
pub(crate) fn quoted(cell: &str) -> String {
    let bare = !cell.is_empty() && !cell.starts_with('#') && cell.trim() == cell;
    if !bare || cell.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}
