//! What a file's metadata says becomes the lineage of every operator and tensor.
//!
//! In this order: our blob, if it is whole and fits the operators; ONE's tables, if they fit; else, if either was
//! there, nothing is believed and every operator is unknown with the reason; and a file that holds neither is its own
//! origin. Damaged or stale metadata never stops a model from loading.

use std::collections::BTreeSet;
use std::sync::Arc;

use circle_ir::Model;
use circle_ir::import::{Draft, ImportError, ImportedLineage, OperatorLineage};
use circle_ir::lineage::Store;
use circle_ir::lineage::ledger::Reason;
use circle_ir::lineage::origin::{FileFormat, OriginFile};
use circle_metadata::one::OneTables;
use circle_metadata::problem::{Problem, Severity};
use circle_metadata::{lineage as blob, origin_id};

use super::believe::{contradiction, untrue};
use super::from_blob::Taken;
use super::sidecar::Sidecar;
use super::{binding, from_tables};
use crate::read::{self, Loaded, OwnMetadata};

/// Where a model's lineage was taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// The file holds none: it is its own origin.
    Fresh,
    /// Our own blob.
    Lineage,
    /// A file beside the model.
    Sidecar,
    /// ONE's two tables.
    OneTables,
    /// There is some, and it cannot be believed.
    Unknown,
}

/// A model with its lineage, and what was noticed on the way.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The model.
    pub model: Model,
    /// Where the lineage was taken from.
    pub basis: Basis,
    /// What is wrong with the metadata.
    pub problems: Vec<Problem>,
    /// Why the lineage is not believed, with [`Basis::Unknown`].
    pub stale: Option<String>,
    /// Why only part of what ONE's tables say is believed, with [`Basis::OneTables`].
    pub doubt: Option<String>,
    /// Digest and name of the origin file as the file itself states it.
    pub origin_id: Option<origin_id::OriginId>,
}

/// The payload of an entry, if there is one; empty if its range lies outside the file.
pub(super) fn payload<'a>(bytes: &'a [u8], range: &Option<std::ops::Range<u64>>) -> Option<&'a [u8]> {
    let range = range.as_ref()?;
    Some(bytes.get(usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?).unwrap_or(&[]))
}

/// Makes the model of a file that was read from `bytes` and is known as `file`.
///
/// # Errors
/// Only when the draft and what was read do not belong together; see [`ImportError`].
pub fn import(bytes: &[u8], loaded: Loaded, file: OriginFile) -> Result<Imported, ImportError> {
    import_with(bytes, loaded, file, None)
}

/// The same with a sidecar whose [`fit`](super::sidecar::fit) was found. It counts where the file itself carries no
/// lineage of ours that can be believed.
///
/// # Errors
/// As for [`import`].
pub fn import_with(
    bytes: &[u8],
    loaded: Loaded,
    file: OriginFile,
    sidecar: Option<&Sidecar>,
) -> Result<Imported, ImportError> {
    let Loaded { draft, own, .. } = loaded;
    let payload = |range: &Option<std::ops::Range<u64>>| payload(bytes, range);
    let mut problems = Vec::new();
    let origin_id = payload(&own.origin_id).and_then(|line| {
        let (id, found) = origin_id::decode(line);
        problems.extend(found);
        id
    });
    let tables = one_tables(&own, &payload, &draft, &mut problems);
    let digest_of = || {
        let table = |range| payload(range).unwrap_or(&[]);
        binding::of_draft(&draft, table(&own.source_table), table(&own.op_table))
    };
    let mut chosen =
        choose(&draft, payload(&own.lineage), tables, digest_of, &origin_id, file, &mut problems);
    if let Some(sidecar) = sidecar.filter(|_| chosen.basis != Basis::Lineage) {
        let taken = Taken::new(&sidecar.lineage).complete(&sidecar.lineage);
        chosen = Chosen::of(taken, Basis::Sidecar);
    }
    let Chosen { lineage, basis, stale, doubt } = chosen;
    let model = draft.adopt(lineage)?;
    Ok(Imported { model, basis, problems, stale, doubt, origin_id })
}

fn one_tables<'a>(
    own: &OwnMetadata,
    payload: &impl Fn(&Option<std::ops::Range<u64>>) -> Option<&'a [u8]>,
    draft: &Draft,
    problems: &mut Vec<Problem>,
) -> Option<OneTables> {
    let mut entries = Vec::new();
    for (name, range) in [(read::ONE_SOURCE_TABLE, &own.source_table), (read::ONE_OP_TABLE, &own.op_table)] {
        if range.is_some() {
            entries.push((name.as_bytes(), payload(range)));
        }
    }
    let operators = draft.subgraphs.first().map_or(0, |sg| sg.operators.len());
    let (tables, found) = OneTables::decode(entries, operators);
    problems.extend(found);
    tables
}

struct Chosen {
    lineage: ImportedLineage,
    basis: Basis,
    stale: Option<String>,
    doubt: Option<String>,
}

impl Chosen {
    fn of(lineage: ImportedLineage, basis: Basis) -> Self {
        Self { lineage, basis, stale: None, doubt: None }
    }
    fn unknown(lineage: ImportedLineage, reason: String) -> Self {
        Self { lineage, basis: Basis::Unknown, stale: Some(reason), doubt: None }
    }
}

fn choose(
    draft: &Draft,
    lineage: Option<&[u8]>,
    tables: Option<OneTables>,
    digest_of: impl FnOnce() -> [u8; 32],
    origin_id: &Option<origin_id::OriginId>,
    file: OriginFile,
    problems: &mut Vec<Problem>,
) -> Chosen {
    let origin_file = || {
        origin_id.as_ref().map(|id| OriginFile {
            name: Arc::from(id.name.lossy()),
            format: FileFormat::Other,
            bytes: 0,
            md5: id.md5,
            sha256: None,
        })
    };
    let mut distrust = None;
    if let Some(payload) = lineage {
        match blob::decode(payload) {
            Ok(blob::Decoded::Known(from)) => {
                let taken = Taken::new(&from);
                let fits = from.binding == digest_of() && Taken::fits(&from, draft);
                let text = contradiction(&from).or_else(|| if fits { untrue(&from, draft) } else { None });
                if let Some(text) = text {
                    let reason = "its lineage contradicts itself";
                    problems.push(Problem {
                        severity: Severity::Error,
                        entry: read::LINEAGE,
                        at_byte: 0,
                        text,
                    });
                    return Chosen::unknown(all_unknown(Store::default(), draft, reason), reason.into());
                }
                if fits {
                    return Chosen::of(taken.complete(&from), Basis::Lineage);
                }
                let reason =
                    "the model was changed by a tool that keeps no lineage, so its lineage does not fit";
                return Chosen::unknown(all_unknown(taken.store, draft, reason), reason.into());
            }
            Ok(blob::Decoded::Opaque(version)) => {
                distrust = Some(format!(
                    "its lineage is of version {}, which this version cannot read",
                    version.major
                ));
            }
            Err(error) => {
                let text = error.to_string();
                problems.push(Problem { severity: Severity::Error, entry: read::LINEAGE, at_byte: 0, text });
                distrust = Some("its lineage is damaged".into());
            }
        }
    }
    let broken =
        |p: &Problem| p.severity == Severity::Error && p.entry != read::LINEAGE && p.entry != read::ORIGIN_ID;
    if let Some(tables) = tables {
        let damaged = problems.iter().any(broken).then(|| "ONE's profile tables are damaged".to_owned());
        let doubt = from_tables::doubt(&tables, draft);
        let unconfirmed =
            || doubt.as_ref().filter(|doubt| doubt.confirmed.is_empty()).map(|doubt| doubt.text.clone());
        let stale = || from_tables::stale(&tables, draft).or_else(unconfirmed);
        let reason = distrust.clone().or(damaged).or_else(stale);
        let one_sided = tables.sources.is_empty() || tables.operators.is_empty();
        return match reason.or_else(|| one_sided.then(|| "only one of ONE's two tables is there".to_owned()))
        {
            None => {
                let lineage = from_tables::take(&tables, draft, origin_file(), doubt.as_ref());
                let doubt =
                    doubt.map(|d| format!("{}; only entries that a name confirms are believed", d.text));
                Chosen { doubt, ..Chosen::of(lineage, Basis::OneTables) }
            }
            Some(reason) => {
                let lineage = from_tables::disbelieve(&tables, draft, origin_file(), &reason);
                Chosen::unknown(lineage, reason)
            }
        };
    }
    match distrust {
        Some(reason) => Chosen::unknown(all_unknown(Store::default(), draft, &reason), reason),
        None => Chosen::of(ImportedLineage::fresh(draft, file), Basis::Fresh),
    }
}

/// The lineage in which no operator's origin is believed. What the store knows of origins, history and ledger stays;
/// origins that were live are untraced.
pub(super) fn all_unknown(mut store: Store, draft: &Draft, reason: &str) -> ImportedLineage {
    let run = |store: &mut Store| store.unknown_run(reason);
    store.close(&BTreeSet::new(), &BTreeSet::new(), run, "import", Reason::Untraced, Vec::new());
    let unknown = Some(store.reason(reason));
    let claims = store.claim_sets.empty();
    let entry = OperatorLineage { claims, event: None, unknown, notes: Vec::new() };
    let operators = draft.subgraphs.iter().map(|sg| vec![entry.clone(); sg.operators.len()]).collect();
    let tensors =
        draft.subgraphs.iter().map(|sg| from_tables::unknown_tensors(&mut store, sg.values.len())).collect();
    ImportedLineage { store, operators, tensors, tensor_notes: Vec::new() }
}
