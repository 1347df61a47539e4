//! Operators and operator codes. Mirrors `read/operator.rs`.

use circle_ir::{OpCode, Operator, ValueId};
use circle_tables::opcode::{self, OptionsUnion};
use circle_tables::{CIRCLE, Datum, Record, circle};

use super::numbering::{Numbers, fault};
use super::{WriteError, set};
use crate::fault::Place;

/// An operator code of the input's list as it is written. Those of a tflite file may state their code in a way that
/// means another one in circle.
pub(super) fn listed(record: &Record, code: &OpCode, from_tflite: bool) -> Result<Record, WriteError> {
    let mut record = record.clone();
    let builtin = record.int("builtin_code") as i32;
    let means = opcode::decode(record.int("deprecated_builtin_code") as i8, builtin);
    if from_tflite || means != code.builtin {
        state(&mut record, code)?;
    }
    Ok(record)
}

/// An operator code that passes have brought in.
pub(super) fn new(code: &OpCode) -> Result<Record, WriteError> {
    let mut record = Record::new(&circle::OPERATOR_CODE);
    state(&mut record, code)?;
    let place = || Place { part: Some(format!("operator code {}", code.name())), ..Place::default() };
    if let Some(custom) = &code.custom {
        set(&mut record, "custom_code", Datum::Str(custom.clone()), place)?;
    }
    set(&mut record, "version", code.version, place)?;
    Ok(record)
}

fn state(record: &mut Record, code: &OpCode) -> Result<(), WriteError> {
    let place = || Place { part: Some(format!("operator code {}", code.name())), ..Place::default() };
    let (short, full) = opcode::encode(code.builtin);
    set(record, "deprecated_builtin_code", i32::from(short), place)?;
    set(record, "builtin_code", full, place)
}

/// One operator.
pub(super) fn record(
    op: &Operator,
    subgraph: usize,
    numbers: &Numbers,
    place: &impl Fn() -> Place,
) -> Result<Record, WriteError> {
    let mut record = op.extra().clone();
    let Some(code) = numbers.code(op.code()) else {
        return Err(fault(place(), "its operator code is not listed".into()));
    };
    // Zero is what a reader takes for an absent index.
    if code != 0 {
        set(&mut record, "opcode_index", code, place)?;
    }
    if let Some(options) = op.options() {
        let Some(union) = OptionsUnion::of(&CIRCLE, options.def()) else {
            return Err(fault(place(), format!("{} are no options of an operator", options.name())));
        };
        set(&mut record, union.field(), Datum::Union(Box::new(options.clone())), place)?;
    }
    let outputs = op.outputs().iter().copied().map(Some);
    tensors(&mut record, "inputs", op.inputs().iter().copied(), subgraph, numbers, place)?;
    tensors(&mut record, "outputs", outputs, subgraph, numbers, place)?;
    tensors(&mut record, "intermediates", op.intermediates().iter().copied(), subgraph, numbers, place)?;
    Ok(record)
}

/// Sets a list of tensor numbers, with -1 for none. An empty one is there if the record says so.
pub(super) fn tensors(
    record: &mut Record,
    field: &'static str,
    list: impl ExactSizeIterator<Item = Option<ValueId>>,
    subgraph: usize,
    numbers: &Numbers,
    place: &impl Fn() -> Place,
) -> Result<(), WriteError> {
    if list.len() == 0 {
        return Ok(());
    }
    let at = |index: usize| Place { part: Some(format!("{field} {index}")), ..place() };
    let indices = list.enumerate().map(|(index, v)| match v {
        Some(v) => numbers.value(subgraph, v, || at(index)),
        None => Ok(-1),
    });
    let indices: Vec<i64> = indices.collect::<Result<_, _>>()?;
    set(record, field, indices, place)
}
