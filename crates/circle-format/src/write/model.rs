//! The head: everything of a file but the bytes of weights. Mirrors `read/model.rs`.

use std::ops::Range;

use circle_ir::{Entity, Model, ValueId};
use circle_schema::emit::{self, MAX_SIZE, TooLarge};
use circle_schema::{Format, RawTable, format_of, verify_circle};
use circle_tables::{Datum, Record, TableDef, circle};
use flatbuffers::{FlatBufferBuilder, TableFinishedWIPOffset, UOffsetT, WIPOffset};

use super::buffers::{Buffers, Lie, part_of};
use super::numbering::Numbers;
use super::tail::Tail;
use super::{Numbering, WriteError, operator, set, subgraph};
use crate::fault::Place;

/// What a head is made of.
pub(super) struct Parts<'a> {
    pub(super) model: &'a Model,
    pub(super) input: &'a [u8],
    pub(super) numbering: &'a Numbering,
    pub(super) numbers: &'a Numbers,
    pub(super) buffers: &'a Buffers<'a>,
    /// Names of our own metadata.
    pub(super) names: &'a [&'a str],
}

/// A flatbuffer in which some fields wait for the places of what they refer to. It is valid as it is: data in the
/// tail is an empty vector until its place is known.
pub(super) struct Head {
    /// The flatbuffer from `start` on; what is before it was never used.
    bytes: Vec<u8>,
    start: usize,
    data: Vec<Pointer>,
    custom: Vec<CustomOptions>,
}

/// A field of the head, by its place, and the block of the tail that it refers to.
struct Pointer {
    at: u64,
    to: Lie,
}

/// Options of a custom operator that lie outside the flatbuffer.
struct CustomOptions {
    /// The place of the offset in the head.
    at: u64,
    /// Where they are in the input.
    range: Range<u64>,
    place: Place,
}

/// A field of a table that is under construction: its slot and its value.
pub(super) type Field = (u16, WIPOffset<UOffsetT>);
type Table = WIPOffset<TableFinishedWIPOffset>;

/// A vector of tables as field `name` of `def`.
pub(super) fn tables(
    builder: &mut FlatBufferBuilder<'_>,
    def: &TableDef,
    name: &str,
    list: &[Table],
) -> Result<Field, TooLarge> {
    let size =
        (list.len() as u64).saturating_mul(4).saturating_add(16 + builder.unfinished_data().len() as u64);
    if size > MAX_SIZE {
        return Err(TooLarge { size });
    }
    let slot = def.field(name).map_or(0, |field| field.slot);
    Ok((slot, WIPOffset::new(builder.create_vector(list).value())))
}

impl Head {
    pub(super) fn new(parts: &Parts<'_>) -> Result<Self, WriteError> {
        let mut builder = FlatBufferBuilder::with_capacity(expected(parts));
        let frame = parts.model.frame();
        let def = &circle::MODEL;
        let mut fields = Vec::new();

        let list = buffers(&mut builder, parts.buffers)?;
        fields.push(tables(&mut builder, def, "buffers", &list)?);
        let list = metadata(&mut builder, parts)?;
        if frame.metadata.is_some() || !list.is_empty() {
            fields.push(tables(&mut builder, def, "metadata", &list)?);
        }
        if let Some(list) = signatures(&mut builder, parts)? {
            fields.push(tables(&mut builder, def, "signature_defs", &list)?);
        }
        let mut list = Vec::new();
        for (id, sg) in parts.model.subgraphs() {
            list.push(subgraph::write(&mut builder, id.index(), sg, parts)?);
        }
        fields.push(tables(&mut builder, def, "subgraphs", &list)?);
        let list = codes(&mut builder, parts)?;
        fields.push(tables(&mut builder, def, "operator_codes", &list)?);

        let mut record = frame.record.clone();
        if let Some(list) = &frame.metadata_buffer {
            let numbers = list.iter().enumerate().map(|(index, &id)| {
                let place =
                    || Place { part: Some(format!("metadata_buffer entry {index}")), ..Place::default() };
                parts.buffers.number(id, place).map(i64::from)
            });
            let numbers: Vec<i64> = numbers.collect::<Result<_, _>>()?;
            set(&mut record, "metadata_buffer", numbers, Place::default)?;
        }
        let root = emit::emit_with(&mut builder, &record, &fields)?;
        builder.finish(root, Some(Format::Circle.schema().file_identifier));
        let (bytes, start) = builder.collapse();

        let root = verify_circle(bytes.get(start..).unwrap_or_default()).map_err(WriteError::Verify)?;
        let data = data(&root, &parts.buffers.list)?;
        let custom = custom_options(&root, parts)?;
        Ok(Self { bytes, start, data, custom })
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.bytes.get(self.start..).unwrap_or_default()
    }

    /// Options of custom operators that lie outside the flatbuffer.
    pub(super) fn custom_options<'a>(&self, input: &'a [u8]) -> Result<Vec<&'a [u8]>, WriteError> {
        self.custom.iter().map(|custom| part_of(input, &custom.range, || custom.place.clone())).collect()
    }

    /// Fills in the places of the tail.
    pub(super) fn point_to(&mut self, tail: &Tail<'_>) {
        let bytes = self.bytes.get_mut(self.start..).unwrap_or_default();
        for &Pointer { at, to } in &self.data {
            match to {
                // Offsets count from where they stand. Both are below the limit of a flatbuffer.
                Lie::Inline(block) => {
                    let distance = tail.inline(block).saturating_sub(at) as u32;
                    overwrite(bytes, at, &distance.to_le_bytes());
                }
                Lie::External(block) => overwrite(bytes, at, &tail.external(block).to_le_bytes()),
                Lie::Absent | Lie::Empty => {}
            }
        }
        for (index, custom) in self.custom.iter().enumerate() {
            overwrite(bytes, custom.at, &tail.custom(index).to_le_bytes());
        }
    }
}

/// Bytes that the head will roughly need. A guess that is too low costs a copy of what was built so far, one that is too
/// high costs nothing: memory is taken when it is written to.
fn expected(parts: &Parts<'_>) -> usize {
    let subgraphs = parts.model.subgraphs().map(|(_, sg)| sg);
    let names = |sg: &circle_ir::Subgraph| sg.values().map(|(_, value)| value.name().len()).sum::<usize>();
    let of_subgraph = |sg: &circle_ir::Subgraph| 160 * (sg.value_count() + sg.operator_count()) + names(sg);
    let entries: usize = parts.names.iter().map(|name| 64 + name.len()).sum();
    4096 + entries + 48 * parts.buffers.list.len() + subgraphs.map(of_subgraph).sum::<usize>()
}

/// Puts bytes at a place that the verified head has.
fn overwrite(bytes: &mut [u8], at: u64, with: &[u8]) {
    let range = usize::try_from(at).ok().and_then(|at| bytes.get_mut(at..at.checked_add(with.len())?));
    debug_assert!(range.is_some(), "fields of a table lie in the file");
    if let Some(range) = range {
        range.copy_from_slice(with);
    }
}

fn buffers(builder: &mut FlatBufferBuilder<'_>, buffers: &Buffers<'_>) -> Result<Vec<Table>, WriteError> {
    let empty = WIPOffset::new(builder.create_vector::<u8>(&[]).value());
    let slot = circle::BUFFER.field("data").map_or(0, |field| field.slot);
    let plain = Record::new(&circle::BUFFER);
    let mut list = Vec::with_capacity(buffers.list.len());
    for (index, lie) in buffers.list.iter().enumerate() {
        list.push(match *lie {
            Lie::Absent => emit::emit(builder, &plain)?,
            Lie::Empty | Lie::Inline(_) => emit::emit_with(builder, &plain, &[(slot, empty)])?,
            Lie::External(block) => {
                let place = || Place { part: Some(format!("buffer {index}")), ..Place::default() };
                let size = buffers.external.get(block).map_or(0, |bytes| bytes.len());
                let mut record = plain.clone();
                set(&mut record, "offset", Datum::Int(0), place)?;
                set(&mut record, "size", Datum::Int(size as i64), place)?;
                emit::emit(builder, &record)?
            }
        });
    }
    Ok(list)
}

fn codes(builder: &mut FlatBufferBuilder<'_>, parts: &Parts<'_>) -> Result<Vec<Table>, WriteError> {
    let from_tflite = format_of(parts.input).is_ok_and(|format| format == Format::Tflite);
    let mut list = Vec::new();
    for listed in parts.numbers.listed.iter().filter_map(|&index| parts.model.frame().codes.get(index)) {
        let record = operator::listed(&listed.record, &listed.code, from_tflite)?;
        list.push(emit::emit(builder, &record)?);
    }
    for code in &parts.numbers.new {
        list.push(emit::emit(builder, &operator::new(code)?)?);
    }
    Ok(list)
}

fn metadata(builder: &mut FlatBufferBuilder<'_>, parts: &Parts<'_>) -> Result<Vec<Table>, WriteError> {
    let mut list = Vec::new();
    for (index, entry) in parts.model.frame().metadata.iter().flatten().enumerate() {
        let place = || Place { part: Some(format!("metadata entry {index}")), ..Place::default() };
        let mut record = entry.record.clone();
        let buffer = parts.buffers.number(entry.buffer, place)?;
        if buffer != 0 {
            set(&mut record, "buffer", buffer, place)?;
        }
        list.push(emit::emit(builder, &record)?);
    }
    for (index, &name) in parts.names.iter().enumerate() {
        let place = || Place { part: Some("metadata".into()), ..Place::default() };
        let mut record = Record::new(&circle::METADATA);
        set(&mut record, "name", name, place)?;
        set(&mut record, "buffer", parts.buffers.own(index), place)?;
        list.push(emit::emit(builder, &record)?);
    }
    Ok(list)
}

fn signatures(
    builder: &mut FlatBufferBuilder<'_>,
    parts: &Parts<'_>,
) -> Result<Option<Vec<Table>>, WriteError> {
    let Some(signatures) = &parts.model.frame().signatures else { return Ok(None) };
    let mut list = Vec::with_capacity(signatures.len());
    for (index, signature) in signatures.iter().enumerate() {
        let place = || Place { part: Some(format!("signature {index}")), ..Place::default() };
        let mut record = signature.record.clone();
        let subgraph = signature.subgraph.index();
        if subgraph != 0 {
            set(&mut record, "subgraph_index", signature.subgraph.number(), place)?;
        }
        for (field, maps) in [("inputs", &signature.inputs), ("outputs", &signature.outputs)] {
            let Some(maps) = maps else { continue };
            let maps = maps.iter().map(|(record, v)| tensor_map(record, *v, subgraph, parts, &place));
            let maps = maps.collect::<Result<_, _>>()?;
            set(&mut record, field, Datum::Records(maps), place)?;
        }
        list.push(emit::emit(builder, &record)?);
    }
    Ok(Some(list))
}

fn tensor_map(
    record: &Record,
    v: ValueId,
    subgraph: usize,
    parts: &Parts<'_>,
    place: &impl Fn() -> Place,
) -> Result<Record, WriteError> {
    let mut record = record.clone();
    let number = parts.numbers.value(subgraph, v, place)?;
    if number != 0 {
        set(&mut record, "tensor_index", number, place)?;
    }
    Ok(record)
}

/// Where the fields stand that refer to data in the tail.
fn data(root: &RawTable<'_>, list: &[Lie]) -> Result<Vec<Pointer>, WriteError> {
    let mut pointers = Vec::new();
    for (table, &to) in root.tables("buffers")?.zip(list) {
        let field = match to {
            Lie::Inline(_) => "data",
            Lie::External(_) => "offset",
            Lie::Absent | Lie::Empty => continue,
        };
        pointers.extend(table?.position_of(field).map(|at| Pointer { at, to }));
    }
    Ok(pointers)
}

/// Operators whose custom options lie outside the flatbuffer. Their offsets still are those of the input.
fn custom_options(root: &RawTable<'_>, parts: &Parts<'_>) -> Result<Vec<CustomOptions>, WriteError> {
    let any = parts
        .model
        .subgraphs()
        .any(|(_, sg)| sg.operators().any(|(_, op)| op.extra().uint("large_custom_options_offset") > 1));
    let mut list = Vec::new();
    if !any {
        return Ok(list);
    }
    for (subgraph, table) in root.tables("subgraphs")?.enumerate() {
        for (index, operator) in table?.tables("operators")?.enumerate() {
            let operator = operator?;
            let start = operator.uint("large_custom_options_offset")?;
            let size = operator.uint("large_custom_options_size")?;
            let Some(at) = operator.position_of("large_custom_options_offset").filter(|_| start > 1) else {
                continue;
            };
            let place = Place {
                subgraph: Some((subgraph, String::new())),
                operator: Some((index, String::new())),
                part: Some("large_custom_options".into()),
                ..Place::default()
            };
            list.push(CustomOptions { at, range: start..start.saturating_add(size), place });
        }
    }
    Ok(list)
}
