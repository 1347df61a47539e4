//! JSON that may be looked at in a terminal.

use std::fmt::Write as _;

/// Serialises `value` with indentation and a line break at the end. Characters that could drive a terminal or turn
/// the direction of writing are escaped, though JSON asks for that only below U+0020.
///
/// # Errors
/// When a key is no string.
pub(crate) fn pretty(value: &impl serde::Serialize) -> Result<String, serde_json::Error> {
    let mut json = serde_json::to_string_pretty(value)?;
    json.push('\n');
    // Below U+007F the serialiser has escaped all but its own line breaks.
    if !json.bytes().any(|byte| byte >= 0x7f) {
        return Ok(json);
    }
    let mut text = String::with_capacity(json.len());
    let mut rest = json.as_str();
    while let Some(at) = rest.find(|c: char| c >= '\u{7f}' && (c.is_control() || is_layout(c))) {
        let (before, from) = rest.split_at(at);
        text.push_str(before);
        let mut chars = from.chars();
        if let Some(c) = chars.next() {
            // All of them have four digits. Writing to a string cannot fail.
            let _ = write!(text, "\\u{:04x}", u32::from(c));
        }
        rest = chars.as_str();
    }
    text.push_str(rest);
    Ok(text)
}

/// Characters that show nothing and change how others are shown: line separators, marks and overrides of direction.
fn is_layout(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_drives_a_terminal_is_escaped_and_read_back() {
        let name = "a\u{9b}2J\u{202e}\n\u{7f}\u{e9}";
        let json = pretty(&name).unwrap();
        assert_eq!(json, "\"a\\u009b2J\\u202e\\n\\u007f\u{e9}\"\n");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), name);
    }
}
