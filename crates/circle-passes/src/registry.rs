//! All passes, by name. A test compares this list with the files in the folders and with the table in README.

use crate::rule::Pass;
use crate::{clean, decompose, fold, forward, fuse, merge, remove, substitute};

/// Every pass, sorted by name.
pub static PASSES: &[Pass] = &[
    Pass::Model(&merge::CommonSubexpressionElimination),
    Pass::Model(&clean::DeadCode),
    Pass::Rule(&decompose::DecomposeHardswish),
    Pass::Rule(&decompose::DecomposeSoftmax),
    Pass::Rule(&forward::ExpandBroadcastConst),
    Pass::Rule(&fold::FoldAddV2),
    Pass::Rule(&fold::FoldCast),
    Pass::Rule(&fold::FoldDequantize),
    Pass::Rule(&fold::FoldMul),
    Pass::Rule(&fold::FoldReshape),
    Pass::Rule(&fold::FoldSqueeze),
    Pass::Rule(&fold::FoldTranspose),
    Pass::Model(&forward::ForwardTransposeOp),
    Pass::Rule(&fuse::FuseActivationFunction),
    Pass::Rule(&fuse::FuseAddWithConv),
    Pass::Rule(&fuse::FuseAddWithFullyConnected),
    Pass::Rule(&fuse::FuseBatchnormWithConv),
    Pass::Rule(&fuse::FuseBatchnormWithDwconv),
    Pass::Rule(&fuse::FuseMeanWithMean),
    Pass::Rule(&fuse::FuseMulWithConv),
    Pass::Rule(&fuse::FuseMulWithFullyConnected),
    Pass::Rule(&fuse::FuseRsqrt),
    Pass::Rule(&fuse::FuseTransposeWithMean),
    Pass::Model(&merge::RemoveDuplicateConst),
    Pass::Rule(&remove::RemoveRedundantReshape),
    Pass::Rule(&remove::RemoveRedundantTranspose),
    Pass::Rule(&remove::RemoveUnnecessaryAdd),
    Pass::Rule(&remove::RemoveUnnecessaryCast),
    Pass::Rule(&remove::RemoveUnnecessaryReshape),
    Pass::Rule(&remove::RemoveUnnecessarySlice),
    Pass::Rule(&remove::RemoveUnnecessarySplit),
    Pass::Rule(&remove::RemoveUnnecessaryStridedSlice),
    Pass::Rule(&remove::RemoveUnnecessaryTranspose),
    Pass::Rule(&substitute::ReplaceSubWithAdd),
    Pass::Rule(&substitute::SubstitutePadV2ToPad),
    Pass::Rule(&substitute::SubstituteSqueezeToReshape),
    Pass::Rule(&substitute::SubstituteTransposeToReshape),
    Pass::Rule(&decompose::TransformSqrtDivToRsqrtMul),
];

/// The pass called `name`; `-` counts as `_`.
pub fn find(name: &str) -> Option<Pass> {
    let name = name.replace('-', "_");
    PASSES.iter().find(|pass| pass.name() == name).copied()
}
