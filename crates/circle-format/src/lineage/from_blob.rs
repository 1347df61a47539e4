//! Our blob to the lineage of a draft.

use std::sync::Arc;

use circle_ir::import::{Draft, ImportedLineage, OperatorLineage, TensorLineage, TensorNotes};
use circle_ir::lineage::Store;
use circle_ir::lineage::annotation::{Metric, Note, NoteValue};
use circle_ir::lineage::claims::{Claim, Part};
use circle_ir::lineage::history::{Event, Run};
use circle_ir::lineage::ledger::Departure;
use circle_ir::lineage::origin::{Origin, OriginFile, Origins, TensorOrigin};
use circle_ir::{
    ClaimSetId, EventId, FileId, MetricId, OriginId, PassId, ReasonId, RunId, SubgraphId, TensorOriginId,
    TensorSetId, ValueId,
};
use circle_metadata::lineage as blob;

use super::codes::{action_from, format_from, kind_from, reason_from, role_from};

/// What the blob refers to: everything but the state of the file's operators and tensors. Indices of sets in the
/// blob and in the store are the same only by accident, so both maps are returned.
pub(super) struct Taken {
    pub(super) store: Store,
    claims: Vec<ClaimSetId>,
    tensors: Vec<TensorSetId>,
    notes: Vec<Note>,
}

fn text(name: &circle_metadata::name::Name) -> Arc<str> {
    Arc::from(name.lossy())
}

fn at<T: Copy>(list: &[T], index: u32, fallback: T) -> T {
    // The decoder has checked indices.
    list.get(index as usize).copied().unwrap_or(fallback)
}

/// The originals that `from` speaks of.
pub(super) fn origins(from: &blob::Lineage) -> Origins {
    let mut origins = Origins::default();
    let file = |f: Option<u32>| f.map(FileId::from_number);
    origins.files = from
        .files
        .iter()
        .map(|f| OriginFile {
            name: text(&f.name),
            format: format_from(f.format),
            bytes: f.bytes,
            md5: f.md5,
            sha256: f.sha256,
        })
        .collect();
    for s in &from.sources {
        let origin = Origin {
            file: file(s.file),
            subgraph: s.subgraph,
            operator: s.operator,
            opcode: Arc::from(s.opcode.as_str()),
            name: text(&s.name),
        };
        origins.operators.insert(OriginId::from_number(s.id), origin);
    }
    let tensor = |t: &blob::TensorSource| TensorOrigin {
        file: file(t.file),
        subgraph: t.subgraph,
        tensor: t.tensor,
        name: text(&t.name),
    };
    origins.tensors = from.tensor_sources.iter().map(tensor).collect();
    origins
}

/// A claim of the blob.
pub(super) fn claim(c: &blob::Claim) -> Claim {
    Claim {
        origin: OriginId::from_number(c.source),
        role: role_from(c.role),
        part: c.part.map(|p| Part { index: p.index, count: p.of }),
    }
}

impl Taken {
    /// Everything but operators and tensors.
    pub(super) fn new(from: &blob::Lineage) -> Self {
        let mut store = Store { origins: origins(from), ..Store::default() };
        let claims = from.claim_sets.iter().map(|set| {
            let members: Vec<Claim> = set.iter().map(claim).collect();
            store.claim_sets.intern(&members)
        });
        let claims: Vec<ClaimSetId> = claims.collect();
        let tensors = from.tensor_sets.iter().map(|set| {
            let members: Vec<TensorOriginId> = set.iter().map(|&t| TensorOriginId::from_number(t)).collect();
            store.tensor_sets.intern(&members)
        });
        let tensors: Vec<TensorSetId> = tensors.collect();
        let arc = |t: &circle_metadata::name::Text| Arc::<str>::from(t.as_str());
        store.runs = from
            .runs
            .iter()
            .map(|r| Run { tool: arc(&r.tool), version: arc(&r.version), options: arc(&r.options) })
            .collect();
        store.passes = from.passes.iter().map(arc).collect();
        store.reasons = from.reasons.iter().map(arc).collect();
        store.metrics = from
            .metrics
            .iter()
            .map(|m| Metric { name: arc(&m.name), unit: arc(&m.unit), kind: kind_from(m.kind) })
            .collect();
        let no_claims = store.claim_sets.empty();
        let no_tensors = store.tensor_sets.empty();
        for e in &from.events {
            let event = Event {
                run: RunId::from_number(e.run),
                pass: PassId::from_number(e.pass),
                action: action_from(e.action),
                took: at(&claims, e.took, no_claims),
            };
            store.history.push(event, e.parents.iter().map(|&p| EventId::from_number(p)));
        }
        let note = |n: &blob::NoteRecord| Note {
            metric: MetricId::from_number(n.metric),
            over: at(&claims, n.over, no_claims),
            value: match &n.value {
                blob::NoteValue::Integer(value) => NoteValue::Integer(*value),
                blob::NoteValue::Decimal(value) => NoteValue::Decimal(arc(value)),
                blob::NoteValue::Text(value) => NoteValue::Text(arc(value)),
            },
            from: arc(&n.from),
        };
        let notes: Vec<Note> = from.notes.iter().map(note).collect();
        let pick = |list: &[u32]| list.iter().filter_map(|&n| notes.get(n as usize).cloned()).collect();
        store.ledger = from
            .ledger
            .iter()
            .map(|l| Departure {
                claims: at(&claims, l.claims, no_claims),
                tensors: at(&tensors, l.tensors, no_tensors),
                reason: reason_from(l.reason),
                event: EventId::from_number(l.event),
                notes: pick(&l.notes),
            })
            .collect();
        Self { store, claims, tensors, notes }
    }

    /// Whether the blob describes a file with this many subgraphs, operators and tensors.
    pub(super) fn fits(from: &blob::Lineage, draft: &Draft) -> bool {
        from.subgraphs.len() == draft.subgraphs.len()
            && from.subgraphs.iter().zip(&draft.subgraphs).all(|(record, sg)| {
                record.operators.len() == sg.operators.len() && record.tensors.len() == sg.values.len()
            })
    }

    /// The lineage of each operator and tensor, of a blob that fits.
    pub(super) fn complete(self, from: &blob::Lineage) -> ImportedLineage {
        let Self { store, claims, tensors, notes } = self;
        let (no_claims, no_tensors) = (store.claim_sets.empty(), store.tensor_sets.empty());
        let operator = |o: &blob::OperatorRecord| OperatorLineage {
            claims: at(&claims, o.claims, no_claims),
            event: o.event.map(EventId::from_number),
            unknown: o.unknown.map(ReasonId::from_number),
            notes: o.notes.iter().filter_map(|&n| notes.get(n as usize).cloned()).collect(),
        };
        let tensor = |t: &blob::TensorRecord| TensorLineage {
            tensors: at(&tensors, t.sources, no_tensors),
            claims: at(&claims, t.claims, no_claims),
            event: t.event.map(EventId::from_number),
            unknown: t.unknown.map(ReasonId::from_number),
        };
        let noted = |n: &blob::TensorNotes| TensorNotes {
            subgraph: SubgraphId::from_number(n.subgraph),
            tensor: ValueId::from_number(n.tensor),
            notes: n.notes.iter().filter_map(|&n| notes.get(n as usize).cloned()).collect(),
        };
        ImportedLineage {
            operators: from.subgraphs.iter().map(|sg| sg.operators.iter().map(operator).collect()).collect(),
            tensors: from.subgraphs.iter().map(|sg| sg.tensors.iter().map(tensor).collect()).collect(),
            tensor_notes: from.tensor_notes.iter().map(noted).collect(),
            store,
        }
    }
}
