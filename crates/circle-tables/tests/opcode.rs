//! Operator codes.

use circle_tables::opcode::OptionsUnion;
use circle_tables::{CIRCLE, TFLITE, opcode};

#[test]
fn codes_survive_the_two_fields() {
    let fields = [
        (-8, (-8, -8)),
        (-1, (-1, -1)),
        (0, (0, 0)),
        (126, (126, 126)),
        (127, (127, 127)),
        (128, (127, 128)),
        (205, (127, 205)),
        (-129, (127, -129)),
        (i32::MAX, (127, i32::MAX)),
        (i32::MIN, (127, i32::MIN)),
    ];
    for (code, encoded) in fields {
        assert_eq!(opcode::encode(code), encoded, "{code}");
        assert_eq!(opcode::decode(encoded.0, encoded.1), code, "{code}");
    }
    for code in -300..300 {
        let (deprecated, builtin) = opcode::encode(code);
        assert_eq!(opcode::decode(deprecated, builtin), code);
        if code >= 0 {
            assert_eq!(opcode::decode_tflite(deprecated, builtin), code);
        }
    }
}

#[test]
fn files_that_predate_builtin_code_are_understood() {
    // 0.3 and before: only the old byte is written, the other field is absent and so 0.
    assert_eq!(opcode::decode(-4, 0), opcode::BCQ_GATHER);
    assert_eq!(opcode::decode(-2, 0), opcode::INSTANCE_NORM);
    assert_eq!(opcode::decode(126, 0), opcode::BATCH_MATMUL);
    assert_eq!(opcode::decode_tflite(32, 0), opcode::CUSTOM);
    // TFLite's rule on a circle file: the mistake that the two functions are there to avoid.
    assert_eq!(opcode::decode_tflite(-4, 0), opcode::ADD);
    // A negative builtin_code counts even where the old byte holds the escape or nothing.
    assert_eq!(opcode::decode(127, -7), opcode::ROPE);
    assert_eq!(opcode::decode(0, -7), opcode::ROPE);
}

#[test]
fn names_and_codes_belong_together() {
    assert_eq!(opcode::name(opcode::CONV_2D), Some("CONV_2D"));
    assert_eq!(opcode::code("ATTENTION"), Some(-9));
    assert_eq!(opcode::code("REDUCE_WINDOW"), Some(opcode::REDUCE_WINDOW));
    assert_eq!((opcode::name(-1), opcode::name(9999)), (None, None));
    assert_eq!(opcode::code("conv_2d"), None);
}

fn options(code: i32) -> Option<(&'static str, OptionsUnion)> {
    opcode::options(code).map(|options| (options.table.name, options.union))
}

#[test]
fn operators_take_the_options_they_are_known_to_take() {
    use OptionsUnion::{First, Second};
    let expected = [
        (opcode::ADD, Some(("AddOptions", First))),
        (opcode::CONV_2D, Some(("Conv2DOptions", First))),
        (opcode::AVERAGE_POOL_2D, Some(("Pool2DOptions", First))),
        (opcode::MEAN, Some(("ReducerOptions", First))),
        (opcode::REDUCE_ALL, Some(("ReducerOptions", First))),
        (opcode::MINIMUM, Some(("MaximumMinimumOptions", First))),
        (opcode::L2_NORMALIZATION, Some(("L2NormOptions", First))),
        (opcode::CONV_3D_TRANSPOSE, Some(("Conv3DOptions", First))),
        (opcode::UNIDIRECTIONAL_SEQUENCE_RNN, Some(("SequenceRNNOptions", First))),
        (opcode::BATCH_MATMUL, Some(("BatchMatMulOptions", First))),
        (opcode::SQUARED_DIFFERENCE, Some(("SquaredDifferenceOptions", First))),
        (opcode::ATAN2, Some(("ATan2Options", First))),
        (opcode::TOPK_V2, Some(("TopKV2Options", First))),
        (opcode::ROPE, Some(("RoPEOptions", First))),
        (opcode::INSTANCE_NORM, Some(("InstanceNormOptions", First))),
        (opcode::STABLEHLO_COMPOSITE, Some(("StableHLOCompositeOptions", Second))),
        (opcode::DILATE, Some(("DilateOptions", Second))),
        (opcode::REDUCE_WINDOW, Some(("ReduceWindowOptions", Second))),
        (opcode::STABLEHLO_REDUCE_WINDOW, Some(("StablehloReduceWindowOptions", Second))),
        (opcode::RELU, None),
        (opcode::LOGISTIC, None),
        (opcode::CUSTOM, None),
        (opcode::STABLEHLO_ADD, None),
        (opcode::HASHTABLE_LOOKUP, None),
        (7777, None),
    ];
    for (code, table) in expected {
        assert_eq!(options(code), table, "{:?}", opcode::name(code));
    }
}

/// If a table of options belongs to no operator, the list of exceptions lacks one.
#[test]
fn every_member_of_both_unions_belongs_to_an_operator() {
    let codes = CIRCLE.enumeration("BuiltinOperator").map(|def| def.values).unwrap_or_default();
    let taken: Vec<_> = codes.iter().filter_map(|&(_, code)| options(code as i32)).collect();
    for union in [OptionsUnion::First, OptionsUnion::Second] {
        for (_, table) in CIRCLE.union(union.name()).expect("the union").members {
            assert!(taken.contains(&(table.name, union)), "no operator takes {}", table.name);
            assert_eq!(OptionsUnion::of(&CIRCLE, table), Some(union));
        }
    }
    assert_eq!(OptionsUnion::of(&TFLITE, TFLITE.root), None);
}
