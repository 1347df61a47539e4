//! Each rule of the lifetimes on a model that is made for it.

use circle_liveness::{Options, Platform, lifetimes};

use crate::common::{model, parse, shown, subgraph};

const DEFAULT: Options = Options {
    inputs: true,
    constants: false,
    variables: true,
    platform: None,
    inplace: false,
    rings: None,
    apart: false,
    stated: false,
};

#[test]
fn a_tensor_lives_from_its_operator_to_its_last_reader() {
    let model = model(
        "(%0) -> (%4)",
        &["f32[1]", "f32[2]", "f32[3]", "f32[4]", "f32[5]"],
        "op0 ABS (%0) -> %1\nop1 ABS (%1) -> %2\nop2 ABS (%2) -> %3\nop3 ADD (%3, %1) -> %4",
    );
    assert_eq!(
        shown(&model, &DEFAULT),
        ["0:%0 4 0..1", "0:%1 8 0..4", "0:%2 12 1..3", "0:%3 16 2..4", "0:%4 20 3..4 stays"]
    );
}

#[test]
fn what_nobody_reads_lives_while_it_is_computed() {
    let model = model(
        "(%0) -> (%2)",
        &["f32[1]", "f32[1]", "f32[1]", "f32[9]"],
        "op0 ABS (%0) -> %1\nop1 ABS (%1) -> %2",
    );
    // %3 is referred to by nothing.
    assert_eq!(shown(&model, &DEFAULT), ["0:%0 4 0..1", "0:%1 4 0..2", "0:%2 4 1..2 stays"]);
    let split = common_split();
    assert_eq!(
        shown(&split, &DEFAULT),
        ["0:%0 16 0..1", "0:%2 8 0..1", "0:%3 8 0..3", "0:%4 8 1..3", "0:%5 8 2..3 stays"]
    );
}

/// One output of `SPLIT` is read by nobody, the other late.
fn common_split() -> circle_ir::Model {
    model(
        "(%0) -> (%5)",
        &["f32[4]", "i32[] = [0]", "f32[2]", "f32[2]", "f32[2]", "f32[2]"],
        "op0 SPLIT {num_splits=2} (%1, %0) -> %2, %3\nop1 ABS (%3) -> %4\nop2 ADD (%3, %4) -> %5",
    )
}

#[test]
fn outputs_live_to_the_end_wherever_they_are_computed() {
    let model =
        model("(%0) -> (%1, %0)", &["f32[1]", "f32[1]", "f32[1]"], "op0 ABS (%0) -> %1\nop1 ABS (%1) -> %2");
    assert_eq!(shown(&model, &DEFAULT), ["0:%0 4 0..2 stays", "0:%1 4 0..2 stays", "0:%2 4 1..2"]);
}

#[test]
fn inputs_and_constants_are_planned_as_chosen() {
    let model = model("(%0) -> (%2)", &["f32[2]", "f32[2] = [1, 2]", "f32[2]"], "op0 ADD (%0, %1) -> %2");
    assert_eq!(shown(&model, &Options { inputs: false, ..DEFAULT }), ["0:%2 8 0..1 stays"]);
    assert_eq!(
        shown(&model, &Options { constants: true, ..DEFAULT }),
        ["0:%0 8 0..1", "0:%1 8 0..1 stays", "0:%2 8 0..1 stays"]
    );
}

#[test]
fn variables_live_always_or_elsewhere() {
    let model = model(
        "(%0) -> (%3)",
        &["f32[1]", "f32[1]", "f32[3] {is_variable=true}", "f32[1]"],
        "op0 ABS (%0) -> %1\nop1 ADD (%1, %2) -> %3",
    );
    assert_eq!(shown(&model, &DEFAULT)[2], "0:%2 12 0..2 stays");
    let elsewhere = shown(&model, &Options { variables: false, ..DEFAULT });
    assert_eq!(elsewhere, ["0:%0 4 0..1", "0:%1 4 0..2", "0:%3 4 1..2 stays"]);
}

#[test]
fn a_model_without_operators_has_one_tick() {
    let model = model("(%0) -> (%0)", &["f32[2]"], "");
    assert_eq!(shown(&model, &DEFAULT), ["0:%0 8 0..1 stays"]);
}

#[test]
fn a_loop_keeps_what_it_reads_and_computes_while_its_bodies_run() {
    let text = subgraph(
        0,
        "(%0) -> (%4)",
        &["f32[1]", "f32[2]", "f32[1]", "f32[1]", "f32[1]"],
        "op0 ABS (%0) -> %1\nop1 ABS (%0) -> %2\nop2 WHILE {cond_subgraph_index=1, body_subgraph_index=2} (%2) -> %3\n\
         op3 ADD (%3, %1) -> %4",
    ) + &subgraph(1, "(%0) -> (%1)", &["f32[1]", "bool[1]"], "op0 LESS (%0, %0) -> %1")
        + &subgraph(
            2,
            "(%0) -> (%2)",
            &["f32[1]", "f32[7]", "f32[1]"],
            "op0 ABS (%0) -> %1\nop1 ABS (%1) -> %2",
        );
    assert_eq!(
        shown(&parse(&text), &DEFAULT),
        [
            "0:%0 4 0..2",
            "0:%1 8 0..7",       // alive across the call
            "0:%2 4 1..6",       // read by the loop
            "0:%3 4 2..7",       // carried by the loop
            "0:%4 4 6..7 stays", // behind it
            "1:%0 4 3..4",
            "1:%1 1 3..4",
            "2:%0 4 4..5",
            "2:%1 28 4..6",
            "2:%2 4 5..6",
        ]
    );
}

#[test]
fn a_body_that_is_called_twice_has_one_place() {
    let call = "{then_subgraph_index=1, else_subgraph_index=1}";
    let text = subgraph(
        0,
        "(%0) -> (%2)",
        &["f32[1]", "f32[1]", "f32[1]"],
        &format!("op0 IF {call} (%0) -> %1\nop1 IF {call} (%1) -> %2"),
    ) + &subgraph(1, "(%0) -> (%1)", &["f32[1]", "f32[1]"], "op0 ABS (%0) -> %1");
    assert_eq!(
        shown(&parse(&text), &DEFAULT),
        ["0:%0 4 0..3", "0:%1 4 0..6", "0:%2 4 3..6 stays", "1:%0 4 1..6", "1:%1 4 1..6"]
    );
}

#[test]
fn tensors_of_unknown_size_are_refused_by_name_where_they_need_memory() {
    let open = model("(%0) -> (%1)", &["f32[1,?]", "f32[1,?]"], "op0 ABS (%0) -> %1");
    let error = lifetimes(&open, &DEFAULT).unwrap_err();
    assert_eq!(
        error.to_string(),
        "subgraph 0 \"s0\" tensor 0 \"t0\": dimension 1 is open, its size is not known\n  \
         subgraph 0 \"s0\" tensor 1 \"t1\": dimension 1 is open, its size is not known"
    );
    let error = lifetimes(&open, &Options { inputs: false, ..DEFAULT }).unwrap_err();
    assert!(error.to_string().starts_with("subgraph 0 \"s0\" tensor 1"), "{error}");
    assert_eq!(shown(&open, &Options { stated: true, ..DEFAULT }), ["0:%0 4 0..1", "0:%1 4 0..1 stays"]);
    let text = model("(%0) -> (%1)", &["string[1]", "f32[1]"], "op0 ABS (%0) -> %1");
    assert_eq!(
        lifetimes(&text, &DEFAULT).unwrap_err().to_string(),
        "subgraph 0 \"s0\" tensor 0 \"t0\": elements of type string have no fixed size"
    );
    assert_eq!(shown(&text, &Options { inputs: false, ..DEFAULT }), ["0:%1 4 0..1 stays"]);
    let unused = model("(%0) -> (%1)", &["f32[1]", "f32[1]", "f32[?]"], "op0 ABS (%0) -> %1");
    assert_eq!(shown(&unused, &DEFAULT).len(), 2);
}

#[test]
fn many_tensors_of_unknown_size_are_counted() {
    let inputs: Vec<String> = (0..30).map(|v| format!("%{v}")).collect();
    let model = model(&format!("({}) -> ()", inputs.join(", ")), &["f32[?]"; 30], "");
    let error = lifetimes(&model, &DEFAULT).unwrap_err().to_string();
    assert!(error.ends_with("and 10 more"), "{error}");
}

fn inplace(model: &circle_ir::Model) -> Vec<String> {
    shown(model, &Options { inplace: true, ..DEFAULT })
}

#[test]
fn a_view_takes_the_place_of_what_it_shows() {
    let text =
        "op0 ABS (%0) -> %1\nop1 RESHAPE (%1) -> %2\nop2 SQUEEZE (%2) -> %3\nop3 CONCATENATION (%3) -> %4";
    let tensors = ["f32[4]", "f32[4]", "f32[1,4]", "f32[4]", "f32[4]"];
    assert_eq!(
        inplace(&model("(%0) -> (%4)", &tensors, text)),
        ["0:%0 16 0..1", "0:%1 16 0..2 = 0:%2 16 1..3 = 0:%3 16 2..4", "0:%4 16 3..4 stays"]
    );
    // %2 is an output, which %3 may not take from it; but it may take the place of %1.
    assert_eq!(
        inplace(&model("(%0) -> (%2)", &tensors, text)),
        ["0:%0 16 0..1", "0:%1 16 0..2 = 0:%2 16 1..4 stays", "0:%3 16 2..4", "0:%4 16 3..4"]
    );
}

#[test]
fn an_elementwise_operator_writes_over_what_dies() {
    let tensors = ["f32[4]", "f32[4]", "f32[4]", "f32[4]"];
    let ops = "op0 ABS (%0) -> %1\nop1 NEG (%1) -> %2\nop2 MUL (%2, %1) -> %3";
    // %1 is read again by op2, which then writes over %2, its first operand.
    assert_eq!(
        inplace(&model("(%0) -> (%3)", &tensors, ops)),
        ["0:%0 16 0..1", "0:%1 16 0..3", "0:%2 16 1..3 = 0:%3 16 2..3 stays"]
    );
}

#[test]
fn what_must_stay_is_not_written_over() {
    let constant =
        model("(%0) -> (%2)", &["f32[4]", "f32[4] = [1, 2, 3, 4]", "f32[4]"], "op0 ADD (%1, %0) -> %2");
    let options = Options { inplace: true, constants: true, ..DEFAULT };
    assert!(shown(&constant, &options).iter().all(|line| !line.contains('=')));
    let variable =
        model("(%0) -> (%2)", &["f32[4]", "f32[4] {is_variable=true}", "f32[4]"], "op0 ADD (%1, %0) -> %2");
    assert!(inplace(&variable).iter().all(|line| !line.contains('=')));
}

#[test]
fn operands_of_another_size_or_width_stay() {
    // %1 is stretched over %3; %2 is as large and dies.
    let stretched = model(
        "(%0) -> (%3)",
        &["f32[1,4]", "f32[1,4]", "f32[2,4]", "f32[2,4]"],
        "op0 ABS (%0) -> %1\nop1 CONCATENATION (%0, %0) -> %2\nop2 ADD (%1, %2) -> %3",
    );
    assert_eq!(inplace(&stretched), ["0:%0 16 0..2", "0:%1 16 0..3", "0:%2 32 1..3 = 0:%3 32 2..3 stays"]);
    let cast = |to: &str| {
        let tensors = ["f32[4]", "f32[4]", to];
        inplace(&model("(%0) -> (%2)", &tensors, "op0 ABS (%0) -> %1\nop1 CAST (%1) -> %2"))
    };
    assert_eq!(cast("i32[4]")[1], "0:%1 16 0..2 = 0:%2 16 1..2 stays");
    assert_eq!(cast("i64[4]")[1], "0:%1 16 0..2");
    // As many bytes at other places.
    assert_eq!(cast("i64[2]")[1], "0:%1 16 0..2");
}

/// An output that is smaller than the operands make it: no kernel computes that, and none writes over an operand.
#[test]
fn nothing_is_written_over_where_operands_do_not_fit_the_output() {
    for (operator, other, may) in [
        ("ADD (%1, %2)", "f32[4]", true),
        ("ADD (%2, %1)", "f32[]", true),
        ("ADD (%1, %2)", "f32[2,4]", false),
        ("ADD (%2, %1)", "f32[1,4]", false),
        ("SUB (%1, %2)", "f32[3]", false),
        ("PRELU (%1, %2)", "f32[1]", true),
        ("PRELU (%1, %2)", "f32[2]", false),
    ] {
        let text = format!("op0 ABS (%0) -> %1\nop1 {operator} -> %3");
        let lines = inplace(&model("(%0, %2) -> (%3)", &["f32[4]", "f32[4]", other, "f32[4]"], &text));
        assert_eq!(lines.iter().any(|line| line.contains('=')), may, "{operator} {other}: {lines:?}");
    }
}

#[test]
fn constants_of_one_buffer_share_a_place() {
    let tensors = ["f32[2]", "f32[2] = [1, 2]", "f32[2] = [3, 4]", "f32[2]", "f32[2]"];
    let model = model("(%0) -> (%4)", &tensors, "op0 ADD (%0, %1) -> %3\nop1 ADD (%3, %2) -> %4");
    // The text form gives each constant a buffer of its own.
    let lines = shown(&model, &Options { constants: true, ..DEFAULT });
    assert_eq!(lines.iter().filter(|line| line.contains("stays")).count(), 3);
}

fn scratch(platform: Platform, tensors: &[&str], operator: &str) -> Vec<String> {
    let model = model("(%0) -> (%2)", tensors, operator);
    let options = Options { platform: Some(platform), ..DEFAULT };
    shown(&model, &options).into_iter().filter(|line| line.contains(":op")).collect()
}

const DSP: Platform = Platform::CmsisNn { dsp: true };
const NO_DSP: Platform = Platform::CmsisNn { dsp: false };

#[test]
fn convolutions_take_scratch_memory_by_platform() {
    let conv = "op0 CONV_2D {stride_w=1, stride_h=1} (%0, %1) -> %2";
    let floats = ["f32[1,8,8,3]", "f32[4,3,3,3] = [1]", "f32[1,6,6,4]"];
    assert_eq!(scratch(Platform::Linux, &floats, conv), ["0:op0.0 3888 0..1"]);
    assert_eq!(scratch(Platform::Mcu, &floats, conv), [""; 0]);
    assert_eq!(scratch(DSP, &floats, conv), [""; 0]);
    let point = ["i8[1,8,8,4]", "i8[4,1,1,4] = [1]", "i8[1,8,8,4]"];
    assert_eq!(scratch(Platform::Linux, &point, conv), [""; 0]);
    assert_eq!(scratch(DSP, &point, conv), [""; 0]);
    let bytes = ["i8[1,8,8,4]", "i8[4,3,3,4] = [1]", "i8[1,8,8,4]"];
    assert_eq!(scratch(DSP, &bytes, conv), ["0:op0.0 144 0..1"]);
    assert_eq!(scratch(NO_DSP, &bytes, conv), [""; 0]);
    assert_eq!(scratch(Platform::Linux, &bytes, conv), ["0:op0.0 2304 0..1"]);
}

#[test]
fn other_operators_take_scratch_memory_by_platform() {
    let depthwise = "op0 DEPTHWISE_CONV_2D (%0, %1) -> %2";
    let tensors = ["i8[1,8,8,4]", "i8[1,3,3,4] = [1]", "i8[1,8,8,4]"];
    assert_eq!(scratch(DSP, &tensors, depthwise), ["0:op0.0 72 0..1"]);
    assert_eq!(scratch(Platform::Linux, &tensors, depthwise), [""; 0]);
    let pool = "op0 AVERAGE_POOL_2D (%0) -> %2";
    assert_eq!(scratch(DSP, &tensors, pool), ["0:op0.0 16 0..1"]);
    assert_eq!(scratch(NO_DSP, &tensors, pool), [""; 0]);
    let product = "op0 BATCH_MATMUL (%0, %1) -> %2";
    let tensors = ["f32[2,3]", "f32[3,5] = [1]", "f32[2,5]"];
    assert_eq!(scratch(Platform::Mcu, &tensors, product), ["0:op0.0 24 0..1", "0:op0.1 60 0..1"]);
    let svdf = "op0 SVDF {rank=2} (%0, %1) -> %2";
    let tensors = ["i8[1,6]", "i8[8,6] = [1]", "i8[1,4]"];
    assert_eq!(scratch(Platform::Mcu, &tensors, svdf), ["0:op0.0 32 0..1", "0:op0.1 16 0..1"]);
    let floats = ["f32[1,6]", "f32[8,6] = [1]", "f32[1,4]"];
    assert_eq!(scratch(Platform::Mcu, &floats, svdf), ["0:op0.0 32 0..1"]);
}

#[test]
fn scratch_memory_that_is_not_known_is_refused() {
    let model = model("(%0) -> (%2)", &["f32[1,6]", "i8[8,6] = [1]", "f32[1,4]"], "op0 SVDF (%0, %1) -> %2");
    let error = lifetimes(&model, &Options { platform: Some(Platform::Linux), ..DEFAULT }).unwrap_err();
    assert_eq!(
        error.to_string(),
        "subgraph 0 \"s0\" operator 0 \"SVDF t2\": its scratch memory is not known: SVDF of floats with weights of 8 bits"
    );
}
