//! Tensors: their descriptions, who defines and who reads them.

use std::sync::Arc;

use circle_tables::{Datum, Record, circle};

use crate::buffer::Buffer;
use crate::entity::{BufferId, OpId, Table};
use crate::lineage::ValueLineage;
use crate::uses::Uses;

/// Element type of a tensor: a code of circle's `TensorType`, known or not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ElementType(pub i8);

impl ElementType {
    /// 32-bit IEEE float.
    pub const FLOAT32: Self = Self(0);
    /// 16-bit IEEE float.
    pub const FLOAT16: Self = Self(1);
    /// 32-bit signed integer.
    pub const INT32: Self = Self(2);
    /// 8-bit unsigned integer.
    pub const UINT8: Self = Self(3);
    /// 64-bit signed integer.
    pub const INT64: Self = Self(4);
    /// One byte, zero or one.
    pub const BOOL: Self = Self(6);
    /// 16-bit signed integer.
    pub const INT16: Self = Self(7);
    /// 8-bit signed integer.
    pub const INT8: Self = Self(9);
    /// 64-bit IEEE float.
    pub const FLOAT64: Self = Self(10);

    /// Width of one element in bytes, for types whose elements are whole bytes of a fixed number.
    pub const fn bytes(self) -> Option<u64> {
        match self.0 {
            3 | 6 | 9 => Some(1),
            1 | 7 | 16 | 18 => Some(2),
            0 | 2 | 15 => Some(4),
            4 | 8 | 10 | 12 => Some(8),
            11 => Some(16),
            _ => None,
        }
    }
    /// Whether the type is IEEE float (of any width).
    pub const fn is_float(self) -> bool {
        matches!(self.0, 0 | 1 | 10 | 18)
    }
    /// The short name used in pictures and text: `f32`, `i8`, or the schema's name in lower case.
    pub fn short_name(self) -> String {
        match self.0 {
            0 => "f32".into(),
            1 => "f16".into(),
            2 => "i32".into(),
            3 => "u8".into(),
            4 => "i64".into(),
            6 => "bool".into(),
            7 => "i16".into(),
            9 => "i8".into(),
            10 => "f64".into(),
            12 => "u64".into(),
            15 => "u32".into(),
            16 => "u16".into(),
            17 => "i4".into(),
            18 => "bf16".into(),
            -1 => "u4".into(),
            code => Self::schema_name(code).map_or_else(|| format!("type{code}"), str::to_ascii_lowercase),
        }
    }
    /// The type of that short name.
    pub fn from_short_name(name: &str) -> Option<Self> {
        (i8::MIN..=i8::MAX).map(Self).find(|ty| ty.short_name() == name)
    }
    fn schema_name(code: i8) -> Option<&'static str> {
        circle::TENSOR_TYPE.name_of(i64::from(code))
    }
}

impl std::fmt::Display for ElementType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.short_name())
    }
}
impl std::fmt::Debug for ElementType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.short_name())
    }
}

/// One tensor of a subgraph.
#[derive(Clone, Debug)]
pub struct Value {
    pub(crate) record: Record,
    pub(crate) buffer: BufferId,
    pub(crate) def: Option<(OpId, u32)>,
    pub(crate) uses: Uses,
    pub(crate) pins: u32,
    pub(crate) ends: Ends,
    pub(crate) lineage: ValueLineage,
}

/// Whether a tensor is a graph input and whether it is a graph output. Both are fixed when the graph is made.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ends {
    pub(crate) input: bool,
    pub(crate) output: bool,
}

/// Slots of the fields that passes look at all the time.
mod slot {
    use circle_tables::circle::TENSOR;

    pub(super) const SHAPE: u16 = TENSOR.slot("shape");
    pub(super) const TYPE: u16 = TENSOR.slot("type");
    pub(super) const NAME: u16 = TENSOR.slot("name");
    pub(super) const QUANTIZATION: u16 = TENSOR.slot("quantization");
    pub(super) const IS_VARIABLE: u16 = TENSOR.slot("is_variable");
    pub(super) const SPARSITY: u16 = TENSOR.slot("sparsity");
    pub(super) const SHAPE_SIGNATURE: u16 = TENSOR.slot("shape_signature");
    pub(super) const COMPRESSION_TYPE: u16 = TENSOR.slot("compression_type");
}

impl Value {
    fn ints(&self, slot: u16) -> &[i64] {
        match self.record.get_at(slot) {
            Some(Datum::Ints(values)) => values,
            _ => &[],
        }
    }
    fn int(&self, slot: u16) -> i64 {
        match self.record.get_at(slot) {
            Some(Datum::Int(value)) => *value,
            // The default of each integer of the table.
            _ => 0,
        }
    }
    /// The tensor's table as in the file, all fields but `buffer`.
    pub fn record(&self) -> &Record {
        &self.record
    }
    /// Its name; empty if it has none.
    pub fn name(&self) -> &str {
        match self.record.get_at(slot::NAME) {
            Some(Datum::Str(name)) => name,
            _ => "",
        }
    }
    /// Element type.
    pub fn ty(&self) -> ElementType {
        ElementType(self.int(slot::TYPE) as i8)
    }
    /// Shape, outermost dimension first; empty for scalars and for tensors of unknown rank.
    pub fn shape(&self) -> &[i64] {
        self.ints(slot::SHAPE)
    }
    /// The shape with -1 in open places; empty if there are none.
    pub fn shape_signature(&self) -> &[i64] {
        self.ints(slot::SHAPE_SIGNATURE)
    }
    /// Whether no dimension is open. (`shape` holds 1 in open places and `shape_signature` tells which.)
    pub fn is_static(&self) -> bool {
        self.shape().iter().all(|&d| d >= 0) && self.shape_signature().iter().all(|&d| d >= 0)
    }
    /// Number of elements of a static shape, if it fits into `u64`.
    pub fn elements(&self) -> Option<u64> {
        self.shape().iter().try_fold(1u64, |n, &d| n.checked_mul(u64::try_from(d).ok()?))
    }
    /// Scale, zero point and their kin. `None` if there is no table, or one that holds neither scales nor details.
    pub fn quantization(&self) -> Option<&Record> {
        match self.record.get_at(slot::QUANTIZATION) {
            Some(Datum::Record(q)) if q.get("details").is_some() || has_elements(q, "scale") => Some(q),
            _ => None,
        }
    }
    /// Whether it is sparse or compressed, so that its bytes are not its elements in order.
    pub fn is_packed(&self) -> bool {
        self.record.get_at(slot::SPARSITY).is_some() || self.int(slot::COMPRESSION_TYPE) != 0
    }
    /// Whether it is a constant: no operator computes it, it is neither graph input nor variable, and it has bytes.
    pub(crate) fn is_constant(&self, buffers: &Table<BufferId, Buffer>) -> bool {
        self.def.is_none()
            && !self.is_variable()
            && !self.is_input()
            && buffers.get(self.buffer).is_some_and(|buffer| !buffer.is_empty())
    }
    /// Whether it keeps its content between runs.
    pub fn is_variable(&self) -> bool {
        matches!(self.record.get_at(slot::IS_VARIABLE), Some(Datum::Bool(true)))
    }
    /// The buffer that holds its bytes; an empty one for tensors computed at run time.
    pub fn buffer(&self) -> BufferId {
        self.buffer
    }
    /// The operator that computes it, and as which of its outputs.
    pub fn def(&self) -> Option<(OpId, u32)> {
        self.def
    }
    /// The operators that read it and in which input slot, by ascending operator number.
    pub fn uses(&self) -> &Uses {
        &self.uses
    }
    /// How often something other than an operator refers to it: graph outputs, signatures, quantization details.
    pub fn pins(&self) -> u32 {
        self.pins
    }
    /// Whether it is a graph input.
    pub fn is_input(&self) -> bool {
        self.ends.input
    }
    /// Whether it is a graph output.
    pub fn is_output(&self) -> bool {
        self.ends.output
    }
    /// Where it comes from.
    pub fn lineage(&self) -> &ValueLineage {
        &self.lineage
    }
    /// Whether `other` has the same type, shape and quantization, so that one can be read for the other.
    pub fn is_like(&self, other: &Self) -> bool {
        self.ty() == other.ty()
            && self.shape() == other.shape()
            && self.shape_signature() == other.shape_signature()
            && self.quantization() == other.quantization()
            && !self.is_packed()
            && !other.is_packed()
    }
}

fn has_elements(record: &Record, field: &str) -> bool {
    matches!(record.get(field), Some(Datum::F32s(values)) if !values.is_empty())
}

/// What a rule says about a tensor it adds: everything but where it comes from.
#[derive(Clone, Debug)]
pub struct ValueSpec {
    /// The tensor's table, all fields but `buffer`.
    pub record: Record,
}

impl ValueSpec {
    /// A plain tensor.
    pub fn new(name: &str, ty: ElementType, shape: &[i64]) -> Self {
        let mut record = Record::new(tensor_table());
        // Kinds are right by construction, so setting cannot fail.
        let _ = record.set("shape", Datum::Ints(shape.to_vec()));
        let _ = record.set("type", Datum::Int(i64::from(ty.0)));
        let _ = record.set("name", Datum::Str(Arc::from(name)));
        Self { record }
    }
    /// A tensor like `value` under another name. Its quantization is kept, variables and sparsity are not.
    pub fn like(value: &Value, name: &str) -> Self {
        let mut record = value.record.clone();
        for field in ["is_variable", "sparsity", "compression_type"] {
            record.remove(field);
        }
        let _ = record.set("name", Datum::Str(Arc::from(name)));
        Self { record }
    }
    /// The same with another shape. An open-dimension signature of the old shape is dropped.
    #[must_use]
    pub fn shaped(mut self, shape: &[i64]) -> Self {
        let _ = self.record.set("shape", Datum::Ints(shape.to_vec()));
        self.record.remove("shape_signature");
        self
    }
    /// The same with an open-dimension signature.
    #[must_use]
    pub fn with_signature(mut self, signature: &[i64]) -> Self {
        if !signature.is_empty() {
            let _ = self.record.set("shape_signature", Datum::Ints(signature.to_vec()));
        }
        self
    }
}

/// The description of circle's `Tensor` table.
pub(crate) fn tensor_table() -> &'static circle_tables::TableDef {
    &circle::TENSOR
}
