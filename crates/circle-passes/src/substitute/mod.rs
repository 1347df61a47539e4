//! One operator becomes one of another kind.

mod padv2_to_pad;
mod replace_sub_with_add;
mod squeeze_to_reshape;
mod transpose_to_reshape;

pub(crate) use padv2_to_pad::SubstitutePadV2ToPad;
pub(crate) use replace_sub_with_add::ReplaceSubWithAdd;
pub(crate) use squeeze_to_reshape::SubstituteSqueezeToReshape;
pub(crate) use transpose_to_reshape::SubstituteTransposeToReshape;
