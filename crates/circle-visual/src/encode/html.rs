//! One HTML file that needs nothing else: data, style and script are inside, and its policy forbids all else.

use super::html_data::PageData;
use crate::drawing::Drawing;
use crate::error::Error;
use crate::options::Options;
use crate::scene::Scene;
use crate::text::{is_hidden, shorten, xml};
use base64::Engine as _;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// What all pages share.
pub(crate) const TEXT: &str = include_str!("../../assets/shared/text.js");
pub(crate) const DOM: &str = include_str!("../../assets/shared/dom.js");

const PAGE: &str = include_str!("../../assets/page/page.html");
const STYLE: &str = include_str!("../../assets/page/page.css");
const SCRIPT: [&str; 8] = [
    TEXT,
    DOM,
    include_str!("../../assets/page/data.js"),
    include_str!("../../assets/page/scene.js"),
    include_str!("../../assets/page/view.js"),
    include_str!("../../assets/page/input.js"),
    include_str!("../../assets/page/panels.js"),
    include_str!("../../assets/page/app.js"),
];

/// Draws a scene as an interactive page.
///
/// # Errors
/// [`Error::Scene`] where the scene contradicts itself.
pub fn html(scene: &Scene, options: &Options) -> Result<String, Error> {
    scene.validate()?;
    let drawing = Drawing::new(scene, options.colour);
    let data = serde_json::to_string(&PageData::new(&drawing, options.theme))?;
    Ok(assemble(PAGE, STYLE, &SCRIPT, &scene.title, &data))
}

/// Puts style, script and data (as JSON) into a page. Its policy allows exactly these.
pub(crate) fn assemble(page: &str, style: &str, script: &[&str], title: &str, data: &str) -> String {
    let data = inert(data);
    // One function around the files: their names do not leak into the page's global scope.
    let script = format!("\"use strict\";(() => {{\n{}}})();\n", script.concat());
    let policy = format!(
        "default-src 'none'; script-src {}; style-src {}; img-src data:; base-uri 'none'; form-action 'none'",
        hash(&script),
        hash(style)
    );
    let title = xml(&shorten(title, 120));
    let mut out = String::with_capacity(page.len() + style.len() + script.len() + data.len());
    // The page is cut at its marks; what is put in is not looked at again.
    for (position, part) in page.split("@@").enumerate() {
        out.push_str(match (position % 2, part) {
            (1, "POLICY") => &policy,
            (1, "TITLE") => &title,
            (1, "STYLE") => style,
            (1, "DATA") => &data,
            (1, "SCRIPT") => &script,
            _ => part,
        });
    }
    out
}

/// The source expression of a content security policy that allows exactly this text.
pub(crate) fn hash(text: &str) -> String {
    format!("'sha256-{}'", base64::engine::general_purpose::STANDARD.encode(Sha256::digest(text)))
}

/// JSON that an HTML parser finds no markup in, and that may be looked at in an editor. These characters occur within
/// strings only, where their escapes mean the same.
fn inert(json: &str) -> String {
    let mut out = String::with_capacity(json.len() + json.len() / 16);
    for c in json.chars() {
        match c {
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            // Escapes of four digits reach as far as all of these that are known to turn or move text.
            c if c != '\n' && is_hidden(c) && c <= '\u{ffff}' => {
                // Writing to a string does not fail.
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

/// Checks the parts of a page.
#[cfg(test)]
pub(crate) fn assert_harmless(page: &str, style: &str, scripts: &[&str]) {
    for script in scripts {
        assert!(!script.contains("</script") && !script.contains("<!--"));
        assert!(!script.contains("innerHTML"), "no markup from data");
        // The name of SVG's elements is no address that anything is loaded from.
        let script = script.replace("http://www.w3.org/2000/svg", "");
        assert!(!script.contains("http") && !script.contains("fetch("), "no network");
    }
    assert!(!style.contains("</") && !style.contains("url("));
    for mark in ["@@POLICY@@", "@@TITLE@@", "@@STYLE@@", "@@DATA@@", "@@SCRIPT@@"] {
        assert_eq!(page.matches(mark).count(), 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_assets_cannot_end_their_own_elements() {
        assert_harmless(PAGE, STYLE, &SCRIPT);
    }

    #[test]
    fn inert_json_means_the_same() {
        let text = "</script><!-- & \u{2028}\u{2029} \0 \" \\";
        let json = inert(&serde_json::to_string(text).unwrap());
        assert!(!json.contains(['<', '>', '&', '\u{2028}', '\u{2029}']));
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }
}
