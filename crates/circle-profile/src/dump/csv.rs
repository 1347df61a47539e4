//! The dump as a table: one row for each operator and origin, the operator's own values repeated.

use std::collections::{BTreeSet, HashMap};

use super::Dump;

/// The table with a header row. Columns of metrics are named `metric [unit]`.
///
/// # Errors
/// When the table cannot be built in memory.
pub fn to_csv(dump: &Dump) -> Result<String, csv::Error> {
    let metrics: BTreeSet<(&str, &str)> = dump
        .operators
        .iter()
        .flat_map(|op| &op.metrics)
        .map(|m| (m.name.as_str(), m.unit.as_str()))
        .collect();
    let sources: HashMap<u32, &super::SourceRow> = dump.sources.iter().map(|s| (s.id, s)).collect();
    let mut table = csv::Writer::from_writer(Vec::new());
    let fixed = [
        "subgraph",
        "operator",
        "opcode",
        "name",
        "origin_id",
        "role",
        "part",
        "parts",
        "origin_opcode",
        "origin_name",
        "unknown",
        "history",
    ];
    let named = metrics.iter().map(|(name, unit)| format!("{name} [{unit}]"));
    table.write_record(fixed.iter().map(|f| (*f).to_owned()).chain(named))?;
    for op in &dump.operators {
        let values: Vec<String> = metrics
            .iter()
            .map(|&(name, unit)| {
                let mine = op.metrics.iter().filter(|m| m.name == name && m.unit == unit);
                let text = |m: &super::MetricRow| match &m.value {
                    serde_json::Value::String(text) => text.clone(),
                    value => value.to_string(),
                };
                mine.map(text).collect::<Vec<_>>().join(";")
            })
            .collect();
        let number = |n: Option<u32>| n.map(|n| n.to_string()).unwrap_or_default();
        let mut row = |origin: Option<&super::OriginRow>| {
            let source = origin.and_then(|o| sources.get(&o.id));
            let fields = [
                op.subgraph.to_string(),
                op.operator.to_string(),
                op.opcode.clone(),
                op.name.clone(),
                number(origin.map(|o| o.id)),
                origin.map_or("", |o| o.role).to_owned(),
                number(origin.and_then(|o| o.part)),
                number(origin.and_then(|o| o.parts)),
                source.map_or("", |s| s.opcode.as_str()).to_owned(),
                source.map_or("", |s| s.name.as_str()).to_owned(),
                op.unknown.clone().unwrap_or_default(),
                op.history.join(" "),
            ];
            table.write_record(fields.iter().chain(&values))
        };
        if op.origins.is_empty() {
            row(None)?;
        }
        for origin in &op.origins {
            row(Some(origin))?;
        }
    }
    let bytes =
        table.into_inner().map_err(|error| csv::Error::from(std::io::Error::from(error.error().kind())))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
