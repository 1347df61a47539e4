//! How much of a picture something takes.

use std::ops::AddAssign;

/// Bytes times ticks, added up exactly: one product has 128 bits, sums have more.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Mass {
    /// In units of 2^128. So many products are never added that this overflows.
    high: u64,
    low: u128,
}

impl From<u128> for Mass {
    fn from(low: u128) -> Mass {
        Mass { high: 0, low }
    }
}

impl AddAssign for Mass {
    fn add_assign(&mut self, other: Mass) {
        let (low, carry) = self.low.overflowing_add(other.low);
        self.low = low;
        self.high = self.high.saturating_add(other.high).saturating_add(u64::from(carry));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_go_beyond_128_bits() {
        let most = Mass::from(u128::MAX);
        let (mut two, mut three) = (most, most);
        two += most;
        three += most;
        assert_eq!(two, three);
        three += Mass::from(1);
        assert!(three > two && two > most && most > Mass::default());
        two += Mass::from(1);
        assert_eq!((two.high, two.low), (1, u128::MAX));
    }
}
