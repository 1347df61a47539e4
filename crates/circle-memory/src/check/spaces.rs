//! The spaces of a segment for themselves.

use std::collections::BTreeMap;

use super::MOST;
use super::collect::Collector;
use super::fields::{lifetime, numbers_too_large};
use crate::finding::{Code, Severity};
use crate::form::{Segment, Space};

/// Checks the spaces and gives them by identity, the first of each.
pub(super) fn check<'a>(
    index: usize,
    segment: &'a Segment,
    found: &mut Collector<'_>,
) -> BTreeMap<u32, &'a Space> {
    let mut spaces = BTreeMap::new();
    for (at, space) in segment.spaces.iter().enumerate() {
        let field = |name: &str| format!("spaces {at} {name}");
        let asked = found.part.meets(space.alive_from, space.alive_till);
        let mut fault = |severity, code, name: &str, text| {
            if asked {
                found.segment(severity, code, index, &field(name), text);
            }
        };
        if spaces.contains_key(&space.id) {
            fault(Severity::Error, Code::Duplicate, "id", format!("id {} is given twice", space.id));
        }
        spaces.entry(space.id).or_insert(space);
        for (name, text) in numbers_too_large(space.offset, space.size, space.alive_from, space.alive_till) {
            fault(Severity::Error, Code::TooLarge, name, text);
        }
        if let Some(alignment) = segment.alignment.filter(|a| *a > 0 && !space.offset.is_multiple_of(*a)) {
            let text = format!("{} is no multiple of {alignment}", space.offset);
            fault(Severity::Error, Code::Alignment, "offset", text);
        }
        if let Some(text) = lifetime(space.alive_from, space.alive_till) {
            fault(Severity::Error, Code::Lifetime, "alive_till", text);
        }
        if space.size == 0 {
            fault(Severity::Warning, Code::NoBytes, "size", "no bytes".to_owned());
        }
        let end = u128::from(space.offset) + u128::from(space.size);
        if end > u128::from(MOST) {
            fault(Severity::Error, Code::TooLarge, "size", format!("ends at {end}, beyond {MOST}"));
        } else if let Some(size) = segment.size.filter(|size| end > u128::from(*size)) {
            fault(
                Severity::Error,
                Code::OutsideSegment,
                "size",
                format!("ends at {end}, the segment at {size}"),
            );
        }
    }
    spaces
}
