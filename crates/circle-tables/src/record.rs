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
    /// Bit n is set when slot n, below 64, is present: what a look at a field needs to know most of the time.
    present: u64,
}

impl Record {
    /// A record without fields.
    pub fn new(def: &'static TableDef) -> Self {
        Record { def, fields: Vec::new(), present: 0 }
    }

    /// A record without fields that has room for so many.
    pub fn with_capacity(def: &'static TableDef, fields: usize) -> Self {
        Record { def, fields: Vec::with_capacity(fields), present: 0 }
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
        self.fields.get(self.index(slot)?).map(|(_, datum)| datum)
    }

    /// Where in the list the field at a slot is, if it is present.
    fn index(&self, slot: u16) -> Option<usize> {
        let bit = bit(slot);
        if bit == 0 {
            return self.fields.binary_search_by_key(&slot, |&(at, _)| at).ok();
        }
        // As many fields stand before it as there are bits below its own.
        (self.present & bit != 0).then(|| (self.present & (bit - 1)).count_ones() as usize)
    }

    /// Sets the field at a slot. That the slot exists and the value fits it is the caller's to know.
    pub(crate) fn put(&mut self, slot: u16, datum: Datum) {
        self.present |= bit(slot);
        // Fields mostly come in order.
        if self.fields.last().is_none_or(|&(last, _)| last < slot) {
            self.fields.push((slot, datum));
            return;
        }
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

    /// Sets a field that is known by its definition, which must be one of this table's.
    ///
    /// # Errors
    /// As [`Record::set`].
    pub fn set_field(&mut self, field: &'static FieldDef, datum: Datum) -> Result<(), SetError> {
        let own = self.def.field_at(field.slot).is_some_and(|own| std::ptr::eq(own, field));
        if !own || !datum.fits(field.kind) {
            return self.set(field.name, datum);
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
        let index = self.index(slot)?;
        self.present &= !bit(slot);
        Some(self.fields.remove(index).1)
    }
}

/// The bit of a slot in the mask of present fields; none for the few slots that it has no room for.
const fn bit(slot: u16) -> u64 {
    if slot < 64 { 1 << slot } else { 0 }
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
