//! The value of one field.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::record::Record;
use crate::schema::{DefaultValue, Element, Kind, Scalar};

/// The value of one field of a [`Record`].
///
/// Equality and hash go by bits: a NaN equals itself, and 0.0 differs from -0.0.
#[derive(Clone, Debug)]
pub enum Datum {
    /// A truth value.
    Bool(bool),
    /// Any integer and any enumeration; an unsigned 64-bit one as its bits.
    Int(i64),
    /// A 32-bit float.
    F32(f32),
    /// A 64-bit float.
    F64(f64),
    /// Text.
    Str(Arc<str>),
    /// Truth values.
    Bools(Vec<bool>),
    /// Integers or enumerations of any width but unsigned bytes.
    Ints(Vec<i64>),
    /// Unsigned bytes.
    Bytes(Arc<[u8]>),
    /// 32-bit floats.
    F32s(Vec<f32>),
    /// 64-bit floats.
    F64s(Vec<f64>),
    /// Texts.
    Strs(Vec<Arc<str>>),
    /// A table of the one type that the field allows.
    Record(Box<Record>),
    /// Tables of one type.
    Records(Vec<Record>),
    /// A member of a union; its tag follows from the record's table.
    Union(Box<Record>),
}

impl Datum {
    /// What kind of value this is, in words.
    pub fn kind_name(&self) -> &'static str {
        match self {
            Datum::Bool(_) => "a truth value",
            Datum::Int(_) => "an integer",
            Datum::F32(_) => "a 32-bit float",
            Datum::F64(_) => "a 64-bit float",
            Datum::Str(_) => "a string",
            Datum::Bools(_) => "a vector of truth values",
            Datum::Ints(_) => "a vector of integers",
            Datum::Bytes(_) => "bytes",
            Datum::F32s(_) => "a vector of 32-bit floats",
            Datum::F64s(_) => "a vector of 64-bit floats",
            Datum::Strs(_) => "a vector of strings",
            Datum::Record(_) => "a table",
            Datum::Records(_) => "a vector of tables",
            Datum::Union(_) => "a member of a union",
        }
    }

    /// Whether a reader that finds the field absent would take this very value.
    pub fn is_default(&self, default: DefaultValue) -> bool {
        match (self, default) {
            (Datum::Bool(a), DefaultValue::Bool(b)) => *a == b,
            (Datum::Int(a), DefaultValue::Int(b)) => *a == b,
            (Datum::F32(a), DefaultValue::F32(b)) => a.to_bits() == b.to_bits(),
            (Datum::F64(a), DefaultValue::F64(b)) => a.to_bits() == b.to_bits(),
            _ => false,
        }
    }

    /// Whether a field of that kind can hold this value, the range of integers included.
    pub fn fits(&self, kind: Kind) -> bool {
        match (self, kind) {
            (Datum::Bool(_), Kind::Scalar(Scalar::Bool)) => true,
            (Datum::Int(value), Kind::Scalar(scalar)) => scalar.holds(*value),
            (Datum::Int(value), Kind::Enum(def)) => def.base.holds(*value),
            (Datum::F32(_), Kind::Scalar(Scalar::F32)) => true,
            (Datum::F64(_), Kind::Scalar(Scalar::F64)) => true,
            (Datum::Str(_), Kind::String) => true,
            (Datum::Record(record), Kind::Table(table)) => record.def() == table,
            (Datum::Union(record), Kind::Union(union)) => union.tag(record.def()).is_some(),
            (_, Kind::Vector(element)) => self.fits_vector(element),
            _ => false,
        }
    }

    fn fits_vector(&self, element: Element) -> bool {
        match (self, element) {
            (Datum::Bools(_), Element::Scalar(Scalar::Bool)) => true,
            (Datum::Bytes(_), Element::Scalar(Scalar::U8)) => true,
            (Datum::Ints(_), Element::Scalar(Scalar::U8)) => false,
            (Datum::Ints(values), Element::Scalar(scalar)) => {
                scalar.is_integer() && values.iter().all(|&value| scalar.holds(value))
            }
            (Datum::Ints(values), Element::Enum(def)) => values.iter().all(|&value| def.base.holds(value)),
            (Datum::F32s(_), Element::Scalar(Scalar::F32)) => true,
            (Datum::F64s(_), Element::Scalar(Scalar::F64)) => true,
            (Datum::Strs(_), Element::String) => true,
            (Datum::Records(records), Element::Table(table)) => {
                records.iter().all(|record| record.def() == table)
            }
            _ => false,
        }
    }
}

impl PartialEq for Datum {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Datum::Bool(a), Datum::Bool(b)) => a == b,
            (Datum::Int(a), Datum::Int(b)) => a == b,
            (Datum::F32(a), Datum::F32(b)) => a.to_bits() == b.to_bits(),
            (Datum::F64(a), Datum::F64(b)) => a.to_bits() == b.to_bits(),
            (Datum::Str(a), Datum::Str(b)) => a == b,
            (Datum::Bools(a), Datum::Bools(b)) => a == b,
            (Datum::Ints(a), Datum::Ints(b)) => a == b,
            (Datum::Bytes(a), Datum::Bytes(b)) => a == b,
            (Datum::F32s(a), Datum::F32s(b)) => {
                a.iter().map(|value| value.to_bits()).eq(b.iter().map(|value| value.to_bits()))
            }
            (Datum::F64s(a), Datum::F64s(b)) => {
                a.iter().map(|value| value.to_bits()).eq(b.iter().map(|value| value.to_bits()))
            }
            (Datum::Strs(a), Datum::Strs(b)) => a == b,
            (Datum::Record(a), Datum::Record(b)) => a == b,
            (Datum::Records(a), Datum::Records(b)) => a == b,
            (Datum::Union(a), Datum::Union(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Datum {}

impl Hash for Datum {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Datum::Bool(value) => value.hash(state),
            Datum::Int(value) => value.hash(state),
            Datum::F32(value) => value.to_bits().hash(state),
            Datum::F64(value) => value.to_bits().hash(state),
            Datum::Str(value) => value.hash(state),
            Datum::Bools(values) => values.hash(state),
            Datum::Ints(values) => values.hash(state),
            Datum::Bytes(values) => values.hash(state),
            Datum::F32s(values) => {
                values.len().hash(state);
                values.iter().for_each(|value| value.to_bits().hash(state));
            }
            Datum::F64s(values) => {
                values.len().hash(state);
                values.iter().for_each(|value| value.to_bits().hash(state));
            }
            Datum::Strs(values) => values.hash(state),
            Datum::Record(record) | Datum::Union(record) => record.hash(state),
            Datum::Records(records) => records.hash(state),
        }
    }
}

impl From<bool> for Datum {
    fn from(value: bool) -> Self {
        Datum::Bool(value)
    }
}

impl From<i64> for Datum {
    fn from(value: i64) -> Self {
        Datum::Int(value)
    }
}

impl From<i32> for Datum {
    fn from(value: i32) -> Self {
        Datum::Int(i64::from(value))
    }
}

impl From<u32> for Datum {
    fn from(value: u32) -> Self {
        Datum::Int(i64::from(value))
    }
}

impl From<f32> for Datum {
    fn from(value: f32) -> Self {
        Datum::F32(value)
    }
}

impl From<&str> for Datum {
    fn from(value: &str) -> Self {
        Datum::Str(Arc::from(value))
    }
}

impl From<Vec<i64>> for Datum {
    fn from(values: Vec<i64>) -> Self {
        Datum::Ints(values)
    }
}

impl From<Vec<f32>> for Datum {
    fn from(values: Vec<f32>) -> Self {
        Datum::F32s(values)
    }
}

/// The kinds of a field, in words.
pub(crate) struct InWords(pub(crate) Kind);

impl fmt::Display for InWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Kind::Scalar(scalar) => write!(f, "{scalar:?}"),
            Kind::Enum(def) => write!(f, "{}", def.name),
            Kind::String => f.write_str("string"),
            Kind::Table(table) => f.write_str(table.name),
            Kind::Union(union) => f.write_str(union.name),
            Kind::Vector(Element::Scalar(scalar)) => write!(f, "[{scalar:?}]"),
            Kind::Vector(Element::Enum(def)) => write!(f, "[{}]", def.name),
            Kind::Vector(Element::String) => f.write_str("[string]"),
            Kind::Vector(Element::Table(table)) => write!(f, "[{}]", table.name),
        }
    }
}
