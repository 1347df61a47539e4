//! From the model to rows.

use std::collections::{BTreeMap, BTreeSet};

use circle_ir::lineage::Store;
use circle_ir::lineage::annotation::{MetricKind, Note, NoteValue};
use circle_ir::lineage::claims::Claim;
use circle_ir::lineage::origin::{FileFormat, OriginFile};
use circle_ir::{ClaimSetId, MetricId, Model, ReasonId};
use circle_metadata::hex;
use circle_metadata::problem::Problem;

use super::{
    ConstantRow, Coverage, Dump, FileRow, HistoryRow, MetadataRow, MetricRow, OperatorRow, OriginFileRow,
    OriginRow, ProblemRow, RetiredRow, RunRow, SourceRow, TensorRow,
};
use crate::coverage::{Standing, standing};

/// A metadata entry as listed.
#[derive(Clone, Debug)]
pub struct MetadataEntry<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its payload.
    pub payload: &'a [u8],
    /// SHA-256 of the payload.
    pub sha256: [u8; 32],
    /// Whether this version interprets it.
    pub known: bool,
}

/// What the model itself does not know.
#[derive(Clone, Debug)]
pub struct About<'a> {
    /// The file.
    pub file: &'a OriginFile,
    /// `none`, `lineage`, `sidecar`, `one-tables` or `disbelieved`. With `none` the model's lineage is only what reading made up,
    /// and no origin is shown.
    pub profile_data: &'static str,
    /// Why the lineage is not believed.
    pub stale: Option<&'a str>,
    /// Faults of metadata entries.
    pub problems: &'a [Problem],
    /// Metadata entries.
    pub metadata: &'a [MetadataEntry<'a>],
}

/// What a file is known by.
pub(crate) fn file_row(file: &OriginFile) -> FileRow {
    let format = match file.format {
        FileFormat::Circle => "circle",
        FileFormat::Tflite => "tflite",
        FileFormat::Onnx => "onnx",
        FileFormat::Other => "other",
    };
    FileRow {
        name: file.name.to_string(),
        format: format.into(),
        bytes: file.bytes,
        md5: hex::encode(&file.md5),
        sha256: file.sha256.map(|digest| hex::encode(&digest)),
    }
}

fn origin_rows(store: &Store, set: ClaimSetId) -> Vec<OriginRow> {
    let row = |claim: &Claim| OriginRow {
        id: claim.origin.number(),
        role: claim.role.name(),
        part: claim.part.map(|p| p.index),
        parts: claim.part.map(|p| p.count),
    };
    store.claim_sets.get(set).iter().map(row).collect()
}

/// One row for each metric: additive values summed, others as they are.
fn metric_rows(store: &Store, notes: &[Note]) -> Vec<MetricRow> {
    let mut by_metric: BTreeMap<MetricId, Vec<&Note>> = BTreeMap::new();
    for note in notes {
        by_metric.entry(note.metric).or_default().push(note);
    }
    let mut rows = Vec::new();
    for (id, notes) in by_metric {
        let Some(metric) = store.metrics.get(id.number() as usize) else { continue };
        let (name, unit) = (metric.name.to_string(), metric.unit.to_string());
        let from = |notes: &[&Note]| {
            let all: BTreeSet<String> = notes.iter().map(|note| note.from.to_string()).collect();
            all.into_iter().collect::<Vec<_>>()
        };
        if metric.kind == MetricKind::Additive {
            let integer = |note: &&Note| match note.value {
                NoteValue::Integer(value) => i128::from(value),
                _ => 0,
            };
            let sum: i128 = notes.iter().map(integer).sum();
            let value = match i64::try_from(sum) {
                Ok(sum) => sum.into(),
                Err(_) => sum.to_string().into(),
            };
            rows.push(MetricRow { name, unit, value, from: from(&notes) });
            continue;
        }
        // Equal labels of several originals are one label.
        let mut values: BTreeMap<&NoteValue, Vec<&Note>> = BTreeMap::new();
        for note in notes {
            values.entry(&note.value).or_default().push(note);
        }
        for (value, notes) in values {
            let value = match value {
                NoteValue::Integer(value) => (*value).into(),
                NoteValue::Decimal(text) => match text.parse::<f64>() {
                    Ok(number) => serde_json::Value::from(number),
                    Err(_) => text.to_string().into(),
                },
                NoteValue::Text(text) => text.to_string().into(),
            };
            rows.push(MetricRow { name: name.clone(), unit: unit.clone(), value, from: from(&notes) });
        }
    }
    rows
}

/// All rows of `model`.
pub fn collect(model: &Model, about: &About<'_>) -> Dump {
    let store = model.store();
    let shown = about.profile_data != "none";
    let reason = |id: Option<ReasonId>| id.map(|id| store.reason_text(id).to_owned());
    let (mut operators, mut constants) = (Vec::new(), Vec::new());
    let mut coverage = Coverage::default();
    for (id, sg) in model.subgraphs() {
        for (index, (_, op)) in sg.operators().enumerate() {
            let name = op.outputs().first().and_then(|&v| sg.value(v)).map_or("", |v| v.name());
            let unknown = match shown {
                true => reason(op.lineage().unknown()),
                false => Some("the file carries no profile data".to_owned()),
            };
            coverage.operators += 1;
            match standing(store, op) {
                _ if unknown.is_some() => coverage.unknown += 1,
                Standing::Proven => coverage.attributed += 1,
                Standing::Inferred => coverage.inferred += 1,
                Standing::Helper => coverage.synthetic += 1,
                Standing::Unknown => coverage.unknown += 1,
            }
            operators.push(OperatorRow {
                subgraph: id.number(),
                operator: index as u32,
                opcode: op.code().name(),
                name: name.to_owned(),
                origins: if shown { origin_rows(store, op.lineage().claims()) } else { Vec::new() },
                unknown,
                history: store.pass_chain(op.lineage().event()).into_iter().map(str::to_owned).collect(),
                metrics: metric_rows(store, op.notes()),
            });
        }
        for (index, (v, value)) in sg.values().enumerate() {
            let (lineage, notes) = (value.lineage(), sg.notes(v));
            if lineage.claims() == store.claim_sets.empty() && notes.is_empty() {
                continue;
            }
            let tensors =
                store.tensor_sets.get(lineage.tensors()).iter().filter_map(|&t| store.origins.tensor(t));
            constants.push(ConstantRow {
                subgraph: id.number(),
                tensor: index as u32,
                name: value.name().to_owned(),
                origins: origin_rows(store, lineage.claims()),
                tensors: tensors
                    .map(|t| TensorRow { subgraph: t.subgraph, tensor: t.tensor, name: t.name.to_string() })
                    .collect(),
                metrics: metric_rows(store, notes),
            });
        }
    }
    let source = |(id, o): (&circle_ir::OriginId, &circle_ir::lineage::origin::Origin)| SourceRow {
        id: id.number(),
        name: o.name.to_string(),
        file: o.file.map(|f| f.number()),
        subgraph: o.subgraph,
        operator: o.operator,
        opcode: o.opcode.to_string(),
    };
    let files = store.origins.files.iter().enumerate();
    let run = |r: &circle_ir::lineage::history::Run| RunRow {
        tool: r.tool.to_string(),
        version: r.version.to_string(),
        options: r.options.to_string(),
    };
    Dump {
        schema_version: 1,
        model: file_row(about.file),
        profile_data: about.profile_data,
        origin_files: match shown {
            true => files.map(|(i, f)| OriginFileRow { file: i as u32, known: file_row(f) }).collect(),
            false => Vec::new(),
        },
        sources: if shown { store.origins.operators.iter().map(source).collect() } else { Vec::new() },
        operators,
        constants,
        retired: retired(model),
        history: HistoryRow { steps: store.history.len(), runs: store.runs.iter().map(run).collect() },
        metadata: about.metadata.iter().map(metadata_row).collect(),
        coverage,
        problems: problems(about),
    }
}

fn metadata_row(entry: &MetadataEntry<'_>) -> MetadataRow {
    MetadataRow {
        name: entry.name.to_owned(),
        bytes: entry.payload.len() as u64,
        sha256: hex::encode(&entry.sha256),
        known: entry.known,
    }
}

fn problems(about: &About<'_>) -> Vec<ProblemRow> {
    let mut rows: Vec<ProblemRow> = about
        .problems
        .iter()
        .map(|p| ProblemRow { severity: p.severity.to_string(), place: p.place(), text: p.text.clone() })
        .collect();
    if let Some(reason) = about.stale {
        rows.push(ProblemRow {
            severity: "warning".into(),
            place: "lineage".into(),
            text: reason.to_owned(),
        });
    }
    rows
}

/// Origins that left and are carried by no live operator, each with its last departure.
fn retired(model: &Model) -> Vec<RetiredRow> {
    let store = model.store();
    let live = circle_ir::verify::lineage::live_origins(model);
    let mut rows = BTreeMap::new();
    for departure in &store.ledger {
        let by = store.history.get(departure.event).map_or("", |event| store.pass_name(event.pass));
        for claim in
            store.claim_sets.get(departure.claims).iter().filter(|claim| !live.contains(&claim.origin))
        {
            let row =
                RetiredRow { id: claim.origin.number(), reason: departure.reason.name(), by: by.to_owned() };
            rows.insert(claim.origin, row);
        }
    }
    rows.into_values().collect()
}
