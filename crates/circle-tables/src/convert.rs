//! From one schema to the other, by name.
//!
//! Slots, tags and numbers differ between circle and tflite; names mostly do not. What has no
//! counterpart is an error that names it, unless it says nothing: a field with its default value.

use std::error::Error;
use std::fmt;

use crate::datum::Datum;
use crate::record::Record;
use crate::schema::{Element, EnumDef, FieldDef, Kind, SchemaDef, TableDef};

/// Fields that mean the same under two names: table, a name, the other.
const RENAMED: &[(&str, &str, &str)] =
    &[("BatchMatMulOptions", "adj_x", "adjoint_lhs"), ("BatchMatMulOptions", "adj_y", "adjoint_rhs")];

/// Something that the target schema cannot say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LossError {
    /// There is no such table.
    Table {
        /// The schema that lacks it.
        schema: &'static str,
        /// Its name.
        table: &'static str,
    },
    /// The table has no such field.
    Field {
        /// The schema that lacks it.
        schema: &'static str,
        /// The table.
        table: &'static str,
        /// The field.
        field: &'static str,
    },
    /// The field is there but holds something else.
    Kind {
        /// The schema in which it differs.
        schema: &'static str,
        /// The table.
        table: &'static str,
        /// The field.
        field: &'static str,
    },
    /// The enumeration has no such value.
    Value {
        /// The schema that lacks it.
        schema: &'static str,
        /// The table.
        table: &'static str,
        /// The field.
        field: &'static str,
        /// The enumeration.
        enumeration: &'static str,
        /// The value's name, or its number if it has none.
        value: String,
    },
}

impl fmt::Display for LossError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LossError::Table { schema, table } => write!(f, "{schema} has no table {table}"),
            LossError::Field { schema, table, field } => write!(f, "{schema} has no field {table}.{field}"),
            LossError::Kind { schema, table, field } => {
                write!(f, "{table}.{field} is of another type in {schema}")
            }
            LossError::Value { schema, table, field, enumeration, value } => {
                write!(f, "{table}.{field}: {schema} has no {enumeration} {value}")
            }
        }
    }
}

impl Error for LossError {}

impl Record {
    /// The same value in another schema: tables, fields, enumerated values and members of unions are
    /// found by name, `adj_x` of `BatchMatMulOptions` becomes `adjoint_lhs`, and so on.
    ///
    /// # Errors
    /// When `to` cannot say something that this record says.
    pub fn convert(&self, to: &SchemaDef) -> Result<Record, LossError> {
        let table = to.table(self.name()).ok_or(LossError::Table { schema: to.name, table: self.name() })?;
        if table == self.def() {
            return Ok(self.clone());
        }
        let mut converted = Record::new(table);
        for (field, datum) in self.fields() {
            let place = Place { to, table: self.name(), field };
            match counterpart(table, field) {
                Some(target) => converted.put(target.slot, place.datum(datum, target)?),
                None if datum.is_default(field.default) => {}
                None => {
                    return Err(LossError::Field { schema: to.name, table: table.name, field: field.name });
                }
            }
        }
        Ok(converted)
    }
}

fn counterpart(table: &'static TableDef, field: &FieldDef) -> Option<&'static FieldDef> {
    table.field(field.name).or_else(|| {
        RENAMED.iter().filter(|(owner, ..)| *owner == table.name).find_map(|&(_, one, other)| {
            match field.name {
                name if name == one => table.field(other),
                name if name == other => table.field(one),
                _ => None,
            }
        })
    })
}

/// Where a conversion stands, for its errors.
struct Place<'a> {
    to: &'a SchemaDef,
    table: &'static str,
    field: &'static FieldDef,
}

impl Place<'_> {
    fn datum(&self, datum: &Datum, target: &'static FieldDef) -> Result<Datum, LossError> {
        let converted = match (datum, self.field.kind, target.kind) {
            (Datum::Int(value), Kind::Enum(from), Kind::Enum(to)) => {
                Datum::Int(self.value(*value, from, to)?)
            }
            (Datum::Ints(values), Kind::Vector(Element::Enum(from)), Kind::Vector(Element::Enum(to))) => {
                let values = values.iter().map(|&value| self.value(value, from, to));
                Datum::Ints(values.collect::<Result<_, _>>()?)
            }
            (Datum::Record(record), ..) => Datum::Record(Box::new(record.convert(self.to)?)),
            (Datum::Union(record), ..) => Datum::Union(Box::new(record.convert(self.to)?)),
            (Datum::Records(records), ..) => {
                let records = records.iter().map(|record| record.convert(self.to));
                Datum::Records(records.collect::<Result<_, _>>()?)
            }
            _ => datum.clone(),
        };
        if converted.fits(target.kind) {
            return Ok(converted);
        }
        let schema = self.to.name;
        Err(LossError::Kind { schema, table: self.table, field: self.field.name })
    }

    fn value(&self, value: i64, from: &EnumDef, to: &EnumDef) -> Result<i64, LossError> {
        // A number that nobody names yet means the same on both sides only where the two agree on all
        // that is named; elsewhere they have begun to give the same numbers to different things.
        if from.values == to.values {
            return Ok(value);
        }
        from.name_of(value).and_then(|name| to.value_of(name)).ok_or_else(|| LossError::Value {
            schema: self.to.name,
            table: self.table,
            field: self.field.name,
            enumeration: from.name,
            value: from.name_of(value).map_or_else(|| value.to_string(), str::to_owned),
        })
    }
}
