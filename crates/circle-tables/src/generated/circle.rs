//! Tables of the circle schema, as `schema/circle.fbs` states them.
//!
//! Written by `schema/regen.sh`. Do not edit.

use crate::schema::DefaultValue::{self, Absent};
use crate::schema::{Element, EnumDef, FieldDef, Kind, Scalar, SchemaDef, TableDef, UnionDef};

/// Enumeration `ActivationFunctionType`.
pub static ACTIVATION_FUNCTION_TYPE: EnumDef = EnumDef {
    name: "ActivationFunctionType", base: Scalar::I8, values: &[
    ("NONE", 0),
    ("RELU", 1),
    ("RELU_N1_TO_1", 2),
    ("RELU6", 3),
    ("TANH", 4),
    ("SIGN_BIT", 5),
] };

/// Enumeration `BuiltinOperator`.
pub static BUILTIN_OPERATOR: EnumDef = EnumDef {
    name: "BuiltinOperator", base: Scalar::I32, values: &[
    ("ATTENTION", -9),
    ("RUN_MODEL", -8),
    ("ROPE", -7),
    ("RMS_NORM", -6),
    ("GRU", -5),
    ("BCQ_GATHER", -4),
    ("BCQ_FULLY_CONNECTED", -3),
    ("INSTANCE_NORM", -2),
    ("ADD", 0),
    ("AVERAGE_POOL_2D", 1),
    ("CONCATENATION", 2),
    ("CONV_2D", 3),
    ("DEPTHWISE_CONV_2D", 4),
    ("DEPTH_TO_SPACE", 5),
    ("DEQUANTIZE", 6),
    ("EMBEDDING_LOOKUP", 7),
    ("FLOOR", 8),
    ("FULLY_CONNECTED", 9),
    ("HASHTABLE_LOOKUP", 10),
    ("L2_NORMALIZATION", 11),
    ("L2_POOL_2D", 12),
    ("LOCAL_RESPONSE_NORMALIZATION", 13),
    ("LOGISTIC", 14),
    ("LSH_PROJECTION", 15),
    ("LSTM", 16),
    ("MAX_POOL_2D", 17),
    ("MUL", 18),
    ("RELU", 19),
    ("RELU_N1_TO_1", 20),
    ("RELU6", 21),
    ("RESHAPE", 22),
    ("RESIZE_BILINEAR", 23),
    ("RNN", 24),
    ("SOFTMAX", 25),
    ("SPACE_TO_DEPTH", 26),
    ("SVDF", 27),
    ("TANH", 28),
    ("CONCAT_EMBEDDINGS", 29),
    ("SKIP_GRAM", 30),
    ("CALL", 31),
    ("CUSTOM", 32),
    ("EMBEDDING_LOOKUP_SPARSE", 33),
    ("PAD", 34),
    ("UNIDIRECTIONAL_SEQUENCE_RNN", 35),
    ("GATHER", 36),
    ("BATCH_TO_SPACE_ND", 37),
    ("SPACE_TO_BATCH_ND", 38),
    ("TRANSPOSE", 39),
    ("MEAN", 40),
    ("SUB", 41),
    ("DIV", 42),
    ("SQUEEZE", 43),
    ("UNIDIRECTIONAL_SEQUENCE_LSTM", 44),
    ("STRIDED_SLICE", 45),
    ("BIDIRECTIONAL_SEQUENCE_RNN", 46),
    ("EXP", 47),
    ("TOPK_V2", 48),
    ("SPLIT", 49),
    ("LOG_SOFTMAX", 50),
    ("DELEGATE", 51),
    ("BIDIRECTIONAL_SEQUENCE_LSTM", 52),
    ("CAST", 53),
    ("PRELU", 54),
    ("MAXIMUM", 55),
    ("ARG_MAX", 56),
    ("MINIMUM", 57),
    ("LESS", 58),
    ("NEG", 59),
    ("PADV2", 60),
    ("GREATER", 61),
    ("GREATER_EQUAL", 62),
    ("LESS_EQUAL", 63),
    ("SELECT", 64),
    ("SLICE", 65),
    ("SIN", 66),
    ("TRANSPOSE_CONV", 67),
    ("SPARSE_TO_DENSE", 68),
    ("TILE", 69),
    ("EXPAND_DIMS", 70),
    ("EQUAL", 71),
    ("NOT_EQUAL", 72),
    ("LOG", 73),
    ("SUM", 74),
    ("SQRT", 75),
    ("RSQRT", 76),
    ("SHAPE", 77),
    ("POW", 78),
    ("ARG_MIN", 79),
    ("FAKE_QUANT", 80),
    ("REDUCE_PROD", 81),
    ("REDUCE_MAX", 82),
    ("PACK", 83),
    ("LOGICAL_OR", 84),
    ("ONE_HOT", 85),
    ("LOGICAL_AND", 86),
    ("LOGICAL_NOT", 87),
    ("UNPACK", 88),
    ("REDUCE_MIN", 89),
    ("FLOOR_DIV", 90),
    ("REDUCE_ANY", 91),
    ("SQUARE", 92),
    ("ZEROS_LIKE", 93),
    ("FILL", 94),
    ("FLOOR_MOD", 95),
    ("RANGE", 96),
    ("RESIZE_NEAREST_NEIGHBOR", 97),
    ("LEAKY_RELU", 98),
    ("SQUARED_DIFFERENCE", 99),
    ("MIRROR_PAD", 100),
    ("ABS", 101),
    ("SPLIT_V", 102),
    ("UNIQUE", 103),
    ("CEIL", 104),
    ("REVERSE_V2", 105),
    ("ADD_N", 106),
    ("GATHER_ND", 107),
    ("COS", 108),
    ("WHERE", 109),
    ("RANK", 110),
    ("ELU", 111),
    ("REVERSE_SEQUENCE", 112),
    ("MATRIX_DIAG", 113),
    ("QUANTIZE", 114),
    ("MATRIX_SET_DIAG", 115),
    ("ROUND", 116),
    ("HARD_SWISH", 117),
    ("IF", 118),
    ("WHILE", 119),
    ("NON_MAX_SUPPRESSION_V4", 120),
    ("NON_MAX_SUPPRESSION_V5", 121),
    ("SCATTER_ND", 122),
    ("SELECT_V2", 123),
    ("DENSIFY", 124),
    ("SEGMENT_SUM", 125),
    ("BATCH_MATMUL", 126),
    ("PLACEHOLDER_FOR_GREATER_OP_CODES", 127),
    ("CUMSUM", 128),
    ("CALL_ONCE", 129),
    ("BROADCAST_TO", 130),
    ("RFFT2D", 131),
    ("CONV_3D", 132),
    ("IMAG", 133),
    ("REAL", 134),
    ("COMPLEX_ABS", 135),
    ("HASHTABLE", 136),
    ("HASHTABLE_FIND", 137),
    ("HASHTABLE_IMPORT", 138),
    ("HASHTABLE_SIZE", 139),
    ("REDUCE_ALL", 140),
    ("CONV_3D_TRANSPOSE", 141),
    ("VAR_HANDLE", 142),
    ("READ_VARIABLE", 143),
    ("ASSIGN_VARIABLE", 144),
    ("BROADCAST_ARGS", 145),
    ("RANDOM_STANDARD_NORMAL", 146),
    ("BUCKETIZE", 147),
    ("RANDOM_UNIFORM", 148),
    ("MULTINOMIAL", 149),
    ("GELU", 150),
    ("DYNAMIC_UPDATE_SLICE", 151),
    ("RELU_0_TO_1", 152),
    ("UNSORTED_SEGMENT_PROD", 153),
    ("UNSORTED_SEGMENT_MAX", 154),
    ("UNSORTED_SEGMENT_SUM", 155),
    ("ATAN2", 156),
    ("UNSORTED_SEGMENT_MIN", 157),
    ("SIGN", 158),
    ("BITCAST", 159),
    ("BITWISE_XOR", 160),
    ("RIGHT_SHIFT", 161),
    ("STABLEHLO_LOGISTIC", 162),
    ("STABLEHLO_ADD", 163),
    ("STABLEHLO_DIVIDE", 164),
    ("STABLEHLO_MULTIPLY", 165),
    ("STABLEHLO_MAXIMUM", 166),
    ("STABLEHLO_RESHAPE", 167),
    ("STABLEHLO_CLAMP", 168),
    ("STABLEHLO_CONCATENATE", 169),
    ("STABLEHLO_BROADCAST_IN_DIM", 170),
    ("STABLEHLO_CONVOLUTION", 171),
    ("STABLEHLO_SLICE", 172),
    ("STABLEHLO_CUSTOM_CALL", 173),
    ("STABLEHLO_REDUCE", 174),
    ("STABLEHLO_ABS", 175),
    ("STABLEHLO_AND", 176),
    ("STABLEHLO_COSINE", 177),
    ("STABLEHLO_EXPONENTIAL", 178),
    ("STABLEHLO_FLOOR", 179),
    ("STABLEHLO_LOG", 180),
    ("STABLEHLO_MINIMUM", 181),
    ("STABLEHLO_NEGATE", 182),
    ("STABLEHLO_OR", 183),
    ("STABLEHLO_POWER", 184),
    ("STABLEHLO_REMAINDER", 185),
    ("STABLEHLO_RSQRT", 186),
    ("STABLEHLO_SELECT", 187),
    ("STABLEHLO_SUBTRACT", 188),
    ("STABLEHLO_TANH", 189),
    ("STABLEHLO_SCATTER", 190),
    ("STABLEHLO_COMPARE", 191),
    ("STABLEHLO_CONVERT", 192),
    ("STABLEHLO_DYNAMIC_SLICE", 193),
    ("STABLEHLO_DYNAMIC_UPDATE_SLICE", 194),
    ("STABLEHLO_PAD", 195),
    ("STABLEHLO_IOTA", 196),
    ("STABLEHLO_DOT_GENERAL", 197),
    ("STABLEHLO_REDUCE_WINDOW", 198),
    ("STABLEHLO_SORT", 199),
    ("STABLEHLO_WHILE", 200),
    ("STABLEHLO_GATHER", 201),
    ("STABLEHLO_TRANSPOSE", 202),
    ("DILATE", 203),
    ("STABLEHLO_RNG_BIT_GENERATOR", 204),
    ("REDUCE_WINDOW", 205),
    ("STABLEHLO_COMPOSITE", 206),
    ("STABLEHLO_SHIFT_LEFT", 207),
    ("STABLEHLO_CBRT", 208),
    ("STABLEHLO_CASE", 209),
] };

/// Union `BuiltinOptions`.
pub static BUILTIN_OPTIONS: UnionDef = UnionDef { name: "BuiltinOptions", members: &[
    (1, &CONV2D_OPTIONS),
    (2, &DEPTHWISE_CONV2D_OPTIONS),
    (3, &CONCAT_EMBEDDINGS_OPTIONS),
    (4, &LSH_PROJECTION_OPTIONS),
    (5, &POOL2D_OPTIONS),
    (6, &SVDF_OPTIONS),
    (7, &RNN_OPTIONS),
    (8, &FULLY_CONNECTED_OPTIONS),
    (9, &SOFTMAX_OPTIONS),
    (10, &CONCATENATION_OPTIONS),
    (11, &ADD_OPTIONS),
    (12, &L2_NORM_OPTIONS),
    (13, &LOCAL_RESPONSE_NORMALIZATION_OPTIONS),
    (14, &LSTM_OPTIONS),
    (15, &RESIZE_BILINEAR_OPTIONS),
    (16, &CALL_OPTIONS),
    (17, &RESHAPE_OPTIONS),
    (18, &SKIP_GRAM_OPTIONS),
    (19, &SPACE_TO_DEPTH_OPTIONS),
    (20, &EMBEDDING_LOOKUP_SPARSE_OPTIONS),
    (21, &MUL_OPTIONS),
    (22, &PAD_OPTIONS),
    (23, &GATHER_OPTIONS),
    (24, &BATCH_TO_SPACE_ND_OPTIONS),
    (25, &SPACE_TO_BATCH_ND_OPTIONS),
    (26, &TRANSPOSE_OPTIONS),
    (27, &REDUCER_OPTIONS),
    (28, &SUB_OPTIONS),
    (29, &DIV_OPTIONS),
    (30, &SQUEEZE_OPTIONS),
    (31, &SEQUENCE_RNN_OPTIONS),
    (32, &STRIDED_SLICE_OPTIONS),
    (33, &EXP_OPTIONS),
    (34, &TOP_KV2_OPTIONS),
    (35, &SPLIT_OPTIONS),
    (36, &LOG_SOFTMAX_OPTIONS),
    (37, &CAST_OPTIONS),
    (38, &DEQUANTIZE_OPTIONS),
    (39, &MAXIMUM_MINIMUM_OPTIONS),
    (40, &ARG_MAX_OPTIONS),
    (41, &LESS_OPTIONS),
    (42, &NEG_OPTIONS),
    (43, &PAD_V2_OPTIONS),
    (44, &GREATER_OPTIONS),
    (45, &GREATER_EQUAL_OPTIONS),
    (46, &LESS_EQUAL_OPTIONS),
    (47, &SELECT_OPTIONS),
    (48, &SLICE_OPTIONS),
    (49, &TRANSPOSE_CONV_OPTIONS),
    (50, &SPARSE_TO_DENSE_OPTIONS),
    (51, &TILE_OPTIONS),
    (52, &EXPAND_DIMS_OPTIONS),
    (53, &EQUAL_OPTIONS),
    (54, &NOT_EQUAL_OPTIONS),
    (55, &SHAPE_OPTIONS),
    (56, &POW_OPTIONS),
    (57, &ARG_MIN_OPTIONS),
    (58, &FAKE_QUANT_OPTIONS),
    (59, &PACK_OPTIONS),
    (60, &LOGICAL_OR_OPTIONS),
    (61, &ONE_HOT_OPTIONS),
    (62, &LOGICAL_AND_OPTIONS),
    (63, &LOGICAL_NOT_OPTIONS),
    (64, &UNPACK_OPTIONS),
    (65, &FLOOR_DIV_OPTIONS),
    (66, &SQUARE_OPTIONS),
    (67, &ZEROS_LIKE_OPTIONS),
    (68, &FILL_OPTIONS),
    (69, &BIDIRECTIONAL_SEQUENCE_LSTM_OPTIONS),
    (70, &BIDIRECTIONAL_SEQUENCE_RNN_OPTIONS),
    (71, &UNIDIRECTIONAL_SEQUENCE_LSTM_OPTIONS),
    (72, &FLOOR_MOD_OPTIONS),
    (73, &RANGE_OPTIONS),
    (74, &RESIZE_NEAREST_NEIGHBOR_OPTIONS),
    (75, &LEAKY_RELU_OPTIONS),
    (76, &SQUARED_DIFFERENCE_OPTIONS),
    (77, &MIRROR_PAD_OPTIONS),
    (78, &ABS_OPTIONS),
    (79, &SPLIT_V_OPTIONS),
    (80, &UNIQUE_OPTIONS),
    (81, &REVERSE_V2_OPTIONS),
    (82, &ADD_N_OPTIONS),
    (83, &GATHER_ND_OPTIONS),
    (84, &COS_OPTIONS),
    (85, &WHERE_OPTIONS),
    (86, &RANK_OPTIONS),
    (87, &REVERSE_SEQUENCE_OPTIONS),
    (88, &MATRIX_DIAG_OPTIONS),
    (89, &QUANTIZE_OPTIONS),
    (90, &MATRIX_SET_DIAG_OPTIONS),
    (91, &HARD_SWISH_OPTIONS),
    (92, &IF_OPTIONS),
    (93, &WHILE_OPTIONS),
    (94, &DEPTH_TO_SPACE_OPTIONS),
    (95, &NON_MAX_SUPPRESSION_V4_OPTIONS),
    (96, &NON_MAX_SUPPRESSION_V5_OPTIONS),
    (97, &SCATTER_ND_OPTIONS),
    (98, &SELECT_V2_OPTIONS),
    (99, &DENSIFY_OPTIONS),
    (100, &SEGMENT_SUM_OPTIONS),
    (101, &BATCH_MAT_MUL_OPTIONS),
    (102, &CUMSUM_OPTIONS),
    (103, &CALL_ONCE_OPTIONS),
    (104, &BROADCAST_TO_OPTIONS),
    (105, &RFFT2D_OPTIONS),
    (106, &CONV3D_OPTIONS),
    (107, &HASHTABLE_OPTIONS),
    (108, &HASHTABLE_FIND_OPTIONS),
    (109, &HASHTABLE_IMPORT_OPTIONS),
    (110, &HASHTABLE_SIZE_OPTIONS),
    (111, &VAR_HANDLE_OPTIONS),
    (112, &READ_VARIABLE_OPTIONS),
    (113, &ASSIGN_VARIABLE_OPTIONS),
    (114, &RANDOM_OPTIONS),
    (115, &BUCKETIZE_OPTIONS),
    (116, &GELU_OPTIONS),
    (117, &DYNAMIC_UPDATE_SLICE_OPTIONS),
    (118, &UNSORTED_SEGMENT_PROD_OPTIONS),
    (119, &UNSORTED_SEGMENT_MAX_OPTIONS),
    (120, &UNSORTED_SEGMENT_MIN_OPTIONS),
    (121, &UNSORTED_SEGMENT_SUM_OPTIONS),
    (122, &ATAN2_OPTIONS),
    (123, &SIGN_OPTIONS),
    (124, &BITCAST_OPTIONS),
    (125, &BITWISE_XOR_OPTIONS),
    (126, &RIGHT_SHIFT_OPTIONS),
    (247, &ATTENTION_OPTIONS),
    (248, &RUN_MODEL_OPTIONS),
    (249, &ROPE_OPTIONS),
    (250, &RMS_NORM_OPTIONS),
    (251, &GRU_OPTIONS),
    (252, &BCQ_GATHER_OPTIONS),
    (253, &BCQ_FULLY_CONNECTED_OPTIONS),
    (254, &INSTANCE_NORM_OPTIONS),
] };

/// Union `BuiltinOptions2`.
pub static BUILTIN_OPTIONS2: UnionDef = UnionDef { name: "BuiltinOptions2", members: &[
    (1, &STABLEHLO_CONCATENATE_OPTIONS),
    (2, &STABLEHLO_BROADCAST_IN_DIM_OPTIONS),
    (3, &STABLEHLO_SLICE_OPTIONS),
    (4, &STABLEHLO_CONVOLUTION_OPTIONS),
    (5, &STABLEHLO_CUSTOM_CALL_OPTIONS),
    (6, &STABLEHLO_REDUCE_OPTIONS),
    (7, &STABLEHLO_SCATTER_OPTIONS),
    (8, &STABLEHLO_COMPARE_OPTIONS),
    (9, &STABLEHLO_DYNAMIC_SLICE_OPTIONS),
    (10, &STABLEHLO_PAD_OPTIONS),
    (11, &STABLEHLO_IOTA_OPTIONS),
    (12, &STABLEHLO_DOT_GENERAL_OPTIONS),
    (13, &STABLEHLO_REDUCE_WINDOW_OPTIONS),
    (14, &STABLEHLO_SORT_OPTIONS),
    (15, &STABLEHLO_WHILE_OPTIONS),
    (16, &STABLEHLO_GATHER_OPTIONS),
    (17, &STABLEHLO_TRANSPOSE_OPTIONS),
    (18, &DILATE_OPTIONS),
    (19, &STABLEHLO_RNG_BIT_GENERATOR_OPTIONS),
    (20, &REDUCE_WINDOW_OPTIONS),
    (21, &STABLEHLO_COMPOSITE_OPTIONS),
    (22, &STABLEHLO_SHIFT_LEFT_OPTIONS),
    (23, &STABLEHLO_CASE_OPTIONS),
] };

/// Enumeration `CombinerType`.
pub static COMBINER_TYPE: EnumDef = EnumDef {
    name: "CombinerType", base: Scalar::I8, values: &[
    ("SUM", 0),
    ("MEAN", 1),
    ("SQRTN", 2),
] };

/// Enumeration `CompressionType`.
pub static COMPRESSION_TYPE: EnumDef = EnumDef {
    name: "CompressionType", base: Scalar::I8, values: &[
    ("NONE", 0),
    ("HUFFMAN", 1),
] };

/// Enumeration `CustomOptionsFormat`.
pub static CUSTOM_OPTIONS_FORMAT: EnumDef = EnumDef {
    name: "CustomOptionsFormat", base: Scalar::I8, values: &[
    ("FLEXBUFFERS", 0),
] };

/// Enumeration `DataFormat`.
pub static DATA_FORMAT: EnumDef = EnumDef {
    name: "DataFormat", base: Scalar::I8, values: &[
    ("CHANNELS_LAST", 0),
    ("CHANNELS_FIRST", 1),
] };

/// Enumeration `DimensionType`.
pub static DIMENSION_TYPE: EnumDef = EnumDef {
    name: "DimensionType", base: Scalar::I8, values: &[
    ("DENSE", 0),
    ("SPARSE_CSR", 1),
] };

/// Enumeration `FullyConnectedOptionsWeightsFormat`.
pub static FULLY_CONNECTED_OPTIONS_WEIGHTS_FORMAT: EnumDef = EnumDef {
    name: "FullyConnectedOptionsWeightsFormat", base: Scalar::I8, values: &[
    ("DEFAULT", 0),
    ("SHUFFLED4x16INT8", 1),
    ("SHUFFLED16x1FLOAT32", 127),
] };

/// Enumeration `LSHProjectionType`.
pub static LSH_PROJECTION_TYPE: EnumDef = EnumDef {
    name: "LSHProjectionType", base: Scalar::I8, values: &[
    ("UNKNOWN", 0),
    ("SPARSE", 1),
    ("DENSE", 2),
] };

/// Enumeration `LSTMKernelType`.
pub static LSTM_KERNEL_TYPE: EnumDef = EnumDef {
    name: "LSTMKernelType", base: Scalar::I8, values: &[
    ("FULL", 0),
    ("BASIC", 1),
] };

/// Enumeration `MirrorPadMode`.
pub static MIRROR_PAD_MODE: EnumDef = EnumDef {
    name: "MirrorPadMode", base: Scalar::I8, values: &[
    ("REFLECT", 0),
    ("SYMMETRIC", 1),
] };

/// Enumeration `Padding`.
pub static PADDING: EnumDef = EnumDef {
    name: "Padding", base: Scalar::I8, values: &[
    ("SAME", 0),
    ("VALID", 1),
] };

/// Union `QuantizationDetails`.
pub static QUANTIZATION_DETAILS: UnionDef = UnionDef { name: "QuantizationDetails", members: &[
    (1, &CUSTOM_QUANTIZATION),
    (2, &MX_QUANTIZATION),
    (3, &BLOCKWISE_QUANTIZATION),
] };

/// Enumeration `ReduceWindowFunction`.
pub static REDUCE_WINDOW_FUNCTION: EnumDef = EnumDef {
    name: "ReduceWindowFunction", base: Scalar::I32, values: &[
    ("UNSUPPORTED", 0),
    ("ADD", 1),
    ("MUL", 2),
    ("MINIMUM", 3),
    ("MAXIMUM", 4),
    ("ALL", 5),
    ("ANY", 6),
] };

/// Enumeration `RngAlgorithm`.
pub static RNG_ALGORITHM: EnumDef = EnumDef {
    name: "RngAlgorithm", base: Scalar::I8, values: &[
    ("DEFAULT", 0),
    ("PHILOX", 1),
    ("THREEFRY", 2),
] };

/// Enumeration `RoPEMode`.
pub static ROPE_MODE: EnumDef = EnumDef {
    name: "RoPEMode", base: Scalar::I32, values: &[
    ("GPT_NEOX", 0),
    ("GPT_J", 1),
] };

/// Union `SparseIndexVector`.
pub static SPARSE_INDEX_VECTOR: UnionDef = UnionDef { name: "SparseIndexVector", members: &[
    (1, &INT32_VECTOR),
    (2, &UINT16_VECTOR),
    (3, &UINT8_VECTOR),
] };

/// Enumeration `StablehloComparisonDirection`.
pub static STABLEHLO_COMPARISON_DIRECTION: EnumDef = EnumDef {
    name: "StablehloComparisonDirection", base: Scalar::U32, values: &[
    ("STABLEHLO_COMPARISON_DIRECTION_EQ", 0),
    ("STABLEHLO_COMPARISON_DIRECTION_NE", 1),
    ("STABLEHLO_COMPARISON_DIRECTION_GE", 2),
    ("STABLEHLO_COMPARISON_DIRECTION_GT", 3),
    ("STABLEHLO_COMPARISON_DIRECTION_LE", 4),
    ("STABLEHLO_COMPARISON_DIRECTION_LT", 5),
] };

/// Enumeration `StablehloComparisonType`.
pub static STABLEHLO_COMPARISON_TYPE: EnumDef = EnumDef {
    name: "StablehloComparisonType", base: Scalar::U32, values: &[
    ("STABLEHLO_COMPARISON_TYPE_NOTYPE", 0),
    ("STABLEHLO_COMPARISON_TYPE_FLOAT", 1),
    ("STABLEHLO_COMPARISON_TYPE_FLOAT_TOTAL_ORDER", 2),
    ("STABLEHLO_COMPARISON_TYPE_SIGNED", 3),
    ("STABLEHLO_COMPARISON_TYPE_UNSIGNED", 4),
] };

/// Enumeration `StablehloPrecisionConfig`.
pub static STABLEHLO_PRECISION_CONFIG: EnumDef = EnumDef {
    name: "StablehloPrecisionConfig", base: Scalar::U32, values: &[
    ("DEFAULT", 0),
    ("HIGH", 1),
    ("HIGHEST", 2),
] };

/// Enumeration `TensorType`.
pub static TENSOR_TYPE: EnumDef = EnumDef {
    name: "TensorType", base: Scalar::I8, values: &[
    ("MXINT8", -7),
    ("MXFP4", -6),
    ("GGML_Q8_1", -5),
    ("GGML_Q8_0", -4),
    ("GGML_Q4_1", -3),
    ("GGML_Q4_0", -2),
    ("UINT4", -1),
    ("FLOAT32", 0),
    ("FLOAT16", 1),
    ("INT32", 2),
    ("UINT8", 3),
    ("INT64", 4),
    ("STRING", 5),
    ("BOOL", 6),
    ("INT16", 7),
    ("COMPLEX64", 8),
    ("INT8", 9),
    ("FLOAT64", 10),
    ("COMPLEX128", 11),
    ("UINT64", 12),
    ("RESOURCE", 13),
    ("VARIANT", 14),
    ("UINT32", 15),
    ("UINT16", 16),
    ("INT4", 17),
    ("BFLOAT16", 18),
] };

/// Table `ATan2Options`.
pub static ATAN2_OPTIONS: TableDef = TableDef { name: "ATan2Options", fields: &[
] };

/// Table `AbsOptions`.
pub static ABS_OPTIONS: TableDef = TableDef { name: "AbsOptions", fields: &[
] };

/// Table `AddNOptions`.
pub static ADD_N_OPTIONS: TableDef = TableDef { name: "AddNOptions", fields: &[
] };

/// Table `AddOptions`.
pub static ADD_OPTIONS: TableDef = TableDef { name: "AddOptions", fields: &[
    FieldDef::new("fused_activation_function", 0, Kind::Enum(&ACTIVATION_FUNCTION_TYPE), DefaultValue::Int(0)),
    FieldDef::new("pot_scale_int16", 1, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(true)),
] };

/// Table `ArgMaxOptions`.
pub static ARG_MAX_OPTIONS: TableDef = TableDef { name: "ArgMaxOptions", fields: &[
    FieldDef::new("output_type", 0, Kind::Enum(&TENSOR_TYPE), DefaultValue::Int(0)),
] };

/// Table `ArgMinOptions`.
pub static ARG_MIN_OPTIONS: TableDef = TableDef { name: "ArgMinOptions", fields: &[
    FieldDef::new("output_type", 0, Kind::Enum(&TENSOR_TYPE), DefaultValue::Int(0)),
] };

/// Table `AssignVariableOptions`.
pub static ASSIGN_VARIABLE_OPTIONS: TableDef = TableDef { name: "AssignVariableOptions", fields: &[
] };

/// Table `AttentionOptions`.
pub static ATTENTION_OPTIONS: TableDef = TableDef { name: "AttentionOptions", fields: &[
] };

/// Table `BCQFullyConnectedOptions`.
pub static BCQ_FULLY_CONNECTED_OPTIONS: TableDef = TableDef { name: "BCQFullyConnectedOptions", fields: &[
    FieldDef::new("weights_hidden_size", 0, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("fused_activation_function", 1, Kind::Enum(&ACTIVATION_FUNCTION_TYPE), DefaultValue::Int(0)),
] };

/// Table `BCQGatherOptions`.
pub static BCQ_GATHER_OPTIONS: TableDef = TableDef { name: "BCQGatherOptions", fields: &[
    FieldDef::new("input_hidden_size", 0, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("axis", 1, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
] };

/// Table `BatchMatMulOptions`.
pub static BATCH_MAT_MUL_OPTIONS: TableDef = TableDef { name: "BatchMatMulOptions", fields: &[
    FieldDef::new("adjoint_lhs", 0, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
    FieldDef::new("adjoint_rhs", 1, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
    FieldDef::new("asymmetric_quantize_inputs", 2, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
] };

/// Table `BatchToSpaceNDOptions`.
pub static BATCH_TO_SPACE_ND_OPTIONS: TableDef = TableDef { name: "BatchToSpaceNDOptions", fields: &[
] };

/// Table `BidirectionalSequenceLSTMOptions`.
pub static BIDIRECTIONAL_SEQUENCE_LSTM_OPTIONS: TableDef = TableDef { name: "BidirectionalSequenceLSTMOptions", fields: &[
    FieldDef::new("fused_activation_function", 0, Kind::Enum(&ACTIVATION_FUNCTION_TYPE), DefaultValue::Int(0)),
    FieldDef::new("cell_clip", 1, Kind::Scalar(Scalar::F32), DefaultValue::F32(0.0)),
    FieldDef::new("proj_clip", 2, Kind::Scalar(Scalar::F32), DefaultValue::F32(0.0)),
    FieldDef::new("merge_outputs", 3, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
    FieldDef::new("time_major", 4, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(true)),
    FieldDef::new("asymmetric_quantize_inputs", 5, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
] };

/// Table `BidirectionalSequenceRNNOptions`.
pub static BIDIRECTIONAL_SEQUENCE_RNN_OPTIONS: TableDef = TableDef { name: "BidirectionalSequenceRNNOptions", fields: &[
    FieldDef::new("time_major", 0, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
    FieldDef::new("fused_activation_function", 1, Kind::Enum(&ACTIVATION_FUNCTION_TYPE), DefaultValue::Int(0)),
    FieldDef::new("merge_outputs", 2, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
    FieldDef::new("asymmetric_quantize_inputs", 3, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
] };

/// Table `BitcastOptions`.
pub static BITCAST_OPTIONS: TableDef = TableDef { name: "BitcastOptions", fields: &[
] };

/// Table `BitwiseXorOptions`.
pub static BITWISE_XOR_OPTIONS: TableDef = TableDef { name: "BitwiseXorOptions", fields: &[
] };

/// Table `BlockwiseQuantization`.
pub static BLOCKWISE_QUANTIZATION: TableDef = TableDef { name: "BlockwiseQuantization", fields: &[
    FieldDef::new("scales", 0, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("zero_points", 1, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("block_size", 2, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
] };

/// Table `BroadcastToOptions`.
pub static BROADCAST_TO_OPTIONS: TableDef = TableDef { name: "BroadcastToOptions", fields: &[
] };

/// Table `BucketizeOptions`.
pub static BUCKETIZE_OPTIONS: TableDef = TableDef { name: "BucketizeOptions", fields: &[
    FieldDef::new("boundaries", 0, Kind::Vector(Element::Scalar(Scalar::F32)), Absent),
] };

/// Table `Buffer`.
pub static BUFFER: TableDef = TableDef { name: "Buffer", fields: &[
    FieldDef::new("data", 0, Kind::Vector(Element::Scalar(Scalar::U8)), Absent),
    FieldDef::new("offset", 1, Kind::Scalar(Scalar::U64), DefaultValue::Int(0)),
    FieldDef::new("size", 2, Kind::Scalar(Scalar::U64), DefaultValue::Int(0)),
] };

/// Table `CallOnceOptions`.
pub static CALL_ONCE_OPTIONS: TableDef = TableDef { name: "CallOnceOptions", fields: &[
    FieldDef::new("init_subgraph_index", 0, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
] };

/// Table `CallOptions`.
pub static CALL_OPTIONS: TableDef = TableDef { name: "CallOptions", fields: &[
    FieldDef::new("subgraph", 0, Kind::Scalar(Scalar::U32), DefaultValue::Int(0)),
] };

/// Table `CastOptions`.
pub static CAST_OPTIONS: TableDef = TableDef { name: "CastOptions", fields: &[
    FieldDef::new("in_data_type", 0, Kind::Enum(&TENSOR_TYPE), DefaultValue::Int(0)),
    FieldDef::new("out_data_type", 1, Kind::Enum(&TENSOR_TYPE), DefaultValue::Int(0)),
] };

/// Table `ConcatEmbeddingsOptions`.
pub static CONCAT_EMBEDDINGS_OPTIONS: TableDef = TableDef { name: "ConcatEmbeddingsOptions", fields: &[
    FieldDef::new("num_channels", 0, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("num_columns_per_channel", 1, Kind::Vector(Element::Scalar(Scalar::I32)), Absent),
    FieldDef::new("embedding_dim_per_channel", 2, Kind::Vector(Element::Scalar(Scalar::I32)), Absent),
] };

/// Table `ConcatenationOptions`.
pub static CONCATENATION_OPTIONS: TableDef = TableDef { name: "ConcatenationOptions", fields: &[
    FieldDef::new("axis", 0, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("fused_activation_function", 1, Kind::Enum(&ACTIVATION_FUNCTION_TYPE), DefaultValue::Int(0)),
] };

/// Table `Conv2DOptions`.
pub static CONV2D_OPTIONS: TableDef = TableDef { name: "Conv2DOptions", fields: &[
    FieldDef::new("padding", 0, Kind::Enum(&PADDING), DefaultValue::Int(0)),
    FieldDef::new("stride_w", 1, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("stride_h", 2, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("fused_activation_function", 3, Kind::Enum(&ACTIVATION_FUNCTION_TYPE), DefaultValue::Int(0)),
    FieldDef::new("dilation_w_factor", 4, Kind::Scalar(Scalar::I32), DefaultValue::Int(1)),
    FieldDef::new("dilation_h_factor", 5, Kind::Scalar(Scalar::I32), DefaultValue::Int(1)),
    FieldDef::new("quantized_bias_type", 6, Kind::Enum(&TENSOR_TYPE), DefaultValue::Int(0)),
] };

/// Table `Conv3DOptions`.
pub static CONV3D_OPTIONS: TableDef = TableDef { name: "Conv3DOptions", fields: &[
    FieldDef::new("padding", 0, Kind::Enum(&PADDING), DefaultValue::Int(0)),
    FieldDef::new("stride_d", 1, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("stride_w", 2, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("stride_h", 3, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("fused_activation_function", 4, Kind::Enum(&ACTIVATION_FUNCTION_TYPE), DefaultValue::Int(0)),
    FieldDef::new("dilation_d_factor", 5, Kind::Scalar(Scalar::I32), DefaultValue::Int(1)),
    FieldDef::new("dilation_w_factor", 6, Kind::Scalar(Scalar::I32), DefaultValue::Int(1)),
    FieldDef::new("dilation_h_factor", 7, Kind::Scalar(Scalar::I32), DefaultValue::Int(1)),
] };

/// Table `CosOptions`.
pub static COS_OPTIONS: TableDef = TableDef { name: "CosOptions", fields: &[
] };

/// Table `CumsumOptions`.
pub static CUMSUM_OPTIONS: TableDef = TableDef { name: "CumsumOptions", fields: &[
    FieldDef::new("exclusive", 0, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
    FieldDef::new("reverse", 1, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
] };

/// Table `CustomQuantization`.
pub static CUSTOM_QUANTIZATION: TableDef = TableDef { name: "CustomQuantization", fields: &[
    FieldDef::new("custom", 0, Kind::Vector(Element::Scalar(Scalar::U8)), Absent),
] };

/// Table `DensifyOptions`.
pub static DENSIFY_OPTIONS: TableDef = TableDef { name: "DensifyOptions", fields: &[
] };

/// Table `DepthToSpaceOptions`.
pub static DEPTH_TO_SPACE_OPTIONS: TableDef = TableDef { name: "DepthToSpaceOptions", fields: &[
    FieldDef::new("block_size", 0, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
] };

/// Table `DepthwiseConv2DOptions`.
pub static DEPTHWISE_CONV2D_OPTIONS: TableDef = TableDef { name: "DepthwiseConv2DOptions", fields: &[
    FieldDef::new("padding", 0, Kind::Enum(&PADDING), DefaultValue::Int(0)),
    FieldDef::new("stride_w", 1, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("stride_h", 2, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("depth_multiplier", 3, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("fused_activation_function", 4, Kind::Enum(&ACTIVATION_FUNCTION_TYPE), DefaultValue::Int(0)),
    FieldDef::new("dilation_w_factor", 5, Kind::Scalar(Scalar::I32), DefaultValue::Int(1)),
    FieldDef::new("dilation_h_factor", 6, Kind::Scalar(Scalar::I32), DefaultValue::Int(1)),
] };

/// Table `DequantizeOptions`.
pub static DEQUANTIZE_OPTIONS: TableDef = TableDef { name: "DequantizeOptions", fields: &[
] };

/// Table `DilateOptions`.
pub static DILATE_OPTIONS: TableDef = TableDef { name: "DilateOptions", fields: &[
] };

/// Table `DimensionMetadata`.
pub static DIMENSION_METADATA: TableDef = TableDef { name: "DimensionMetadata", fields: &[
    FieldDef::new("format", 0, Kind::Enum(&DIMENSION_TYPE), DefaultValue::Int(0)),
    FieldDef::new("dense_size", 1, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("array_segments", 3, Kind::Union(&SPARSE_INDEX_VECTOR), Absent),
    FieldDef::new("array_indices", 5, Kind::Union(&SPARSE_INDEX_VECTOR), Absent),
] };

/// Table `DivOptions`.
pub static DIV_OPTIONS: TableDef = TableDef { name: "DivOptions", fields: &[
    FieldDef::new("fused_activation_function", 0, Kind::Enum(&ACTIVATION_FUNCTION_TYPE), DefaultValue::Int(0)),
] };

/// Table `DynamicUpdateSliceOptions`.
pub static DYNAMIC_UPDATE_SLICE_OPTIONS: TableDef = TableDef { name: "DynamicUpdateSliceOptions", fields: &[
] };

/// Table `EmbeddingLookupSparseOptions`.
pub static EMBEDDING_LOOKUP_SPARSE_OPTIONS: TableDef = TableDef { name: "EmbeddingLookupSparseOptions", fields: &[
    FieldDef::new("combiner", 0, Kind::Enum(&COMBINER_TYPE), DefaultValue::Int(0)),
] };

/// Table `EqualOptions`.
pub static EQUAL_OPTIONS: TableDef = TableDef { name: "EqualOptions", fields: &[
] };

/// Table `ExpOptions`.
pub static EXP_OPTIONS: TableDef = TableDef { name: "ExpOptions", fields: &[
] };

/// Table `ExpandDimsOptions`.
pub static EXPAND_DIMS_OPTIONS: TableDef = TableDef { name: "ExpandDimsOptions", fields: &[
] };

/// Table `FakeQuantOptions`.
pub static FAKE_QUANT_OPTIONS: TableDef = TableDef { name: "FakeQuantOptions", fields: &[
    FieldDef::new("min", 0, Kind::Scalar(Scalar::F32), DefaultValue::F32(0.0)),
    FieldDef::new("max", 1, Kind::Scalar(Scalar::F32), DefaultValue::F32(0.0)),
    FieldDef::new("num_bits", 2, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("narrow_range", 3, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
] };

/// Table `FillOptions`.
pub static FILL_OPTIONS: TableDef = TableDef { name: "FillOptions", fields: &[
] };

/// Table `FloorDivOptions`.
pub static FLOOR_DIV_OPTIONS: TableDef = TableDef { name: "FloorDivOptions", fields: &[
] };

/// Table `FloorModOptions`.
pub static FLOOR_MOD_OPTIONS: TableDef = TableDef { name: "FloorModOptions", fields: &[
] };

/// Table `FullyConnectedOptions`.
pub static FULLY_CONNECTED_OPTIONS: TableDef = TableDef { name: "FullyConnectedOptions", fields: &[
    FieldDef::new("fused_activation_function", 0, Kind::Enum(&ACTIVATION_FUNCTION_TYPE), DefaultValue::Int(0)),
    FieldDef::new("weights_format", 1, Kind::Enum(&FULLY_CONNECTED_OPTIONS_WEIGHTS_FORMAT), DefaultValue::Int(0)),
    FieldDef::new("keep_num_dims", 2, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
    FieldDef::new("asymmetric_quantize_inputs", 3, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
    FieldDef::new("quantized_bias_type", 4, Kind::Enum(&TENSOR_TYPE), DefaultValue::Int(0)),
] };

/// Table `GRUOptions`.
pub static GRU_OPTIONS: TableDef = TableDef { name: "GRUOptions", fields: &[
    FieldDef::new("fused_activation_function", 0, Kind::Enum(&ACTIVATION_FUNCTION_TYPE), DefaultValue::Int(0)),
    FieldDef::new("return_sequences", 1, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
    FieldDef::new("time_major", 2, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
] };

/// Table `GatherNdOptions`.
pub static GATHER_ND_OPTIONS: TableDef = TableDef { name: "GatherNdOptions", fields: &[
] };

/// Table `GatherOptions`.
pub static GATHER_OPTIONS: TableDef = TableDef { name: "GatherOptions", fields: &[
    FieldDef::new("axis", 0, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("batch_dims", 1, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
] };

/// Table `GeluOptions`.
pub static GELU_OPTIONS: TableDef = TableDef { name: "GeluOptions", fields: &[
    FieldDef::new("approximate", 0, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
] };

/// Table `GreaterEqualOptions`.
pub static GREATER_EQUAL_OPTIONS: TableDef = TableDef { name: "GreaterEqualOptions", fields: &[
] };

/// Table `GreaterOptions`.
pub static GREATER_OPTIONS: TableDef = TableDef { name: "GreaterOptions", fields: &[
] };

/// Table `HardSwishOptions`.
pub static HARD_SWISH_OPTIONS: TableDef = TableDef { name: "HardSwishOptions", fields: &[
] };

/// Table `HashtableFindOptions`.
pub static HASHTABLE_FIND_OPTIONS: TableDef = TableDef { name: "HashtableFindOptions", fields: &[
] };

/// Table `HashtableImportOptions`.
pub static HASHTABLE_IMPORT_OPTIONS: TableDef = TableDef { name: "HashtableImportOptions", fields: &[
] };

/// Table `HashtableOptions`.
pub static HASHTABLE_OPTIONS: TableDef = TableDef { name: "HashtableOptions", fields: &[
    FieldDef::new("table_id", 0, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("key_dtype", 1, Kind::Enum(&TENSOR_TYPE), DefaultValue::Int(0)),
    FieldDef::new("value_dtype", 2, Kind::Enum(&TENSOR_TYPE), DefaultValue::Int(0)),
] };

/// Table `HashtableSizeOptions`.
pub static HASHTABLE_SIZE_OPTIONS: TableDef = TableDef { name: "HashtableSizeOptions", fields: &[
] };

/// Table `IfOptions`.
pub static IF_OPTIONS: TableDef = TableDef { name: "IfOptions", fields: &[
    FieldDef::new("then_subgraph_index", 0, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("else_subgraph_index", 1, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
] };

/// Table `InstanceNormOptions`.
pub static INSTANCE_NORM_OPTIONS: TableDef = TableDef { name: "InstanceNormOptions", fields: &[
    FieldDef::new("epsilon", 0, Kind::Scalar(Scalar::F32), DefaultValue::F32(0.0)),
    FieldDef::new("fused_activation_function", 1, Kind::Enum(&ACTIVATION_FUNCTION_TYPE), DefaultValue::Int(0)),
] };

/// Table `Int32Vector`.
pub static INT32_VECTOR: TableDef = TableDef { name: "Int32Vector", fields: &[
    FieldDef::new("values", 0, Kind::Vector(Element::Scalar(Scalar::I32)), Absent),
] };

/// Table `L2NormOptions`.
pub static L2_NORM_OPTIONS: TableDef = TableDef { name: "L2NormOptions", fields: &[
    FieldDef::new("fused_activation_function", 0, Kind::Enum(&ACTIVATION_FUNCTION_TYPE), DefaultValue::Int(0)),
] };

/// Table `LSHProjectionOptions`.
pub static LSH_PROJECTION_OPTIONS: TableDef = TableDef { name: "LSHProjectionOptions", fields: &[
    FieldDef::new("type", 0, Kind::Enum(&LSH_PROJECTION_TYPE), DefaultValue::Int(0)),
] };

/// Table `LSTMOptions`.
pub static LSTM_OPTIONS: TableDef = TableDef { name: "LSTMOptions", fields: &[
    FieldDef::new("fused_activation_function", 0, Kind::Enum(&ACTIVATION_FUNCTION_TYPE), DefaultValue::Int(0)),
    FieldDef::new("cell_clip", 1, Kind::Scalar(Scalar::F32), DefaultValue::F32(0.0)),
    FieldDef::new("proj_clip", 2, Kind::Scalar(Scalar::F32), DefaultValue::F32(0.0)),
    FieldDef::new("kernel_type", 3, Kind::Enum(&LSTM_KERNEL_TYPE), DefaultValue::Int(0)),
    FieldDef::new("asymmetric_quantize_inputs", 4, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
] };

/// Table `LeakyReluOptions`.
pub static LEAKY_RELU_OPTIONS: TableDef = TableDef { name: "LeakyReluOptions", fields: &[
    FieldDef::new("alpha", 0, Kind::Scalar(Scalar::F32), DefaultValue::F32(0.0)),
] };

/// Table `LessEqualOptions`.
pub static LESS_EQUAL_OPTIONS: TableDef = TableDef { name: "LessEqualOptions", fields: &[
] };

/// Table `LessOptions`.
pub static LESS_OPTIONS: TableDef = TableDef { name: "LessOptions", fields: &[
] };

/// Table `LocalResponseNormalizationOptions`.
pub static LOCAL_RESPONSE_NORMALIZATION_OPTIONS: TableDef = TableDef { name: "LocalResponseNormalizationOptions", fields: &[
    FieldDef::new("radius", 0, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("bias", 1, Kind::Scalar(Scalar::F32), DefaultValue::F32(0.0)),
    FieldDef::new("alpha", 2, Kind::Scalar(Scalar::F32), DefaultValue::F32(0.0)),
    FieldDef::new("beta", 3, Kind::Scalar(Scalar::F32), DefaultValue::F32(0.0)),
] };

/// Table `LogSoftmaxOptions`.
pub static LOG_SOFTMAX_OPTIONS: TableDef = TableDef { name: "LogSoftmaxOptions", fields: &[
] };

/// Table `LogicalAndOptions`.
pub static LOGICAL_AND_OPTIONS: TableDef = TableDef { name: "LogicalAndOptions", fields: &[
] };

/// Table `LogicalNotOptions`.
pub static LOGICAL_NOT_OPTIONS: TableDef = TableDef { name: "LogicalNotOptions", fields: &[
] };

/// Table `LogicalOrOptions`.
pub static LOGICAL_OR_OPTIONS: TableDef = TableDef { name: "LogicalOrOptions", fields: &[
] };

/// Table `MXQuantization`.
pub static MX_QUANTIZATION: TableDef = TableDef { name: "MXQuantization", fields: &[
    FieldDef::new("axis", 0, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
] };

/// Table `MatrixDiagOptions`.
pub static MATRIX_DIAG_OPTIONS: TableDef = TableDef { name: "MatrixDiagOptions", fields: &[
] };

/// Table `MatrixSetDiagOptions`.
pub static MATRIX_SET_DIAG_OPTIONS: TableDef = TableDef { name: "MatrixSetDiagOptions", fields: &[
] };

/// Table `MaximumMinimumOptions`.
pub static MAXIMUM_MINIMUM_OPTIONS: TableDef = TableDef { name: "MaximumMinimumOptions", fields: &[
] };

/// Table `Metadata`.
pub static METADATA: TableDef = TableDef { name: "Metadata", fields: &[
    FieldDef::new("name", 0, Kind::String, Absent),
    FieldDef::new("buffer", 1, Kind::Scalar(Scalar::U32), DefaultValue::Int(0)),
] };

/// Table `MirrorPadOptions`.
pub static MIRROR_PAD_OPTIONS: TableDef = TableDef { name: "MirrorPadOptions", fields: &[
    FieldDef::new("mode", 0, Kind::Enum(&MIRROR_PAD_MODE), DefaultValue::Int(0)),
] };

/// Table `Model`.
pub static MODEL: TableDef = TableDef { name: "Model", fields: &[
    FieldDef::new("version", 0, Kind::Scalar(Scalar::U32), DefaultValue::Int(0)),
    FieldDef::new("operator_codes", 1, Kind::Vector(Element::Table(&OPERATOR_CODE)), Absent),
    FieldDef::new("subgraphs", 2, Kind::Vector(Element::Table(&SUB_GRAPH)), Absent),
    FieldDef::new("description", 3, Kind::String, Absent),
    FieldDef::new("buffers", 4, Kind::Vector(Element::Table(&BUFFER)), Absent),
    FieldDef::new("metadata_buffer", 5, Kind::Vector(Element::Scalar(Scalar::I32)), Absent),
    FieldDef::new("metadata", 6, Kind::Vector(Element::Table(&METADATA)), Absent),
    FieldDef::new("signature_defs", 7, Kind::Vector(Element::Table(&SIGNATURE_DEF)), Absent),
] };

/// Table `MulOptions`.
pub static MUL_OPTIONS: TableDef = TableDef { name: "MulOptions", fields: &[
    FieldDef::new("fused_activation_function", 0, Kind::Enum(&ACTIVATION_FUNCTION_TYPE), DefaultValue::Int(0)),
] };

/// Table `NegOptions`.
pub static NEG_OPTIONS: TableDef = TableDef { name: "NegOptions", fields: &[
] };

/// Table `NonMaxSuppressionV4Options`.
pub static NON_MAX_SUPPRESSION_V4_OPTIONS: TableDef = TableDef { name: "NonMaxSuppressionV4Options", fields: &[
] };

/// Table `NonMaxSuppressionV5Options`.
pub static NON_MAX_SUPPRESSION_V5_OPTIONS: TableDef = TableDef { name: "NonMaxSuppressionV5Options", fields: &[
] };

/// Table `NotEqualOptions`.
pub static NOT_EQUAL_OPTIONS: TableDef = TableDef { name: "NotEqualOptions", fields: &[
] };

/// Table `OneHotOptions`.
pub static ONE_HOT_OPTIONS: TableDef = TableDef { name: "OneHotOptions", fields: &[
    FieldDef::new("axis", 0, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
] };

/// Table `Operator`.
pub static OPERATOR: TableDef = TableDef { name: "Operator", fields: &[
    FieldDef::new("opcode_index", 0, Kind::Scalar(Scalar::U32), DefaultValue::Int(0)),
    FieldDef::new("inputs", 1, Kind::Vector(Element::Scalar(Scalar::I32)), Absent),
    FieldDef::new("outputs", 2, Kind::Vector(Element::Scalar(Scalar::I32)), Absent),
    FieldDef::new("builtin_options", 4, Kind::Union(&BUILTIN_OPTIONS), Absent),
    FieldDef::new("custom_options", 5, Kind::Vector(Element::Scalar(Scalar::U8)), Absent),
    FieldDef::new("custom_options_format", 6, Kind::Enum(&CUSTOM_OPTIONS_FORMAT), DefaultValue::Int(0)),
    FieldDef::new("mutating_variable_inputs", 7, Kind::Vector(Element::Scalar(Scalar::Bool)), Absent),
    FieldDef::new("intermediates", 8, Kind::Vector(Element::Scalar(Scalar::I32)), Absent),
    FieldDef::new("large_custom_options_offset", 9, Kind::Scalar(Scalar::U64), DefaultValue::Int(0)),
    FieldDef::new("large_custom_options_size", 10, Kind::Scalar(Scalar::U64), DefaultValue::Int(0)),
    FieldDef::new("builtin_options_2", 12, Kind::Union(&BUILTIN_OPTIONS2), Absent),
    FieldDef::new("debug_metadata_index", 13, Kind::Scalar(Scalar::I32), DefaultValue::Int(-1)),
] };

/// Table `OperatorCode`.
pub static OPERATOR_CODE: TableDef = TableDef { name: "OperatorCode", fields: &[
    FieldDef::new("deprecated_builtin_code", 0, Kind::Scalar(Scalar::I8), DefaultValue::Int(0)),
    FieldDef::new("custom_code", 1, Kind::String, Absent),
    FieldDef::new("version", 2, Kind::Scalar(Scalar::I32), DefaultValue::Int(1)),
    FieldDef::new("builtin_code", 3, Kind::Enum(&BUILTIN_OPERATOR), DefaultValue::Int(0)),
] };

/// Table `PackOptions`.
pub static PACK_OPTIONS: TableDef = TableDef { name: "PackOptions", fields: &[
    FieldDef::new("values_count", 0, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("axis", 1, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
] };

/// Table `PadOptions`.
pub static PAD_OPTIONS: TableDef = TableDef { name: "PadOptions", fields: &[
] };

/// Table `PadV2Options`.
pub static PAD_V2_OPTIONS: TableDef = TableDef { name: "PadV2Options", fields: &[
] };

/// Table `Pool2DOptions`.
pub static POOL2D_OPTIONS: TableDef = TableDef { name: "Pool2DOptions", fields: &[
    FieldDef::new("padding", 0, Kind::Enum(&PADDING), DefaultValue::Int(0)),
    FieldDef::new("stride_w", 1, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("stride_h", 2, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("filter_width", 3, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("filter_height", 4, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("fused_activation_function", 5, Kind::Enum(&ACTIVATION_FUNCTION_TYPE), DefaultValue::Int(0)),
] };

/// Table `PowOptions`.
pub static POW_OPTIONS: TableDef = TableDef { name: "PowOptions", fields: &[
] };

/// Table `QuantizationParameters`.
pub static QUANTIZATION_PARAMETERS: TableDef = TableDef { name: "QuantizationParameters", fields: &[
    FieldDef::new("min", 0, Kind::Vector(Element::Scalar(Scalar::F32)), Absent),
    FieldDef::new("max", 1, Kind::Vector(Element::Scalar(Scalar::F32)), Absent),
    FieldDef::new("scale", 2, Kind::Vector(Element::Scalar(Scalar::F32)), Absent),
    FieldDef::new("zero_point", 3, Kind::Vector(Element::Scalar(Scalar::I64)), Absent),
    FieldDef::new("details", 5, Kind::Union(&QUANTIZATION_DETAILS), Absent),
    FieldDef::new("quantized_dimension", 6, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
] };

/// Table `QuantizeOptions`.
pub static QUANTIZE_OPTIONS: TableDef = TableDef { name: "QuantizeOptions", fields: &[
] };

/// Table `RNNOptions`.
pub static RNN_OPTIONS: TableDef = TableDef { name: "RNNOptions", fields: &[
    FieldDef::new("fused_activation_function", 0, Kind::Enum(&ACTIVATION_FUNCTION_TYPE), DefaultValue::Int(0)),
    FieldDef::new("asymmetric_quantize_inputs", 1, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
] };

/// Table `RandomOptions`.
pub static RANDOM_OPTIONS: TableDef = TableDef { name: "RandomOptions", fields: &[
    FieldDef::new("seed", 0, Kind::Scalar(Scalar::I64), DefaultValue::Int(0)),
    FieldDef::new("seed2", 1, Kind::Scalar(Scalar::I64), DefaultValue::Int(0)),
] };

/// Table `RangeOptions`.
pub static RANGE_OPTIONS: TableDef = TableDef { name: "RangeOptions", fields: &[
] };

/// Table `RankOptions`.
pub static RANK_OPTIONS: TableDef = TableDef { name: "RankOptions", fields: &[
] };

/// Table `ReadVariableOptions`.
pub static READ_VARIABLE_OPTIONS: TableDef = TableDef { name: "ReadVariableOptions", fields: &[
] };

/// Table `ReduceWindowOptions`.
pub static REDUCE_WINDOW_OPTIONS: TableDef = TableDef { name: "ReduceWindowOptions", fields: &[
    FieldDef::new("reduce_function", 0, Kind::Enum(&REDUCE_WINDOW_FUNCTION), DefaultValue::Int(0)),
] };

/// Table `ReducerOptions`.
pub static REDUCER_OPTIONS: TableDef = TableDef { name: "ReducerOptions", fields: &[
    FieldDef::new("keep_dims", 0, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
] };

/// Table `ReshapeOptions`.
pub static RESHAPE_OPTIONS: TableDef = TableDef { name: "ReshapeOptions", fields: &[
    FieldDef::new("new_shape", 0, Kind::Vector(Element::Scalar(Scalar::I32)), Absent),
] };

/// Table `ResizeBilinearOptions`.
pub static RESIZE_BILINEAR_OPTIONS: TableDef = TableDef { name: "ResizeBilinearOptions", fields: &[
    FieldDef::deprecated("new_height", 0, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::deprecated("new_width", 1, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("align_corners", 2, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
    FieldDef::new("half_pixel_centers", 3, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
] };

/// Table `ResizeNearestNeighborOptions`.
pub static RESIZE_NEAREST_NEIGHBOR_OPTIONS: TableDef = TableDef { name: "ResizeNearestNeighborOptions", fields: &[
    FieldDef::new("align_corners", 0, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
    FieldDef::new("half_pixel_centers", 1, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
] };

/// Table `ReverseSequenceOptions`.
pub static REVERSE_SEQUENCE_OPTIONS: TableDef = TableDef { name: "ReverseSequenceOptions", fields: &[
    FieldDef::new("seq_dim", 0, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("batch_dim", 1, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
] };

/// Table `ReverseV2Options`.
pub static REVERSE_V2_OPTIONS: TableDef = TableDef { name: "ReverseV2Options", fields: &[
] };

/// Table `Rfft2dOptions`.
pub static RFFT2D_OPTIONS: TableDef = TableDef { name: "Rfft2dOptions", fields: &[
] };

/// Table `RightShiftOptions`.
pub static RIGHT_SHIFT_OPTIONS: TableDef = TableDef { name: "RightShiftOptions", fields: &[
] };

/// Table `RmsNormOptions`.
pub static RMS_NORM_OPTIONS: TableDef = TableDef { name: "RmsNormOptions", fields: &[
    FieldDef::new("epsilon", 0, Kind::Scalar(Scalar::F32), DefaultValue::F32(0.0)),
] };

/// Table `RoPEOptions`.
pub static ROPE_OPTIONS: TableDef = TableDef { name: "RoPEOptions", fields: &[
    FieldDef::new("mode", 0, Kind::Enum(&ROPE_MODE), DefaultValue::Int(0)),
] };

/// Table `RunModelOptions`.
pub static RUN_MODEL_OPTIONS: TableDef = TableDef { name: "RunModelOptions", fields: &[
    FieldDef::new("location", 0, Kind::String, Absent),
    FieldDef::new("signature", 1, Kind::String, Absent),
] };

/// Table `SVDFOptions`.
pub static SVDF_OPTIONS: TableDef = TableDef { name: "SVDFOptions", fields: &[
    FieldDef::new("rank", 0, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("fused_activation_function", 1, Kind::Enum(&ACTIVATION_FUNCTION_TYPE), DefaultValue::Int(0)),
    FieldDef::new("asymmetric_quantize_inputs", 2, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
] };

/// Table `ScatterNdOptions`.
pub static SCATTER_ND_OPTIONS: TableDef = TableDef { name: "ScatterNdOptions", fields: &[
] };

/// Table `SegmentSumOptions`.
pub static SEGMENT_SUM_OPTIONS: TableDef = TableDef { name: "SegmentSumOptions", fields: &[
] };

/// Table `SelectOptions`.
pub static SELECT_OPTIONS: TableDef = TableDef { name: "SelectOptions", fields: &[
] };

/// Table `SelectV2Options`.
pub static SELECT_V2_OPTIONS: TableDef = TableDef { name: "SelectV2Options", fields: &[
] };

/// Table `SequenceRNNOptions`.
pub static SEQUENCE_RNN_OPTIONS: TableDef = TableDef { name: "SequenceRNNOptions", fields: &[
    FieldDef::new("time_major", 0, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
    FieldDef::new("fused_activation_function", 1, Kind::Enum(&ACTIVATION_FUNCTION_TYPE), DefaultValue::Int(0)),
    FieldDef::new("asymmetric_quantize_inputs", 2, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
] };

/// Table `ShapeOptions`.
pub static SHAPE_OPTIONS: TableDef = TableDef { name: "ShapeOptions", fields: &[
    FieldDef::new("out_type", 0, Kind::Enum(&TENSOR_TYPE), DefaultValue::Int(0)),
] };

/// Table `SignOptions`.
pub static SIGN_OPTIONS: TableDef = TableDef { name: "SignOptions", fields: &[
] };

/// Table `SignatureDef`.
pub static SIGNATURE_DEF: TableDef = TableDef { name: "SignatureDef", fields: &[
    FieldDef::new("inputs", 0, Kind::Vector(Element::Table(&TENSOR_MAP)), Absent),
    FieldDef::new("outputs", 1, Kind::Vector(Element::Table(&TENSOR_MAP)), Absent),
    FieldDef::new("signature_key", 2, Kind::String, Absent),
    FieldDef::deprecated("deprecated_tag", 3, Kind::String, Absent),
    FieldDef::new("subgraph_index", 4, Kind::Scalar(Scalar::U32), DefaultValue::Int(0)),
] };

/// Table `SkipGramOptions`.
pub static SKIP_GRAM_OPTIONS: TableDef = TableDef { name: "SkipGramOptions", fields: &[
    FieldDef::new("ngram_size", 0, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("max_skip_size", 1, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("include_all_ngrams", 2, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
] };

/// Table `SliceOptions`.
pub static SLICE_OPTIONS: TableDef = TableDef { name: "SliceOptions", fields: &[
] };

/// Table `SoftmaxOptions`.
pub static SOFTMAX_OPTIONS: TableDef = TableDef { name: "SoftmaxOptions", fields: &[
    FieldDef::new("beta", 0, Kind::Scalar(Scalar::F32), DefaultValue::F32(0.0)),
] };

/// Table `SpaceToBatchNDOptions`.
pub static SPACE_TO_BATCH_ND_OPTIONS: TableDef = TableDef { name: "SpaceToBatchNDOptions", fields: &[
] };

/// Table `SpaceToDepthOptions`.
pub static SPACE_TO_DEPTH_OPTIONS: TableDef = TableDef { name: "SpaceToDepthOptions", fields: &[
    FieldDef::new("block_size", 0, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
] };

/// Table `SparseToDenseOptions`.
pub static SPARSE_TO_DENSE_OPTIONS: TableDef = TableDef { name: "SparseToDenseOptions", fields: &[
    FieldDef::new("validate_indices", 0, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
] };

/// Table `SparsityParameters`.
pub static SPARSITY_PARAMETERS: TableDef = TableDef { name: "SparsityParameters", fields: &[
    FieldDef::new("traversal_order", 0, Kind::Vector(Element::Scalar(Scalar::I32)), Absent),
    FieldDef::new("block_map", 1, Kind::Vector(Element::Scalar(Scalar::I32)), Absent),
    FieldDef::new("dim_metadata", 2, Kind::Vector(Element::Table(&DIMENSION_METADATA)), Absent),
] };

/// Table `SplitOptions`.
pub static SPLIT_OPTIONS: TableDef = TableDef { name: "SplitOptions", fields: &[
    FieldDef::new("num_splits", 0, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
] };

/// Table `SplitVOptions`.
pub static SPLIT_V_OPTIONS: TableDef = TableDef { name: "SplitVOptions", fields: &[
    FieldDef::new("num_splits", 0, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
] };

/// Table `SquareOptions`.
pub static SQUARE_OPTIONS: TableDef = TableDef { name: "SquareOptions", fields: &[
] };

/// Table `SquaredDifferenceOptions`.
pub static SQUARED_DIFFERENCE_OPTIONS: TableDef = TableDef { name: "SquaredDifferenceOptions", fields: &[
] };

/// Table `SqueezeOptions`.
pub static SQUEEZE_OPTIONS: TableDef = TableDef { name: "SqueezeOptions", fields: &[
    FieldDef::new("squeeze_dims", 0, Kind::Vector(Element::Scalar(Scalar::I32)), Absent),
] };

/// Table `StableHLOCompositeOptions`.
pub static STABLEHLO_COMPOSITE_OPTIONS: TableDef = TableDef { name: "StableHLOCompositeOptions", fields: &[
    FieldDef::new("name", 0, Kind::String, Absent),
    FieldDef::new("decomposition_subgraph_index", 1, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("composite_attributes", 2, Kind::Vector(Element::Scalar(Scalar::U8)), Absent),
    FieldDef::new("composite_attributes_format", 3, Kind::Enum(&CUSTOM_OPTIONS_FORMAT), DefaultValue::Int(0)),
    FieldDef::new("version", 4, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
] };

/// Table `StablehloBroadcastInDimOptions`.
pub static STABLEHLO_BROADCAST_IN_DIM_OPTIONS: TableDef = TableDef { name: "StablehloBroadcastInDimOptions", fields: &[
    FieldDef::new("broadcast_dimensions", 0, Kind::Vector(Element::Scalar(Scalar::I64)), Absent),
] };

/// Table `StablehloCaseOptions`.
pub static STABLEHLO_CASE_OPTIONS: TableDef = TableDef { name: "StablehloCaseOptions", fields: &[
    FieldDef::new("branch_subgraph_indices", 0, Kind::Vector(Element::Scalar(Scalar::I32)), Absent),
] };

/// Table `StablehloCompareOptions`.
pub static STABLEHLO_COMPARE_OPTIONS: TableDef = TableDef { name: "StablehloCompareOptions", fields: &[
    FieldDef::new("comparison_direction", 0, Kind::Enum(&STABLEHLO_COMPARISON_DIRECTION), DefaultValue::Int(0)),
    FieldDef::new("compare_type", 1, Kind::Enum(&STABLEHLO_COMPARISON_TYPE), DefaultValue::Int(0)),
] };

/// Table `StablehloConcatenateOptions`.
pub static STABLEHLO_CONCATENATE_OPTIONS: TableDef = TableDef { name: "StablehloConcatenateOptions", fields: &[
    FieldDef::new("dimension", 0, Kind::Scalar(Scalar::I64), DefaultValue::Int(0)),
] };

/// Table `StablehloConvolutionOptions`.
pub static STABLEHLO_CONVOLUTION_OPTIONS: TableDef = TableDef { name: "StablehloConvolutionOptions", fields: &[
    FieldDef::new("window_strides", 0, Kind::Vector(Element::Scalar(Scalar::I64)), Absent),
    FieldDef::new("padding", 1, Kind::Vector(Element::Scalar(Scalar::I64)), Absent),
    FieldDef::new("lhs_dilation", 2, Kind::Vector(Element::Scalar(Scalar::I64)), Absent),
    FieldDef::new("rhs_dilation", 3, Kind::Vector(Element::Scalar(Scalar::I64)), Absent),
    FieldDef::new("window_reversal", 4, Kind::Vector(Element::Scalar(Scalar::Bool)), Absent),
    FieldDef::new("input_batch_dimension", 5, Kind::Scalar(Scalar::I64), DefaultValue::Int(0)),
    FieldDef::new("input_feature_dimension", 6, Kind::Scalar(Scalar::I64), DefaultValue::Int(0)),
    FieldDef::new("input_spatial_dimensions", 7, Kind::Vector(Element::Scalar(Scalar::I64)), Absent),
    FieldDef::new("kernel_input_feature_dimension", 8, Kind::Scalar(Scalar::I64), DefaultValue::Int(0)),
    FieldDef::new("kernel_output_feature_dimension", 9, Kind::Scalar(Scalar::I64), DefaultValue::Int(0)),
    FieldDef::new("kernel_spatial_dimensions", 10, Kind::Vector(Element::Scalar(Scalar::I64)), Absent),
    FieldDef::new("output_batch_dimension", 11, Kind::Scalar(Scalar::I64), DefaultValue::Int(0)),
    FieldDef::new("output_feature_dimension", 12, Kind::Scalar(Scalar::I64), DefaultValue::Int(0)),
    FieldDef::new("output_spatial_dimensions", 13, Kind::Vector(Element::Scalar(Scalar::I64)), Absent),
    FieldDef::new("feature_group_count", 14, Kind::Scalar(Scalar::I64), DefaultValue::Int(0)),
    FieldDef::new("batch_group_count", 15, Kind::Scalar(Scalar::I64), DefaultValue::Int(0)),
    FieldDef::new("precision_config", 16, Kind::Vector(Element::Enum(&STABLEHLO_PRECISION_CONFIG)), Absent),
] };

/// Table `StablehloCustomCallOptions`.
pub static STABLEHLO_CUSTOM_CALL_OPTIONS: TableDef = TableDef { name: "StablehloCustomCallOptions", fields: &[
    FieldDef::new("call_target_name", 0, Kind::String, Absent),
    FieldDef::new("has_side_effect", 1, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
    FieldDef::new("backend_config", 2, Kind::String, Absent),
    FieldDef::new("api_version", 3, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("called_computations", 4, Kind::Vector(Element::Scalar(Scalar::I32)), Absent),
    FieldDef::new("custom_attributes", 5, Kind::Vector(Element::Scalar(Scalar::U8)), Absent),
] };

/// Table `StablehloDotGeneralOptions`.
pub static STABLEHLO_DOT_GENERAL_OPTIONS: TableDef = TableDef { name: "StablehloDotGeneralOptions", fields: &[
    FieldDef::new("lhs_batching_dimensions", 0, Kind::Vector(Element::Scalar(Scalar::I64)), Absent),
    FieldDef::new("rhs_batching_dimensions", 1, Kind::Vector(Element::Scalar(Scalar::I64)), Absent),
    FieldDef::new("lhs_contracting_dimensions", 2, Kind::Vector(Element::Scalar(Scalar::I64)), Absent),
    FieldDef::new("rhs_contracting_dimensions", 3, Kind::Vector(Element::Scalar(Scalar::I64)), Absent),
    FieldDef::new("precision_config", 4, Kind::Vector(Element::Enum(&STABLEHLO_PRECISION_CONFIG)), Absent),
] };

/// Table `StablehloDynamicSliceOptions`.
pub static STABLEHLO_DYNAMIC_SLICE_OPTIONS: TableDef = TableDef { name: "StablehloDynamicSliceOptions", fields: &[
    FieldDef::new("slice_sizes", 0, Kind::Vector(Element::Scalar(Scalar::I64)), Absent),
] };

/// Table `StablehloGatherOptions`.
pub static STABLEHLO_GATHER_OPTIONS: TableDef = TableDef { name: "StablehloGatherOptions", fields: &[
    FieldDef::new("offset_dims", 0, Kind::Vector(Element::Scalar(Scalar::I64)), Absent),
    FieldDef::new("collapsed_slice_dims", 1, Kind::Vector(Element::Scalar(Scalar::I64)), Absent),
    FieldDef::new("start_index_map", 2, Kind::Vector(Element::Scalar(Scalar::I64)), Absent),
    FieldDef::new("index_vector_dim", 3, Kind::Scalar(Scalar::I64), DefaultValue::Int(0)),
    FieldDef::new("slice_sizes", 4, Kind::Vector(Element::Scalar(Scalar::I64)), Absent),
    FieldDef::new("indices_are_sorted", 5, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
] };

/// Table `StablehloIotaOptions`.
pub static STABLEHLO_IOTA_OPTIONS: TableDef = TableDef { name: "StablehloIotaOptions", fields: &[
    FieldDef::new("iota_dimension", 0, Kind::Scalar(Scalar::I64), DefaultValue::Int(0)),
] };

/// Table `StablehloPadOptions`.
pub static STABLEHLO_PAD_OPTIONS: TableDef = TableDef { name: "StablehloPadOptions", fields: &[
    FieldDef::new("edge_padding_low", 0, Kind::Vector(Element::Scalar(Scalar::I64)), Absent),
    FieldDef::new("edge_padding_high", 1, Kind::Vector(Element::Scalar(Scalar::I64)), Absent),
    FieldDef::new("interior_padding", 2, Kind::Vector(Element::Scalar(Scalar::I64)), Absent),
] };

/// Table `StablehloReduceOptions`.
pub static STABLEHLO_REDUCE_OPTIONS: TableDef = TableDef { name: "StablehloReduceOptions", fields: &[
    FieldDef::new("dimensions", 0, Kind::Vector(Element::Scalar(Scalar::I64)), Absent),
    FieldDef::new("body_subgraph_index", 1, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
] };

/// Table `StablehloReduceWindowOptions`.
pub static STABLEHLO_REDUCE_WINDOW_OPTIONS: TableDef = TableDef { name: "StablehloReduceWindowOptions", fields: &[
    FieldDef::new("window_dimensions", 0, Kind::Vector(Element::Scalar(Scalar::I64)), Absent),
    FieldDef::new("window_strides", 1, Kind::Vector(Element::Scalar(Scalar::I64)), Absent),
    FieldDef::new("base_dilations", 2, Kind::Vector(Element::Scalar(Scalar::I64)), Absent),
    FieldDef::new("window_dilations", 3, Kind::Vector(Element::Scalar(Scalar::I64)), Absent),
    FieldDef::new("padding", 4, Kind::Vector(Element::Scalar(Scalar::I64)), Absent),
    FieldDef::new("body_subgraph_index", 5, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
] };

/// Table `StablehloRngBitGeneratorOptions`.
pub static STABLEHLO_RNG_BIT_GENERATOR_OPTIONS: TableDef = TableDef { name: "StablehloRngBitGeneratorOptions", fields: &[
    FieldDef::new("algorithm", 0, Kind::Enum(&RNG_ALGORITHM), DefaultValue::Int(0)),
] };

/// Table `StablehloScatterOptions`.
pub static STABLEHLO_SCATTER_OPTIONS: TableDef = TableDef { name: "StablehloScatterOptions", fields: &[
    FieldDef::new("indices_are_sorted", 0, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
    FieldDef::new("update_window_dims", 1, Kind::Vector(Element::Scalar(Scalar::I64)), Absent),
    FieldDef::new("inserted_window_dims", 2, Kind::Vector(Element::Scalar(Scalar::I64)), Absent),
    FieldDef::new("scatter_dims_to_operand_dims", 3, Kind::Vector(Element::Scalar(Scalar::I64)), Absent),
    FieldDef::new("index_vector_dim", 4, Kind::Scalar(Scalar::I64), DefaultValue::Int(0)),
    FieldDef::new("unique_indices", 5, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
    FieldDef::new("update_computation_subgraph_index", 6, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
] };

/// Table `StablehloShiftLeftOptions`.
pub static STABLEHLO_SHIFT_LEFT_OPTIONS: TableDef = TableDef { name: "StablehloShiftLeftOptions", fields: &[
] };

/// Table `StablehloSliceOptions`.
pub static STABLEHLO_SLICE_OPTIONS: TableDef = TableDef { name: "StablehloSliceOptions", fields: &[
    FieldDef::new("start_indices", 0, Kind::Vector(Element::Scalar(Scalar::I64)), Absent),
    FieldDef::new("limit_indices", 1, Kind::Vector(Element::Scalar(Scalar::I64)), Absent),
    FieldDef::new("strides", 2, Kind::Vector(Element::Scalar(Scalar::I64)), Absent),
] };

/// Table `StablehloSortOptions`.
pub static STABLEHLO_SORT_OPTIONS: TableDef = TableDef { name: "StablehloSortOptions", fields: &[
    FieldDef::new("dimension", 0, Kind::Scalar(Scalar::I64), DefaultValue::Int(0)),
    FieldDef::new("is_stable", 1, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
    FieldDef::new("comparator_subgraph_index", 2, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
] };

/// Table `StablehloTransposeOptions`.
pub static STABLEHLO_TRANSPOSE_OPTIONS: TableDef = TableDef { name: "StablehloTransposeOptions", fields: &[
    FieldDef::new("permutation", 0, Kind::Vector(Element::Scalar(Scalar::I64)), Absent),
] };

/// Table `StablehloWhileOptions`.
pub static STABLEHLO_WHILE_OPTIONS: TableDef = TableDef { name: "StablehloWhileOptions", fields: &[
    FieldDef::new("cond_subgraph_index", 0, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("body_subgraph_index", 1, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
] };

/// Table `StridedSliceOptions`.
pub static STRIDED_SLICE_OPTIONS: TableDef = TableDef { name: "StridedSliceOptions", fields: &[
    FieldDef::new("begin_mask", 0, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("end_mask", 1, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("ellipsis_mask", 2, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("new_axis_mask", 3, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("shrink_axis_mask", 4, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("offset", 5, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
] };

/// Table `SubGraph`.
pub static SUB_GRAPH: TableDef = TableDef { name: "SubGraph", fields: &[
    FieldDef::new("tensors", 0, Kind::Vector(Element::Table(&TENSOR)), Absent),
    FieldDef::new("inputs", 1, Kind::Vector(Element::Scalar(Scalar::I32)), Absent),
    FieldDef::new("outputs", 2, Kind::Vector(Element::Scalar(Scalar::I32)), Absent),
    FieldDef::new("operators", 3, Kind::Vector(Element::Table(&OPERATOR)), Absent),
    FieldDef::new("name", 4, Kind::String, Absent),
    FieldDef::deprecated("deprecated_data_format", 5, Kind::Enum(&DATA_FORMAT), DefaultValue::Int(0)),
    FieldDef::new("debug_metadata_index", 6, Kind::Scalar(Scalar::I32), DefaultValue::Int(-1)),
] };

/// Table `SubOptions`.
pub static SUB_OPTIONS: TableDef = TableDef { name: "SubOptions", fields: &[
    FieldDef::new("fused_activation_function", 0, Kind::Enum(&ACTIVATION_FUNCTION_TYPE), DefaultValue::Int(0)),
    FieldDef::new("pot_scale_int16", 1, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(true)),
] };

/// Table `Tensor`.
pub static TENSOR: TableDef = TableDef { name: "Tensor", fields: &[
    FieldDef::new("shape", 0, Kind::Vector(Element::Scalar(Scalar::I32)), Absent),
    FieldDef::new("type", 1, Kind::Enum(&TENSOR_TYPE), DefaultValue::Int(0)),
    FieldDef::new("buffer", 2, Kind::Scalar(Scalar::U32), DefaultValue::Int(0)),
    FieldDef::new("name", 3, Kind::String, Absent),
    FieldDef::new("quantization", 4, Kind::Table(&QUANTIZATION_PARAMETERS), Absent),
    FieldDef::new("is_variable", 5, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
    FieldDef::new("sparsity", 6, Kind::Table(&SPARSITY_PARAMETERS), Absent),
    FieldDef::new("shape_signature", 7, Kind::Vector(Element::Scalar(Scalar::I32)), Absent),
    FieldDef::new("has_rank", 8, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
    FieldDef::new("variant_tensors", 9, Kind::Vector(Element::Table(&VARIANT_SUB_TYPE)), Absent),
    FieldDef::new("compression_type", 10, Kind::Enum(&COMPRESSION_TYPE), DefaultValue::Int(0)),
] };

/// Table `TensorMap`.
pub static TENSOR_MAP: TableDef = TableDef { name: "TensorMap", fields: &[
    FieldDef::new("name", 0, Kind::String, Absent),
    FieldDef::new("tensor_index", 1, Kind::Scalar(Scalar::U32), DefaultValue::Int(0)),
] };

/// Table `TileOptions`.
pub static TILE_OPTIONS: TableDef = TableDef { name: "TileOptions", fields: &[
] };

/// Table `TopKV2Options`.
pub static TOP_KV2_OPTIONS: TableDef = TableDef { name: "TopKV2Options", fields: &[
] };

/// Table `TransposeConvOptions`.
pub static TRANSPOSE_CONV_OPTIONS: TableDef = TableDef { name: "TransposeConvOptions", fields: &[
    FieldDef::new("padding", 0, Kind::Enum(&PADDING), DefaultValue::Int(0)),
    FieldDef::new("stride_w", 1, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("stride_h", 2, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("fused_activation_function", 3, Kind::Enum(&ACTIVATION_FUNCTION_TYPE), DefaultValue::Int(0)),
    FieldDef::new("quantized_bias_type", 4, Kind::Enum(&TENSOR_TYPE), DefaultValue::Int(0)),
] };

/// Table `TransposeOptions`.
pub static TRANSPOSE_OPTIONS: TableDef = TableDef { name: "TransposeOptions", fields: &[
] };

/// Table `Uint16Vector`.
pub static UINT16_VECTOR: TableDef = TableDef { name: "Uint16Vector", fields: &[
    FieldDef::new("values", 0, Kind::Vector(Element::Scalar(Scalar::U16)), Absent),
] };

/// Table `Uint8Vector`.
pub static UINT8_VECTOR: TableDef = TableDef { name: "Uint8Vector", fields: &[
    FieldDef::new("values", 0, Kind::Vector(Element::Scalar(Scalar::U8)), Absent),
] };

/// Table `UnidirectionalSequenceLSTMOptions`.
pub static UNIDIRECTIONAL_SEQUENCE_LSTM_OPTIONS: TableDef = TableDef { name: "UnidirectionalSequenceLSTMOptions", fields: &[
    FieldDef::new("fused_activation_function", 0, Kind::Enum(&ACTIVATION_FUNCTION_TYPE), DefaultValue::Int(0)),
    FieldDef::new("cell_clip", 1, Kind::Scalar(Scalar::F32), DefaultValue::F32(0.0)),
    FieldDef::new("proj_clip", 2, Kind::Scalar(Scalar::F32), DefaultValue::F32(0.0)),
    FieldDef::new("time_major", 3, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
    FieldDef::new("asymmetric_quantize_inputs", 4, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
    FieldDef::new("diagonal_recurrent_tensors", 5, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
] };

/// Table `UniqueOptions`.
pub static UNIQUE_OPTIONS: TableDef = TableDef { name: "UniqueOptions", fields: &[
    FieldDef::new("idx_out_type", 0, Kind::Enum(&TENSOR_TYPE), DefaultValue::Int(2)),
] };

/// Table `UnpackOptions`.
pub static UNPACK_OPTIONS: TableDef = TableDef { name: "UnpackOptions", fields: &[
    FieldDef::new("num", 0, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("axis", 1, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
] };

/// Table `UnsortedSegmentMaxOptions`.
pub static UNSORTED_SEGMENT_MAX_OPTIONS: TableDef = TableDef { name: "UnsortedSegmentMaxOptions", fields: &[
] };

/// Table `UnsortedSegmentMinOptions`.
pub static UNSORTED_SEGMENT_MIN_OPTIONS: TableDef = TableDef { name: "UnsortedSegmentMinOptions", fields: &[
] };

/// Table `UnsortedSegmentProdOptions`.
pub static UNSORTED_SEGMENT_PROD_OPTIONS: TableDef = TableDef { name: "UnsortedSegmentProdOptions", fields: &[
] };

/// Table `UnsortedSegmentSumOptions`.
pub static UNSORTED_SEGMENT_SUM_OPTIONS: TableDef = TableDef { name: "UnsortedSegmentSumOptions", fields: &[
] };

/// Table `VarHandleOptions`.
pub static VAR_HANDLE_OPTIONS: TableDef = TableDef { name: "VarHandleOptions", fields: &[
    FieldDef::new("container", 0, Kind::String, Absent),
    FieldDef::new("shared_name", 1, Kind::String, Absent),
] };

/// Table `VariantSubType`.
pub static VARIANT_SUB_TYPE: TableDef = TableDef { name: "VariantSubType", fields: &[
    FieldDef::new("shape", 0, Kind::Vector(Element::Scalar(Scalar::I32)), Absent),
    FieldDef::new("type", 1, Kind::Enum(&TENSOR_TYPE), DefaultValue::Int(0)),
    FieldDef::new("has_rank", 2, Kind::Scalar(Scalar::Bool), DefaultValue::Bool(false)),
] };

/// Table `WhereOptions`.
pub static WHERE_OPTIONS: TableDef = TableDef { name: "WhereOptions", fields: &[
] };

/// Table `WhileOptions`.
pub static WHILE_OPTIONS: TableDef = TableDef { name: "WhileOptions", fields: &[
    FieldDef::new("cond_subgraph_index", 0, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
    FieldDef::new("body_subgraph_index", 1, Kind::Scalar(Scalar::I32), DefaultValue::Int(0)),
] };

/// Table `ZerosLikeOptions`.
pub static ZEROS_LIKE_OPTIONS: TableDef = TableDef { name: "ZerosLikeOptions", fields: &[
] };

/// The circle schema, as `schema/circle.fbs` states it.
pub static CIRCLE: SchemaDef = SchemaDef {
    name: "circle",
    file_identifier: "CIR0",
    root: &MODEL,
    tables: &[
        &ATAN2_OPTIONS,
        &ABS_OPTIONS,
        &ADD_N_OPTIONS,
        &ADD_OPTIONS,
        &ARG_MAX_OPTIONS,
        &ARG_MIN_OPTIONS,
        &ASSIGN_VARIABLE_OPTIONS,
        &ATTENTION_OPTIONS,
        &BCQ_FULLY_CONNECTED_OPTIONS,
        &BCQ_GATHER_OPTIONS,
        &BATCH_MAT_MUL_OPTIONS,
        &BATCH_TO_SPACE_ND_OPTIONS,
        &BIDIRECTIONAL_SEQUENCE_LSTM_OPTIONS,
        &BIDIRECTIONAL_SEQUENCE_RNN_OPTIONS,
        &BITCAST_OPTIONS,
        &BITWISE_XOR_OPTIONS,
        &BLOCKWISE_QUANTIZATION,
        &BROADCAST_TO_OPTIONS,
        &BUCKETIZE_OPTIONS,
        &BUFFER,
        &CALL_ONCE_OPTIONS,
        &CALL_OPTIONS,
        &CAST_OPTIONS,
        &CONCAT_EMBEDDINGS_OPTIONS,
        &CONCATENATION_OPTIONS,
        &CONV2D_OPTIONS,
        &CONV3D_OPTIONS,
        &COS_OPTIONS,
        &CUMSUM_OPTIONS,
        &CUSTOM_QUANTIZATION,
        &DENSIFY_OPTIONS,
        &DEPTH_TO_SPACE_OPTIONS,
        &DEPTHWISE_CONV2D_OPTIONS,
        &DEQUANTIZE_OPTIONS,
        &DILATE_OPTIONS,
        &DIMENSION_METADATA,
        &DIV_OPTIONS,
        &DYNAMIC_UPDATE_SLICE_OPTIONS,
        &EMBEDDING_LOOKUP_SPARSE_OPTIONS,
        &EQUAL_OPTIONS,
        &EXP_OPTIONS,
        &EXPAND_DIMS_OPTIONS,
        &FAKE_QUANT_OPTIONS,
        &FILL_OPTIONS,
        &FLOOR_DIV_OPTIONS,
        &FLOOR_MOD_OPTIONS,
        &FULLY_CONNECTED_OPTIONS,
        &GRU_OPTIONS,
        &GATHER_ND_OPTIONS,
        &GATHER_OPTIONS,
        &GELU_OPTIONS,
        &GREATER_EQUAL_OPTIONS,
        &GREATER_OPTIONS,
        &HARD_SWISH_OPTIONS,
        &HASHTABLE_FIND_OPTIONS,
        &HASHTABLE_IMPORT_OPTIONS,
        &HASHTABLE_OPTIONS,
        &HASHTABLE_SIZE_OPTIONS,
        &IF_OPTIONS,
        &INSTANCE_NORM_OPTIONS,
        &INT32_VECTOR,
        &L2_NORM_OPTIONS,
        &LSH_PROJECTION_OPTIONS,
        &LSTM_OPTIONS,
        &LEAKY_RELU_OPTIONS,
        &LESS_EQUAL_OPTIONS,
        &LESS_OPTIONS,
        &LOCAL_RESPONSE_NORMALIZATION_OPTIONS,
        &LOG_SOFTMAX_OPTIONS,
        &LOGICAL_AND_OPTIONS,
        &LOGICAL_NOT_OPTIONS,
        &LOGICAL_OR_OPTIONS,
        &MX_QUANTIZATION,
        &MATRIX_DIAG_OPTIONS,
        &MATRIX_SET_DIAG_OPTIONS,
        &MAXIMUM_MINIMUM_OPTIONS,
        &METADATA,
        &MIRROR_PAD_OPTIONS,
        &MODEL,
        &MUL_OPTIONS,
        &NEG_OPTIONS,
        &NON_MAX_SUPPRESSION_V4_OPTIONS,
        &NON_MAX_SUPPRESSION_V5_OPTIONS,
        &NOT_EQUAL_OPTIONS,
        &ONE_HOT_OPTIONS,
        &OPERATOR,
        &OPERATOR_CODE,
        &PACK_OPTIONS,
        &PAD_OPTIONS,
        &PAD_V2_OPTIONS,
        &POOL2D_OPTIONS,
        &POW_OPTIONS,
        &QUANTIZATION_PARAMETERS,
        &QUANTIZE_OPTIONS,
        &RNN_OPTIONS,
        &RANDOM_OPTIONS,
        &RANGE_OPTIONS,
        &RANK_OPTIONS,
        &READ_VARIABLE_OPTIONS,
        &REDUCE_WINDOW_OPTIONS,
        &REDUCER_OPTIONS,
        &RESHAPE_OPTIONS,
        &RESIZE_BILINEAR_OPTIONS,
        &RESIZE_NEAREST_NEIGHBOR_OPTIONS,
        &REVERSE_SEQUENCE_OPTIONS,
        &REVERSE_V2_OPTIONS,
        &RFFT2D_OPTIONS,
        &RIGHT_SHIFT_OPTIONS,
        &RMS_NORM_OPTIONS,
        &ROPE_OPTIONS,
        &RUN_MODEL_OPTIONS,
        &SVDF_OPTIONS,
        &SCATTER_ND_OPTIONS,
        &SEGMENT_SUM_OPTIONS,
        &SELECT_OPTIONS,
        &SELECT_V2_OPTIONS,
        &SEQUENCE_RNN_OPTIONS,
        &SHAPE_OPTIONS,
        &SIGN_OPTIONS,
        &SIGNATURE_DEF,
        &SKIP_GRAM_OPTIONS,
        &SLICE_OPTIONS,
        &SOFTMAX_OPTIONS,
        &SPACE_TO_BATCH_ND_OPTIONS,
        &SPACE_TO_DEPTH_OPTIONS,
        &SPARSE_TO_DENSE_OPTIONS,
        &SPARSITY_PARAMETERS,
        &SPLIT_OPTIONS,
        &SPLIT_V_OPTIONS,
        &SQUARE_OPTIONS,
        &SQUARED_DIFFERENCE_OPTIONS,
        &SQUEEZE_OPTIONS,
        &STABLEHLO_COMPOSITE_OPTIONS,
        &STABLEHLO_BROADCAST_IN_DIM_OPTIONS,
        &STABLEHLO_CASE_OPTIONS,
        &STABLEHLO_COMPARE_OPTIONS,
        &STABLEHLO_CONCATENATE_OPTIONS,
        &STABLEHLO_CONVOLUTION_OPTIONS,
        &STABLEHLO_CUSTOM_CALL_OPTIONS,
        &STABLEHLO_DOT_GENERAL_OPTIONS,
        &STABLEHLO_DYNAMIC_SLICE_OPTIONS,
        &STABLEHLO_GATHER_OPTIONS,
        &STABLEHLO_IOTA_OPTIONS,
        &STABLEHLO_PAD_OPTIONS,
        &STABLEHLO_REDUCE_OPTIONS,
        &STABLEHLO_REDUCE_WINDOW_OPTIONS,
        &STABLEHLO_RNG_BIT_GENERATOR_OPTIONS,
        &STABLEHLO_SCATTER_OPTIONS,
        &STABLEHLO_SHIFT_LEFT_OPTIONS,
        &STABLEHLO_SLICE_OPTIONS,
        &STABLEHLO_SORT_OPTIONS,
        &STABLEHLO_TRANSPOSE_OPTIONS,
        &STABLEHLO_WHILE_OPTIONS,
        &STRIDED_SLICE_OPTIONS,
        &SUB_GRAPH,
        &SUB_OPTIONS,
        &TENSOR,
        &TENSOR_MAP,
        &TILE_OPTIONS,
        &TOP_KV2_OPTIONS,
        &TRANSPOSE_CONV_OPTIONS,
        &TRANSPOSE_OPTIONS,
        &UINT16_VECTOR,
        &UINT8_VECTOR,
        &UNIDIRECTIONAL_SEQUENCE_LSTM_OPTIONS,
        &UNIQUE_OPTIONS,
        &UNPACK_OPTIONS,
        &UNSORTED_SEGMENT_MAX_OPTIONS,
        &UNSORTED_SEGMENT_MIN_OPTIONS,
        &UNSORTED_SEGMENT_PROD_OPTIONS,
        &UNSORTED_SEGMENT_SUM_OPTIONS,
        &VAR_HANDLE_OPTIONS,
        &VARIANT_SUB_TYPE,
        &WHERE_OPTIONS,
        &WHILE_OPTIONS,
        &ZEROS_LIKE_OPTIONS,
    ],
    enums: &[
        &ACTIVATION_FUNCTION_TYPE,
        &BUILTIN_OPERATOR,
        &COMBINER_TYPE,
        &COMPRESSION_TYPE,
        &CUSTOM_OPTIONS_FORMAT,
        &DATA_FORMAT,
        &DIMENSION_TYPE,
        &FULLY_CONNECTED_OPTIONS_WEIGHTS_FORMAT,
        &LSH_PROJECTION_TYPE,
        &LSTM_KERNEL_TYPE,
        &MIRROR_PAD_MODE,
        &PADDING,
        &REDUCE_WINDOW_FUNCTION,
        &RNG_ALGORITHM,
        &ROPE_MODE,
        &STABLEHLO_COMPARISON_DIRECTION,
        &STABLEHLO_COMPARISON_TYPE,
        &STABLEHLO_PRECISION_CONFIG,
        &TENSOR_TYPE,
    ],
    unions: &[
        &BUILTIN_OPTIONS,
        &BUILTIN_OPTIONS2,
        &QUANTIZATION_DETAILS,
        &SPARSE_INDEX_VECTOR,
    ],
};
