//! Questions about shapes, axes and pure movement of elements.

use circle_ir::patch::PatchBuilder;
use circle_ir::{ElementType, OpId, OpSpec, Value, ValueId, ValueSpec, View};
use circle_tables::opcode;

/// The extents of `value` with -1 in open places; `None` if the signature does not fit the shape.
pub fn extents(value: &Value) -> Option<Vec<i64>> {
    let (shape, signature) = (value.shape(), value.record().ints("shape_signature"));
    match signature.len() {
        0 => Some(shape.to_vec()),
        n if n == shape.len() => {
            Some(shape.iter().zip(signature).map(|(&d, &s)| if s < 0 { -1 } else { d }).collect())
        }
        _ => None,
    }
}

/// The axes that a reduction reads from constant `axes`, counted from the front, ascending, each once. `None` if
/// there are none, or one lies outside a tensor of `rank` dimensions.
pub fn axes(view: &View<'_>, axes: ValueId, rank: usize) -> Option<Vec<usize>> {
    let rank = i64::try_from(rank).ok()?;
    let mut found: Vec<usize> = view
        .ints(axes)?
        .into_iter()
        .map(|a| usize::try_from(if a < 0 { a.checked_add(rank)? } else { a }).ok().filter(|_| a < rank))
        .collect::<Option<_>>()?;
    found.sort_unstable();
    found.dedup();
    (!found.is_empty()).then_some(found)
}

/// Whether a tensor like `to` can hold the elements of `from` in another arrangement bit by bit: same type, of a
/// fixed width, equal quantization that does not depend on the place, both plain and without state.
pub fn holds_same_elements(from: &Value, to: &Value) -> bool {
    let by_place =
        |v: &Value| v.quantization().is_some_and(|q| q.f32s("scale").len() > 1 || q.get("details").is_some());
    from.ty() == to.ty()
        && from.ty().bytes().is_some()
        && from.quantization() == to.quantization()
        && !by_place(from)
        && [from, to].into_iter().all(|v| !v.is_packed() && !v.is_variable())
}

/// Elements of a static shape as an `i32` constant holds them; `None` if one is not positive or too large.
pub fn extents_as_i32(shape: &[i64]) -> Option<Vec<u8>> {
    let one = |&d: &i64| i32::try_from(d).ok().filter(|&d| d > 0).map(i32::to_le_bytes);
    Some(shape.iter().map(one).collect::<Option<Vec<_>>>()?.concat())
}

/// The RESHAPE by which `output` holds the elements of `input`, with its shape as a new constant of `patch` that
/// comes from the parameters of `op`, which the RESHAPE stands for. `None` if shapes are open, empty or of different
/// sizes, `output` is a scalar, or the elements would change; see [`holds_same_elements`].
pub fn reshape(
    view: &View<'_>,
    patch: &mut PatchBuilder<'_>,
    input: ValueId,
    output: ValueId,
    op: OpId,
) -> Option<OpSpec> {
    let (from, to) = (view.value(input)?, view.value(output)?);
    let fits = from.is_static()
        && to.is_static()
        && from.elements() == to.elements()
        && !to.shape().is_empty()
        && holds_same_elements(from, to);
    if !fits {
        return None;
    }
    let bytes = extents_as_i32(to.shape())?;
    let rank = i64::try_from(to.shape().len()).ok()?;
    let name = format!("{};shape", to.name());
    let parameters: Vec<ValueId> = view.op(op)?.inputs().iter().skip(1).flatten().copied().collect();
    let shape = ValueSpec::new(&name, ElementType::INT32, &[rank]);
    let shape = patch.constant(shape, bytes, &parameters, &[op]);
    let mut spec = OpSpec::builtin(opcode::RESHAPE, &[input, shape], &[output]);
    spec.options.as_mut()?.set("new_shape", to.shape().to_vec()).ok()?;
    Some(spec)
}
