//! The group `--O1`: which passes it runs and in which order, to a fixed point.
//!
//! The order is: first what makes constants of operators (folds), then equal operators to one, then what changes
//! nothing goes, then transposes move out of the way, then those that are left and only move dimensions of one become
//! reshapes (earlier they could not vanish with others), then fusion, then equal constants to one (earlier, what is
//! computed from a shared one would claim to come from all that it stands for), and dead code last. Each comes before
//! what profits from it; what profits only afterwards has its turn in the next round. Rounds are repeated until
//! nothing fires. They come to an end because every pass of the group lowers the number of operators, or of operators
//! on constants, or of constants, or moves transposes towards the graph outputs.
//!
//! The group holds those of upstream's group of that name that exist here (upstream's list glues two names together by
//! a missing comma, so that neither runs; here both count), and beyond them `forward_transpose_op`, the other folds,
//! and whatever else lowers the number of operators without changing results. Left out are the passes that make
//! several operators of one or only larger constants.

use crate::registry::find;
use crate::rule::Pass;

/// Names of the passes of the group, in order.
pub const NAMES: &[&str] = &[
    "fold_add_v2",
    "fold_cast",
    "fold_dequantize",
    "fold_mul",
    "fold_reshape",
    "fold_squeeze",
    "fold_transpose",
    "common_subexpression_elimination",
    "remove_unnecessary_add",
    "remove_unnecessary_cast",
    "remove_unnecessary_reshape",
    "remove_unnecessary_slice",
    "remove_unnecessary_split",
    "remove_unnecessary_strided_slice",
    "remove_unnecessary_transpose",
    "remove_redundant_reshape",
    "remove_redundant_transpose",
    "forward_transpose_op",
    "substitute_padv2_to_pad",
    "substitute_squeeze_to_reshape",
    "substitute_transpose_to_reshape",
    "fuse_transpose_with_mean",
    "fuse_mean_with_mean",
    "fuse_rsqrt",
    "fuse_batchnorm_with_conv",
    "fuse_batchnorm_with_dwconv",
    "fuse_mul_with_conv",
    "fuse_add_with_conv",
    "fuse_mul_with_fullyconnected",
    "fuse_add_with_fully_connected",
    "fuse_activation_function",
    "remove_duplicate_const",
    "dead_code",
];

/// The passes of the group, in order.
pub fn passes() -> Vec<Pass> {
    NAMES.iter().filter_map(|name| find(name)).collect()
}
