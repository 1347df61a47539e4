//! TRANSPOSE moves down, towards the graph outputs, past operators that do their work as well on the tensor before
//! it, so that it meets another and vanishes: elementwise operators (constants are permuted along, operands that come
//! out of equal transposes share one), PAD, CONCATENATION, SPLIT, reductions that keep their dimensions, SLICE,
//! SOFTMAX along a dimension that stays, and RESHAPE that does not join what the transpose has brought together.
//!
//! When not: more transposes would stand in the end than before; a constant is packed; a permutation, axis or padding is
//! computed at run time; elements are quantised channel by channel; a quantised reduction.
//!
//! Lineage: operators and transposes are replaced by themselves in their new places. Transposes that become one are
//! fused; one that is needed in several places is cloned. A transpose that vanishes into a reshape is absorbed by it;
//! pairs that undo each other leave as identity. Constants that are moved also come from the permutation.

mod motion;
mod plan;
mod reshape;
#[cfg(test)]
mod tests;

use circle_ir::patch::{Patch, PatchBuilder};
use circle_ir::{ElementType, OpId, OpSpec, Operator, Value, ValueId, ValueSpec, View};
use circle_tables::{Record, opcode};

use self::motion::{Motion, Operand, motion};
use self::plan::{Kind, movable_transpose, plan};
use crate::driver::Context;
use crate::matcher::permutation::{before_transpose, integer_bytes, is_identity, undo};
use crate::matcher::transpose_bytes;
use crate::remove::merge_transposes;
use crate::rule::{Change, ModelPass, PassInfo};

const INFO: PassInfo = PassInfo {
    name: "forward_transpose_op",
    summary: "TRANSPOSE down past operators that work as well without it",
    change: Change::Forward,
    lineage: "operators and transposes replaced by themselves; joined ones fused, doubled ones cloned",
    before: r#"
subgraph sg0 "" (%0, %9) -> (%8)
  %0: f32[1,4,5,2] "x"
  %9: f32[1,4,5,2] "w"
  %1: i32[4] "to nchw" = [0, 3, 1, 2]
  %2: f32[1,2,4,5] "x nchw"
  %3: f32[2,1,1] "factor" = [0.5, 2.0]
  %4: f32[1,2,4,5] "scaled"
  %5: f32[1,2,4,5] "w nchw"
  %6: f32[1,2,4,5] "sum"
  %7: i32[4] "to nhwc" = [0, 2, 3, 1]
  %8: f32[1,4,5,2] "y"
  op0 TRANSPOSE (%0, %1) -> %2
  op1 MUL (%2, %3) -> %4
  op2 TRANSPOSE (%9, %1) -> %5
  op3 ADD {fused_activation_function=RELU} (%4, %5) -> %6
  op4 TRANSPOSE (%6, %7) -> %8
"#,
    after: r#"
subgraph sg0 "" (%0, %9) -> (%8)
  %0: f32[1,4,5,2] "x"
  %8: f32[1,4,5,2] "y"
  %9: f32[1,4,5,2] "w"
  %10: f32[1,1,1,2] "factor;transposed" = [0.5, 2.0]
  %11: f32[1,4,5,2] "scaled;transposed"
  op5 MUL (%0, %10) -> %11  ; @1 replaced by forward_transpose_op
  op7 ADD {fused_activation_function=RELU} (%11, %9) -> %8  ; @3 replaced by forward_transpose_op
ledger
  @4 identity by forward_transpose_op
  @0 + @2 identity by forward_transpose_op
  @%2 + @%5 + @%7 dead by dead_code
"#,
};

/// See the module.
pub(crate) struct ForwardTransposeOp;

impl ModelPass for ForwardTransposeOp {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }

    fn run(&self, context: &mut Context<'_>) {
        for id in context.subgraphs() {
            let steps = context.view(id).map(|view| plan(&view)).unwrap_or_default();
            for (op, kind) in steps {
                let Some(view) = context.view(id) else { break };
                let patch = match kind {
                    Kind::Start => None,
                    Kind::Merge => merge_transposes(&view, INFO.name, op),
                    Kind::Swap => swap(&view, op),
                    Kind::Move => move_up(&view, op),
                };
                if let Some(patch) = patch {
                    context.commit(patch);
                }
            }
        }
    }
}

/// A transpose before the operator that is to move.
struct Before<'m> {
    id: OpId,
    op: &'m Operator,
    source: ValueId,
    perm: Vec<usize>,
    /// Whether nothing but the operator that moves reads it.
    alone: bool,
}

fn transpose_before<'m>(view: &View<'m>, value: ValueId, reader: OpId) -> Option<Before<'m>> {
    let (id, op) = view.def(value)?;
    let perm = movable_transpose(view, op)?;
    let value = view.value(value)?;
    let ends = [value.uses().first(), value.uses().last()];
    let alone = value.pins() == 0 && ends.iter().flatten().all(|u| u.0 == reader);
    Some(Before { id, op, source: op.input(0)?, perm, alone })
}

/// Puts operator `at` before the transposes that its inputs come out of.
fn move_up(view: &View<'_>, at: OpId) -> Option<Patch> {
    let op = view.op(at)?;
    let moved = motion(view, op, &|v| movable_transpose(view, view.def(v)?.1))?;
    let mut transposes: Vec<Before<'_>> = Vec::new();
    let mut patch = PatchBuilder::new(view, INFO.name);
    let mut spec = with_options(op, &moved)?;
    for (slot, _) in moved.operands.iter().enumerate().filter(|(_, operand)| **operand == Operand::Source) {
        let before = transpose_before(view, op.input(slot)?, at)?;
        *spec.inputs.get_mut(slot)? = Some(before.source);
        if transposes.iter().all(|t| t.id != before.id) {
            transposes.push(before);
        }
    }
    let first = transposes.first()?;
    // Moved constants depend on the permutation, too.
    let perms = first.op.input(1)?;
    for (slot, operand) in moved.operands.iter().enumerate() {
        let Some(old) = op.input(slot) else { continue };
        let new = match operand {
            Operand::Same | Operand::Source => continue,
            Operand::Constant(perm) => permuted_constant(view, &mut patch, old, perm, perms)?,
            Operand::Numbers(numbers) => renumbered(view, &mut patch, old, numbers, perms)?,
        };
        *spec.inputs.get_mut(slot)? = Some(new);
    }
    let mut after = Vec::new();
    for (port, (&output, perm)) in op.outputs().iter().zip(&moved.outputs).enumerate() {
        let value = view.value(output)?;
        if is_identity(perm) {
            continue;
        }
        let name = format!("{};transposed", value.name());
        let early = patch.value(before_transpose(value, perm, &name)?, &[output]);
        *spec.outputs.get_mut(port)? = early;
        if value.uses().is_empty() && value.pins() == 0 {
            continue;
        }
        let numbers = if *perm == first.perm {
            first.op.input(1)?
        } else {
            let old = first.op.input(1)?;
            let name = format!("{};moved", view.value(old)?.name());
            permutation_constant(view, &mut patch, &name, perm, &[old])?
        };
        after.push(transpose_like(first.op, value, early, numbers, output));
    }
    let ids =
        |alone: bool| -> Vec<OpId> { transposes.iter().filter(|t| t.alone == alone).map(|t| t.id).collect() };
    let (gone, kept) = (ids(true), ids(false));
    if after.is_empty() {
        // The operator does the work of the transposes, too.
        patch.fuse_beside(at, &gone, &kept, spec);
        return Some(patch.finish());
    }
    patch.replace(at, spec);
    match (gone.as_slice(), after.len()) {
        (&[main, ref others @ ..], 1) => {
            for spec in after {
                if others.is_empty() && kept.is_empty() {
                    patch.replace(main, spec);
                } else {
                    patch.fuse_beside(main, others, &kept, spec);
                }
            }
        }
        (&[main], _) if kept.is_empty() => patch.split(main, after),
        (&[], _) => after.into_iter().for_each(|spec| patch.copy_together(&kept, spec)),
        // Several outputs and several inputs: none of the operators above is of that kind.
        _ => return None,
    }
    Some(patch.finish())
}

/// Lets transpose `at` change places with the transpose before it, which keeps its permutation: what moved
/// dimensions `i` now moves the dimensions that those are before the other.
fn swap(view: &View<'_>, at: OpId) -> Option<Patch> {
    let op = view.op(at)?;
    let own = movable_transpose(view, op)?;
    let before = transpose_before(view, op.input(0)?, at)?;
    let output = *op.outputs().first()?;
    let value = view.value(output)?;
    let through: Option<Vec<usize>> = own.iter().map(|&p| before.perm.get(p).copied()).collect();
    let swapped = undo(&through?, &before.perm)?;
    let mut patch = PatchBuilder::new(view, INFO.name);
    let (old, kept) = (op.input(1)?, before.op.input(1)?);
    let name = format!("{};moved", view.value(old)?.name());
    let numbers = permutation_constant(view, &mut patch, &name, &swapped, &[old, kept])?;
    let name = format!("{};transposed", value.name());
    let early = patch.value(before_transpose(value, &before.perm, &name)?, &[output]);
    let mut spec = op.spec();
    spec.inputs = vec![Some(before.source), Some(numbers)];
    spec.outputs = vec![early];
    patch.replace(at, spec);
    let late = transpose_like(before.op, value, early, kept, output);
    if before.alone {
        patch.replace(before.id, late);
    } else {
        patch.copy_together(&[before.id], late);
    }
    Some(patch.finish())
}

fn with_options(op: &Operator, moved: &Motion) -> Option<OpSpec> {
    let mut spec = op.spec();
    if moved.options.is_empty() {
        return Some(spec);
    }
    let usual = opcode::options(op.code().builtin).map(|options| Record::new(options.table));
    let mut options = spec.options.take().or(usual)?;
    for (field, datum) in &moved.options {
        options.set(field, datum.clone()).ok()?;
    }
    spec.options = Some(options);
    Some(spec)
}

/// The transpose `like` in a new place, from `input` to `output`, whose type may need a later version of it.
fn transpose_like(like: &Operator, value: &Value, input: ValueId, perm: ValueId, output: ValueId) -> OpSpec {
    let mut spec = like.spec();
    spec.inputs = vec![Some(input), Some(perm)];
    spec.outputs = vec![output];
    let least = match value.ty() {
        ElementType::INT8 => 2,
        ElementType::BOOL => 3,
        ElementType::INT16 => 4,
        _ => 1,
    };
    let version = spec.code.version.max(least);
    spec.version(version)
}

fn permutation_constant(
    view: &View<'_>,
    patch: &mut PatchBuilder<'_>,
    name: &str,
    perm: &[usize],
    from: &[ValueId],
) -> Option<ValueId> {
    let like = view.value(*from.first()?)?;
    let numbers: Vec<i64> = perm.iter().map(|&p| p as i64).collect();
    let spec = ValueSpec::like(like, name).shaped(&[numbers.len() as i64]);
    Some(patch.constant(spec, integer_bytes(like.ty(), &numbers)?, from, &[]))
}

/// The constant `old`, seen with as many leading dimensions of one as `perm` asks for, transposed back by `perm`,
/// which is held by the constant `perms`.
fn permuted_constant(
    view: &View<'_>,
    patch: &mut PatchBuilder<'_>,
    old: ValueId,
    perm: &[usize],
    perms: ValueId,
) -> Option<ValueId> {
    let value = view.value(old)?;
    let width = usize::try_from(value.ty().bytes()?).ok()?;
    let mut shape = vec![1; perm.len().checked_sub(value.shape().len())?];
    shape.extend_from_slice(value.shape());
    let sizes: Option<Vec<usize>> = shape.iter().map(|&d| usize::try_from(d).ok()).collect();
    let back = crate::matcher::permutation::inverse(perm)?;
    let data = transpose_bytes(view.constant(old)?, &sizes?, &back, width);
    let name = format!("{};transposed", value.name());
    let spec = ValueSpec::like(value, &name).shaped(&undo(&shape, perm)?);
    Some(patch.constant(spec, data, &[old, perms], &[]))
}

/// The constant of integers `old` with other numbers, which follow from those and the permutation in `perms`. A list for another rank becomes as long as that is.
fn renumbered(
    view: &View<'_>,
    patch: &mut PatchBuilder<'_>,
    old: ValueId,
    numbers: &[i64],
    perms: ValueId,
) -> Option<ValueId> {
    let value = view.value(old)?;
    if view.ints(old)? == numbers {
        return Some(old);
    }
    let mut spec = ValueSpec::like(value, &format!("{};moved", value.name()));
    if value.elements()? != numbers.len() as u64 {
        spec = spec.shaped(&[numbers.len() as i64]);
    }
    Some(patch.constant(spec, integer_bytes(value.ty(), numbers)?, &[old, perms], &[]))
}
