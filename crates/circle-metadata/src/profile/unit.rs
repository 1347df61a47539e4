//! Units, brought to the smallest of their kind so that no two of one kind ever mix.

use std::fmt;

/// The unit of a value after reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unit {
    /// Time.
    Nanoseconds,
    /// Clock cycles; only a clock rate, which a profile may state in its header, turns them into time.
    Cycles,
    /// Sizes and traffic.
    Bytes,
    /// Plain numbers of things.
    Count,
    /// Energy.
    Nanojoules,
    /// Hundredths; kept as the decimal that was written.
    Percent,
    /// A quotient; kept as the decimal that was written.
    Ratio,
    /// A text.
    Label,
}

impl Unit {
    /// How the unit is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Nanoseconds => "ns",
            Self::Cycles => "cycles",
            Self::Bytes => "bytes",
            Self::Count => "count",
            Self::Nanojoules => "nJ",
            Self::Percent => "percent",
            Self::Ratio => "ratio",
            Self::Label => "label",
        }
    }

    /// The unit that `symbol` is brought to, and by which factor.
    ///
    /// KB, MB, GB are powers of 1000; KiB, MiB, GiB powers of 1024.
    pub(super) fn parse(symbol: &str) -> Option<(Self, u64)> {
        Some(match symbol {
            "ns" => (Self::Nanoseconds, 1),
            "us" | "\u{b5}s" | "\u{3bc}s" => (Self::Nanoseconds, 1_000),
            "ms" => (Self::Nanoseconds, 1_000_000),
            "s" => (Self::Nanoseconds, 1_000_000_000),
            "cycles" => (Self::Cycles, 1),
            "count" => (Self::Count, 1),
            "bytes" | "B" => (Self::Bytes, 1),
            "KB" | "kB" => (Self::Bytes, 1_000),
            "MB" => (Self::Bytes, 1_000_000),
            "GB" => (Self::Bytes, 1_000_000_000),
            "KiB" => (Self::Bytes, 1 << 10),
            "MiB" => (Self::Bytes, 1 << 20),
            "GiB" => (Self::Bytes, 1 << 30),
            "nJ" => (Self::Nanojoules, 1),
            "uJ" | "\u{b5}J" | "\u{3bc}J" => (Self::Nanojoules, 1_000),
            "mJ" => (Self::Nanojoules, 1_000_000),
            "J" => (Self::Nanojoules, 1_000_000_000),
            "percent" | "%" => (Self::Percent, 1),
            "ratio" => (Self::Ratio, 1),
            "label" => (Self::Label, 1),
            _ => return None,
        })
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.symbol())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_reads_its_own_symbol() {
        use Unit::*;
        for unit in [Nanoseconds, Cycles, Bytes, Count, Nanojoules, Percent, Ratio, Label] {
            assert_eq!(Unit::parse(unit.symbol()), Some((unit, 1)));
        }
        assert_eq!(Unit::parse("KB"), Some((Bytes, 1000)));
        assert_eq!(Unit::parse("KiB"), Some((Bytes, 1024)));
        assert_eq!(Unit::parse("MS"), None);
    }

    /// The list in the message for an unknown unit is complete as far as it goes.
    #[test]
    fn the_message_lists_only_units() {
        let message = crate::profile::ValueFault::NotAUnit.to_string();
        let (_, units) = message.split_once("known are ").unwrap();
        assert!(units.split(' ').all(|unit| Unit::parse(unit).is_some()), "{units}");
    }
}
