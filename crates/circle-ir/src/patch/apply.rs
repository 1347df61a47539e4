//! The one mutator of a model after import.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

use foldhash::fast::RandomState;

use super::{Fate, Mode, NewValue, Patch, PatchError};
use crate::buffer::Buffer;
use crate::entity::{ClaimSetId, EventId, OpId, ReasonId, RunId, ValueId};
use crate::lineage::annotation::{self, Note};
use crate::lineage::claims::{Claim, Part, Role, union};
use crate::lineage::history::Event;
use crate::lineage::ledger::{Departure, Reason};
use crate::lineage::{Lineage, Store, ValueLineage};
use crate::model::Model;
use crate::operator::Operator;
use crate::subgraph::Subgraph;
use crate::value::{Ends, Value};

/// What a patch did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The step that was entered in the history.
    pub event: EventId,
    /// The operators that were added, in order.
    pub added: Vec<OpId>,
    /// The operators that were erased.
    pub erased: Vec<OpId>,
}

/// A patch that was refused. The graph is as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The patch in one line.
    pub patch: String,
    /// Why.
    pub error: PatchError,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.patch, self.error)
    }
}

impl std::error::Error for Refused {}

/// A carried-on operator as one of its successors sees it.
struct Share {
    claims: ClaimSetId,
    unknown: Option<ReasonId>,
    part: Option<Part>,
    notes: Vec<Note>,
}

impl Model {
    /// Applies `patch` as part of `run`. On an error the model is unchanged.
    ///
    /// # Errors
    /// When the patch does not fit the graph; see [`PatchError`].
    pub fn apply(&mut self, mut patch: Patch, run: RunId) -> Result<Applied, Refused> {
        patch.check(self).map_err(|error| Refused { patch: patch.to_string(), error })?;
        let number = patch.subgraph.number() as usize;
        let Self { subgraphs, buffers, store, .. } = self;
        let sg = &mut subgraphs[number];
        let place = patch.place(sg);
        let event = enter_event(store, sg, &patch, run);
        let mut shares = shares(store, sg, &patch);

        // Constants first: they remember operators that are about to go.
        for value in std::mem::take(&mut patch.new_values) {
            let lineage = value_lineage(store, sg, &value, event);
            let buffer = match value.data {
                Some(data) => buffers.push(Buffer::Owned(data)),
                None => crate::entity::BufferId::from_number(0),
            };
            let (record, ends) = (value.spec.record, Ends::default());
            sg.values.push(Value {
                record,
                buffer,
                def: None,
                uses: Default::default(),
                pins: 0,
                ends,
                lineage,
            });
        }
        keep_shares_of_survivors(store, sg, &patch, &mut shares, event);

        let mut prepared = Vec::with_capacity(patch.new_operators.len());
        for op in patch.new_operators {
            let from: Vec<(Mode, Share)> = op
                .from
                .iter()
                .filter_map(|&(id, mode)| Some((mode, shares_of(&mut shares, id)?.next(mode)?)))
                .collect();
            let (lineage, notes) = succeed(store, from, event);
            prepared.push((op.spec, lineage, notes));
        }
        let added: Vec<OpId> = prepared
            .iter()
            .enumerate()
            .map(|(i, _)| OpId::from_number((sg.operators.bound() + i) as u32))
            .collect();
        // Hold the place with the new operators before the erased ones leave it.
        if let Some(place) = place {
            for &id in &added {
                sg.order.insert_before(id, place);
            }
        }
        let mut merged: BTreeMap<OpId, Vec<Operator>> = BTreeMap::new();
        for (&op, &fate) in &patch.erased {
            let Some(gone) = sg.detach(op) else { continue };
            match fate {
                Fate::Succeeded => {}
                Fate::Retired(reason) => retire(store, gone, reason, event),
                Fate::Merged(winner) => merged.entry(winner).or_default().push(gone),
            }
        }
        for (winner, losers) in merged {
            take_over(store, sg, winner, losers, event);
        }
        for ((spec, lineage, notes), &id) in prepared.into_iter().zip(&added) {
            sg.attach(id, spec, lineage, notes);
        }
        let mut united = United::default();
        for &(from, to) in &patch.forwards {
            let (stays, gone) = sg.forward(from, to);
            united.add(stays, gone);
        }
        for &(op, slot, to) in &patch.reread {
            if let Some(old) = sg.reread(op, slot, to) {
                united.add(to, old);
            }
        }
        united.finish(store, sg);
        Ok(Applied { event, added, erased: patch.erased.into_keys().collect() })
    }
}

fn enter_event(store: &mut Store, sg: &Subgraph, patch: &Patch, run: RunId) -> EventId {
    let ops = patch.takes();
    let taken: Vec<&Operator> = ops.iter().filter_map(|&op| sg.operator(op)).collect();
    let claims = union(taken.iter().flat_map(|op| store.claim_sets.get(op.lineage.claims).iter().copied()));
    let took = store.claim_sets.intern(&claims);
    let values = patch.new_values.iter().flat_map(|v| &v.from).filter_map(|&v| sg.value(v)?.lineage.event);
    let parents: Vec<EventId> = taken.iter().filter_map(|op| op.lineage.event).chain(values).collect();
    let pass = store.pass(patch.rule);
    store.history.push(Event { run, pass, action: patch.action, took }, parents)
}

/// The shares of an operator, handed out in turn.
struct Shares {
    of: OpId,
    own_work: std::vec::IntoIter<Share>,
    claims: ClaimSetId,
    unknown: Option<ReasonId>,
}

/// The shares of operator `id` in a list that ascends by operator.
fn shares_of(shares: &mut [Shares], id: OpId) -> Option<&mut Shares> {
    let at = shares.binary_search_by_key(&id, |shares| shares.of).ok()?;
    shares.get_mut(at)
}

impl Shares {
    fn next(&mut self, mode: Mode) -> Option<Share> {
        match mode {
            // A helper has no part in the work and so none in the cost.
            Mode::Helper => {
                Some(Share { claims: self.claims, unknown: self.unknown, part: None, notes: Vec::new() })
            }
            _ => self.own_work.next(),
        }
    }
}

/// For each operator that is carried on, ascending: one share for each successor, itself among them if it stays
/// (first).
fn shares(store: &Store, sg: &Subgraph, patch: &Patch) -> Vec<Shares> {
    let mut carried: Vec<(OpId, Mode)> =
        patch.new_operators.iter().flat_map(|op| &op.from).copied().collect();
    carried.sort_unstable_by_key(|&(id, _)| id);
    let mut out = Vec::with_capacity(carried.len());
    for group in carried.chunk_by(|a, b| a.0 == b.0) {
        let Some(&(id, _)) = group.first() else { continue };
        let successors = group.iter().filter(|&&(_, mode)| mode != Mode::Helper).count();
        let Some(op) = sg.operator(id) else { continue };
        let stays = !patch.erased.contains_key(&id);
        let count = successors + usize::from(stays && successors > 0);
        let several = count > 1;
        let notes = annotation::split(&store.metrics, &op.notes, count);
        let own_work = notes.into_iter().enumerate().map(|(i, notes)| Share {
            claims: op.lineage.claims,
            unknown: op.lineage.unknown,
            part: several.then_some(Part { index: i as u32 + 1, count: count as u32 }),
            notes,
        });
        let own_work = own_work.collect::<Vec<_>>().into_iter();
        out.push(Shares { of: id, own_work, claims: op.lineage.claims, unknown: op.lineage.unknown });
    }
    out
}

/// The claims of a share, as parts if there are several shares.
fn part_claims(store: &Store, share: &Share) -> Vec<Claim> {
    let cloned = |claim: &Claim| {
        let role = claim.role.cloned();
        let part = if role == Role::Cloned && claim.role != Role::Cloned { share.part } else { claim.part };
        Claim { role, part, ..*claim }
    };
    let claims = store.claim_sets.get(share.claims);
    if share.part.is_some() { claims.iter().map(cloned).collect() } else { claims.to_vec() }
}

fn keep_shares_of_survivors(
    store: &mut Store,
    sg: &mut Subgraph,
    patch: &Patch,
    shares: &mut [Shares],
    event: EventId,
) {
    for shares in shares.iter_mut().filter(|shares| !patch.erased.contains_key(&shares.of)) {
        let (id, Some(share)) = (shares.of, shares.own_work.next()) else { continue };
        let claims = part_claims(store, &share);
        let claims = store.claim_sets.intern(&claims);
        if let Some(op) = sg.operators.get_mut(id) {
            op.lineage = Lineage { claims, event: Some(event), unknown: op.lineage.unknown };
            op.notes = share.notes;
        }
    }
}

fn succeed(store: &mut Store, from: Vec<(Mode, Share)>, event: EventId) -> (Lineage, Vec<Note>) {
    let mut claims = Vec::new();
    let mut notes = Vec::new();
    let mut unknown = None;
    for (mode, share) in from {
        let turn = |claim: Claim| {
            let role = match mode {
                Mode::Main => claim.role,
                Mode::Replaced => claim.role.replaced(),
                Mode::Part => claim.role.cloned(),
                Mode::Absorbed => claim.role.absorbed(),
                Mode::Helper => Role::Helper,
            };
            Claim { role, part: claim.part.filter(|_| role == Role::Cloned), ..claim }
        };
        claims.extend(part_claims(store, &share).into_iter().map(turn));
        unknown = unknown.or(share.unknown);
        notes.push(share.notes);
    }
    let claims = store.claim_sets.intern(&union(claims));
    let (notes, dropped) = annotation::merge(&store.metrics, notes);
    if !dropped.is_empty() {
        let (none, tensors) = (store.claim_sets.empty(), store.tensor_sets.empty());
        store.ledger.push(Departure {
            claims: none,
            tensors,
            reason: Reason::NotMergeable,
            event,
            notes: dropped,
        });
    }
    (Lineage { claims, event: Some(event), unknown }, notes)
}

fn value_lineage(store: &mut Store, sg: &Subgraph, value: &NewValue, event: EventId) -> ValueLineage {
    let from: Vec<ValueLineage> = value.from.iter().filter_map(|&v| Some(*sg.value(v)?.lineage())).collect();
    let mut tensors: Vec<_> = from.iter().flat_map(|l| store.tensor_sets.get(l.tensors)).copied().collect();
    tensors.sort_unstable();
    tensors.dedup();
    let folded = value.folded.iter().filter_map(|&op| Some(*sg.operator(op)?.lineage()));
    let folded: Vec<Lineage> = folded.collect();
    let of_operators = folded.iter().flat_map(|l| store.claim_sets.get(l.claims)).map(|claim| Claim {
        role: claim.role.folded(),
        part: None,
        ..*claim
    });
    let inherited = from.iter().flat_map(|l| store.claim_sets.get(l.claims)).copied();
    let claims = union(of_operators.chain(inherited));
    let unknown = from.iter().find_map(|l| l.unknown).or_else(|| folded.iter().find_map(|l| l.unknown));
    ValueLineage {
        tensors: store.tensor_sets.intern(&tensors),
        claims: store.claim_sets.intern(&claims),
        event: Some(event),
        unknown,
    }
}

/// Enters an operator that has left in the ledger.
fn retire(store: &mut Store, gone: Operator, reason: Reason, event: EventId) {
    let tensors = store.tensor_sets.empty();
    store.ledger.push(Departure { claims: gone.lineage.claims, tensors, reason, event, notes: gone.notes });
}

/// Lets `winner` claim what equal operators that have left stood for, all in one go.
fn take_over(store: &mut Store, sg: &mut Subgraph, winner: OpId, losers: Vec<Operator>, event: EventId) {
    let Some(op) = sg.operators.get_mut(winner) else { return };
    let duplicate = |claim: &Claim| Claim { role: claim.role.duplicate(), part: None, ..*claim };
    let lost = losers.iter().flat_map(|gone| store.claim_sets.get(gone.lineage.claims)).map(duplicate);
    let claims = union(store.claim_sets.get(op.lineage.claims).iter().copied().chain(lost));
    let unknown = op.lineage.unknown.or_else(|| losers.iter().find_map(|gone| gone.lineage.unknown));
    op.lineage = Lineage { claims: store.claim_sets.intern(&claims), event: Some(event), unknown };
    let notes =
        std::iter::once(std::mem::take(&mut op.notes)).chain(losers.into_iter().map(|gone| gone.notes));
    let (notes, dropped) = annotation::merge(&store.metrics, notes.collect());
    op.notes = notes;
    if !dropped.is_empty() {
        let (none, tensors) = (store.claim_sets.empty(), store.tensor_sets.empty());
        let reason = Reason::NotMergeable;
        store.ledger.push(Departure { claims: none, tensors, reason, event, notes: dropped });
    }
}

/// Tensors that from now on also stand for what others stood for, which hold the same numbers. All that one takes
/// over is united in one go, so that a constant that takes the place of thousands costs no more than they do.
#[derive(Default)]
struct United {
    /// In the order in which tensors first took something over.
    order: Vec<ValueId>,
    gone: HashMap<ValueId, Vec<ValueId>, RandomState>,
}

impl United {
    fn add(&mut self, stays: ValueId, gone: ValueId) {
        let list = self.gone.entry(stays).or_default();
        if list.is_empty() {
            self.order.push(stays);
        }
        list.push(gone);
    }

    fn finish(self, store: &mut Store, sg: &mut Subgraph) {
        for stays in self.order {
            let all = || std::iter::once(&stays).chain(self.gone.get(&stays).into_iter().flatten());
            let lineages: Vec<ValueLineage> =
                all().filter_map(|&v| Some(sg.values.get(v)?.lineage)).collect();
            let tensors = lineages.iter().flat_map(|l| store.tensor_sets.get(l.tensors));
            let tensors: BTreeSet<_> = tensors.copied().collect();
            let tensors: Vec<_> = tensors.into_iter().collect();
            let claims = union(lineages.iter().flat_map(|l| store.claim_sets.get(l.claims)).copied());
            if let Some(value) = sg.values.get_mut(stays) {
                value.lineage.tensors = store.tensor_sets.intern(&tensors);
                value.lineage.claims = store.claim_sets.intern(&claims);
            }
        }
    }
}
