//! JSON values that are kept as they are: nothing in them may be lost by keeping them.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Number, Value};

use super::error::{Faulty, ReadFault, at_field};
use super::json::{Text, message};

/// The value of a member. Keys that are there twice and whole numbers beyond 64 bits are refused, for a JSON value would
/// forget the one and round the other.
pub(super) fn strict(value: &RawValue, line: u64, key: &str) -> Faulty<Value> {
    if let Some(number) = large(value.get()) {
        return at_field(line, key, ReadFault::number(number));
    }
    let mut json = serde_json::Deserializer::from_str(value.get());
    Take.deserialize(&mut json).or_else(|error| {
        let line = line + (error.line() as u64).saturating_sub(1);
        at_field(line, key, ReadFault::Json(message(&error)))
    })
}

/// The same for the members of an object.
pub(super) fn strict_map(value: &RawValue, line: u64, key: &str) -> Faulty<Map<String, Value>> {
    match strict(value, line, key)? {
        Value::Object(map) => Ok(map),
        _ => at_field(line, key, ReadFault::expected("an object", value.get())),
    }
}

/// The first whole number in JSON text that 64 bits do not hold.
pub(super) fn large(text: &str) -> Option<&str> {
    // Shorter ones always fit.
    const FITS: usize = 18;
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if byte == b'"' {
            at += 1;
            while let Some(&byte) = bytes.get(at).filter(|&&b| b != b'"') {
                at += if byte == b'\\' { 2 } else { 1 };
            }
            at += 1;
        } else if byte.is_ascii_digit() || byte == b'-' {
            let more = |b: &u8| b.is_ascii_digit() || matches!(b, b'-' | b'+' | b'.' | b'e' | b'E');
            let end =
                bytes.get(at..)?.iter().position(|b| !more(b)).map_or(bytes.len(), |length| at + length);
            let number = text.get(at..end)?;
            let whole = !number.contains(['.', 'e', 'E']);
            if whole
                && number.len() > FITS
                && number.parse::<u64>().is_err()
                && number.parse::<i64>().is_err()
            {
                return Some(number);
            }
            at = end;
        } else {
            at += 1;
        }
    }
    None
}

struct Take;

impl<'de> DeserializeSeed<'de> for Take {
    type Value = Value;
    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Value, D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Take {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }
    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }
    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }
    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }
    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("number out of range"))
    }
    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }
    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }
    fn visit_seq<S: SeqAccess<'de>>(self, mut list: S) -> Result<Value, S::Error> {
        let mut values = Vec::new();
        while let Some(value) = list.next_element_seed(Self)? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }
    fn visit_map<M: MapAccess<'de>>(self, mut members: M) -> Result<Value, M::Error> {
        let mut map = Map::new();
        while let Some(Text(key)) = members.next_key::<Text<'_>>()? {
            let value = members.next_value_seed(Self)?;
            if map.insert(key.to_string(), value).is_some() {
                return Err(M::Error::custom(format_args!("{key:?} is there twice")));
            }
        }
        Ok(Value::Object(map))
    }
}
