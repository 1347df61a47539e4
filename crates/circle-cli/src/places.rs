//! Files that are in one another's way on a command line.

use std::path::{Path, PathBuf};

use circle_format::write::led_to;

use crate::failure::{Failure, shown};

/// What a driver is told to read and to write.
#[derive(Debug, Default)]
pub(crate) struct Places<'a> {
    /// Files that are read, that of which the result is a changed one first.
    pub(crate) inputs: Vec<&'a str>,
    /// The result proper, which may take the place of the first input.
    pub(crate) output: Option<&'a str>,
    /// What is written beside it, which may not.
    pub(crate) beside: Vec<&'a str>,
}

impl Places<'_> {
    /// Refuses two inputs from standard input, two outputs to one place, and outputs in place of an input, but for a
    /// result that is this input changed.
    ///
    /// # Errors
    /// One of these, as a matter of usage.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if self.inputs.iter().filter(|path| **path == "-").count() > 1 {
            return Err(Failure::usage("standard input cannot be two files"));
        }
        let outputs: Vec<Place> =
            self.output.iter().chain(&self.beside).map(|path| Place::of(path)).collect();
        for (at, (path, place)) in self.output.iter().chain(&self.beside).zip(&outputs).enumerate() {
            if outputs.iter().take(at).any(|other| other == place) {
                return Err(Failure::usage(format!("{}: two outputs cannot go to one place", shown(path))));
            }
        }
        for (at, input) in self.inputs.iter().enumerate().filter(|(_, input)| **input != "-") {
            let place = Place::of(input);
            let result = self.output.iter().filter(|_| at > 0);
            if let Some(path) = result.chain(&self.beside).find(|path| Place::of(path) == place) {
                return Err(Failure::usage(format!(
                    "{}: is read, and would be overwritten by something else",
                    shown(path)
                )));
            }
        }
        Ok(())
    }
}

/// Where a path leads, however it is written.
#[derive(Debug, PartialEq, Eq)]
enum Place {
    Standard,
    File(PathBuf),
}

impl Place {
    fn of(path: &str) -> Self {
        if path == "-" {
            return Self::Standard;
        }
        let path = Path::new(path);
        if let Ok(place) = path.canonicalize() {
            return Self::File(place);
        }
        // What does not exist yet lies in a folder that may, and so does what a link leads to.
        let led = led_to(path).unwrap_or_else(|_| path.to_owned());
        let path = led.as_path();
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let place = folder.canonicalize().ok().zip(path.file_name()).map(|(folder, name)| folder.join(name));
        Self::File(place.unwrap_or_else(|| path.to_owned()))
    }
}
