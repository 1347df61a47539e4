//! Buffers as ranges of the file; their bytes are not looked at.

use circle_ir::{Buffer, Placement};
use circle_schema::{Findings, RawError, RawTable};

use crate::fault::{Faults, Place};

pub(super) fn read(
    bytes: &[u8],
    root: &RawTable<'_>,
    findings: &mut Findings,
    faults: &mut Faults,
) -> Result<Vec<Buffer>, RawError> {
    let tables = root.tables("buffers")?;
    let mut buffers = Vec::with_capacity(tables.len());
    for (index, table) in tables.enumerate() {
        let place = || Place { part: Some(format!("buffer {index}")), ..Place::default() };
        let table = table?;
        findings.within_element("buffers", index, |findings| table.note_newer(findings));
        buffers.push(read_one(bytes, &table, faults, &place)?);
    }
    Ok(buffers)
}

fn read_one(
    bytes: &[u8],
    table: &RawTable<'_>,
    faults: &mut Faults,
    place: &impl Fn() -> Place,
) -> Result<Buffer, RawError> {
    let data = table.byte_range("data")?;
    let (offset, size) = (table.uint("offset")?, table.uint("size")?);
    // Offset and size 0 or 1 are the defaults and placeholders of writers; anything else points into the file.
    if offset <= 1 {
        return Ok(match data {
            Some(range) if range.is_empty() => Buffer::Empty { vector: true },
            Some(range) => Buffer::Source { range, placement: Placement::Inline },
            None => Buffer::Empty { vector: false },
        });
    }
    let len = bytes.len() as u64;
    if data.is_some_and(|range| !range.is_empty()) {
        faults.add(place(), "holds data and points outside the flatbuffer as well");
    }
    match offset.checked_add(size) {
        Some(end) if end <= len => Ok(Buffer::Source { range: offset..end, placement: Placement::External }),
        _ => {
            faults.add(
                place(),
                format!("{size} bytes at offset {offset} lie beyond the end of the file, which has {len}"),
            );
            Ok(Buffer::Empty { vector: false })
        }
    }
}
