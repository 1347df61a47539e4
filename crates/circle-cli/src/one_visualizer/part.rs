//! The part of memory that `--cycles` and `--segment` ask for, the same in every form of output.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use circle_memory::{Block, Finding, Memory, Part};

use super::Options;
use crate::failure::{Failure, shown};
use crate::plans::Remark;

/// What the command line asks for.
pub(super) fn asked(options: &Options) -> Part {
    Part { ticks: options.cycles.clone(), segments: options.segments.clone() }
}

/// Refuses a name that none of the segments has, with those that there are.
///
/// # Errors
/// When there is such a name. `place` is where it was looked for.
pub(super) fn known<'a>(
    options: &Options,
    place: &str,
    names: impl Iterator<Item = &'a str> + Clone,
) -> Result<(), Failure> {
    match circle_visual::memory::missing_segment(&asked(options), names) {
        Some(missing) => Err(Failure::at(place, missing)),
        None => Ok(()),
    }
}

/// Names of the segments of a memory.
pub(super) fn names(memory: &Memory) -> impl Iterator<Item = &str> + Clone {
    memory.segments.iter().map(|segment| segment.name.as_str())
}

/// What of a memory is in use in the part that is asked for, lives cut to its ticks.
pub(super) fn shown_of<'a>(part: &Part, memory: &'a Memory) -> Cow<'a, Memory> {
    if part.is_whole() { Cow::Borrowed(memory) } else { Cow::Owned(part.shown(memory)) }
}

/// Whether a finding is about the part, or about the file as a whole.
pub(super) fn is_about(part: &Part, memory: &Memory, finding: &Finding) -> bool {
    let Some(named) = &finding.place.segment else { return true };
    let Some(segment) = memory.segments.get(named.index) else { return true };
    let block = finding.place.block.as_ref().and_then(|named| segment.blocks.get(named.index));
    part.has(segment) && block.is_none_or(|block| part.meets(block.alive_from, block.alive_till))
}

/// The remarks about a plan that a model carries that are about no tensor, or about one in the part that is asked for.
pub(super) fn remarks<'a>(part: &Part, memory: &Memory, remarks: &'a [Remark]) -> Vec<&'a Remark> {
    let blocks = memory.segments.iter().flat_map(|segment| {
        let of_part = |block: &Block| part.has(segment) && part.meets(block.alive_from, block.alive_till);
        segment.blocks.iter().filter(move |block| !of_part(block))
    });
    let tensors = blocks.filter_map(|block| block.tensor.as_ref());
    let left_out: HashSet<(u32, u32)> =
        tensors.filter_map(|tensor| Some((tensor.subgraph, tensor.index?))).collect();
    let kept = remarks.iter().filter(|remark| remark.tensor.is_none_or(|tensor| !left_out.contains(&tensor)));
    kept.collect()
}

/// Tells, if more is to be said, how many blocks are left out of what was read of a file.
pub(super) fn note_left_out(options: &Options, file: &str, memory: &Memory) {
    let part = asked(options);
    let Some(ticks) = &part.ticks else { return };
    let blocks = memory.segments.iter().filter(|segment| part.has(segment)).flat_map(|s| &s.blocks);
    let left = blocks.filter(|block| !part.meets(block.alive_from, block.alive_till)).count();
    if left > 0 {
        let text = format!("blocks left out that are alive only outside of {}: {left}", words(ticks));
        options.common.note(&format!("{}: {text}", shown(file)));
    }
}

/// A range of ticks in words.
pub(super) fn words(ticks: &Range<u64>) -> String {
    match ticks.end {
        // A range without an end.
        u64::MAX => format!("ticks {}..", ticks.start),
        end => format!("ticks {}..{end}", ticks.start),
    }
}
