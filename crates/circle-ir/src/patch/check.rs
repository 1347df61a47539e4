//! What must hold before a patch touches the graph. Nothing is changed when one of these fails.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

use foldhash::fast::RandomState;

use super::{Fate, MOST_ORIGINALS, Patch};
use crate::entity::{Entity, OpId, ValueId};
use crate::model::Model;
use crate::subgraph::Subgraph;

/// Why a patch was refused. The graph is as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatchError {
    /// The graph has changed since the patch was built.
    Stale,
    /// An operator the patch speaks of is not there.
    NoOperator(OpId),
    /// A tensor the patch speaks of is not there.
    NoValue(ValueId),
    /// Two operators would compute one tensor.
    TwoProducers(ValueId),
    /// A tensor would be read that nothing computes any more.
    Orphaned(ValueId),
    /// A tensor would be read before it is computed.
    Order {
        /// The tensor.
        value: ValueId,
        /// Its reader.
        reader: OpId,
    },
    /// Readers of the first tensor cannot read the second: type, shape or quantization differ, or the first is
    /// known by name outside the graph.
    NotAlike(ValueId, ValueId),
    /// A new operator without any operator it comes from.
    NoOrigin,
    /// The patch has no place: it erases nothing and names no anchor.
    NoPlace,
    /// It would take, or something would then stand for, more than [`MOST_ORIGINALS`]. No fault of the rule that made
    /// the patch.
    Full,
}

impl fmt::Display for PatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stale => f.write_str("the graph has changed since the patch was built"),
            Self::NoOperator(op) => write!(f, "{op} is not there"),
            Self::NoValue(v) => write!(f, "{v} is not there"),
            Self::TwoProducers(v) => write!(f, "{v} would be computed by two operators"),
            Self::Orphaned(v) => write!(f, "{v} would be read and computed by nothing"),
            Self::Order { value, reader } => {
                write!(f, "{value} would be read by {reader} before it is computed")
            }
            Self::NotAlike(from, to) => write!(f, "readers of {from} cannot read {to}"),
            Self::NoOrigin => f.write_str("a new operator comes from no operator"),
            Self::NoPlace => f.write_str("nothing is erased and no place is named"),
            Self::Full => write!(f, "something would stand for more than {MOST_ORIGINALS} originals"),
        }
    }
}

impl std::error::Error for PatchError {}

/// When a tensor is computed: before everything (graph inputs, constants), by an operator that stays, or by new
/// operator number n of the patch.
#[derive(Clone, Copy)]
enum Born {
    Always,
    Old(OpId),
    New(usize),
}

impl Patch {
    /// The operator at whose place the new operators stand.
    pub(super) fn place(&self, sg: &Subgraph) -> Option<OpId> {
        self.anchor.or_else(|| {
            let mut erased = self.erased.keys().copied();
            let first = erased.next()?;
            Some(erased.fold(first, |last, op| if sg.order.is_before(last, op) { op } else { last }))
        })
    }

    pub(super) fn check(&self, model: &Model) -> Result<(), PatchError> {
        let sg = model.subgraph(self.subgraph).ok_or(PatchError::Stale)?;
        if sg.next_value() != self.first_new_value {
            return Err(PatchError::Stale);
        }
        self.check_operators(sg)?;
        let new_bound = self.first_new_value.index() + self.new_values.len();
        let known = |v: ValueId| {
            let new = v.index() >= self.first_new_value.index() && v.index() < new_bound;
            if new || sg.value(v).is_some() { Ok(()) } else { Err(PatchError::NoValue(v)) }
        };
        let place = self.place(sg);
        if !self.new_operators.is_empty() && place.is_none() {
            return Err(PatchError::NoPlace);
        }
        let mut born: HashMap<ValueId, usize, RandomState> = HashMap::default();
        for (index, op) in self.new_operators.iter().enumerate() {
            for &v in &op.spec.outputs {
                known(v)?;
                let taken = sg
                    .value(v)
                    .and_then(|value| value.def())
                    .is_some_and(|(d, _)| !self.erased.contains_key(&d));
                if taken || born.insert(v, index).is_some() {
                    return Err(PatchError::TwoProducers(v));
                }
            }
            op.spec.inputs.iter().flatten().try_for_each(|&v| known(v))?;
        }
        let forwards: BTreeMap<ValueId, ValueId> = self.forwards.iter().copied().collect();
        self.check_forwards(sg, &born)?;
        let is_constant = |v: ValueId| {
            let new =
                v.index().checked_sub(self.first_new_value.index()).and_then(|i| self.new_values.get(i));
            new.is_some_and(|n| n.data.is_some())
        };
        let birth = |v: ValueId| -> Result<Born, PatchError> {
            if let Some(&index) = born.get(&v) {
                return Ok(Born::New(index));
            }
            match sg.value(v) {
                Some(value) => match value.def() {
                    None => Ok(Born::Always),
                    Some((def, _)) if self.erased.contains_key(&def) => Err(PatchError::Orphaned(v)),
                    Some((def, _)) => Ok(Born::Old(def)),
                },
                None if is_constant(v) => Ok(Born::Always),
                None => Err(PatchError::Orphaned(v)),
            }
        };
        // What new operators read.
        for (index, op) in self.new_operators.iter().enumerate() {
            for &v in op.spec.inputs.iter().flatten() {
                let late = PatchError::Order {
                    value: v,
                    reader: OpId::new(sg.operator_bound() as u32 + index as u32),
                };
                match birth(v)? {
                    Born::Always => {}
                    Born::New(by) if by < index => {}
                    Born::Old(def) if place.is_some_and(|p| sg.order.is_before(def, p)) => {}
                    Born::New(_) | Born::Old(_) => return Err(late),
                }
            }
        }
        // What staying operators read: outputs that moved to a new producer or went away, and forwarded tensors.
        let mut touched: Vec<ValueId> =
            self.erased.keys().filter_map(|&op| sg.operator(op)).flat_map(|op| op.outputs.clone()).collect();
        touched.extend(born.keys().filter(|v| sg.value(**v).is_some()).copied());
        touched.extend(forwards.keys().copied());
        touched.sort_unstable();
        touched.dedup();
        for v in touched {
            let Some(value) = sg.value(v) else { return Err(PatchError::NoValue(v)) };
            let swapped = value.pins > 0 && forwards.contains_key(&v);
            let read = forwards.get(&v).copied().unwrap_or(v);
            let readers: Vec<OpId> =
                value.uses.iter().map(|u| u.0).filter(|op| !self.erased.contains_key(op)).collect();
            if readers.is_empty() && value.pins == 0 {
                continue;
            }
            let born = birth(read)?;
            if swapped && matches!(born, Born::Always) {
                return Err(PatchError::NotAlike(v, read));
            }
            for reader in readers {
                let fine = match born {
                    Born::Always => true,
                    Born::Old(def) => sg.order.is_before(def, reader),
                    Born::New(_) => place.is_some_and(|p| {
                        sg.order.is_before(p, reader) || (self.anchor == Some(p) && p == reader)
                    }),
                };
                if !fine {
                    return Err(PatchError::Order { value: read, reader });
                }
            }
        }
        for &(op, slot, to) in &self.reread {
            let old =
                sg.operator(op).and_then(|o| o.input(slot as usize)).ok_or(PatchError::NoOperator(op))?;
            known(to)?;
            if let Some(new) = sg.value(to) {
                let constant =
                    new.def.is_none() && sg.value(old).is_some_and(|o| o.def.is_none() && o.is_like(new));
                if !constant {
                    return Err(PatchError::NotAlike(old, to));
                }
            } else if !is_constant(to) {
                return Err(PatchError::Orphaned(to));
            }
        }
        if self.is_full(&model.store, sg) { Err(PatchError::Full) } else { Ok(()) }
    }

    fn check_operators(&self, sg: &Subgraph) -> Result<(), PatchError> {
        let there =
            |op: OpId| if sg.operator(op).is_some() { Ok(()) } else { Err(PatchError::NoOperator(op)) };
        for op in &self.new_operators {
            if op.from.is_empty() {
                return Err(PatchError::NoOrigin);
            }
            op.from.iter().try_for_each(|&(from, _)| there(from))?;
        }
        let carried: HashSet<OpId, RandomState> =
            self.new_operators.iter().flat_map(|op| op.from.iter().map(|f| f.0)).collect();
        for (&op, &fate) in &self.erased {
            there(op)?;
            match fate {
                Fate::Merged(winner) if self.erased.contains_key(&winner) => {
                    return Err(PatchError::NoOperator(winner));
                }
                Fate::Merged(winner) => there(winner)?,
                Fate::Succeeded if !carried.contains(&op) => return Err(PatchError::NoOrigin),
                Fate::Succeeded | Fate::Retired(_) => {}
            }
        }
        self.new_values.iter().flat_map(|v| &v.folded).try_for_each(|&op| there(op))?;
        self.anchor.map_or(Ok(()), there)
    }

    fn check_forwards(
        &self,
        sg: &Subgraph,
        born: &HashMap<ValueId, usize, RandomState>,
    ) -> Result<(), PatchError> {
        for &(from, to) in &self.forwards {
            let refused = Err(PatchError::NotAlike(from, to));
            let Some(old) = sg.value(from) else { return Err(PatchError::NoValue(from)) };
            let new_index = to.index().checked_sub(self.first_new_value.index());
            match (sg.value(to), new_index.and_then(|i| self.new_values.get(i))) {
                (Some(new), _) => {
                    let outside = old.pins > 0 && (!old.is_output() || new.pins > 0 || new.is_input());
                    if !old.is_like(new) || outside || from == to || born.contains_key(&from) {
                        return refused;
                    }
                }
                (None, Some(new)) => {
                    let like = new.spec.record.ints("shape") == old.shape()
                        && new.spec.record.int("type") == i64::from(old.ty().0);
                    if !like || old.pins > 0 {
                        return refused;
                    }
                }
                (None, None) => return Err(PatchError::NoValue(to)),
            }
            if old.is_input() {
                return refused;
            }
        }
        Ok(())
    }
}
