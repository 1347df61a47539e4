//! Blob to lineage.

use circle_schema::generated::lineage as schema;
use flatbuffers::VerifierOptions;

use super::codes::{Action, Format, MetricKind, Reason, Role};
use super::columns::ColumnReader;
use super::error::{ColumnFault, DecodeError};
use super::pool::PoolReader;
use super::record::{
    Claim, Event, FileRecord, LedgerRecord, Lineage, MetricRecord, NoteRecord, NoteValue, OperatorRecord,
    Part, Run, SourceRecord, SubgraphRecord, TensorNotes, TensorRecord, TensorSource, Version,
};
use crate::name::Text;

/// A blob, understood or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decoded {
    /// A lineage of our major version. What a newer minor version may have added is not in it.
    Known(Box<Lineage>),
    /// A blob of another major version: to be kept as it is, and not to be believed or rewritten.
    Opaque(Version),
}

/// Reads a blob. Takes time and memory in proportion to its length, whatever it claims to hold.
///
/// # Errors
/// Where the bytes are not a lineage, or contradict themselves; see [`DecodeError`].
pub fn decode(bytes: &[u8]) -> Result<Decoded, DecodeError> {
    let Some(&found) = bytes.get(4..).and_then(<[u8]>::first_chunk::<4>) else {
        return Err(DecodeError::TooShort { bytes: bytes.len() as u64 });
    };
    if found != *super::IDENTIFIER.as_bytes() {
        return Err(DecodeError::Identifier { found });
    }
    let malformed = |error: flatbuffers::InvalidFlatbuffer| {
        // The verifier's text goes over several lines; the first says what is wrong.
        let text = error.to_string();
        DecodeError::Flatbuffer { text: text.lines().next().unwrap_or_default().trim_end().to_owned() }
    };
    let limits = limits(bytes.len());
    let header = flatbuffers::root_with_opts::<schema::Header<'_>>(&limits, bytes).map_err(malformed)?;
    let version = Version { major: header.major(), minor: header.minor() };
    if version.major != super::VERSION.major {
        return Ok(Decoded::Opaque(version));
    }
    let root = flatbuffers::root_with_opts::<schema::Lineage<'_>>(&limits, bytes).map_err(malformed)?;
    let lineage = lineage(version, &root, bytes.len())?;
    lineage.check()?;
    Ok(Decoded::Known(Box::new(lineage)))
}

/// Bounds for the verifier. Nothing nests deeper than root, record, string; a table takes eight bytes at
/// least (offset and vtable offset), and no part is shared in blobs of ours, so that bytes seen more often
/// than twice are a trick.
fn limits(bytes: usize) -> VerifierOptions {
    VerifierOptions {
        max_depth: 4,
        max_tables: bytes / 8 + 1,
        max_apparent_size: bytes.saturating_mul(2).saturating_add(1024),
        ignore_missing_null_terminator: false,
    }
}

fn lineage(version: Version, root: &schema::Lineage<'_>, blob: usize) -> Result<Lineage, DecodeError> {
    let mut pool = PoolReader::new(column("pool", &root.pool()), root.pool().count(), blob)?;
    let mut lineage = Lineage::new(digest("binding", 0, root.binding().bytes())?);
    lineage.version = version;
    lineage.files = files(root)?;
    lineage.runs = root
        .runs()
        .iter()
        .map(|run| Run {
            tool: run.tool().into(),
            version: run.version().into(),
            options: run.options().into(),
        })
        .collect();
    lineage.metrics = metrics(root)?;
    lineage.passes = root.passes().iter().map(Text::from).collect();
    lineage.reasons = root.reasons().iter().map(Text::from).collect();
    lineage.sources = sources(&root.sources(), &mut pool)?;
    lineage.tensor_sources = tensor_sources(&root.tensor_sources(), &mut pool)?;
    lineage.claim_sets = claim_sets(&root.claim_sets())?;
    lineage.tensor_sets = tensor_sets(&root.tensor_sets())?;
    lineage.events = events(&root.events())?;
    lineage.subgraphs = subgraphs(root)?;
    lineage.ledger = ledger(&root.ledger())?;
    lineage.notes = notes(&root.notes(), &mut pool)?;
    lineage.tensor_notes = root.tensor_notes().map_or(Ok(vec![]), |rows| tensor_notes(&rows))?;
    Ok(lineage)
}

fn column<'a>(table: &'static str, rows: &schema::Rows<'a>) -> ColumnReader<'a> {
    ColumnReader::new(table, rows.data().bytes())
}

fn digest<const N: usize>(table: &'static str, row: usize, bytes: &[u8]) -> Result<[u8; N], DecodeError> {
    bytes.try_into().map_err(|_| DecodeError::Digest {
        table,
        row: row as u64,
        bytes: bytes.len() as u64,
        due: N as u64,
    })
}

/// A code of a plain table, located like those of packed lists.
fn member<T>(
    table: &'static str,
    row: usize,
    what: &'static str,
    code: u8,
    member: Option<T>,
) -> Result<T, DecodeError> {
    let fault = ColumnFault::Code { what, code };
    member.ok_or(DecodeError::Column { table, row: row as u64, at_byte: 0, fault })
}

fn files(root: &schema::Lineage<'_>) -> Result<Vec<FileRecord>, DecodeError> {
    let read = |(row, file): (usize, schema::File<'_>)| {
        let code = file.format().0;
        Ok(FileRecord {
            name: file.name().bytes().into(),
            format: member("files", row, "format", code, Format::from_code(code))?,
            bytes: file.bytes(),
            md5: digest("files", row, file.md5().bytes())?,
            sha256: file.sha256().map(|sha256| digest("files", row, sha256.bytes())).transpose()?,
        })
    };
    root.files().iter().enumerate().map(read).collect()
}

fn metrics(root: &schema::Lineage<'_>) -> Result<Vec<MetricRecord>, DecodeError> {
    let read = |(row, metric): (usize, schema::Metric<'_>)| {
        let code = metric.kind().0;
        Ok(MetricRecord {
            name: metric.name().into(),
            unit: metric.unit().into(),
            kind: member("metrics", row, "metric kind", code, MetricKind::from_code(code))?,
        })
    };
    root.metrics().iter().enumerate().map(read).collect()
}

fn sources(rows: &schema::Rows<'_>, pool: &mut PoolReader) -> Result<Vec<SourceRecord>, DecodeError> {
    let [mut id, mut subgraph, mut opcode, mut name] = [0; 4];
    let [mut file, mut operator] = [0; 2];
    column("sources", rows).rows(rows.count(), 6, |row| {
        Ok(SourceRecord {
            id: row.step(&mut id)?,
            file: row.maybe(&mut file)?,
            subgraph: row.step(&mut subgraph)?,
            operator: row.maybe(&mut operator)?,
            opcode: {
                let index = row.step(&mut opcode)?;
                pool.text(row, index)?
            },
            name: {
                let index = row.step(&mut name)?;
                pool.name(row, index)?
            },
        })
    })
}

fn tensor_sources(rows: &schema::Rows<'_>, pool: &mut PoolReader) -> Result<Vec<TensorSource>, DecodeError> {
    let [mut subgraph, mut tensor, mut name] = [0; 3];
    let mut file = 0;
    column("tensor_sources", rows).rows(rows.count(), 4, |row| {
        Ok(TensorSource {
            file: row.maybe(&mut file)?,
            subgraph: row.step(&mut subgraph)?,
            tensor: row.step(&mut tensor)?,
            name: {
                let index = row.step(&mut name)?;
                pool.name(row, index)?
            },
        })
    })
}

fn claim_sets(rows: &schema::Rows<'_>) -> Result<Vec<Vec<Claim>>, DecodeError> {
    let mut first = 0;
    column("claim_sets", rows).rows(rows.count(), 1, |row| {
        row.set(&mut first, |row, source| {
            let tag = row.byte()?;
            let role = row.member("role", tag & 0x7f, Role::from_code)?;
            let part =
                if tag & 0x80 == 0 { None } else { Some(Part { index: row.word()?, of: row.word()? }) };
            Ok(Claim { source, role, part })
        })
    })
}

fn tensor_sets(rows: &schema::Rows<'_>) -> Result<Vec<Vec<u32>>, DecodeError> {
    let mut first = 0;
    column("tensor_sets", rows).rows(rows.count(), 1, |row| row.set(&mut first, |_, tensor| Ok(tensor)))
}

fn events(rows: &schema::Rows<'_>) -> Result<Vec<Event>, DecodeError> {
    let [mut run, mut pass, mut took] = [0; 3];
    let mut own = 0_i128;
    column("events", rows).rows(rows.count(), 5, |row| {
        let code = row.byte()?;
        let event = Event {
            action: row.member("action", code, Action::from_code)?,
            run: row.step(&mut run)?,
            pass: row.step(&mut pass)?,
            took: row.step(&mut took)?,
            parents: {
                let count = row.count()?;
                let mut parents = Vec::with_capacity(count);
                for _ in 0..count {
                    let gap = row.unsigned()?;
                    parents.push(row.narrow(own - 1 - i128::from(gap))?);
                }
                parents
            },
        };
        own += 1;
        Ok(event)
    })
}

fn subgraphs(root: &schema::Lineage<'_>) -> Result<Vec<SubgraphRecord>, DecodeError> {
    let sizes = column("subgraphs", &root.subgraphs())
        .rows(root.subgraphs().count(), 2, |row| Ok((row.unsigned()?, row.unsigned()?)))?;
    let mut operators = operators(&root.operators())?.into_iter();
    let mut tensors = tensors(&root.tensors())?.into_iter();
    let fault = |table: &'static str, row: usize, rows: u64, left: usize| DecodeError::Column {
        table,
        row: row as u64,
        at_byte: 0,
        fault: ColumnFault::Count { rows, bytes: left as u64 },
    };
    let mut subgraphs = Vec::with_capacity(sizes.len());
    for (row, (operator_count, tensor_count)) in sizes.into_iter().enumerate() {
        if operator_count > operators.len() as u64 {
            return Err(fault("operators", row, operator_count, operators.len()));
        }
        if tensor_count > tensors.len() as u64 {
            return Err(fault("tensors", row, tensor_count, tensors.len()));
        }
        // Both counts are at most a length, so they fit.
        subgraphs.push(SubgraphRecord {
            operators: operators.by_ref().take(operator_count as usize).collect(),
            tensors: tensors.by_ref().take(tensor_count as usize).collect(),
        });
    }
    for (table, left) in [("operators", operators.len()), ("tensors", tensors.len())] {
        if left > 0 {
            return Err(fault(table, subgraphs.len(), 0, left));
        }
    }
    Ok(subgraphs)
}

fn operators(rows: &schema::Rows<'_>) -> Result<Vec<OperatorRecord>, DecodeError> {
    let [mut claims, mut event, mut unknown, mut note] = [0; 4];
    column("operators", rows).rows(rows.count(), 2, |row| {
        let flags = row.byte()?;
        row.member("set of flags", flags, |flags| (flags < 8).then_some(()))?;
        Ok(OperatorRecord {
            claims: row.step(&mut claims)?,
            event: if flags & 1 == 0 { None } else { Some(row.step(&mut event)?) },
            unknown: if flags & 2 == 0 { None } else { Some(row.step(&mut unknown)?) },
            notes: if flags & 4 == 0 { vec![] } else { row.set(&mut note, |_, note| Ok(note))? },
        })
    })
}

fn tensors(rows: &schema::Rows<'_>) -> Result<Vec<TensorRecord>, DecodeError> {
    let [mut sources, mut claims, mut event, mut unknown] = [0; 4];
    column("tensors", rows).rows(rows.count(), 3, |row| {
        let flags = row.byte()?;
        row.member("set of flags", flags, |flags| (flags < 4).then_some(()))?;
        Ok(TensorRecord {
            sources: row.step(&mut sources)?,
            claims: row.step(&mut claims)?,
            event: if flags & 1 == 0 { None } else { Some(row.step(&mut event)?) },
            unknown: if flags & 2 == 0 { None } else { Some(row.step(&mut unknown)?) },
        })
    })
}

fn ledger(rows: &schema::Rows<'_>) -> Result<Vec<LedgerRecord>, DecodeError> {
    let [mut claims, mut tensors, mut pass, mut event, mut note] = [0; 5];
    column("ledger", rows).rows(rows.count(), 5, |row| {
        let tag = row.byte()?;
        Ok(LedgerRecord {
            reason: row.member("reason", tag & 0x7f, Reason::from_code)?,
            claims: row.step(&mut claims)?,
            tensors: row.step(&mut tensors)?,
            pass: row.step(&mut pass)?,
            event: row.step(&mut event)?,
            notes: if tag & 0x80 == 0 { vec![] } else { row.set(&mut note, |_, note| Ok(note))? },
        })
    })
}

fn tensor_notes(rows: &schema::Rows<'_>) -> Result<Vec<TensorNotes>, DecodeError> {
    let [mut subgraph, mut tensor, mut note] = [0; 3];
    column("tensor_notes", rows).rows(rows.count(), 3, |row| {
        Ok(TensorNotes {
            subgraph: row.step(&mut subgraph)?,
            tensor: row.step(&mut tensor)?,
            notes: row.set(&mut note, |_, note| Ok(note))?,
        })
    })
}

fn notes(rows: &schema::Rows<'_>, pool: &mut PoolReader) -> Result<Vec<NoteRecord>, DecodeError> {
    let [mut metric, mut text, mut over, mut from] = [0; 4];
    column("notes", rows).rows(rows.count(), 5, |row| {
        let kind = row.byte()?;
        let metric = row.step(&mut metric)?;
        let value = match kind {
            0 => NoteValue::Integer(row.signed()?),
            1 | 2 => {
                let index = row.step(&mut text)?;
                let written = pool.text(row, index)?;
                if kind == 1 { NoteValue::Decimal(written) } else { NoteValue::Text(written) }
            }
            code => return row.fail(ColumnFault::Code { what: "kind of value", code }),
        };
        let over = row.step(&mut over)?;
        let from = row.step(&mut from)?;
        Ok(NoteRecord { metric, value, over, from: pool.text(row, from)? })
    })
}
