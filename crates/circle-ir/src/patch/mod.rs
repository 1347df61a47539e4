//! Changes as data. A patch is built by verbs that take the matched operators and thereby fix the derivation; it is
//! applied by [`Model::apply`](crate::model::Model::apply) and by nothing else.
//!
//! New operators stand at the place of the last operator that the patch erases, in the order in which they were
//! added, so that what ran before still runs before.

mod apply;
mod check;
mod full;
mod graph;
mod reorder;
mod sweep;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::entity::{Entity, OpId, SubgraphId, ValueId};
use crate::lineage::history::Action;
use crate::lineage::ledger::Reason;
use crate::operator::OpSpec;
use crate::subgraph::Subgraph;
use crate::value::ValueSpec;
use crate::view::View;

pub use apply::{Applied, Refused};
pub use check::PatchError;
pub use full::MOST_ORIGINALS;
pub use reorder::OrderError;

/// How a new operator stands to an operator of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Its result survives in the new one.
    Main,
    /// It is rewritten one to one.
    Replaced,
    /// It is taken up beside the main one.
    Absorbed,
    /// The new one is part of it.
    Part,
    /// The new one only serves it.
    Helper,
}

/// A new tensor.
#[derive(Clone, Debug)]
struct NewValue {
    spec: ValueSpec,
    data: Option<Arc<[u8]>>,
    from: Vec<ValueId>,
    folded: Vec<OpId>,
}

/// A new operator and the operators it comes from.
#[derive(Clone, Debug)]
struct NewOperator {
    spec: OpSpec,
    from: Vec<(OpId, Mode)>,
}

/// What becomes of an operator that the patch erases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// New operators carry its origins on.
    Succeeded,
    /// Its origins leave the graph.
    Retired(Reason),
    /// An equal operator carries its origins on.
    Merged(OpId),
}

/// A change to one subgraph. Made by [`PatchBuilder`] only.
#[must_use = "a patch does nothing until it is applied"]
#[derive(Clone, Debug)]
pub struct Patch {
    subgraph: SubgraphId,
    rule: &'static str,
    action: Action,
    first_new_value: ValueId,
    new_values: Vec<NewValue>,
    new_operators: Vec<NewOperator>,
    erased: BTreeMap<OpId, Fate>,
    forwards: Vec<(ValueId, ValueId)>,
    reread: Vec<(OpId, u32, ValueId)>,
    anchor: Option<OpId>,
}

impl Patch {
    /// The rule that made it.
    pub fn rule(&self) -> &'static str {
        self.rule
    }
    /// The subgraph it changes.
    pub fn subgraph(&self) -> SubgraphId {
        self.subgraph
    }
    /// What it mainly does.
    pub fn action(&self) -> Action {
        self.action
    }
    /// Whether it makes tensors or constants.
    pub fn makes_tensors(&self) -> bool {
        !self.new_values.is_empty()
    }
    /// The operators that it lets leave for a reason, with it; ascending.
    pub(crate) fn retired(&self) -> impl Iterator<Item = (OpId, Reason)> {
        self.erased.iter().filter_map(|(&op, &fate)| match fate {
            Fate::Retired(reason) => Some((op, reason)),
            Fate::Succeeded | Fate::Merged(_) => None,
        })
    }
    /// Pairs of tensors of which the second takes over what the first stands for; with whether it is the other way about
    /// if the first is known outside the graph. The second may be new.
    pub(crate) fn unites(&self, sg: &Subgraph) -> Vec<(ValueId, ValueId, bool)> {
        let read = |&(op, slot, to): &(OpId, u32, ValueId)| {
            let old = sg.operator(op).and_then(|op| op.input(slot as usize));
            old.map(|old| (old, to, false))
        };
        let forwards = self.forwards.iter().map(|&(from, to)| (from, to, true));
        forwards.chain(self.reread.iter().filter_map(read)).collect()
    }
    /// For each operator that it adds, those whose work it does.
    pub(crate) fn works(&self) -> impl Iterator<Item = Vec<OpId>> {
        let own = |op: &NewOperator| {
            op.from.iter().filter(|(_, mode)| *mode != Mode::Helper).map(|&(from, _)| from).collect()
        };
        self.new_operators.iter().map(own)
    }
    /// The operators whose origins it may carry on or retire: those it erases, those that new operators or constants
    /// come from, and those that take over others. It must leave the origins of all others alone.
    ///
    /// Ascending, each once.
    pub fn takes(&self) -> Vec<OpId> {
        let mut ops: Vec<OpId> = self.erased.keys().copied().collect();
        ops.extend(self.new_operators.iter().flat_map(|op| op.from.iter().map(|f| f.0)));
        ops.extend(self.new_values.iter().flat_map(|v| v.folded.iter().copied()));
        ops.extend(self.erased.values().filter_map(|fate| match fate {
            Fate::Merged(winner) => Some(*winner),
            _ => None,
        }));
        ops.sort_unstable();
        ops.dedup();
        ops
    }
}

impl fmt::Display for Patch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.subgraph, self.rule, self.action.name())?;
        for (i, op) in self.erased.keys().enumerate() {
            write!(f, "{} {op}", if i == 0 { "" } else { "," })?;
        }
        for (i, op) in self.new_operators.iter().enumerate() {
            write!(f, "{} {}", if i == 0 { " into" } else { "," }, op.spec.code.name())?;
        }
        Ok(())
    }
}

/// Builds a patch against one state of the graph. Each verb states a derivation; there is none without.
#[derive(Debug)]
pub struct PatchBuilder<'m> {
    view: View<'m>,
    patch: Patch,
}

impl<'m> PatchBuilder<'m> {
    /// Starts a patch by the rule called `rule`.
    pub fn new(view: &View<'m>, rule: &'static str) -> Self {
        let patch = Patch {
            subgraph: view.id(),
            rule,
            action: Action::Move,
            first_new_value: view.subgraph().next_value(),
            new_values: Vec::new(),
            new_operators: Vec::new(),
            erased: BTreeMap::new(),
            forwards: Vec::new(),
            reread: Vec::new(),
            anchor: None,
        };
        Self { view: *view, patch }
    }

    fn add_value(&mut self, value: NewValue) -> ValueId {
        let id = ValueId::new(self.patch.first_new_value.number() + self.patch.new_values.len() as u32);
        self.patch.new_values.push(value);
        id
    }

    /// A new tensor, computed by an operator of this patch, that comes from the tensors `from`.
    pub fn value(&mut self, spec: ValueSpec, from: &[ValueId]) -> ValueId {
        self.add_value(NewValue { spec, data: None, from: from.to_vec(), folded: Vec::new() })
    }

    /// A new constant with `data` as its bytes, computed from the constants `from` and, where the work of operators
    /// went into it, from `folded`. Those are noted on the constant; what becomes of the operators is said by
    /// another verb.
    pub fn constant(&mut self, spec: ValueSpec, data: Vec<u8>, from: &[ValueId], folded: &[OpId]) -> ValueId {
        let data = Some(Arc::from(data));
        self.add_value(NewValue { spec, data, from: from.to_vec(), folded: folded.to_vec() })
    }

    /// A new `f32` constant; see [`constant`](Self::constant).
    pub fn floats(&mut self, spec: ValueSpec, data: &[f32], from: &[ValueId], folded: &[OpId]) -> ValueId {
        self.constant(spec, data.iter().flat_map(|x| x.to_le_bytes()).collect(), from, folded)
    }

    fn insert(&mut self, action: Action, spec: OpSpec, from: Vec<(OpId, Mode)>) {
        if self.patch.new_operators.is_empty() && self.patch.action == Action::Move {
            self.patch.action = action;
        }
        self.patch.new_operators.push(NewOperator { spec, from });
    }

    /// `spec` does the work of `op` in its place.
    pub fn replace(&mut self, op: OpId, spec: OpSpec) {
        self.insert(Action::Replace, spec, vec![(op, Mode::Replaced)]);
        self.erase(op);
    }

    /// `spec` does the work of `main`, whose result it computes, and of `absorbed`. All of them are erased.
    pub fn fuse(&mut self, main: OpId, absorbed: &[OpId], spec: OpSpec) {
        let mut from = vec![(main, Mode::Main)];
        from.extend(absorbed.iter().map(|&op| (op, Mode::Absorbed)));
        self.insert(Action::Fuse, spec, from);
        self.erase(main);
        absorbed.iter().for_each(|&op| self.erase(op));
    }

    /// `spec` does the work of `main` and a copy of the work of `kept`, which stay for their other readers.
    /// `main` and `absorbed` are erased.
    pub fn fuse_beside(&mut self, main: OpId, absorbed: &[OpId], kept: &[OpId], spec: OpSpec) {
        let mut from = vec![(main, Mode::Main)];
        from.extend(absorbed.iter().chain(kept).map(|&op| (op, Mode::Absorbed)));
        self.insert(Action::Fuse, spec, from);
        self.erase(main);
        absorbed.iter().for_each(|&op| self.erase(op));
    }

    /// The operators `parts` together do the work of `op`, in this order.
    pub fn split(&mut self, op: OpId, parts: Vec<OpSpec>) {
        self.patch.action = Action::Split;
        for spec in parts {
            self.insert(Action::Split, spec, vec![(op, Mode::Part)]);
        }
        self.erase(op);
    }

    /// `spec` is a second copy of `op`, which stays.
    pub fn copy(&mut self, op: OpId, spec: OpSpec) {
        self.insert(Action::Clone, spec, vec![(op, Mode::Part)]);
    }

    /// `spec` does a second time what the operators `ops` do together, which stay.
    pub fn copy_together(&mut self, ops: &[OpId], spec: OpSpec) {
        self.insert(Action::Clone, spec, ops.iter().map(|&op| (op, Mode::Part)).collect());
    }

    /// `spec` has no counterpart among the originals; it serves `op`.
    pub fn helper(&mut self, op: OpId, spec: OpSpec) {
        self.insert(Action::Insert, spec, vec![(op, Mode::Helper)]);
    }

    /// `op` leaves for `reason`. Its readers must be forwarded or gone.
    pub fn retire(&mut self, op: OpId, reason: Reason) {
        if self.patch.new_operators.is_empty() {
            self.patch.action = if reason == Reason::Folded { Action::Fold } else { Action::Retire };
        }
        self.patch.erased.insert(op, Fate::Retired(reason));
    }

    /// `loser` computes what `winner` computes: it leaves and `winner` carries its origins on. Its outputs are
    /// forwarded to those of `winner`.
    pub fn merge(&mut self, loser: OpId, winner: OpId) {
        self.patch.action = Action::Merge;
        self.patch.erased.insert(loser, Fate::Merged(winner));
        if let (Some(from), Some(to)) = (self.view.op(loser), self.view.op(winner)) {
            let pairs = from.outputs().iter().copied().zip(to.outputs().iter().copied());
            self.patch.forwards.extend(pairs);
        }
    }

    /// All readers of `from` read `to` instead.
    pub fn forward(&mut self, from: ValueId, to: ValueId) {
        self.patch.forwards.push((from, to));
    }

    /// Operator `op` reads the equal constant `to` in input `slot`. Its own lineage is untouched; `to` takes over
    /// the tensor origins of what was read there.
    pub fn reread(&mut self, op: OpId, slot: u32, to: ValueId) {
        self.patch.reread.push((op, slot, to));
    }

    /// New operators stand directly before `op` instead of at the place of the last erased operator.
    pub fn before(&mut self, op: OpId) {
        self.patch.anchor = Some(op);
    }

    fn erase(&mut self, op: OpId) {
        self.patch.erased.entry(op).or_insert(Fate::Succeeded);
    }

    /// The finished patch.
    pub fn finish(self) -> Patch {
        self.patch
    }
}
