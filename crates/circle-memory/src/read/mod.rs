//! Reading memory data, whatever form it has.
//!
//! What is read is exact: bytes and ticks are taken as they stand, ends that a form gives inclusive are made exclusive, and
//! a number that does not fit is an error, never rounded. What the readers decide is told as a finding. Whether the plan is
//! sound is for [`crate::check()`] to say.
//!
//! Time and memory are linear in the bytes. Nothing recurses on the nesting of the input but the JSON values in `extra`, for
//! which the JSON parser's limit of 128 levels holds.

mod aidge;
pub(crate) mod backend_csv;
mod builder;
mod detect;
mod draft;
mod error;
mod forms;
mod json;
mod object;
mod onert;
mod own;
pub(crate) mod plan_csv;
mod records;
mod scan;
mod strict;
mod table;
mod text;
mod tflm;
mod tracealloc;
mod vela;

use crate::finding::Finding;
use crate::form::Memory;
use crate::place::Places;

pub use detect::detect;
pub use error::{ReadError, ReadFault};
pub use forms::{Foreign, Form};

/// Name of the one segment of a form that does not name its memory.
pub(crate) const UNNAMED: &str = "memory";

/// Key of the tracealloc and draft forms, and column of CSV, that the identity of a block is written under.
pub(crate) const ID: &str = "id";

/// What was read from a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The memory.
    pub memory: Memory,
    /// The form that the file has.
    pub form: Form,
    /// The lines of segments and blocks.
    pub places: Places,
    /// What is to be said about the reading. Faults of the plan are found by [`crate::check()`].
    pub findings: Vec<Finding>,
}

/// How files are read.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions<'a> {
    /// Whether `alive_till` of the tracealloc, draft and CSV forms is the last tick at which a block is alive rather than
    /// the first at which it no longer is. ONE's circle-execution-plan writes the former, viewers draw the latter, and no
    /// file says which it holds.
    pub inclusive_till: bool,
    /// Names of the blocks of a planning problem: the bytes of a CSV file `id,name`.
    pub names: Option<&'a [u8]>,
}

/// Reads memory data of any form that [`detect`] knows, with default options. `name` stands in errors only.
///
/// # Errors
/// Another kind of file, or the first place that cannot be read exactly; see [`ReadFault`].
pub fn read(bytes: &[u8], name: &str) -> Result<Document, ReadError> {
    read_with(bytes, name, &ReadOptions::default())
}

/// Reads memory data of any form that [`detect`] knows.
///
/// # Errors
/// As [`read()`].
pub fn read_with(bytes: &[u8], name: &str, options: &ReadOptions<'_>) -> Result<Document, ReadError> {
    let form = detect(bytes);
    read_form(form, bytes, options).map_err(|fault| ReadError {
        file: name.to_owned(),
        line: fault.line,
        place: Box::new(fault.place),
        fault: fault.fault,
    })
}

fn read_form(form: Form, bytes: &[u8], options: &ReadOptions<'_>) -> error::Faulty<Document> {
    let reader = match form {
        Form::Foreign(foreign) => return error::at(0, ReadFault::Foreign(foreign)),
        Form::Own => own::read,
        Form::DraftV1 => draft::read,
        Form::Tracealloc => tracealloc::read,
        Form::BackendCsv => backend_csv::read,
        Form::PlanCsv => plan_csv::read,
        Form::Aidge => aidge::read,
        Form::Vela => vela::read,
        Form::TflmPlan => tflm::read,
        Form::OnertPlanner => onert::read,
    };
    reader(text::text(bytes)?, options)
}
