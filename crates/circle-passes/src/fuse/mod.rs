//! Several operators become one.

mod activation_function;
mod batchnorm_with_conv;

pub(crate) use activation_function::FuseActivationFunction;
pub(crate) use batchnorm_with_conv::FuseBatchnormWithConv;
