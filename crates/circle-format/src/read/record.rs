//! Tables of the file as records in circle's terms.

use circle_schema::{Findings, Format, RawError, RawTable};
use circle_tables::{CIRCLE, Record, TableDef};

/// Reads tables of one file and notes what cannot be carried.
#[derive(Debug)]
pub(super) struct Records {
    pub(super) format: Format,
    pub(super) findings: Findings,
}

impl Records {
    /// `table` without the fields `skip`, as a record of circle's table `def`. What circle cannot say is noted and
    /// left out.
    pub(super) fn read(
        &mut self,
        table: &RawTable<'_>,
        def: &'static TableDef,
        skip: &[&str],
    ) -> Result<Record, RawError> {
        let record = table.to_record_without(skip, &mut self.findings)?;
        if self.format == Format::Circle {
            return Ok(record);
        }
        if let Ok(converted) = record.convert(&CIRCLE) {
            return Ok(converted);
        }
        // Field by field, to keep what can be kept and to name each that cannot.
        let mut kept = Record::new(def);
        for (field, datum) in record.fields() {
            let mut one = Record::new(record.def());
            let converted =
                one.set(field.name, datum.clone()).ok().and_then(|()| match one.convert(&CIRCLE) {
                    Ok(converted) => Some(converted),
                    Err(error) => {
                        self.findings.within(field.name, |findings| findings.add(error.to_string()));
                        None
                    }
                });
            for (field, datum) in converted.iter().flat_map(Record::fields) {
                // The kind is that of the same table's field.
                let _ = kept.set(field.name, datum.clone());
            }
        }
        Ok(kept)
    }
}
