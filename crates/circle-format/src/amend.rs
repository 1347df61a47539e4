//! A file with one more metadata entry and otherwise as it is, whatever its format: for TFLite, which the writer does
//! not write.
//!
//! Offsets of a flatbuffer lead forward from where they stand, so a file stays whole when something is put before it,
//! and what is put before it can refer to all of it. A new head is put before the file: its root with the fields of the
//! old one, new lists of buffers and of metadata whose elements lie in the file, and the new entry. What counts from the
//! start of the file instead (weights and options outside the flatbuffer, the places in an archive behind it) is counted
//! anew. Where the entry is there already and as long, its bytes are overwritten and nothing is put anywhere.

use std::io;
use std::ops::Range;

use circle_schema::emit::MAX_SIZE;
use circle_schema::{RawTable, verify};
use circle_tables::Kind;

use crate::archive::Archive;
use crate::fault::{Fault, Place};
use crate::write::{Extra, WriteError};

/// The file moves by a multiple of this many bytes, so that what is aligned in it stays so.
const ALIGNMENT: usize = 64;

/// What is changed: by subgraph, the positions that operators have now, in the order in which they are to run, if it is
/// another one.
pub type Orders<'a> = &'a [Option<Vec<u32>>];

/// Writes a circle or tflite file with a metadata entry set, and operators in another order; the length of the result
/// in bytes. Another entry of that name goes, its bytes stay behind unused. `archive` says where an archive lies that
/// follows the model.
///
/// # Errors
/// When the bytes are no model, an order is not one of the operators, subgraphs with different orders share their list
/// of operators, or the result is larger than a flatbuffer can be; when the sink fails.
pub fn amend(
    bytes: &[u8],
    archive: Option<Range<u64>>,
    entry: Extra<'_>,
    orders: Orders<'_>,
    sink: &mut dyn io::Write,
) -> Result<u64, WriteError> {
    let (_, root) = verify(bytes).map_err(WriteError::Verify)?;
    let mut patches = Patches::default();
    reorder(bytes, &root, orders, &mut patches)?;
    let old = entry_of(&root, entry.name)?;
    let same = match &old {
        Some(range) => range.end.saturating_sub(range.start) == entry.payload.len() as u64,
        None => false,
    };
    if let Some(range) = old.filter(|_| same) {
        patches.list.push((range.start, entry.payload.to_vec()));
        return stream(&[], bytes, patches, None, sink);
    }
    let head = head(bytes, &root, entry)?;
    let shift = head.len() as u64;
    let outside = shift_outside(&root, shift, &mut patches)?;
    // The flatbuffer ends before what lies outside of it.
    let end = shift.saturating_add(outside.unwrap_or(bytes.len() as u64));
    if end > MAX_SIZE {
        return Err(WriteError::TooLarge { size: end });
    }
    stream(&head, bytes, patches, archive, sink)
}

/// Bytes that replace others, with their places in the file.
#[derive(Default)]
struct Patches {
    list: Vec<(u64, Vec<u8>)>,
}

fn fault(part: &str, text: String) -> WriteError {
    let place = Place { part: Some(part.to_owned()), ..Place::default() };
    WriteError::Fault(Box::new(Fault { place, text }))
}

fn u32_at(bytes: &[u8], at: u64) -> Option<u32> {
    let at = usize::try_from(at).ok()?;
    Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

/// Where the offset at a place leads.
fn target(bytes: &[u8], at: u64) -> Result<u64, WriteError> {
    let offset = u32_at(bytes, at).ok_or_else(|| fault("file", format!("no offset at byte {at}")))?;
    Ok(at.saturating_add(offset.into()))
}

/// Lists operators in another order.
fn reorder(
    bytes: &[u8],
    root: &RawTable<'_>,
    orders: Orders<'_>,
    patches: &mut Patches,
) -> Result<(), WriteError> {
    let mut seen: Vec<(u64, Option<&Vec<u32>>)> = Vec::new();
    for (index, (table, order)) in root.tables("subgraphs")?.zip(orders).enumerate() {
        let Some(at) = table?.position_of("operators") else { continue };
        let list = target(bytes, at)?;
        seen.push((list, order.as_ref()));
        let Some(order) = order else { continue };
        let part = format!("subgraph {index} operators");
        let count = u32_at(bytes, list).unwrap_or(0);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        if !sorted.iter().copied().eq(0..count) {
            return Err(fault(&part, format!("the order is not one of {count} operators")));
        }
        let element = |position: u32| list + 4 + 4 * u64::from(position);
        let mut elements = Vec::with_capacity(order.len().saturating_mul(4));
        for (to, &from) in (0..).zip(order) {
            let distance = target(bytes, element(from))?.checked_sub(element(to));
            let distance = distance.and_then(|distance| u32::try_from(distance).ok());
            let distance = distance.ok_or_else(|| fault(&part, "an operator lies before its list".into()))?;
            elements.extend(distance.to_le_bytes());
        }
        patches.list.push((list + 4, elements));
    }
    seen.sort_unstable();
    if seen.windows(2).any(|pair| matches!(pair, [a, b] if a.0 == b.0 && a.1 != b.1)) {
        return Err(fault(
            "subgraphs",
            "share their list of operators and would run in different orders".into(),
        ));
    }
    seen.dedup();
    patches.list.sort();
    patches.list.dedup();
    Ok(())
}

/// Where the payload of the last entry of a name lies.
fn entry_of(root: &RawTable<'_>, name: &str) -> Result<Option<Range<u64>>, WriteError> {
    let mut found = None;
    for table in root.tables("metadata")? {
        let table = table?;
        if table.str("name")? == Some(name) {
            found = Some(table.uint("buffer")?);
        }
    }
    let Some(number) = found.and_then(|number| usize::try_from(number).ok()) else { return Ok(None) };
    let buffer = root.tables("buffers")?.get(number).transpose()?;
    Ok(buffer.map(|buffer| buffer.byte_range("data")).transpose()?.flatten())
}

/// Counts anew what counts from the start of the file; the first byte that lies outside of the flatbuffer.
fn shift_outside(root: &RawTable<'_>, shift: u64, patches: &mut Patches) -> Result<Option<u64>, WriteError> {
    let mut first: Option<u64> = None;
    let mut tables: Vec<(RawTable<'_>, &'static str)> = Vec::new();
    for buffer in root.tables("buffers")? {
        tables.push((buffer?, "offset"));
    }
    for subgraph in root.tables("subgraphs")? {
        for operator in subgraph?.tables("operators")? {
            tables.push((operator?, "large_custom_options_offset"));
        }
    }
    for (table, field) in tables {
        let place = table.uint(field)?;
        // 0 and 1 stand for data that is inside.
        if let Some(at) = table.position_of(field).filter(|_| place > 1) {
            first = Some(first.map_or(place, |first| first.min(place)));
            patches.list.push((at, place.saturating_add(shift).to_le_bytes().to_vec()));
        }
    }
    patches.list.sort();
    patches.list.dedup();
    Ok(first)
}

/// The bytes that are put before the file.
fn head(bytes: &[u8], root: &RawTable<'_>, entry: Extra<'_>) -> Result<Vec<u8>, WriteError> {
    let mut head = Head { bytes: Vec::new(), forward: Vec::new() };
    let identifier = bytes.get(4..8).unwrap_or(b"TFL3");
    head.bytes.extend([0; 4]);
    head.bytes.extend(identifier);

    // Slots of the root: numbers are copied, everything else is referred to where it lies.
    let fields = root.def().fields;
    let slot = |name: &str| root.def().field(name).map_or(0, |field| usize::from(field.slot));
    let (buffers, metadata) = (slot("buffers"), slot("metadata"));
    let slots = fields.iter().map(|field| usize::from(field.slot) + 1).max().unwrap_or(0);
    let present: Vec<_> = fields
        .iter()
        .filter(|f| {
            let slot = usize::from(f.slot);
            slot == buffers || slot == metadata || root.has(f.name)
        })
        .collect();
    let mut vtable = vec![0u16; slots + 2];
    let table_size = 4 + 4 * present.len();
    for (position, field) in present.iter().enumerate() {
        if let Some(slot) = vtable.get_mut(usize::from(field.slot) + 2) {
            *slot = (4 + 4 * position) as u16;
        }
    }
    let vtable_size = 2 * vtable.len();
    for (slot, size) in vtable.iter_mut().zip([vtable_size as u16, table_size as u16]) {
        *slot = size;
    }
    head.align(4, vtable_size);
    let vtable_at = head.bytes.len();
    head.bytes.extend(vtable.iter().flat_map(|word| word.to_le_bytes()));
    let table_at = head.bytes.len();
    head.set(0, table_at as u32);
    head.bytes.extend(((table_at - vtable_at) as u32).to_le_bytes());
    let (mut buffers_at, mut metadata_at) = (0, 0);
    for field in present {
        let at = head.bytes.len();
        match usize::from(field.slot) {
            slot if slot == buffers => buffers_at = at,
            slot if slot == metadata => metadata_at = at,
            _ => {
                let place = root.position_of(field.name).unwrap_or(0);
                match field.kind {
                    Kind::Scalar(_) | Kind::Enum(_) => {
                        let number = u32_at(bytes, place).unwrap_or(0);
                        head.bytes.extend(number.to_le_bytes());
                        continue;
                    }
                    _ => head.forward.push((at, target(bytes, place)?)),
                }
            }
        }
        head.bytes.extend([0; 4]);
    }
    let mut list = Vec::new();
    for buffer in root.tables("buffers")? {
        list.push(buffer?.position());
    }
    let number = list.len();
    let new_buffer = head.list(buffers_at, &list);
    let mut list = Vec::new();
    for table in root.tables("metadata")? {
        let table = table?;
        if table.str("name")? != Some(entry.name) {
            list.push(table.position());
        }
    }
    let new_entry = head.list(metadata_at, &list);
    let number = u32::try_from(number).map_err(|_| fault("buffers", "there are too many of them".into()))?;
    head.entry(new_entry, entry.name, number);
    head.payload(new_buffer, entry.payload)?;
    head.align(ALIGNMENT, 0);
    head.finish()
}

struct Head {
    bytes: Vec<u8>,
    /// Places of offsets that lead into the file, and where in it.
    forward: Vec<(usize, u64)>,
}

impl Head {
    /// Pads so that what follows is aligned after `before` more bytes.
    fn align(&mut self, alignment: usize, before: usize) {
        while !(self.bytes.len() + before).is_multiple_of(alignment) {
            self.bytes.push(0);
        }
    }

    fn set(&mut self, at: usize, value: u32) {
        if let Some(place) = self.bytes.get_mut(at..at + 4) {
            place.copy_from_slice(&value.to_le_bytes());
        }
    }

    /// Lets the offset at a place lead to the end of what there is.
    fn lead_here(&mut self, at: usize) {
        self.set(at, (self.bytes.len() - at) as u32);
    }

    /// A list that the offset at `from` leads to, of tables of the file and one more; where the offset to that stands.
    fn list(&mut self, from: usize, tables: &[u64]) -> usize {
        self.lead_here(from);
        self.bytes.extend((tables.len() as u32).wrapping_add(1).to_le_bytes());
        for &table in tables {
            self.forward.push((self.bytes.len(), table));
            self.bytes.extend([0; 4]);
        }
        self.bytes.extend([0; 4]);
        self.bytes.len() - 4
    }

    /// A table of metadata: vtable with name and buffer, table, name.
    fn entry(&mut self, from: usize, name: &str, buffer: u32) {
        self.bytes.extend([8u16, 12, 4, 8].iter().flat_map(|word| word.to_le_bytes()));
        self.lead_here(from);
        self.bytes.extend(8u32.to_le_bytes());
        let name_at = self.bytes.len();
        self.bytes.extend([0; 4]);
        self.bytes.extend(buffer.to_le_bytes());
        self.lead_here(name_at);
        self.bytes.extend((name.len() as u32).to_le_bytes());
        self.bytes.extend(name.as_bytes());
        self.bytes.push(0);
        self.align(4, 0);
    }

    /// A buffer: vtable with data, table, data at a multiple of 16 bytes as the schema asks.
    fn payload(&mut self, from: usize, payload: &[u8]) -> Result<(), WriteError> {
        let size = payload.len() as u64;
        let length = u32::try_from(size).map_err(|_| WriteError::TooLarge { size })?;
        self.bytes.extend([6u16, 8, 4, 0].iter().flat_map(|word| word.to_le_bytes()));
        self.lead_here(from);
        self.bytes.extend(8u32.to_le_bytes());
        let data_at = self.bytes.len();
        self.bytes.extend([0; 4]);
        self.align(16, 4);
        self.lead_here(data_at);
        self.bytes.extend(length.to_le_bytes());
        self.bytes.extend(payload);
        Ok(())
    }

    /// Sets the offsets that lead into the file, which begins behind the head.
    fn finish(mut self) -> Result<Vec<u8>, WriteError> {
        let shift = self.bytes.len() as u64;
        for (at, to) in std::mem::take(&mut self.forward) {
            let distance = shift.saturating_add(to) - at as u64;
            let distance = u32::try_from(distance).map_err(|_| WriteError::TooLarge { size: distance })?;
            self.set(at, distance);
        }
        Ok(self.bytes)
    }
}

/// The head, the file with its patches, and the archive with its places counted anew.
fn stream(
    head: &[u8],
    bytes: &[u8],
    mut patches: Patches,
    archive: Option<Range<u64>>,
    sink: &mut dyn io::Write,
) -> Result<u64, WriteError> {
    let archive = archive.and_then(|range| Some((usize::try_from(range.start).ok()?, range.start)));
    let (file, behind) = match archive.filter(|&(at, _)| at <= bytes.len()) {
        Some((at, start)) => {
            let (file, archive) = bytes.split_at(at);
            let parsed = Archive::parse(archive).ok_or(WriteError::Archive)?;
            let (files, end) = parsed.moved(archive, start.saturating_add(head.len() as u64));
            (file, Some((files, end)))
        }
        None => (bytes, None),
    };
    patches.list.sort();
    let mut write = |bytes: &[u8]| sink.write_all(bytes).map_err(WriteError::Io);
    write(head)?;
    let mut written = head.len() as u64;
    let mut at = 0usize;
    for (place, new) in &patches.list {
        let place = usize::try_from(*place).ok().filter(|&place| place >= at);
        let place = place.ok_or_else(|| fault("file", "what is to be changed overlaps".into()))?;
        let before = file.get(at..place).ok_or_else(|| fault("file", "ends early".into()))?;
        write(before)?;
        write(new)?;
        at = place + new.len();
    }
    write(file.get(at..).ok_or_else(|| fault("file", "ends early".into()))?)?;
    written += file.len() as u64;
    if let Some((files, end)) = behind {
        write(files)?;
        write(&end)?;
        written += files.len() as u64 + end.len() as u64;
    }
    Ok(written)
}
