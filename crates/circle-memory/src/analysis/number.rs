//! Numbers that bytes are counted with: of 64 bits wherever these hold all sums, for they are faster, else of 128.

use super::reserved::Claim;
use std::ops::{Add, AddAssign, Neg, Sub};

/// A number with a sign.
pub(super) trait Number:
    Copy + Ord + Default + Add<Output = Self> + AddAssign + Sub<Output = Self> + Neg<Output = Self>
{
    /// So many bytes. The largest number where it does not hold them, which [`are_narrow`] rules out.
    fn of(bytes: u128) -> Self;
    /// The bytes, 0 below that.
    fn bytes(self) -> u128;
}

impl Number for i64 {
    fn of(bytes: u128) -> i64 {
        i64::try_from(bytes).unwrap_or(i64::MAX)
    }

    fn bytes(self) -> u128 {
        u128::try_from(self).unwrap_or(0)
    }
}

/// Sums of all sizes stay within these: one that is rounded up has 65 bits, and there are fewer than 2^61 claims.
impl Number for i128 {
    fn of(bytes: u128) -> i128 {
        i128::try_from(bytes).unwrap_or(i128::MAX)
    }

    fn bytes(self) -> u128 {
        u128::try_from(self).unwrap_or(0)
    }
}

/// Whether 64 bits hold all ends, rounded up to a multiple of `unit`, and all bytes together.
pub(super) fn are_narrow(claims: &[Claim], unit: u64) -> bool {
    const MOST: u128 = i64::MAX as u128;
    let mut sum = 0_u128;
    claims.iter().flat_map(Claim::extents).all(|extent| {
        sum += extent.bytes(unit);
        sum <= MOST && extent.rounded_end(unit) <= MOST
    })
}
