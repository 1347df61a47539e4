//! The elementary changes of a subgraph: operators out and in, readers from one tensor to another. Definitions, uses
//! and pins are kept in step here and nowhere else.

use crate::entity::{OpId, ValueId};
use crate::lineage::Lineage;
use crate::lineage::annotation::Note;
use crate::operator::{OpSpec, Operator};
use crate::subgraph::Subgraph;

impl Subgraph {
    /// Takes an operator out of the graph.
    pub(super) fn detach(&mut self, id: OpId) -> Option<Operator> {
        let op = self.operators.remove(id)?;
        self.order.remove(id);
        for (slot, v) in op.inputs.iter().enumerate() {
            if let Some(value) = v.and_then(|v| self.values.get_mut(v)) {
                value.uses.remove(&(id, slot as u32));
            }
        }
        for v in &op.outputs {
            if let Some(value) = self.values.get_mut(*v).filter(|value| value.def.is_some_and(|d| d.0 == id))
            {
                value.def = None;
            }
        }
        for v in op.intermediates.iter().flatten() {
            if let Some(value) = self.values.get_mut(*v) {
                value.pins = value.pins.saturating_sub(1);
            }
        }
        Some(op)
    }

    /// Puts an operator, already in the order, into the graph.
    pub(super) fn attach(&mut self, id: OpId, spec: OpSpec, lineage: Lineage, notes: Vec<Note>) {
        for (slot, v) in spec.inputs.iter().enumerate() {
            if let Some(value) = v.and_then(|v| self.values.get_mut(v)) {
                value.uses.insert((id, slot as u32));
            }
        }
        for (port, v) in spec.outputs.iter().enumerate() {
            if let Some(value) = self.values.get_mut(*v) {
                value.def = Some((id, port as u32));
            }
        }
        for v in spec.intermediates.iter().flatten() {
            if let Some(value) = self.values.get_mut(*v) {
                value.pins += 1;
            }
        }
        let OpSpec { code, options, extra, inputs, outputs, intermediates } = spec;
        let pushed = self.operators.push(Operator {
            code,
            options,
            extra,
            inputs,
            outputs,
            intermediates,
            lineage,
            notes,
        });
        debug_assert_eq!(pushed, id, "operator numbers are given in order");
    }

    /// Moves the readers of `from` to `to`; or, where `from` is known outside, lets the producer of `to` write
    /// `from`. Returns the tensor that stays and the one that nobody reads any more.
    pub(super) fn forward(&mut self, from: ValueId, to: ValueId) -> (ValueId, ValueId) {
        let pinned = self.values.get(from).is_some_and(|v| v.pins > 0);
        let (gone, stays) = if pinned { (to, from) } else { (from, to) };
        let moved = self.values.get_mut(gone).map(|v| std::mem::take(&mut v.uses)).unwrap_or_default();
        for &(op, slot) in &moved {
            if let Some(input) = self.operators.get_mut(op).and_then(|o| o.inputs.get_mut(slot as usize)) {
                *input = Some(stays);
            }
        }
        if pinned {
            let def = self.values.get_mut(gone).and_then(|v| v.def.take());
            if let Some((op, port)) = def
                && let Some(output) =
                    self.operators.get_mut(op).and_then(|o| o.outputs.get_mut(port as usize))
            {
                *output = stays;
            }
            if let Some(value) = self.values.get_mut(stays) {
                value.def = def;
            }
        }
        if let Some(value) = self.values.get_mut(stays) {
            value.uses.extend(moved.iter().copied());
        }
        (stays, gone)
    }

    /// Lets an operator read `to` and returns what it read before.
    pub(super) fn reread(&mut self, op: OpId, slot: u32, to: ValueId) -> Option<ValueId> {
        let input = self.operators.get_mut(op).and_then(|o| o.inputs.get_mut(slot as usize));
        let old = input.and_then(|input| input.replace(to))?;
        if let Some(value) = self.values.get_mut(old) {
            value.uses.remove(&(op, slot));
        }
        if let Some(value) = self.values.get_mut(to) {
            value.uses.insert((op, slot));
        }
        Some(old)
    }
}
