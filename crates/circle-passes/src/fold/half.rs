//! 16-bit floats.

/// The number in the 16 bits of an IEEE 754 binary16; every one of them is a binary32, so nothing is rounded.
pub(super) fn from_half(bits: u16) -> f32 {
    let sign = u32::from(bits >> 15) << 31;
    let (exponent, fraction) = (u32::from(bits >> 10 & 0x1f), u32::from(bits & 0x3ff));
    match exponent {
        // Below 2^-14 there is no leading one; the unit is 2^-24.
        0 => {
            let magnitude = fraction as f32 * f32::from_bits((127 - 24) << 23);
            f32::from_bits(sign | magnitude.to_bits())
        }
        0x1f => f32::from_bits(sign | 0x7f80_0000 | fraction << 13),
        _ => f32::from_bits(sign | (exponent + 127 - 15) << 23 | fraction << 13),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_exact() {
        for (bits, want) in [
            (0x0000, 0.0),
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x7bff, 65504.0),
            (0x0400, 6.103_515_6e-5),
            (0x0001, 5.960_464_5e-8),
            (0x03ff, 6.097_555e-5),
            (0x3555, 0.333_251_95),
            (0x7c00, f32::INFINITY),
            (0xfc00, f32::NEG_INFINITY),
        ] {
            assert_eq!(from_half(bits), want, "{bits:#x}");
        }
        assert_eq!(from_half(0x8000).to_bits(), (-0.0f32).to_bits());
        assert!(from_half(0x7e00).is_nan());
    }
}
