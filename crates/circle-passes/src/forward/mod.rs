//! Several operators become several, with copies of their constants.

mod transpose_op;

pub(crate) use transpose_op::ForwardTransposeOp;
