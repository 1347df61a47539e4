//! The codes of circle's operators, as `schema/circle.fbs` states them.
//!
//! Written by `schema/regen.sh`. Do not edit.

/// `BuiltinOperator` -9.
pub const ATTENTION: i32 = -9;
/// `BuiltinOperator` -8.
pub const RUN_MODEL: i32 = -8;
/// `BuiltinOperator` -7.
pub const ROPE: i32 = -7;
/// `BuiltinOperator` -6.
pub const RMS_NORM: i32 = -6;
/// `BuiltinOperator` -5.
pub const GRU: i32 = -5;
/// `BuiltinOperator` -4.
pub const BCQ_GATHER: i32 = -4;
/// `BuiltinOperator` -3.
pub const BCQ_FULLY_CONNECTED: i32 = -3;
/// `BuiltinOperator` -2.
pub const INSTANCE_NORM: i32 = -2;
/// `BuiltinOperator` 0.
pub const ADD: i32 = 0;
/// `BuiltinOperator` 1.
pub const AVERAGE_POOL_2D: i32 = 1;
/// `BuiltinOperator` 2.
pub const CONCATENATION: i32 = 2;
/// `BuiltinOperator` 3.
pub const CONV_2D: i32 = 3;
/// `BuiltinOperator` 4.
pub const DEPTHWISE_CONV_2D: i32 = 4;
/// `BuiltinOperator` 5.
pub const DEPTH_TO_SPACE: i32 = 5;
/// `BuiltinOperator` 6.
pub const DEQUANTIZE: i32 = 6;
/// `BuiltinOperator` 7.
pub const EMBEDDING_LOOKUP: i32 = 7;
/// `BuiltinOperator` 8.
pub const FLOOR: i32 = 8;
/// `BuiltinOperator` 9.
pub const FULLY_CONNECTED: i32 = 9;
/// `BuiltinOperator` 10.
pub const HASHTABLE_LOOKUP: i32 = 10;
/// `BuiltinOperator` 11.
pub const L2_NORMALIZATION: i32 = 11;
/// `BuiltinOperator` 12.
pub const L2_POOL_2D: i32 = 12;
/// `BuiltinOperator` 13.
pub const LOCAL_RESPONSE_NORMALIZATION: i32 = 13;
/// `BuiltinOperator` 14.
pub const LOGISTIC: i32 = 14;
/// `BuiltinOperator` 15.
pub const LSH_PROJECTION: i32 = 15;
/// `BuiltinOperator` 16.
pub const LSTM: i32 = 16;
/// `BuiltinOperator` 17.
pub const MAX_POOL_2D: i32 = 17;
/// `BuiltinOperator` 18.
pub const MUL: i32 = 18;
/// `BuiltinOperator` 19.
pub const RELU: i32 = 19;
/// `BuiltinOperator` 20.
pub const RELU_N1_TO_1: i32 = 20;
/// `BuiltinOperator` 21.
pub const RELU6: i32 = 21;
/// `BuiltinOperator` 22.
pub const RESHAPE: i32 = 22;
/// `BuiltinOperator` 23.
pub const RESIZE_BILINEAR: i32 = 23;
/// `BuiltinOperator` 24.
pub const RNN: i32 = 24;
/// `BuiltinOperator` 25.
pub const SOFTMAX: i32 = 25;
/// `BuiltinOperator` 26.
pub const SPACE_TO_DEPTH: i32 = 26;
/// `BuiltinOperator` 27.
pub const SVDF: i32 = 27;
/// `BuiltinOperator` 28.
pub const TANH: i32 = 28;
/// `BuiltinOperator` 29.
pub const CONCAT_EMBEDDINGS: i32 = 29;
/// `BuiltinOperator` 30.
pub const SKIP_GRAM: i32 = 30;
/// `BuiltinOperator` 31.
pub const CALL: i32 = 31;
/// `BuiltinOperator` 32.
pub const CUSTOM: i32 = 32;
/// `BuiltinOperator` 33.
pub const EMBEDDING_LOOKUP_SPARSE: i32 = 33;
/// `BuiltinOperator` 34.
pub const PAD: i32 = 34;
/// `BuiltinOperator` 35.
pub const UNIDIRECTIONAL_SEQUENCE_RNN: i32 = 35;
/// `BuiltinOperator` 36.
pub const GATHER: i32 = 36;
/// `BuiltinOperator` 37.
pub const BATCH_TO_SPACE_ND: i32 = 37;
/// `BuiltinOperator` 38.
pub const SPACE_TO_BATCH_ND: i32 = 38;
/// `BuiltinOperator` 39.
pub const TRANSPOSE: i32 = 39;
/// `BuiltinOperator` 40.
pub const MEAN: i32 = 40;
/// `BuiltinOperator` 41.
pub const SUB: i32 = 41;
/// `BuiltinOperator` 42.
pub const DIV: i32 = 42;
/// `BuiltinOperator` 43.
pub const SQUEEZE: i32 = 43;
/// `BuiltinOperator` 44.
pub const UNIDIRECTIONAL_SEQUENCE_LSTM: i32 = 44;
/// `BuiltinOperator` 45.
pub const STRIDED_SLICE: i32 = 45;
/// `BuiltinOperator` 46.
pub const BIDIRECTIONAL_SEQUENCE_RNN: i32 = 46;
/// `BuiltinOperator` 47.
pub const EXP: i32 = 47;
/// `BuiltinOperator` 48.
pub const TOPK_V2: i32 = 48;
/// `BuiltinOperator` 49.
pub const SPLIT: i32 = 49;
/// `BuiltinOperator` 50.
pub const LOG_SOFTMAX: i32 = 50;
/// `BuiltinOperator` 51.
pub const DELEGATE: i32 = 51;
/// `BuiltinOperator` 52.
pub const BIDIRECTIONAL_SEQUENCE_LSTM: i32 = 52;
/// `BuiltinOperator` 53.
pub const CAST: i32 = 53;
/// `BuiltinOperator` 54.
pub const PRELU: i32 = 54;
/// `BuiltinOperator` 55.
pub const MAXIMUM: i32 = 55;
/// `BuiltinOperator` 56.
pub const ARG_MAX: i32 = 56;
/// `BuiltinOperator` 57.
pub const MINIMUM: i32 = 57;
/// `BuiltinOperator` 58.
pub const LESS: i32 = 58;
/// `BuiltinOperator` 59.
pub const NEG: i32 = 59;
/// `BuiltinOperator` 60.
pub const PADV2: i32 = 60;
/// `BuiltinOperator` 61.
pub const GREATER: i32 = 61;
/// `BuiltinOperator` 62.
pub const GREATER_EQUAL: i32 = 62;
/// `BuiltinOperator` 63.
pub const LESS_EQUAL: i32 = 63;
/// `BuiltinOperator` 64.
pub const SELECT: i32 = 64;
/// `BuiltinOperator` 65.
pub const SLICE: i32 = 65;
/// `BuiltinOperator` 66.
pub const SIN: i32 = 66;
/// `BuiltinOperator` 67.
pub const TRANSPOSE_CONV: i32 = 67;
/// `BuiltinOperator` 68.
pub const SPARSE_TO_DENSE: i32 = 68;
/// `BuiltinOperator` 69.
pub const TILE: i32 = 69;
/// `BuiltinOperator` 70.
pub const EXPAND_DIMS: i32 = 70;
/// `BuiltinOperator` 71.
pub const EQUAL: i32 = 71;
/// `BuiltinOperator` 72.
pub const NOT_EQUAL: i32 = 72;
/// `BuiltinOperator` 73.
pub const LOG: i32 = 73;
/// `BuiltinOperator` 74.
pub const SUM: i32 = 74;
/// `BuiltinOperator` 75.
pub const SQRT: i32 = 75;
/// `BuiltinOperator` 76.
pub const RSQRT: i32 = 76;
/// `BuiltinOperator` 77.
pub const SHAPE: i32 = 77;
/// `BuiltinOperator` 78.
pub const POW: i32 = 78;
/// `BuiltinOperator` 79.
pub const ARG_MIN: i32 = 79;
/// `BuiltinOperator` 80.
pub const FAKE_QUANT: i32 = 80;
/// `BuiltinOperator` 81.
pub const REDUCE_PROD: i32 = 81;
/// `BuiltinOperator` 82.
pub const REDUCE_MAX: i32 = 82;
/// `BuiltinOperator` 83.
pub const PACK: i32 = 83;
/// `BuiltinOperator` 84.
pub const LOGICAL_OR: i32 = 84;
/// `BuiltinOperator` 85.
pub const ONE_HOT: i32 = 85;
/// `BuiltinOperator` 86.
pub const LOGICAL_AND: i32 = 86;
/// `BuiltinOperator` 87.
pub const LOGICAL_NOT: i32 = 87;
/// `BuiltinOperator` 88.
pub const UNPACK: i32 = 88;
/// `BuiltinOperator` 89.
pub const REDUCE_MIN: i32 = 89;
/// `BuiltinOperator` 90.
pub const FLOOR_DIV: i32 = 90;
/// `BuiltinOperator` 91.
pub const REDUCE_ANY: i32 = 91;
/// `BuiltinOperator` 92.
pub const SQUARE: i32 = 92;
/// `BuiltinOperator` 93.
pub const ZEROS_LIKE: i32 = 93;
/// `BuiltinOperator` 94.
pub const FILL: i32 = 94;
/// `BuiltinOperator` 95.
pub const FLOOR_MOD: i32 = 95;
/// `BuiltinOperator` 96.
pub const RANGE: i32 = 96;
/// `BuiltinOperator` 97.
pub const RESIZE_NEAREST_NEIGHBOR: i32 = 97;
/// `BuiltinOperator` 98.
pub const LEAKY_RELU: i32 = 98;
/// `BuiltinOperator` 99.
pub const SQUARED_DIFFERENCE: i32 = 99;
/// `BuiltinOperator` 100.
pub const MIRROR_PAD: i32 = 100;
/// `BuiltinOperator` 101.
pub const ABS: i32 = 101;
/// `BuiltinOperator` 102.
pub const SPLIT_V: i32 = 102;
/// `BuiltinOperator` 103.
pub const UNIQUE: i32 = 103;
/// `BuiltinOperator` 104.
pub const CEIL: i32 = 104;
/// `BuiltinOperator` 105.
pub const REVERSE_V2: i32 = 105;
/// `BuiltinOperator` 106.
pub const ADD_N: i32 = 106;
/// `BuiltinOperator` 107.
pub const GATHER_ND: i32 = 107;
/// `BuiltinOperator` 108.
pub const COS: i32 = 108;
/// `BuiltinOperator` 109.
pub const WHERE: i32 = 109;
/// `BuiltinOperator` 110.
pub const RANK: i32 = 110;
/// `BuiltinOperator` 111.
pub const ELU: i32 = 111;
/// `BuiltinOperator` 112.
pub const REVERSE_SEQUENCE: i32 = 112;
/// `BuiltinOperator` 113.
pub const MATRIX_DIAG: i32 = 113;
/// `BuiltinOperator` 114.
pub const QUANTIZE: i32 = 114;
/// `BuiltinOperator` 115.
pub const MATRIX_SET_DIAG: i32 = 115;
/// `BuiltinOperator` 116.
pub const ROUND: i32 = 116;
/// `BuiltinOperator` 117.
pub const HARD_SWISH: i32 = 117;
/// `BuiltinOperator` 118.
pub const IF: i32 = 118;
/// `BuiltinOperator` 119.
pub const WHILE: i32 = 119;
/// `BuiltinOperator` 120.
pub const NON_MAX_SUPPRESSION_V4: i32 = 120;
/// `BuiltinOperator` 121.
pub const NON_MAX_SUPPRESSION_V5: i32 = 121;
/// `BuiltinOperator` 122.
pub const SCATTER_ND: i32 = 122;
/// `BuiltinOperator` 123.
pub const SELECT_V2: i32 = 123;
/// `BuiltinOperator` 124.
pub const DENSIFY: i32 = 124;
/// `BuiltinOperator` 125.
pub const SEGMENT_SUM: i32 = 125;
/// `BuiltinOperator` 126.
pub const BATCH_MATMUL: i32 = 126;
/// `BuiltinOperator` 127.
pub const PLACEHOLDER_FOR_GREATER_OP_CODES: i32 = 127;
/// `BuiltinOperator` 128.
pub const CUMSUM: i32 = 128;
/// `BuiltinOperator` 129.
pub const CALL_ONCE: i32 = 129;
/// `BuiltinOperator` 130.
pub const BROADCAST_TO: i32 = 130;
/// `BuiltinOperator` 131.
pub const RFFT2D: i32 = 131;
/// `BuiltinOperator` 132.
pub const CONV_3D: i32 = 132;
/// `BuiltinOperator` 133.
pub const IMAG: i32 = 133;
/// `BuiltinOperator` 134.
pub const REAL: i32 = 134;
/// `BuiltinOperator` 135.
pub const COMPLEX_ABS: i32 = 135;
/// `BuiltinOperator` 136.
pub const HASHTABLE: i32 = 136;
/// `BuiltinOperator` 137.
pub const HASHTABLE_FIND: i32 = 137;
/// `BuiltinOperator` 138.
pub const HASHTABLE_IMPORT: i32 = 138;
/// `BuiltinOperator` 139.
pub const HASHTABLE_SIZE: i32 = 139;
/// `BuiltinOperator` 140.
pub const REDUCE_ALL: i32 = 140;
/// `BuiltinOperator` 141.
pub const CONV_3D_TRANSPOSE: i32 = 141;
/// `BuiltinOperator` 142.
pub const VAR_HANDLE: i32 = 142;
/// `BuiltinOperator` 143.
pub const READ_VARIABLE: i32 = 143;
/// `BuiltinOperator` 144.
pub const ASSIGN_VARIABLE: i32 = 144;
/// `BuiltinOperator` 145.
pub const BROADCAST_ARGS: i32 = 145;
/// `BuiltinOperator` 146.
pub const RANDOM_STANDARD_NORMAL: i32 = 146;
/// `BuiltinOperator` 147.
pub const BUCKETIZE: i32 = 147;
/// `BuiltinOperator` 148.
pub const RANDOM_UNIFORM: i32 = 148;
/// `BuiltinOperator` 149.
pub const MULTINOMIAL: i32 = 149;
/// `BuiltinOperator` 150.
pub const GELU: i32 = 150;
/// `BuiltinOperator` 151.
pub const DYNAMIC_UPDATE_SLICE: i32 = 151;
/// `BuiltinOperator` 152.
pub const RELU_0_TO_1: i32 = 152;
/// `BuiltinOperator` 153.
pub const UNSORTED_SEGMENT_PROD: i32 = 153;
/// `BuiltinOperator` 154.
pub const UNSORTED_SEGMENT_MAX: i32 = 154;
/// `BuiltinOperator` 155.
pub const UNSORTED_SEGMENT_SUM: i32 = 155;
/// `BuiltinOperator` 156.
pub const ATAN2: i32 = 156;
/// `BuiltinOperator` 157.
pub const UNSORTED_SEGMENT_MIN: i32 = 157;
/// `BuiltinOperator` 158.
pub const SIGN: i32 = 158;
/// `BuiltinOperator` 159.
pub const BITCAST: i32 = 159;
/// `BuiltinOperator` 160.
pub const BITWISE_XOR: i32 = 160;
/// `BuiltinOperator` 161.
pub const RIGHT_SHIFT: i32 = 161;
/// `BuiltinOperator` 162.
pub const STABLEHLO_LOGISTIC: i32 = 162;
/// `BuiltinOperator` 163.
pub const STABLEHLO_ADD: i32 = 163;
/// `BuiltinOperator` 164.
pub const STABLEHLO_DIVIDE: i32 = 164;
/// `BuiltinOperator` 165.
pub const STABLEHLO_MULTIPLY: i32 = 165;
/// `BuiltinOperator` 166.
pub const STABLEHLO_MAXIMUM: i32 = 166;
/// `BuiltinOperator` 167.
pub const STABLEHLO_RESHAPE: i32 = 167;
/// `BuiltinOperator` 168.
pub const STABLEHLO_CLAMP: i32 = 168;
/// `BuiltinOperator` 169.
pub const STABLEHLO_CONCATENATE: i32 = 169;
/// `BuiltinOperator` 170.
pub const STABLEHLO_BROADCAST_IN_DIM: i32 = 170;
/// `BuiltinOperator` 171.
pub const STABLEHLO_CONVOLUTION: i32 = 171;
/// `BuiltinOperator` 172.
pub const STABLEHLO_SLICE: i32 = 172;
/// `BuiltinOperator` 173.
pub const STABLEHLO_CUSTOM_CALL: i32 = 173;
/// `BuiltinOperator` 174.
pub const STABLEHLO_REDUCE: i32 = 174;
/// `BuiltinOperator` 175.
pub const STABLEHLO_ABS: i32 = 175;
/// `BuiltinOperator` 176.
pub const STABLEHLO_AND: i32 = 176;
/// `BuiltinOperator` 177.
pub const STABLEHLO_COSINE: i32 = 177;
/// `BuiltinOperator` 178.
pub const STABLEHLO_EXPONENTIAL: i32 = 178;
/// `BuiltinOperator` 179.
pub const STABLEHLO_FLOOR: i32 = 179;
/// `BuiltinOperator` 180.
pub const STABLEHLO_LOG: i32 = 180;
/// `BuiltinOperator` 181.
pub const STABLEHLO_MINIMUM: i32 = 181;
/// `BuiltinOperator` 182.
pub const STABLEHLO_NEGATE: i32 = 182;
/// `BuiltinOperator` 183.
pub const STABLEHLO_OR: i32 = 183;
/// `BuiltinOperator` 184.
pub const STABLEHLO_POWER: i32 = 184;
/// `BuiltinOperator` 185.
pub const STABLEHLO_REMAINDER: i32 = 185;
/// `BuiltinOperator` 186.
pub const STABLEHLO_RSQRT: i32 = 186;
/// `BuiltinOperator` 187.
pub const STABLEHLO_SELECT: i32 = 187;
/// `BuiltinOperator` 188.
pub const STABLEHLO_SUBTRACT: i32 = 188;
/// `BuiltinOperator` 189.
pub const STABLEHLO_TANH: i32 = 189;
/// `BuiltinOperator` 190.
pub const STABLEHLO_SCATTER: i32 = 190;
/// `BuiltinOperator` 191.
pub const STABLEHLO_COMPARE: i32 = 191;
/// `BuiltinOperator` 192.
pub const STABLEHLO_CONVERT: i32 = 192;
/// `BuiltinOperator` 193.
pub const STABLEHLO_DYNAMIC_SLICE: i32 = 193;
/// `BuiltinOperator` 194.
pub const STABLEHLO_DYNAMIC_UPDATE_SLICE: i32 = 194;
/// `BuiltinOperator` 195.
pub const STABLEHLO_PAD: i32 = 195;
/// `BuiltinOperator` 196.
pub const STABLEHLO_IOTA: i32 = 196;
/// `BuiltinOperator` 197.
pub const STABLEHLO_DOT_GENERAL: i32 = 197;
/// `BuiltinOperator` 198.
pub const STABLEHLO_REDUCE_WINDOW: i32 = 198;
/// `BuiltinOperator` 199.
pub const STABLEHLO_SORT: i32 = 199;
/// `BuiltinOperator` 200.
pub const STABLEHLO_WHILE: i32 = 200;
/// `BuiltinOperator` 201.
pub const STABLEHLO_GATHER: i32 = 201;
/// `BuiltinOperator` 202.
pub const STABLEHLO_TRANSPOSE: i32 = 202;
/// `BuiltinOperator` 203.
pub const DILATE: i32 = 203;
/// `BuiltinOperator` 204.
pub const STABLEHLO_RNG_BIT_GENERATOR: i32 = 204;
/// `BuiltinOperator` 205.
pub const REDUCE_WINDOW: i32 = 205;
/// `BuiltinOperator` 206.
pub const STABLEHLO_COMPOSITE: i32 = 206;
/// `BuiltinOperator` 207.
pub const STABLEHLO_SHIFT_LEFT: i32 = 207;
/// `BuiltinOperator` 208.
pub const STABLEHLO_CBRT: i32 = 208;
/// `BuiltinOperator` 209.
pub const STABLEHLO_CASE: i32 = 209;
