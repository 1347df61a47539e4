//! Operators and operator codes.

use std::sync::Arc;

use circle_ir::model::ListedCode;
use circle_ir::{OpCode, OpSpec, ValueId};
use circle_schema::{Format, RawError, RawTable};
use circle_tables::{Datum, circle, opcode};

use super::record::Records;
use crate::fault::{Faults, Place};

/// The most bytes of a custom operator's name. It stands once in the file and is told of each operator that has it.
const MAX_CUSTOM_CODE: usize = 1024;

/// The list of operator codes.
pub(super) fn codes(
    root: &RawTable<'_>,
    records: &mut Records,
    faults: &mut Faults,
) -> Result<Vec<ListedCode>, RawError> {
    let tables = root.tables("operator_codes")?;
    let mut codes = Vec::with_capacity(tables.len());
    for (index, table) in tables.enumerate() {
        let table = table?;
        let record = records.read(&table, &circle::OPERATOR_CODE, &[])?;
        let deprecated = table.int("deprecated_builtin_code")? as i8;
        let full = table.int("builtin_code")? as i32;
        let builtin = match records.format {
            Format::Circle => opcode::decode(deprecated, full),
            Format::Tflite => opcode::decode_tflite(deprecated, full),
        };
        let place = Place { part: Some(format!("operator code {index}")), ..Place::default() };
        let agree =
            deprecated == opcode::ESCAPE || full == 0 || full == i32::from(deprecated) || deprecated == 0;
        if !agree {
            let text =
                format!("deprecated_builtin_code {deprecated} and builtin_code {full} name two operators");
            faults.add(place.clone(), text);
        }
        if builtin == -1 {
            faults.add(place.clone(), "builtin code -1 is no operator");
        }
        let name = record.str("custom_code");
        if let Some(len) = name.map(str::len).filter(|&len| len > MAX_CUSTOM_CODE) {
            faults.add(place, format!("custom_code of {len} bytes, and {MAX_CUSTOM_CODE} are the most"));
        }
        let custom = name.filter(|name| name.len() <= MAX_CUSTOM_CODE).map(Arc::from);
        let version = record.int("version") as i32;
        codes.push(ListedCode { record, code: OpCode { builtin, custom, version }, used: false });
    }
    Ok(codes)
}

/// A list of tensor indices in which -1 stands for none.
pub(super) fn optional(indices: &[i64]) -> Vec<Option<ValueId>> {
    // Numbers below -1 become a tensor that does not exist, and the check says so.
    let one = |&i: &i64| (i != -1).then(|| ValueId::from_number(u32::try_from(i).unwrap_or(u32::MAX)));
    indices.iter().map(one).collect()
}

/// A list of tensor indices.
pub(super) fn required(indices: &[i64]) -> Vec<ValueId> {
    indices.iter().map(|&i| ValueId::from_number(u32::try_from(i).unwrap_or(u32::MAX))).collect()
}

const OWN_FIELDS: [&str; 6] =
    ["opcode_index", "inputs", "outputs", "intermediates", "builtin_options", "builtin_options_2"];

/// One operator.
pub(super) fn read(
    table: &RawTable<'_>,
    codes: &[ListedCode],
    records: &mut Records,
    faults: &mut Faults,
    place: &impl Fn() -> Place,
) -> Result<OpSpec, RawError> {
    let index = table.int("opcode_index")?;
    let code = usize::try_from(index).ok().and_then(|i| codes.get(i)).map(|listed| listed.code.clone());
    if code.is_none() {
        faults.add(place(), format!("operator code {index} does not exist ({} operator codes)", codes.len()));
    }
    let mut extra = records.read(table, &circle::OPERATOR, &OWN_FIELDS[..4])?;
    let first = extra.remove("builtin_options");
    let second = extra.remove("builtin_options_2");
    let options = match (first, second) {
        (Some(Datum::Union(first)), second) => {
            // Both at once is odd; the second is carried along.
            if let Some(second) = second {
                let _ = extra.set("builtin_options_2", second);
            }
            Some(*first)
        }
        (_, Some(Datum::Union(second))) => Some(*second),
        _ => None,
    };
    // Empty vectors are not the same as absent ones; the record remembers which it was.
    let mut list = |field: &'static str| -> Result<Vec<i64>, RawError> {
        let indices = table.ints(field)?;
        if indices.as_ref().is_some_and(Vec::is_empty) {
            let _ = extra.set(field, Datum::Ints(Vec::new()));
        }
        Ok(indices.unwrap_or_default())
    };
    let (inputs, outputs, intermediates) = (list("inputs")?, list("outputs")?, list("intermediates")?);
    Ok(OpSpec {
        code: code.unwrap_or_else(|| OpCode::builtin(opcode::CUSTOM)),
        options,
        extra,
        inputs: optional(&inputs),
        outputs: required(&outputs),
        intermediates: optional(&intermediates),
    })
}
