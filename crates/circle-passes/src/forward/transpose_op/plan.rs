//! Which operators to move in front of transposes so that there are fewer transposes in the end.
//!
//! A walk in execution order assumes that every operator moves that can, and notes for each tensor the transpose that
//! it would then come out of. A walk backwards lets operators stay whose results would need more transposes than
//! their inputs do. What hangs together after that is moved if it leaves no more transposes than there were. Both
//! walks look at each tensor's readers a fixed number of times.

use circle_ir::{Entity, OpId, Operator, ValueId, View};
use circle_tables::opcode;

use super::motion::{is_movable, motion};
use crate::matcher::permutation;
use crate::matcher::permutation::{compose, is_identity};

/// What to do with an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A transpose to start from; it stays until what reads it has moved.
    Start,
    /// A transpose becomes one with the transpose before it, or both vanish.
    Merge,
    /// A transpose changes places with the transpose before it.
    Swap,
    /// The operator moves in front of the transposes before it.
    Move,
}

struct Step {
    op: OpId,
    kind: Kind,
    active: bool,
}

struct Plan<'a, 'm> {
    view: &'a View<'m>,
    steps: Vec<Step>,
    /// By operator number: one more than its position in `steps`, or 0. Zeros take no memory until they are written to.
    step_of: Vec<u32>,
    /// Permutations of transposes.
    perms: Vec<Vec<usize>>,
    /// By tensor number: one more than the position in `perms` of the transpose it would come out of, or 0.
    perm_of: Vec<u32>,
    /// By tensor number: how many want it as it is, after the transpose.
    wanted: Vec<u32>,
}

/// The operators to change, in execution order.
pub(super) fn plan(view: &View<'_>) -> Vec<(OpId, Kind)> {
    let sg = view.subgraph();
    let values = sg.next_value().index();
    let mut plan = Plan {
        view,
        steps: Vec::new(),
        step_of: vec![0; sg.operator_bound()],
        perms: Vec::new(),
        perm_of: vec![0; values],
        wanted: vec![0; values],
    };
    plan.assume();
    if plan.steps.iter().all(|step| step.kind != Kind::Move) {
        return Vec::new();
    }
    plan.count_wanted();
    plan.let_stay();
    plan.accepted()
}

/// The transpose that `op` is, if its elements can be moved freely.
pub(super) fn movable_transpose(view: &View<'_>, op: &Operator) -> Option<Vec<usize>> {
    if !op.is(opcode::TRANSPOSE) {
        return None;
    }
    let perm = permutation(view, op)?;
    let (input, output) = (view.value(op.input(0)?)?, view.value(*op.outputs().first()?)?);
    let same = input.ty() == output.ty() && input.quantization() == output.quantization();
    let fits = output.shape().len() == perm.len() && op.outputs().len() == 1 && op.inputs().len() == 2;
    (same && fits && is_movable(input) && is_movable(output)).then_some(perm)
}

impl Plan<'_, '_> {
    fn perm(&self, value: ValueId) -> Option<&Vec<usize>> {
        self.perms.get(self.perm_of.get(value.index())?.checked_sub(1)? as usize)
    }

    fn set_perm(&mut self, value: ValueId, perm: Option<Vec<usize>>) {
        let Some(place) = self.perm_of.get_mut(value.index()) else { return };
        *place = 0;
        if let Some(perm) = perm.filter(|perm| !is_identity(perm)) {
            self.perms.push(perm);
            *place = self.perms.len() as u32;
        }
    }

    fn wanted(&self, value: ValueId) -> u32 {
        self.wanted.get(value.index()).copied().unwrap_or(0)
    }

    fn want(&mut self, value: ValueId, more: u32) {
        if let Some(count) = self.wanted.get_mut(value.index()) {
            *count = count.saturating_add(more);
        }
    }

    fn step_index(&self, op: OpId) -> Option<usize> {
        Some(self.step_of.get(op.index())?.checked_sub(1)? as usize)
    }

    fn step(&self, op: OpId) -> Option<&Step> {
        self.steps.get(self.step_index(op)?)
    }

    fn assume(&mut self) {
        for (id, op) in self.view.subgraph().operators() {
            let Some((kind, outputs)) = self.assume_of(op) else { continue };
            self.steps.push(Step { op: id, kind, active: true });
            if let Some(place) = self.step_of.get_mut(id.index()) {
                *place = self.steps.len() as u32;
            }
            for (&value, perm) in op.outputs().iter().zip(outputs) {
                self.set_perm(value, Some(perm));
            }
        }
    }

    fn assume_of(&self, op: &Operator) -> Option<(Kind, Vec<Vec<usize>>)> {
        if op.is(opcode::TRANSPOSE) {
            let own = movable_transpose(self.view, op)?;
            let Some(before) = self.perm(op.input(0)?) else {
                return (!is_identity(&own)).then(|| (Kind::Start, vec![own]));
            };
            let both = compose(before, &own)?;
            if self.is_better_swapped(op, before, &both) {
                return Some((Kind::Swap, vec![before.clone()]));
            }
            return Some((Kind::Merge, vec![both]));
        }
        op.inputs().iter().flatten().find(|&&v| self.perm(v).is_some())?;
        let moved = motion(self.view, op, &|v| self.perm(v).cloned())?;
        Some((Kind::Move, moved.outputs))
    }

    /// Whether a transpose that regroups channels stands before the reshape that joins them again. Merged with the
    /// layout transpose before it, it would let none of the two get past the reshape.
    fn is_better_swapped(&self, op: &Operator, before: &[usize], both: &[usize]) -> bool {
        let Some(&output) = op.outputs().first() else { return false };
        let reader = self.view.only_user(output).and_then(|id| self.view.op_is(id, opcode::RESHAPE));
        let Some(reader) = reader.filter(|_| !is_identity(both)) else { return false };
        let moves = |perm: &[usize]| {
            let perm_of = |v| if v == output { Some(perm.to_vec()) } else { self.perm(v).cloned() };
            motion(self.view, reader, &perm_of).is_some()
        };
        !moves(both) && moves(before)
    }

    fn count_wanted(&mut self) {
        for step in 0..self.steps.len() {
            let Some(op) = self.steps.get(step).and_then(|step| self.view.op(step.op)) else { continue };
            for &output in op.outputs() {
                let Some(value) = self.view.value(output).filter(|_| self.perm(output).is_some()) else {
                    continue;
                };
                let readers = value.uses().iter().filter(|u| self.step(u.0).is_none()).count();
                self.want(output, (readers as u32).saturating_add(value.pins()));
            }
        }
    }

    /// Whether an active step reads `value` in its form before the transpose.
    fn is_taken_up(&self, value: ValueId) -> bool {
        let uses = self.view.value(value).map(|v| v.uses());
        uses.into_iter().flatten().any(|u| self.step(u.0).is_some_and(|step| step.active))
    }

    fn let_stay(&mut self) {
        for index in (0..self.steps.len()).rev() {
            let Some(step) = self.steps.get(index) else { continue };
            let Some(op) = self.view.op(step.op).filter(|_| matches!(step.kind, Kind::Move | Kind::Swap))
            else {
                continue;
            };
            let Some((moved, ends)) = self.cost_moved(op) else { continue };
            let mut inputs: Vec<ValueId> =
                op.inputs().iter().flatten().copied().filter(|&v| self.perm(v).is_some()).collect();
            inputs.sort_unstable();
            inputs.dedup();
            let stayed = ends.len() + inputs.iter().filter(|&&v| self.wanted(v) == 0).count();
            if moved <= stayed {
                continue;
            }
            for end in ends.into_iter().chain([index]) {
                if let Some(step) = self.steps.get_mut(end) {
                    step.active = false;
                }
                let outputs =
                    self.steps.get(end).and_then(|step| self.view.op(step.op)).map(|op| op.outputs());
                for &output in outputs.into_iter().flatten() {
                    self.set_perm(output, None);
                }
            }
            inputs.into_iter().for_each(|v| self.want(v, 1));
        }
    }

    /// How many transposes the results of `op` need if it moves, and the merging transposes that read them and lead
    /// no further. Nothing if its results are taken up by operators that move on: then it is not the last.
    fn cost_moved(&self, op: &Operator) -> Option<(usize, Vec<usize>)> {
        let (mut cost, mut ends) = (0, Vec::new());
        for &output in op.outputs() {
            cost += usize::from(self.perm(output).is_some() && self.wanted(output) > 0);
            for &(reader, _) in self.view.value(output)?.uses() {
                let Some(step) = self.step(reader).filter(|step| step.active) else { continue };
                if step.kind != Kind::Merge {
                    return None;
                }
                let merged = *self.view.op(reader)?.outputs().first()?;
                if self.perm(merged).is_some() && self.is_taken_up(merged) {
                    return None;
                }
                cost += usize::from(self.perm(merged).is_some() && self.wanted(merged) > 0);
                ends.push(self.step_index(reader)?);
            }
        }
        Some((cost, ends))
    }

    /// The steps of those connected parts that leave fewer transposes than they find, or as many if that brings an
    /// operator next to the one that computes the tensor before a transpose, so that the two may be fused.
    fn accepted(&self) -> Vec<(OpId, Kind)> {
        let mut parts = Parts::new(self.perm_of.len());
        let active = || self.steps.iter().filter(|step| step.active);
        let tensors = |op: &Operator| -> Vec<usize> {
            let all = op.inputs().iter().flatten().chain(op.outputs());
            all.filter(|&&v| self.perm(v).is_some()).map(|v| v.index()).collect()
        };
        for op in active().filter_map(|step| self.view.op(step.op)) {
            tensors(op).windows(2).for_each(|pair| parts.join(pair[0], pair[1]));
        }
        let mut found = vec![0u32; self.perm_of.len()];
        let mut left = vec![0u32; self.perm_of.len()];
        let mut moves = vec![false; self.perm_of.len()];
        let mut meets = vec![false; self.perm_of.len()];
        let mut part_of = Vec::with_capacity(self.steps.len());
        for step in active() {
            let Some(op) = self.view.op(step.op) else { continue };
            let Some(part) = tensors(op).first().map(|&v| parts.find(v)) else { continue };
            part_of.push((step, part));
            found[part] += u32::from(step.kind != Kind::Move);
            left[part] += u32::from(step.kind == Kind::Swap);
            moves[part] |= step.kind == Kind::Move;
            meets[part] |=
                step.kind == Kind::Start && op.input(0).is_some_and(|v| self.view.def(v).is_some());
            for &output in op.outputs() {
                left[part] += u32::from(self.perm(output).is_some() && self.wanted(output) > 0);
            }
        }
        let accepted = |&&(step, part): &&(&Step, usize)| {
            let pays = left[part] < found[part] || (left[part] == found[part] && meets[part]);
            moves[part] && pays && step.kind != Kind::Start
        };
        part_of.iter().filter(accepted).map(|(step, _)| (step.op, step.kind)).collect()
    }
}

/// Sets that are joined.
struct Parts {
    parent: Vec<usize>,
}

impl Parts {
    fn new(size: usize) -> Self {
        Self { parent: (0..size).collect() }
    }
    fn find(&mut self, mut of: usize) -> usize {
        while self.parent[of] != of {
            self.parent[of] = self.parent[self.parent[of]];
            of = self.parent[of];
        }
        of
    }
    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b)] = a.min(b);
    }
}
