//! Which original layers a block belongs to, in the memory allocation form.
//!
//! Layers are original operators, by their ids in the lineage. What was inferred is a layer of its own, so that it is
//! never added to what was carried through. A tensor that no operator writes, such as an input, belongs to the tensor of
//! the origin file that it is. Ids of both follow above those of the operators.

use std::collections::{BTreeMap, BTreeSet};

use circle_ir::lineage::claims::Claim;
use circle_ir::lineage::history::REBASE;
use circle_ir::lineage::{Store, origin};
use circle_ir::{OriginId, TensorOriginId};
use circle_memory::form;

/// A layer that some block belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Layer {
    Operator(OriginId),
    Tensor(TensorOriginId),
    Inferred(OriginId),
}

/// The layers that blocks belong to, as they are met.
pub(crate) struct Origins<'a> {
    known: &'a origin::Origins,
    /// Whether tensors were matched by comparison, too: whatever a rebase leaves is.
    rebased: bool,
    /// How many operators bear a name; of a name that is borne once, the name alone is enough.
    borne: BTreeMap<&'a str, u32>,
    met: BTreeSet<Layer>,
}

impl<'a> Origins<'a> {
    pub(crate) fn new(store: &'a Store) -> Self {
        let known = &store.origins;
        let mut borne = BTreeMap::new();
        for origin in known.operators.values() {
            *borne.entry(&*origin.name).or_insert(0) += 1;
        }
        let rebased = store.passes.iter().any(|pass| pass.starts_with(REBASE));
        Self { known, rebased, borne, met: BTreeSet::new() }
    }

    /// The ids of the layers that are claimed, ascending.
    pub(crate) fn of<'c>(&mut self, claims: impl Iterator<Item = &'c Claim>) -> Vec<u32> {
        let layers: BTreeSet<Layer> = claims
            .map(|claim| match claim.role.is_carried() {
                true => Layer::Operator(claim.origin),
                false => Layer::Inferred(claim.origin),
            })
            .collect();
        self.meet(layers)
    }

    /// The ids of tensors of the origin files.
    pub(crate) fn of_tensors(&mut self, tensors: &[TensorOriginId]) -> Vec<u32> {
        self.meet(tensors.iter().copied().map(Layer::Tensor).collect())
    }

    fn meet(&mut self, layers: BTreeSet<Layer>) -> Vec<u32> {
        let numbers = layers.iter().filter_map(|&layer| self.number(layer)).collect();
        self.met.extend(layers);
        numbers
    }

    /// The id in the form; none where 32 bits do not hold it.
    fn number(&self, layer: Layer) -> Option<u32> {
        let above = || match self.known.operators.keys().next_back() {
            Some(last) => last.number().checked_add(1),
            None => Some(0),
        };
        match layer {
            Layer::Operator(id) => Some(id.number()),
            Layer::Tensor(id) => above()?.checked_add(id.number()),
            Layer::Inferred(id) => {
                above()?.checked_add(u32::try_from(self.known.tensors.len()).ok()?)?.checked_add(id.number())
            }
        }
    }

    /// All layers that were met.
    pub(crate) fn list(&self) -> Vec<form::Origin> {
        self.met.iter().filter_map(|&layer| self.described(layer)).collect()
    }

    fn described(&self, layer: Layer) -> Option<form::Origin> {
        let number = self.number(layer)?;
        let (Layer::Operator(id) | Layer::Inferred(id)) = layer else {
            let Layer::Tensor(id) = layer else { return None };
            let tensor = self.known.tensor(id)?;
            return Some(form::Origin {
                id: number,
                name: tensor.name.to_string(),
                file: tensor.file.map(|file| file.number()),
                subgraph: Some(tensor.subgraph),
                inferred: self.rebased,
                ..form::Origin::default()
            });
        };
        let origin = self.known.operator(id)?;
        let several =
            !origin.name.is_empty() && self.borne.get(&*origin.name).is_some_and(|&count| count > 1);
        let name = match origin.operator.filter(|_| several) {
            Some(operator) => {
                format!("{} (operator {operator} of subgraph {})", origin.name, origin.subgraph)
            }
            None => origin.name.to_string(),
        };
        Some(form::Origin {
            id: number,
            name,
            file: origin.file.map(|file| file.number()),
            subgraph: Some(origin.subgraph),
            operator: origin.operator,
            opcode: Some(origin.opcode.to_string()).filter(|opcode| !opcode.is_empty()),
            inferred: matches!(layer, Layer::Inferred(_)),
        })
    }
}
