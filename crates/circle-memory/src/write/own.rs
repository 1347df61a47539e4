//! Our own form: deterministic, a block a line, written as it goes.

use std::io::Write;

use super::WriteError;
use super::json::Open;
use crate::form::{Memory, Segment};

pub(super) fn write(memory: &Memory, out: &mut dyn Write) -> Result<(), WriteError> {
    let Memory { format, schema_version, producer, model, tick, files, origins, segments, extra } = memory;
    let mut file = Open::file(out)?;
    file.member("format", format)?;
    file.member("schema_version", schema_version)?;
    file.optional("producer", producer)?;
    file.optional("model", model)?;
    file.member("tick", tick)?;
    if !files.is_empty() {
        file.list("files", files)?;
    }
    if !origins.is_empty() {
        file.list("origins", origins)?;
    }
    let mut list = file.open_list("segments")?;
    for Segment { name, size, alignment, tick, spaces, blocks, extra } in segments {
        let mut segment = list.open_entry()?;
        segment.member("name", name)?;
        segment.optional("size", size)?;
        segment.optional("alignment", alignment)?;
        segment.optional("tick", tick)?;
        if !spaces.is_empty() {
            segment.list("spaces", spaces)?;
        }
        segment.list("blocks", blocks)?;
        if !extra.is_empty() {
            segment.member("extra", extra)?;
        }
        segment.close()?;
    }
    list.close()?;
    if !extra.is_empty() {
        file.member("extra", extra)?;
    }
    file.close()?;
    Ok(out.write_all(b"\n")?)
}
