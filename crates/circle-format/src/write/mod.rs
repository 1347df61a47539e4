//! The model to bytes.
//!
//! A file has a head and a tail. The head is a flatbuffer with everything but weights, built in memory; the tail is
//! streamed behind it from where the weights are, mostly ranges of the mapped input, so that they never pass through
//! the heap. In the inline layout a buffer's `data` field in the head is overwritten by the distance to a vector in
//! the tail: offsets of a flatbuffer lead forward and may lead past what the builder made, so the whole is a plain
//! flatbuffer. In the extended layout `offset` and `size` say where the bytes are, counted from the start of the
//! file. Data begins at multiples of 16 bytes in both, as the schema's `force_align` asks and the builder cannot do.
//!
//! An archive that followed the input follows the output.
//!
//! Written is what the model holds, with fields at their defaults where the file had them so. Three liberties are
//! taken: indices equal to zero are left to the default; the vectors of subgraphs, tensors, operators, codes and
//! buffers are there even if empty, since runtimes insist on them; and entries of the metadata that this project
//! interprets come from the caller.

mod buffers;
mod error;
mod model;
mod numbering;
mod operator;
mod replace;
mod subgraph;
mod tail;

use std::io;
use std::ops::Range;

use circle_ir::Model;
use circle_schema::emit;

pub use error::{ReplaceError, ReplaceProblem, WriteError};
pub use numbering::{Numbering, number};
pub use replace::{Seekable, led_to, replace};

use crate::fault::Place;
use buffers::{Buffers, Mode};
use model::{Head, Parts};
use numbering::Numbers;
use tail::Tail;

/// Why nothing tells the operators of `model` apart, if nothing does: no tensor has a name, or all have one. What is written
/// of such a model without its lineage is not [read](crate::read::read) again but with
/// [`allow_loss`](crate::read::ReadOptions::allow_loss).
pub fn untold(model: &Model) -> Option<String> {
    let values = model.subgraphs().flat_map(|(_, sg)| sg.values());
    crate::read::untold(values.map(|(_, value)| value.name()))
}

/// Where weights are to lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// Where they lay in the input; outside the flatbuffer where the file would get too large for offsets otherwise.
    #[default]
    Keep,
    /// In the flatbuffer.
    Inline,
    /// Behind the flatbuffer, found by offset and size. Metadata stays inside, where its readers look for it.
    Extended,
}

/// How to write.
#[derive(Clone, Copy, Debug, Default)]
pub struct WriteOptions {
    /// Where weights are to lie.
    pub layout: Layout,
}

/// A metadata entry of our own. It gets a buffer of its own, after all others and always in the flatbuffer.
#[derive(Clone, Copy, Debug)]
pub struct Extra<'a> {
    /// Name of the entry.
    pub name: &'a str,
    /// Its content.
    pub payload: &'a [u8],
}

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Length of the file in bytes.
    pub bytes: u64,
    /// How many of them are the flatbuffer, in which no offset is larger than this.
    pub flatbuffer: u64,
    /// Where weights lie.
    pub layout: circle_ir::model::Layout,
    /// Where in the file, in bytes, the payloads of our own metadata lie, in the order in which they were given. Others
    /// of the same lengths can take their places.
    pub extra: Vec<Range<u64>>,
}

/// Writes `model` to `sink` as circle. `input` are the bytes of the file that it was read from, empty if none.
/// Operators and tensors are written as `numbering` lists them, `extra` after the model's other metadata.
///
/// The same model gives the same bytes. The head is verified before the first byte is written, and the size is
/// known by then; what can still fail is the sink.
///
/// # Errors
/// When the model refers to what is not in it, not in `numbering` or not in `input`; when the model is larger than
/// the layout can hold; when the sink fails.
pub fn write(
    model: &Model,
    input: &[u8],
    numbering: &Numbering,
    extra: &[Extra<'_>],
    options: WriteOptions,
    sink: &mut dyn io::Write,
) -> Result<Written, WriteError> {
    let names = extra.iter().map(|entry| entry.name).collect();
    let payloads: Vec<&[u8]> = extra.iter().map(|entry| entry.payload).collect();
    prepare(model, input, numbering, names, options)?.finish(&payloads, sink)
}

/// The first half of [`write`](fn@write): what can be done before the payloads of our own metadata, called `names`, are known.
///
/// # Errors
/// As [`write`](fn@write).
pub fn prepare<'a>(
    model: &'a Model,
    input: &'a [u8],
    numbering: &'a Numbering,
    names: Vec<&'a str>,
    options: WriteOptions,
) -> Result<Prepared<'a>, WriteError> {
    let numbers = Numbers::new(model, numbering)?;
    let modes = Mode::of(options.layout, model.frame().layout);
    let mut this = Prepared { model, input, numbering, numbers, names, modes, first: None };
    this.first = modes.first().map(|&mode| this.head(mode)).transpose()?;
    Ok(this)
}

/// A model that is ready to be written but for the payloads of our own metadata.
pub struct Prepared<'a> {
    model: &'a Model,
    input: &'a [u8],
    numbering: &'a Numbering,
    numbers: Numbers,
    names: Vec<&'a str>,
    modes: &'static [Mode],
    /// What the first mode gave.
    first: Option<(Buffers<'a>, Head)>,
}

impl std::fmt::Debug for Prepared<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Prepared({:?})", self.names)
    }
}

impl<'a> Prepared<'a> {
    fn head(&self, mode: Mode) -> Result<(Buffers<'a>, Head), WriteError> {
        let Self { model, input, numbering, ref numbers, ref names, .. } = *self;
        let buffers = Buffers::new(model, input, names.len(), mode)?;
        let head = Head::new(&Parts { model, input, numbering, numbers, buffers: &buffers, names })?;
        Ok((buffers, head))
    }

    /// The second half of [`write`](fn@write): `payloads` are those of the names, in the same order.
    ///
    /// # Errors
    /// As [`write`](fn@write).
    pub fn finish(mut self, payloads: &[&[u8]], sink: &mut dyn io::Write) -> Result<Written, WriteError> {
        let mut size = 0;
        let mut first = self.first.take();
        for &mode in self.modes {
            let (mut buffers, mut head) = match first.take() {
                Some(ready) => ready,
                None => self.head(mode)?,
            };
            buffers.fill(payloads);
            let custom = head.custom_options(self.input)?;
            let mut tail = Tail::new(head.bytes().len() as u64, &buffers, &custom);
            let (copied, len) = (buffers.copied.saturating_add(tail.custom_bytes), self.input.len() as u64);
            if copied > len.saturating_mul(buffers::MAX_SHARING) {
                return Err(WriteError::Overlap { size: copied, len });
            }
            if let Some(range) = &self.model.frame().archive {
                tail.attach(archive(self.input, range)?)?;
            }
            // Readers that verify do so for the whole file, with offsets of 31 bits.
            size = if mode == Mode::Inline { tail.end() } else { tail.flatbuffer_end() };
            if size <= emit::MAX_SIZE {
                head.point_to(&tail);
                tail.stream(head.bytes(), sink).map_err(WriteError::Io)?;
                return Ok(Written {
                    bytes: tail.end(),
                    flatbuffer: tail.flatbuffer_end(),
                    layout: buffers.layout(),
                    extra: buffers.own_blocks().map(|block| tail.payload(block)).collect(),
                });
            }
        }
        Err(WriteError::TooLarge { size })
    }
}

/// The archive that follows the model in the input.
fn archive<'a>(input: &'a [u8], range: &Range<u64>) -> Result<&'a [u8], WriteError> {
    buffers::part_of(input, range, || Place { part: Some("archive".into()), ..Place::default() })
}

/// Sets a field of a record.
fn set(
    record: &mut circle_tables::Record,
    name: &str,
    value: impl Into<circle_tables::Datum>,
    place: impl FnOnce() -> Place,
) -> Result<(), WriteError> {
    record
        .set(name, value)
        .map_err(|error| WriteError::Field { place: Box::new(place()), error: Box::new(error) })
}
