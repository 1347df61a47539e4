//! Records as JSON writes them: objects whose members have names, and texts for what is one of several words.
//!
//! Derived readers also take a record as the list of its values in the order in which the program declares them, and a word
//! as an object with one member. Nobody has agreed on either, and a value in the wrong place would be taken for another one:
//! neither is read, at any depth.

use std::fmt;

use serde::de::value::StrDeserializer;
use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;

/// A value in JSON text all of whose records are objects.
///
/// # Errors
/// JSON that is none, or is not of that type.
pub(super) fn from_str<T: DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    let mut json = serde_json::Deserializer::from_str(text);
    let value = T::deserialize(Named(&mut json))?;
    json.end().map(|()| value)
}

/// What serde hands around, with the rule for all within: a deserializer, a visitor of options and lists, access to the
/// elements of a list or the members of an object, a seed.
struct Named<T>(T);

/// A visitor of a record, which is an object.
struct Record<V>(V);

/// A visitor of one of several words, which is a text.
struct Word<V>(V);

/// Hands a value without values within on as it is.
macro_rules! plain {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            self.0.$method(visitor)
        })*
    };
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Named<D> {
    type Error = D::Error;

    plain! {
        deserialize_any deserialize_bool deserialize_u32 deserialize_u64 deserialize_i64 deserialize_str
        deserialize_string deserialize_map deserialize_identifier deserialize_ignored_any
    }
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_option(Named(visitor))
    }
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_seq(Named(visitor))
    }
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(Record(visitor))
    }
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_str(Word(visitor))
    }
    forward_to_deserialize_any! {
        i8 i16 i32 i128 u8 u16 u128 f32 f64 char bytes byte_buf unit unit_struct newtype_struct tuple tuple_struct
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Named<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }
    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.0.visit_none()
    }
    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.0.visit_unit()
    }
    fn visit_some<D: Deserializer<'de>>(self, json: D) -> Result<V::Value, D::Error> {
        self.0.visit_some(Named(json))
    }
    fn visit_seq<S: SeqAccess<'de>>(self, list: S) -> Result<V::Value, S::Error> {
        self.0.visit_seq(Named(list))
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Record<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }
    fn visit_map<M: MapAccess<'de>>(self, members: M) -> Result<V::Value, M::Error> {
        self.0.visit_map(Named(members))
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Word<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }
    fn visit_str<E: Error>(self, text: &str) -> Result<V::Value, E> {
        self.0.visit_enum(StrDeserializer::new(text))
    }
}

impl<'de, S: SeqAccess<'de>> SeqAccess<'de> for Named<S> {
    type Error = S::Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, S::Error> {
        self.0.next_element_seed(Named(seed))
    }
    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

impl<'de, M: MapAccess<'de>> MapAccess<'de> for Named<M> {
    type Error = M::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, M::Error> {
        self.0.next_key_seed(seed)
    }
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, M::Error> {
        self.0.next_value_seed(Named(seed))
    }
    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

impl<'de, T: DeserializeSeed<'de>> DeserializeSeed<'de> for Named<T> {
    type Value = T::Value;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<T::Value, D::Error> {
        self.0.deserialize(Named(json))
    }
}
