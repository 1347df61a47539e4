//! What may be wrong with a lineage on its way in or out.

use std::fmt;

use super::check::Invalid;
use super::record::Version;

/// Why a lineage was not written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EncodeError {
    /// Not the version that such a lineage is written in: what a newer one added would be lost.
    Version {
        /// The version that it says it has.
        found: Version,
        /// The one that it is written in.
        due: Version,
    },
    /// The records contradict each other.
    Invalid(Invalid),
    /// More than the form can hold.
    TooMany {
        /// Which list.
        table: &'static str,
        /// What there is too much of.
        what: &'static str,
        /// How much.
        count: u64,
        /// The most that can be written.
        limit: u64,
    },
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version { found, due } => {
                let Version { major, minor } = found;
                write!(f, "lineage of version {major}.{minor}, {}.{} is written", due.major, due.minor)
            }
            Self::Invalid(invalid) => invalid.fmt(f),
            Self::TooMany { table, what, count, limit } => {
                write!(f, "{table}: {count} {what}, at most {limit} can be written")
            }
        }
    }
}

impl std::error::Error for EncodeError {}

impl From<Invalid> for EncodeError {
    fn from(invalid: Invalid) -> Self {
        Self::Invalid(invalid)
    }
}

/// Why bytes are not a lineage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DecodeError {
    /// Fewer bytes than the smallest flatbuffer with an identifier.
    TooShort {
        /// How many there are.
        bytes: u64,
    },
    /// Another file identifier.
    Identifier {
        /// The four bytes in its place.
        found: [u8; 4],
    },
    /// Not a well-formed flatbuffer.
    Flatbuffer {
        /// What the verifier says.
        text: String,
    },
    /// A digest of the wrong length.
    Digest {
        /// Which list.
        table: &'static str,
        /// Row in that list.
        row: u64,
        /// Length found, in bytes.
        bytes: u64,
        /// Length due, in bytes.
        due: u64,
    },
    /// A packed list is malformed.
    Column {
        /// Which list.
        table: &'static str,
        /// Row in that list.
        row: u64,
        /// Offset in the packed bytes of that list.
        at_byte: u64,
        /// What is wrong.
        fault: ColumnFault,
    },
    /// The records contradict each other.
    Invalid(Invalid),
}

/// What is wrong with packed bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnFault {
    /// More rows are promised than the bytes can hold.
    Count {
        /// Rows promised.
        rows: u64,
        /// Bytes there are.
        bytes: u64,
    },
    /// The bytes end within a row.
    End,
    /// A number that does not fit 64 bits or is longer than it need be.
    Number,
    /// A value that does not fit 32 bits.
    Range {
        /// The value.
        value: i128,
    },
    /// A code without a meaning.
    Code {
        /// Which vocabulary.
        what: &'static str,
        /// The code.
        code: u8,
    },
    /// A shared string that does not exist.
    Shared {
        /// Index given.
        index: u32,
        /// How many there are.
        count: u64,
    },
    /// Shared strings are used so often that they would come to a multiple of the blob.
    Sharing {
        /// The string with which it got too much.
        index: u32,
    },
    /// A shared string has more in common with the one before than that has bytes.
    Start {
        /// Bytes it is to have in common.
        shared: u64,
        /// Length of the one before.
        length: u64,
    },
    /// A shared string that ought to be text but is not UTF-8.
    NotText {
        /// Index given.
        index: u32,
    },
    /// Bytes after the last row.
    Trailing {
        /// How many.
        bytes: u64,
    },
}

impl fmt::Display for ColumnFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count { rows, bytes } => write!(f, "{rows} rows cannot stand in {bytes} bytes"),
            Self::End => f.write_str("the bytes end within the row"),
            Self::Number => f.write_str("a number is longer than it need be"),
            Self::Range { value } => write!(f, "{value} does not fit 32 bits"),
            Self::Code { what, code } => write!(f, "{code} is no {what}"),
            Self::Shared { index, count } => {
                write!(f, "shared string {index} does not exist ({count} strings)")
            }
            Self::Sharing { index } => {
                write!(f, "shared strings, up to {index}, are used too often for a blob of this size")
            }
            Self::Start { shared, length } => {
                write!(f, "a shared string begins with {shared} bytes of the one before, which has {length}")
            }
            Self::NotText { index } => write!(f, "shared string {index} is not UTF-8"),
            Self::Trailing { bytes } => write!(f, "{bytes} bytes after the last row"),
        }
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooShort { bytes } => write!(f, "{bytes} bytes are too few for a lineage, 8 is the least"),
            Self::Identifier { found } => {
                write!(f, "file identifier \"{}\", \"{}\" is due", found.escape_ascii(), super::IDENTIFIER)
            }
            Self::Flatbuffer { text } => write!(f, "not a well-formed flatbuffer: {text}"),
            Self::Digest { table, row, bytes, due } => {
                write!(f, "{table} row {row}: digest of {bytes} bytes, {due} are due")
            }
            Self::Column { table, row, at_byte, fault } => {
                write!(f, "{table} row {row} (byte {at_byte}): {fault}")
            }
            Self::Invalid(invalid) => invalid.fmt(f),
        }
    }
}

impl std::error::Error for DecodeError {}

impl From<Invalid> for DecodeError {
    fn from(invalid: Invalid) -> Self {
        Self::Invalid(invalid)
    }
}

/// Why a JSON text is not a lineage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JsonError {
    /// Not JSON, or not of this shape.
    Syntax {
        /// Line, from 1.
        line: u64,
        /// Column, from 1.
        column: u64,
        /// What the parser says.
        text: String,
    },
    /// A major version this crate does not know.
    Version(Version),
    /// The records contradict each other.
    Invalid(Invalid),
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax { line, column, text } => write!(f, "line {line}, column {column}: {text}"),
            Self::Version(Version { major, minor }) => {
                write!(
                    f,
                    "lineage of version {major}.{minor}, major version {} is known",
                    super::VERSION.major
                )
            }
            Self::Invalid(invalid) => invalid.fmt(f),
        }
    }
}

impl std::error::Error for JsonError {}

impl From<Invalid> for JsonError {
    fn from(invalid: Invalid) -> Self {
        Self::Invalid(invalid)
    }
}
