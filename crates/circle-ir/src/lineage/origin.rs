//! What an origin is: an operator or a tensor of the file in which the lineage starts.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::entity::{FileId, OriginId, TensorOriginId};

/// The form of an origin file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// ONE's circle.
    Circle,
    /// TensorFlow Lite.
    Tflite,
    /// ONNX.
    Onnx,
    /// Another or an unknown form.
    Other,
}

/// A file that origins refer to, known by its digests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OriginFile {
    /// Base name, without folders.
    pub name: Arc<str>,
    /// Its form.
    pub format: FileFormat,
    /// Length in bytes; 0 when only the md5 was recorded.
    pub bytes: u64,
    /// MD5 of all its bytes.
    pub md5: [u8; 16],
    /// SHA-256 of all its bytes, when it is known.
    pub sha256: Option<[u8; 32]>,
}

/// An operator of an origin file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The file; `None` when the lineage was taken over from tables that name no file.
    pub file: Option<FileId>,
    /// Index of the subgraph in that file.
    pub subgraph: u32,
    /// Index of the operator in that subgraph; `None` when only a name was recorded.
    pub operator: Option<u32>,
    /// Name of the operator code, or empty when it was not recorded.
    pub opcode: Arc<str>,
    /// Name of the operator's first output tensor.
    pub name: Arc<str>,
}

/// A tensor of an origin file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorOrigin {
    /// The file.
    pub file: Option<FileId>,
    /// Index of the subgraph in that file.
    pub subgraph: u32,
    /// Index of the tensor in that subgraph.
    pub tensor: u32,
    /// Name of the tensor.
    pub name: Arc<str>,
}

/// All origins a model's lineage can speak of. Filled at import and never after.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origins {
    /// The files.
    pub files: Vec<OriginFile>,
    /// Operators by id. Ids are those of `ONE_source_table` for subgraph 0; others follow above.
    pub operators: BTreeMap<OriginId, Origin>,
    /// Tensors; the index is the id.
    pub tensors: Vec<TensorOrigin>,
}

impl Origins {
    /// The operator origin `id`.
    pub fn operator(&self, id: OriginId) -> Option<&Origin> {
        self.operators.get(&id)
    }
    /// The tensor origin `id`.
    pub fn tensor(&self, id: TensorOriginId) -> Option<&TensorOrigin> {
        self.tensors.get(id.number() as usize)
    }
}
