//! How an operator works on tensors as they were before a transpose.

use circle_ir::{ElementType, Operator, Value, ValueId, View};
use circle_tables::{Datum, opcode};

use super::reshape::regroup;
use crate::matcher::permutation::undo;

/// What an operator reads in one input slot instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    /// The same.
    Same,
    /// The tensor before the transpose.
    Source,
    /// A copy of the constant, transposed back by this permutation of the rank of the result.
    Constant(Vec<usize>),
    /// A copy of the constant of integers with these numbers.
    Numbers(Vec<i64>),
}

/// An operator that works on tensors before the transpose. Its results then need a transpose each.
#[derive(Clone, Debug)]
pub(super) struct Motion {
    /// For each input slot.
    pub operands: Vec<Operand>,
    /// Options that change.
    pub options: Vec<(&'static str, Datum)>,
    /// The permutation that makes each output of what the changed operator computes.
    pub outputs: Vec<Vec<usize>>,
}

/// Whether the elements can be moved about: plainly stored, quantised as a whole if at all, of a type that
/// runtimes transpose.
pub(super) fn is_movable(value: &Value) -> bool {
    let whole = value.quantization().is_none_or(|q| q.f32s("scale").len() <= 1 && q.get("details").is_none());
    let known = matches!(
        value.ty(),
        ElementType::FLOAT32
            | ElementType::INT32
            | ElementType::INT64
            | ElementType::INT16
            | ElementType::INT8
            | ElementType::UINT8
            | ElementType::BOOL
    );
    whole && known && !value.is_packed() && !value.is_variable()
}

/// The question that is put to each kind of operator. `perm_of` gives the permutation of the transpose that a tensor
/// comes out of.
struct Asked<'a, 'm> {
    view: &'a View<'m>,
    op: &'a Operator,
    perm_of: &'a dyn Fn(ValueId) -> Option<Vec<usize>>,
}

/// How `op` works on the tensors before the transposes that its inputs come out of; nothing if it cannot, or if none
/// of its inputs comes out of one.
pub(super) fn motion(
    view: &View<'_>,
    op: &Operator,
    perm_of: &dyn Fn(ValueId) -> Option<Vec<usize>>,
) -> Option<Motion> {
    let asked = Asked { view, op, perm_of };
    let movable = |v: &ValueId| view.value(*v).is_some_and(is_movable);
    if !op.outputs().iter().all(movable) || !op.intermediates().is_empty() || op.code().custom.is_some() {
        return None;
    }
    use opcode::*;
    let motion = match op.code().builtin {
        ABS | CAST | CEIL | COS | DEQUANTIZE | ELU | EXP | FLOOR | GELU | HARD_SWISH | LEAKY_RELU | LOG
        | LOGICAL_NOT | LOGISTIC | NEG | QUANTIZE | RELU | RELU6 | RELU_0_TO_1 | RELU_N1_TO_1 | ROUND
        | RSQRT | SIGN | SIN | SQRT | SQUARE | TANH => asked.unary(),
        ADD | SUB | MUL | DIV | MAXIMUM | MINIMUM | POW | SQUARED_DIFFERENCE | FLOOR_DIV | FLOOR_MOD
        | EQUAL | NOT_EQUAL | LESS | LESS_EQUAL | GREATER | GREATER_EQUAL | LOGICAL_AND | LOGICAL_OR
        | PRELU => asked.spread(),
        CONCATENATION => asked.concatenation(),
        PAD | PADV2 | MIRROR_PAD => asked.pad(),
        SPLIT => asked.split(1, 0),
        SPLIT_V => asked.split(0, 2),
        MEAN | SUM | REDUCE_MAX | REDUCE_MIN | REDUCE_PROD | REDUCE_ANY | REDUCE_ALL => asked.reduction(),
        SLICE => asked.slice(&[1, 2], &[]),
        STRIDED_SLICE => asked.slice(&[1, 2, 3], &["begin_mask", "end_mask"]),
        SOFTMAX => asked.softmax(),
        RESHAPE => asked.reshape(),
        _ => None,
    }?;
    // Each transposed input is read in its form before the transpose; otherwise nothing is gained.
    let all_moved = op
        .inputs()
        .iter()
        .zip(&motion.operands)
        .all(|(v, operand)| *operand == Operand::Source || v.is_none_or(|v| perm_of(v).is_none()));
    (all_moved && motion.operands.len() == op.inputs().len()).then_some(motion)
}

impl Asked<'_, '_> {
    fn value(&self, slot: usize) -> Option<&Value> {
        self.view.value(self.op.input(slot)?)
    }

    /// The permutation of the transpose before input `slot`.
    fn perm(&self, slot: usize) -> Option<Vec<usize>> {
        let perm = (self.perm_of)(self.op.input(slot)?)?;
        let value = self.value(slot)?;
        (value.shape().len() == perm.len() && is_movable(value)).then_some(perm)
    }

    fn has_rank(&self, rank: usize) -> bool {
        self.op.outputs().iter().all(|&v| self.view.value(v).is_some_and(|v| v.shape().len() == rank))
    }

    /// A motion without changed options in which all outputs are permuted as the inputs are.
    fn along(&self, perm: Vec<usize>, operands: Vec<Operand>) -> Option<Motion> {
        let outputs = vec![perm.clone(); self.op.outputs().len()];
        self.has_rank(perm.len()).then_some(Motion { operands, options: Vec::new(), outputs })
    }

    fn unary(&self) -> Option<Motion> {
        (self.op.inputs().len() == 1).then(|| self.along(self.perm(0)?, vec![Operand::Source])).flatten()
    }

    /// Operators on pairs of elements, where an operand may be spread over dimensions that it lacks.
    fn spread(&self) -> Option<Motion> {
        let perm = self.perm(0).or_else(|| self.perm(1))?;
        if self.op.inputs().len() != 2 {
            return None;
        }
        let operands = vec![self.operand(0, &perm)?, self.operand(1, &perm)?];
        self.along(perm, operands)
    }

    /// An operand beside one that is transposed by `perm`.
    fn operand(&self, slot: usize, perm: &[usize]) -> Option<Operand> {
        if let Some(own) = self.perm(slot) {
            return (own == perm).then_some(Operand::Source);
        }
        let (id, value) = (self.op.input(slot)?, self.value(slot)?);
        if value.shape().len() > perm.len() || !is_movable(value) || !value.is_static() {
            return None;
        }
        if value.shape().iter().all(|&d| d == 1) {
            return Some(Operand::Same);
        }
        self.view.constant(id).map(|_| Operand::Constant(perm.to_vec()))
    }

    fn concatenation(&self) -> Option<Motion> {
        let count = self.op.inputs().len();
        let perm = (0..count).find_map(|slot| self.perm(slot))?;
        let same_rank =
            (0..count).all(|slot| self.value(slot).is_some_and(|v| v.shape().len() == perm.len()));
        let operands: Option<Vec<Operand>> = (0..count).map(|slot| self.operand(slot, &perm)).collect();
        let axis = self.axis(self.op.option("axis"), &perm)?;
        let mut motion = self.along(perm, operands?)?;
        motion.options.push(("axis", Datum::Int(axis)));
        same_rank.then_some(motion)
    }

    /// The dimension before the transpose that `axis` counts after it. Negative ones count from the end.
    fn axis(&self, axis: i64, perm: &[usize]) -> Option<i64> {
        let rank = i64::try_from(perm.len()).ok()?;
        let axis = if axis < 0 { axis.checked_add(rank)? } else { axis };
        Some(*perm.get(usize::try_from(axis).ok()?)? as i64)
    }

    fn numbers(&self, slot: usize) -> Option<Vec<i64>> {
        self.view.ints(self.op.input(slot)?)
    }

    /// One number for each dimension.
    fn per_dimension(&self, slot: usize, perm: &[usize]) -> Option<Operand> {
        Some(Operand::Numbers(undo(&self.numbers(slot)?, perm)?))
    }

    fn pad(&self) -> Option<Motion> {
        let perm = self.perm(0)?;
        let numbers = self.numbers(1)?;
        let pairs: Vec<[i64; 2]> = numbers.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
        let moved = undo(&pairs, &perm)?.concat();
        let mut operands = vec![Operand::Source, Operand::Numbers(moved)];
        operands.resize(self.op.inputs().len(), Operand::Same);
        (numbers.len() == 2 * perm.len()).then(|| self.along(perm, operands)).flatten()
    }

    fn split(&self, data: usize, axis: usize) -> Option<Motion> {
        let perm = self.perm(data)?;
        let &[old] = self.numbers(axis)?.as_slice() else { return None };
        let mut operands = vec![Operand::Same; self.op.inputs().len()];
        *operands.get_mut(data)? = Operand::Source;
        *operands.get_mut(axis)? = Operand::Numbers(vec![self.axis(old, &perm)?]);
        self.along(perm, operands)
    }

    /// Reductions that keep the reduced dimensions. Those of quantised tensors round in ways that depend on the axes.
    fn reduction(&self) -> Option<Motion> {
        let perm = self.perm(0)?;
        let outputs = self.op.outputs().iter().filter_map(|&v| self.view.value(v));
        let quantised = outputs.chain(self.value(0)).any(|v| v.quantization().is_some());
        if self.op.option("keep_dims") == 0 || quantised || self.op.inputs().len() != 2 {
            return None;
        }
        let axes: Option<Vec<i64>> =
            self.numbers(1)?.into_iter().map(|axis| self.axis(axis, &perm)).collect();
        self.along(perm, vec![Operand::Source, Operand::Numbers(axes?)])
    }

    /// SLICE and STRIDED_SLICE: one number a dimension in each of the input slots `lists`, one bit in each of `masks`.
    fn slice(&self, lists: &[usize], masks: &[&'static str]) -> Option<Motion> {
        let perm = self.perm(0)?;
        let renumbering = ["ellipsis_mask", "new_axis_mask", "shrink_axis_mask"];
        if renumbering.iter().any(|mask| self.op.option(mask) != 0)
            || self.op.inputs().len() != lists.len() + 1
        {
            return None;
        }
        let mut operands = vec![Operand::Source];
        for &slot in lists {
            operands.push(self.per_dimension(slot, &perm)?);
        }
        let mut motion = self.along(perm.clone(), operands)?;
        for mask in masks {
            let old = self.op.option(mask);
            let bits: Vec<bool> = (0..perm.len()).map(|dim| dim < 31 && old >> dim & 1 == 1).collect();
            let bits = undo(&bits, &perm)?;
            let new = (0..bits.len().min(31)).filter(|&dim| bits[dim]).map(|dim| 1 << dim).sum();
            motion.options.push((mask, Datum::Int(new)));
        }
        (perm.len() < 31).then_some(motion)
    }

    /// SOFTMAX works along the last dimension, which must stay in its place.
    fn softmax(&self) -> Option<Motion> {
        let perm = self.perm(0)?;
        (perm.last() == Some(&(perm.len().checked_sub(1)?))).then(|| self.unary()).flatten()
    }

    fn reshape(&self) -> Option<Motion> {
        let perm = self.perm(0)?;
        let (input, output) = (self.value(0)?, self.view.value(*self.op.outputs().first()?)?);
        // Transposes of more than five dimensions are known to few runtimes.
        let rank_is_usual = output.shape().len() <= 5.max(perm.len());
        if !input.is_static() || !output.is_static() || !rank_is_usual || self.op.outputs().len() != 1 {
            return None;
        }
        let moved = regroup(input.shape(), &perm, output.shape())?;
        let mut operands = vec![Operand::Source];
        if self.op.inputs().len() > 1 {
            self.numbers(1)?;
            operands.push(Operand::Numbers(moved.shape.clone()));
        }
        let options = vec![("new_shape", Datum::Ints(moved.shape))];
        Some(Motion { operands, options, outputs: vec![moved.perm] })
    }
}
