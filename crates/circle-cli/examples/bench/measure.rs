//! Runs a command and says what it took.

use std::error::Error;
use std::ffi::OsStr;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Wall time of one run of `program`, from its start to its end.
pub(super) fn time<S: AsRef<OsStr>>(program: impl AsRef<OsStr>, arguments: &[S]) -> Result<Duration> {
    let mut command = Command::new(&program);
    command.args(arguments).stdout(Stdio::null()).stderr(Stdio::piped());
    let start = Instant::now();
    let output = command.output()?;
    let time = start.elapsed();
    if !output.status.success() {
        let name = program.as_ref().to_string_lossy().into_owned();
        return Err(format!("{name}: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(time)
}

/// The median of `runs` times.
pub(super) fn median<S: AsRef<OsStr>>(
    runs: usize,
    program: impl AsRef<OsStr> + Copy,
    arguments: &[S],
) -> Result<Duration> {
    let mut times = Vec::new();
    for _ in 0..runs {
        times.push(time(program, arguments)?);
    }
    times.sort_unstable();
    times.get(runs / 2).copied().ok_or_else(|| "no runs".into())
}

/// The largest amount of memory of its own (not pages of mapped files) that `program` was seen to have, in bytes:
/// looked up every millisecond where the system shows it in `/proc`, nothing elsewhere.
pub(super) fn peak_memory<S: AsRef<OsStr>>(
    program: impl AsRef<OsStr>,
    arguments: &[S],
) -> Result<Option<u64>> {
    let mut child =
        Command::new(program).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let status = format!("/proc/{}/status", child.id());
    let mut peak = None;
    let ended = loop {
        if let Some(ended) = child.try_wait()? {
            break ended;
        }
        peak = peak.max(fs::read_to_string(&status).ok().and_then(|text| anonymous(&text)));
        std::thread::sleep(Duration::from_millis(1));
    };
    if ended.success() { Ok(peak) } else { Err(format!("{ended}").into()) }
}

/// Bytes of memory that no file stands behind, from the text of a process' status.
fn anonymous(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}
