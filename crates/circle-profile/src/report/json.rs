//! The report as JSON.

use super::Report;

/// Indented JSON with a line feed at its end; keys stand in a fixed order. All values are whole numbers of the unit.
///
/// # Errors
/// When the text cannot be built.
pub fn to_json(report: &Report) -> Result<String, serde_json::Error> {
    crate::json::pretty(report)
}
