//! Lineage to blob.

use circle_schema::generated::lineage as schema;
use flatbuffers::{FlatBufferBuilder, WIPOffset};

use super::columns::ColumnWriter;
use super::error::EncodeError;
use super::pool::PoolWriter;
use super::record::{
    Claim, Event, LedgerRecord, Lineage, NoteRecord, NoteValue, OperatorRecord, SourceRecord, TensorNotes,
    TensorRecord, TensorSource,
};

/// Most bytes that a blob may take, well below the 2 GiB that a flatbuffer can address.
const LIMIT: u64 = 1 << 30;

/// Writes the blob: the same lineage gives the same bytes.
///
/// # Errors
/// Records that break a rule of [`Lineage::check`], another version than [`Lineage::least_version`], or more than the
/// form holds.
pub fn encode(lineage: &Lineage) -> Result<Vec<u8>, EncodeError> {
    if lineage.version != lineage.least_version() {
        return Err(EncodeError::Version { found: lineage.version, due: lineage.least_version() });
    }
    lineage.check()?;
    let packed = Packed::new(lineage)?;
    let rows = packed.always.iter().chain(&packed.tensor_notes);
    let size = rows.map(|rows| rows.bytes.len() as u64).sum::<u64>() + small_bytes(lineage);
    if size > LIMIT {
        return Err(EncodeError::TooMany { table: "lineage", what: "bytes", count: size, limit: LIMIT });
    }
    Ok(assemble(lineage, &packed))
}

/// Bytes of the texts in plain tables, for the size limit.
fn small_bytes(lineage: &Lineage) -> u64 {
    let files = lineage.files.iter().map(|file| file.name.as_bytes().len() + 128);
    let runs = lineage.runs.iter().map(|run| run.tool.len() + run.version.len() + run.options.len() + 64);
    let metrics = lineage.metrics.iter().map(|metric| metric.name.len() + metric.unit.len() + 64);
    let texts = lineage.passes.iter().chain(&lineage.reasons).map(|text| text.len() + 16);
    files.chain(runs).chain(metrics).chain(texts).map(|bytes| bytes as u64).sum()
}

/// The packed bytes of one list.
struct PackedRows {
    count: u32,
    bytes: Vec<u8>,
}

/// All packed lists in the order of the schema.
struct Packed {
    always: [PackedRows; 11],
    /// Only where there are any, so that a lineage without them is written as it was before there could be.
    tensor_notes: Option<PackedRows>,
}

impl Packed {
    fn new(lineage: &Lineage) -> Result<Self, EncodeError> {
        let mut pool = PoolWriter::default();
        let sources = sources(&lineage.sources, &mut pool);
        let tensor_sources = tensor_sources(&lineage.tensor_sources, &mut pool);
        let notes = notes(&lineage.notes, &mut pool);
        let subgraphs = &lineage.subgraphs;
        let operators = subgraphs.iter().flat_map(|subgraph| &subgraph.operators);
        let tensors = subgraphs.iter().flat_map(|subgraph| &subgraph.tensors);
        let counts = (operators.clone().count(), tensors.clone().count());
        let noted = &lineage.tensor_notes;
        let tensor_notes = if noted.is_empty() {
            None
        } else {
            Some(rows("tensor_notes", noted.len(), self::tensor_notes(noted))?)
        };
        let always = [
            rows("pool", pool.count(), pool.rows)?,
            rows("sources", lineage.sources.len(), sources)?,
            rows("tensor_sources", lineage.tensor_sources.len(), tensor_sources)?,
            rows("claim_sets", lineage.claim_sets.len(), claim_sets(&lineage.claim_sets))?,
            rows("tensor_sets", lineage.tensor_sets.len(), tensor_sets(&lineage.tensor_sets))?,
            rows("events", lineage.events.len(), events(&lineage.events))?,
            rows("subgraphs", subgraphs.len(), {
                let mut column = ColumnWriter::default();
                for subgraph in subgraphs {
                    column.unsigned(subgraph.operators.len() as u64);
                    column.unsigned(subgraph.tensors.len() as u64);
                }
                column
            })?,
            rows("operators", counts.0, self::operators(operators))?,
            rows("tensors", counts.1, self::tensors(tensors))?,
            rows("ledger", lineage.ledger.len(), ledger(&lineage.ledger))?,
            rows("notes", lineage.notes.len(), notes)?,
        ];
        Ok(Self { always, tensor_notes })
    }
}

fn rows(table: &'static str, count: usize, column: ColumnWriter) -> Result<PackedRows, EncodeError> {
    let limit = u64::from(u32::MAX);
    let too_many = |_| EncodeError::TooMany { table, what: "rows", count: count as u64, limit };
    Ok(PackedRows { count: u32::try_from(count).map_err(too_many)?, bytes: column.bytes })
}

fn sources<'a>(sources: &'a [SourceRecord], pool: &mut PoolWriter<'a>) -> ColumnWriter {
    let mut column = ColumnWriter::default();
    let [mut id, mut subgraph, mut opcode, mut name] = [0; 4];
    let [mut file, mut operator] = [0; 2];
    for source in sources {
        column.step(&mut id, source.id);
        column.maybe(&mut file, source.file);
        column.step(&mut subgraph, source.subgraph);
        column.maybe(&mut operator, source.operator);
        column.step(&mut opcode, pool.index(source.opcode.as_bytes()));
        column.step(&mut name, pool.index(source.name.as_bytes()));
    }
    column
}

fn tensor_sources<'a>(tensors: &'a [TensorSource], pool: &mut PoolWriter<'a>) -> ColumnWriter {
    let mut column = ColumnWriter::default();
    let [mut subgraph, mut tensor, mut name] = [0; 3];
    let mut file = 0;
    for source in tensors {
        column.maybe(&mut file, source.file);
        column.step(&mut subgraph, source.subgraph);
        column.step(&mut tensor, source.tensor);
        column.step(&mut name, pool.index(source.name.as_bytes()));
    }
    column
}

fn claim_sets(sets: &[Vec<Claim>]) -> ColumnWriter {
    let mut column = ColumnWriter::default();
    let mut first = 0;
    for set in sets {
        let mut claims = set.iter();
        column.set(&mut first, set.iter().map(|claim| claim.source), |column, _| {
            if let Some(claim) = claims.next() {
                column.byte(claim.role.code() | if claim.part.is_some() { 0x80 } else { 0 });
                if let Some(part) = claim.part {
                    column.unsigned(part.index.into());
                    column.unsigned(part.of.into());
                }
            }
        });
    }
    column
}

fn tensor_sets(sets: &[Vec<u32>]) -> ColumnWriter {
    let mut column = ColumnWriter::default();
    let mut first = 0;
    for set in sets {
        column.set(&mut first, set.iter().copied(), |_, _| {});
    }
    column
}

fn events(events: &[Event]) -> ColumnWriter {
    let mut column = ColumnWriter::default();
    let [mut run, mut pass, mut took] = [0; 3];
    for (own, event) in (0_u64..).zip(events) {
        column.byte(event.action.code());
        column.step(&mut run, event.run);
        column.step(&mut pass, event.pass);
        column.step(&mut took, event.took);
        column.unsigned(event.parents.len() as u64);
        for &parent in &event.parents {
            // A parent stands before its child; `check` has seen to that.
            column.unsigned(own.saturating_sub(u64::from(parent)).saturating_sub(1));
        }
    }
    column
}

fn operators<'a>(operators: impl Iterator<Item = &'a OperatorRecord>) -> ColumnWriter {
    let mut column = ColumnWriter::default();
    let [mut claims, mut event, mut unknown, mut note] = [0; 4];
    for operator in operators {
        let has_notes = !operator.notes.is_empty();
        column.byte(
            u8::from(operator.event.is_some())
                | u8::from(operator.unknown.is_some()) << 1
                | u8::from(has_notes) << 2,
        );
        column.step(&mut claims, operator.claims);
        if let Some(value) = operator.event {
            column.step(&mut event, value);
        }
        if let Some(value) = operator.unknown {
            column.step(&mut unknown, value);
        }
        if has_notes {
            column.set(&mut note, operator.notes.iter().copied(), |_, _| {});
        }
    }
    column
}

fn tensors<'a>(tensors: impl Iterator<Item = &'a TensorRecord>) -> ColumnWriter {
    let mut column = ColumnWriter::default();
    let [mut sources, mut claims, mut event, mut unknown] = [0; 4];
    for tensor in tensors {
        column.byte(u8::from(tensor.event.is_some()) | u8::from(tensor.unknown.is_some()) << 1);
        column.step(&mut sources, tensor.sources);
        column.step(&mut claims, tensor.claims);
        if let Some(value) = tensor.event {
            column.step(&mut event, value);
        }
        if let Some(value) = tensor.unknown {
            column.step(&mut unknown, value);
        }
    }
    column
}

fn tensor_notes(noted: &[TensorNotes]) -> ColumnWriter {
    let mut column = ColumnWriter::default();
    let [mut subgraph, mut tensor, mut note] = [0; 3];
    for noted in noted {
        column.step(&mut subgraph, noted.subgraph);
        column.step(&mut tensor, noted.tensor);
        column.set(&mut note, noted.notes.iter().copied(), |_, _| {});
    }
    column
}

fn ledger(entries: &[LedgerRecord]) -> ColumnWriter {
    let mut column = ColumnWriter::default();
    let [mut claims, mut tensors, mut pass, mut event, mut note] = [0; 5];
    for entry in entries {
        let has_notes = !entry.notes.is_empty();
        column.byte(entry.reason.code() | if has_notes { 0x80 } else { 0 });
        column.step(&mut claims, entry.claims);
        column.step(&mut tensors, entry.tensors);
        column.step(&mut pass, entry.pass);
        column.step(&mut event, entry.event);
        if has_notes {
            column.set(&mut note, entry.notes.iter().copied(), |_, _| {});
        }
    }
    column
}

fn notes<'a>(notes: &'a [NoteRecord], pool: &mut PoolWriter<'a>) -> ColumnWriter {
    let mut column = ColumnWriter::default();
    let [mut metric, mut text, mut over, mut from] = [0; 4];
    for note in notes {
        column.byte(match note.value {
            NoteValue::Integer(_) => 0,
            NoteValue::Decimal(_) => 1,
            NoteValue::Text(_) => 2,
        });
        column.step(&mut metric, note.metric);
        match &note.value {
            NoteValue::Integer(value) => column.signed(*value),
            NoteValue::Decimal(value) | NoteValue::Text(value) => {
                column.step(&mut text, pool.index(value.as_bytes()))
            }
        }
        column.step(&mut over, note.over);
        column.step(&mut from, pool.index(note.from.as_bytes()));
    }
    column
}

/// Puts the tables together, always in the same order, children first as the builder demands.
fn assemble(lineage: &Lineage, packed: &Packed) -> Vec<u8> {
    let mut builder = FlatBufferBuilder::new();
    let b = &mut builder;
    let binding = Some(b.create_vector(&lineage.binding));
    let files: Vec<_> = lineage
        .files
        .iter()
        .map(|file| {
            let name = Some(b.create_vector(file.name.as_bytes()));
            let md5 = Some(b.create_vector(&file.md5));
            let sha256 = file.sha256.map(|digest| b.create_vector(&digest));
            let format = schema::Format(file.format.code());
            schema::File::create(b, &schema::FileArgs { name, format, bytes: file.bytes, md5, sha256 })
        })
        .collect();
    let runs: Vec<_> = lineage
        .runs
        .iter()
        .map(|run| {
            let tool = Some(b.create_string(&run.tool));
            let version = Some(b.create_string(&run.version));
            let options = Some(b.create_string(&run.options));
            schema::Run::create(b, &schema::RunArgs { tool, version, options })
        })
        .collect();
    let metrics: Vec<_> = lineage
        .metrics
        .iter()
        .map(|metric| {
            let name = Some(b.create_string(&metric.name));
            let unit = Some(b.create_string(&metric.unit));
            let kind = schema::MetricKind(metric.kind.code());
            schema::Metric::create(b, &schema::MetricArgs { name, unit, kind })
        })
        .collect();
    let passes: Vec<_> = lineage.passes.iter().map(|pass| b.create_string(pass)).collect();
    let reasons: Vec<_> = lineage.reasons.iter().map(|reason| b.create_string(reason)).collect();
    let files = Some(b.create_vector(&files));
    let runs = Some(b.create_vector(&runs));
    let metrics = Some(b.create_vector(&metrics));
    let passes = Some(b.create_vector(&passes));
    let reasons = Some(b.create_vector(&reasons));
    let mut put = |rows: &PackedRows| {
        let data = Some(b.create_vector(&rows.bytes));
        schema::Rows::create(b, &schema::RowsArgs { count: rows.count, data })
    };
    let rows: [WIPOffset<schema::Rows<'_>>; 11] = packed.always.each_ref().map(&mut put);
    let tensor_notes = packed.tensor_notes.as_ref().map(put);
    let [
        pool,
        sources,
        tensor_sources,
        claim_sets,
        tensor_sets,
        events,
        subgraphs,
        operators,
        tensors,
        ledger,
        notes,
    ] = rows.map(Some);
    let root = schema::Lineage::create(
        b,
        &schema::LineageArgs {
            major: lineage.version.major,
            minor: lineage.version.minor,
            binding,
            files,
            runs,
            metrics,
            passes,
            reasons,
            pool,
            sources,
            tensor_sources,
            claim_sets,
            tensor_sets,
            events,
            subgraphs,
            operators,
            tensors,
            ledger,
            notes,
            tensor_notes,
        },
    );
    b.finish(root, Some(super::IDENTIFIER));
    b.finished_data().to_vec()
}
