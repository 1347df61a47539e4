//! One operator becomes several.

mod hardswish;

pub(crate) use hardswish::DecomposeHardswish;
