//! The value of one table, of whatever type.

use std::error::Error;
use std::fmt;
use std::hash::{Hash, Hasher};

use crate::datum::{Datum, InWords};
use crate::schema::{FieldDef, Kind, TableDef};

/// The value of one table: the fields that its file holds, and no others.
///
/// A field that is present with its default value stays present, so that reading and writing loses
/// nothing. Two records are equal if they are of the same table of the same schema and hold the same
/// fields with the same bits.
#[derive(Clone)]
pub struct Record {
    def: &'static TableDef,
    /// Ascending by slot.
    fields: Vec<(u16, Datum)>,
}

impl Record {
    /// A record without fields.
    pub fn new(def: &'static TableDef) -> Self {
        Record { def, fields: Vec::new() }
    }

    /// A record without fields that has room for so many.
    pub fn with_capacity(def: &'static TableDef, fields: usize) -> Self {
        Record { def, fields: Vec::with_capacity(fields) }
    }

    /// The table.
    pub fn def(&self) -> &'static TableDef {
        self.def
    }

    /// The name of the table.
    pub fn name(&self) -> &'static str {
        self.def.name
    }

    /// Whether no field is present.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// The fields that are present, ascending by slot.
    pub fn fields(&self) -> impl Iterator<Item = (&'static FieldDef, &Datum)> {
        let def = self.def;
        self.fields.iter().filter_map(move |(slot, datum)| Some((def.field_at(*slot)?, datum)))
    }

    /// The value of a field, if present.
    pub fn get(&self, name: &str) -> Option<&Datum> {
        self.get_at(self.def.field(name)?.slot)
    }

    /// The value of the field at a slot, if present.
    pub fn get_at(&self, slot: u16) -> Option<&Datum> {
        let index = self.fields.binary_search_by_key(&slot, |&(at, _)| at).ok()?;
        self.fields.get(index).map(|(_, datum)| datum)
    }

    /// Sets the field at a slot. That the slot exists and the value fits it is the caller's to know.
    pub(crate) fn put(&mut self, slot: u16, datum: Datum) {
        match self.fields.binary_search_by_key(&slot, |&(at, _)| at) {
            Ok(index) => {
                if let Some(entry) = self.fields.get_mut(index) {
                    entry.1 = datum;
                }
            }
            Err(index) => self.fields.insert(index, (slot, datum)),
        }
    }

    /// Sets a field.
    ///
    /// # Errors
    /// When the table has no such field, or the value is not of its kind or out of its range.
    pub fn set(&mut self, name: &str, datum: impl Into<Datum>) -> Result<(), SetError> {
        let datum = datum.into();
        let Some(field) = self.def.field(name) else {
            return Err(SetError::NoSuchField { table: self.def.name, field: name.to_owned() });
        };
        if !datum.fits(field.kind) {
            let given = match &datum {
                Datum::Int(value) => format!("the integer {value}"),
                Datum::Union(record) | Datum::Record(record) => format!("a {}", record.name()),
                other => other.kind_name().to_owned(),
            };
            return Err(SetError::WrongKind {
                table: self.def.name,
                field: field.name,
                kind: field.kind,
                given,
            });
        }
        self.put(field.slot, datum);
        Ok(())
    }

    /// Sets a field, for building a record in one expression.
    ///
    /// # Errors
    /// As [`Record::set`].
    pub fn with(mut self, name: &str, datum: impl Into<Datum>) -> Result<Self, SetError> {
        self.set(name, datum)?;
        Ok(self)
    }

    /// Sets an enumeration by the name of its value.
    ///
    /// # Errors
    /// As [`Record::set`], and when the enumeration has no value of that name.
    pub fn set_enum(&mut self, name: &str, value: &str) -> Result<(), SetError> {
        if let Some(FieldDef { kind: Kind::Enum(def), name: field, .. }) = self.def.field(name) {
            let Some(number) = def.value_of(value) else {
                return Err(SetError::NoSuchValue {
                    table: self.def.name,
                    field,
                    enumeration: def.name,
                    value: value.to_owned(),
                });
            };
            return self.set(name, number);
        }
        self.set(name, value)
    }

    /// Takes a field out and returns what it held.
    pub fn remove(&mut self, name: &str) -> Option<Datum> {
        let slot = self.def.field(name)?.slot;
        let index = self.fields.binary_search_by_key(&slot, |&(at, _)| at).ok()?;
        Some(self.fields.remove(index).1)
    }
}

impl PartialEq for Record {
    fn eq(&self, other: &Self) -> bool {
        self.def == other.def && self.fields == other.fields
    }
}

impl Eq for Record {}

impl Hash for Record {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.def.name.hash(state);
        self.fields.hash(state);
    }
}

/// As text, because a list of slots would tell a reader nothing.
impl fmt::Debug for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{self}", self.def.name)
    }
}

/// Why a field could not be set.
#[derive(Clone, Debug)]
pub enum SetError {
    /// The table has no field of that name.
    NoSuchField {
        /// The table.
        table: &'static str,
        /// The name asked for.
        field: String,
    },
    /// The value is not what the field holds.
    WrongKind {
        /// The table.
        table: &'static str,
        /// The field.
        field: &'static str,
        /// What the field holds.
        kind: Kind,
        /// What was given.
        given: String,
    },
    /// The enumeration has no value of that name.
    NoSuchValue {
        /// The table.
        table: &'static str,
        /// The field.
        field: &'static str,
        /// The enumeration.
        enumeration: &'static str,
        /// The name asked for.
        value: String,
    },
}

impl fmt::Display for SetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetError::NoSuchField { table, field } => write!(f, "{table} has no field {field:?}"),
            SetError::WrongKind { table, field, kind, given } => {
                write!(f, "{table}.{field} holds {}, not {given}", InWords(*kind))
            }
            SetError::NoSuchValue { table, field, enumeration, value } => {
                write!(f, "{table}.{field}: {enumeration} has no value {value:?}")
            }
        }
    }
}

impl Error for SetError {}
