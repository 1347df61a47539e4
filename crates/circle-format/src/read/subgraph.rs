//! Subgraphs: tensors, operators, inputs, outputs.

use circle_ir::BufferId;
use circle_ir::import::{DraftSubgraph, DraftValue};
use circle_ir::model::ListedCode;
use circle_schema::{RawError, RawTable};
use circle_tables::{Datum, circle};

use super::operator::{self, required};
use super::record::Records;
use crate::fault::{Faults, Place, short};

pub(super) fn read(
    number: usize,
    table: &RawTable<'_>,
    codes: &[ListedCode],
    records: &mut Records,
    faults: &mut Faults,
) -> Result<DraftSubgraph, RawError> {
    const OWN_FIELDS: [&str; 4] = ["tensors", "operators", "inputs", "outputs"];
    let mut record = records.read(table, &circle::SUB_GRAPH, &OWN_FIELDS)?;
    let name = short(record.str("name").unwrap_or(""));
    let tensors = table.tables("tensors")?;
    let mut values = Vec::with_capacity(tensors.len());
    for (index, tensor) in tensors.enumerate() {
        let tensor = tensor?;
        // Findings know their place only while someone says where the reading stands.
        let mut findings = std::mem::take(&mut records.findings);
        let value = findings.within_element("tensors", index, |findings| {
            std::mem::swap(findings, &mut records.findings);
            let value = records.read(&tensor, &circle::TENSOR, &["buffer"]);
            std::mem::swap(findings, &mut records.findings);
            value
        });
        records.findings = findings;
        let buffer = BufferId::from_number(u32::try_from(tensor.uint("buffer")?).unwrap_or(u32::MAX));
        values.push(DraftValue { record: value?, buffer });
    }
    let table_operators = table.tables("operators")?;
    let mut operators = Vec::with_capacity(table_operators.len());
    for (index, op) in table_operators.enumerate() {
        let op = op?;
        let place = || Place {
            subgraph: Some((number, name.clone())),
            operator: Some((index, String::new())),
            ..Place::default()
        };
        let mut findings = std::mem::take(&mut records.findings);
        let spec = findings.within_element("operators", index, |findings| {
            std::mem::swap(findings, &mut records.findings);
            let spec = operator::read(&op, codes, records, faults, &place);
            std::mem::swap(findings, &mut records.findings);
            spec
        });
        records.findings = findings;
        operators.push(spec?);
    }
    let mut list = |field: &'static str| -> Result<Vec<_>, RawError> {
        let indices = table.ints(field)?;
        if indices.as_ref().is_some_and(Vec::is_empty) {
            let _ = record.set(field, Datum::Ints(Vec::new()));
        }
        Ok(required(&indices.unwrap_or_default()))
    };
    let (inputs, outputs) = (list("inputs")?, list("outputs")?);
    Ok(DraftSubgraph { record, values, operators, inputs, outputs })
}
