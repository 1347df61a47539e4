//! Several operators become one.

mod activation_function;
mod add_with_conv;
mod batchnorm_with_conv;
mod batchnorm_with_dwconv;

pub(crate) use activation_function::FuseActivationFunction;
pub(crate) use add_with_conv::FuseAddWithConv;
pub(crate) use batchnorm_with_conv::FuseBatchnormWithConv;
pub(crate) use batchnorm_with_dwconv::FuseBatchnormWithDwconv;
