//! Text for terminals: escaped, shortened, wrapped.

use std::fmt::Write as _;

/// Columns of a line.
pub(crate) const WIDTH: usize = 100;

/// Control characters escaped, so that no name can break a line or drive a terminal.
pub(crate) fn safe(text: &str) -> String {
    let mut quoted = String::new();
    // Writing to a string cannot fail.
    let _ = circle_tables::quote(&mut quoted, text);
    let inner = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or("");
    inner.replace("\\\"", "\"")
}

/// At most `most` characters, the middle left out.
pub(crate) fn shorten(text: &str, most: usize) -> String {
    let text = safe(text);
    let count = text.chars().count();
    if count <= most {
        return text;
    }
    let head = (most - 1).div_ceil(2);
    let tail = most - 1 - head;
    let start: String = text.chars().take(head).collect();
    let end: String = text.chars().skip(count - tail).collect();
    format!("{start}…{end}")
}

/// `text` filled up with blanks.
pub(crate) fn pad(text: &str, width: usize) -> String {
    let count = text.chars().count();
    format!("{text}{}", " ".repeat(width.saturating_sub(count)))
}

/// Words after a head, with blanks between them, in as many lines as they take. Nothing is printed for no words.
pub(crate) fn wrapped<'a>(out: &mut String, head: &str, words: impl Iterator<Item = &'a str>) {
    let indent = head.chars().count();
    let (mut line, mut column, mut fresh) = (head.to_owned(), indent, true);
    let mut any = false;
    for word in words {
        any = true;
        let width = word.chars().count();
        if !fresh && column + 1 + width > WIDTH {
            let _ = writeln!(out, "{}", line.trim_end());
            (line, column, fresh) = (" ".repeat(indent), indent, true);
        }
        if !fresh {
            line.push(' ');
            column += 1;
        }
        line.push_str(word);
        column += width;
        fresh = false;
    }
    if any {
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_shortened_in_the_middle_and_control_characters_escaped() {
        assert_eq!(shorten("abcdefghij", 7), "abc…hij");
        assert_eq!(shorten("a\nb\"\u{202e}", 40), "a\\nb\"\\u{202e}");
        assert_eq!(shorten("short", 5), "short");
    }

    #[test]
    fn lines_end_at_the_width_and_continue_under_the_text() {
        let mut out = String::new();
        let word = "x".repeat(40);
        wrapped(&mut out, "by ", [word.as_str(); 3].into_iter());
        assert_eq!(out, format!("by {word} {word}\n   {word}\n"));
        out.clear();
        wrapped(&mut out, "by ", std::iter::empty());
        assert_eq!(out, "");
    }
}
