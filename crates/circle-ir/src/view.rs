//! What a rule sees: one subgraph, read-only, with the questions that rules ask.

use crate::buffer::Bytes;
use crate::entity::{OpId, SubgraphId, ValueId};
use crate::model::Model;
use crate::operator::Operator;
use crate::subgraph::Subgraph;
use crate::value::{ElementType, Value};

/// A read-only look at one subgraph and at the bytes of its constants.
#[derive(Clone, Copy)]
pub struct View<'m> {
    model: &'m Model,
    subgraph: &'m Subgraph,
    id: SubgraphId,
    bytes: &'m dyn Bytes,
}

impl std::fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "View({})", self.id)
    }
}

impl<'m> View<'m> {
    /// A look at subgraph `id`; `None` if there is no such subgraph.
    pub fn new(model: &'m Model, id: SubgraphId, bytes: &'m dyn Bytes) -> Option<Self> {
        Some(Self { model, subgraph: model.subgraph(id)?, id, bytes })
    }
    /// The whole model.
    pub fn model(&self) -> &'m Model {
        self.model
    }
    /// The subgraph.
    pub fn subgraph(&self) -> &'m Subgraph {
        self.subgraph
    }
    /// The subgraph's identity.
    pub fn id(&self) -> SubgraphId {
        self.id
    }
    /// The operator, if it is still there.
    pub fn op(&self, id: OpId) -> Option<&'m Operator> {
        self.subgraph.operator(id)
    }
    /// The operator, if it is still there and is the builtin `code`.
    pub fn op_is(&self, id: OpId, code: i32) -> Option<&'m Operator> {
        self.op(id).filter(|op| op.is(code))
    }
    /// The tensor.
    pub fn value(&self, id: ValueId) -> Option<&'m Value> {
        self.subgraph.value(id)
    }
    /// The operator that computes `value`.
    pub fn def(&self, value: ValueId) -> Option<(OpId, &'m Operator)> {
        let (id, _) = self.value(value)?.def()?;
        Some((id, self.op(id)?))
    }
    /// The operator that computes `value`, if it is the builtin `code`.
    pub fn def_is(&self, value: ValueId, code: i32) -> Option<(OpId, &'m Operator)> {
        self.def(value).filter(|(_, op)| op.is(code))
    }
    /// Whether `value` is a graph input.
    pub fn is_input(&self, value: ValueId) -> bool {
        self.value(value).is_some_and(Value::is_input)
    }
    /// Whether `value` is a graph output.
    pub fn is_output(&self, value: ValueId) -> bool {
        self.value(value).is_some_and(Value::is_output)
    }
    /// The one operator that reads `value`, if it is read in one place only and nothing else refers to it.
    pub fn only_user(&self, value: ValueId) -> Option<OpId> {
        let v = self.value(value)?;
        let mut uses = v.uses().iter();
        match (uses.next(), uses.next(), v.pins()) {
            (Some(&(op, _)), None, 0) => Some(op),
            _ => None,
        }
    }
    /// Whether `value` is a constant: no operator computes it, it is neither graph input nor variable, and it has
    /// bytes.
    pub fn is_constant(&self, value: ValueId) -> bool {
        self.value(value).is_some_and(|v| v.is_constant(&self.model.buffers))
    }
    /// The bytes of a constant that holds its elements plainly in order, exactly as many as its shape asks for.
    pub fn constant(&self, value: ValueId) -> Option<&'m [u8]> {
        let v = self.value(value)?;
        if !self.is_constant(value) || v.is_packed() || !v.is_static() {
            return None;
        }
        let bytes = self.bytes.bytes(self.model.buffer(v.buffer())?)?;
        let want = v.elements()?.checked_mul(v.ty().bytes()?)?;
        (bytes.len() as u64 == want).then_some(bytes)
    }
    /// The numbers of an unquantised `f32` constant, in row-major order.
    pub fn floats(&self, value: ValueId) -> Option<Vec<f32>> {
        let v = self.value(value)?;
        if v.ty() != ElementType::FLOAT32 || v.quantization().is_some() {
            return None;
        }
        let bytes = self.constant(value)?;
        Some(bytes.chunks_exact(4).map(|c| f32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect())
    }
    /// The numbers of an `i32` or `i64` constant, in row-major order.
    pub fn ints(&self, value: ValueId) -> Option<Vec<i64>> {
        let v = self.value(value)?;
        let bytes = self.constant(value)?;
        match v.ty() {
            ElementType::INT32 => Some(
                bytes
                    .chunks_exact(4)
                    .map(|c| i64::from(i32::from_le_bytes([c[0], c[1], c[2], c[3]])))
                    .collect(),
            ),
            ElementType::INT64 => Some(
                bytes
                    .chunks_exact(8)
                    .map(|c| i64::from_le_bytes([c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]]))
                    .collect(),
            ),
            _ => None,
        }
    }
    /// The number in a one-element `f32` constant.
    pub fn scalar(&self, value: ValueId) -> Option<f32> {
        match self.floats(value)?.as_slice() {
            [one] => Some(*one),
            _ => None,
        }
    }
    /// Whether all readers of `from` can read `to` instead, and a caller of the graph still finds `from` under its
    /// name. Where `from` is a graph output, `to` must be computed by an operator that can write `from` instead.
    pub fn can_forward(&self, from: ValueId, to: ValueId) -> bool {
        let (Some(old), Some(new)) = (self.value(from), self.value(to)) else { return false };
        let reachable = old.pins() == 0 || (new.pins() == 0 && new.def().is_some() && self.is_output(from));
        from != to
            && old.is_like(new)
            && reachable
            && !self.is_input(from)
            && !new.is_variable()
            && !old.is_variable()
    }
}
