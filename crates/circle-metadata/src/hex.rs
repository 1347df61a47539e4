//! Lower-case hexadecimal digits, as digests are written.

use std::fmt::Write as _;

/// Two lower-case digits per byte.
pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// The bytes of pairs of digits in either case, or `None` when `text` is not that.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    pairs.iter().map(|&[high, low]| Some(digit(high)? << 4 | digit(low)?)).collect()
}

fn digit(character: u8) -> Option<u8> {
    char::from(character).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

/// Fixed-size digests as strings of digits, for `#[serde(with)]`.
pub(crate) mod fixed {
    use serde::de::Deserializer;
    use serde::ser::Serializer;

    pub(crate) fn serialize<S: Serializer, const N: usize>(
        bytes: &[u8; N],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&super::encode(bytes))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>, const N: usize>(
        deserializer: D,
    ) -> Result<[u8; N], D::Error> {
        crate::text_value::deserialize(deserializer, &format!("{} hex digits", 2 * N), |text| {
            super::decode(text)?.try_into().ok()
        })
    }
}

/// Like [`fixed`], for digests that may be unknown. Fields have to be skipped when they are.
pub(crate) mod optional {
    use serde::de::Deserializer;
    use serde::ser::Serializer;

    pub(crate) fn serialize<S: Serializer, const N: usize>(
        bytes: &Option<[u8; N]>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match bytes {
            Some(bytes) => super::fixed::serialize(bytes, serializer),
            None => serializer.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>, const N: usize>(
        deserializer: D,
    ) -> Result<Option<[u8; N]>, D::Error> {
        super::fixed::deserialize(deserializer).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_both_ways() {
        assert_eq!(encode(&[0, 0x0f, 0xa5]), "000fa5");
        assert_eq!(decode("000FA5"), Some(vec![0, 0x0f, 0xa5]));
        assert_eq!(decode(""), Some(vec![]));
        for bad in ["0", "0g", "é0"] {
            assert_eq!(decode(bad), None, "{bad}");
        }
    }
}
