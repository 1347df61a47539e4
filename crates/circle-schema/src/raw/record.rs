//! A whole table as a record, with everything inside it.

use circle_tables::{Datum, Element, FieldDef, Kind, Record, Scalar};

use super::bytes::{array, follow, integer};
use super::error::RawError;
use super::finding::Findings;
use super::{RawTable, RawUnion, base, vector};

impl RawTable<'_> {
    /// The table with everything inside it as a record. What our schema cannot say is left out and
    /// noted in `findings`.
    ///
    /// The depth of the recursion is that of the schema, in which no table contains itself.
    ///
    /// # Errors
    /// When something lies beyond the end of the file or a string is not UTF-8.
    pub fn to_record(&self, findings: &mut Findings) -> Result<Record, RawError> {
        self.to_record_without(&[], findings)
    }

    /// As [`RawTable::to_record`] without some fields: those that the caller reads another way, such as
    /// the data of a buffer or the operators of a subgraph.
    ///
    /// # Errors
    /// As [`RawTable::to_record`].
    pub fn to_record_without(&self, skip: &[&str], findings: &mut Findings) -> Result<Record, RawError> {
        self.note_newer(findings);
        let present = (0..self.def.slots()).filter(|&slot| self.slot(slot).is_some()).count();
        let mut record = Record::with_capacity(self.def, present);
        for field in self.def.fields {
            if skip.contains(&field.name) {
                continue;
            }
            if let Some(datum) = self.datum(field, findings)? {
                // The value was read by the kind of the field, so it fits it.
                let set = record.set_field(field, datum);
                debug_assert!(set.is_ok(), "{set:?}");
            }
        }
        Ok(record)
    }

    /// Notes the fields that a newer schema has added to this table.
    pub fn note_newer(&self, findings: &mut Findings) {
        for slot in self.def.slots()..self.slots() {
            if self.slot(slot).is_some() {
                findings.add(format!("field slot {slot} of {} is newer than our schema", self.def.name));
            }
        }
    }

    fn datum(&self, field: &'static FieldDef, findings: &mut Findings) -> Result<Option<Datum>, RawError> {
        if let Kind::Union(def) = field.kind {
            return findings.within(field.name, |findings| match self.union(field.name)? {
                Some(RawUnion::Table(table)) => Ok(Some(Datum::Union(Box::new(table.to_record(findings)?)))),
                Some(RawUnion::Unknown { tag: 0 }) => {
                    findings.add(format!("a value of {} that does not say which member it is", def.name));
                    Ok(None)
                }
                Some(RawUnion::Unknown { tag }) => {
                    findings.add(format!("member {tag} of {} is newer than our schema", def.name));
                    Ok(None)
                }
                None => Ok(None),
            });
        }
        let Some(at) = self.slot(field.slot) else {
            return Ok(None);
        };
        let located = self.locate(field, at);
        Ok(Some(match field.kind {
            Kind::Scalar(Scalar::Bool) => {
                let [byte] = array(self.bytes, at).map_err(located)?;
                Datum::Bool(byte != 0)
            }
            Kind::Scalar(Scalar::F32) => {
                Datum::F32(f32::from_le_bytes(array(self.bytes, at).map_err(located)?))
            }
            Kind::Scalar(Scalar::F64) => {
                Datum::F64(f64::from_le_bytes(array(self.bytes, at).map_err(located)?))
            }
            Kind::Scalar(_) | Kind::Enum(_) => {
                Datum::Int(integer(self.bytes, at, base(field)).map_err(located)?)
            }
            Kind::String => {
                let text = follow(self.bytes, at).and_then(|at| vector::string(self.bytes, at));
                Datum::from(text.map_err(located)?)
            }
            Kind::Table(def) => {
                let to = follow(self.bytes, at).map_err(located)?;
                let table = RawTable::at(self.bytes, to, def)?;
                let record = findings.within(field.name, |findings| table.to_record(findings))?;
                Datum::Record(Box::new(record))
            }
            Kind::Vector(Element::Table(_)) => {
                let tables = self.tables(field.name)?;
                let mut records = Vec::with_capacity(tables.len());
                for (index, table) in tables.enumerate() {
                    let table = table?;
                    records.push(
                        findings.within_element(field.name, index, |findings| table.to_record(findings))?,
                    );
                }
                Datum::Records(records)
            }
            Kind::Vector(element) => {
                return vector::datum(self.bytes, at, element).map_err(located);
            }
            Kind::Union(_) => return Ok(None),
        }))
    }
}
