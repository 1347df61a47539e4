//! Where results go: a file that appears whole or not at all, or standard output.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use circle_format::write::{Seekable, replace};

use crate::failure::{FAILED, Failure};

/// Makes an error of what would end the process: a file that grows beyond the size that is allowed (`ulimit -f`) is then
/// one that cannot be written, like one on a full disk, and is taken away.
pub(crate) fn outlive_full_files() {
    #[cfg(unix)]
    {
        // Whoever writes is told by the write; the flag is not looked at. A system that does not let the signal be caught
        // ends the process as before.
        let noted = std::sync::Arc::default();
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, noted);
    }
}

/// Writes text to standard output. A reader that has gone away is no error worth a message.
///
/// # Errors
/// When standard output cannot be written.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|error| stdout_failure(&error))
}

/// What writing to standard output failed with. A reader that has gone away is no error worth a message.
pub(crate) fn stdout_failure(error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::silent(FAILED),
        _ => Failure::at("standard output", error),
    }
}

/// JSON for people and programs, with a line feed at its end. Numbers of 128 bits are written as they are.
///
/// # Errors
/// When a value has no form in JSON.
pub(crate) fn json_text(value: &impl serde::Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(value).map_err(|error| Failure::new(error.to_string()))?;
    Ok(text + "\n")
}

/// Writes `path`, or standard output for `-`, through `write`. A file appears when `write` has ended well, and not
/// before. Binary data is not sent to a terminal.
///
/// # Errors
/// When the place cannot be written, or `write` fails.
pub fn write<T>(path: &str, write: impl FnOnce(&mut dyn Write) -> Result<T, Failure>) -> Result<T, Failure> {
    if path != "-" {
        return write_file(path, |sink| write(sink));
    }
    if io::stdout().is_terminal() {
        return Err(Failure::new("standard output is a terminal; name a file, or send the output to one"));
    }
    let mut out = Stdout { out: io::BufWriter::new(io::stdout().lock()), failed: None };
    let done = write(&mut out).and_then(|done| {
        let flushed = out.flush();
        flushed.map(|()| done).map_err(|error| stdout_failure(&error))
    });
    match out.failed {
        // Whatever `write` made of it, the fault is that of standard output.
        Some(error) => Err(stdout_failure(&error)),
        None => done,
    }
}

/// Writes the file `path` through `write`, which can go back to what it has written. It appears when `write` has ended
/// well, and not before.
///
/// # Errors
/// When the place cannot be written, or `write` fails.
pub fn write_file<T>(
    path: &str,
    write: impl FnOnce(&mut dyn Seekable) -> Result<T, Failure>,
) -> Result<T, Failure> {
    replace(Path::new(path), |sink| write(sink).map_err(Step::Write)).map_err(|step| match step {
        Step::Write(failure) => failure,
        Step::Place(error) => Failure::at(path, error),
    })
}

/// Standard output that remembers whether it failed.
struct Stdout<'a> {
    out: io::BufWriter<io::StdoutLock<'a>>,
    failed: Option<io::Error>,
}

impl Stdout<'_> {
    fn note<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        result.inspect_err(|error| {
            // An error cannot be cloned; kind and text are all that is told of it.
            self.failed.get_or_insert_with(|| io::Error::new(error.kind(), error.to_string()));
        })
    }
}

impl Write for Stdout<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes);
        self.note(written)
    }
    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.out.flush();
        self.note(flushed)
    }
}

/// Writes text to `path` as [`write()`] does, or to standard output for `-`, which may be a terminal.
///
/// # Errors
/// When the place cannot be written.
pub fn write_text(path: &str, text: &str) -> Result<(), Failure> {
    if path == "-" {
        return print(text);
    }
    write(path, |sink| sink.write_all(text.as_bytes()).map_err(|error| Failure::at(path, error)))
}

enum Step {
    Write(Failure),
    Place(circle_format::write::ReplaceError),
}

impl From<circle_format::write::ReplaceError> for Step {
    fn from(error: circle_format::write::ReplaceError) -> Self {
        Self::Place(error)
    }
}
