//! The report for programs.

use serde_json::json;

use super::Report;
use crate::dump::file_row;

/// The report as JSON, indented, with a line feed at its end.
///
/// # Errors
/// When it has a key that is no string, as it has not.
pub fn to_json(report: &Report<'_>) -> Result<String, serde_json::Error> {
    let c = report.coverage;
    let value = json!({
        "schema_version": 1,
        "model": file_row(report.file),
        "profile_data": report.profile_data,
        "origin_files": report.origin_files.iter().map(file_row).collect::<Vec<_>>(),
        "holds": report.holds(),
        "coverage": {
            "operators": c.operators,
            "counted": c.counted(),
            "proven": c.proven,
            "inferred": c.inferred,
            "helper": c.helper,
            "unknown": c.unknown,
            "percent": c.percent(),
            "minimum": report.minimum.map(|least| least.to_string()),
        },
        "originals": report.originals,
        "against": report.compared,
        "findings": report.findings,
        "remarks": report.remarks,
    });
    crate::json::pretty(&value)
}
