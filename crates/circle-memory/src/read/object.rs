//! The members of one JSON object, taken one by one, each number exactly as it stands.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::error::{Faulty, ReadFault, at, at_field};
use super::json::{Text, message};
use super::records;
use super::strict::{large, strict, strict_map};
use super::text::{Lines, count};

/// The members of an object that were not taken yet.
#[derive(Debug)]
pub(super) struct Object<'a> {
    whole: &'a str,
    line: u64,
    members: Vec<(Cow<'a, str>, Option<&'a RawValue>)>,
}

impl<'a> Object<'a> {
    /// Takes an object apart that begins on `line`.
    ///
    /// # Errors
    /// Something else than an object; a key that is there twice.
    pub(super) fn new(whole: &'a RawValue, line: u64) -> Faulty<Self> {
        let object = Self::lenient(whole, line)?;
        match object.twice() {
            Some((key, line)) => at_field(line, key, ReadFault::twice(key)),
            None => Ok(object),
        }
    }

    /// The same, of which members may be there twice: the first counts.
    pub(super) fn lenient(whole: &'a RawValue, line: u64) -> Faulty<Self> {
        match serde_json::from_str(whole.get()) {
            Ok(Members(members)) => Ok(Self { whole: whole.get(), line, members }),
            Err(_) => at(line, ReadFault::expected("an object", whole.get())),
        }
    }

    /// A key that is there twice, and the line of the second one's value.
    fn twice(&self) -> Option<(&str, u64)> {
        // Few keys are compared with one another, many by way of a set.
        const FEW: usize = 24;
        let mut before = BTreeSet::new();
        let mut members = self.members.iter().enumerate();
        let (_, (key, value)) = members.find(|(at, (key, _))| {
            if self.members.len() > FEW {
                return !before.insert(key);
            }
            self.members.iter().take(*at).any(|(other, _)| other == key)
        })?;
        Some((key, value.map_or(self.line, |value| self.line_of(value))))
    }

    /// The line on which a value begins.
    fn line_of(&self, value: &RawValue) -> u64 {
        let start = (value.get().as_ptr() as usize).saturating_sub(self.whole.as_ptr() as usize);
        self.line + count(self.whole.as_bytes().get(..start).unwrap_or_default())
    }

    /// The value of a member that is there and not null.
    pub(super) fn take(&mut self, key: &str) -> Option<&'a RawValue> {
        let member =
            self.members.iter_mut().find(|(k, v)| k == key && v.is_some_and(|v| v.get() != "null"))?;
        member.1.take()
    }

    /// The value of a member that is there, null or not.
    fn take_any(&mut self, key: &str) -> Option<&'a RawValue> {
        self.members.iter_mut().find(|(k, v)| k == key && v.is_some())?.1.take()
    }

    /// A number that must be there.
    pub(super) fn number(&mut self, key: &'static str) -> Faulty<u64> {
        match self.optional(key)? {
            Some(number) => Ok(number),
            None => at(self.line, ReadFault::Missing(format!("{key:?}"))),
        }
    }

    /// A number that may be there.
    pub(super) fn optional(&mut self, key: &str) -> Faulty<Option<u64>> {
        let Some(value) = self.take(key) else { return Ok(None) };
        whole(value, self.line_of(value), key).map(Some)
    }

    /// A text that may be there.
    pub(super) fn text(&mut self, key: &str) -> Faulty<Option<Cow<'a, str>>> {
        let Some(value) = self.take(key) else { return Ok(None) };
        string(value, self.line_of(value), key).map(Some)
    }

    /// A value of any type that may be there, the default where it is not.
    pub(super) fn value<T: DeserializeOwned + Default>(&mut self, key: &str) -> Faulty<T> {
        let Some(value) = self.take_any(key) else { return Ok(T::default()) };
        parse(value, self.line_of(value), key)
    }

    /// An object that may be there, kept as it is.
    pub(super) fn map(&mut self, key: &str) -> Faulty<Map<String, Value>> {
        let Some(value) = self.take_any(key) else { return Ok(Map::new()) };
        strict_map(value, self.line_of(value), key)
    }

    /// The members that were not taken, as they are.
    pub(super) fn rest(self) -> Faulty<Map<String, Value>> {
        let mut map = Map::new();
        let mut lines = Lines::new(self.whole);
        for (key, value) in &self.members {
            if let Some(value) = value {
                let line = self.line + lines.of(value.get()).saturating_sub(1);
                map.insert(key.to_string(), strict(value, line, key)?);
            }
        }
        Ok(map)
    }

    /// An error if members were not taken that are there and not null.
    pub(super) fn end(self, known: &'static [&'static str]) -> Faulty<()> {
        let left = self.members.iter().find_map(|(key, v)| v.map(|value| (key, value)));
        match left {
            Some((key, value)) if !known.contains(&key.as_ref()) => {
                at_field(self.line_of(value), key, ReadFault::unknown(key, known))
            }
            _ => Ok(()),
        }
    }
}

/// A number without sign, point and exponent.
pub(super) fn whole(value: &RawValue, line: u64, key: &str) -> Faulty<u64> {
    let text = value.get();
    match super::text::digits(text) {
        Some(number) => Ok(number),
        None if text.starts_with(|c: char| c == '-' || c.is_ascii_digit()) => {
            at_field(line, key, ReadFault::number(text))
        }
        None => at_field(line, key, ReadFault::expected("a whole number", text)),
    }
}

/// A text.
pub(super) fn string<'a>(value: &'a RawValue, line: u64, key: &str) -> Faulty<Cow<'a, str>> {
    if !value.get().starts_with('"') {
        return at_field(line, key, ReadFault::expected("a text", value.get()));
    }
    match serde_json::from_str::<Text<'a>>(value.get()) {
        Ok(Text(text)) => Ok(text),
        Err(error) => at_field(line, key, ReadFault::Json(message(&error))),
    }
}

/// A value of a type that serde reads, whose records are objects.
pub(super) fn parse<T: DeserializeOwned>(value: &RawValue, line: u64, key: &str) -> Faulty<T> {
    records::from_str(value.get()).or_else(|error| {
        if let Some(number) = large(value.get()) {
            return at_field(line, key, ReadFault::number(number));
        }
        let line = line + (error.line() as u64).saturating_sub(1);
        at_field(line, key, ReadFault::Json(message(&error)))
    })
}

/// All members of an object, in order.
struct Members<'a>(Vec<(Cow<'a, str>, Option<&'a RawValue>)>);

impl<'a> serde::Deserialize<'a> for Members<'a> {
    fn deserialize<D: serde::Deserializer<'a>>(json: D) -> Result<Self, D::Error> {
        struct Take;
        impl<'a> serde::de::Visitor<'a> for Take {
            type Value = Members<'a>;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<M: serde::de::MapAccess<'a>>(self, mut map: M) -> Result<Members<'a>, M::Error> {
                let mut members = Vec::with_capacity(8);
                while let Some((Text(key), value)) = map.next_entry::<Text<'a>, &'a RawValue>()? {
                    members.push((key, Some(value)));
                }
                Ok(Members(members))
            }
        }
        json.deserialize_map(Take)
    }
}
