//! Operators that change nothing leave, and what stands twice in a row becomes one.

mod redundant_reshape;
mod redundant_transpose;
mod unnecessary_add;
mod unnecessary_cast;
mod unnecessary_reshape;
mod unnecessary_slice;
mod unnecessary_split;
mod unnecessary_strided_slice;
mod unnecessary_transpose;

use circle_ir::lineage::ledger::Reason;
use circle_ir::patch::{Patch, PatchBuilder};
use circle_ir::{OpId, ValueId, View};

pub(crate) use redundant_reshape::RemoveRedundantReshape;
pub(crate) use redundant_transpose::{RemoveRedundantTranspose, merge_transposes};
pub(crate) use unnecessary_add::RemoveUnnecessaryAdd;
pub(crate) use unnecessary_cast::RemoveUnnecessaryCast;
pub(crate) use unnecessary_reshape::RemoveUnnecessaryReshape;
pub(crate) use unnecessary_slice::RemoveUnnecessarySlice;
pub(crate) use unnecessary_split::RemoveUnnecessarySplit;
pub(crate) use unnecessary_strided_slice::RemoveUnnecessaryStridedSlice;
pub(crate) use unnecessary_transpose::RemoveUnnecessaryTranspose;

/// The change of `rule` that lets the readers of the one output of `at` read `input` instead, which holds the same
/// numbers in the same form. Nothing where a caller of the graph would miss a name.
fn bypass(view: &View<'_>, rule: &'static str, at: OpId, input: ValueId) -> Option<Patch> {
    let &[output] = view.op(at)?.outputs() else { return None };
    if !view.can_forward(output, input) {
        return None;
    }
    let mut patch = PatchBuilder::new(view, rule);
    patch.retire(at, Reason::Identity);
    patch.forward(output, input);
    Some(patch.finish())
}

/// Whether both tensors are there, of known size and of one shape.
fn same_static_shape(view: &View<'_>, a: ValueId, b: ValueId) -> bool {
    match (view.value(a), view.value(b)) {
        (Some(a), Some(b)) => a.is_static() && b.is_static() && a.shape() == b.shape(),
        _ => false,
    }
}
