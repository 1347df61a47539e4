//! Whether the kind of operator that a runtime names can be the one that a model holds.
//!
//! A join by index must not hang a measurement on another operator, so the kinds are compared. LiteRT
//! names builtin operators as the schema does. onert has names of its own, some of which cover a whole family:
//! all comparisons are `Comparison`.

/// How a runtime's word for an operator fits a circle operator code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// It is the word for that operator.
    Same,
    /// It is the word for a family to which that operator belongs.
    Family,
    /// It is the word for something else, or for nothing that is known.
    Different,
}

/// Words of onert for one operator code that are not the code without underscores.
const NAMES: &[(&str, &[&str])] = &[
    ("AvgPool2D", &["AVERAGE_POOL_2D"]),
    ("Concat", &["CONCATENATION"]),
    ("L2Pool2D", &["L2_POOL_2D"]),
    ("LocalResponseNormalization", &["LOCAL_RESPONSE_NORMALIZATION"]),
    ("Pad", &["PAD", "PADV2"]),
    ("ReduceAll", &["REDUCE_ALL"]),
    ("ReduceAny", &["REDUCE_ANY"]),
    ("ReduceMean", &["MEAN"]),
    ("ReduceSum", &["SUM"]),
    ("ReLU1", &["RELU_N1_TO_1"]),
    ("Reverse", &["REVERSE_V2"]),
    ("Select", &["SELECT", "SELECT_V2"]),
    ("LSTM", &["LSTM", "UNIDIRECTIONAL_SEQUENCE_LSTM"]),
    ("Reshape", &["RESHAPE"]),
];

/// Words of onert for families of operators.
const FAMILIES: &[(&str, &[&str])] = &[
    ("ArgMinMax", &["ARG_MAX", "ARG_MIN"]),
    ("BinaryArithmetic", &["ADD", "SUB", "MUL", "DIV"]),
    ("Comparison", &["EQUAL", "NOT_EQUAL", "LESS", "LESS_EQUAL", "GREATER", "GREATER_EQUAL"]),
    ("ElementwiseActivation", &["ELU", "LEAKY_RELU", "LOGISTIC", "RELU", "RELU6", "RELU_N1_TO_1", "TANH"]),
    ("ElementwiseBinary", &["FLOOR_DIV", "FLOOR_MOD", "LOGICAL_AND", "LOGICAL_OR", "MAXIMUM", "MINIMUM"]),
    (
        "ElementwiseUnary",
        &[
            "ABS",
            "CAST",
            "COS",
            "DEQUANTIZE",
            "EXP",
            "FLOOR",
            "LOG",
            "LOGICAL_NOT",
            "NEG",
            "QUANTIZE",
            "ROUND",
            "RSQRT",
            "SIN",
            "SQRT",
            "SQUARE",
            "ZEROS_LIKE",
        ],
    ),
    // onert calls the clamped forms by the plain one's name.
    ("ReLU", &["RELU6", "RELU_N1_TO_1"]),
    ("Pool2D", &["AVERAGE_POOL_2D", "L2_POOL_2D", "MAX_POOL_2D"]),
    ("Reduce", &["MEAN", "REDUCE_ALL", "REDUCE_ANY", "REDUCE_MAX", "REDUCE_MIN", "REDUCE_PROD", "SUM"]),
    // These come as custom operators in circle.
    ("Einsum", &["CUSTOM"]),
    ("FusedBatchNorm", &["CUSTOM"]),
    ("MatrixBandPart", &["CUSTOM"]),
    ("StatelessRandomUniform", &["CUSTOM"]),
];

/// Compares the kind in a profile row with an operator code of the schema, such as `CONV_2D`.
///
/// ```
/// use circle_metadata::profile::kinds::{Fit, compare};
/// assert_eq!(compare("Conv2D", "CONV_2D"), Fit::Same);
/// assert_eq!(compare("Comparison", "LESS"), Fit::Family);
/// assert_eq!(compare("Conv2D", "DEPTHWISE_CONV_2D"), Fit::Different);
/// ```
pub fn compare(kind: &str, opcode: &str) -> Fit {
    let listed =
        |list: &[(&str, &[&str])]| list.iter().any(|(name, codes)| *name == kind && codes.contains(&opcode));
    if same_letters(kind, opcode) || listed(NAMES) {
        Fit::Same
    } else if listed(FAMILIES) {
        Fit::Family
    } else {
        Fit::Different
    }
}

/// Whether two words agree but for case and underscores.
fn same_letters(a: &str, b: &str) -> bool {
    let letters = |word: &str| -> Vec<u8> {
        word.bytes().filter(|&byte| byte != b'_').map(|byte| byte.to_ascii_uppercase()).collect()
    };
    letters(a) == letters(b)
}

/// Whether operators of that kind run other subgraphs, so that their time contains that of others.
pub fn runs_subgraphs(kind: &str) -> bool {
    ["WHILE", "IF", "CALL", "CALL_ONCE"].iter().any(|caller| same_letters(kind, caller))
}

/// Whether an operator of that kind may have been put in by the runtime, and so have no place in the file.
pub fn inserted_by_runtime(kind: &str) -> bool {
    ["Permute", "ConvertFp16ToFp32", "ConvertFp32ToFp16", "Bulk"].contains(&kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every pair of words that onert's traces and the models they were made of have shown together.
    #[test]
    fn pairs_seen_in_real_traces() {
        for (kind, opcode) in [
            ("Add", "ADD"),
            ("BatchMatMul", "BATCH_MATMUL"),
            ("BroadcastTo", "BROADCAST_TO"),
            ("Concat", "CONCATENATION"),
            ("Conv2D", "CONV_2D"),
            ("DepthwiseConv2D", "DEPTHWISE_CONV_2D"),
            ("Div", "DIV"),
            ("FullyConnected", "FULLY_CONNECTED"),
            ("GELU", "GELU"),
            ("Logistic", "LOGISTIC"),
            ("MaxPool2D", "MAX_POOL_2D"),
            ("Mul", "MUL"),
            ("Neg", "NEG"),
            ("Pad", "PADV2"),
            ("RSqrt", "RSQRT"),
            ("ReduceMean", "MEAN"),
            ("Reshape", "RESHAPE"),
            ("Softmax", "SOFTMAX"),
            ("StridedSlice", "STRIDED_SLICE"),
            ("Sub", "SUB"),
            ("Transpose", "TRANSPOSE"),
            ("While", "WHILE"),
            ("MAX_POOL_2D", "MAX_POOL_2D"),
        ] {
            assert_eq!(compare(kind, opcode), Fit::Same, "{kind} {opcode}");
        }
        assert_eq!(compare("ReLU", "RELU6"), Fit::Family);
        assert_eq!(compare("Comparison", "LESS"), Fit::Family);
    }

    #[test]
    fn others_do_not_fit() {
        for (kind, opcode) in [
            ("Add", "ADD_N"),
            ("Conv2D", "CONV_3D"),
            ("Permute", "TRANSPOSE"),
            ("", "ADD"),
            ("Reduce", "ADD"),
        ] {
            assert_eq!(compare(kind, opcode), Fit::Different, "{kind} {opcode}");
        }
    }

    #[test]
    fn callers() {
        assert!(runs_subgraphs("While") && runs_subgraphs("CALL_ONCE"));
        assert!(!runs_subgraphs("Mul") && !runs_subgraphs(""));
        assert!(inserted_by_runtime("Permute") && !inserted_by_runtime("Transpose"));
    }
}
