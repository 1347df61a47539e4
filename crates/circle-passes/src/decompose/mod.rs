//! One operator becomes several.

mod hardswish;
mod softmax;

pub(crate) use hardswish::DecomposeHardswish;
pub(crate) use softmax::DecomposeSoftmax;
