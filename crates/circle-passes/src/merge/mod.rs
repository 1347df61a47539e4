//! Of equal things one stays.

mod common_subexpression;
mod constants;
mod duplicate_const;

pub(crate) use common_subexpression::CommonSubexpressionElimination;
pub(crate) use duplicate_const::RemoveDuplicateConst;
