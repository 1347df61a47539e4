//! The colours of pictures: theme, a categorical palette for origin groups and a sequential ramp for cost.

use crate::colour::Colour;
use crate::options::Theme;

/// Colours of everything but the operators' fill.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Skin {
    pub(crate) background: Colour,
    pub(crate) text: Colour,
    pub(crate) faint: Colour,
    pub(crate) line: Colour,
    pub(crate) continuation: Colour,
    pub(crate) border: Colour,
    pub(crate) terminal: Colour,
    /// Fill of an operator without a value or without a known origin.
    pub(crate) blank: Colour,
    /// Stripes over the fill of an operator whose origin is unknown.
    pub(crate) hatch: Colour,
}

/// The skin of a theme.
pub(crate) fn skin(theme: Theme) -> Skin {
    match theme {
        Theme::Light => Skin {
            background: Colour(255, 255, 255),
            text: Colour(27, 31, 36),
            faint: Colour(87, 96, 106),
            line: Colour(110, 119, 129),
            continuation: Colour(120, 130, 150),
            border: Colour(60, 66, 74),
            terminal: Colour(234, 238, 242),
            blank: Colour(236, 238, 240),
            hatch: Colour(205, 209, 214),
        },
        Theme::Dark => Skin {
            background: Colour(22, 26, 32),
            text: Colour(230, 237, 243),
            faint: Colour(158, 168, 179),
            line: Colour(139, 148, 158),
            continuation: Colour(120, 135, 165),
            border: Colour(150, 158, 168),
            terminal: Colour(48, 54, 61),
            blank: Colour(44, 50, 58),
            hatch: Colour(72, 79, 89),
        },
    }
}

/// Okabe and Ito's eight colours without black and grey-like neighbours ("Color Universal Design", 2008): told apart
/// with any of the common kinds of colour blindness.
const BASE: [Colour; 7] = [
    Colour(230, 159, 0),
    Colour(86, 180, 233),
    Colour(0, 158, 115),
    Colour(240, 228, 66),
    Colour(0, 114, 178),
    Colour(213, 94, 0),
    Colour(204, 121, 167),
];

/// Colour number `index` of the categorical palette: the base colours, then lighter and darker ones of them, then
/// hues a golden angle apart. No two of the first thousand are equal within a theme.
pub(crate) fn category(index: usize, theme: Theme) -> Colour {
    let paper = skin(theme).background;
    // Slightly towards the background: a page full of saturated boxes is hard to look at.
    let calm = |colour: Colour| colour.mix(paper, 0.18);
    match (index / BASE.len(), index % BASE.len()) {
        (0, base) => calm(BASE[base]),
        (1, base) => calm(BASE[base].mix(Colour(255, 255, 255), 0.45)),
        (2, base) => calm(BASE[base].mix(Colour(0, 0, 0), 0.38)),
        _ => {
            let step = (index - 3 * BASE.len()) as f64;
            let angle = step * 2.399_963_229_728_653;
            let lightness = 0.62 + 0.2 * (step * 0.381_966_011).fract();
            Colour::from_oklab([lightness, 0.11 * angle.cos(), 0.11 * angle.sin()])
        }
    }
}

/// Anchors of the sequential ramps, from nothing to the maximum. On a light page more cost is darker, on a dark page
/// lighter: the costly operators stand out from the background either way.
const RAMP_LIGHT: [Colour; 5] = [
    Colour(254, 246, 222),
    Colour(251, 209, 132),
    Colour(240, 140, 76),
    Colour(196, 60, 74),
    Colour(96, 16, 80),
];
const RAMP_DARK: [Colour; 5] = [
    Colour(43, 38, 66),
    Colour(96, 40, 110),
    Colour(176, 56, 92),
    Colour(240, 124, 52),
    Colour(252, 232, 140),
];

/// Colour of a cost at `part` of the ramp, 0 to 1. Lightness changes evenly along the ramp.
pub(crate) fn ramp(part: f64, theme: Theme) -> Colour {
    let anchors = match theme {
        Theme::Light => &RAMP_LIGHT,
        Theme::Dark => &RAMP_DARK,
    };
    let part = if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 };
    let [first, .., last] = anchors.map(|anchor| anchor.oklab()[0]);
    let lightness = first + (last - first) * part;
    let at = part * (anchors.len() - 1) as f64;
    let lower = (at as usize).min(anchors.len() - 2);
    let mixed = anchors[lower].mix(anchors[lower + 1], at - lower as f64).oklab();
    Colour::from_oklab([lightness, mixed[1], mixed[2]])
}

/// Place of a value on the ramp, 0 to 1: the square root of its share of the largest one, which keeps the differences
/// among the many cheap operators in sight. Below zero the scale is linear from the smallest to the largest value.
pub(crate) fn ramp_place(value: i64, low: i64, high: i64) -> f64 {
    let span = i128::from(high) - i128::from(low.min(0));
    if span <= 0 {
        return 0.0;
    }
    let share = (i128::from(value) - i128::from(low.min(0))) as f64 / span as f64;
    if low < 0 { share } else { share.max(0.0).sqrt() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const THEMES: [Theme; 2] = [Theme::Light, Theme::Dark];

    #[test]
    fn every_fill_has_readable_ink() {
        for theme in THEMES {
            let s = skin(theme);
            for index in 0..1000 {
                let fill = category(index, theme);
                assert!(fill.contrast(fill.ink()) >= 4.5);
            }
            for step in 0..=256 {
                let fill = ramp(f64::from(step) / 256.0, theme);
                assert!(fill.contrast(fill.ink()) >= 4.5);
            }
            for (text, fill) in [
                (s.text, s.background),
                (s.faint, s.background),
                (s.text, s.terminal),
                (s.blank.ink(), s.blank),
                (s.blank.ink(), s.hatch),
            ] {
                assert!(text.contrast(fill) >= 4.5, "{text} on {fill}");
            }
        }
    }

    #[test]
    fn categories_differ() {
        for theme in THEMES {
            let all: BTreeSet<Colour> = (0..200).map(|index| category(index, theme)).collect();
            assert_eq!(all.len(), 200);
            for a in 0..BASE.len() {
                for b in 0..a {
                    let (x, y) = (category(a, theme).oklab(), category(b, theme).oklab());
                    let distance = (0..3).map(|k| (x[k] - y[k]).powi(2)).sum::<f64>().sqrt();
                    assert!(distance > 0.1, "{a} and {b} are {distance} apart");
                }
            }
        }
    }

    #[test]
    fn the_ramp_is_ordered_by_lightness() {
        for (theme, sign) in [(Theme::Light, -1.0), (Theme::Dark, 1.0)] {
            let lightness: Vec<f64> = (0..=64).map(|k| ramp(f64::from(k) / 64.0, theme).oklab()[0]).collect();
            assert!(lightness.windows(2).all(|pair| (pair[1] - pair[0]) * sign > 0.0), "{lightness:?}");
        }
    }

    #[test]
    fn ramp_places_are_within_bounds() {
        assert_eq!(ramp_place(0, 0, 100), 0.0);
        assert_eq!(ramp_place(25, 3, 100), 0.5);
        assert_eq!(ramp_place(i64::MAX, i64::MIN, i64::MAX), 1.0);
        assert_eq!(ramp_place(5, 0, 0), 0.0);
        assert_eq!(ramp_place(-5, -10, 0), 0.5);
    }
}
