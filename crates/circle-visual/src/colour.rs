//! Colours: sRGB, relative luminance and contrast as WCAG 2 defines them, and Ottosson's Oklab space, in which equal
//! steps look equal.

use std::fmt;

/// An sRGB colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Colour(pub(crate) u8, pub(crate) u8, pub(crate) u8);

impl fmt::Display for Colour {
    /// As `#rrggbb`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

pub(crate) const BLACK: Colour = Colour(0, 0, 0);
pub(crate) const WHITE: Colour = Colour(255, 255, 255);

fn linear(channel: u8) -> f64 {
    let c = f64::from(channel) / 255.0;
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

fn encoded(c: f64) -> u8 {
    let c = c.clamp(0.0, 1.0);
    let c = if c <= 0.003_130_8 { c * 12.92 } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 };
    (c * 255.0).round() as u8
}

impl Colour {
    /// Relative luminance, 0 to 1 (WCAG 2.1).
    pub(crate) fn luminance(self) -> f64 {
        0.2126 * linear(self.0) + 0.7152 * linear(self.1) + 0.0722 * linear(self.2)
    }

    /// Contrast ratio, 1 to 21 (WCAG 2.1).
    pub(crate) fn contrast(self, other: Colour) -> f64 {
        let (a, b) = (self.luminance(), other.luminance());
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// Black or white, whichever can be read better on this colour: the ratio is never below 4.58.
    pub(crate) fn ink(self) -> Colour {
        if self.contrast(BLACK) >= self.contrast(WHITE) { BLACK } else { WHITE }
    }

    /// Lightness (0 to 1) and the two opponent axes of Oklab (B. Ottosson, 2020).
    pub(crate) fn oklab(self) -> [f64; 3] {
        let (r, g, b) = (linear(self.0), linear(self.1), linear(self.2));
        let l = (0.412_221_470_8 * r + 0.536_332_536_3 * g + 0.051_445_992_9 * b).cbrt();
        let m = (0.211_903_498_2 * r + 0.680_699_545_1 * g + 0.107_396_956_6 * b).cbrt();
        let s = (0.088_302_461_9 * r + 0.281_718_837_6 * g + 0.629_978_700_5 * b).cbrt();
        [
            0.210_454_255_3 * l + 0.793_617_785 * m - 0.004_072_046_8 * s,
            1.977_998_495_1 * l - 2.428_592_205 * m + 0.450_593_709_9 * s,
            0.025_904_037_1 * l + 0.782_771_766_2 * m - 0.808_675_766 * s,
        ]
    }

    /// The colour with these Oklab coordinates, cut to what sRGB can show.
    pub(crate) fn from_oklab([lightness, a, b]: [f64; 3]) -> Colour {
        let l = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
        let m = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
        let s = (lightness - 0.089_484_177_5 * a - 1.291_485_548 * b).powi(3);
        Colour(
            encoded(4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s),
            encoded(-1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s),
            encoded(-0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701 * s),
        )
    }

    /// The colour at `part` (0 to 1) of the way to another one, in Oklab.
    pub(crate) fn mix(self, other: Colour, part: f64) -> Colour {
        let (from, to) = (self.oklab(), other.oklab());
        Colour::from_oklab([0, 1, 2].map(|k| from[k] + (to[k] - from[k]) * part))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contrast_is_that_of_wcag() {
        assert!((BLACK.contrast(WHITE) - 21.0).abs() < 1e-9);
        // #767676 is the lightest grey that has 4.5 on white.
        assert!((Colour(0x76, 0x76, 0x76).contrast(WHITE) - 4.54).abs() < 0.01);
    }

    #[test]
    fn oklab_goes_there_and_back() {
        for colour in [BLACK, WHITE, Colour(230, 159, 0), Colour(0, 114, 178), Colour(1, 2, 250)] {
            assert_eq!(Colour::from_oklab(colour.oklab()), colour);
        }
        // Published value of the sRGB primary red.
        let red = Colour(255, 0, 0).oklab();
        assert!(
            (red[0] - 0.628).abs() < 1e-3 && (red[1] - 0.225).abs() < 1e-3 && (red[2] - 0.126).abs() < 1e-3
        );
    }

    #[test]
    fn ink_can_always_be_read() {
        for r in (0..=255).step_by(15) {
            for g in (0..=255).step_by(15) {
                for b in (0..=255).step_by(15) {
                    let colour = Colour(r, g, b);
                    assert!(colour.contrast(colour.ink()) >= 4.5, "{colour}");
                }
            }
        }
    }
}
