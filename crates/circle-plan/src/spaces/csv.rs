//! Spaces as text: `space,bytes,id,lower,upper,size,start`, a plane a line.
//!
//! `space` and `bytes` are name and size of the space, the same for all of its planes; the other columns are those
//! of [`Plane`], `upper` exclusive, sizes in bytes. A header line names the columns, in any order. Optional:
//! `alignment`, of the space. Comments stand before the header, as in problems of blocks.

use std::collections::BTreeMap;

use super::problem::{Plane, Space, Spaces};
use crate::csv::{CsvError, behind_comments, columns, number, quoted, syntax};

const COLUMNS: [&str; 8] = ["space", "bytes", "id", "lower", "upper", "size", "start", "alignment"];

/// Reads spaces, in the order of their first planes.
///
/// # Errors
/// The first fault, see [`CsvError`]. Whether the spaces make a problem is for [`Spaces::new`] to say.
pub fn read(text: &[u8]) -> Result<Vec<Space>, CsvError> {
    let (text, before) = behind_comments(text);
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::Headers).from_reader(text);
    let at = columns(reader.headers().map_err(|e| syntax(&e, before))?, &COLUMNS, before + 1)?;
    for (column, name) in at.iter().zip(COLUMNS).take(7) {
        column.ok_or(CsvError::Missing { line: before + 1, column: name })?;
    }
    let [space, bytes, id, lower, upper, size, start, alignment] = at;
    let mut spaces: Vec<Space> = Vec::new();
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    for record in reader.records() {
        let record = record.map_err(|e| syntax(&e, before))?;
        let line = before + record.position().map_or(0, csv::Position::line);
        let cell = |column: Option<usize>| column.and_then(|c| record.get(c)).unwrap_or("");
        let number = |column, name| number(line, name, cell(column));
        let plane = Plane {
            id: cell(id).to_owned(),
            lower: number(lower, "lower")?,
            upper: number(upper, "upper")?,
            size: number(size, "size")?,
            start: number(start, "start")?,
        };
        let bytes = number(bytes, "bytes")?;
        let blank = cell(alignment).trim().is_empty();
        let alignment = if blank { 1 } else { number(alignment, "alignment")? };
        let name = cell(space);
        let index = *known.entry(name.to_owned()).or_insert(spaces.len());
        match spaces.get_mut(index) {
            None => spaces.push(Space { id: name.to_owned(), size: bytes, alignment, planes: vec![plane] }),
            Some(space) => {
                let same = [("bytes", bytes, space.size), ("alignment", alignment, space.alignment)];
                if let Some(&(column, value, before)) = same.iter().find(|(_, value, before)| value != before)
                {
                    return Err(CsvError::Differs { line, column, value, before });
                }
                space.planes.push(plane);
            }
        }
    }
    Ok(spaces)
}

/// Writes spaces. [`read`] gives them back. The column `alignment` is only there if some space has one.
pub fn write(problem: &Spaces) -> String {
    let aligned = problem.spaces().iter().any(|space| space.alignment != 1);
    let mut text = COLUMNS.get(..if aligned { 8 } else { 7 }).unwrap_or(&COLUMNS).join(",");
    text.push('\n');
    for space in problem.spaces() {
        for plane in &space.planes {
            let (name, id) = (quoted(&space.id), quoted(&plane.id));
            let Plane { lower, upper, size, start, .. } = plane;
            text.push_str(&format!("{name},{},{id},{lower},{upper},{size},{start}", space.size));
            if aligned {
                text.push_str(&format!(",{}", space.alignment));
            }
            text.push('\n');
        }
    }
    text
}
