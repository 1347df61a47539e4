//! A lineage in a file beside its model: the records of the blob, one to one, with what tells to which model they
//! belong.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::error::JsonError;
use super::record::{FileRecord, Lineage};
use crate::hex;

/// The version of the frame around the records.
const VERSION: u32 = 1;

/// What a sidecar file holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sidecar {
    /// Rises when old readers would misunderstand.
    pub sidecar_version: u32,
    /// The model file it was written with. It is known by its digests; its name says nothing.
    pub model: FileRecord,
    /// Digest over that model's operators and their tensors, as computed by whoever writes the sidecar. It tells when
    /// a tool has rewritten the file and left those alone.
    #[serde(with = "hex::fixed")]
    pub structure: [u8; 32],
    /// Digest over what that model's constants hold. Sidecars of older versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "hex::optional")]
    pub constants: Option<[u8; 32]>,
    /// The records of the blob.
    pub lineage: Lineage,
}

/// Why a text is no sidecar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SidecarError {
    /// Not JSON of this shape, or the records in it contradict each other.
    Json(JsonError),
    /// A version of the frame that is not known.
    Version(u32),
}

impl fmt::Display for SidecarError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(error) => write!(f, "{error}"),
            Self::Version(version) => {
                write!(f, "a sidecar of version {version}, version {VERSION} is known")
            }
        }
    }
}

impl std::error::Error for SidecarError {}

impl Sidecar {
    /// The sidecar of a lineage, written with the file `model` of that structure and with these constants.
    pub fn new(
        model: FileRecord,
        structure: [u8; 32],
        constants: Option<[u8; 32]>,
        lineage: Lineage,
    ) -> Self {
        Self { sidecar_version: VERSION, model, structure, constants, lineage }
    }

    /// Reads what [`to_json`](Self::to_json) wrote.
    ///
    /// # Errors
    /// When the text is no sidecar, or one of a version that is not known.
    pub fn from_json(text: &[u8]) -> Result<Self, SidecarError> {
        let sidecar: Self = serde_json::from_slice(text).map_err(|error| {
            let (line, column) = (error.line() as u64, error.column() as u64);
            SidecarError::Json(JsonError::Syntax { line, column, text: error.to_string() })
        })?;
        if sidecar.sidecar_version != VERSION {
            return Err(SidecarError::Version(sidecar.sidecar_version));
        }
        if sidecar.lineage.version.major != super::VERSION.major {
            return Err(SidecarError::Json(JsonError::Version(sidecar.lineage.version)));
        }
        sidecar.lineage.check().map_err(|error| SidecarError::Json(JsonError::Invalid(error)))?;
        Ok(sidecar)
    }

    /// Indented JSON with a line feed at its end; keys stand in a fixed order.
    pub fn to_json(&self) -> String {
        // No record has a map with other than string keys, the only thing on which this could fail.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}
