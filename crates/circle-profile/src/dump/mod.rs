//! Everything that is known of a model's lineage, as rows: what `circle-profile-dump` shows in text, JSON and CSV and
//! what pictures are made of. The JSON keys are a contract; they are added to and never renamed.

mod collect;
mod csv;
mod text;

use serde::Serialize;

pub(crate) use collect::file_row;
pub use collect::{About, MetadataEntry, collect};
pub use csv::to_csv;
pub(crate) use text::file_line;
pub use text::to_text;

/// The whole dump.
#[derive(Clone, Debug, Serialize)]
pub struct Dump {
    /// Rises when the meaning of a key changes.
    pub schema_version: u32,
    /// The file.
    pub model: FileRow,
    /// Whether the file carries lineage: `none`, `lineage`, `sidecar`, `one-tables` or `disbelieved`.
    pub profile_data: &'static str,
    /// Files that sources come from.
    pub origin_files: Vec<OriginFileRow>,
    /// Original operators.
    pub sources: Vec<SourceRow>,
    /// Operators of the file.
    pub operators: Vec<OperatorRow>,
    /// Constants that stand for original operators.
    pub constants: Vec<ConstantRow>,
    /// Original operators that no operator of the file stands for.
    pub retired: Vec<RetiredRow>,
    /// Steps in the history: how many, and by which runs.
    pub history: HistoryRow,
    /// Metadata entries of the file.
    pub metadata: Vec<MetadataRow>,
    /// How many operators have an origin.
    pub coverage: Coverage,
    /// What is wrong with the file's metadata.
    pub problems: Vec<ProblemRow>,
}

/// The file itself.
#[derive(Clone, Debug, Serialize)]
pub struct FileRow {
    /// Base name.
    pub name: String,
    /// `circle` or `tflite`.
    pub format: String,
    /// Length.
    pub bytes: u64,
    /// Digest, hex.
    pub md5: String,
    /// Digest, hex; absent if it was not recorded.
    pub sha256: Option<String>,
}

/// A file that sources come from.
#[derive(Clone, Debug, Serialize)]
pub struct OriginFileRow {
    /// Number by which sources refer to it.
    pub file: u32,
    /// The rest.
    #[serde(flatten)]
    pub known: FileRow,
}

/// An original operator.
#[derive(Clone, Debug, Serialize)]
pub struct SourceRow {
    /// Its id, in ONE's tables too.
    pub id: u32,
    /// Name of its first output tensor.
    pub name: String,
    /// Its file; `null` if unknown.
    pub file: Option<u32>,
    /// Subgraph in that file.
    pub subgraph: u32,
    /// Index in that subgraph; `null` if unknown.
    pub operator: Option<u32>,
    /// Its operator code; empty if unknown.
    pub opcode: String,
}

/// One origin of something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OriginRow {
    /// Id of the source.
    pub id: u32,
    /// How it is stood for.
    pub role: &'static str,
    /// For clones: which part, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<u32>,
    /// For clones: of how many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<u32>,
}

/// One measured value.
#[derive(Clone, Debug, Serialize)]
pub struct MetricRow {
    /// Name of the metric.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// An integer, a decimal or a text.
    pub value: serde_json::Value,
    /// Where it was measured.
    pub from: Vec<String>,
}

/// An operator of the file.
#[derive(Clone, Debug, Serialize)]
pub struct OperatorRow {
    /// Subgraph.
    pub subgraph: u32,
    /// Index in that subgraph.
    pub operator: u32,
    /// Operator code.
    pub opcode: String,
    /// Name of its first output tensor.
    pub name: String,
    /// What it stands for.
    pub origins: Vec<OriginRow>,
    /// Why (part of) its origin is unknown.
    pub unknown: Option<String>,
    /// Passes it came through, oldest first.
    pub history: Vec<String>,
    /// What was measured.
    pub metrics: Vec<MetricRow>,
}

/// A constant that stands for original operators, or on which something was measured.
#[derive(Clone, Debug, Serialize)]
pub struct ConstantRow {
    /// Subgraph.
    pub subgraph: u32,
    /// Tensor index.
    pub tensor: u32,
    /// Its name.
    pub name: String,
    /// Operators whose work went into it.
    pub origins: Vec<OriginRow>,
    /// Original tensors it holds or was computed from.
    pub tensors: Vec<TensorRow>,
    /// What was measured; absent if nothing was.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub metrics: Vec<MetricRow>,
}

/// An original tensor.
#[derive(Clone, Debug, Serialize)]
pub struct TensorRow {
    /// Subgraph in the origin file.
    pub subgraph: u32,
    /// Index in that subgraph.
    pub tensor: u32,
    /// Its name.
    pub name: String,
}

/// An original operator that no operator of the file stands for.
#[derive(Clone, Debug, Serialize)]
pub struct RetiredRow {
    /// Its id.
    pub id: u32,
    /// Why it left.
    pub reason: &'static str,
    /// The pass in which it left.
    pub by: String,
}

/// The history in short.
#[derive(Clone, Debug, Serialize)]
pub struct HistoryRow {
    /// How many steps there are.
    pub steps: usize,
    /// The runs of tools, oldest first.
    pub runs: Vec<RunRow>,
}

/// A run of a tool.
#[derive(Clone, Debug, Serialize)]
pub struct RunRow {
    /// The tool.
    pub tool: String,
    /// Its version.
    pub version: String,
    /// The options that shaped the result.
    pub options: String,
}

/// A metadata entry of the file.
#[derive(Clone, Debug, Serialize)]
pub struct MetadataRow {
    /// Its name.
    pub name: String,
    /// Length of its payload.
    pub bytes: u64,
    /// Digest of its payload, hex.
    pub sha256: String,
    /// Whether this version interprets it.
    pub known: bool,
}

/// How many operators have an origin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// All operators.
    pub operators: usize,
    /// Those that do some original's work, with nothing unknown about them.
    pub attributed: usize,
    /// Those that only serve others.
    pub synthetic: usize,
    /// Those of which (part of) the origin is unknown.
    pub unknown: usize,
    /// Those whose origin was found by comparison and not carried through.
    pub inferred: usize,
}

/// Something wrong.
#[derive(Clone, Debug, Serialize)]
pub struct ProblemRow {
    /// `error` or `warning`.
    pub severity: String,
    /// Where.
    #[serde(rename = "where")]
    pub place: String,
    /// What.
    pub text: String,
}

impl Dump {
    /// The JSON form, indented, with a line feed at the end.
    pub fn to_json(&self) -> String {
        // Every key is a string and every value a tree, so this cannot fail.
        crate::json::pretty(self).unwrap_or_default()
    }
}
