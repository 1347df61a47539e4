//! Whether a lineage that is whole, and fits the model, can be true.
//!
//! The blob binds itself to the operators, not the other way round: anyone can write one that fits. What is believed
//! here will be checked by the conservation law after the next pass, and written out operator by operator.

use std::collections::BTreeSet;

use circle_ir::import::Draft;
use circle_ir::lineage::claims::Role;
use circle_ir::lineage::history::Action;
use circle_ir::verify::untouched::{self, Untouched};
use circle_ir::{OriginId, TensorOriginId};
use circle_metadata::lineage::{Claim, Lineage};

use super::codes::{action_from, role_from};
use super::from_blob;

/// Sets stand once in the blob and are written out at each operator in ONE's tables and in every report. On the
/// average they may have so many members, or so many altogether; real ones have two or three.
const MEMBERS: u64 = 64;
const MEMBERS_ALTOGETHER: u64 = 1 << 20;

/// Why not to believe `lineage`.
pub(super) fn contradiction(lineage: &Lineage) -> Option<String> {
    too_much(lineage).or_else(|| unaccounted(lineage))
}

/// A claim of `lineage` that its own history, or the operators of `draft` that it fits, refute: what the step that made
/// an operator did not take, or what is not its original without any step; or a tensor that bears another name than its
/// original without any.
pub(super) fn untrue(lineage: &Lineage, draft: &Draft) -> Option<String> {
    let origins = from_blob::origins(lineage);
    let ledger = lineage.ledger.iter().filter_map(|entry| lineage.claim_sets.get(entry.claims as usize));
    let gone = ledger.flatten().map(|claim| OriginId::from_number(claim.source)).collect();
    let originals = Untouched::new(&origins, gone);
    let set = |number: u32| lineage.claim_sets.get(number as usize).map_or(&[][..], Vec::as_slice);
    let carried = |claim: &&Claim| role_from(claim.role) != Role::Inferred;
    for (sg, (records, subgraph)) in lineage.subgraphs.iter().zip(&draft.subgraphs).enumerate() {
        for (index, (record, op)) in records.operators.iter().zip(&subgraph.operators).enumerate() {
            let place = || format!("sg{sg}:{index} {}", op.code.name());
            let Some(number) = record.event else {
                let name = op.outputs.first().and_then(|v| subgraph.values.get(v.number() as usize));
                let name = name.and_then(|value| value.record.str("name")).unwrap_or("");
                let claims: Vec<_> = set(record.claims).iter().map(from_blob::claim).collect();
                let text = untouched::contradiction(&originals, &op.code.name(), name, &claims);
                if let Some(text) = text {
                    return Some(format!("sg{sg}:{index} {text}"));
                }
                continue;
            };
            let Some(event) = lineage.events.get(number as usize) else { continue };
            if action_from(event.action) == Action::Retire {
                return Some(format!("{} was taken out by its last step {number}", place()));
            }
            // Members of sets ascend; the decoder has seen to that.
            let took = set(event.took);
            let mut own = set(record.claims).iter().filter(carried);
            if let Some(claim) =
                own.find(|claim| took.binary_search_by_key(&claim.source, |took| took.source).is_err())
            {
                let text = format!(
                    "{} claims @{}, which its last step {number} did not take",
                    place(),
                    claim.source
                );
                return Some(text);
            }
        }
        for (index, (record, value)) in records.tensors.iter().zip(&subgraph.values).enumerate() {
            if record.event.is_some() || record.unknown.is_some() {
                continue;
            }
            let said = lineage.tensor_sets.get(record.sources as usize).map_or(&[][..], Vec::as_slice);
            let said = said.iter().filter_map(|&number| origins.tensor(TensorOriginId::from_number(number)));
            let name = value.record.str("name").unwrap_or("");
            if let Some(text) = untouched::renamed(name, said.map(|origin| &*origin.name)) {
                return Some(format!("sg{sg}:%{index} {text}"));
            }
        }
    }
    None
}

/// Sets that come to far more than there is to say.
fn too_much(lineage: &Lineage) -> Option<String> {
    let claims = |set: u32| lineage.claim_sets.get(set as usize).map_or(0, Vec::len) as u64;
    let tensors = |set: u32| lineage.tensor_sets.get(set as usize).map_or(0, Vec::len) as u64;
    let operators = lineage.subgraphs.iter().flat_map(|sg| &sg.operators).map(|op| claims(op.claims));
    let values =
        lineage.subgraphs.iter().flat_map(|sg| &sg.tensors).map(|t| claims(t.claims) + tensors(t.sources));
    let ledger = lineage.ledger.iter().map(|entry| claims(entry.claims) + tensors(entry.tensors));
    let notes = lineage.notes.iter().map(|note| claims(note.over));
    let (mut rows, mut members) = (0u64, 0u64);
    for count in operators.chain(values).chain(ledger).chain(notes) {
        rows += 1;
        members = members.saturating_add(count);
    }
    let most = rows.saturating_mul(MEMBERS).max(MEMBERS_ALTOGETHER);
    (members > most).then(|| format!("its {rows} records claim {members} origins, and {most} are the most"))
}

/// An origin that nothing carries and that is not in the ledger.
fn unaccounted(lineage: &Lineage) -> Option<String> {
    let operators = lineage.subgraphs.iter().flat_map(|sg| &sg.operators).map(|op| op.claims);
    let values = || lineage.subgraphs.iter().flat_map(|sg| &sg.tensors);
    let ledger = lineage.ledger.iter();
    let sets: BTreeSet<u32> =
        operators.chain(values().map(|t| t.claims)).chain(ledger.clone().map(|entry| entry.claims)).collect();
    let members = sets.iter().filter_map(|&set| lineage.claim_sets.get(set as usize)).flatten();
    let claimed: BTreeSet<u32> = members.map(|claim| claim.source).collect();
    if let Some(source) = lineage.sources.iter().find(|source| !claimed.contains(&source.id)) {
        return Some(format!("operator {} is carried by nothing and is not in the ledger", source.id));
    }
    let sets: BTreeSet<u32> = values().map(|t| t.sources).chain(ledger.map(|entry| entry.tensors)).collect();
    let carried: BTreeSet<u32> =
        sets.iter().filter_map(|&set| lineage.tensor_sets.get(set as usize)).flatten().copied().collect();
    let missing = (0..lineage.tensor_sources.len() as u32).find(|number| !carried.contains(number))?;
    Some(format!("tensor {missing} is carried by nothing and is not in the ledger"))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::sync::Arc;

    use circle_ir::OriginId;
    use circle_ir::import::ImportedLineage;
    use circle_ir::lineage::claims::{Claim, Role};
    use circle_ir::lineage::origin::{FileFormat, OriginFile};

    use crate::lineage::export::{ExportError, export};
    use crate::write::number;

    /// The export of a model of so many operators, each of which claims all originals.
    fn claiming_all(operators: u32) -> Result<(), ExportError> {
        let mut text = "subgraph sg0 \"\" (%0) -> ()\n%0: f32[1] \"x\"\n".to_owned();
        for index in 1..=operators {
            let _ = writeln!(text, "%{index}: f32[1] \"t{index}\"");
        }
        for index in 0..operators {
            let _ = writeln!(text, "op{index} NEG (%{index}) -> %{}", index + 1);
        }
        let draft = circle_ir::text::parse(&text).unwrap().to_draft().unwrap();
        let (name, format) = (Arc::from("m"), FileFormat::Other);
        let file = OriginFile { name, format, bytes: 0, md5: [0; 16], sha256: None };
        let mut lineage = ImportedLineage::fresh(&draft, file);
        let all: Vec<Claim> = (0..operators)
            .map(|number| Claim { origin: OriginId::from_number(number), role: Role::Primary, part: None })
            .collect();
        let all = lineage.store.claim_sets.intern(&all);
        lineage.operators[0].iter_mut().for_each(|op| op.claims = all);
        let model = draft.adopt(lineage).unwrap();
        export(&model, &number(&model), None).map(drop)
    }

    #[test]
    fn what_would_not_be_believed_is_not_written() {
        assert!(claiming_all(900).is_ok());
        let error = claiming_all(1_100).unwrap_err().to_string();
        assert!(error.contains("records claim 12"), "{error}");
        assert!(error.contains("--strip_profiling_data"), "{error}");
    }
}
