//! Models on which something was measured.

use std::sync::Arc;

use circle_ir::import::{ImportedLineage, TensorNotes};
use circle_ir::lineage::annotation::{Metric, MetricKind, Note, NoteValue};
use circle_ir::lineage::origin::{FileFormat, OriginFile};
use circle_ir::text::parse;
use circle_ir::{MetricId, Model, SubgraphId, ValueId};

/// Time in ns, additive.
pub const TIME: MetricId = MetricId::from_number(0);
/// Peak memory in bytes, of which the larger counts.
pub const PEAK: MetricId = MetricId::from_number(1);
/// Utilisation, a ratio.
pub const LOAD: MetricId = MetricId::from_number(2);
/// A label.
pub const BACKEND: MetricId = MetricId::from_number(3);

/// Bytes read, additive, of constants.
pub const READ: MetricId = MetricId::from_number(4);

/// The time measured on the `k`-th operator of a model: no sum of some of these is a sum of others.
pub fn time_of(k: usize) -> i64 {
    1 << k
}

/// The model in `text` with a value of each metric on each operator: time [`time_of`] its number counted through
/// all subgraphs, peak 100 less that number, and its number as load and backend. Each constant has bytes read: [`time_of`]
/// its number counted likewise.
pub fn measured(text: &str) -> Model {
    let model = parse(text).unwrap_or_else(|e| panic!("{e} in\n{text}"));
    let draft = model.to_draft().expect("nothing has left it");
    let word = |w: &str| Arc::from(w);
    let file = OriginFile {
        name: word("text"),
        format: FileFormat::Other,
        bytes: text.len() as u64,
        md5: [0; 16],
        sha256: None,
    };
    let mut lineage = ImportedLineage::fresh(&draft, file);
    let kinds = [
        ("time", "ns", MetricKind::Additive),
        ("peak", "bytes", MetricKind::Max),
        ("load", "", MetricKind::Ratio),
        ("backend", "", MetricKind::Label),
        ("read", "bytes", MetricKind::Additive),
    ];
    for (name, unit, kind) in kinds {
        lineage.store.metric(&Metric { name: word(name), unit: word(unit), kind });
    }
    for (k, op) in lineage.operators.iter_mut().flatten().enumerate() {
        let note = |metric, value| Note { metric, over: op.claims, value, from: word("profile.csv") };
        op.notes = vec![
            note(TIME, NoteValue::Integer(time_of(k))),
            note(PEAK, NoteValue::Integer(100 - k as i64)),
            note(LOAD, NoteValue::Decimal(word(&format!("0.{k}")))),
            note(BACKEND, NoteValue::Text(word(&format!("cpu{k}")))),
        ];
    }
    let mut k = 0;
    for (number, sg) in draft.subgraphs.iter().enumerate() {
        for (v, value) in sg.values.iter().enumerate() {
            let tensor = ValueId::from_number(v as u32);
            let buffer = draft.buffers.get(value.buffer.number() as usize);
            if sg.inputs.contains(&tensor) || buffer.is_none_or(|buffer| buffer.is_empty()) {
                continue;
            }
            let (over, value) = (lineage.store.claim_sets.empty(), NoteValue::Integer(time_of(k)));
            let notes = vec![Note { metric: READ, over, value, from: word("reads.csv") }];
            let subgraph = SubgraphId::from_number(number as u32);
            lineage.tensor_notes.push(TensorNotes { subgraph, tensor, notes });
            k += 1;
        }
    }
    draft.adopt(lineage).unwrap_or_else(|e| panic!("{e}"))
}
