//! Names and labels as they stand in model files: shared, and shown without harm.

use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::ops::Deref;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, SerializeMap as _, Serializer};

/// The name of an operator, tensor or file: any bytes, for no format promises an encoding.
///
/// Cheap to clone, so that a thousand records may share one long name. In JSON a name is a string when
/// its bytes are UTF-8 and `{"hex": "…"}` when they are not; nothing is lost either way.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(Arc<[u8]>);

impl Name {
    /// The bytes as they are in the file.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The name as text when its bytes are UTF-8.
    pub fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(&self.0).ok()
    }

    /// The name as text, with U+FFFD in place of what is not UTF-8.
    pub fn lossy(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }
}

impl From<&[u8]> for Name {
    fn from(bytes: &[u8]) -> Self {
        Self(bytes.into())
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Self(text.as_bytes().into())
    }
}

impl From<Arc<str>> for Name {
    fn from(text: Arc<str>) -> Self {
        Self(text.into())
    }
}

impl From<String> for Name {
    fn from(text: String) -> Self {
        Self(text.into_bytes().into())
    }
}

impl From<Vec<u8>> for Name {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes.into())
    }
}

/// Writes control characters and bytes that are not UTF-8 as escapes, so that a name can neither break
/// a line nor drive a terminal.
impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            for c in chunk.valid().chars() {
                if c.is_control() {
                    write!(f, "{}", c.escape_default())?;
                } else {
                    f.write_char(c)?;
                }
            }
            for byte in chunk.invalid() {
                write!(f, "\\x{byte:02x}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{self}\"")
    }
}

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.as_str() {
            Some(text) => serializer.serialize_str(text),
            None => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("hex", &crate::hex::encode(&self.0))?;
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        #[serde(untagged)]
        enum Form {
            Text(String),
            Bytes { hex: String },
        }
        match Form::deserialize(deserializer)? {
            Form::Text(text) => Ok(text.into()),
            Form::Bytes { hex } => crate::hex::decode(&hex)
                .map(Name::from)
                .ok_or_else(|| D::Error::custom("a name's hex digits are not pairs of 0-9a-f")),
        }
    }
}

/// A short text that many records share: an operator code, a label, a place of measurement. UTF-8.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text(Arc<str>);

impl Text {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Deref for Text {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl From<Arc<str>> for Text {
    fn from(text: Arc<str>) -> Self {
        Self(text)
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self(text.into())
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", &*self.0)
    }
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_escapes_what_would_harm_and_nothing_else() {
        let name = Name::from(&b"a\n\x1b[1m\0\xffz\xc3\xa9"[..]);
        assert_eq!(name.to_string(), "a\\n\\u{1b}[1m\\u{0}\\xffzé");
    }

    #[test]
    fn json_keeps_bytes_that_are_no_text() {
        for bytes in [&b"conv1"[..], b"", b"\xff\x00", b"\"</script>"] {
            let name = Name::from(bytes);
            let json = serde_json::to_string(&name).unwrap();
            assert_eq!(serde_json::from_str::<Name>(&json).unwrap(), name, "{json}");
        }
        assert_eq!(serde_json::to_string(&Name::from(&b"\xff\x01"[..])).unwrap(), "{\"hex\":\"ff01\"}");
        assert!(serde_json::from_str::<Name>("{\"hex\":\"f\"}").is_err());
    }
}
