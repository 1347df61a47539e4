//! Typed access to the fields of a record, with the schema's default for those that are absent.
//!
//! That a table has a field of such a name and kind is the caller's knowledge of the schema and not a
//! property of any file: a mistake stops a debug build and reads as zero or nothing in a release.

use std::sync::Arc;

use crate::datum::Datum;
use crate::record::Record;
use crate::schema::{DefaultValue, Element, Kind, Scalar};

impl Record {
    /// The value if present, and the default, of a field of the expected kind.
    fn typed(&self, name: &str, expected: impl Fn(Kind) -> bool) -> (Option<&Datum>, DefaultValue) {
        let field = self.def().field(name).filter(|field| expected(field.kind));
        debug_assert!(field.is_some(), "{}.{name} is asked for as something it is not", self.name());
        match field {
            Some(field) => (self.get_at(field.slot), field.default),
            None => (None, DefaultValue::Absent),
        }
    }

    /// An integer or the number of an enumeration. An unsigned 64-bit one comes as its bits.
    pub fn int(&self, name: &str) -> i64 {
        let expected = |kind| match kind {
            Kind::Scalar(scalar) => scalar.is_integer(),
            kind => matches!(kind, Kind::Enum(_)),
        };
        match self.typed(name, expected) {
            (Some(Datum::Int(value)), _) => *value,
            (None, DefaultValue::Int(value)) => value,
            _ => 0,
        }
    }

    /// An unsigned 64-bit integer.
    pub fn uint(&self, name: &str) -> u64 {
        self.int(name) as u64
    }

    /// The name of an enumeration's value; nothing for a number without a name.
    pub fn enum_name(&self, name: &str) -> Option<&'static str> {
        match self.def().field(name)?.kind {
            Kind::Enum(def) => def.name_of(self.int(name)),
            _ => None,
        }
    }

    /// A truth value.
    pub fn bool(&self, name: &str) -> bool {
        match self.typed(name, |kind| matches!(kind, Kind::Scalar(Scalar::Bool))) {
            (Some(Datum::Bool(value)), _) => *value,
            (None, DefaultValue::Bool(value)) => value,
            _ => false,
        }
    }

    /// A 32-bit float.
    pub fn f32(&self, name: &str) -> f32 {
        match self.typed(name, |kind| matches!(kind, Kind::Scalar(Scalar::F32))) {
            (Some(Datum::F32(value)), _) => *value,
            (None, DefaultValue::F32(value)) => value,
            _ => 0.0,
        }
    }

    /// A 64-bit float.
    pub fn f64(&self, name: &str) -> f64 {
        match self.typed(name, |kind| matches!(kind, Kind::Scalar(Scalar::F64))) {
            (Some(Datum::F64(value)), _) => *value,
            (None, DefaultValue::F64(value)) => value,
            _ => 0.0,
        }
    }

    /// Text.
    pub fn str(&self, name: &str) -> Option<&str> {
        match self.typed(name, |kind| matches!(kind, Kind::String)).0 {
            Some(Datum::Str(value)) => Some(value),
            _ => None,
        }
    }

    /// Integers or enumerations; empty if absent.
    pub fn ints(&self, name: &str) -> &[i64] {
        let expected = |kind| match kind {
            Kind::Vector(Element::Scalar(scalar)) => scalar.is_integer() && scalar != Scalar::U8,
            kind => matches!(kind, Kind::Vector(Element::Enum(_))),
        };
        match self.typed(name, expected).0 {
            Some(Datum::Ints(values)) => values,
            _ => &[],
        }
    }

    /// Unsigned bytes; empty if absent.
    pub fn bytes(&self, name: &str) -> &[u8] {
        match self.typed(name, |kind| matches!(kind, Kind::Vector(Element::Scalar(Scalar::U8)))).0 {
            Some(Datum::Bytes(values)) => values,
            _ => &[],
        }
    }

    /// Truth values; empty if absent.
    pub fn bools(&self, name: &str) -> &[bool] {
        match self.typed(name, |kind| matches!(kind, Kind::Vector(Element::Scalar(Scalar::Bool)))).0 {
            Some(Datum::Bools(values)) => values,
            _ => &[],
        }
    }

    /// 32-bit floats; empty if absent.
    pub fn f32s(&self, name: &str) -> &[f32] {
        match self.typed(name, |kind| matches!(kind, Kind::Vector(Element::Scalar(Scalar::F32)))).0 {
            Some(Datum::F32s(values)) => values,
            _ => &[],
        }
    }

    /// Texts; empty if absent.
    pub fn strs(&self, name: &str) -> &[Arc<str>] {
        match self.typed(name, |kind| matches!(kind, Kind::Vector(Element::String))).0 {
            Some(Datum::Strs(values)) => values,
            _ => &[],
        }
    }

    /// A table, or the member that stands in a union.
    pub fn record(&self, name: &str) -> Option<&Record> {
        match self.typed(name, |kind| matches!(kind, Kind::Table(_) | Kind::Union(_))).0 {
            Some(Datum::Record(record) | Datum::Union(record)) => Some(record),
            _ => None,
        }
    }

    /// Tables; empty if absent.
    pub fn records(&self, name: &str) -> &[Record] {
        match self.typed(name, |kind| matches!(kind, Kind::Vector(Element::Table(_)))).0 {
            Some(Datum::Records(records)) => records,
            _ => &[],
        }
    }
}
