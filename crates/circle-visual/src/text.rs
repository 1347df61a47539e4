//! Makes arbitrary names safe to show: control characters become visible, long names are shortened in the middle.

use std::fmt::Write as _;

/// Most characters of a name that a picture looks at; what lies between is left out before anything is measured.
const LONGEST: usize = 400;

/// Whether a character is invisible or changes the direction or meaning of its neighbours: controls, separators, byte
/// order marks, bidirectional marks, embeddings and isolates, tags, variation selectors and non-characters.
pub(crate) fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(u32::from(c),
            0xAD | 0x34F | 0x61C | 0x115F | 0x1160 | 0x17B4 | 0x17B5 | 0x180B..=0x180F
            | 0x200B..=0x200F | 0x2028..=0x202E | 0x2060..=0x206F | 0x3164
            | 0xFE00..=0xFE0F | 0xFEFF | 0xFFA0 | 0xFFF0..=0xFFFB | 0xE0000..=0xE0FFF)
        || u32::from(c) & 0xFFFE == 0xFFFE
}

/// The text with hidden characters written as `\n`, `\t`, `\0` or `\u{202e}`.
pub(crate) fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0' => out.push_str("\\0"),
            c if is_hidden(c) => {
                // Writing to a string does not fail.
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

/// [`visible`] text of at most `most` characters; what is left out of the middle is an ellipsis.
pub(crate) fn shorten(text: &str, most: usize) -> String {
    let most = most.min(LONGEST);
    // Escapes only lengthen, so that more than `most` characters at each end are never needed.
    let mut chars = text.char_indices();
    let shown = match chars.nth(2 * most + 2) {
        None => visible(text),
        Some(_) => {
            let head = text.char_indices().nth(most).map_or(text.len(), |(at, _)| at);
            let tail = text.char_indices().rev().nth(most.saturating_sub(1)).map_or(0, |(at, _)| at);
            visible(&text[..head]) + "…" + &visible(&text[tail..])
        }
    };
    let count = shown.chars().count();
    if count <= most {
        return shown;
    }
    if most == 0 {
        return String::new();
    }
    let tail = (most - 1) / 2;
    let head = most - 1 - tail;
    let mut out: String = shown.chars().take(head).collect();
    out.push('…');
    out.extend(shown.chars().skip(count - tail));
    out
}

/// Text for the content or an attribute of an XML element. Hidden characters are made visible first: XML has no way to
/// hold most of them.
pub(crate) fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in visible(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// An integer with thin groups of three digits, as `1 234 567`.
pub(crate) fn grouped(value: i128) -> String {
    let digits = grouped_bytes(value.unsigned_abs());
    if value < 0 { format!("−{digits}") } else { digits }
}

/// The same of a number without a sign.
pub(crate) fn grouped_bytes(value: u128) -> String {
    let digits = value.to_string();
    let mut out = String::with_capacity(digits.len() * 2);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            out.push('\u{a0}');
        }
        out.push(digit);
    }
    out
}

/// A value with its unit, to three digits where a larger unit of time or size fits: `1.23 ms`, `640 ns`, `12.5 KiB`.
pub(crate) fn quantity(value: i128, unit: &str) -> String {
    let steps: &[(&str, u64)] = match unit {
        "ns" => &[("s", 1_000_000_000), ("ms", 1_000_000), ("µs", 1_000)],
        "us" | "µs" => &[("s", 1_000_000), ("ms", 1_000)],
        "ms" => &[("s", 1_000)],
        "bytes" | "B" => &[("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)],
        _ => &[],
    };
    for (name, size) in steps {
        if value.unsigned_abs() >= u128::from(*size) {
            let scaled = value as f64 / *size as f64;
            let digits = if scaled.abs() < 10.0 { 2 } else { usize::from(scaled.abs() < 100.0) };
            return format!("{scaled:.digits$} {name}");
        }
    }
    let number = grouped(value);
    if unit.is_empty() { number } else { format!("{number} {}", shorten(unit, 12)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_escaped() {
        assert_eq!(visible("a\0b\u{202e}c\n\u{7f}"), "a\\0b\\u{202e}c\\n\\u{7f}");
        assert_eq!(xml("<a href=\"x\">&'\u{1}"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39;\\u{1}");
    }

    #[test]
    fn long_names_keep_both_ends() {
        assert_eq!(shorten("abcdefghij", 5), "ab…ij");
        assert_eq!(shorten("abcde", 5), "abcde");
        let long = "x".repeat(9_000) + &"y".repeat(1_000);
        let short = shorten(&long, 20);
        assert_eq!(short.chars().count(), 20);
        assert!(short.starts_with("xxx") && short.ends_with("yyy"));
        assert_eq!(shorten(&"\0".repeat(10_000), 7).chars().count(), 7);
        assert_eq!(shorten("abc", 0), "");
    }

    #[test]
    fn quantities_choose_a_readable_unit() {
        assert_eq!(quantity(1_234_567, "ns"), "1.23 ms");
        assert_eq!(quantity(640, "ns"), "640 ns");
        assert_eq!(quantity(12_800, "bytes"), "12.5 KiB");
        assert_eq!(quantity(1_234_567, "count"), "1\u{a0}234\u{a0}567 count");
        assert_eq!(
            quantity(i128::from(i64::MIN), ""),
            "−9\u{a0}223\u{a0}372\u{a0}036\u{a0}854\u{a0}775\u{a0}808"
        );
    }
}
