//! The plain form of a lineage.

use serde::{Deserialize, Serialize};

use super::codes::{Action, Format, MetricKind, Reason, Role};
use crate::hex;
use crate::name::{Name, Text};

/// Version of the form: readers of one major version understand each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Version {
    /// Rises when old readers would misunderstand.
    pub major: u16,
    /// Rises when something is added that old readers may ignore.
    pub minor: u16,
}

/// Everything that is known of one model file's provenance. "Index" means an index into the list named.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lineage {
    /// Version of the form; a new lineage has [`VERSION`](super::VERSION), and one that is written
    /// [`least_version`](Self::least_version).
    pub version: Version,
    /// Digest over operators and profile tables of the file, as computed by whoever embeds the blob.
    #[serde(with = "hex::fixed")]
    pub binding: [u8; 32],
    /// Files that sources come from.
    pub files: Vec<FileRecord>,
    /// Original operators, ascending by id.
    pub sources: Vec<SourceRecord>,
    /// Original tensors.
    pub tensor_sources: Vec<TensorSource>,
    /// Interned sets of claims, each ascending by source; only the first may be empty.
    pub claim_sets: Vec<Vec<Claim>>,
    /// Interned sets of `tensor_sources` indices, each ascending; only the first may be empty.
    pub tensor_sets: Vec<Vec<u32>>,
    /// Tool runs that made the file, oldest first.
    pub runs: Vec<Run>,
    /// Names of passes.
    pub passes: Vec<Text>,
    /// History: a graph without cycles, since parents always stand before their children.
    pub events: Vec<Event>,
    /// What the file now holds, subgraph by subgraph.
    pub subgraphs: Vec<SubgraphRecord>,
    /// Texts that say why an origin is unknown.
    pub reasons: Vec<Text>,
    /// Original operators that are gone.
    pub ledger: Vec<LedgerRecord>,
    /// What was measured.
    pub metrics: Vec<MetricRecord>,
    /// Measured values.
    pub notes: Vec<NoteRecord>,
    /// Tensors on which something was measured, ascending by subgraph and tensor.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tensor_notes: Vec<TensorNotes>,
}

impl Lineage {
    /// A lineage of nothing, of the version this crate writes.
    pub fn new(binding: [u8; 32]) -> Self {
        Self {
            version: super::VERSION,
            binding,
            files: vec![],
            sources: vec![],
            tensor_sources: vec![],
            claim_sets: vec![],
            tensor_sets: vec![],
            runs: vec![],
            passes: vec![],
            events: vec![],
            subgraphs: vec![],
            reasons: vec![],
            ledger: vec![],
            metrics: vec![],
            notes: vec![],
            tensor_notes: vec![],
        }
    }

    /// The lowest version that has a place for all of it.
    pub fn least_version(&self) -> Version {
        let untraced = self.ledger.iter().any(|departure| departure.reason == Reason::Untraced);
        match (untraced, self.tensor_notes.is_empty()) {
            (true, _) => super::VERSION_UNTRACED,
            (false, false) => super::VERSION_TENSOR_NOTES,
            (false, true) => super::VERSION,
        }
    }
}

/// A file that sources come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRecord {
    /// Base name: not empty, no `/`.
    pub name: Name,
    /// Its form.
    pub format: Format,
    /// Its length in bytes; 0 if it is not known.
    pub bytes: u64,
    /// md5 of the whole file.
    #[serde(with = "hex::fixed")]
    pub md5: [u8; 16],
    /// SHA-256 of the whole file; `None` for a file that is known from a line of `md5sum` only.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "hex::optional")]
    pub sha256: Option<[u8; 32]>,
}

/// An original operator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceRecord {
    /// Its id, the one that ONE's tables use. Never `u32::MAX`, which means unknown there.
    pub id: u32,
    /// Index of its file; `None` if the record that it was taken over from names none, as ONE's tables do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<u32>,
    /// Subgraph in that file.
    pub subgraph: u32,
    /// Operator index in that subgraph; `None` if only its name is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operator: Option<u32>,
    /// Operator code, such as `CONV_2D`.
    pub opcode: Text,
    /// Name of its first output tensor.
    pub name: Name,
}

/// An original tensor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TensorSource {
    /// Index of its file; `None` if the record that it was taken over from names none, as ONE's tables do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<u32>,
    /// Subgraph in that file.
    pub subgraph: u32,
    /// Tensor index in that subgraph.
    pub tensor: u32,
    /// Its name.
    pub name: Name,
}

/// One original operator that something stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Claim {
    /// Id of the original operator.
    pub source: u32,
    /// How it is stood for.
    pub role: Role,
    /// Which part of it, when several share it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
}

/// One of several parts or copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Part {
    /// Which one, from 1 to `of`.
    pub index: u32,
    /// Of how many.
    pub of: u32,
}

/// One run of a tool. No paths and no times: the same run gives the same bytes anywhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// Name of the tool.
    pub tool: Text,
    /// Its version.
    pub version: Text,
    /// The options that shaped the result.
    pub options: Text,
}

/// One step of the history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// Index of the run.
    pub run: u32,
    /// Index of the pass.
    pub pass: u32,
    /// What was done.
    pub action: Action,
    /// Index of the set of claims that the step took.
    pub took: u32,
    /// Indices of the steps it builds on, each less than its own index.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parents: Vec<u32>,
}

/// The operators and tensors of one subgraph of the file, in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubgraphRecord {
    /// One record per operator.
    pub operators: Vec<OperatorRecord>,
    /// One record per tensor.
    pub tensors: Vec<TensorRecord>,
}

/// Where an operator of the file comes from. It has claims or a reason why not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OperatorRecord {
    /// Index of its set of claims.
    pub claims: u32,
    /// Index of the step that made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<u32>,
    /// Index of the reason why its origin is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown: Option<u32>,
    /// Indices of its measured values, ascending.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<u32>,
}

/// Where a tensor of the file comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TensorRecord {
    /// Index of its set of original tensors.
    pub sources: u32,
    /// Index of the set of original operators that it stands for, as a folded constant does.
    pub claims: u32,
    /// Index of the step that made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<u32>,
    /// Index of the reason why its origin is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown: Option<u32>,
}

/// What was measured on a tensor of the file, a constant as a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TensorNotes {
    /// Index of its subgraph.
    pub subgraph: u32,
    /// Its index in that subgraph.
    pub tensor: u32,
    /// Indices of its measured values, ascending; not empty.
    pub notes: Vec<u32>,
}

/// Original operators that left the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerRecord {
    /// Index of the set of claims that ended here.
    pub claims: u32,
    /// Index of the set of original tensors that ended here.
    pub tensors: u32,
    /// Why.
    pub reason: Reason,
    /// Index of the pass.
    pub pass: u32,
    /// Index of the step.
    pub event: u32,
    /// Indices of the measured values that ended here, ascending.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<u32>,
}

/// Something that was measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MetricRecord {
    /// Name, such as `time`.
    pub name: Text,
    /// Unit of every value, such as `ns`.
    pub unit: Text,
    /// How values combine.
    pub kind: MetricKind,
}

/// One measured value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoteRecord {
    /// Index of the metric.
    pub metric: u32,
    /// The value, in the metric's unit.
    pub value: NoteValue,
    /// Index of the set of claims it was measured over.
    pub over: u32,
    /// Where it was measured: base name of the profile and its row.
    pub from: Text,
}

/// A value of a metric.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoteValue {
    /// An exact count of units.
    Integer(i64),
    /// A ratio, as the decimal number that was written.
    Decimal(Text),
    /// A label.
    Text(Text),
}
