//! One operator becomes one of another kind.

mod squeeze_to_reshape;

pub(crate) use squeeze_to_reshape::SubstituteSqueezeToReshape;
