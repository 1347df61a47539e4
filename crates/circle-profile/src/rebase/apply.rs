//! What was found becomes lineage.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use circle_ir::import::{ImportedLineage, OperatorLineage, TensorLineage};
use circle_ir::lineage::Store;
use circle_ir::lineage::annotation::Note;
use circle_ir::lineage::claims::{Claim, Role};
use circle_ir::lineage::history::{Action, Event, REBASE, Run};
use circle_ir::lineage::ledger::Reason;
use circle_ir::{ClaimSetId, EventId, Model, ReasonId, RunId, TensorOriginId};

use super::Report;
use super::anchors::{Anchors, Strategy};
use super::region::{Region, moves, region};
use super::side::Side;

/// Interns reasons without looking through all of them.
struct Reasons(HashMap<String, ReasonId>);

impl Reasons {
    fn of(&mut self, store: &mut Store, text: String) -> ReasonId {
        *self.0.entry(text).or_insert_with_key(|text| store.reason(text))
    }
}

/// So many operators are looked at for one that was moved past them.
const PASSED: usize = 32;

struct Apply<'a, 'm> {
    now: &'a Side<'m>,
    earlier: &'a Side<'m>,
    anchors: &'a Anchors,
    constants: HashSet<usize>,
    store: Store,
    run: RunId,
    reasons: Reasons,
    events: HashMap<(Strategy, ClaimSetId, Vec<EventId>), EventId>,
    report: Report,
}

/// The lineage of the present model, with the origins, history and ledger of the earlier one.
pub(super) fn apply(
    now: &Side<'_>,
    earlier: &Side<'_>,
    anchors: &Anchors,
    model: &Model,
    run: Run,
) -> (ImportedLineage, Report) {
    let mut store = model.store().clone();
    let run = store.run(run);
    let mut apply = Apply {
        now,
        earlier,
        anchors,
        constants: earlier.constants(),
        store,
        run,
        reasons: Reasons(HashMap::new()),
        events: HashMap::new(),
        report: Report::default(),
    };
    let mut operators: Vec<Vec<OperatorLineage>> = vec![Vec::new(); now.outputs.len()];
    let mut tensors: Vec<Vec<TensorLineage>> = vec![Vec::new(); now.outputs.len()];
    for (index, op) in now.ops.iter().enumerate() {
        let lineage = apply.operator(index);
        if let Some(list) = operators.get_mut(op.subgraph.number() as usize) {
            list.push(lineage);
        }
    }
    for (index, tensor) in now.tensors.iter().enumerate() {
        let lineage = apply.tensor(index);
        if let Some(list) = tensors.get_mut(tensor.subgraph.number() as usize) {
            list.push(lineage);
        }
    }
    let Apply { mut store, report, .. } = apply;
    let sets: BTreeSet<ClaimSetId> = operators
        .iter()
        .flatten()
        .map(|op| op.claims)
        .chain(tensors.iter().flatten().map(|tensor| tensor.claims))
        .collect();
    let carried = sets.into_iter().flat_map(|set| store.claim_sets.get(set)).map(|c| c.origin).collect();
    let sets: BTreeSet<_> = tensors.iter().flatten().map(|tensor| tensor.tensors).collect();
    let held: BTreeSet<TensorOriginId> =
        sets.into_iter().flat_map(|set| store.tensor_sets.get(set)).copied().collect();
    let operators_then = model.subgraphs().flat_map(|(_, sg)| sg.operators());
    let tensors_then = model.subgraphs().flat_map(|(_, sg)| sg.noted());
    let notes: Vec<Note> = operators_then
        .flat_map(|(_, op)| op.notes())
        .chain(tensors_then.flat_map(|(_, notes)| notes))
        .cloned()
        .collect();
    // Where everything that is there is known, what is not among it has left.
    let reason = if report.unknown + report.ambiguous == 0 { Reason::Foreign } else { Reason::Untraced };
    store.close(&carried, &held, |_| run, "rebase", reason, notes);
    (ImportedLineage { store, operators, tensors, tensor_notes: Vec::new() }, report)
}

impl Apply<'_, '_> {
    fn operator(&mut self, index: usize) -> OperatorLineage {
        self.report.operators += 1;
        let (from, strategy) = match self.counterparts(index) {
            Ok(found) => found,
            Err(reason) => return self.unknown(reason),
        };
        let mut claims = BTreeSet::new();
        let mut parents = BTreeSet::new();
        let mut doubts = BTreeSet::new();
        for op in from.iter().filter_map(|&op| self.earlier.ops.get(op)) {
            let lineage = op.op.lineage();
            let theirs = self.store.claim_sets.get(lineage.claims());
            claims.extend(theirs.iter().filter(|claim| claim.role != Role::Helper).map(|claim| claim.origin));
            parents.extend(lineage.event());
            doubts.extend(lineage.unknown());
        }
        if claims.is_empty() {
            let why = match doubts.first() {
                Some(&reason) => self.store.reason_text(reason).to_owned(),
                None => "it serves others and has no original".into(),
            };
            return self.unknown(format!("rebase: its counterpart has no known origin: {why}"));
        }
        let claims: Vec<Claim> =
            claims.into_iter().map(|origin| Claim { origin, role: Role::Inferred, part: None }).collect();
        let claims = self.store.claim_sets.intern(&claims);
        let unknown = doubts.first().map(|&reason| {
            let text = self.store.reason_text(reason);
            let text = format!("rebase: of its counterpart, too, not all is known: {text}");
            self.reasons.of(&mut self.store, text)
        });
        let event = self.step(strategy, claims, parents.into_iter().collect());
        if unknown.is_some() {
            self.report.unknown += 1;
        } else {
            *self.report.joined.entry(strategy).or_default() += 1;
        }
        OperatorLineage { claims, event: Some(event), unknown, notes: Vec::new() }
    }

    /// The step that took `claims` over from what `parents` led to; one for all that was taken over alike.
    fn step(&mut self, strategy: Strategy, claims: ClaimSetId, parents: Vec<EventId>) -> EventId {
        let key = (strategy, claims, parents);
        if let Some(&event) = self.events.get(&key) {
            return event;
        }
        let pass = self.store.pass(&format!("{REBASE}{}", strategy.name()));
        let event = Event { run: self.run, pass, action: Action::Import, took: claims };
        let event = self.store.history.push(event, key.2.iter().copied());
        self.events.insert(key, event);
        event
    }

    fn unknown(&mut self, reason: String) -> OperatorLineage {
        if reason.contains("look alike") {
            self.report.ambiguous += 1;
        } else {
            self.report.unknown += 1;
        }
        let unknown = Some(self.reasons.of(&mut self.store, reason));
        OperatorLineage { claims: self.store.claim_sets.empty(), event: None, unknown, notes: Vec::new() }
    }

    /// The earlier operators whose work an operator does, and how that was found; or why that cannot be told.
    fn counterparts(&self, index: usize) -> Result<(Vec<usize>, Strategy), String> {
        let nothing = || "rebase: nothing in the earlier model corresponds to it".to_owned();
        let Some(ours) = self.now.ops.get(index) else { return Err(nothing()) };
        let pair = self.anchors.pairs.get(index).copied().flatten();
        let top = ours.outputs.iter().find_map(|&t| self.anchors.tensors.get(t).copied().flatten());
        if let Some((tensor, strategy)) = top {
            let region = self.region(index, tensor);
            if let Some(region) = region.filter(|region| !region.work.is_empty()) {
                return Ok((region.work, strategy));
            }
            let producer = self.earlier.tensors.get(tensor).and_then(|tensor| tensor.producer);
            let same = |&op: &usize| self.earlier.ops.get(op).is_some_and(|op| op.kind == ours.kind);
            if let Some(producer) = producer.filter(same) {
                return Ok((vec![producer], strategy));
            }
            if pair.is_none() && moves(ours.op) {
                return self.moved(index);
            }
        }
        if let Some((op, strategy)) = pair {
            return Ok((vec![op], strategy));
        }
        match self.anchors.alike.get(index) {
            Some(&many) if many > 1 => {
                Err(format!("rebase: {many} operators of the earlier model look alike"))
            }
            _ => Err(nothing()),
        }
    }

    fn region(&self, index: usize, top: usize) -> Option<Region> {
        region(self.now, self.earlier, self.anchors, &self.constants, index, top)
    }

    /// An operator that only moves numbers, and computes what its input holds already, was moved here: it is the one of
    /// its kind that the operators before it have passed.
    fn moved(&self, index: usize) -> Result<(Vec<usize>, Strategy), String> {
        let kind = self.now.ops.get(index).map(|op| op.kind);
        let mut walk = vec![index];
        let mut seen = HashSet::new();
        let mut passed = BTreeSet::new();
        while let Some(op) = walk.pop() {
            if !seen.insert(op) || seen.len() > PASSED {
                continue;
            }
            let outputs = self.now.ops.get(op).map_or(&[][..], |op| &op.outputs);
            let top = outputs.iter().find_map(|&t| self.anchors.tensors.get(t).copied().flatten());
            let here = top.and_then(|(top, _)| self.region(op, top)).unwrap_or_default().passed;
            let before = passed.len();
            passed.extend(here.into_iter().filter(|&op| self.earlier.ops.get(op).map(|op| op.kind) == kind));
            if passed.len() > before {
                continue;
            }
            for (_, tensor) in self.now.variable_inputs(op) {
                let by_part = matches!(self.anchors.tensors.get(tensor), Some(Some((_, Strategy::NamePart))));
                walk.extend(self.now.tensors.get(tensor).and_then(|t| t.producer).filter(|_| by_part));
            }
        }
        match passed.len() {
            0 => Err("rebase: it only moves numbers that the earlier model computes elsewhere".into()),
            1 => Ok((passed.into_iter().collect(), Strategy::Growth)),
            many => Err(format!("rebase: {many} operators of the earlier model look alike")),
        }
    }

    fn tensor(&mut self, index: usize) -> TensorLineage {
        let found = self.anchors.tensors.get(index).copied().flatten();
        let there = found.and_then(|(t, strategy)| Some((self.earlier.tensors.get(t)?, strategy)));
        let Some((there, strategy)) = there else {
            let text = "rebase: nothing in the earlier model corresponds to it".to_owned();
            let unknown = Some(self.reasons.of(&mut self.store, text));
            let (tensors, claims) = (self.store.tensor_sets.empty(), self.store.claim_sets.empty());
            return TensorLineage { tensors, claims, event: None, unknown };
        };
        let lineage = *there.value.lineage();
        let claims: BTreeMap<_, _> = self
            .store
            .claim_sets
            .get(lineage.claims())
            .iter()
            .map(|claim| (claim.origin, Claim { role: Role::Inferred, part: None, ..*claim }))
            .collect();
        let claims: Vec<Claim> = claims.into_values().collect();
        let claims = self.store.claim_sets.intern(&claims);
        // Sets of tensors have no roles, so that the entry itself says that it is a guess.
        let text = format!("rebase: inferred by {}, not carried through", strategy.name());
        let unknown = Some(self.reasons.of(&mut self.store, text));
        // What a pass had made or changed then is so now; what none had touched holds what its original holds.
        let event = lineage.event().map(|event| self.step(strategy, claims, vec![event]));
        TensorLineage { tensors: lineage.tensors(), claims, event, unknown }
    }
}
