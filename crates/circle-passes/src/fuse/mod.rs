//! Several operators become one.

mod activation_function;

pub(crate) use activation_function::FuseActivationFunction;
