//! Lineage to JSON and back, record by record, for sidecar files.

use super::error::JsonError;
use super::record::Lineage;

/// The lineage as indented JSON with a line feed at its end. Keys stand in a fixed order.
pub fn to_json(lineage: &Lineage) -> String {
    // No record has a map with other than string keys, the only thing on which this could fail.
    let mut text = serde_json::to_string_pretty(lineage).unwrap_or_default();
    text.push('\n');
    text
}

/// Reads what [`to_json`] wrote. Keys that a newer minor version may have added are ignored.
///
/// # Errors
/// Where the text is not such JSON, an unknown major version, or records that contradict each other.
pub fn from_json(text: &[u8]) -> Result<Lineage, JsonError> {
    let lineage: Lineage = serde_json::from_slice(text).map_err(|error| JsonError::Syntax {
        line: error.line() as u64,
        column: error.column() as u64,
        text: error.to_string(),
    })?;
    if lineage.version.major != super::VERSION.major {
        return Err(JsonError::Version(lineage.version));
    }
    lineage.check()?;
    Ok(lineage)
}
