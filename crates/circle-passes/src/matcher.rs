//! Questions that several rules ask.

pub mod channels;
pub mod permutation;
pub mod shape;

use circle_ir::{ElementType, OpId, Operator, ValueId, View};
use circle_tables::{Kind, opcode};

/// An activation that operators can apply to their result. Codes are those of `ActivationFunctionType`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activation {
    /// No change.
    None,
    /// max(x, 0)
    Relu,
    /// min(max(x, -1), 1)
    ReluN1To1,
    /// min(max(x, 0), 6)
    Relu6,
    /// Hyperbolic tangent.
    Tanh,
    /// Sign bit, or a number of a newer schema.
    Other(i64),
}

impl Activation {
    /// The number in the file.
    pub const fn code(self) -> i64 {
        match self {
            Self::None => 0,
            Self::Relu => 1,
            Self::ReluN1To1 => 2,
            Self::Relu6 => 3,
            Self::Tanh => 4,
            Self::Other(code) => code,
        }
    }
    /// The activation with that number.
    pub const fn from_code(code: i64) -> Self {
        match code {
            0 => Self::None,
            1 => Self::Relu,
            2 => Self::ReluN1To1,
            3 => Self::Relu6,
            4 => Self::Tanh,
            code => Self::Other(code),
        }
    }
    /// The activation that operator `code` applies.
    pub const fn of_operator(code: i32) -> Option<Self> {
        match code {
            opcode::RELU => Some(Self::Relu),
            opcode::RELU_N1_TO_1 => Some(Self::ReluN1To1),
            opcode::RELU6 => Some(Self::Relu6),
            opcode::TANH => Some(Self::Tanh),
            _ => None,
        }
    }
}

/// The activation that `op` applies to its result; `None` if its options have no such field. Options that are left
/// out count as no activation.
pub fn activation(op: &Operator) -> Option<Activation> {
    let table =
        op.options().map(|o| o.def()).or_else(|| opcode::options(op.code().builtin).map(|o| o.table))?;
    let field = table.field("fused_activation_function")?;
    matches!(field.kind, Kind::Enum(_)).then(|| Activation::from_code(op.option("fused_activation_function")))
}

/// Whether runtimes apply `act` in the float kernels of operator `code`. The clamping ones are known to all of
/// these; TANH is applied by none of the float kernels of LiteRT, which refuses or ignores it, so it stays apart.
pub fn can_fuse_activation(code: i32, act: Activation) -> bool {
    let clamps = matches!(act, Activation::Relu | Activation::Relu6 | Activation::ReluN1To1);
    let kernel = matches!(
        code,
        opcode::CONV_2D
            | opcode::DEPTHWISE_CONV_2D
            | opcode::FULLY_CONNECTED
            | opcode::ADD
            | opcode::SUB
            | opcode::MUL
            | opcode::DIV
            | opcode::AVERAGE_POOL_2D
            | opcode::MAX_POOL_2D
    );
    clamps && kernel
}

/// Operators that compute their outputs from their inputs and do nothing else: same inputs, same outputs, no state.
/// What is not listed is taken to have effects.
pub fn is_pure(view: &View<'_>, op: &Operator) -> bool {
    let reads_variable =
        op.inputs().iter().flatten().any(|&v| view.value(v).is_some_and(|v| v.is_variable()));
    let code = op.code().builtin;
    let effects = matches!(
        code,
        opcode::CUSTOM
            | opcode::CALL
            | opcode::CALL_ONCE
            | opcode::IF
            | opcode::WHILE
            | opcode::STABLEHLO_WHILE
            | opcode::STABLEHLO_COMPOSITE
            | opcode::STABLEHLO_CUSTOM_CALL
            | opcode::STABLEHLO_RNG_BIT_GENERATOR
            | opcode::RUN_MODEL
            | opcode::DELEGATE
            | opcode::PLACEHOLDER_FOR_GREATER_OP_CODES
            | opcode::VAR_HANDLE
            | opcode::READ_VARIABLE
            | opcode::ASSIGN_VARIABLE
            | opcode::HASHTABLE
            | opcode::HASHTABLE_FIND
            | opcode::HASHTABLE_IMPORT
            | opcode::HASHTABLE_SIZE
            | opcode::HASHTABLE_LOOKUP
            | opcode::RANDOM_STANDARD_NORMAL
            | opcode::RANDOM_UNIFORM
            | opcode::MULTINOMIAL
            | opcode::LSTM
            | opcode::UNIDIRECTIONAL_SEQUENCE_LSTM
            | opcode::BIDIRECTIONAL_SEQUENCE_LSTM
            | opcode::RNN
            | opcode::UNIDIRECTIONAL_SEQUENCE_RNN
            | opcode::BIDIRECTIONAL_SEQUENCE_RNN
            | opcode::SVDF
    );
    opcode::name(code).is_some() && !effects && !reads_variable && op.intermediates().is_empty()
}

/// Whether all of `values` are plain `f32`: static shape, no quantization, not packed.
pub fn all_float(view: &View<'_>, values: impl IntoIterator<Item = ValueId>) -> bool {
    values.into_iter().all(|v| {
        view.value(v).is_some_and(|v| {
            v.ty() == ElementType::FLOAT32 && v.quantization().is_none() && !v.is_packed() && v.is_static()
        })
    })
}

/// The two operands of a commutative operator, the constant one second. `None` if none or both are constants.
pub fn operand_and_constant(view: &View<'_>, op: &Operator) -> Option<(ValueId, ValueId)> {
    let (a, b) = (op.input(0)?, op.input(1)?);
    match (view.is_constant(a), view.is_constant(b)) {
        (false, true) => Some((a, b)),
        (true, false) => Some((b, a)),
        _ => None,
    }
}

/// The permutation of a TRANSPOSE: output dimension `i` is input dimension `perm[i]`. Checked to be one.
pub fn permutation(view: &View<'_>, op: &Operator) -> Option<Vec<usize>> {
    let perm = view.ints(op.input(1)?)?;
    let rank = view.value(op.input(0)?)?.shape().len();
    let mut seen = vec![false; rank];
    for &p in &perm {
        let p = usize::try_from(p).ok()?;
        if std::mem::replace(seen.get_mut(p)?, true) {
            return None;
        }
    }
    (perm.len() == rank).then(|| perm.iter().map(|&p| p as usize).collect())
}

/// The one reader of the single output of `op`; see [`View::only_user`].
pub fn only_reader(view: &View<'_>, op: &Operator) -> Option<OpId> {
    match op.outputs() {
        [out] => view.only_user(*out),
        _ => None,
    }
}

/// Reorders the elements of a row-major array of `shape`, each `width` bytes wide, so that dimension `i` of the
/// result is dimension `perm[i]` of the source.
pub fn transpose_bytes(data: &[u8], shape: &[usize], perm: &[usize], width: usize) -> Vec<u8> {
    let mut strides = vec![width; shape.len()];
    for i in (0..shape.len().saturating_sub(1)).rev() {
        strides[i] = strides[i + 1] * shape[i + 1];
    }
    let out_shape: Vec<usize> = perm.iter().map(|&p| shape[p]).collect();
    let out_strides: Vec<usize> = perm.iter().map(|&p| strides[p]).collect();
    let mut out = Vec::with_capacity(data.len());
    let mut index = vec![0usize; shape.len()];
    if out_shape.contains(&0) {
        return out;
    }
    loop {
        let at: usize = index.iter().zip(&out_strides).map(|(i, s)| i * s).sum();
        out.extend_from_slice(&data[at..at + width]);
        let Some(dim) = (0..index.len()).rev().find(|&d| index[d] + 1 < out_shape[d]) else { return out };
        index[dim] += 1;
        index[dim + 1..].fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transposes_bytes() {
        let data: Vec<u8> = (0..6).collect();
        assert_eq!(transpose_bytes(&data, &[2, 3], &[1, 0], 1), [0, 3, 1, 4, 2, 5]);
        assert_eq!(transpose_bytes(&data, &[1, 2, 3], &[2, 0, 1], 1), [0, 3, 1, 4, 2, 5]);
        assert_eq!(transpose_bytes(&data, &[3], &[0], 2), data);
        assert_eq!(transpose_bytes(&[7, 8], &[], &[], 2), [7, 8]);
    }
}
