//! Writing memory data in the forms that have a reader for it.
//!
//! A form that cannot express what a memory holds refuses it, naming what and where; or, when asked to, leaves it out and
//! says so. What is left out is known before the first byte is written.

mod backend_csv;
mod draft;
mod flat;
mod implied;
mod json;
mod losses;
mod own;
mod plan_csv;
mod tracealloc;

use std::fmt;
use std::io::{self, Write};

use crate::form::Memory;
use crate::place::Place;
use crate::read::Form;

pub use implied::{Implied, ImpliedProducer};
use losses::Losses;
pub use plan_csv::names;

/// How memory data is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WriteOptions {
    /// Leave out what the form cannot express, rather than refuse.
    pub allow_loss: bool,
    /// Write the last tick of lifetimes as `alive_till` of the tracealloc, draft and CSV forms, see
    /// [`crate::ReadOptions::inclusive_till`].
    pub inclusive_till: bool,
    /// Where the tracealloc, draft and CSV forms would call several blocks of a file the same, since these are of one layer, add
    /// to each what the block itself is called. What is read back has layers of such names.
    pub tell_apart: bool,
    /// The names of the blocks of a planning problem are written beside it, with [`names`].
    pub names_beside: bool,
    /// What was in no file, and is therefore not lost where a form has no place for it.
    pub implied: Implied,
}

/// So many kinds of loss are named by a refusal; the others are counted.
const NAMED: usize = 12;

/// Something that a form cannot express.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// What it is.
    pub what: &'static str,
    /// Where it stands first.
    pub place: Place,
    /// In how many places it stands.
    pub count: usize,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.place.is_empty() {
            write!(f, "{}: ", self.place)?;
        }
        match self.count {
            0 | 1 => f.write_str(self.what),
            count => write!(f, "{} (and {} more)", self.what, count - 1),
        }
    }
}

/// Why memory data was not written.
#[derive(Debug)]
pub enum WriteError {
    /// The form is only read.
    ReadOnly(Form),
    /// The form has no place for something.
    CannotExpress {
        /// The form.
        form: Form,
        /// What it has no place for, in the order in which it was found.
        losses: Vec<Loss>,
        /// Whether all of it can be left out.
        optional: bool,
    },
    /// The output could not be written.
    Io(io::Error),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ReadOnly(form) => write!(f, "{form} is read, not written"),
            Self::CannotExpress { form, losses, .. } => {
                write!(f, "{form} cannot express this")?;
                for (at, loss) in losses.iter().take(NAMED).enumerate() {
                    write!(f, "{} {loss}", if at == 0 { ":" } else { ";" })?;
                }
                match losses.len().saturating_sub(NAMED) {
                    0 => Ok(()),
                    more => write!(f, "; and {more} more"),
                }
            }
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for WriteError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::ReadOnly(_) | Self::CannotExpress { .. } => None,
        }
    }
}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<serde_json::Error> for WriteError {
    fn from(error: serde_json::Error) -> Self {
        Self::Io(error.into())
    }
}

impl From<csv::Error> for WriteError {
    fn from(error: csv::Error) -> Self {
        Self::Io(error.into())
    }
}

/// Writes a memory in a form and gives what was left out, each kind of it once. `out` should be buffered.
///
/// # Errors
/// What the form cannot express, all of it, unless that may be left out; then nothing has been written. Errors of the output.
pub fn write(
    memory: &Memory,
    form: Form,
    options: &WriteOptions,
    out: &mut dyn Write,
) -> Result<Vec<Loss>, WriteError> {
    let mut losses = Losses::new(memory, form, options);
    match form {
        Form::Own => own::write(memory, out)?,
        Form::Tracealloc => tracealloc::write(memory, options, &mut losses, out)?,
        Form::DraftV1 => draft::write(memory, options, &mut losses, out)?,
        Form::BackendCsv => backend_csv::write(memory, options, &mut losses, out)?,
        Form::PlanCsv => plan_csv::write(memory, options, &mut losses, out)?,
        Form::Aidge | Form::Vela | Form::TflmPlan | Form::OnertPlanner | Form::Foreign(_) => {
            return Err(WriteError::ReadOnly(form));
        }
    }
    Ok(losses.all())
}

/// The text of [`write()`] in our own form.
pub fn to_json(memory: &Memory) -> String {
    let mut out = Vec::new();
    // Memory takes whatever is written into it, and JSON is UTF-8.
    let written = own::write(memory, &mut out).ok();
    written.and_then(|()| String::from_utf8(out).ok()).unwrap_or_default()
}
