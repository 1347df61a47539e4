//! Round places along the axes, and how they are written.

use crate::text::{grouped, grouped_bytes};
use circle_memory::{Piece, TickUnit};

const UNITS: [(&str, u32); 7] =
    [("B", 0), ("KiB", 10), ("MiB", 20), ("GiB", 30), ("TiB", 40), ("PiB", 50), ("EiB", 60)];

/// Bytes in a unit that people read, to three digits, with the exact number where it is not that: `12.5 KiB`.
pub(super) fn bytes(value: u128) -> String {
    let (name, shift) = UNITS.into_iter().rev().find(|(_, shift)| value >> shift > 0).unwrap_or(UNITS[0]);
    if shift == 0 {
        return format!("{value} B");
    }
    let scaled = value as f64 / (1_u128 << shift) as f64;
    let digits = if scaled < 10.0 { 2 } else { usize::from(scaled < 100.0) };
    let text = format!("{scaled:.digits$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text} {name}")
}

/// The first byte behind a piece, exact.
pub(super) fn end(piece: Piece) -> u128 {
    u128::from(piece.offset) + u128::from(piece.size)
}

/// A difference of bytes, with its sign.
pub(super) fn change(value: i128) -> String {
    let sign = match value {
        0 => "±",
        v if v < 0 => "−",
        _ => "+",
    };
    format!("{sign}{}", bytes(value.unsigned_abs()))
}

/// Whole addresses from 0 to `top`, a power of two apart, at most `most` of them and at least two where `top` has two.
pub(super) fn address_ticks(top: u128, most: usize) -> Vec<u128> {
    let most = most.max(2) as u128;
    let mut step = 1_u128;
    while top / step >= most && step <= u128::MAX / 2 {
        step *= 2;
    }
    let mut ticks = Vec::new();
    let mut at = 0_u128;
    loop {
        ticks.push(at);
        match at.checked_add(step) {
            Some(next) if next <= top => at = next,
            _ => break,
        }
    }
    ticks
}

/// An address in the unit that suits all places up to `top` with this step; exact.
pub(super) fn address(value: u128, step: u128, top: u128) -> String {
    if value == 0 {
        return "0".to_owned();
    }
    // The largest unit of which the step is at least an eighth, so that three digits after the point suffice.
    let fits = |shift: u32| top >> shift > 0 && step.saturating_mul(8) >> shift > 0;
    let (name, shift) = UNITS.into_iter().rev().find(|(_, shift)| fits(*shift)).unwrap_or(UNITS[0]);
    let whole = value >> shift;
    let rest = ((value & ((1_u128 << shift) - 1)) * 1000) >> shift;
    let text = if rest == 0 {
        grouped_bytes(whole)
    } else {
        format!("{whole}.{rest:03}").trim_end_matches('0').to_owned()
    };
    format!("{text} {name}")
}

/// Whole ticks within a range, 1, 2 or 5 times a power of ten apart, at most `most` of them.
pub(super) fn time_ticks(from: u64, till: u64, most: usize) -> Vec<u64> {
    let span = till.saturating_sub(from);
    let most = most.max(1) as u64;
    let mut step = 1_u64;
    'search: loop {
        for factor in [1, 2, 5] {
            let Some(candidate) = step.checked_mul(factor) else { break 'search };
            if span / candidate < most {
                step = candidate;
                break 'search;
            }
        }
        match step.checked_mul(10) {
            Some(next) => step = next,
            None => break,
        }
    }
    let mut ticks = Vec::new();
    let mut at = from.div_ceil(step).checked_mul(step);
    while let Some(tick) = at.filter(|tick| *tick < till) {
        ticks.push(tick);
        at = tick.checked_add(step);
    }
    ticks
}

/// A tick on an axis that spans `span` ticks.
pub(super) fn tick(value: u64, unit: TickUnit, span: u64) -> String {
    if unit == TickUnit::Ns {
        let (name, size) = [("s", 1_000_000_000), ("ms", 1_000_000), ("µs", 1_000), ("ns", 1)]
            .into_iter()
            .find(|(_, size)| span / size >= 2)
            .unwrap_or(("ns", 1));
        let (whole, rest) = (value / size, value % size);
        let digits = size.ilog10() as usize;
        let mut text = grouped(whole.into());
        if rest > 0 {
            text.push_str(format!(".{rest:0digits$}").trim_end_matches('0'));
        }
        return format!("{text} {name}");
    }
    grouped(value.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_shortly() {
        for (value, text) in [
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1 KiB"),
            (1536, "1.5 KiB"),
            (5_526_528, "5.27 MiB"),
            (102_400, "100 KiB"),
        ] {
            assert_eq!(bytes(value), text);
        }
        assert_eq!(bytes(u128::from(u64::MAX)), "16 EiB");
        assert_eq!(bytes(3 << 63), "24 EiB");
        assert_eq!(change(-2048), "−2 KiB");
        assert_eq!(change(0), "±0 B");
    }

    #[test]
    fn places_are_round_and_few() {
        for top in [0, 1, 7, 255, 1024, 5_526_528, u64::MAX.into(), 3 << 63, u128::MAX] {
            for most in [2, 5, 9] {
                let ticks = address_ticks(top, most);
                assert!(ticks.len() <= most && ticks[0] == 0, "{top}: {ticks:?}");
                assert!(top == 0 || ticks.len() >= 2, "{top} with {most}: {ticks:?}");
            }
        }
        assert_eq!(address_ticks(5_526_528, 8), [0, 1 << 20, 2 << 20, 3 << 20, 4 << 20, 5 << 20]);
        assert_eq!(time_ticks(0, 627, 10), [0, 100, 200, 300, 400, 500, 600]);
        assert_eq!(time_ticks(7, 30, 5), [10, 15, 20, 25]);
        assert_eq!(time_ticks(3, 6, 5), [3, 4, 5]);
        assert!(time_ticks(0, u64::MAX, 9).len() <= 10);
        assert!(time_ticks(u64::MAX - 2, u64::MAX, 9).len() <= 3);
    }

    #[test]
    fn addresses_are_exact() {
        assert_eq!(address(0, 512, 4096), "0");
        assert_eq!(address(1536, 512, 4096), "1.5 KiB");
        assert_eq!(address(3 << 19, 1 << 19, 5 << 20), "1.5 MiB");
        assert_eq!(address(9 << 17, 1 << 17, 2 << 20), "1.125 MiB");
        assert_eq!(address((1 << 20) + (1 << 16), 1 << 16, (1 << 20) + (1 << 16)), "1\u{a0}088 KiB");
        assert_eq!(address(64, 64, 200), "64 B");
        assert_eq!(address(3 << 63, 1 << 63, 3 << 63), "24 EiB");
    }

    #[test]
    fn times_have_the_unit_of_their_span() {
        assert_eq!(tick(1_500_000, TickUnit::Ns, 9_000_000), "1.5 ms");
        assert_eq!(tick(1_500_000, TickUnit::Cycle, 9_000_000), "1\u{a0}500\u{a0}000");
        assert_eq!(tick(17, TickUnit::Ns, 300), "17 ns");
    }
}
