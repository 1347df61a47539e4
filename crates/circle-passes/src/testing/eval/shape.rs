//! Operators that move elements without computing.

use super::{Known, Result, Tensor};
use circle_ir::Operator;
use circle_tables::opcode;

/// All indices of an array of `shape`, in row-major order.
pub(super) fn indices(shape: &[usize]) -> impl Iterator<Item = Vec<usize>> + use<> {
    let shape = shape.to_vec();
    (0..shape.iter().product()).map(move |mut flat: usize| {
        let mut index = vec![0; shape.len()];
        for d in (0..shape.len()).rev() {
            index[d] = flat % shape[d];
            flat /= shape[d];
        }
        index
    })
}

impl Tensor {
    /// The element at `index`, which must lie inside.
    pub(super) fn at(&self, index: &[usize]) -> f64 {
        self.data[index.iter().zip(&self.shape).fold(0, |flat, (i, d)| flat * d + i)]
    }
    /// The element that stands at `index` of a larger array that this one is broadcast to.
    pub(super) fn broadcast_at(&self, index: &[usize]) -> f64 {
        let own = &index[index.len() - self.shape.len()..];
        self.at(&own.iter().zip(&self.shape).map(|(&i, &d)| if d == 1 { 0 } else { i }).collect::<Vec<_>>())
    }
    /// A tensor of `shape` whose element at each index is `element(index)`.
    pub(super) fn build(shape: Vec<usize>, element: impl Fn(&[usize]) -> f64) -> Self {
        let data = indices(&shape).map(|index| element(&index)).collect();
        Self { shape, data }
    }
}

pub(super) fn reshape(op: &Operator, known: &Known<'_>) -> Result<Tensor> {
    let Tensor { shape, data } = known.input(op, 0)?;
    let to = known.declared(op, 0)?;
    if to.iter().product::<usize>() != data.len() {
        return Err(format!("{shape:?} cannot be {to:?}"));
    }
    Ok(Tensor { shape: to, data })
}

pub(super) fn transpose(op: &Operator, known: &Known<'_>) -> Result<Tensor> {
    let x = known.input(op, 0)?;
    let perm: Vec<usize> = known.indices(op, 1)?.iter().map(|&p| p as usize).collect();
    let shape = perm.iter().map(|&p| x.shape[p]).collect();
    Ok(Tensor::build(shape, |index| {
        let mut from = vec![0; perm.len()];
        perm.iter().zip(index).for_each(|(&p, &i)| from[p] = i);
        x.at(&from)
    }))
}

pub(super) fn pad(op: &Operator, known: &Known<'_>, fill: f64) -> Result<Tensor> {
    let x = known.input(op, 0)?;
    let pads: Vec<usize> = known.indices(op, 1)?.iter().map(|&p| p as usize).collect();
    let shape = x.shape.iter().enumerate().map(|(d, &n)| pads[2 * d] + n + pads[2 * d + 1]).collect();
    Ok(Tensor::build(shape, |index| {
        let own: Option<Vec<usize>> = index
            .iter()
            .enumerate()
            .map(|(d, &i)| i.checked_sub(pads[2 * d]).filter(|&i| i < x.shape[d]))
            .collect();
        own.map_or(fill, |own| x.at(&own))
    }))
}

pub(super) fn concatenation(op: &Operator, known: &Known<'_>) -> Result<Tensor> {
    let parts: Vec<Tensor> = (0..op.inputs().len()).map(|i| known.input(op, i)).collect::<Result<_>>()?;
    let shape = known.declared(op, 0)?;
    let axis = op.option("axis").rem_euclid(shape.len() as i64) as usize;
    Ok(Tensor::build(shape, |index| {
        let mut index = index.to_vec();
        for part in &parts {
            if index[axis] < part.shape[axis] {
                return part.at(&index);
            }
            index[axis] -= part.shape[axis];
        }
        f64::NAN
    }))
}

pub(super) fn slice(op: &Operator, known: &Known<'_>) -> Result<Tensor> {
    let (x, begin) = (known.input(op, 0)?, known.indices(op, 1)?);
    let shape = known.declared(op, 0)?;
    Ok(Tensor::build(shape, |index| {
        x.at(&index.iter().zip(&begin).map(|(&i, &b)| i + b as usize).collect::<Vec<_>>())
    }))
}

pub(super) fn split(op: &Operator, known: &Known<'_>) -> Result<Vec<Tensor>> {
    // SPLIT takes the axis first, SPLIT_V last.
    let (axis, x) = if op.is(opcode::SPLIT) { (0, 1) } else { (2, 0) };
    let (axis, x) = (known.indices(op, axis)?, known.input(op, x)?);
    let axis = axis.first().ok_or("the axis is missing")?.rem_euclid(x.shape.len() as i64) as usize;
    let mut begin = 0;
    let part = |port| {
        let shape = known.declared(op, port)?;
        let start = begin;
        begin += shape[axis];
        Ok(Tensor::build(shape, |index| {
            let mut index = index.to_vec();
            index[axis] += start;
            x.at(&index)
        }))
    };
    (0..op.outputs().len()).map(part).collect()
}

pub(super) fn strided_slice(op: &Operator, known: &Known<'_>) -> Result<Tensor> {
    if ["ellipsis_mask", "new_axis_mask", "shrink_axis_mask"].iter().any(|mask| op.option(mask) != 0) {
        return Err("STRIDED_SLICE that changes the number of dimensions is not evaluated".into());
    }
    let (x, begin, strides) = (known.input(op, 0)?, known.indices(op, 1)?, known.indices(op, 3)?);
    let first = |d: usize| {
        let extent = x.shape[d] as i64;
        match (op.option("begin_mask") >> d & 1, strides[d] < 0) {
            (0, _) if begin[d] < 0 => begin[d] + extent,
            (0, _) => begin[d],
            (_, false) => 0,
            (_, true) => extent - 1,
        }
    };
    Ok(Tensor::build(known.declared(op, 0)?, |index| {
        let place = |(d, &i): (usize, &usize)| (first(d) + i as i64 * strides[d]) as usize;
        x.at(&index.iter().enumerate().map(place).collect::<Vec<_>>())
    }))
}

pub(super) fn broadcast_to(op: &Operator, known: &Known<'_>) -> Result<Tensor> {
    let x = known.input(op, 0)?;
    Ok(Tensor::build(known.declared(op, 0)?, |index| x.broadcast_at(index)))
}
