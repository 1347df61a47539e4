//! Several operators become several, with copies of their constants.

mod expand_broadcast_const;
mod transpose_op;

pub(crate) use expand_broadcast_const::ExpandBroadcastConst;
pub(crate) use transpose_op::ForwardTransposeOp;
