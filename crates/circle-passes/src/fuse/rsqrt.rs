//! One divided by SQRT becomes RSQRT.
//!
//! When not: the root is read elsewhere or is a graph output; the dividend is not a constant of ones; the division has
//! an activation or changes the shape; anything is quantised or not `f32`.
//!
//! Lineage: SQRT stays primary, DIV is absorbed.

use circle_ir::patch::{Patch, PatchBuilder};
use circle_ir::{OpId, OpSpec, View};
use circle_tables::opcode;

use crate::matcher::channels::is_plain_float;
use crate::matcher::{Activation, activation};
use crate::rule::{Change, PassInfo, Rule};

const INFO: PassInfo = PassInfo {
    name: "fuse_rsqrt",
    summary: "1 / SQRT into RSQRT",
    change: Change::Fuse,
    lineage: "SQRT primary, DIV absorbed",
    before: r#"
subgraph sg0 "" (%0) -> (%3)
  %0: f32[1,4] "x"
  %1: f32[1,4] "root"
  %2: f32[] "one" = [1.0]
  %3: f32[1,4] "y"
  op0 SQRT (%0) -> %1
  op1 DIV (%2, %1) -> %3
"#,
    after: r#"
subgraph sg0 "" (%0) -> (%3)
  %0: f32[1,4] "x"
  %3: f32[1,4] "y"
  op2 RSQRT (%0) -> %3  ; @0 primary + @1 absorbed by fuse_rsqrt
ledger
  @%1 + @%2 dead by dead_code
"#,
};

/// See the module.
pub(crate) struct FuseRsqrt;

impl Rule for FuseRsqrt {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn anchors(&self) -> &'static [i32] {
        &[opcode::DIV]
    }
    fn rewrite(&self, at: OpId, view: &View<'_>) -> Option<Patch> {
        let div = view.op(at)?;
        let (one, root) = (div.input(0)?, div.input(1)?);
        let &[output] = div.outputs() else { return None };
        let (main, sqrt) = view.def_is(root, opcode::SQRT)?;
        let input = sqrt.input(0)?;
        let fits = [input, root, output].into_iter().all(|v| is_plain_float(view, v))
            && view.value(input)?.is_like(view.value(output)?)
            && view.only_user(root) == Some(at)
            && activation(div) == Some(Activation::None)
            && view.floats(one)?.iter().all(|&x| x == 1.0);
        if !fits {
            return None;
        }
        let mut patch = PatchBuilder::new(view, INFO.name);
        patch.fuse(main, &[at], OpSpec::builtin(opcode::RSQRT, &[input], &[output]));
        Some(patch.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{changed, fires, refuses_each};

    #[test]
    fn takes_ones_of_any_shape_that_changes_none() {
        fires(&FuseRsqrt, &changed(INFO.before, &[("f32[] \"one\"", "f32[1,4] \"one\"")]));
        let open = [("f32[1,4] \"x\"", "f32[?,4] \"x\""), ("f32[1,4] \"root\"", "f32[?,4] \"root\"")];
        let open = changed(INFO.before, &[open[0], open[1], ("f32[1,4] \"y\"", "f32[?,4] \"y\"")]);
        fires(&FuseRsqrt, &open);
    }

    #[test]
    fn leaves_the_rest_alone() {
        refuses_each(
            &FuseRsqrt,
            INFO.before,
            &[
                &[("-> (%3)", "-> (%3, %1)")],
                &[("-> %3\n", "-> %3\n  op2 ABS (%1) -> %4\n"), ("  op0", "  %4: f32[1,4] \"z\"\n  op0")],
                &[("[1.0]", "[1.5]")],
                &[("f32[] \"one\" = [1.0]", "f32[4] \"one\" = [1.0, 1.0, 1.0, 2.0]")],
                &[("(%0)", "(%0, %2)"), ("\"one\" = [1.0]", "\"one\"")],
                &[("(%2, %1)", "(%1, %2)")],
                &[("DIV (", "DIV {fused_activation_function=RELU} (")],
                &[("f32[] \"one\"", "f32[3,1] \"one\""), ("f32[1,4] \"y\"", "f32[3,4] \"y\"")],
                &[("\"root\"", "\"root\" {quantization={scale=[0.5], zero_point=[0]}}")],
            ],
        );
    }
}
