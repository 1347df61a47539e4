//! Record to text.

use std::fmt::{self, Display, Write};

use crate::datum::Datum;
use crate::record::Record;
use crate::schema::{Element, EnumDef, Kind, Scalar};

impl Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('{')?;
        for (index, (field, datum)) in self.fields().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{}=", field.name)?;
            datum_to_text(f, datum, field.kind)?;
        }
        f.write_char('}')
    }
}

fn datum_to_text(f: &mut fmt::Formatter<'_>, datum: &Datum, kind: Kind) -> fmt::Result {
    let element = match kind {
        Kind::Vector(element) => Some(element),
        _ => None,
    };
    match datum {
        Datum::Bool(value) => write!(f, "{value}"),
        Datum::Int(value) => match kind {
            Kind::Enum(def) => enumerated(f, *value, def),
            Kind::Scalar(Scalar::U64) => write!(f, "{}", *value as u64),
            _ => write!(f, "{value}"),
        },
        Datum::F32(value) => float32(f, *value),
        Datum::F64(value) => float64(f, *value),
        Datum::Str(value) => quote(f, value),
        Datum::Bools(values) => list(f, values, |f, value| write!(f, "{value}")),
        Datum::Ints(values) => list(f, values, |f, value| match element {
            Some(Element::Enum(def)) => enumerated(f, *value, def),
            Some(Element::Scalar(Scalar::U64)) => write!(f, "{}", *value as u64),
            _ => write!(f, "{value}"),
        }),
        Datum::Bytes(bytes) => {
            f.write_str("x\"")?;
            bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
            f.write_char('"')
        }
        Datum::F32s(values) => list(f, values, |f, value| float32(f, *value)),
        Datum::F64s(values) => list(f, values, |f, value| float64(f, *value)),
        Datum::Strs(values) => list(f, values, |f, value| quote(f, value)),
        Datum::Record(record) => write!(f, "{record}"),
        Datum::Records(records) => list(f, records, |f, record| write!(f, "{record}")),
        Datum::Union(record) => write!(f, "{}{record}", record.name()),
    }
}

fn list<T>(
    f: &mut fmt::Formatter<'_>,
    values: &[T],
    one: impl Fn(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    f.write_char('[')?;
    for (index, value) in values.iter().enumerate() {
        if index > 0 {
            f.write_str(", ")?;
        }
        one(f, value)?;
    }
    f.write_char(']')
}

fn enumerated(f: &mut fmt::Formatter<'_>, value: i64, def: &EnumDef) -> fmt::Result {
    match def.name_of(value) {
        Some(name) => f.write_str(name),
        None => write!(f, "{value}"),
    }
}

/// The shortest decimal that reads back as the same bits; a NaN other than the usual one by its bits.
fn float32(f: &mut fmt::Formatter<'_>, value: f32) -> fmt::Result {
    match value.to_bits() {
        bits if bits == f32::NAN.to_bits() => f.write_str("nan"),
        bits if value.is_nan() => write!(f, "nan:{bits:#010x}"),
        _ => write!(f, "{value:?}"),
    }
}

/// As [`float32`].
fn float64(f: &mut fmt::Formatter<'_>, value: f64) -> fmt::Result {
    match value.to_bits() {
        bits if bits == f64::NAN.to_bits() => f.write_str("nan"),
        bits if value.is_nan() => write!(f, "nan:{bits:#018x}"),
        _ => write!(f, "{value:?}"),
    }
}

/// Writes a string in quotes: control characters and those that change the direction of text are
/// escaped, so that no name can disturb the line it is printed in.
///
/// # Errors
/// Those of the output.
pub fn quote(f: &mut impl Write, text: &str) -> fmt::Result {
    f.write_char('"')?;
    for letter in text.chars() {
        match letter {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            letter if letter.is_control() || is_layout(letter) => {
                write!(f, "\\u{{{:x}}}", u32::from(letter))?;
            }
            letter => f.write_char(letter)?,
        }
    }
    f.write_char('"')
}

/// Line and paragraph separators, zero-width and bidirectional controls.
fn is_layout(letter: char) -> bool {
    matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}
