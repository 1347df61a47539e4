//! Elementwise arithmetic on two constants, spread over each other.

use circle_ir::{ElementType, OpId, Value, ValueId, View, patch::Patch};

use super::{fold, foldable};
use crate::matcher::{Activation, activation};

/// What an operator does to two numbers of each type. Integers that leave their range give nothing: what runtimes do
/// then is undefined.
pub(super) struct Arithmetic {
    pub float: fn(f32, f32) -> f32,
    pub int32: fn(i32, i32) -> Option<i32>,
    pub int64: fn(i64, i64) -> Option<i64>,
}

/// The change of `rule` at an operator that does `arithmetic` to the elements of two constants.
pub(super) fn fold_pair(
    view: &View<'_>,
    rule: &'static str,
    at: OpId,
    arithmetic: &Arithmetic,
) -> Option<Patch> {
    let op = view.op(at)?;
    let &[Some(left), Some(right)] = op.inputs() else { return None };
    if !matches!(activation(op), None | Some(Activation::None)) {
        return None;
    }
    let output = foldable(view, at, &[left, right])?;
    let (a, b) = (view.value(left)?, view.value(right)?);
    let plain = |v: &Value| v.quantization().is_none() && v.ty() == output.ty();
    if ![a, b, output].into_iter().all(plain) {
        return None;
    }
    let pairs = pairs(a.shape(), b.shape(), output.shape())?;
    let data = match output.ty() {
        ElementType::FLOAT32 => {
            let (x, y) = (view.floats(left)?, view.floats(right)?);
            bytes(pairs, |i, j| Some((arithmetic.float)(*x.get(i)?, *y.get(j)?).to_le_bytes()))
        }
        ElementType::INT32 => {
            let (x, y) = (narrow(view, left)?, narrow(view, right)?);
            bytes(pairs, |i, j| Some((arithmetic.int32)(*x.get(i)?, *y.get(j)?)?.to_le_bytes()))
        }
        ElementType::INT64 => {
            let (x, y) = (view.ints(left)?, view.ints(right)?);
            bytes(pairs, |i, j| Some((arithmetic.int64)(*x.get(i)?, *y.get(j)?)?.to_le_bytes()))
        }
        _ => None,
    }?;
    fold(view, rule, at, data, &[left, right])
}

fn narrow(view: &View<'_>, value: ValueId) -> Option<Vec<i32>> {
    view.ints(value)?.into_iter().map(|n| i32::try_from(n).ok()).collect()
}

fn bytes<const N: usize>(
    mut pairs: Pairs,
    each: impl Fn(usize, usize) -> Option<[u8; N]>,
) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    while let Some((i, j)) = pairs.next() {
        out.extend(each(i, j)?);
    }
    Some(out)
}

/// The places in two operands that belong to each element of the result, in order.
struct Pairs {
    shape: Vec<usize>,
    steps: [Vec<usize>; 2],
    index: Vec<usize>,
    at: [usize; 2],
    left: usize,
}

/// Nothing if `out` is not the shape to which `a` and `b` spread over each other.
fn pairs(a: &[i64], b: &[i64], out: &[i64]) -> Option<Pairs> {
    let rank = out.len();
    let size = |d: &i64| usize::try_from(*d).ok();
    let shape: Vec<usize> = out.iter().map(size).collect::<Option<_>>()?;
    let mut widest = vec![1i64; rank];
    let mut steps = [vec![0; rank], vec![0; rank]];
    for (operand, steps) in [a, b].into_iter().zip(&mut steps) {
        let missing = rank.checked_sub(operand.len())?;
        let mut step = 1usize;
        for (dim, d) in operand.iter().enumerate().rev() {
            let (place, width) = (missing + dim, size(d)?);
            if width != 1 {
                if *widest.get(place)? != 1 && widest.get(place) != Some(d) {
                    return None;
                }
                *widest.get_mut(place)? = *d;
                *steps.get_mut(place)? = step;
            }
            step = step.checked_mul(width)?;
        }
    }
    let left = shape.iter().try_fold(1usize, |n, &d| n.checked_mul(d))?;
    (widest == out).then(|| Pairs { index: vec![0; rank], shape, steps, at: [0, 0], left })
}

impl Pairs {
    fn next(&mut self) -> Option<(usize, usize)> {
        self.left = self.left.checked_sub(1)?;
        let here = (self.at[0], self.at[1]);
        for dim in (0..self.shape.len()).rev() {
            self.index[dim] += 1;
            let back = self.index[dim] == self.shape[dim];
            for (at, steps) in self.at.iter_mut().zip(&self.steps) {
                let whole = steps[dim] * (self.shape[dim] - 1);
                *at = if back { at.saturating_sub(whole) } else { *at + steps[dim] };
            }
            if !back {
                break;
            }
            self.index[dim] = 0;
        }
        Some(here)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(a: &[i64], b: &[i64], out: &[i64]) -> Option<Vec<(usize, usize)>> {
        let mut pairs = pairs(a, b, out)?;
        Some(std::iter::from_fn(|| pairs.next()).collect())
    }

    #[test]
    fn operands_spread_over_each_other() {
        assert_eq!(all(&[2, 2], &[2], &[2, 2]).unwrap(), [(0, 0), (1, 1), (2, 0), (3, 1)]);
        assert_eq!(all(&[2, 1], &[1, 2], &[2, 2]).unwrap(), [(0, 0), (0, 1), (1, 0), (1, 1)]);
        assert_eq!(all(&[2, 1, 2], &[2, 1], &[2, 2, 2]).unwrap()[..4], [(0, 0), (1, 0), (0, 1), (1, 1)]);
        assert_eq!(all(&[], &[], &[]).unwrap(), [(0, 0)]);
        assert_eq!(all(&[0], &[1], &[0]).unwrap(), []);
    }

    #[test]
    fn other_shapes_are_refused() {
        assert_eq!(all(&[2], &[3], &[3]), None);
        assert_eq!(all(&[2], &[1], &[1]), None);
        assert_eq!(all(&[1], &[1], &[5]), None);
        assert_eq!(all(&[1, 2], &[2], &[2]), None);
    }
}
