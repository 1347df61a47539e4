//! Memory data in another form, or a part of it.

use std::borrow::Cow;

use circle_memory::write::{Loss, WriteError, WriteOptions, write};
use circle_memory::{Form as Kind, Positions};

use super::memory::Subject;
use super::{Form, Options, Target, part};
use crate::failure::Failure;
use crate::output;

/// Writes the part of a memory that is asked for, its blocks with their whole lives.
///
/// # Errors
/// What the form cannot express, and what goes wrong with the output.
pub(super) fn convert(
    options: &Options,
    subjects: &[Subject<'_>],
    target: Target<'_>,
) -> Result<(), Failure> {
    let [subject] = subjects else {
        return Err(Failure::usage("one input is converted at a time; several can be drawn"));
    };
    let part = part::asked(options);
    let (memory, positions) = match part.is_whole() {
        true => (Cow::Borrowed(&subject.memory), Vec::new()),
        false => {
            let (kept, positions) = part.kept(&subject.memory);
            (Cow::Owned(kept), positions)
        }
    };
    let kind = match target.form {
        Form::Tracealloc => Kind::Tracealloc,
        Form::Csv => Kind::BackendCsv,
        Form::PlanCsv => Kind::PlanCsv,
        Form::Draft => Kind::DraftV1,
        _ => Kind::Own,
    };
    let (allow_loss, implied) = (options.allow_loss, subject.implied);
    let writing = WriteOptions { allow_loss, implied, ..WriteOptions::default() };
    let losses = output::write(target.path, |sink| {
        let mut sink = std::io::BufWriter::new(sink);
        let losses =
            write(&memory, kind, &writing, &mut sink).map_err(|error| match in_whole(error, &positions) {
                error @ WriteError::CannotExpress { optional: true, .. } => Failure::at(
                    subject.input.name(),
                    format!("{error}; --allow_loss leaves out what it cannot"),
                ),
                error => Failure::at(subject.input.name(), error),
            })?;
        std::io::Write::flush(&mut sink).map_err(|error| Failure::at(target.path, error))?;
        Ok(losses)
    })?;
    for mut loss in losses {
        place_in_whole(&mut loss, &positions);
        options.common.warn(&format!("{}: left out: {loss}", subject.input.name()));
    }
    Ok(())
}

/// The error with places in the whole memory, where users look for them, rather than in the part.
fn in_whole(mut error: WriteError, positions: &[Positions]) -> WriteError {
    if let WriteError::CannotExpress { losses, .. } = &mut error {
        losses.iter_mut().for_each(|loss| place_in_whole(loss, positions));
    }
    error
}

fn place_in_whole(loss: &mut Loss, positions: &[Positions]) {
    let Some(segment) = &mut loss.place.segment else { return };
    let Some(places) = positions.get(segment.index) else { return };
    segment.index = places.segment;
    if let Some(block) = &mut loss.place.block {
        block.index = places.blocks.get(block.index).copied().unwrap_or(block.index);
    }
}
