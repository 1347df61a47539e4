//! Progress of long work, on standard error, on a terminal only, and not before a second has passed.

use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use indicatif::{HumanBytes, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::args::Common;

/// Work shorter than this shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// A process shows one bar: the terminal is one.
static BAR: OnceLock<ProgressBar> = OnceLock::new();

/// Shows progress until it is dropped.
#[derive(Debug)]
pub struct Shown {
    /// Dropping it ends the thread that waits to show the bar.
    _waiting: Option<Sender<()>>,
}

/// Begins to show progress. Nothing is ever shown when standard error is no terminal or the user wants quiet.
pub fn show(common: Common) -> Shown {
    if common.quiet || !io::stderr().is_terminal() {
        return Shown { _waiting: None };
    }
    let bar = BAR.get_or_init(bar).clone();
    let (sender, receiver) = channel();
    // Without a thread to wait there is no bar, and nothing else is missing.
    let _ = std::thread::Builder::new().spawn(move || {
        if receiver.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.enable_steady_tick(Duration::from_millis(120));
        }
    });
    Shown { _waiting: Some(sender) }
}

/// What is being done and for how long: how much there is to do is rarely known before.
fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
    match ProgressStyle::with_template("{spinner} {msg}, {elapsed}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar.with_style(ProgressStyle::default_spinner()),
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        if let Some(bar) = BAR.get() {
            bar.finish_and_clear();
        }
    }
}

/// Says what is being done now.
pub fn step(what: &'static str) {
    if let Some(bar) = BAR.get() {
        bar.set_message(what);
    }
}

/// A sink that tells how much has been written.
pub fn counted(sink: &mut dyn Write) -> impl Write + '_ {
    Counted { sink, written: 0, told: 0 }
}

struct Counted<'a> {
    sink: &'a mut dyn Write,
    written: u64,
    told: u64,
}

/// Telling costs more than writing a few bytes.
const TELL_EVERY: u64 = 16 << 20;

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.sink.write(bytes)?;
        self.written += count as u64;
        if self.written - self.told >= TELL_EVERY {
            self.told = self.written;
            if let Some(bar) = BAR.get() {
                bar.set_message(format!("writing, {} done", HumanBytes(self.written)));
            }
        }
        Ok(count)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}
