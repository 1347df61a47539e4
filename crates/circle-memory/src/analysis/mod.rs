//! Figures of a plan: how much memory it needs, when, why, and how much any plan of the same blocks would need.
//!
//! Words used here, all of one segment:
//! - a *closed* space is one that is not open: it is reserved as a whole from its first tick to its last, and what of it no
//!   block takes at a tick is its *rest*;
//! - a byte is *in use* at a tick if a block that is alive then lies on it, or a closed space that is reserved then;
//!   [`top`](Step::top) is the end of the highest one;
//! - the *peak* is the highest top of all ticks: the bytes that the segment has to have;
//! - the *live* bytes of a tick are those that its blocks and closed spaces need: bytes that blocks of one space share count
//!   once, and a closed space as a whole;
//! - the *lower bound* is the most live bytes of any tick, or more where the segment's alignment leaves bytes free between
//!   its blocks: no plan of the same blocks, spaces and alignment has a lower peak;
//! - *gaps* are bytes below the top that are not in use.
//!
//! A block is alive from `alive_from` until before `alive_till`. Senseless blocks do no harm: one whose lifetime is empty
//! or reversed is never alive. All sums are exact, also where ends are beyond 64 bits.

mod alive;
mod bound;
mod compare;
mod cover;
mod extent;
mod figures;
mod number;
mod origins;
mod reserved;
mod usage;

#[cfg(test)]
mod tests;

pub use alive::{Alive, AliveBlock, ReservedSpace, alive_at};
pub use compare::{Comparison, OriginChange, compare, layer_name};
pub use figures::{Figures, figures};
pub use origins::{OriginSums, Share, origin_sums, split};
pub use usage::{Step, usage};
