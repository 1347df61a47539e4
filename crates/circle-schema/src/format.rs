//! Which format a file is, told by its content.

use std::error::Error;
use std::fmt;

use circle_tables::{CIRCLE, SchemaDef, TFLITE};

/// A format that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Samsung ONE's circle, identifier `CIR0`.
    Circle,
    /// TFLite, identifier `TFL3`.
    Tflite,
}

impl Format {
    /// The description of its tables.
    pub fn schema(self) -> &'static SchemaDef {
        match self {
            Format::Circle => &CIRCLE,
            Format::Tflite => &TFLITE,
        }
    }

    /// Its name, which is also the usual extension of its files.
    pub fn name(self) -> &'static str {
        self.schema().name
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Tells the format by the identifier at bytes 4 to 8. Names and extensions of files play no part.
///
/// # Errors
/// What the file seems to be instead.
pub fn format_of(bytes: &[u8]) -> Result<Format, NotAModel> {
    let identifier = bytes.get(4..8);
    for format in [Format::Circle, Format::Tflite] {
        if identifier == Some(format.schema().file_identifier.as_bytes()) {
            return Ok(format);
        }
    }
    Err(NotAModel::recognise(bytes))
}

/// Something that is neither circle nor tflite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotAModel {
    /// No bytes at all.
    Empty,
    /// Too few bytes for the head of a flatbuffer, which takes 8.
    TooShort {
        /// How many there are.
        len: u64,
    },
    /// A file of a known other kind.
    Other {
        /// Which.
        kind: &'static str,
    },
    /// A flatbuffer or anything else.
    Unknown {
        /// Bytes 4 to 8, where an identifier stands in a flatbuffer.
        identifier: [u8; 4],
    },
}

impl NotAModel {
    fn recognise(bytes: &[u8]) -> Self {
        const MAGIC: &[(&[u8], &str)] = &[
            (
                b"PK\x03\x04",
                "a ZIP archive (a model package or a .pt2 file must be unpacked or exported first)",
            ),
            (b"\x1f\x8b", "compressed with gzip"),
            (b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
            (b"\x7fELF", "a program"),
        ];
        if bytes.is_empty() {
            return NotAModel::Empty;
        }
        if let Some((_, kind)) = MAGIC.iter().find(|(magic, _)| bytes.starts_with(magic)) {
            return NotAModel::Other { kind };
        }
        let head = bytes.get(..bytes.len().min(256)).unwrap_or_default();
        let first = head.iter().find(|byte| !byte.is_ascii_whitespace());
        if head.iter().all(|&byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace()) {
            return NotAModel::Other {
                kind: match first {
                    Some(b'{' | b'[') => "JSON text (a trace or a report is not a model)",
                    Some(b'<') => "XML or HTML text",
                    _ => "text",
                },
            };
        }
        // A protobuf of ONNX begins with field 1, the version of the IR, then field 2 or 8.
        if matches!(bytes, [0x08, 1..=0x1f, 0x12 | 0x42 | 0x3a, ..]) {
            return NotAModel::Other { kind: "an ONNX model (it must be converted first)" };
        }
        match bytes.get(4..8) {
            Some(&[a, b, c, d]) => NotAModel::Unknown { identifier: [a, b, c, d] },
            _ => NotAModel::TooShort { len: bytes.len() as u64 },
        }
    }
}

impl fmt::Display for NotAModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotAModel::Empty => f.write_str("the file is empty"),
            NotAModel::TooShort { len } => {
                write!(f, "not a model: {len} bytes, the head of one takes 8")
            }
            NotAModel::Other { kind } => write!(f, "not a model: it is {kind}"),
            NotAModel::Unknown { identifier } => write!(
                f,
                "not a model: bytes 4 to 8 are \"{}\", CIR0 (circle) or TFL3 (tflite) is expected",
                identifier.escape_ascii()
            ),
        }
    }
}

impl Error for NotAModel {}
