//! That every kind of operator computes the same on the other side of a transpose, and what is refused.

use super::INFO;
use crate::testing::{after, fires_but_not, same_after};

/// ABS, then a transpose to channels first, then `operator`, which reads `%3` and computes `%4`.
fn model(shape: &str, tensors: &str, operator: &str) -> String {
    format!(
        r#"
subgraph sg0 "" (%0) -> (%4)
  %0: f32[1,4,5,6] "x"
  %1: f32[1,4,5,6] "abs"
  %2: i32[4] "perm" = [0, 3, 1, 2]
  %3: f32[1,6,4,5] "t"
  %4: f32[{shape}] "y"
{tensors}
  op0 ABS (%0) -> %1
  op1 TRANSPOSE (%1, %2) -> %3
  op2 {operator} -> %4
"#
    )
}

/// The model after the pass. The operator must read the tensor before the transpose.
#[track_caller]
fn moved(shape: &str, tensors: &str, operator: &str) -> String {
    let text = same_after(INFO.name, &model(shape, tensors, operator));
    let code = operator.split([' ', '{']).next().unwrap();
    let line = text.lines().find(|line| line.contains(&format!(" {code} "))).unwrap();
    assert!(line.contains("%1") && !line.contains("%3"), "{text}");
    text
}

#[track_caller]
fn stays(shape: &str, tensors: &str, operator: &str) {
    let text = after(INFO.name, &model(shape, tensors, operator));
    assert_eq!(text, None);
}

#[test]
fn unary_operators() {
    let text = moved("1,6,4,5", "", "LOGISTIC (%3)");
    assert!(text.contains("TRANSPOSE (%5, %2) -> %4  ; @1 replaced"), "{text}");
    moved("1,6,4,5", "", "HARD_SWISH (%3)");
}

#[test]
fn constants_of_any_rank() {
    let six = "[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]";
    moved("1,6,4,5", &format!("  %5: f32[6,1,1] \"c\" = {six}"), "MUL (%3, %5)");
    moved("1,6,4,5", &format!("  %5: f32[1,6,1,1] \"c\" = {six}"), "SUB (%5, %3)");
    moved("1,6,4,5", "  %5: f32[4,5] \"c\" = [2.5]", "DIV (%3, %5)");
    moved("1,6,4,5", "  %5: f32[5] \"c\" = [1.0, 2.0, 3.0, 4.0, 5.0]", "MAXIMUM (%3, %5)");
    // One element is the same on both sides.
    let text = moved("1,6,4,5", "  %5: f32[] \"c\" = [3.0]", "ADD (%3, %5)");
    assert!(!text.contains("c;transposed"), "{text}");
    let text = moved("1,6,4,5", "  %5: f32[1,1] \"c\" = [3.0]", "ADD (%3, %5)");
    assert!(!text.contains("c;transposed"), "{text}");
    stays("2,1,6,4,5", "  %5: f32[2,1,1,1,1] \"c\" = [3.0, 4.0]", "ADD (%3, %5)");
}

#[test]
fn padding() {
    let pads = "  %5: i32[4,2] \"pads\" = [0, 0, 1, 2, 3, 0, 0, 1]";
    let text = moved("1,9,7,6", pads, "PAD (%3, %5)");
    assert!(text.contains("\"pads;moved\" = [0, 0, 3, 0, 0, 1, 1, 2]"), "{text}");
    moved("1,9,7,6", &format!("{pads}\n  %6: f32[] \"fill\" = [7.0]"), "PADV2 (%3, %5, %6)");
    stays("1,9,7,6", "  %5: i32[4,2] \"pads\"", "PAD (%3, %5)");
}

#[test]
fn slices() {
    let begin = "  %5: i32[4] \"begin\" = [0, 2, 1, 3]\n  %6: i32[4] \"size\" = [1, 3, 3, 2]";
    let text = moved("1,3,3,2", begin, "SLICE (%3, %5, %6)");
    assert!(text.contains("\"begin;moved\" = [0, 1, 3, 2]"), "{text}");
    let strided = "  %5: i32[4] \"begin\" = [0, 1, 9, 2]\n  %6: i32[4] \"end\" = [1, 6, 9, 5]\n  %7: i32[4] \"s\" = [1, 2, 1, 1]";
    let text = moved("1,3,4,3", strided, "STRIDED_SLICE {begin_mask=4, end_mask=4} (%3, %5, %6, %7)");
    assert!(text.contains("{begin_mask=2, end_mask=2}"), "{text}");
    stays("3,4,3", strided, "STRIDED_SLICE {shrink_axis_mask=1} (%3, %5, %6, %7)");
}

#[test]
fn reductions_that_keep_dimensions() {
    let axes = "  %5: i32[2] \"axes\" = [-1, 2]";
    let text = moved("1,6,1,1", axes, "MEAN {keep_dims=true} (%3, %5)");
    assert!(text.contains("\"axes;moved\" = [2, 1]"), "{text}");
    moved("1,6,1,1", axes, "REDUCE_MAX {keep_dims=true} (%3, %5)");
    stays("1,6", axes, "MEAN (%3, %5)");
}

#[test]
fn softmax_along_a_dimension_that_stays() {
    stays("1,6,4,5", "", "SOFTMAX {beta=1.0} (%3)");
    let text = model("1,5,4,6", "", "SOFTMAX {beta=1.0} (%3)").replace("[0, 3, 1, 2]", "[0, 2, 1, 3]");
    same_after(INFO.name, &text.replace("f32[1,6,4,5]", "f32[1,5,4,6]"));
}

#[test]
fn reshapes() {
    let text = moved("1,2,3,4,5", "", "RESHAPE {new_shape=[1, 2, 3, 4, 5]} (%3)");
    assert!(text.contains("RESHAPE {new_shape=[1, 4, 5, 2, 3]}"), "{text}");
    moved("6,20", "  %5: i32[2] \"shape\" = [6, 20]", "RESHAPE (%3, %5)");
    stays("24,5", "  %5: i32[2] \"shape\" = [24, 5]", "RESHAPE (%3, %5)");
    stays("6,20", "  %5: i32[2] \"shape\"", "RESHAPE (%3, %5)");
}

#[test]
fn a_transpose_that_only_moves_ones_is_absorbed_by_a_reshape() {
    let text = r#"
subgraph sg0 "" (%0) -> (%3)
  %0: f32[1,1,1,6] "x"
  %1: i32[4] "perm" = [0, 3, 1, 2]
  %2: f32[1,6,1,1] "t"
  %3: f32[1,6] "y"
  op0 TRANSPOSE (%0, %1) -> %2
  op1 RESHAPE (%2) -> %3
"#;
    let text = same_after(INFO.name, text);
    assert!(text.contains("RESHAPE {new_shape=[1, 6]} (%0) -> %3  ; @0 absorbed + @1 primary"), "{text}");
}

#[test]
fn equal_transposes_join() {
    let text = r#"
subgraph sg0 "" (%0, %1) -> (%7)
  %0: f32[1,4,5,2] "a"
  %1: f32[1,4,5,3] "b"
  %2: i32[4] "perm" = [0, 3, 1, 2]
  %3: f32[1,2,4,5] "ta"
  %4: f32[1,3,4,5] "tb"
  %5: f32[1,1,4,5] "c" = [2.0]
  %6: f32[1,6,4,5] "all"
  %7: f32[1,6,4,5] "y"
  op0 TRANSPOSE (%0, %2) -> %3
  op1 TRANSPOSE (%1, %2) -> %4
  op2 CONCATENATION {axis=-3} (%3, %5, %4) -> %6
  op3 NEG (%6) -> %7
"#;
    let after = same_after(INFO.name, text);
    assert!(after.contains("CONCATENATION {axis=3} (%0, "), "{after}");
    assert!(after.contains("-> %7  ; @0 replaced + @1 absorbed"), "{after}");
    assert_eq!(after.matches(" TRANSPOSE ").count(), 1, "{after}");
    fires_but_not(
        INFO.name,
        text,
        &[(
            "the transposes differ",
            "op1 TRANSPOSE (%1, %2)",
            "%8: i32[4] \"q\" = [0, 3, 2, 1]\n  op1 TRANSPOSE (%1, %8)",
        )],
    );
}

#[test]
fn a_transpose_read_twice_comes_together_again() {
    let text = r#"
subgraph sg0 "" (%0) -> (%4)
  %0: f32[1,4,5,2] "x"
  %5: f32[1,4,5,2] "abs"
  %1: i32[4] "perm" = [0, 3, 1, 2]
  %2: f32[1,2,4,5] "t"
  %3: f32[1,2,4,5] "gate"
  %4: f32[1,2,4,5] "y"
  op0 ABS (%0) -> %5
  op1 TRANSPOSE (%5, %1) -> %2
  op2 LOGISTIC (%2) -> %3
  op3 MUL (%2, %3) -> %4
"#;
    let after = same_after(INFO.name, text);
    assert_eq!(after.matches(" TRANSPOSE ").count(), 1, "{after}");
    assert!(after.contains("MUL (%5, "), "{after}");
    assert!(after.contains("-> %4  ; @1 cloned"), "{after}");
}

#[test]
fn a_transpose_stays_if_more_would_be_needed() {
    let text = |outputs: &str, last: &str| {
        format!(
            r#"
subgraph sg0 "" (%0) -> ({outputs})
  %0: f32[1,4,5,2] "x"
  %5: f32[1,4,5,2] "abs"
  %1: i32[4] "perm" = [0, 3, 1, 2]
  %2: f32[1,2,4,5] "t"
  %3: f32[1,2,4,5] "gate"
  %4: f32[1,2,4,5] "y"
  op0 ABS (%0) -> %5
  op1 TRANSPOSE (%5, %1) -> %2
  op2 LOGISTIC (%2) -> %3
  op3 {last} -> %4
"#
        )
    };
    assert!(after(INFO.name, &text("%4", "MUL (%2, %3)")).is_some());
    assert_eq!(after(INFO.name, &text("%4, %2", "MUL (%2, %3)")), None);
    assert_eq!(after(INFO.name, &text("%4", "CUSTOM:Own (%2, %3)")), None);
}

#[test]
fn channels_are_shuffled_in_either_layout() {
    let text = r#"
subgraph sg0 "" (%0) -> (%11, %13)
  %0: f32[1,4,5,6] "x"
  %1: i32[4] "to nchw" = [0, 3, 1, 2]
  %2: f32[1,6,4,5] "t"
  %3: f32[1,2,3,4,5] "groups"
  %4: i32[5] "swap" = [0, 2, 1, 3, 4]
  %5: f32[1,3,2,4,5] "swapped"
  %6: f32[1,6,4,5] "shuffled"
  %7: i32[2] "sizes" = [2, 4]
  %8: i32[] "axis" = [1]
  %9: f32[1,2,4,5] "p"
  %10: f32[1,4,4,5] "q"
  %12: i32[4] "to nhwc" = [0, 2, 3, 1]
  %11: f32[1,4,5,2] "y"
  %13: f32[1,4,5,4] "z"
  op0 TRANSPOSE (%0, %1) -> %2
  op1 RESHAPE {new_shape=[1, 2, 3, 4, 5]} (%2) -> %3
  op2 TRANSPOSE (%3, %4) -> %5
  op3 RESHAPE {new_shape=[1, 6, 4, 5]} (%5) -> %6
  op4 SPLIT_V {num_splits=2} (%6, %7, %8) -> %9, %10
  op5 TRANSPOSE (%9, %12) -> %11
  op6 TRANSPOSE (%10, %12) -> %13
"#;
    let after = same_after(INFO.name, text);
    assert_eq!(after.matches(" TRANSPOSE ").count(), 1, "{after}");
    assert!(after.contains("= [0, 1, 2, 4, 3]") && after.contains("; @2 replaced by forward"), "{after}");
}

#[test]
fn a_split_moves_only_if_its_parts_need_fewer() {
    let text = |second: &str| {
        format!(
            r#"
subgraph sg0 "" (%0) -> (%5, %6)
  %0: f32[1,4,5,6] "x"
  %9: f32[1,4,5,6] "abs"
  %1: i32[4] "to nchw" = [0, 3, 1, 2]
  %2: f32[1,6,4,5] "t"
  %3: f32[1,3,4,5] "p"
  %4: f32[1,3,4,5] "q"
  %7: i32[] "axis" = [1]
  %8: i32[4] "to nhwc" = [0, 2, 3, 1]
  %5: f32[1,4,5,3] "y"
  {second} -> %6
  op0 ABS (%0) -> %9
  op1 TRANSPOSE (%9, %1) -> %2
  op2 SPLIT {{num_splits=2}} (%7, %2) -> %3, %4
  op3 TRANSPOSE (%3, %8) -> %5
"#
        )
    };
    let line = |shape: &str, op: &str| {
        let text = text("SECOND").replace("  SECOND -> %6\n", &format!("  %6: f32[{shape}] \"z\"\n"));
        text + &format!("  op4 {op} -> %6\n")
    };
    let after = same_after(INFO.name, &line("1,3,4,5", "NEG (%4)"));
    assert_eq!(after.matches(" TRANSPOSE ").count(), 1, "{after}");
    let both = line("1,3,4,5", "NEG (%4)").replace("op3 TRANSPOSE (%3, %8) -> %5", "op3 EXP (%3) -> %5");
    let both = both.replace("%5: f32[1,4,5,3]", "%5: f32[1,3,4,5]");
    assert_eq!(crate::testing::after(INFO.name, &both), None);
}

#[test]
fn quantised_tensors_move_as_a_whole_and_are_not_reduced() {
    let quantised = |text: String, how: &str| {
        ["x", "abs", "t", "y"].iter().fold(text.replace("f32[", "i8["), |text, name| {
            text.replace(&format!("\"{name}\""), &format!("\"{name}\" {{quantization={{{how}}}}}"))
        })
    };
    let one = "scale=[0.5], zero_point=[1]";
    assert!(after(INFO.name, &quantised(model("1,6,4,5", "", "RELU (%3)"), one)).is_some());
    let channels = "scale=[0.5, 0.5, 0.5, 0.5, 0.5, 0.5], zero_point=[1, 1, 1, 1, 1, 1]";
    assert!(after(INFO.name, &quantised(model("1,6,4,5", "", "RELU (%3)"), channels)).is_none());
    let axes = "  %5: i32[2] \"axes\" = [2, 3]";
    let mean = model("1,6,1,1", axes, "MEAN {keep_dims=true} (%3, %5)");
    assert!(after(INFO.name, &quantised(mean, one)).is_none());
}

#[test]
fn open_dimensions_stay_open_where_nothing_depends_on_them() {
    let open = |text: String| text.replace("f32[1,", "f32[?,");
    let text = after(INFO.name, &open(model("1,6,4,5", "", "RELU (%3)"))).unwrap();
    assert!(text.contains("f32[?,4,5,6] \"y;transposed\""), "{text}");
    let constant = "  %5: f32[6,1,1] \"c\" = [1.5]";
    assert!(after(INFO.name, &open(model("1,6,4,5", constant, "MUL (%3, %5)"))).is_some());
    assert!(after(INFO.name, &open(model("1,6,20", "", "RESHAPE (%3)"))).is_none());
}

#[test]
fn operators_with_a_meaning_of_their_own_stay() {
    for operator in ["CUSTOM:Own (%3)", "CUMSUM (%3)", "UNKNOWN(213) (%3)", "LOGISTIC (%3, %3)"] {
        stays("1,6,4,5", "", operator);
    }
}
