//! The lineage becomes metadata entries: ONE's two tables, the origin line, and our blob.

use std::fmt;

use circle_ir::lineage::annotation::{Note, NoteValue};
use circle_ir::lineage::claims::{Claim, Role};
use circle_ir::lineage::origin::OriginFile;
use circle_ir::{ClaimSetId, Entity, EventId, Model, OpId, OriginId, SubgraphId, TensorSetId, ValueId};
use circle_metadata::name::{Name, Text};
use circle_metadata::one::{OneTables, UNKNOWN_ID, UNKNOWN_NAME};
use circle_metadata::{lineage as blob, origin_id};

use super::believe::contradiction;
use super::binding::{Binding, Bound};
use super::codes::{action_to, format_to, kind_to, reason_to, role_to};
use crate::read::{LINEAGE, ONE_OP_TABLE, ONE_SOURCE_TABLE, ORIGIN_ID};
use crate::write::{Extra, Numbering};

/// The payloads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entries {
    /// `ONE_source_table`.
    pub source_table: Vec<u8>,
    /// `ONE_op_table`.
    pub op_table: Vec<u8>,
    /// `circle_origin_id`; absent if no origin file is known.
    pub origin_id: Option<Vec<u8>>,
    /// `circle_lineage`.
    pub lineage: Vec<u8>,
}

/// The file that the origin line names: `origin`, or the first file of the lineage.
fn named<'a>(model: &'a Model, origin: Option<&'a OriginFile>) -> Option<&'a OriginFile> {
    origin.or_else(|| model.store().origins.files.first())
}

impl Entries {
    /// The names of the entries that [`export`] gives, in their order.
    pub fn names(model: &Model, origin: Option<&OriginFile>) -> Vec<&'static str> {
        let mut names = vec![ONE_SOURCE_TABLE, ONE_OP_TABLE];
        names.extend(named(model, origin).map(|_| ORIGIN_ID));
        names.push(LINEAGE);
        names
    }
    /// The entries as they are written.
    pub fn extra(&self) -> Vec<Extra<'_>> {
        let entry = |name, payload| Extra { name, payload };
        let mut extra =
            vec![entry(ONE_SOURCE_TABLE, &*self.source_table), entry(ONE_OP_TABLE, &self.op_table)];
        extra.extend(self.origin_id.as_ref().map(|line| entry(ORIGIN_ID, line)));
        extra.push(entry(LINEAGE, &self.lineage));
        extra
    }
}

/// Why the lineage cannot be written.
#[derive(Clone, Debug)]
pub enum ExportError {
    /// ONE's tables cannot hold it.
    Tables(circle_metadata::one::EncodeError),
    /// The origin file's name cannot stand in the line.
    OriginId(origin_id::NameError),
    /// The blob cannot hold it.
    Lineage(blob::EncodeError),
    /// Our own reader would not believe it, for that reason.
    Unbelievable(String),
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tables(error) => write!(f, "{error}"),
            Self::OriginId(error) => write!(f, "{error}"),
            Self::Lineage(error) => write!(f, "{error}"),
            Self::Unbelievable(why) => write!(
                f,
                "the lineage would not be believed when it is read: {why} (--strip_profiling_data writes the model without it)"
            ),
        }
    }
}

impl std::error::Error for ExportError {}

/// All entries for `model` as numbered. `origin` overrides which file the origin line names; without it that is the
/// first file of the lineage.
///
/// # Errors
/// When a table cannot hold what the lineage says, or our own reader would not believe it.
pub fn export(
    model: &Model,
    numbering: &Numbering,
    origin: Option<&OriginFile>,
) -> Result<Entries, ExportError> {
    let (source_table, op_table, record) = parts(model, numbering)?;
    let lineage = blob::encode(&record).map_err(ExportError::Lineage)?;
    let origin_id = named(model, origin)
        .map(|file| origin_id::encode(&origin_id::OriginId { md5: file.md5, name: Name::from(&*file.name) }))
        .transpose()
        .map_err(ExportError::OriginId)?;
    Ok(Entries { source_table, op_table, origin_id, lineage })
}

/// Both tables and the records of the blob, which is bound to them.
fn parts(model: &Model, numbering: &Numbering) -> Result<(Vec<u8>, Vec<u8>, blob::Lineage), ExportError> {
    let (source_table, op_table) = one_tables(model, numbering).encode().map_err(ExportError::Tables)?;
    let binding = bind(model, numbering, &source_table, &op_table);
    let record = to_blob(model, numbering, binding);
    match contradiction(&record) {
        Some(why) => Err(ExportError::Unbelievable(why)),
        None => Ok((source_table, op_table, record)),
    }
}

/// The records of the blob as [`export`] writes them, and the binding digest without ONE's tables.
///
/// # Errors
/// When a table cannot hold what the lineage says, or our own reader would not believe it.
pub fn records(model: &Model, numbering: &Numbering) -> Result<(blob::Lineage, [u8; 32]), ExportError> {
    let (_, _, record) = parts(model, numbering)?;
    Ok((record, bind(model, numbering, &[], &[])))
}

fn bind(model: &Model, numbering: &Numbering, source_table: &[u8], op_table: &[u8]) -> [u8; 32] {
    let mut binding = Binding::default();
    for ((_, sg), (ops, values)) in model.subgraphs().zip(numbering.operators.iter().zip(&numbering.values)) {
        let mut number = vec![-1; sg.next_value().index()];
        for (i, v) in values.iter().enumerate() {
            if let Some(place) = number.get_mut(v.index()) {
                *place = i as i64;
            }
        }
        let of = |v: &ValueId| number.get(v.index()).copied().unwrap_or(-1);
        binding.tensors(values.len());
        values.iter().filter_map(|&v| sg.value(v)).for_each(|value| binding.tensor(value.record()));
        binding.operators(ops.len());
        for op in ops.iter().filter_map(|&op| sg.operator(op)) {
            let inputs: Vec<i64> = op.inputs().iter().map(|v| v.as_ref().map_or(-1, of)).collect();
            let outputs: Vec<i64> = op.outputs().iter().map(of).collect();
            let (code, options, extra) = (op.code(), op.options(), op.extra());
            binding.operator(&Bound { code, options, extra, inputs: &inputs, outputs: &outputs });
        }
    }
    binding.bytes(source_table);
    binding.bytes(op_table);
    binding.finish()
}

/// ONE's tables: all origins of the original's first subgraph, and for each operator of ours which of them it stands
/// for. An operator with none gets the id that backends use for unknown ones, since luci would credit an absent one to
/// whatever source has its index.
fn one_tables(model: &Model, numbering: &Numbering) -> OneTables {
    let store = model.store();
    let mut tables = OneTables::default();
    for (id, origin) in store.origins.operators.iter().filter(|(_, origin)| origin.subgraph == 0) {
        tables.sources.insert(id.number(), Name::from(origin.name.clone()));
    }
    let Some(sg) = model.subgraph(SubgraphId::new(0)) else { return tables };
    for (index, op) in numbering.operators.first().into_iter().flatten().enumerate() {
        let Some(op) = sg.operator(*op) else { continue };
        let claims = store.claim_sets.get(op.lineage().claims());
        let proven =
            claims.iter().filter(|claim| claim.role != Role::Inferred).map(|claim| claim.origin.number());
        let mut ids: std::collections::BTreeSet<u32> =
            proven.filter(|id| tables.sources.contains_key(id)).collect();
        if ids.is_empty() || op.lineage().unknown().is_some() {
            ids.insert(UNKNOWN_ID);
            tables.sources.insert(UNKNOWN_ID, Name::from(UNKNOWN_NAME));
        }
        tables.operators.insert(index as u32, ids);
    }
    tables
}

/// Gives sets the numbers they have in the blob: only those in use are written, in order of first use after the empty
/// one.
struct Used<K> {
    /// By the number in memory, which is dense; 0, the empty set, is always in use.
    numbers: Vec<Option<u32>>,
    order: Vec<K>,
}

impl<K: Entity> Used<K> {
    fn new(empty: K) -> Self {
        Self { numbers: vec![Some(0)], order: vec![empty] }
    }
    fn number(&mut self, key: K) -> u32 {
        let next = self.order.len() as u32;
        if self.numbers.len() <= key.index() {
            self.numbers.resize(key.index() + 1, None);
        }
        match self.numbers.get_mut(key.index()) {
            Some(Some(number)) => *number,
            place => {
                self.order.push(key);
                if let Some(place) = place {
                    *place = Some(next);
                }
                next
            }
        }
    }
}

struct Export<'m> {
    model: &'m Model,
    claims: Used<ClaimSetId>,
    tensors: Used<TensorSetId>,
    notes: Vec<blob::NoteRecord>,
}

impl Export<'_> {
    fn notes(&mut self, notes: &[Note]) -> Vec<u32> {
        let first = self.notes.len() as u32;
        for note in notes {
            let value = match &note.value {
                NoteValue::Integer(value) => blob::NoteValue::Integer(*value),
                NoteValue::Decimal(text) => blob::NoteValue::Decimal(Text::from(&**text)),
                NoteValue::Text(text) => blob::NoteValue::Text(Text::from(&**text)),
            };
            let over = self.claims.number(note.over);
            self.notes.push(blob::NoteRecord {
                metric: note.metric.number(),
                value,
                over,
                from: Text::from(&*note.from),
            });
        }
        (first..self.notes.len() as u32).collect()
    }
}

fn to_blob(model: &Model, numbering: &Numbering, binding: [u8; 32]) -> blob::Lineage {
    let store = model.store();
    let mut out = blob::Lineage::new(binding);
    let mut export = Export {
        model,
        claims: Used::new(store.claim_sets.empty()),
        tensors: Used::new(store.tensor_sets.empty()),
        notes: Vec::new(),
    };
    out.files = store.origins.files.iter().map(file_record).collect();
    out.sources = store.origins.operators.iter().map(|(&id, origin)| source_record(id, origin)).collect();
    out.tensor_sources = store
        .origins
        .tensors
        .iter()
        .map(|t| blob::TensorSource {
            file: t.file.map(|f| f.number()),
            subgraph: t.subgraph,
            tensor: t.tensor,
            name: Name::from(t.name.clone()),
        })
        .collect();
    out.runs = store
        .runs
        .iter()
        .map(|r| blob::Run {
            tool: Text::from(&*r.tool),
            version: Text::from(&*r.version),
            options: Text::from(&*r.options),
        })
        .collect();
    out.passes = store.passes.iter().map(|name| Text::from(&**name)).collect();
    out.reasons = store.reasons.iter().map(|text| Text::from(&**text)).collect();
    out.metrics = store
        .metrics
        .iter()
        .map(|m| blob::MetricRecord {
            name: Text::from(&*m.name),
            unit: Text::from(&*m.unit),
            kind: kind_to(m.kind),
        })
        .collect();
    for (number, (ops, values)) in numbering.operators.iter().zip(&numbering.values).enumerate() {
        let record = subgraph_record(&mut export, SubgraphId::new(number as u32), ops, values);
        out.subgraphs.push(record);
        out.tensor_notes.extend(tensor_notes(&mut export, SubgraphId::new(number as u32), values));
    }
    for (id, event) in store.history.iter() {
        let parents = store.history.parents(id).into_iter().map(EventId::number).collect();
        out.events.push(blob::Event {
            run: event.run.number(),
            pass: event.pass.number(),
            action: action_to(event.action),
            took: export.claims.number(event.took),
            parents,
        });
    }
    for departure in &store.ledger {
        let pass = store.history.get(departure.event).map_or(0, |event| event.pass.number());
        let notes = export.notes(&departure.notes);
        out.ledger.push(blob::LedgerRecord {
            claims: export.claims.number(departure.claims),
            tensors: export.tensors.number(departure.tensors),
            reason: reason_to(departure.reason),
            pass,
            event: departure.event.number(),
            notes,
        });
    }
    out.notes = std::mem::take(&mut export.notes);
    out.version = out.least_version();
    let claim = |c: &Claim| blob::Claim {
        source: c.origin.number(),
        role: role_to(c.role),
        part: c.part.map(|p| blob::Part { index: p.index, of: p.count }),
    };
    out.claim_sets = export
        .claims
        .order
        .iter()
        .map(|&set| store.claim_sets.get(set).iter().map(claim).collect())
        .collect();
    let tensor_set = |&set: &TensorSetId| store.tensor_sets.get(set).iter().map(|t| t.number()).collect();
    out.tensor_sets = export.tensors.order.iter().map(tensor_set).collect();
    out
}

/// What a file is known by.
pub(super) fn file_record(file: &OriginFile) -> blob::FileRecord {
    blob::FileRecord {
        name: Name::from(&*file.name),
        format: format_to(file.format),
        bytes: file.bytes,
        md5: file.md5,
        sha256: file.sha256,
    }
}

fn source_record(id: OriginId, origin: &circle_ir::lineage::origin::Origin) -> blob::SourceRecord {
    blob::SourceRecord {
        id: id.number(),
        file: origin.file.map(|f| f.number()),
        subgraph: origin.subgraph,
        operator: origin.operator,
        opcode: Text::from(origin.opcode.clone()),
        name: Name::from(origin.name.clone()),
    }
}

fn subgraph_record(
    export: &mut Export<'_>,
    id: SubgraphId,
    ops: &[OpId],
    values: &[ValueId],
) -> blob::SubgraphRecord {
    let mut record = blob::SubgraphRecord::default();
    let Some(sg) = export.model.subgraph(id) else { return record };
    for op in ops.iter().filter_map(|&op| sg.operator(op)) {
        let lineage = op.lineage();
        let notes = export.notes(op.notes());
        record.operators.push(blob::OperatorRecord {
            claims: export.claims.number(lineage.claims()),
            event: lineage.event().map(EventId::number),
            unknown: lineage.unknown().map(|r| r.number()),
            notes,
        });
    }
    for value in values.iter().filter_map(|&v| sg.value(v)) {
        let lineage = value.lineage();
        record.tensors.push(blob::TensorRecord {
            sources: export.tensors.number(lineage.tensors()),
            claims: export.claims.number(lineage.claims()),
            event: lineage.event().map(EventId::number),
            unknown: lineage.unknown().map(|r| r.number()),
        });
    }
    record
}

/// What was measured on the tensors of subgraph `id`, which stand in the file as `values`.
fn tensor_notes(export: &mut Export<'_>, id: SubgraphId, values: &[ValueId]) -> Vec<blob::TensorNotes> {
    let Some(sg) = export.model.subgraph(id).filter(|sg| sg.noted().next().is_some()) else {
        return Vec::new();
    };
    let noted = values.iter().enumerate().filter(|&(_, &v)| !sg.notes(v).is_empty());
    noted
        .map(|(index, &v)| blob::TensorNotes {
            subgraph: id.number(),
            tensor: index as u32,
            notes: export.notes(sg.notes(v)),
        })
        .collect()
}
