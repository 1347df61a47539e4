//! The page of a file that cannot be drawn: it says why.

use super::html::STYLE;
use crate::encode::html::hash;
use crate::text::{shorten, xml};

/// Lines of an error that are shown, and characters of each.
const LINES: usize = 100;
const LONG: usize = 2_000;

/// A page that shows why there is no picture: `title` is the file, `error` what is the matter with it. It has no script.
pub fn failed(title: &str, error: &str) -> String {
    let title = xml(&shorten(title, 120));
    let lines: String =
        error.lines().take(LINES).map(|line| format!("<p>{}</p>\n", xml(&shorten(line, LONG)))).collect();
    let more = match error.lines().count().saturating_sub(LINES) {
        0 => String::new(),
        more => format!("<p>and {more} more lines</p>\n"),
    };
    let policy =
        format!("default-src 'none'; style-src {}; base-uri 'none'; form-action 'none'", hash(STYLE));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <header><h1 id=\"title\">{title}</h1></header>\n\
         <div id=\"problem\" role=\"alert\">\n<p>This file cannot be drawn.</p>\n{lines}{more}</div>\n\
         </body>\n</html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_is_text_whatever_it_holds() {
        let page = failed("<b>.json", "a.json:3: </style><script>alert(1)</script>\n\u{202e}second");
        assert!(!page.contains("<script") && !page.contains("<b>") && !page.contains('\u{202e}'), "{page}");
        assert!(
            page.contains("a.json:3: &lt;/style&gt;&lt;script&gt;") && page.contains("second</p>"),
            "{page}"
        );
        assert_eq!(page.matches("</style>").count(), 1);
    }

    #[test]
    fn long_errors_are_cut_and_say_so() {
        let page = failed("a", &"line\n".repeat(LINES + 7));
        assert!(page.contains("and 7 more lines"));
        assert!(failed("a", &"x".repeat(1 << 20)).len() < failed("a", "x").len() + LONG + 100);
    }
}
