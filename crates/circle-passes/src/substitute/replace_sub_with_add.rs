//! SUB of a constant becomes ADD of the negated constant, which other passes know better.
//!
//! When not: the subtrahend is not constant; anything is quantised, packed or neither `f32` nor `i32` nor `i64`; an
//! integer has no negative (the smallest one); the activation is none that ADD knows; or others read the constant and
//! it is large (see [`SHARED_LIMIT`](crate::matcher::channels::SHARED_LIMIT)). IEEE defines `x - c` as `x + (-c)`, so
//! floats stay the same to the bit.
//!
//! Lineage: ADD replaces SUB. The new constant holds the negation, which was SUB's work.

use circle_ir::patch::{Patch, PatchBuilder};
use circle_ir::{ElementType, OpId, OpSpec, ValueId, View};
use circle_tables::opcode;

use crate::matcher::channels::{changed, may_change};
use crate::matcher::{Activation, activation, can_fuse_activation};
use crate::rule::{Change, PassInfo, Rule};

const INFO: PassInfo = PassInfo {
    name: "replace_sub_with_add",
    summary: "SUB of a constant into ADD of its negative",
    change: Change::Replace,
    lineage: "ADD replaces SUB",
    before: r#"
subgraph sg0 "" (%0) -> (%2)
  %0: f32[2,2] "x"
  %1: f32[2] "mean" = [0.5, -1.5]
  %2: f32[2,2] "y"
  op0 SUB {fused_activation_function=RELU} (%0, %1) -> %2
"#,
    after: r#"
subgraph sg0 "" (%0) -> (%2)
  %0: f32[2,2] "x"
  %2: f32[2,2] "y"
  %3: f32[2] "mean;negated" = [-0.5, 1.5]  ; @0 folded-const
  op1 ADD {fused_activation_function=RELU} (%0, %3) -> %2  ; @0 replaced by replace_sub_with_add
"#,
};

/// See the module.
pub(crate) struct ReplaceSubWithAdd;

impl Rule for ReplaceSubWithAdd {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn anchors(&self) -> &'static [i32] {
        &[opcode::SUB]
    }
    fn rewrite(&self, at: OpId, view: &View<'_>) -> Option<Patch> {
        let sub = view.op(at)?;
        let (x, constant) = (sub.input(0)?, sub.input(1)?);
        let &[output] = sub.outputs() else { return None };
        let ty = view.value(constant)?.ty();
        let plain = [x, constant, output].into_iter().all(|v| {
            view.value(v).is_some_and(|v| {
                v.ty() == ty && v.quantization().is_none() && !v.is_packed() && !v.is_variable()
            })
        });
        let act = activation(sub)?;
        let known = act == Activation::None || can_fuse_activation(opcode::ADD, act);
        if !plain || !known || view.is_constant(x) || !may_change(view, constant) {
            return None;
        }
        let bytes = negated(view, constant)?;
        let mut patch = PatchBuilder::new(view, INFO.name);
        let spec = changed(view.value(constant)?, "negated");
        let negative = patch.constant(spec, bytes, &[constant], &[at]);
        let add = OpSpec::builtin(opcode::ADD, &[x, negative], &[output]);
        let add =
            if act == Activation::None { add } else { add.with("fused_activation_function", act.code()) };
        // ADD took up i64 in version 4.
        patch.replace(at, if ty == ElementType::INT64 { add.version(4) } else { add });
        Some(patch.finish())
    }
}

/// The bytes of the constant with each element negated.
fn negated(view: &View<'_>, constant: ValueId) -> Option<Vec<u8>> {
    match view.value(constant)?.ty() {
        ElementType::FLOAT32 => {
            Some(view.floats(constant)?.into_iter().flat_map(|x| (-x).to_le_bytes()).collect())
        }
        ElementType::INT32 => {
            let one = |x| i32::try_from(x).ok()?.checked_neg().map(i32::to_le_bytes);
            Some(view.ints(constant)?.into_iter().map(one).collect::<Option<Vec<_>>>()?.concat())
        }
        ElementType::INT64 => {
            let one = |x: i64| x.checked_neg().map(i64::to_le_bytes);
            Some(view.ints(constant)?.into_iter().map(one).collect::<Option<Vec<_>>>()?.concat())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{changed, fires, refuses, refuses_each};

    #[test]
    fn negates_integers_that_can_be() {
        let int = |ty: &str, c: &str| {
            let constant = format!("{ty}[2] \"mean\" = {c}");
            let text = changed(INFO.before, &[("f32[2] \"mean\" = [0.5, -1.5]", &constant)]);
            text.replace("f32", ty)
        };
        assert!(fires(&ReplaceSubWithAdd, &int("i32", "[2147483647, -5]")).contains("= [-2147483647, 5]"));
        assert!(fires(&ReplaceSubWithAdd, &int("i64", "[7, -5]")).contains("ADD v4 "));
        refuses(&ReplaceSubWithAdd, &int("i32", "[-2147483648, 1]"));
        refuses(&ReplaceSubWithAdd, &int("i64", "[-9223372036854775808, 1]"));
        refuses(&ReplaceSubWithAdd, &int("i16", "[3, 1]"));
    }

    #[test]
    fn goes_on_with_open_dimensions() {
        fires(&ReplaceSubWithAdd, &changed(INFO.before, &[("f32[2,2]", "f32[?,2]")]));
    }

    #[test]
    fn leaves_the_rest_alone() {
        refuses_each(
            &ReplaceSubWithAdd,
            INFO.before,
            &[
                &[("(%0, %1)", "(%1, %0)")],
                &[("(%0)", "(%0, %1)"), ("\"mean\" = [0.5, -1.5]", "\"mean\"")],
                &[("RELU", "TANH")],
                &[("\"x\"", "\"x\" {quantization={scale=[0.5], zero_point=[0]}}")],
                &[("(%0)", "()"), ("\"x\"", "\"x\" = [1.0]")],
            ],
        );
        // Others read a large constant.
        let large = |n: usize| {
            let shape = format!("f32[2,{n}]");
            let constant = format!("f32[{n}] \"mean\" = [0.5]");
            let shared = [
                ("f32[2] \"mean\" = [0.5, -1.5]", constant.as_str()),
                ("-> (%2)", "-> (%2, %3)"),
                ("  op0", "  %3: f32[2,2] \"z\"\n  op0"),
                ("-> %2\n", "-> %2\n  op1 MUL (%0, %1) -> %3\n"),
                ("f32[2,2]", &shape),
            ];
            changed(INFO.before, &shared)
        };
        fires(&ReplaceSubWithAdd, &large(1 << 14));
        refuses(&ReplaceSubWithAdd, &large((1 << 14) + 1));
    }
}
