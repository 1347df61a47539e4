//! Subgraphs: tensors, operators, inputs, outputs. Mirrors `read/subgraph.rs`.

use circle_ir::{Subgraph, Value};
use circle_schema::emit;
use circle_tables::{Datum, Record};
use flatbuffers::{FlatBufferBuilder, TableFinishedWIPOffset, WIPOffset};

use super::model::{Parts, tables};
use super::numbering::{fault, place};
use super::{WriteError, operator, set};
use crate::fault::Place;

/// One subgraph with everything inside it.
pub(super) fn write(
    builder: &mut FlatBufferBuilder<'_>,
    index: usize,
    sg: &Subgraph,
    parts: &Parts<'_>,
) -> Result<WIPOffset<TableFinishedWIPOffset>, WriteError> {
    let here = || place(index, sg);
    let order = parts.numbering.operators.get(index).into_iter().flatten();
    let mut operators = Vec::with_capacity(sg.operator_count());
    for (number, &id) in order.enumerate() {
        let Some(op) = sg.operator(id) else {
            return Err(fault(here(), format!("operator {id} does not exist")));
        };
        let at = || Place { operator: Some((number, op.code().name())), ..here() };
        let record = operator::record(op, index, parts.numbers, &at)?;
        operators.push(emit::emit(builder, &record)?);
    }
    let mut tensors = Vec::with_capacity(sg.value_count());
    for (number, &id) in parts.numbering.values.get(index).into_iter().flatten().enumerate() {
        let Some(value) = sg.value(id) else {
            return Err(fault(here(), format!("tensor {id} does not exist")));
        };
        let at = || Place { tensor: Some((number, value.name().to_owned())), ..here() };
        let record = tensor(value, index, parts, &at)?;
        tensors.push(emit::emit(builder, &record)?);
    }
    let mut record = sg.record().clone();
    let (inputs, outputs) = (sg.inputs().iter().copied(), sg.outputs().iter().copied());
    operator::tensors(&mut record, "inputs", inputs.map(Some), index, parts.numbers, &here)?;
    operator::tensors(&mut record, "outputs", outputs.map(Some), index, parts.numbers, &here)?;
    let fields = [
        tables(builder, record.def(), "operators", &operators)?,
        tables(builder, record.def(), "tensors", &tensors)?,
    ];
    Ok(emit::emit_with(builder, &record, &fields)?)
}

fn tensor(
    value: &Value,
    subgraph: usize,
    parts: &Parts<'_>,
    place: &impl Fn() -> Place,
) -> Result<Record, WriteError> {
    let mut record = value.record().clone();
    let buffer = parts.buffers.number(value.buffer(), place)?;
    // Zero, the empty buffer, is what a reader takes for an absent one.
    if buffer != 0 {
        set(&mut record, "buffer", buffer, place)?;
    }
    if let Some(quantization) = quantization(&record, subgraph, parts, place)? {
        set(&mut record, "quantization", Datum::Record(Box::new(quantization)), place)?;
    }
    Ok(record)
}

/// The quantization with the numbers that its tensors have in the file; nothing if it refers to none. See
/// `circle_ir::import::quantization_tensors`.
fn quantization(
    record: &Record,
    subgraph: usize,
    parts: &Parts<'_>,
    place: &impl Fn() -> Place,
) -> Result<Option<Record>, WriteError> {
    if circle_ir::import::quantization_tensors(record).is_empty() {
        return Ok(None);
    }
    let Some(Datum::Record(quantization)) = record.get("quantization") else { return Ok(None) };
    let Some(Datum::Union(details)) = quantization.get("details") else { return Ok(None) };
    let (mut quantization, mut details) = ((**quantization).clone(), (**details).clone());
    for field in ["scales", "zero_points"] {
        let Some(Datum::Int(number)) = details.get(field) else { continue };
        let Ok(number) = u32::try_from(*number) else { continue };
        let at = || Place { part: Some(format!("quantization {field}")), ..place() };
        let number = parts.numbers.value(subgraph, circle_ir::ValueId::from_number(number), at)?;
        set(&mut details, field, number, at)?;
    }
    set(&mut quantization, "details", Datum::Union(Box::new(details)), place)?;
    Ok(Some(quantization))
}
