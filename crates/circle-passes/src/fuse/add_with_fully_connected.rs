//! A sum per output channel after FULLY_CONNECTED goes into its bias, its activation to the operator.
//!
//! When not: the operator has an activation, its result is read elsewhere or is a graph output; the constant is not one
//! number or one for each output channel; anything is quantised, packed or not `f32`, or the weights are shuffled; the kernel knows no such
//! activation; or a limit of [`crate::matcher::channels`] is passed.
//!
//! Lineage: the operator stays primary, ADD is absorbed. The new bias holds its work.

use circle_ir::patch::Patch;
use circle_ir::{OpId, View};
use circle_tables::opcode;

use crate::matcher::channels::{Kernel, Step, absorb};
use crate::rule::{Change, PassInfo, Rule};

const INFO: PassInfo = PassInfo {
    name: "fuse_add_with_fully_connected",
    summary: "ADD per channel into the bias of FULLY_CONNECTED",
    change: Change::Fuse,
    lineage: "FULLY_CONNECTED primary, ADD absorbed",
    before: r#"
subgraph sg0 "" (%0) -> (%5)
  %0: f32[3,2] "x"
  %1: f32[2,2] "w" = [1.0, 2.0, 3.0, 4.0]
  %2: f32[2] "b" = [0.5, -0.5]
  %3: f32[3,2] "fc"
  %4: f32[2] "shift" = [10.0, 0.25]
  %5: f32[3,2] "y"
  op0 FULLY_CONNECTED (%0, %1, %2) -> %3
  op1 ADD {fused_activation_function=RELU} (%3, %4) -> %5
"#,
    after: r#"
subgraph sg0 "" (%0) -> (%5)
  %0: f32[3,2] "x"
  %1: f32[2,2] "w" = [1.0, 2.0, 3.0, 4.0]
  %5: f32[3,2] "y"
  %6: f32[2] "b;shifted" = [10.5, -0.25]  ; @1 folded-const
  op2 FULLY_CONNECTED {fused_activation_function=RELU} (%0, %1, %6) -> %5  ; @0 primary + @1 absorbed by fuse_add_with_fully_connected
ledger
  @%3 dead by dead_code
"#,
};

/// See the module.
pub(crate) struct FuseAddWithFullyConnected;

impl Rule for FuseAddWithFullyConnected {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn anchors(&self) -> &'static [i32] {
        &[opcode::ADD]
    }
    fn rewrite(&self, at: OpId, view: &View<'_>) -> Option<Patch> {
        let add = Step::at(view, at, opcode::ADD)?;
        let kernel = Kernel::before(view, add.input(), opcode::FULLY_CONNECTED)?;
        absorb(view, INFO.name, &kernel, None, Some(&add))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{changed, fires, refuses_each};

    #[test]
    fn numbers_are_those_of_the_formula() {
        let text = fires(&FuseAddWithFullyConnected, INFO.before);
        assert!(text.contains("\"b;shifted\" = [10.5, -0.25]"), "{text}");
        // Weights are as they were, also where they are computed.
        assert!(text.contains("(%0, %1, "), "{text}");
        let computed = [("(%0)", "(%0, %1)"), ("\"w\" = [1.0, 2.0, 3.0, 4.0]", "\"w\"")];
        fires(&FuseAddWithFullyConnected, &changed(INFO.before, &computed));
    }

    #[test]
    fn takes_one_number_and_a_missing_bias() {
        fires(
            &FuseAddWithFullyConnected,
            &changed(INFO.before, &[("f32[2] \"shift\" = [10.0, 0.25]", "f32[] \"shift\" = [3.0]")]),
        );
        let text =
            fires(&FuseAddWithFullyConnected, &changed(INFO.before, &[("(%0, %1, %2)", "(%0, %1, _)")]));
        assert!(text.contains("\"w;bias\" = [10.0, 0.25]  ; @1 folded-const\n"), "{text}");
    }

    #[test]
    fn leaves_the_rest_alone() {
        let quantised = "{quantization={scale=[0.5], zero_point=[0]}}";
        refuses_each(
            &FuseAddWithFullyConnected,
            INFO.before,
            &[
                &[("-> (%5)", "-> (%5, %3)")],
                &[
                    ("-> (%5)", "-> (%5, %6)"),
                    ("  op0", "  %6: f32[3,2] \"other\"\n  op0"),
                    ("-> %5\n", "-> %5\n  op2 ABS (%3) -> %6\n"),
                ],
                &[("FULLY_CONNECTED (", "FULLY_CONNECTED {fused_activation_function=RELU} (")],
                &[("ADD {fused_activation_function=RELU}", "ADD {fused_activation_function=TANH}")],
                &[("(%0)", "(%0, %4)"), ("\"shift\" = [10.0, 0.25]", "\"shift\"")],
                &[("f32[2] \"shift\" = [10.0, 0.25]", "f32[3,2] \"shift\" = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]")],
                &[("FULLY_CONNECTED (", "FULLY_CONNECTED {weights_format=SHUFFLED4x16INT8} (")],
                &[("\"shift\" = [10.0, 0.25]", "\"shift\" = [nan, 1.0]")],
                &[("(%0)", "(%0, %2)"), ("\"b\" = [0.5, -0.5]", "\"b\"")],
                &[("\"fc\"", &format!("\"fc\" {quantised}"))],
                &[("\"shift\"", &format!("\"shift\" {quantised}"))],
                &[("(%3, %4)", "(%3, %3)")],
            ],
        );
    }
}
