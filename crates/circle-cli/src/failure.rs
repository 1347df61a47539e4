//! Failures and how they are shown: `error:` with the location first, then the causes, numbered.

use circle_liveness::{LivenessError, SizeFault};
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::ExitCode;

/// Exit code for work that failed or a check that found something.
pub const FAILED: u8 = 1;
/// Exit code for a command line that makes no sense.
pub const USAGE: u8 = 2;

/// Why a driver gives up.
#[derive(Clone, Debug)]
pub struct Failure {
    message: String,
    causes: Vec<String>,
    code: u8,
    quiet: bool,
}

impl Failure {
    /// A failure with a message, location first.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), causes: Vec::new(), code: FAILED, quiet: false }
    }
    /// A failure at `place`.
    pub fn at(place: &str, error: impl std::fmt::Display) -> Self {
        Self::new(format!("{}: {error}", shown(place)))
    }
    /// A model whose lifetimes are not known, with the option that helps.
    pub fn lifetimes(place: &str, error: &LivenessError) -> Self {
        let open = |fault: &SizeFault| matches!(fault, SizeFault::Dynamic { .. });
        match error {
            LivenessError::Sizes { faults, .. } if faults.iter().any(|(_, fault)| open(fault)) => Self::at(
                place,
                format!("{error}\n  --stated_shapes plans open dimensions as the file states them"),
            ),
            _ => Self::at(place, error),
        }
    }
    /// A command line that makes no sense.
    pub fn usage(message: impl Into<String>) -> Self {
        Self { code: USAGE, ..Self::new(message) }
    }
    /// Nothing is printed; for findings that are in the output already, and for a reader that went away.
    pub fn silent(code: u8) -> Self {
        Self { message: String::new(), causes: Vec::new(), code, quiet: true }
    }
    /// The message and the causes, a line each, if work has failed and there is something to say.
    pub fn text(&self) -> Option<String> {
        let lines = || std::iter::once(&self.message).chain(&self.causes);
        (self.code == FAILED && !self.quiet)
            .then(|| lines().map(String::as_str).collect::<Vec<_>>().join("\n"))
    }
    /// All that there is to say of work that has failed, causes numbered; `None` of a command line that makes no sense, and
    /// where all has been said.
    pub fn told(&self) -> Option<String> {
        (self.code == FAILED && !self.quiet).then(|| self.full())
    }
    fn full(&self) -> String {
        let mut text = self.message.clone();
        for (index, cause) in self.causes.iter().enumerate() {
            let _ = write!(text, "\n  {}: {cause}", index + 1);
        }
        text
    }
    /// The same with a cause added below.
    #[must_use]
    pub fn because(mut self, cause: impl std::fmt::Display) -> Self {
        self.causes.push(cause.to_string());
        self
    }
}

/// A path or name as it may be printed: what moves the cursor or turns the direction of writing is escaped.
pub fn shown(text: &str) -> String {
    escape(text, |_| false)
}

/// A message of ours, in which a line break is meant; whatever names it holds may hold anything else.
fn shown_lines(text: &str) -> String {
    escape(text, |c| c == '\n')
}

fn escape(text: &str, meant: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if (c.is_control() || is_layout(c)) && !meant(c) {
            let _ = write!(out, "{}", c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

/// Characters that show nothing and change how others are shown: line separators, marks and overrides of direction.
fn is_layout(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Whether standard error is a terminal that wants colour.
fn colour() -> bool {
    use std::io::IsTerminal;
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
}

fn say(kind: &str, ansi: &str, text: &str) {
    let text = shown_lines(text);
    let mut err = std::io::stderr().lock();
    // Nobody is left to tell if standard error is gone.
    let _ = match colour() {
        true => writeln!(err, "\x1b[1;{ansi}m{kind}:\x1b[0m {text}"),
        false => writeln!(err, "{kind}: {text}"),
    };
}

/// Prints a warning.
pub fn warn(text: &str) {
    say("warning", "33", text);
}

/// Prints a note.
pub fn note(text: &str) {
    say("note", "36", text);
}

/// Prints an error that is one of several.
pub fn error(text: &str) {
    say("error", "31", text);
}

/// Prints a failure, if there is one, and gives the exit code.
pub fn finish(result: Result<(), Failure>) -> ExitCode {
    let Err(failure) = result else { return ExitCode::SUCCESS };
    if !failure.quiet {
        say("error", "31", &failure.full());
    }
    ExitCode::from(failure.code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_move_the_cursor() {
        assert_eq!(shown("a\nb\u{1b}[2J\u{202e}c\u{e9}"), "a\\nb\\u{1b}[2J\\u{202e}c\u{e9}");
        assert_eq!(shown_lines("a\n  b\r"), "a\n  b\\r");
    }
}
