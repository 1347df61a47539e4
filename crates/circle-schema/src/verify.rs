//! Which format a file is, and whether its bytes hold together.

use std::error::Error;
use std::fmt::{self, Write};

use circle_tables::{CIRCLE, SchemaDef, TFLITE};
use flatbuffers::{ErrorTraceDetail, InvalidFlatbuffer};

use crate::generated;
use crate::limits::verifier_options;
use crate::raw::{RawError, RawTable};

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

/// Why the bytes of a file cannot be read as a model.
#[derive(Clone, Debug)]
pub enum VerifyError {
    /// It is something else.
    NotAModel(NotAModel),
    /// It is of the other format.
    Format {
        /// What was asked for.
        expected: Format,
        /// What it is.
        found: Format,
    },
    /// An offset leads nowhere, a string is not text, and so on.
    Damaged {
        /// Where, as `subgraphs[0].tensors[3].name`; `model` at the outermost table.
        path: String,
        /// Where in the file, if the verifier knows.
        byte: Option<u64>,
        /// What.
        damage: String,
    },
    /// The limits of [`verifier_options`] are exceeded.
    Excessive {
        /// What there is too much of.
        what: &'static str,
        /// The limit.
        limit: u64,
    },
    /// The root cannot be read, though the verifier passed it.
    Raw(RawError),
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VerifyError::NotAModel(error) => write!(f, "{error}"),
            VerifyError::Format { expected, found } => write!(f, "a {found} model, {expected} is expected"),
            VerifyError::Damaged { path, byte: Some(byte), damage } => {
                write!(f, "damaged at byte {byte}, {path}: {damage}")
            }
            VerifyError::Damaged { path, byte: None, damage } => write!(f, "damaged at {path}: {damage}"),
            VerifyError::Excessive { what, limit } => {
                write!(f, "damaged: more than {limit} {what}, which no file of this size can need")
            }
            VerifyError::Raw(error) => write!(f, "{error}"),
        }
    }
}

impl Error for VerifyError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            VerifyError::NotAModel(error) => Some(error),
            VerifyError::Raw(error) => Some(error),
            _ => None,
        }
    }
}

/// Verifies a file of either format and returns its outermost table.
///
/// The size of the file is no obstacle: data outside the flatbuffer, as in files over 2 GiB, is beyond
/// every offset inside it and is not looked at.
///
/// # Errors
/// When it is neither, or damaged.
pub fn verify(bytes: &[u8]) -> Result<(Format, RawTable<'_>), VerifyError> {
    let format = format_of(bytes).map_err(VerifyError::NotAModel)?;
    let options = verifier_options(bytes.len());
    let verified = match format {
        Format::Circle => generated::circle::root_as_model_with_opts(&options, bytes).map(drop),
        Format::Tflite => generated::tflite::root_as_model_with_opts(&options, bytes).map(drop),
    };
    verified.map_err(|error| located(&error, &options))?;
    let root = RawTable::root(bytes, format.schema().root).map_err(VerifyError::Raw)?;
    Ok((format, root))
}

/// Verifies a circle file and returns its outermost table.
///
/// # Errors
/// As [`verify`], and when it is a tflite file.
pub fn verify_circle(bytes: &[u8]) -> Result<RawTable<'_>, VerifyError> {
    verify_as(Format::Circle, bytes)
}

/// Verifies a tflite file and returns its outermost table.
///
/// # Errors
/// As [`verify`], and when it is a circle file.
pub fn verify_tflite(bytes: &[u8]) -> Result<RawTable<'_>, VerifyError> {
    verify_as(Format::Tflite, bytes)
}

fn verify_as(expected: Format, bytes: &[u8]) -> Result<RawTable<'_>, VerifyError> {
    match format_of(bytes).map_err(VerifyError::NotAModel)? {
        found if found == expected => verify(bytes).map(|(_, root)| root),
        found => Err(VerifyError::Format { expected, found }),
    }
}

/// The verifier's error, which is several lines with the innermost place first, as one located line.
fn located(error: &InvalidFlatbuffer, options: &flatbuffers::VerifierOptions) -> VerifyError {
    let damaged =
        |trace: &dyn AsRef<[ErrorTraceDetail]>, byte: Option<usize>, damage: String| VerifyError::Damaged {
            path: path(trace.as_ref()),
            byte: byte.map(|byte| byte as u64).or_else(|| innermost(trace.as_ref())),
            damage,
        };
    match error {
        InvalidFlatbuffer::MissingRequiredField { required, error_trace } => {
            damaged(error_trace, None, format!("field {required} is missing"))
        }
        InvalidFlatbuffer::InconsistentUnion { field, field_type, error_trace } => {
            damaged(error_trace, None, format!("of {field} and {field_type} only one is present"))
        }
        InvalidFlatbuffer::Utf8Error { error, range, error_trace } => damaged(
            error_trace,
            Some(range.start),
            format!(
                "a string of {} bytes is not UTF-8 from its byte {} on",
                range.len(),
                error.valid_up_to()
            ),
        ),
        InvalidFlatbuffer::MissingNullTerminator { range, error_trace } => {
            damaged(error_trace, Some(range.end), "a string does not end with a zero byte".to_owned())
        }
        InvalidFlatbuffer::Unaligned { position, unaligned_type, error_trace } => {
            damaged(error_trace, Some(*position), format!("a {unaligned_type} is not aligned"))
        }
        InvalidFlatbuffer::RangeOutOfBounds { range, error_trace } => damaged(
            error_trace,
            None,
            format!("bytes {}..{} are beyond the end of the file", range.start, range.end),
        ),
        InvalidFlatbuffer::SignedOffsetOutOfBounds { soffset, position, error_trace } => damaged(
            error_trace,
            Some(*position),
            format!("the offset {soffset} to a vtable leads out of the file"),
        ),
        InvalidFlatbuffer::TooManyTables => {
            VerifyError::Excessive { what: "tables", limit: options.max_tables as u64 }
        }
        InvalidFlatbuffer::ApparentSizeTooLarge => VerifyError::Excessive {
            what: "bytes, counted each time they are referred to",
            limit: options.max_apparent_size as u64,
        },
        InvalidFlatbuffer::DepthLimitReached => {
            VerifyError::Excessive { what: "tables inside one another", limit: options.max_depth as u64 }
        }
    }
}

/// The place as a path from the outermost table.
fn path(trace: &[ErrorTraceDetail]) -> String {
    let mut path = String::new();
    // Writing into a string cannot fail.
    for step in trace.iter().rev() {
        let _ = match step {
            ErrorTraceDetail::VectorElement { index, .. } => write!(path, "[{index}]"),
            ErrorTraceDetail::TableField { field_name, .. } => {
                // The generator appends a line to names that are words of Rust.
                let dot = if path.is_empty() { "" } else { "." };
                write!(path, "{dot}{}", field_name.trim_end_matches('_'))
            }
            ErrorTraceDetail::UnionVariant { variant, .. } => {
                write!(path, "({})", (**variant).rsplit("::").next().unwrap_or(&**variant))
            }
        };
    }
    if path.is_empty() { "model".to_owned() } else { path }
}

fn innermost(trace: &[ErrorTraceDetail]) -> Option<u64> {
    trace.first().map(|step| match step {
        ErrorTraceDetail::VectorElement { position, .. }
        | ErrorTraceDetail::TableField { position, .. }
        | ErrorTraceDetail::UnionVariant { position, .. } => *position as u64,
    })
}
