//! `OfflineMemoryAllocation`: where the tensors of a subgraph lie in the arena, as TensorFlow Lite Micro reads it.
//!
//! All words are little-endian `i32`:
//!
//! ```text
//! version  subgraph  count  offset * count
//! ```
//!
//! The version is 1 (a few writers say 0). There is an offset for each tensor of the subgraph, in its order: bytes from
//! the start of the arena, or -1 for a tensor that the runtime places itself. TensorFlow Lite Micro counts the tensors of
//! all subgraphs and refuses a list of another length, so only models of one subgraph can be planned for it.
//!
//! ```
//! use circle_metadata::offline_memory::{OfflineMemory, decode, encode};
//!
//! let plan = OfflineMemory { version: 1, subgraph: 0, offsets: vec![None, Some(0), Some(64)] };
//! let bytes = encode(&plan).unwrap();
//! assert_eq!(bytes[12..16], [0xff; 4]);
//! assert_eq!(decode(&bytes), (Some(plan), vec![]));
//! ```

use std::fmt;

use crate::cursor::Cursor;
use crate::problem::{Problem, Problems};

/// Key of the entry in the model's metadata.
pub const KEY: &str = "OfflineMemoryAllocation";

/// The version that is written.
pub const VERSION: i32 = 1;

/// Stands for a tensor that the runtime places.
const ONLINE: i32 = -1;

/// Bytes before the offsets.
const HEADER: usize = 12;

/// A plan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OfflineMemory {
    /// Version of the format.
    pub version: i32,
    /// The subgraph whose tensors are planned.
    pub subgraph: u32,
    /// By number of the tensor, where it lies in the arena, in bytes; `None` if the runtime is to place it.
    pub offsets: Vec<Option<u32>>,
}

impl OfflineMemory {
    /// Whether the version is one of which is known what its words mean.
    pub fn has_known_version(&self) -> bool {
        (0..=VERSION).contains(&self.version)
    }
}

/// Reads a plan, keeping what can be read of a damaged one; `None` if not even its beginning can.
pub fn decode(payload: &[u8]) -> (Option<OfflineMemory>, Vec<Problem>) {
    let mut problems = Problems::new(KEY);
    let plan = read(payload, &mut problems);
    (plan, problems.finish())
}

fn read(payload: &[u8], problems: &mut Problems) -> Option<OfflineMemory> {
    let mut cursor = Cursor::new(payload);
    let (Some(version), Some(subgraph), Some(count)) = (cursor.word(), cursor.word(), cursor.word()) else {
        problems.error(0, format!("{} bytes are too few for the header of {HEADER}", payload.len()));
        return None;
    };
    let version = version.cast_signed();
    if !(0..=VERSION).contains(&version) {
        problems.warning(0, format!("version {version}, known are 0 to {VERSION}"));
    }
    if subgraph > i32::MAX.cast_unsigned() {
        problems.error(4, format!("subgraph {} is negative", subgraph.cast_signed()));
        return None;
    }
    let there = cursor.remaining() / 4;
    if (count as usize) > there {
        problems.error(8, format!("{} offsets, {} bytes left", count.cast_signed(), cursor.remaining()));
    } else if cursor.remaining() > count as usize * 4 {
        let beyond = cursor.remaining() - count as usize * 4;
        problems.warning(
            HEADER + count as usize * 4,
            format!("{beyond} bytes after the last of {count} offsets"),
        );
    }
    let mut offsets = Vec::with_capacity(there.min(count as usize));
    while offsets.len() < count as usize {
        let at = cursor.at();
        let Some(word) = cursor.word() else { break };
        let offset = word.cast_signed();
        if offset < ONLINE {
            problems.error(at, format!("tensor {}: offset {offset}, the least is {ONLINE}", offsets.len()));
        }
        offsets.push(u32::try_from(offset).ok());
    }
    Some(OfflineMemory { version, subgraph, offsets })
}

/// Why a plan cannot be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EncodeError {
    /// An offset exceeds the format's signed 32 bits.
    Offset {
        /// Number of the tensor.
        tensor: usize,
        /// Its offset.
        offset: u32,
    },
    /// There are more tensors, or subgraphs, than signed 32 bits count.
    TooMany {
        /// How many.
        count: u64,
    },
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Offset { tensor, offset } => {
                write!(f, "{KEY}: tensor {tensor}: offset {offset}, the most is {}", i32::MAX)
            }
            Self::TooMany { count } => {
                write!(f, "{KEY}: {count} tensors or subgraphs, the most is {}", i32::MAX)
            }
        }
    }
}

impl std::error::Error for EncodeError {}

/// Writes a plan.
///
/// # Errors
/// An offset or a count that signed 32 bits do not hold.
pub fn encode(plan: &OfflineMemory) -> Result<Vec<u8>, EncodeError> {
    let counted = |count: u64| i32::try_from(count).map_err(|_| EncodeError::TooMany { count });
    let mut bytes = plan.version.to_le_bytes().to_vec();
    bytes.extend(counted(plan.subgraph.into())?.to_le_bytes());
    bytes.extend(counted(plan.offsets.len() as u64)?.to_le_bytes());
    for (tensor, offset) in plan.offsets.iter().enumerate() {
        let word = match *offset {
            None => ONLINE,
            Some(offset) => i32::try_from(offset).map_err(|_| EncodeError::Offset { tensor, offset })?,
        };
        bytes.extend(word.to_le_bytes());
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Severity;

    fn words(words: &[i32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    fn texts(problems: &[Problem]) -> Vec<(Severity, u64, &str)> {
        problems.iter().map(|problem| (problem.severity, problem.at_byte, &*problem.text)).collect()
    }

    #[test]
    fn golden_bytes() {
        let bytes = words(&[1, 0, 3, -1, 0, 1024]);
        let plan = OfflineMemory { version: 1, subgraph: 0, offsets: vec![None, Some(0), Some(1024)] };
        assert_eq!(decode(&bytes), (Some(plan.clone()), vec![]));
        assert_eq!(encode(&plan).unwrap(), bytes);
    }

    #[test]
    fn what_ends_early_keeps_what_came_before() {
        let (plan, problems) = decode(&words(&[1, 0]));
        assert_eq!(plan, None);
        assert_eq!(texts(&problems), [(Severity::Error, 0, "8 bytes are too few for the header of 12")]);
        let (plan, problems) = decode(&words(&[1, 2, 5, 16]));
        assert_eq!(plan.unwrap(), OfflineMemory { version: 1, subgraph: 2, offsets: vec![Some(16)] });
        assert_eq!(texts(&problems), [(Severity::Error, 8, "5 offsets, 4 bytes left")]);
        // A count that asks for gigabytes.
        let (plan, problems) = decode(&words(&[1, 0, -1, 16]));
        assert_eq!(plan.unwrap().offsets, [Some(16)]);
        assert_eq!(texts(&problems), [(Severity::Error, 8, "-1 offsets, 4 bytes left")]);
    }

    #[test]
    fn what_is_odd_is_told() {
        let (plan, problems) = decode(&words(&[7, 0, 1, -5, 9]));
        assert_eq!(plan.unwrap().offsets, [None]);
        assert_eq!(
            texts(&problems),
            [
                (Severity::Warning, 0, "version 7, known are 0 to 1"),
                (Severity::Warning, 16, "4 bytes after the last of 1 offsets"),
                (Severity::Error, 12, "tensor 0: offset -5, the least is -1"),
            ]
        );
        let (plan, problems) = decode(&words(&[1, -1, 0]));
        assert_eq!((plan, texts(&problems)), (None, vec![(Severity::Error, 4, "subgraph -1 is negative")]));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let plan = OfflineMemory { version: 1, subgraph: 0, offsets: vec![Some(1 << 31)] };
        let error = encode(&plan).unwrap_err();
        assert_eq!(
            error.to_string(),
            "OfflineMemoryAllocation: tensor 0: offset 2147483648, the most is 2147483647"
        );
    }
}
