//! Whether the bytes of a file hold together.

use std::error::Error;
use std::fmt::{self, Write};

use flatbuffers::{ErrorTraceDetail, InvalidFlatbuffer};

use crate::format::{Format, NotAModel, format_of};
use crate::generated;
use crate::limits::verifier_options;
use crate::raw::{RawError, RawTable};

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
