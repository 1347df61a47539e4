//! The report as one table: a row for each original, for each part that stands for none, and for the total.

use super::{OriginCost, Report, TableRows};

/// The columns.
const HEADER: [&str; 16] = [
    "metric", "unit", "profile", "kind", "id", "file", "subgraph", "operator", "opcode", "name", "low",
    "share", "high", "helper", "inferred", "reason",
];

/// The table with a header row. `kind` is `origin`, `unattributed`, `retired`, `overhead`, `overlap` or `total`; the
/// column `share` of all but the last adds up to that of the last.
///
/// # Errors
/// When the table cannot be built in memory.
pub fn to_csv(report: &Report) -> Result<String, ::csv::Error> {
    let mut out = ::csv::Writer::from_writer(Vec::new());
    out.write_record(HEADER)?;
    for table in &report.tables {
        for row in &table.rows {
            out.write_record(origin(table, row))?;
        }
        for rest in &table.rest {
            let mut row = part(table, rest.kind, rest.value, &rest.reason);
            row[4] = rest.id.map(|id| id.to_string()).unwrap_or_default();
            row[8].clone_from(&rest.opcode);
            row[9].clone_from(&rest.name);
            out.write_record(row)?;
        }
        out.write_record(part(table, "total", table.equation.total, ""))?;
    }
    let bytes = out.into_inner().map_err(|error| std::io::Error::from(error.error().kind()))?;
    // All fields were strings.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn origin(table: &TableRows, row: &OriginCost) -> [String; 16] {
    let index = |index: Option<u32>| index.map(|index| index.to_string()).unwrap_or_default();
    [
        table.metric.clone(),
        table.unit.clone(),
        table.profile.clone(),
        "origin".into(),
        row.id.to_string(),
        index(row.file),
        index(row.subgraph),
        index(row.operator),
        row.opcode.clone(),
        row.name.clone(),
        row.low.to_string(),
        row.share.to_string(),
        row.high.to_string(),
        row.helper.to_string(),
        row.inferred.to_string(),
        String::new(),
    ]
}

fn part(table: &TableRows, kind: &str, value: i128, reason: &str) -> [String; 16] {
    let mut row = [const { String::new() }; 16];
    let [metric, unit, profile, kind_cell, ..] = &mut row;
    *metric = table.metric.clone();
    *unit = table.unit.clone();
    *profile = table.profile.clone();
    *kind_cell = kind.to_owned();
    let [.., share, _, _, _, reason_cell] = &mut row;
    *share = value.to_string();
    *reason_cell = reason.to_owned();
    row
}
