//! Values that JSON holds as strings, refused at the very place where they are wrong.

use std::fmt;

use serde::de::{Deserializer, Error, Visitor};

/// Reads a string and makes a value of it. An error raised in the visitor, and only there, gets the line
/// of the string rather than that of the record's end.
pub(crate) fn deserialize<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    expected: &str,
    parse: impl Fn(&str) -> Option<T>,
) -> Result<T, D::Error> {
    struct Text<'e, F>(&'e str, F);

    impl<T, F: Fn(&str) -> Option<T>> Visitor<'_> for Text<'_, F> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
            (self.1)(text).ok_or_else(|| E::custom(format!("{text:?} is not {}", self.0)))
        }
    }

    deserializer.deserialize_str(Text(expected, parse))
}
