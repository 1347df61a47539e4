//! What is drawn: plain data that knows nothing of model files. The caller fills a [`Scene`]; the encoders only read it.
//!
//! All names are arbitrary text (control characters, markup, any length): showing them safely is the encoders' task.

use crate::error::SceneError;
use serde::{Deserialize, Serialize};

/// A whole picture: the graphs of one model, what its operators stand for, and what they were measured to cost.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Scene {
    /// Heading of the picture, usually the file's name.
    pub title: String,
    /// Files that the lineage starts from; [`SourceNode::file`] indexes this list.
    pub files: Vec<FileLabel>,
    /// Graphs in the order of the model's subgraphs.
    pub subgraphs: Vec<SubgraphScene>,
    /// Original operators, of which the nodes' [`OriginRef::id`] speak.
    pub sources: Vec<SourceNode>,
    /// Measured quantities; [`Node::metrics`] indexes this list.
    pub metrics: Vec<MetricInfo>,
    /// Originals that no operator stands for any more.
    pub retired: Vec<Retired>,
    /// Remarks that the reader of the picture has to know (stale tables, unmatched rows).
    pub notices: Vec<String>,
}

/// A file that originals come from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FileLabel {
    /// File name without folders.
    pub name: String,
    /// MD5 of the file's bytes in lower-case hexadecimal; empty where it is not known.
    pub md5: String,
}

/// One graph.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SubgraphScene {
    /// Number of the subgraph in its model.
    pub index: u32,
    /// Name of the subgraph; may be empty.
    pub name: String,
    /// Operators in execution order.
    pub nodes: Vec<Node>,
    /// Tensors on their way from a producer to one reader.
    pub edges: Vec<Edge>,
    /// Graph inputs, drawn as terminals.
    pub inputs: Vec<Terminal>,
    /// Graph outputs, drawn as terminals.
    pub outputs: Vec<Terminal>,
}

/// A graph input or output.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Terminal {
    /// Name of the tensor.
    pub name: String,
    /// Type and shape as text, for example `f32[1,8,8,4]`.
    pub label: String,
}

/// One operator.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Node {
    /// Number of the operator in its subgraph.
    pub operator: u32,
    /// Kind of the operator, for example `CONV_2D`.
    pub opcode: String,
    /// Name of the operator: its first output tensor's.
    pub name: String,
    /// The originals that it stands for.
    pub origins: Vec<OriginRef>,
    /// Why nothing is known of the originals; `None` where they are known.
    pub unknown: Option<String>,
    /// The passes that it came through, oldest first.
    pub history: Vec<String>,
    /// Measured values: index into [`Scene::metrics`] and value.
    pub metrics: Vec<(u32, MetricValue)>,
    /// Type and shape of the outputs as text.
    pub output: String,
    /// Options of the operator as text.
    pub attributes: String,
}

/// An operator's claim to stand for an original.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct OriginRef {
    /// [`SourceNode::id`] of the original.
    pub id: u32,
    /// Role of the claim: `primary`, `absorbed`, `replaced`, `helper` and so on.
    pub role: String,
    /// `(k, n)` where this is the k-th of n parts or copies of the original, counted from 1.
    pub part: Option<(u32, u32)>,
}

/// A tensor from its producer to one reader.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edge {
    /// Where the tensor comes from.
    pub from: EdgeSource,
    /// Who reads it.
    pub to: EdgeTarget,
    /// Name of the tensor; edges with equal source and tensor are drawn as one branching line.
    pub tensor: String,
    /// Type and shape as text.
    pub label: String,
}

/// Producer of a tensor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EdgeSource {
    /// Position in [`SubgraphScene::nodes`].
    Node(u32),
    /// Position in [`SubgraphScene::inputs`].
    Input(u32),
}

/// Reader of a tensor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EdgeTarget {
    /// Position in [`SubgraphScene::nodes`].
    Node(u32),
    /// Position in [`SubgraphScene::outputs`].
    Output(u32),
}

/// An operator of the file that the lineage starts from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SourceNode {
    /// Identity of the original; unique in [`Scene::sources`].
    pub id: u32,
    /// Name of the original: its first output tensor's.
    pub name: String,
    /// Index into [`Scene::files`], where it is known.
    pub file: Option<u32>,
    /// Subgraph in that file, where it is known.
    pub subgraph: Option<u32>,
    /// Operator in that subgraph, where it is known.
    pub operator: Option<u32>,
    /// Kind of the operator, where it is known.
    pub opcode: Option<String>,
}

/// An original that left the graph.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Retired {
    /// [`SourceNode::id`] of the original.
    pub source: u32,
    /// Why it left, for example `dead` or `folded`.
    pub reason: String,
    /// The pass that removed it.
    pub by: String,
}

/// A measured quantity.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MetricInfo {
    /// Name, for example `time`.
    pub name: String,
    /// Unit, for example `ns`; empty for a plain number.
    pub unit: String,
    /// How values combine.
    pub kind: MetricKind,
}

/// How the values of a metric combine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MetricKind {
    /// Adds up (time, bytes moved): a sum over the graph has a meaning.
    #[default]
    Additive,
    /// Combines by the maximum (peak memory).
    Max,
    /// A ratio, which neither adds up nor has a maximum of interest.
    Ratio,
    /// Text.
    Label,
}

/// A value of a metric.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum MetricValue {
    /// An exact integer in the metric's unit.
    Integer(i64),
    /// Text, shown as it is.
    Text(String),
}

impl Node {
    /// The exact value of a metric, where it was measured as an integer.
    pub fn integer(&self, metric: usize) -> Option<i64> {
        self.metrics.iter().find_map(|(index, value)| match value {
            MetricValue::Integer(value) if *index as usize == metric => Some(*value),
            _ => None,
        })
    }

    /// Whether the operator was added by a pass and has no counterpart among the originals.
    pub fn is_helper(&self) -> bool {
        !self.origins.is_empty() && self.origins.iter().all(|origin| origin.role == "helper")
    }

    /// Whether nothing is known of the operator's originals.
    pub fn is_unknown(&self) -> bool {
        self.unknown.is_some() || self.origins.is_empty()
    }
}

impl Scene {
    /// Checks that every index points to something.
    ///
    /// # Errors
    /// The first edge, metric or file index that is out of range, with its place.
    pub fn validate(&self) -> Result<(), SceneError> {
        let range = |place: String, index: u32, bound: usize| {
            if (index as usize) < bound { Ok(()) } else { Err(SceneError { place, index, bound }) }
        };
        for subgraph in &self.subgraphs {
            let at = subgraph.index;
            for (position, edge) in subgraph.edges.iter().enumerate() {
                match edge.from {
                    EdgeSource::Node(i) => range(
                        format!("subgraph {at}, edge {position}, source node"),
                        i,
                        subgraph.nodes.len(),
                    )?,
                    EdgeSource::Input(i) => range(
                        format!("subgraph {at}, edge {position}, source input"),
                        i,
                        subgraph.inputs.len(),
                    )?,
                }
                match edge.to {
                    EdgeTarget::Node(i) => range(
                        format!("subgraph {at}, edge {position}, target node"),
                        i,
                        subgraph.nodes.len(),
                    )?,
                    EdgeTarget::Output(i) => range(
                        format!("subgraph {at}, edge {position}, target output"),
                        i,
                        subgraph.outputs.len(),
                    )?,
                }
            }
            for node in &subgraph.nodes {
                for (metric, _) in &node.metrics {
                    range(
                        format!("subgraph {at}, operator {}, metric", node.operator),
                        *metric,
                        self.metrics.len(),
                    )?;
                }
            }
        }
        for source in &self.sources {
            if let Some(file) = source.file {
                range(format!("source {}, file", source.id), file, self.files.len())?;
            }
        }
        Ok(())
    }
}
