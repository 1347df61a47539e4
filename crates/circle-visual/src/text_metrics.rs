//! Widths of text in the bundled font, so that boxes fit their text on every machine.

use crate::text::shorten;
use std::sync::OnceLock;
use ttf_parser::Face;

/// The regular face (subset of DejaVu Sans 2.37).
pub(crate) const REGULAR: &[u8] = include_bytes!("../assets/font/DejaVuSans.ttf");
/// The bold face.
pub(crate) const BOLD: &[u8] = include_bytes!("../assets/font/DejaVuSans-Bold.ttf");
/// Family name of both faces.
pub(crate) const FAMILY: &str = "DejaVu Sans";

/// Thickness of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    Regular,
    Bold,
}

/// Advance widths of the characters below this number are looked up once.
const CACHED: usize = 0x2600;

struct Widths {
    /// In units of the em square; see `em`.
    table: Vec<u16>,
    /// Width of a character that the font lacks: wide enough for most scripts.
    other: u16,
    em: f64,
}

impl Widths {
    fn new(bytes: &[u8]) -> Widths {
        let Ok(face) = Face::parse(bytes, 0) else {
            // The bundled bytes parse; the test below would notice. This keeps the function total all the same.
            return Widths { table: Vec::new(), other: 1, em: 1.0 };
        };
        let missing = face.units_per_em();
        let width = |code: usize| {
            let glyph = char::from_u32(code as u32).and_then(|c| face.glyph_index(c));
            glyph.and_then(|glyph| face.glyph_hor_advance(glyph)).unwrap_or(missing)
        };
        Widths { table: (0..CACHED).map(width).collect(), other: missing, em: f64::from(face.units_per_em()) }
    }

    fn of(&self, c: char) -> f64 {
        f64::from(self.table.get(c as usize).copied().unwrap_or(self.other))
    }
}

fn widths(weight: Weight) -> &'static Widths {
    static TABLES: OnceLock<[Widths; 2]> = OnceLock::new();
    let [regular, bold] = TABLES.get_or_init(|| [Widths::new(REGULAR), Widths::new(BOLD)]);
    match weight {
        Weight::Regular => regular,
        Weight::Bold => bold,
    }
}

/// Width of `text` in pixels at a font size in pixels, without kerning.
pub(crate) fn width(text: &str, size: f64, weight: Weight) -> f64 {
    let widths = widths(weight);
    text.chars().map(|c| widths.of(c)).sum::<f64>() * size / widths.em
}

/// `text`, made visible and shortened in the middle until it is at most `room` pixels wide.
pub(crate) fn fit(text: &str, size: f64, weight: Weight, room: f64) -> String {
    let most = (room / (size * 0.2)).max(1.0) as usize;
    let whole = shorten(text, most);
    if width(&whole, size, weight) <= room {
        return whole;
    }
    // The width grows with the number of characters kept: halve the range.
    let (mut fits, mut too_long) = (1, whole.chars().count());
    while too_long - fits > 1 {
        let middle = fits.midpoint(too_long);
        if width(&shorten(&whole, middle), size, weight) <= room { fits = middle } else { too_long = middle }
    }
    shorten(&whole, fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bundled_faces_are_what_their_names_say() {
        for (bytes, bold) in [(REGULAR, false), (BOLD, true)] {
            let face = Face::parse(bytes, 0).unwrap();
            assert_eq!(face.is_bold(), bold);
            assert!(face.names().into_iter().any(|name| name.to_string().as_deref() == Some(FAMILY)));
        }
    }

    #[test]
    fn widths_are_those_of_the_font() {
        // DejaVu Sans: 'i' is 569 and 'M' 1767 of 2048 units wide.
        assert_eq!(width("i", 2048.0, Weight::Regular), 569.0);
        assert_eq!(width("M", 2048.0, Weight::Regular), 1767.0);
        assert!(width("conv", 12.0, Weight::Bold) > width("conv", 12.0, Weight::Regular));
    }

    #[test]
    fn fitted_text_fits() {
        for text in [
            "",
            "short",
            "MobilenetV2/expanded_conv_16/project/Conv2D",
            &"W".repeat(10_000),
            "\0\0\0\0\0\0\0\0\0\0\0\0",
        ] {
            for room in [20.0, 60.0, 150.0] {
                let fitted = fit(text, 11.0, Weight::Regular, room);
                assert!(width(&fitted, 11.0, Weight::Regular) <= room, "{fitted} in {room}");
            }
        }
    }
}
