//! What TFLite-Micro's planners print with `PrintMemoryPlan`:
//!
//! ```text
//! c (id=3): size=192, offset=384, first_used=11 last_used=12
//! ```
//!
//! The letter stands for the buffer in the drawing that follows, which says nothing more. Sizes and offsets are bytes,
//! `first_used` and `last_used` positions of operators; the last one is inclusive. Lines of other kinds are passed over, as
//! logs hold much else. An id that comes again begins another plan, hence another segment.

use std::collections::HashSet;

use super::builder::{Builder, after};
use super::detect::contains;
use super::error::Faulty;
use super::scan::Scan;
use super::text::numbered;
use super::{Document, Form, ReadOptions};
use crate::form::{Block, Producer, Segment, TickUnit};

/// Whether a line speaks of a buffer.
pub(super) fn is_line(line: &[u8]) -> bool {
    contains(line, b"(id=") && contains(line, b"): size=")
}

pub(super) fn read(text: &str, options: &ReadOptions<'_>) -> Faulty<Document> {
    let mut builder = Builder::new(options, TickUnit::Operator);
    let name = Some("TFLite-Micro".to_owned());
    builder.memory.producer = Some(Producer { name, ..Producer::default() });
    let mut ids: HashSet<u64> = HashSet::new();
    for (line, text) in numbered(text).filter(|(_, text)| is_line(text.as_bytes())) {
        let (_, behind) = text.split_once("(id=").unwrap_or(("", text));
        let mut scan = Scan::new(line, behind);
        let id = scan.number("id")?;
        scan.need("): size=")?;
        let size = scan.number("size")?;
        scan.need(", offset=")?;
        let offset = scan.number("offset")?;
        scan.need(", first_used=")?;
        let alive_from = scan.number("first_used")?;
        scan.need("last_used=")?;
        let last = scan.number("last_used")?;
        scan.end()?;
        if builder.memory.segments.is_empty() || !ids.insert(id) {
            ids = HashSet::from([id]);
            let plan = builder.memory.segments.len();
            let name = if plan == 0 { "arena".to_owned() } else { format!("arena {plan}") };
            builder.open(Segment { name, ..Segment::default() }, line);
        }
        let plan = builder.last();
        // Ids are unique in a file, and those of later plans begin again.
        let id = if plan == 0 { id.to_string() } else { format!("{plan}/{id}") };
        let alive_till = after(last, line, "last_used")?;
        builder.push(
            plan,
            Block { id: Some(id), offset, size, alive_from, alive_till, ..Block::default() },
            line,
        );
    }
    Ok(builder.finish(Form::TflmPlan))
}
