//! A record into a flatbuffer builder: the way back from `raw`.
//!
//! What a record holds is written and nothing else, fields with their default value included, so that
//! reading what was written gives an equal record. `force_align` of vectors is not honoured beyond the
//! 4 bytes that every vector has, because the builder cannot; the one field of the two schemas that
//! asks for more and is written this way is `CustomQuantization.custom`, which is read as bytes.

use std::error::Error;
use std::fmt;

use circle_tables::{Datum, Element, FieldDef, Kind, Record, Scalar};
use flatbuffers::{FlatBufferBuilder, TableFinishedWIPOffset, UOffsetT, VOffsetT, WIPOffset};

/// The size that a flatbuffer must stay below, in bytes: offsets are read as signed by some readers.
pub const MAX_SIZE: u64 = (1 << 31) - 1;

/// A record that does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// What the flatbuffer would take, in bytes.
    pub size: u64,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a flatbuffer of {} bytes, {MAX_SIZE} is the most", self.size)
    }
}

impl Error for TooLarge {}

/// Something already written, to which the table will refer.
type Child = WIPOffset<UOffsetT>;

/// Writes a record with everything inside it and returns where its table is.
///
/// # Errors
/// When the flatbuffer would pass [`MAX_SIZE`]; nothing has been written then.
pub fn emit(
    builder: &mut FlatBufferBuilder<'_>,
    record: &Record,
) -> Result<WIPOffset<TableFinishedWIPOffset>, TooLarge> {
    let size = upper_bound(record).saturating_add(builder.unfinished_data().len() as u64);
    if size > MAX_SIZE {
        return Err(TooLarge { size });
    }
    Ok(table(builder, record, &[]))
}

/// As [`emit`], with further fields whose values the caller has already written: vectors of tables
/// that were too many to be gathered in a record. Each is given by slot; a slot that the record holds
/// as well is written once, from `extra`.
///
/// # Errors
/// As [`emit`].
pub fn emit_with(
    builder: &mut FlatBufferBuilder<'_>,
    record: &Record,
    extra: &[(u16, WIPOffset<UOffsetT>)],
) -> Result<WIPOffset<TableFinishedWIPOffset>, TooLarge> {
    let size = upper_bound(record).saturating_add(builder.unfinished_data().len() as u64);
    if size > MAX_SIZE {
        return Err(TooLarge { size });
    }
    Ok(table(builder, record, extra))
}

fn table(
    builder: &mut FlatBufferBuilder<'_>,
    record: &Record,
    extra: &[(u16, Child)],
) -> WIPOffset<TableFinishedWIPOffset> {
    let own = |slot: u16| !extra.iter().any(|&(other, _)| other == slot);
    // A table can only refer to what has been written before it was begun.
    let mut children: Vec<(u16, Child)> = extra.to_vec();
    for (field, datum) in record.fields().filter(|(field, _)| own(field.slot)) {
        if let Some(child) = child(builder, field, datum) {
            children.push((field.slot, child));
        }
    }
    let start = builder.start_table();
    // From wide to narrow, so that no padding is needed between fields.
    for (field, datum) in record.fields().filter(|(field, _)| width(field) == 8 && own(field.slot)) {
        scalar(builder, field, datum);
    }
    for &(slot, child) in &children {
        builder.push_slot_always(entry(slot), child);
    }
    for width_now in [4, 2, 1] {
        for (field, datum) in record.fields().filter(|(field, _)| own(field.slot)) {
            match (field.kind, datum) {
                (Kind::Union(def), Datum::Union(member)) if width_now == 1 => {
                    // Setting a field has checked that the table is a member.
                    if let (Some(tag), Some(slot)) = (def.tag(member.def()), field.slot.checked_sub(1)) {
                        builder.push_slot_always::<u8>(entry(slot), tag);
                    }
                }
                _ if width(field) == width_now => scalar(builder, field, datum),
                _ => {}
            }
        }
    }
    builder.end_table(start)
}

/// The place of a slot in the vtable, in bytes.
fn entry(slot: u16) -> VOffsetT {
    4 + 2 * slot
}

/// Width in bytes of a number; 0 for what is written as an offset.
fn width(field: &FieldDef) -> usize {
    match field.kind {
        Kind::Scalar(scalar) => scalar.size(),
        Kind::Enum(def) => def.base.size(),
        _ => 0,
    }
}

/// Writes a number into the table under construction. Setting a field has checked its range.
fn scalar(builder: &mut FlatBufferBuilder<'_>, field: &FieldDef, datum: &Datum) {
    let at = entry(field.slot);
    let base = match field.kind {
        Kind::Scalar(scalar) => scalar,
        Kind::Enum(def) => def.base,
        _ => return,
    };
    match *datum {
        Datum::Bool(value) => builder.push_slot_always(at, value),
        Datum::F32(value) => builder.push_slot_always(at, value),
        Datum::F64(value) => builder.push_slot_always(at, value),
        Datum::Int(value) => match base {
            Scalar::I8 => builder.push_slot_always(at, value as i8),
            Scalar::U8 | Scalar::Bool => builder.push_slot_always(at, value as u8),
            Scalar::I16 => builder.push_slot_always(at, value as i16),
            Scalar::U16 => builder.push_slot_always(at, value as u16),
            Scalar::I32 => builder.push_slot_always(at, value as i32),
            Scalar::U32 | Scalar::F32 => builder.push_slot_always(at, value as u32),
            Scalar::I64 => builder.push_slot_always(at, value),
            Scalar::U64 | Scalar::F64 => builder.push_slot_always(at, value as u64),
        },
        _ => {}
    }
}

/// Writes what a field refers to; nothing for a number.
fn child(builder: &mut FlatBufferBuilder<'_>, field: &FieldDef, datum: &Datum) -> Option<Child> {
    let offset = match datum {
        Datum::Bool(_) | Datum::Int(_) | Datum::F32(_) | Datum::F64(_) => return None,
        Datum::Str(text) => builder.create_string(text).value(),
        Datum::Bools(values) => builder.create_vector(values).value(),
        Datum::Bytes(bytes) => builder.create_vector(bytes).value(),
        Datum::F32s(values) => builder.create_vector(values).value(),
        Datum::F64s(values) => builder.create_vector(values).value(),
        Datum::Ints(values) => ints(builder, field, values),
        Datum::Strs(texts) => {
            let texts: Vec<_> = texts.iter().map(|text| builder.create_string(text)).collect();
            builder.create_vector(&texts).value()
        }
        Datum::Record(record) | Datum::Union(record) => table(builder, record, &[]).value(),
        Datum::Records(records) => {
            let tables: Vec<_> = records.iter().map(|record| table(builder, record, &[])).collect();
            builder.create_vector(&tables).value()
        }
    };
    Some(WIPOffset::new(offset))
}

fn ints(builder: &mut FlatBufferBuilder<'_>, field: &FieldDef, values: &[i64]) -> UOffsetT {
    let base = match field.kind {
        Kind::Vector(Element::Scalar(scalar)) => scalar,
        Kind::Vector(Element::Enum(def)) => def.base,
        _ => Scalar::I64,
    };
    let values = values.iter().copied();
    match base {
        Scalar::I8 => builder.create_vector_from_iter(values.map(|value| value as i8)).value(),
        Scalar::U8 | Scalar::Bool => builder.create_vector_from_iter(values.map(|value| value as u8)).value(),
        Scalar::I16 => builder.create_vector_from_iter(values.map(|value| value as i16)).value(),
        Scalar::U16 => builder.create_vector_from_iter(values.map(|value| value as u16)).value(),
        Scalar::I32 => builder.create_vector_from_iter(values.map(|value| value as i32)).value(),
        Scalar::U32 | Scalar::F32 => {
            builder.create_vector_from_iter(values.map(|value| value as u32)).value()
        }
        Scalar::I64 => builder.create_vector_from_iter(values).value(),
        Scalar::U64 | Scalar::F64 => {
            builder.create_vector_from_iter(values.map(|value| value as u64)).value()
        }
    }
}

/// At most so many bytes are written for a record: padding, a vtable of its own, and its content.
fn upper_bound(record: &Record) -> u64 {
    let head = 16 + 2 * u64::from(record.def().slots());
    record.fields().fold(head, |sum, (_, datum)| sum.saturating_add(16).saturating_add(content(datum)))
}

fn content(datum: &Datum) -> u64 {
    let vector = |count: usize, size: u64| (count as u64).saturating_mul(size).saturating_add(16);
    match datum {
        Datum::Bool(_) | Datum::Int(_) | Datum::F32(_) | Datum::F64(_) => 0,
        Datum::Str(text) => vector(text.len(), 1),
        Datum::Bools(values) => vector(values.len(), 1),
        Datum::Bytes(bytes) => vector(bytes.len(), 1),
        Datum::F32s(values) => vector(values.len(), 4),
        Datum::Ints(values) => vector(values.len(), 8),
        Datum::F64s(values) => vector(values.len(), 8),
        Datum::Strs(texts) => {
            texts.iter().fold(vector(texts.len(), 4), |sum, text| sum.saturating_add(vector(text.len(), 1)))
        }
        Datum::Record(record) | Datum::Union(record) => upper_bound(record),
        Datum::Records(records) => {
            let offsets = vector(records.len(), 4);
            records.iter().fold(offsets, |sum, record| sum.saturating_add(upper_bound(record)))
        }
    }
}
