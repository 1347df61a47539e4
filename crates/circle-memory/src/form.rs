//! The memory allocation form, version 1.
//!
//! Addresses and sizes are bytes, ends are exclusive. A tick is a moment at which operators run or clocks count; what it
//! is stands in [`Tick`]. All numbers are exact integers up to 2^63 - 1, so that every sum fits into 64 bits unsigned or
//! is found not to.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Value of [`Memory::format`], by which a file of this form is told from others.
pub const FORMAT: &str = "memory-allocation";

/// Versions of the form that this crate reads. The last one is written.
pub const VERSIONS: [u32; 1] = [1];

/// A file of the form: segments of memory with the blocks that lie in them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Memory {
    /// Always `memory-allocation`.
    pub format: String,
    /// Version of the form.
    pub schema_version: u32,
    /// Who made the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub producer: Option<Producer>,
    /// The model whose memory this is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelFile>,
    /// What a tick is, unless a segment says otherwise.
    #[serde(default)]
    pub tick: Tick,
    /// Files that origins speak of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<File>,
    /// Original layers that blocks belong to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub origins: Vec<Origin>,
    /// The memories, for example banks of SRAM and a DRAM.
    pub segments: Vec<Segment>,
    /// Anything else, kept as it is.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub extra: Map<String, Value>,
}

/// A program that made a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Producer {
    /// Name of the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// When the file was made, in seconds since 1970-01-01 UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created: Option<i64>,
    /// How the offsets were found, for example `greedy_by_size`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub planner: Option<String>,
}

/// A model file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelFile {
    /// Name without folders.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// MD5 of its bytes, 32 lower-case hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub md5: Option<String>,
    /// SHA-256 of its bytes, 64 lower-case hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// Bytes of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
}

/// What the ticks of lifetimes count.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tick {
    /// The unit of one tick.
    pub unit: TickUnit,
    /// Names of ticks, from tick 0 on, for example of the operators; may end before the last tick.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
}

/// Unit of a tick.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TickUnit {
    /// A position in the order of operators.
    Operator,
    /// A clock cycle of the backend.
    Cycle,
    /// A nanosecond.
    Ns,
    /// A step of the planner's log: only the order has a meaning.
    Step,
    /// Not known.
    #[default]
    Unknown,
}

/// A file that origins come from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// Name without folders.
    pub name: String,
    /// MD5 of its bytes, 32 lower-case hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub md5: Option<String>,
}

/// An original layer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// Identity, unique in [`Memory::origins`]; blocks name it.
    pub id: u32,
    /// Name of the layer.
    pub name: String,
    /// Position in [`Memory::files`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<u32>,
    /// Subgraph of that file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subgraph: Option<u32>,
    /// Operator of that subgraph.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operator: Option<u32>,
    /// Kind of the operator, for example `CONV_2D`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opcode: Option<String>,
    /// Whether the blocks' claims to this layer were found by comparison, not carried through.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub inferred: bool,
}

/// One memory with addresses of its own, from 0.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Segment {
    /// Name, unique among the segments.
    pub name: String,
    /// Bytes that the memory has, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// Every block's offset is a multiple of this many bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub alignment: Option<u64>,
    /// What a tick is in this segment, where it is not what the file says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tick: Option<Tick>,
    /// Spaces that blocks share on purpose.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spaces: Vec<Space>,
    /// The blocks, in any order.
    pub blocks: Vec<Block>,
    /// Anything else, kept as it is.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub extra: Map<String, Value>,
}

/// A stretch of memory within which blocks may overlap in address and time, because they are one another's input and
/// output in place, or follow one another around a ring.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Space {
    /// Identity, unique in [`Segment::spaces`]; blocks name it.
    pub id: u32,
    /// First byte.
    pub offset: u64,
    /// Bytes.
    pub size: u64,
    /// First tick at which the space is reserved.
    pub alive_from: u64,
    /// First tick at which it no longer is.
    pub alive_till: u64,
    /// Why blocks share it.
    #[serde(default)]
    pub reason: SpaceReason,
    /// Whether bytes that none of its blocks takes at a tick are free for others; otherwise all of it is reserved.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
}

/// Why blocks share a space.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SpaceReason {
    /// An operator writes its output over its input.
    InPlace,
    /// Blocks run around a ring; some lie in two pieces.
    Wrapped,
    /// Blocks are views of one another, or it is not known why they share the space.
    #[default]
    Shared,
}

/// A piece of memory that holds one thing for a time.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Block {
    /// Identity, unique in the file where it is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What the block is called; where it is absent, the names of its origins serve.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// First byte.
    pub offset: u64,
    /// Bytes, those of the second piece included.
    pub size: u64,
    /// First tick at which the block is alive.
    pub alive_from: u64,
    /// First tick at which it no longer is.
    pub alive_till: u64,
    /// Whether the block stays alive after the last tick of the plan; `alive_till` is then where the plan ends.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stays: bool,
    /// What the block holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// The second piece of a block that runs around the end of its space: its bytes follow those of the first piece,
    /// which holds `size` less this piece's size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wrap: Option<Piece>,
    /// The [`Space::id`] that the block lies in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub space: Option<u32>,
    /// The tensor that the block holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tensor: Option<TensorRef>,
    /// The operator that writes the block, or whose scratch memory it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written_by: Option<OperatorRef>,
    /// The operators that read it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub read_by: Vec<OperatorRef>,
    /// The [`Origin::id`]s of the original layers that the block belongs to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub origins: Vec<u32>,
    /// Anything else, kept as it is.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub extra: Map<String, Value>,
}

/// A run of bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Piece {
    /// First byte.
    pub offset: u64,
    /// Bytes.
    pub size: u64,
}

/// What a block holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A tensor between operators.
    Activation,
    /// An input of the model.
    Input,
    /// An output of the model.
    Output,
    /// Weights and other constants.
    Constant,
    /// State that lives from one run to the next.
    Variable,
    /// Working memory of one operator.
    Scratch,
}

/// A tensor of the model.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TensorRef {
    /// Subgraph, 0 where it is not given.
    #[serde(default)]
    pub subgraph: u32,
    /// Index of the tensor in its subgraph.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<u32>,
    /// Its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Type of its elements, for example `f32`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dtype: Option<String>,
    /// Its dimensions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<Vec<i64>>,
}

/// An operator of the model, by number, by name or both.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OperatorRef {
    /// Subgraph, 0 where it is not given.
    #[serde(default)]
    pub subgraph: u32,
    /// Position of the operator in its subgraph.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<u32>,
    /// Its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its kind, for example `CONV_2D`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opcode: Option<String>,
    /// Which of its outputs this is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<u32>,
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            format: FORMAT.to_owned(),
            schema_version: VERSIONS[VERSIONS.len() - 1],
            producer: None,
            model: None,
            tick: Tick::default(),
            files: Vec::new(),
            origins: Vec::new(),
            segments: Vec::new(),
            extra: Map::new(),
        }
    }
}

impl Memory {
    /// What a tick is in a segment.
    pub fn tick_of<'a>(&'a self, segment: &'a Segment) -> &'a Tick {
        segment.tick.as_ref().unwrap_or(&self.tick)
    }

    /// The origin of this identity.
    pub fn origin(&self, id: u32) -> Option<&Origin> {
        // Ids are usually positions.
        let guess = self.origins.get(id as usize).filter(|origin| origin.id == id);
        guess.or_else(|| self.origins.iter().find(|origin| origin.id == id))
    }
}

impl Block {
    /// The first piece, `offset` and the bytes that are not in the second one.
    pub fn first(&self) -> Piece {
        let second = self.wrap.map_or(0, |piece| piece.size);
        Piece { offset: self.offset, size: self.size.saturating_sub(second) }
    }

    /// The pieces, one or two.
    pub fn pieces(&self) -> impl Iterator<Item = Piece> + use<> {
        std::iter::once(self.first()).chain(self.wrap)
    }
}

impl Piece {
    /// The first byte behind the piece, where 64 bits hold it.
    pub fn end(self) -> Option<u64> {
        self.offset.checked_add(self.size)
    }
}
