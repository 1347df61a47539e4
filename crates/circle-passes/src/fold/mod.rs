//! Operators on constants become constants.

mod add_v2;
mod broadcast;
mod cast;
mod dequantize;
mod half;
mod mul;
mod reshape;
mod squeeze;
mod transpose;

use circle_ir::lineage::ledger::Reason;
use circle_ir::patch::{Patch, PatchBuilder};
use circle_ir::{OpId, Value, ValueId, ValueSpec, View};

pub(crate) use add_v2::FoldAddV2;
pub(crate) use cast::FoldCast;
pub(crate) use dequantize::FoldDequantize;
pub(crate) use mul::FoldMul;
pub(crate) use reshape::FoldReshape;
pub(crate) use squeeze::FoldSqueeze;
pub(crate) use transpose::FoldTranspose;

/// No constant of more bytes than these is made.
const MAX_BYTES: u64 = 64 << 20;
/// A constant may be this many times as large as those it is made of, or [`FREE_BYTES`], so that a chain of small
/// constants cannot blow a file up.
const MAX_GROWTH: u64 = 8;
/// Up to this many bytes growth does not matter.
const FREE_BYTES: u64 = 4096;

/// The one output of `at`, if a constant made of `from` can take its place: of known size, within the budget, and not
/// known by name outside the graph, where a constant would not be found.
fn foldable<'m>(view: &View<'m>, at: OpId, from: &[ValueId]) -> Option<&'m Value> {
    let &[output] = view.op(at)?.outputs() else { return None };
    let value = view.value(output)?;
    let bytes = value.elements()?.checked_mul(value.ty().bytes()?)?;
    let read = from.iter().try_fold(0u64, |sum, &v| sum.checked_add(view.constant(v)?.len() as u64))?;
    let budget = read.saturating_mul(MAX_GROWTH).clamp(FREE_BYTES, MAX_BYTES);
    let plain = value.is_static() && !value.is_packed() && !value.is_variable() && value.pins() == 0;
    (plain && bytes <= budget).then_some(value)
}

/// The change of `rule` that puts a constant with `data`, made of `from`, in the place of operator `at` and its output.
fn fold(view: &View<'_>, rule: &'static str, at: OpId, data: Vec<u8>, from: &[ValueId]) -> Option<Patch> {
    let value = foldable(view, at, from)?;
    if data.len() as u64 != value.elements()?.checked_mul(value.ty().bytes()?)? {
        return None;
    }
    let mut patch = PatchBuilder::new(view, rule);
    let constant = patch.constant(ValueSpec::like(value, value.name()), data, from, &[at]);
    patch.retire(at, Reason::Folded);
    patch.forward(*view.op(at)?.outputs().first()?, constant);
    Some(patch.finish())
}

/// The change of `rule` at an operator that gives the bytes of its first input another shape.
fn fold_reshaped(view: &View<'_>, rule: &'static str, at: OpId) -> Option<Patch> {
    let input = view.op(at)?.input(0)?;
    let output = foldable(view, at, &[input])?;
    let same_type = view.value(input)?.ty() == output.ty();
    same_type.then(|| fold(view, rule, at, view.constant(input)?.to_vec(), &[input])).flatten()
}
