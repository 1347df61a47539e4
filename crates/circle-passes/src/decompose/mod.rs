//! One operator becomes several.

mod hardswish;
mod softmax;
mod transform_sqrt_div_to_rsqrt_mul;

pub(crate) use hardswish::DecomposeHardswish;
pub(crate) use softmax::DecomposeSoftmax;
pub(crate) use transform_sqrt_div_to_rsqrt_mul::TransformSqrtDivToRsqrtMul;
