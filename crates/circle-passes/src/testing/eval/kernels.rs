//! Operators that compute.

use super::shape::{
    broadcast_to, concatenation, indices, pad, reshape, slice, split, strided_slice, transpose,
};
use super::{Known, Result, Tensor};
use circle_ir::Operator;
use circle_tables::opcode;

/// The results of `op`.
pub(super) fn run(op: &Operator, known: &Known<'_>) -> Result<Vec<Tensor>> {
    let map = |f: fn(f64) -> f64| Ok(known.input(op, 0)?.map(f));
    let one = match op.code().builtin {
        opcode::ABS => map(f64::abs),
        opcode::NEG => map(|x| -x),
        opcode::EXP => map(f64::exp),
        opcode::SQRT => map(f64::sqrt),
        opcode::RSQRT => map(|x| 1.0 / x.sqrt()),
        opcode::TANH => map(f64::tanh),
        opcode::LOGISTIC => map(|x| 1.0 / (1.0 + (-x).exp())),
        opcode::RELU => map(|x| x.max(0.0)),
        opcode::RELU6 => map(|x| x.clamp(0.0, 6.0)),
        opcode::RELU_N1_TO_1 => map(|x| x.clamp(-1.0, 1.0)),
        opcode::HARD_SWISH => map(|x| x * (x + 3.0).clamp(0.0, 6.0) / 6.0),
        opcode::CAST => map(|x| x),
        opcode::ADD => binary(op, known, |a, b| a + b),
        opcode::CUSTOM if op.code().name() == "CUSTOM:AddV2" => binary(op, known, |a, b| a + b),
        opcode::SUB => binary(op, known, |a, b| a - b),
        opcode::MUL => binary(op, known, |a, b| a * b),
        opcode::DIV => binary(op, known, |a, b| a / b),
        opcode::MAXIMUM => binary(op, known, f64::max),
        opcode::MINIMUM => binary(op, known, f64::min),
        opcode::SUM => reduce(op, known, |all| all.iter().sum()),
        opcode::MEAN => reduce(op, known, |all| all.iter().sum::<f64>() / all.len() as f64),
        opcode::REDUCE_MAX => reduce(op, known, |all| all.iter().copied().fold(f64::NEG_INFINITY, f64::max)),
        opcode::SOFTMAX => softmax(op, known),
        opcode::CONV_2D | opcode::DEPTHWISE_CONV_2D => convolution(op, known),
        opcode::FULLY_CONNECTED => fully_connected(op, known),
        opcode::RESHAPE | opcode::SQUEEZE => reshape(op, known),
        opcode::TRANSPOSE => transpose(op, known),
        opcode::PAD => pad(op, known, zero_point(op, known)),
        opcode::PADV2 => pad(op, known, known.input(op, 2)?.data[0]),
        opcode::CONCATENATION => concatenation(op, known),
        opcode::SLICE => slice(op, known),
        opcode::STRIDED_SLICE => strided_slice(op, known),
        opcode::BROADCAST_TO => broadcast_to(op, known),
        opcode::DEQUANTIZE => dequantize(op, known),
        opcode::SPLIT | opcode::SPLIT_V => return split(op, known),
        _ => Err(format!("{} is not evaluated", op.code().name())),
    };
    Ok(vec![one?])
}

impl Tensor {
    fn map(&self, f: impl Fn(f64) -> f64) -> Self {
        Self { shape: self.shape.clone(), data: self.data.iter().map(|&x| f(x)).collect() }
    }
    fn activated(self, op: &Operator) -> Result<Self> {
        match op.option("fused_activation_function") {
            0 => Ok(self),
            1 => Ok(self.map(|x| x.max(0.0))),
            2 => Ok(self.map(|x| x.clamp(-1.0, 1.0))),
            3 => Ok(self.map(|x| x.clamp(0.0, 6.0))),
            4 => Ok(self.map(f64::tanh)),
            code => Err(format!("activation {code} is not evaluated")),
        }
    }
}

fn zero_point(op: &Operator, known: &Known<'_>) -> f64 {
    let value = op.outputs().first().and_then(|&v| known.view.value(v));
    let zero = value.and_then(|v| v.quantization()?.ints("zero_point").first().copied());
    zero.unwrap_or(0) as f64
}

fn dequantize(op: &Operator, known: &Known<'_>) -> Result<Tensor> {
    let input = op.input(0).and_then(|v| known.view.value(v));
    let Some(q) = input.and_then(|v| v.quantization()) else { return known.input(op, 0) };
    let (scales, zeros) = (q.f32s("scale"), q.ints("zero_point"));
    let along = q.int("quantized_dimension") as usize;
    let x = known.input(op, 0)?;
    Ok(Tensor::build(x.shape.clone(), |index| {
        let number = if scales.len() > 1 { index[along] } else { 0 };
        f64::from(scales[number]) * (x.at(index) - zeros.get(number).copied().unwrap_or(0) as f64)
    }))
}

fn binary(op: &Operator, known: &Known<'_>, f: fn(f64, f64) -> f64) -> Result<Tensor> {
    let (a, b) = (known.input(op, 0)?, known.input(op, 1)?);
    let rank = a.shape.len().max(b.shape.len());
    let extent = |t: &Tensor, d: usize| (d + t.shape.len()).checked_sub(rank).map_or(1, |d| t.shape[d]);
    let both = |d| match (extent(&a, d), extent(&b, d)) {
        (1, n) | (n, 1) => Ok(n),
        (n, m) if n == m => Ok(n),
        _ => Err(format!("{:?} and {:?} do not go together", a.shape, b.shape)),
    };
    let shape = (0..rank).map(both).collect::<Result<_>>()?;
    Tensor::build(shape, |index| f(a.broadcast_at(index), b.broadcast_at(index))).activated(op)
}

fn reduce(op: &Operator, known: &Known<'_>, f: fn(&[f64]) -> f64) -> Result<Tensor> {
    let x = known.input(op, 0)?;
    let rank = x.shape.len() as i64;
    let axes: Vec<usize> = known.indices(op, 1)?.iter().map(|a| a.rem_euclid(rank) as usize).collect();
    let pick = |reduced: bool| -> Vec<usize> {
        x.shape.iter().enumerate().map(|(d, &n)| if axes.contains(&d) == reduced { n } else { 1 }).collect()
    };
    let reduced = pick(true);
    let Tensor { mut shape, data } = Tensor::build(pick(false), |at| {
        let all = indices(&reduced).map(|i| x.at(&i.iter().zip(at).map(|(a, b)| a + b).collect::<Vec<_>>()));
        f(&all.collect::<Vec<_>>())
    });
    if op.option("keep_dims") == 0 {
        shape = (0..shape.len()).filter(|d| !axes.contains(d)).map(|d| shape[d]).collect();
    }
    Ok(Tensor { shape, data })
}

fn softmax(op: &Operator, known: &Known<'_>) -> Result<Tensor> {
    let x = known.input(op, 0)?;
    let beta = f64::from(op.options().ok_or("SOFTMAX lacks its options")?.f32("beta"));
    let width = *x.shape.last().ok_or("SOFTMAX of a scalar")?;
    let row = |row: &[f64]| {
        let sum: f64 = row.iter().map(|x| (beta * x).exp()).sum();
        row.iter().map(|x| (beta * x).exp() / sum).collect::<Vec<_>>()
    };
    Ok(Tensor { data: x.data.chunks(width).flat_map(row).collect(), shape: x.shape })
}

/// Both kinds: the weights of the plain one are `[out, height, width, in of the group]`, those of the depth-wise one
/// `[1, height, width, out]`.
fn convolution(op: &Operator, known: &Known<'_>) -> Result<Tensor> {
    let (x, w) = (known.input(op, 0)?, known.input(op, 1)?);
    let bias = op.input(2).map(|v| known.get(v)).transpose()?;
    let depthwise = op.is(opcode::DEPTHWISE_CONV_2D);
    let shape = known.declared(op, 0)?;
    let channels = shape[3];
    let group_in = if depthwise { 1 } else { w.shape[3] };
    let group_out = channels * group_in / x.shape[3];
    let dilation = |name| op.option(name).max(1) as usize;
    let (stride, dilation) = (
        [op.option("stride_h") as usize, op.option("stride_w") as usize],
        [dilation("dilation_h_factor"), dilation("dilation_w_factor")],
    );
    // SAME is 0: half of what the kernel reaches beyond the input, the smaller half first.
    let before: [usize; 2] = std::array::from_fn(|d| {
        let reach = (shape[d + 1] - 1) * stride[d] + (w.shape[d + 1] - 1) * dilation[d] + 1;
        if op.option("padding") == 0 { reach.saturating_sub(x.shape[d + 1]) / 2 } else { 0 }
    });
    let element = |at: &[usize]| {
        let out = at[3];
        let first = out / group_out * group_in;
        let mut sum = bias.as_ref().map_or(0.0, |b| b.data[out]);
        for tap in indices(&[w.shape[1], w.shape[2], group_in]) {
            let place = |d: usize| {
                let place = at[d + 1] * stride[d] + tap[d] * dilation[d];
                place.checked_sub(before[d]).filter(|&i| i < x.shape[d + 1])
            };
            let (Some(row), Some(column)) = (place(0), place(1)) else { continue };
            let weight = if depthwise { [0, tap[0], tap[1], out] } else { [out, tap[0], tap[1], tap[2]] };
            sum += x.at(&[at[0], row, column, first + tap[2]]) * w.at(&weight);
        }
        sum
    };
    Tensor::build(shape, element).activated(op)
}

fn fully_connected(op: &Operator, known: &Known<'_>) -> Result<Tensor> {
    let (x, w) = (known.input(op, 0)?, known.input(op, 1)?);
    let bias = op.input(2).map(|v| known.get(v)).transpose()?;
    let (units, width) = (w.shape[0], w.shape[1]);
    let shape = known.declared(op, 0)?;
    let element = |flat: usize| {
        let (row, unit) = (flat / units, flat % units);
        let dot: f64 = (0..width).map(|i| x.data[row * width + i] * w.at(&[unit, i])).sum();
        dot + bias.as_ref().map_or(0.0, |b| b.data[unit])
    };
    let data = (0..shape.iter().product()).map(element).collect();
    Tensor { shape, data }.activated(op)
}
