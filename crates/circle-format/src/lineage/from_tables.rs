//! ONE's two tables, made by luci, to the lineage of a draft.
//!
//! They name no file, carry no roles and speak of subgraph 0 only (one id may stand for several subgraphs' operators).
//! All they say is taken with the role `unknown`, which it keeps through every pass: nothing binds them to the operators that
//! they came with, and a name may confirm what is wrong, since passes leave the name of a value with whoever computes it
//! now.
//! An operator of subgraph 0 that the table leaves out is unknown, never "itself"; operators of other subgraphs are
//! unknown too, since luci mixes their numbers up.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use circle_ir::import::{Draft, ImportedLineage, OperatorLineage, TensorLineage};
use circle_ir::lineage::Store;
use circle_ir::lineage::claims::{Claim, Role};
use circle_ir::lineage::ledger::Reason;
use circle_ir::lineage::origin::{Origin, OriginFile};
use circle_ir::{FileId, OriginId};
use circle_metadata::one::{OneTables, UNKNOWN_ID};

use super::import::all_unknown;

/// Why the tables cannot be meant for this model, if they cannot.
pub(super) fn stale(tables: &OneTables, draft: &Draft) -> Option<String> {
    let operators = draft.subgraphs.first().map_or(0, |sg| sg.operators.len());
    let beyond = tables.operators.keys().find(|&&key| key as usize >= operators)?;
    Some(format!("ONE_op_table speaks of operator {beyond}, and the model has {operators}"))
}

/// A sign that the operators may have been renumbered since the tables were made.
pub(super) struct Doubt {
    /// Operators whose entry their name confirms.
    pub(super) confirmed: BTreeSet<u32>,
    /// The first contradiction.
    pub(super) text: String,
}

/// Names are kept by most tools that renumber operators. An operator that bears the name of one source (and nothing else
/// does) and is credited to others only, while another operator is credited to that source, may stand in the place of
/// another. It may also have been moved past that other by a pass that kept the names of values; the tables do not tell
/// which. So only entries that a name confirms are to be believed. A source that is credited to no operator has left, and
/// its name is that of a tensor which another operator computes now: that is no contradiction.
pub(super) fn doubt(tables: &OneTables, draft: &Draft) -> Option<Doubt> {
    let sg = draft.subgraphs.first()?;
    let mut bearers: BTreeMap<&str, Option<u32>> = BTreeMap::new();
    for (index, op) in sg.operators.iter().enumerate() {
        let name = op.outputs.first().and_then(|v| sg.values.get(v.number() as usize)?.record.str("name"));
        if let Some(name) = name.filter(|name| !name.is_empty()) {
            bearers.entry(name).and_modify(|slot| *slot = None).or_insert(Some(index as u32));
        }
    }
    let mut named: BTreeMap<std::borrow::Cow<'_, str>, Option<u32>> = BTreeMap::new();
    for (&id, name) in tables.sources.iter().filter(|(id, _)| **id != UNKNOWN_ID) {
        named.entry(name.lossy()).and_modify(|slot| *slot = None).or_insert(Some(id));
    }
    let mut credited = BTreeMap::new();
    for (&index, ids) in &tables.operators {
        for &id in ids {
            credited.entry(id).or_insert(index);
        }
    }
    let mut confirmed = BTreeSet::new();
    let mut first: Option<(u32, u32, &BTreeSet<u32>, u32)> = None;
    for (name, id) in named.iter().filter_map(|(name, id)| Some((name, (*id)?))) {
        let Some(index) = bearers.get(&**name).copied().flatten() else { continue };
        let Some(ids) = tables.operators.get(&index) else { continue };
        if ids.contains(&id) {
            confirmed.insert(index);
        } else if let Some(&other) = credited.get(&id)
            && !ids.contains(&UNKNOWN_ID)
            && first.as_ref().is_none_or(|&(at, ..)| index < at)
        {
            first = Some((index, id, ids, other));
        }
    }
    let (index, id, ids, other) = first?;
    let ids: Vec<String> = ids.iter().map(u32::to_string).collect();
    let text = format!(
        "operator {index} bears the name of source {id} and is credited to {}, and operator {other} is credited to \
         source {id}: operators were renumbered, or a pass moved one past another",
        ids.join(", ")
    );
    Some(Doubt { confirmed, text })
}

/// The lineage that tables which fit say. With a doubt only what is confirmed is taken.
pub(super) fn take(
    tables: &OneTables,
    draft: &Draft,
    file: Option<OriginFile>,
    doubt: Option<&Doubt>,
) -> ImportedLineage {
    let mut store = originals(tables, file);
    let not_listed = store.reason("ONE_op_table has no entry for it");
    let marked = store.reason("ONE_op_table marks it as unknown");
    let doubted = store.reason(
        "ONE_op_table and the names of operators contradict each other, and no name confirms this one",
    );
    let elsewhere = store.reason("ONE's tables speak of the first subgraph only");
    let mut claimed = BTreeSet::new();
    let mut operators = Vec::with_capacity(draft.subgraphs.len());
    for (number, sg) in draft.subgraphs.iter().enumerate() {
        let lineage = |index: usize| {
            let nothing = store.claim_sets.empty();
            let mut entry =
                OperatorLineage { claims: nothing, event: None, unknown: None, notes: Vec::new() };
            if number > 0 {
                entry.unknown = Some(elsewhere);
                return entry;
            }
            let Some(ids) = tables.operators.get(&(index as u32)) else {
                entry.unknown = Some(not_listed);
                return entry;
            };
            if doubt.is_some_and(|doubt| !doubt.confirmed.contains(&(index as u32))) {
                entry.unknown = Some(doubted);
                return entry;
            }
            if ids.contains(&UNKNOWN_ID) || ids.iter().all(|id| !tables.sources.contains_key(id)) {
                entry.unknown = Some(marked);
            }
            let known: Vec<OriginId> = ids
                .iter()
                .filter(|id| **id != UNKNOWN_ID && tables.sources.contains_key(id))
                .map(|&id| OriginId::from_number(id))
                .collect();
            let claims: Vec<Claim> =
                known.iter().map(|&origin| Claim { origin, role: Role::Unknown, part: None }).collect();
            claimed.extend(known);
            entry.claims = store.claim_sets.intern(&claims);
            entry
        };
        operators.push((0..sg.operators.len()).map(lineage).collect());
    }
    let run = |store: &mut Store| store.unknown_run("ONE's tables list it and no operator claims it");
    // What the table credits to an operator that is not believed to be meant may be there all the same.
    let credited = tables.operators.values().flatten().map(|&id| OriginId::from_number(id)).collect();
    store.close(&credited, &BTreeSet::new(), run, "import", Reason::Foreign, Vec::new());
    store.close(&claimed, &BTreeSet::new(), run, "import", Reason::Untraced, Vec::new());
    let tensors = draft.subgraphs.iter().map(|sg| unknown_tensors(&mut store, sg.values.len())).collect();
    ImportedLineage { store, operators, tensors, tensor_notes: Vec::new() }
}

/// The sources that the tables list, and nothing that stands for them.
fn originals(tables: &OneTables, file: Option<OriginFile>) -> Store {
    let mut store = Store::default();
    let file = file.map(|file| {
        store.origins.files.push(file);
        FileId::from_number(0)
    });
    for (&id, name) in tables.sources.iter().filter(|(id, _)| **id != UNKNOWN_ID) {
        let name = Arc::from(name.lossy());
        let origin = Origin { file, subgraph: 0, operator: None, opcode: Arc::from(""), name };
        store.origins.operators.insert(OriginId::from_number(id), origin);
    }
    store
}

/// Tensors of which the tables say nothing.
pub(super) fn unknown_tensors(store: &mut Store, count: usize) -> Vec<TensorLineage> {
    let unknown = Some(store.reason("no tensor origins were recorded"));
    let (tensors, claims) = (store.tensor_sets.empty(), store.claim_sets.empty());
    vec![TensorLineage { tensors, claims, event: None, unknown }; count]
}

/// The lineage of tables that cannot be believed: the sources stay listed, every operator is unknown.
pub(super) fn disbelieve(
    tables: &OneTables,
    draft: &Draft,
    file: Option<OriginFile>,
    reason: &str,
) -> ImportedLineage {
    all_unknown(originals(tables, file), draft, reason)
}
