//! The outermost table, signatures and metadata.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

use circle_ir::import::{Draft, DraftSubgraph};
use circle_ir::model::{ForeignMetadata, Frame, Layout, ListedCode, Signature};
use circle_ir::{Buffer, BufferId, OpCode, Placement, SubgraphId, ValueId};
use circle_schema::{Format, RawError, RawTable};
use circle_tables::{Record, circle};
use foldhash::fast::RandomState;

use super::own::{LINEAGE, ONE_OP_TABLE, ONE_SOURCE_TABLE, ORIGIN_ID};
use super::record::Records;
use super::{Loaded, OwnMetadata, ReadError, ReadOptions, buffers, check, operator, subgraph};
use crate::archive::Archive;
use crate::fault::{Faults, Place};

const OWN_FIELDS: [&str; 6] =
    ["operator_codes", "subgraphs", "buffers", "metadata", "metadata_buffer", "signature_defs"];

pub(super) fn read(
    bytes: &[u8],
    format: Format,
    root: &RawTable<'_>,
    options: ReadOptions,
) -> Result<Loaded, ReadError> {
    let mut records = Records { format, findings: circle_schema::Findings::new() };
    let mut faults = Faults::default();
    let mut record = records.read(root, &circle::MODEL, &OWN_FIELDS)?;
    if format == Format::Tflite {
        // TFLite counts its schema versions from 3, circle from 0.
        record.remove("version");
    }
    let mut buffers = buffers::read(bytes, root, &mut records.findings, &mut faults)?;
    let mut codes = operator::codes(root, &mut records, &mut faults)?;
    let tables = root.tables("subgraphs")?;
    let mut subgraphs = Vec::with_capacity(tables.len());
    for (index, table) in tables.enumerate() {
        let table = table?;
        let mut findings = std::mem::take(&mut records.findings);
        let read = findings.within_element("subgraphs", index, |findings| {
            std::mem::swap(findings, &mut records.findings);
            let read = subgraph::read(index, &table, &codes, &mut records, &mut faults);
            std::mem::swap(findings, &mut records.findings);
            read
        });
        records.findings = findings;
        subgraphs.push(read?);
    }
    let signatures = signatures(root, &mut records)?;
    let metadata_buffer = root.ints("metadata_buffer")?.map(|list| {
        list.iter().map(|&i| BufferId::from_number(u32::try_from(i).unwrap_or(u32::MAX))).collect()
    });
    let (metadata, own_entries) = metadata(root, &mut records, &mut faults, buffers.len())?;
    let external = |b: &Buffer| matches!(b, Buffer::Source { placement: Placement::External, .. });
    let layout = if buffers.iter().any(external) { Layout::Extended } else { Layout::Inline };
    mark_used(&mut codes, &subgraphs);
    let unused_buffers = Vec::new();
    let archive = trailing(bytes, root, &mut records);
    let mut frame =
        Frame { record, codes, signatures, metadata, metadata_buffer, unused_buffers, archive, layout };
    let referred = referred(&frame, &subgraphs);
    let own = take_own(&own_entries, &referred, &mut buffers, &mut faults);
    let numbers = (0..buffers.len()).filter_map(|i| u32::try_from(i).ok()).map(BufferId::from_number);
    frame.unused_buffers = numbers.filter(|id| !referred.contains(id)).collect();
    let draft = Draft { frame, subgraphs, buffers };

    check::check(bytes, &draft, &mut faults);
    let mut warnings = Vec::new();
    if let Some(nameless) = check::nameless(&draft) {
        // Some converters make TFLite models without names. In a circle file, ONE's tables and tools go by them; only
        // where our own lineage numbers the operators nothing is in doubt.
        let numbered = format == Format::Tflite || own.lineage.is_some() || own.origin_id.is_some();
        if numbered || options.allow_loss {
            warnings.push(format!("{nameless}: operators are told apart by index only"));
        } else {
            let text = format!("{nameless}; --allow_loss goes by the operators' index alone");
            faults.add(Place { part: Some("tensors".into()), ..Place::default() }, text);
        }
    }
    if !faults.is_empty() {
        let (faults, more) = faults.into_parts();
        return Err(ReadError::Faults { faults, more });
    }
    let lost: Vec<String> = records.findings.list().iter().map(ToString::to_string).collect();
    if !lost.is_empty() && !options.allow_loss {
        return Err(ReadError::Loss { what: lost, more: records.findings.more() });
    }
    let several = |name: &String| format!("several metadata entries are called {name}: the last one counts");
    warnings.extend(own.repeated.iter().map(several));
    Ok(Loaded { draft, format, own, lost, warnings })
}

/// Marks the codes of which there are operators.
fn mark_used(codes: &mut [ListedCode], subgraphs: &[DraftSubgraph]) {
    let used: HashSet<&OpCode, RandomState> =
        subgraphs.iter().flat_map(|sg| &sg.operators).map(|op| &op.code).collect();
    for listed in codes {
        listed.used = used.contains(&listed.code);
    }
}

/// The buffers that something other than our own metadata refers to, and the empty one.
fn referred(frame: &Frame, subgraphs: &[DraftSubgraph]) -> HashSet<BufferId, RandomState> {
    let mut referred: HashSet<BufferId, RandomState> =
        subgraphs.iter().flat_map(|sg| sg.values.iter().map(|v| v.buffer)).collect();
    referred.extend(frame.metadata.iter().flatten().map(|entry| entry.buffer));
    referred.extend(frame.metadata_buffer.iter().flatten());
    referred.insert(BufferId::from_number(0));
    referred
}

/// More zero bytes than any alignment asks for, behind the last byte that something refers to.
const MAX_PADDING: usize = 64;

/// What follows the last byte that something refers to: the place of an archive, or padding. Anything else would be
/// left out by a rewrite and is noted.
fn trailing(bytes: &[u8], root: &RawTable<'_>, records: &mut Records) -> Option<Range<u64>> {
    let end = root.extent();
    let rest = bytes.get(usize::try_from(end).ok()?..)?;
    let padding = rest.iter().take(MAX_PADDING).take_while(|&&byte| byte == 0).count();
    if padding == rest.len() {
        return None;
    }
    if Archive::parse(rest.get(padding..)?).is_some() {
        return Some(end + padding as u64..bytes.len() as u64);
    }
    let len = rest.len();
    records
        .findings
        .add(format!("{len} bytes after the end of the model at byte {end} are referred to by nothing"));
    None
}

fn signatures(root: &RawTable<'_>, records: &mut Records) -> Result<Option<Vec<Signature>>, RawError> {
    if !root.has("signature_defs") {
        return Ok(None);
    }
    let mut out = Vec::new();
    for table in root.tables("signature_defs")? {
        let table = table?;
        let record =
            records.read(&table, &circle::SIGNATURE_DEF, &["inputs", "outputs", "subgraph_index"])?;
        let subgraph =
            SubgraphId::from_number(u32::try_from(table.uint("subgraph_index")?).unwrap_or(u32::MAX));
        let inputs = tensor_maps(&table, "inputs", records)?;
        let outputs = tensor_maps(&table, "outputs", records)?;
        out.push(Signature { record, subgraph, inputs, outputs });
    }
    Ok(Some(out))
}

fn tensor_maps(
    table: &RawTable<'_>,
    field: &str,
    records: &mut Records,
) -> Result<Option<Vec<(Record, ValueId)>>, RawError> {
    if !table.has(field) {
        return Ok(None);
    }
    let mut maps = Vec::new();
    for map in table.tables(field)? {
        let map = map?;
        let record = records.read(&map, &circle::TENSOR_MAP, &["tensor_index"])?;
        maps.push((
            record,
            ValueId::from_number(u32::try_from(map.uint("tensor_index")?).unwrap_or(u32::MAX)),
        ));
    }
    Ok(Some(maps))
}

type Entries = Vec<(String, BufferId)>;

/// Foreign entries, and the names and buffers of our own.
fn metadata(
    root: &RawTable<'_>,
    records: &mut Records,
    faults: &mut Faults,
    buffers: usize,
) -> Result<(Option<Vec<ForeignMetadata>>, Entries), RawError> {
    if !root.has("metadata") {
        return Ok((None, Vec::new()));
    }
    let (mut foreign, mut own) = (Vec::new(), Vec::new());
    for (index, table) in root.tables("metadata")?.enumerate() {
        let table = table?;
        let record = records.read(&table, &circle::METADATA, &["buffer"])?;
        let number = table.uint("buffer")?;
        let buffer = BufferId::from_number(u32::try_from(number).unwrap_or(u32::MAX));
        if number >= buffers as u64 {
            let place = Place { part: Some(format!("metadata entry {index}")), ..Place::default() };
            faults.add(place, format!("buffer {number} does not exist ({buffers} buffers)"));
        }
        let name = record.str("name").unwrap_or("").to_owned();
        if super::is_own(&name) {
            own.push((name, buffer));
        } else {
            foreign.push(ForeignMetadata { record, buffer });
        }
    }
    // A list that holds nothing but ours is not the model's own: taken out, it leaves the file as it was before.
    let mine = foreign.is_empty() && !own.is_empty();
    Ok(((!mine).then_some(foreign), own))
}

/// Takes our own entries' buffers out of the model: from the end of the list altogether, elsewhere by emptying
/// them, so that no other buffer's number changes.
fn take_own(
    entries: &Entries,
    referred: &HashSet<BufferId, RandomState>,
    buffers: &mut Vec<Buffer>,
    faults: &mut Faults,
) -> OwnMetadata {
    let mut own = OwnMetadata::default();
    let mut seen = BTreeSet::new();
    for (name, buffer) in entries {
        if !seen.insert(name) {
            own.repeated.insert(name.clone());
        }
        let range = match buffers.get(buffer.number() as usize) {
            Some(Buffer::Source { range, .. }) => range.clone(),
            _ => 0..0,
        };
        match name.as_str() {
            ONE_SOURCE_TABLE => own.source_table = Some(range),
            ONE_OP_TABLE => own.op_table = Some(range),
            ORIGIN_ID => own.origin_id = Some(range),
            LINEAGE => own.lineage = Some(range),
            other => faults.add(Place::default(), format!("{other} is not handled")),
        }
    }
    let mut mine: Vec<usize> =
        entries.iter().map(|e| e.1).filter(|b| !referred.contains(b)).map(|b| b.number() as usize).collect();
    mine.sort_unstable();
    mine.dedup();
    for &index in mine.iter().rev() {
        if index + 1 == buffers.len() {
            buffers.pop();
        } else if let Some(buffer) = buffers.get_mut(index) {
            *buffer = Buffer::Empty { vector: false };
        }
    }
    own
}
