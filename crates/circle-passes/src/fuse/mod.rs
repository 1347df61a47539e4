//! Several operators become one.

mod activation_function;
mod add_with_conv;
mod add_with_fully_connected;
mod batchnorm_with_conv;
mod batchnorm_with_dwconv;
mod mean_with_mean;
mod mul_with_conv;
mod mul_with_fullyconnected;
mod rsqrt;
mod transpose_with_mean;

pub(crate) use activation_function::FuseActivationFunction;
pub(crate) use add_with_conv::FuseAddWithConv;
pub(crate) use add_with_fully_connected::FuseAddWithFullyConnected;
pub(crate) use batchnorm_with_conv::FuseBatchnormWithConv;
pub(crate) use batchnorm_with_dwconv::FuseBatchnormWithDwconv;
pub(crate) use mean_with_mean::FuseMeanWithMean;
pub(crate) use mul_with_conv::FuseMulWithConv;
pub(crate) use mul_with_fullyconnected::FuseMulWithFullyConnected;
pub(crate) use rsqrt::FuseRsqrt;
pub(crate) use transpose_with_mean::FuseTransposeWithMean;
