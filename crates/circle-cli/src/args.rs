//! What all command lines share: spelling of options, help, verbosity.

use std::ffi::OsString;
use std::process::ExitCode;

use circle_liveness::{Choice, UnknownChoice};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, Command};

use crate::failure::finish;
use crate::output::stdout_failure;

/// Options of every driver.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct Common {
    /// Say more; repeat for each patch that is applied
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    pub verbose: u8,
    /// Say nothing but errors
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
}

impl Common {
    /// Prints a warning unless told to be quiet.
    pub fn warn(&self, text: &str) {
        if !self.quiet {
            crate::failure::warn(text);
        }
    }
    /// Prints a note if told to say more.
    pub fn note(&self, text: &str) {
        if self.verbose > 0 {
            crate::failure::note(text);
        }
    }
}

/// Options are spelled with `_`, as ONE's tools spell them, and may be typed with `-`.
fn respell(arg: OsString) -> OsString {
    let Some(text) = arg.to_str().filter(|text| text.starts_with("--") && text.len() > 2) else { return arg };
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (text, None),
    };
    let name = format!("--{}", name[2..].replace('-', "_"));
    match value {
        Some(value) => format!("{name}={value}").into(),
        None => name.into(),
    }
}

/// A command line respelled; what follows `--` is left alone.
fn respell_all(args: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut literal = false;
    args.into_iter()
        .map(|arg| {
            literal |= arg == "--";
            if literal { arg } else { respell(arg) }
        })
        .collect()
}

/// Parses a command line, the driver's name first, which is the first thing that every driver does. Help, version and usage errors end here with their exit code.
///
/// # Errors
/// The exit code, when there is nothing more to do.
pub fn matches(command: Command, args: impl IntoIterator<Item = OsString>) -> Result<ArgMatches, ExitCode> {
    crate::output::outlive_full_files();
    let verbs = command.get_subcommands().flat_map(Command::get_arguments);
    let all = command.get_arguments().chain(verbs);
    let known: Vec<String> = all.filter_map(|arg| Some(format!("--{}", arg.get_long()?))).collect();
    command.try_get_matches_from(respell_all(args)).map_err(|mut error| {
        name_nearest(&mut error, &known);
        match error.print() {
            // Help and version are results like any other.
            Err(fault) if !error.use_stderr() => finish(Err(stdout_failure(&fault))),
            _ => ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(crate::failure::USAGE)),
        }
    })
}

/// Names the nearest option where clap, which is strict with short names, finds none.
fn name_nearest(error: &mut clap::Error, known: &[String]) {
    /// From here on a name is rather meant than made up.
    const NEAR: f64 = 0.8;
    if error.kind() != ErrorKind::UnknownArgument || error.get(ContextKind::SuggestedArg).is_some() {
        return;
    }
    let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidArg) else { return };
    let nearness = |name: &String| strsim::jaro_winkler(name, given);
    let nearest = known.iter().max_by(|a, b| nearness(a).total_cmp(&nearness(b)));
    if let Some(nearest) = nearest.filter(|name| given.starts_with("--") && nearness(name) >= NEAR) {
        error.remove(ContextKind::Suggested);
        error.insert(ContextKind::SuggestedArg, ContextValue::String(nearest.clone()));
    }
}

/// A time in seconds, with or without a fraction.
///
/// # Errors
/// When it is none.
pub fn seconds(text: &str) -> Result<std::time::Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "a number of seconds is expected".to_owned())?;
    std::time::Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

/// Help of an option that names a planner: `lead` and the names.
pub fn planners(lead: &str) -> String {
    let names: Vec<&str> = Choice::all().skip(1).map(Choice::name).collect();
    format!("{lead}: best, or one of {}", names.join(", "))
}

/// Parses who plans.
///
/// # Errors
/// When nobody has this name, with those that are known.
pub fn planner(text: &str) -> Result<Choice, String> {
    text.parse().map_err(|_| UnknownChoice(crate::failure::shown(text).to_string()).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_may_be_typed_with_dashes() {
        let respelled = |text: &str| respell(OsString::from(text)).into_string().unwrap();
        assert_eq!(respelled("--fuse-mean-with-mean"), "--fuse_mean_with_mean");
        assert_eq!(respelled("--report=a-b.json"), "--report=a-b.json");
        assert_eq!(respelled("a-b.circle"), "a-b.circle");
        assert_eq!(respelled("--"), "--");
        assert_eq!(respelled("-"), "-");
    }
}
