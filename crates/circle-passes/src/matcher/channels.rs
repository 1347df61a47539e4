//! Convolutions and fully connected operators, the products and sums per output channel that follow them, and how
//! the one takes up the other.
//!
//! For output channel `c`, `(sum(w * x) + b) * m + a = sum(w * m * x) + (b * m + a)`: weights of the channel are
//! multiplied by `m[c]`, its bias becomes `b[c] * m[c] + a[c]`. Products are computed in `f64` and rounded once.

use circle_ir::patch::{Patch, PatchBuilder};
use circle_ir::{ElementType, OpId, Operator, Value, ValueId, ValueSpec, View};
use circle_tables::opcode;

use super::{Activation, activation, can_fuse_activation, operand_and_constant};

/// Weights of more bytes are left alone: their scaled copy has to lie in memory until the model is written.
pub const WEIGHTS_BUDGET: u64 = 256 << 20;

/// A constant of more bytes that others read too is left alone: changing it for one reader stores it twice.
pub const SHARED_LIMIT: u64 = 64 << 10;

/// A CONV_2D, DEPTHWISE_CONV_2D or FULLY_CONNECTED in plain `f32`, without activation of its own.
#[derive(Clone, Copy, Debug)]
pub struct Kernel<'m> {
    id: OpId,
    op: &'m Operator,
    weights: ValueId,
    bias: Option<ValueId>,
    output: ValueId,
    channels: usize,
}

impl<'m> Kernel<'m> {
    /// The operator that computes `output`, if it is such a kernel of builtin `code`, `output` is read in one place
    /// only, and there is one output channel for each index of its last dimension.
    pub fn before(view: &View<'m>, output: ValueId, code: i32) -> Option<Self> {
        view.only_user(output)?;
        let (id, op) = view.def_is(output, code)?;
        op.options()?;
        let (x, weights, bias) = (op.input(0)?, op.input(1)?, op.input(2));
        // 0 is the plain weights format; FULLY_CONNECTED alone has others.
        let plain = op.option("weights_format") == 0
            && op.outputs().len() == 1
            && op.intermediates().is_empty()
            && activation(op) == Some(Activation::None)
            && [x, weights, output].into_iter().chain(bias).all(|v| is_plain_float(view, v));
        if !plain {
            return None;
        }
        let shape = view.value(weights)?.shape();
        let channels = match (code, shape) {
            (opcode::CONV_2D, &[out, _, _, _]) | (opcode::FULLY_CONNECTED, &[out, _]) => out,
            (opcode::DEPTHWISE_CONV_2D, &[1, _, _, out]) => out,
            _ => return None,
        };
        let channels = usize::try_from(channels).ok().filter(|&n| n > 0)?;
        let fits = last_extent(view.value(output)?) == Some(channels)
            && bias.is_none_or(|b| view.value(b).and_then(Value::elements) == Some(channels as u64));
        fits.then_some(Self { id, op, weights, bias, output, channels })
    }
    fn can_apply(&self, act: Option<Activation>) -> bool {
        act.is_some_and(|a| a == Activation::None || can_fuse_activation(self.op.code().builtin, a))
    }
}

/// A MUL or ADD of a tensor with a constant that is one number or one for each output channel.
#[derive(Clone, Debug)]
pub struct Step<'m> {
    id: OpId,
    op: &'m Operator,
    input: ValueId,
    constant: ValueId,
    output: ValueId,
}

impl<'m> Step<'m> {
    /// The operator `id`, if it is the builtin `code` with one constant operand. Whether the constant suits a
    /// kernel is known when the kernel is.
    pub fn at(view: &View<'m>, id: OpId, code: i32) -> Option<Self> {
        let op = view.op_is(id, code)?;
        let &[output] = op.outputs() else { return None };
        let (input, constant) = operand_and_constant(view, op)?;
        (op.inputs().len() == 2).then_some(Self { id, op, input, constant, output })
    }
    /// The operator that computes `output`, if it is such a step without activation and `output` is read in one
    /// place only.
    pub fn before(view: &View<'m>, output: ValueId, code: i32) -> Option<Self> {
        view.only_user(output)?;
        let step = Self::at(view, view.def_is(output, code)?.0, code)?;
        (activation(step.op) == Some(Activation::None)).then_some(step)
    }
    /// The result.
    pub fn output(&self) -> ValueId {
        self.output
    }
    /// The operand that is not constant.
    pub fn input(&self) -> ValueId {
        self.input
    }
    /// Whether [`absorb`] can let `kernel` take up the step as the last one, as far as the step goes.
    pub fn can_end(&self, view: &View<'_>, kernel: &Kernel<'_>) -> bool {
        kernel.can_apply(activation(self.op)) && self.numbers(view, kernel).is_some()
    }
    /// The number for each of the kernel's channels, if the step leaves type and shape of the kernel's result as
    /// they are and all numbers are finite.
    fn numbers(&self, view: &View<'_>, kernel: &Kernel<'_>) -> Option<Vec<f32>> {
        let like = view.value(kernel.output)?.is_like(view.value(self.output)?);
        if !like || !is_plain_float(view, self.output) || !self.suits(view, kernel) {
            return None;
        }
        let numbers = view.floats(self.constant)?;
        let finite = numbers.iter().all(|x| x.is_finite());
        let numbers = match numbers.as_slice() {
            &[one] => vec![one; kernel.channels],
            _ => numbers,
        };
        finite.then_some(numbers)
    }
    /// Whether the constant is one number or `channels` numbers along the last dimension.
    fn suits(&self, view: &View<'_>, kernel: &Kernel<'_>) -> bool {
        let Some(shape) = view.value(self.constant).map(Value::shape) else { return false };
        let is_last = shape.split_last().is_some_and(|(&last, others)| {
            usize::try_from(last) == Ok(kernel.channels) && others.iter().all(|&d| d == 1)
        });
        is_last || shape.iter().all(|&d| d == 1)
    }
}

/// The patch by `rule` in which `kernel` takes up the product `mul` and then the sum `add`, of which at least one is
/// there; the activation of the last goes to the kernel.
///
/// The kernel stays primary and the steps are absorbed; the new weights hold the product's work, the new bias that
/// of both, or of the sum alone where there was no bias but zeros. `None` when a constant does not suit, weights to be scaled are not constant, a limit is passed, a
/// number would become infinite, or the kernel knows no such activation.
pub fn absorb(
    view: &View<'_>,
    rule: &'static str,
    kernel: &Kernel<'_>,
    mul: Option<&Step<'_>>,
    add: Option<&Step<'_>>,
) -> Option<Patch> {
    let last = add.or(mul)?;
    let act = activation(last.op)?;
    if !kernel.can_apply(Some(act)) {
        return None;
    }
    let numbers = |step: Option<&Step<'_>>| match step {
        Some(step) => step.numbers(view, kernel).map(Some),
        None => Some(None),
    };
    let (scale, shift) = (numbers(mul)?, numbers(add)?);
    let weights = match &scale {
        Some(scale) => Some(scaled_weights(view, kernel, scale)?),
        None => None,
    };
    let bias = new_bias(view, kernel, scale.as_deref(), shift.as_deref())?;

    let mut patch = PatchBuilder::new(view, rule);
    let mut spec = kernel.op.spec();
    if let (Some(weights), Some(mul)) = (weights, mul) {
        let record = changed(view.value(kernel.weights)?, "scaled");
        let weights = patch.constant(record, weights, &[kernel.weights, mul.constant], &[mul.id]);
        *spec.inputs.get_mut(1)? = Some(weights);
    }
    if let Some(bias) = bias {
        // Without a bias, or with one of zeros, the product has nothing to multiply and no part in the new one.
        let multiplied = mul.filter(|_| !is_zero(view, kernel.bias));
        let steps: Vec<&Step<'_>> = multiplied.into_iter().chain(add).collect();
        let from: Vec<ValueId> = kernel.bias.into_iter().chain(steps.iter().map(|s| s.constant)).collect();
        let folded: Vec<OpId> = steps.iter().map(|s| s.id).collect();
        let record = match kernel.bias {
            Some(old) => changed(view.value(old)?, if add.is_some() { "shifted" } else { "scaled" }),
            None => {
                let name = format!("{};bias", view.value(kernel.weights)?.name());
                ValueSpec::new(&name, ElementType::FLOAT32, &[i64::try_from(kernel.channels).ok()?])
            }
        };
        let bias = patch.floats(record, &bias, &from, &folded);
        spec.inputs.resize(spec.inputs.len().max(3), None);
        *spec.inputs.get_mut(2)? = Some(bias);
    }
    spec.outputs = vec![last.output];
    let absorbed: Vec<OpId> = mul.into_iter().chain(add).map(|step| step.id).collect();
    patch.fuse(kernel.id, &absorbed, spec.with("fused_activation_function", act.code()));
    Some(patch.finish())
}

/// Whether there is no bias or one of zeros.
fn is_zero(view: &View<'_>, bias: Option<ValueId>) -> bool {
    bias.is_none_or(|bias| view.floats(bias).is_some_and(|numbers| numbers.iter().all(|&x| x == 0.0)))
}

/// The bytes of the weights with those of each output channel multiplied by its number.
fn scaled_weights(view: &View<'_>, kernel: &Kernel<'_>, scale: &[f32]) -> Option<Vec<u8>> {
    let bytes = view.constant(kernel.weights)?;
    let size = bytes.len() as u64;
    if size > WEIGHTS_BUDGET || !may_change(view, kernel.weights) {
        return None;
    }
    let by_channel = (bytes.len() / 4).checked_div(kernel.channels)?;
    let mut out = Vec::with_capacity(bytes.len());
    for (i, chunk) in bytes.chunks_exact(4).enumerate() {
        let depthwise = kernel.op.is(opcode::DEPTHWISE_CONV_2D);
        let channel = if depthwise { i % kernel.channels } else { i / by_channel };
        let old = f32::from_le_bytes(chunk.try_into().ok()?);
        let new = (f64::from(old) * f64::from(*scale.get(channel)?)) as f32;
        // One that was there before is none of our making, but not worth the doubt either.
        if !new.is_finite() {
            return None;
        }
        out.extend_from_slice(&new.to_le_bytes());
    }
    Some(out)
}

/// The bias after both steps: outer `None` when it cannot be had, inner `None` when the kernel goes on without one
/// or with the one it has.
#[allow(clippy::option_option, reason = "the two absences differ")]
fn new_bias(
    view: &View<'_>,
    kernel: &Kernel<'_>,
    scale: Option<&[f32]>,
    shift: Option<&[f32]>,
) -> Option<Option<Vec<f32>>> {
    if shift.is_none() && is_zero(view, kernel.bias) {
        return Some(None);
    }
    let old = match kernel.bias {
        Some(bias) if !may_change(view, bias) => return None,
        Some(bias) => view.floats(bias)?,
        None => vec![0.0; kernel.channels],
    };
    let number = |numbers: Option<&[f32]>, channel: usize, neutral: f64| {
        numbers.map_or(Some(neutral), |n| n.get(channel).copied().map(f64::from))
    };
    let mut new = Vec::with_capacity(old.len());
    for (channel, &b) in old.iter().enumerate() {
        let b = (f64::from(b) * number(scale, channel, 1.0)? + number(shift, channel, 0.0)?) as f32;
        new.push(Some(b).filter(|b| b.is_finite())?);
    }
    Some(Some(new))
}

/// Whether a changed copy of `constant` may be made for one of its readers; see [`SHARED_LIMIT`].
pub fn may_change(view: &View<'_>, constant: ValueId) -> bool {
    view.value(constant).is_some_and(|v| {
        let shared = v.uses().len() > 1 || v.pins() > 0;
        let size = v.elements().zip(v.ty().bytes()).and_then(|(n, width)| n.checked_mul(width));
        !shared || size.is_some_and(|size| size <= SHARED_LIMIT)
    })
}

/// A description like that of `value` for a tensor of other numbers. What a quantization table without scales may
/// tell (ranges seen in calibration) is not true of it.
pub fn changed(value: &Value, suffix: &str) -> ValueSpec {
    let mut spec = ValueSpec::like(value, &format!("{};{suffix}", value.name()));
    spec.record.remove("quantization");
    spec
}

/// Whether `v` holds unquantised `f32` in plain order. Open dimensions are allowed.
pub fn is_plain_float(view: &View<'_>, v: ValueId) -> bool {
    view.value(v).is_some_and(|v| {
        v.ty() == ElementType::FLOAT32 && v.quantization().is_none() && !v.is_packed() && !v.is_variable()
    })
}

fn last_extent(value: &Value) -> Option<usize> {
    usize::try_from(*super::shape::extents(value)?.last()?).ok()
}
