//! A reference evaluation of small models in `f64`, written from the operators' definitions and for clearness alone.
//! It knows the operators that examples and tests of passes use, and says so of one that it does not know.

use std::collections::BTreeMap;

use circle_ir::{Bytes, ElementType, Model, Operator, SubgraphId, ValueId, View};

mod kernels;
mod shape;

/// Elements of a tensor in row-major order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tensor {
    /// Extents, outermost first.
    pub(crate) shape: Vec<usize>,
    /// Elements, whatever their type in the model.
    pub(crate) data: Vec<f64>,
}

/// What went wrong, in words.
pub(crate) type Result<T> = std::result::Result<T, String>;

/// Evaluates subgraph 0 of both models on the same inputs.
///
/// # Errors
/// When an output's name, shape or numbers differ: floats by more than 1e-5 of the output's peak, others at all; or
/// when a model cannot be evaluated.
pub(crate) fn compare(before: &Model, after: &Model, seed: u64) -> Result<()> {
    let (a, b) = (outputs(before, seed)?, outputs(after, seed)?);
    if a.len() != b.len() {
        return Err(format!("{} outputs became {}", a.len(), b.len()));
    }
    for ((name, float, a), (other, _, b)) in a.iter().zip(&b) {
        if (name, &a.shape) != (other, &b.shape) {
            return Err(format!("output {name:?} {:?} became {other:?} {:?}", a.shape, b.shape));
        }
        let peak = a.data.iter().filter(|x| x.is_finite()).fold(0.0f64, |peak, x| peak.max(x.abs()));
        let bound = if *float { 1e-5 * peak } else { 0.0 };
        for (i, (x, y)) in a.data.iter().zip(&b.data).enumerate() {
            let same = x == y || (x.is_nan() && y.is_nan()) || (x - y).abs() <= bound;
            if !same {
                return Err(format!("output {name:?}, element {i}: {x} became {y}"));
            }
        }
    }
    Ok(())
}

/// Name, whether float, and content of each output of subgraph 0.
fn outputs(model: &Model, seed: u64) -> Result<Vec<(String, bool, Tensor)>> {
    let none: &[u8] = &[];
    let known = evaluate(model, &none, seed)?;
    let output = |&v: &ValueId| {
        let value = known.view.value(v).ok_or("an output is missing")?;
        Ok((value.name().to_owned(), value.ty().is_float(), known.get(v)?))
    };
    known.view.subgraph().outputs().iter().map(output).collect()
}

/// The inputs and every tensor that an operator of subgraph 0 computes, whose constants lie in `bytes`.
#[allow(dead_code, reason = "not all tests look inside")]
pub(crate) fn tensors(model: &Model, bytes: &dyn Bytes, seed: u64) -> Result<BTreeMap<ValueId, Tensor>> {
    Ok(evaluate(model, bytes, seed)?.tensors)
}

fn evaluate<'m>(model: &'m Model, bytes: &'m dyn Bytes, seed: u64) -> Result<Known<'m>> {
    let view = View::new(model, SubgraphId::from_number(0), bytes).ok_or("no subgraph")?;
    let mut known = Known { view, tensors: BTreeMap::new() };
    for (i, &v) in view.subgraph().inputs().iter().enumerate() {
        let value = view.value(v).ok_or("an input is missing")?;
        let shape: Vec<usize> = value.shape().iter().map(|&d| d as usize).collect();
        let (seed, float) = (seed * 1000 + i as u64, value.ty().is_float());
        let data = (0..shape.iter().product::<usize>()).map(|n| number(seed, n as u64, float)).collect();
        known.tensors.insert(v, Tensor { shape, data });
    }
    for op in view.subgraph().order().iter() {
        let op = view.op(op).ok_or("an operator is missing")?;
        let results = kernels::run(op, &known)?;
        for (&v, result) in op.outputs().iter().zip(results) {
            let declared: Vec<usize> =
                view.value(v).map(|v| v.shape().iter().map(|&d| d as usize).collect()).unwrap_or_default();
            if result.shape != declared {
                return Err(format!("{} makes {:?}, declared {declared:?}", op.code().name(), result.shape));
            }
            known.tensors.insert(v, result);
        }
    }
    Ok(known)
}

/// Number `index` of the input with this seed: of both signs, or for seeds below 1000 positive only (for roots);
/// whole for integers.
fn number(seed: u64, index: u64, float: bool) -> f64 {
    // Mixes the bits of both (multiply and fold), enough to look irregular.
    let mixed = (seed << 32 ^ index ^ 0x5bd1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let fraction = ((mixed ^ (mixed >> 31)) % 10_007) as f64 / 10_007.0;
    let number = if seed < 1000 { 0.1 + 4.0 * fraction } else { 8.0 * fraction - 4.0 };
    if float { number } else { number.round() }
}

/// What has been computed so far.
struct Known<'m> {
    view: View<'m>,
    tensors: BTreeMap<ValueId, Tensor>,
}

impl Known<'_> {
    fn get(&self, v: ValueId) -> Result<Tensor> {
        if let Some(tensor) = self.tensors.get(&v) {
            return Ok(tensor.clone());
        }
        let value = self.view.value(v).ok_or_else(|| format!("{v} does not exist"))?;
        let bytes = self.view.constant(v).ok_or_else(|| format!("{v} is neither computed nor constant"))?;
        let data = match value.ty() {
            ElementType::FLOAT32 => numbers(bytes, |b| f64::from(f32::from_le_bytes(b))),
            ElementType::INT32 => numbers(bytes, |b| f64::from(i32::from_le_bytes(b))),
            ElementType::INT64 => numbers(bytes, |b| i64::from_le_bytes(b) as f64),
            ElementType::INT16 => numbers(bytes, |b| f64::from(i16::from_le_bytes(b))),
            ElementType::INT8 => numbers(bytes, |b| f64::from(i8::from_le_bytes(b))),
            ElementType::UINT8 | ElementType::BOOL => numbers(bytes, |b: [u8; 1]| f64::from(b[0])),
            ty => return Err(format!("{v}: constants of {ty} are not evaluated")),
        };
        Ok(Tensor { shape: value.shape().iter().map(|&d| d as usize).collect(), data })
    }
    fn input(&self, op: &Operator, slot: usize) -> Result<Tensor> {
        self.get(op.input(slot).ok_or_else(|| format!("{} lacks input {slot}", op.code().name()))?)
    }
    fn indices(&self, op: &Operator, slot: usize) -> Result<Vec<i64>> {
        Ok(self.input(op, slot)?.data.iter().map(|&x| x as i64).collect())
    }
    /// The declared shape of output `port`.
    fn declared(&self, op: &Operator, port: usize) -> Result<Vec<usize>> {
        let value = op.outputs().get(port).and_then(|&v| self.view.value(v));
        let value = value.ok_or_else(|| format!("{} lacks output {port}", op.code().name()))?;
        Ok(value.shape().iter().map(|&d| d as usize).collect())
    }
}

fn numbers<const N: usize>(bytes: &[u8], one: impl Fn([u8; N]) -> f64) -> Vec<f64> {
    bytes.chunks_exact(N).map(|chunk| one(std::array::from_fn(|i| chunk[i]))).collect()
}
