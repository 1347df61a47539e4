//! Which tensor of the earlier model a tensor of the present one holds, and how that was found.
//!
//! In this order, each only where those before found nothing:
//!
//! 1. the same name, which no other tensor has on either side, with the same type and as many elements; names of results
//!    that were given by counting do not count (`counted.rs`);
//! 2. one of several names joined by `;`, as converters and rewriters name what they fuse or bring into another form;
//! 3. operators that alone have a certain code and certain weights;
//! 4. operators that alone have a certain neighbourhood: codes, options, constants and, step by step outwards, those of
//!    their neighbours (colour refinement after Weisfeiler and Leman, with exact colours);
//! 5. outwards from what was found: the only operator of its kind that reads the same tensors; and what two operators
//!    read that were found to be one.

use std::collections::HashMap;

use circle_ir::SubgraphId;

use super::side::{Side, Tensor};
use super::{colours, counted};

/// How a relation was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strategy {
    /// By the name of a tensor.
    Name,
    /// By one of several names.
    NamePart,
    /// By the content of constants.
    Content,
    /// By the neighbourhood in the graph.
    Neighbourhood,
    /// By what the neighbours were found to be.
    Growth,
}

impl Strategy {
    /// All strategies, the most telling first.
    pub const ALL: [Self; 5] = [Self::Name, Self::NamePart, Self::Content, Self::Neighbourhood, Self::Growth];
    /// The name that users see.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::NamePart => "name-part",
            Self::Content => "content",
            Self::Neighbourhood => "neighbourhood",
            Self::Growth => "growth",
        }
    }
}

/// What was found.
#[derive(Debug)]
pub(super) struct Anchors {
    /// By tensor of the present model, the earlier tensor.
    pub(super) tensors: Vec<Option<(usize, Strategy)>>,
    /// By operator of the present model, the earlier operator that it is.
    pub(super) pairs: Vec<Option<(usize, Strategy)>>,
    /// By operator of the present model, how many earlier ones look just like it, where that is more than one.
    pub(super) alike: Vec<u32>,
}

/// More readers of one tensor than this are not looked through.
const READERS: usize = 64;
/// How often what was found is grown from.
const ROUNDS: usize = 8;

/// Whether two tensors can hold the same numbers, if perhaps in another order.
fn alike(now: &Tensor<'_>, earlier: &Tensor<'_>) -> bool {
    now.value.ty() == earlier.value.ty()
        && now.value.elements().is_some()
        && now.value.elements() == earlier.value.elements()
        && now.content.is_some() == earlier.content.is_some()
        && (now.content.is_none() || now.content == earlier.content)
        && now.producer.is_some() == earlier.producer.is_some()
}

type Names<'m> = HashMap<(SubgraphId, &'m str), Option<usize>>;

fn names<'m>(side: &Side<'m>) -> Names<'m> {
    let named = side.tensors.iter().enumerate().filter(|(_, tensor)| !tensor.value.name().is_empty());
    Side::unique(named.map(|(index, tensor)| ((tensor.subgraph, tensor.value.name()), index)))
}

/// Finds what can be found.
pub(super) fn find(now: &Side<'_>, earlier: &Side<'_>) -> Anchors {
    let mut anchors = Anchors {
        tensors: vec![None; now.tensors.len()],
        pairs: vec![None; now.ops.len()],
        alike: vec![0; now.ops.len()],
    };
    anchors.by_name(now, earlier);
    anchors.by_content(now, earlier);
    anchors.by_weights(now, earlier);
    anchors.grow(now, earlier);
    anchors.by_neighbourhood(now, earlier);
    anchors.grow(now, earlier);
    anchors
}

impl Anchors {
    fn tensor(&self, t: usize) -> Option<usize> {
        self.tensors.get(t).copied().flatten().map(|(earlier, _)| earlier)
    }

    fn set(&mut self, now: usize, earlier: usize, strategy: Strategy) -> bool {
        match self.tensors.get_mut(now) {
            Some(slot @ None) => {
                *slot = Some((earlier, strategy));
                true
            }
            _ => false,
        }
    }

    fn by_name(&mut self, now: &Side<'_>, earlier: &Side<'_>) {
        let (ours, theirs) = (names(now), names(earlier));
        let ends = now.tensors.iter().enumerate().filter(|(_, tensor)| tensor.input.is_some());
        let their_inputs = Side::unique(
            earlier.tensors.iter().enumerate().filter_map(|(i, t)| Some(((t.subgraph, t.input?), i))),
        );
        for (index, tensor) in ends {
            let key = tensor.input.map(|input| (tensor.subgraph, input));
            let there = key.and_then(|key| their_inputs.get(&key).copied().flatten());
            if let Some((there, found)) = there.and_then(|t| Some((t, earlier.tensors.get(t)?)))
                && alike(tensor, found)
            {
                self.set(index, there, Strategy::Name);
            }
        }
        let counted = counted::subgraphs(now);
        for (index, tensor) in now.tensors.iter().enumerate() {
            let key = (tensor.subgraph, tensor.value.name());
            if tensor.producer.is_some() && counted.contains(&tensor.subgraph) {
                continue;
            }
            if ours.get(&key).copied().flatten().is_none() {
                continue;
            }
            let fits = |there: &usize| earlier.tensors.get(*there).is_some_and(|t| alike(tensor, t));
            if let Some(there) = theirs.get(&key).copied().flatten().filter(fits) {
                self.set(index, there, Strategy::Name);
                continue;
            }
            if !key.1.contains(';') || tensor.producer.is_none() {
                continue;
            }
            let part = key
                .1
                .split(';')
                .find_map(|part| theirs.get(&(tensor.subgraph, part)).copied().flatten().filter(fits));
            if let Some(there) = part {
                self.set(index, there, Strategy::NamePart);
            }
        }
    }

    /// Constants that hold what only one earlier constant holds.
    fn by_content(&mut self, now: &Side<'_>, earlier: &Side<'_>) {
        let theirs = Side::unique(
            earlier.tensors.iter().enumerate().filter_map(|(i, t)| Some(((t.subgraph, t.content?), i))),
        );
        for (index, tensor) in now.tensors.iter().enumerate() {
            let key = tensor.content.map(|content| (tensor.subgraph, content));
            if let Some(there) = key.and_then(|key| theirs.get(&key).copied().flatten()) {
                self.set(index, there, Strategy::Content);
            }
        }
    }

    fn pair(&mut self, now: &Side<'_>, earlier: &Side<'_>, op: usize, there: usize, strategy: Strategy) {
        match self.pairs.get_mut(op) {
            Some(slot @ None) => *slot = Some((there, strategy)),
            _ => return,
        }
        let (Some(ours), Some(theirs)) = (now.ops.get(op), earlier.ops.get(there)) else { return };
        if ours.signature == theirs.signature {
            self.join(now, earlier, &ours.outputs, &theirs.outputs, strategy);
        }
        if ours.inputs.len() == theirs.inputs.len() {
            let pairs = ours.inputs.iter().zip(&theirs.inputs).filter_map(|(a, b)| Some(((*a)?, (*b)?)));
            let (a, b): (Vec<usize>, Vec<usize>) = pairs.unzip();
            self.join(now, earlier, &a, &b, Strategy::Growth);
        }
    }

    fn join(&mut self, now: &Side<'_>, earlier: &Side<'_>, a: &[usize], b: &[usize], strategy: Strategy) {
        for (&a, &b) in a.iter().zip(b) {
            if let (Some(ours), Some(theirs)) = (now.tensors.get(a), earlier.tensors.get(b))
                && alike(ours, theirs)
                && ours.value.shape() == theirs.value.shape()
            {
                self.set(a, b, strategy);
            }
        }
    }

    fn free(&self, now: &Side<'_>, op: usize) -> bool {
        let outputs = now.ops.get(op).map_or(&[][..], |op| &op.outputs);
        self.pairs.get(op).is_some_and(Option::is_none) && outputs.iter().all(|&t| self.tensor(t).is_none())
    }

    fn by_weights(&mut self, now: &Side<'_>, earlier: &Side<'_>) {
        let weights = |side: &Side<'_>| {
            let ops = side.ops.iter().enumerate();
            Side::unique(ops.filter_map(|(i, op)| Some(((op.subgraph, op.weights?), i))))
        };
        let (ours, theirs) = (weights(now), weights(earlier));
        for (index, op) in now.ops.iter().enumerate() {
            let key = op.weights.map(|weights| (op.subgraph, weights));
            let only = |map: &HashMap<_, Option<usize>>| key.and_then(|key| map.get(&key).copied().flatten());
            if let (Some(_), Some(there)) = (only(&ours), only(&theirs)) {
                self.pair(now, earlier, index, there, Strategy::Content);
            }
        }
    }

    fn by_neighbourhood(&mut self, now: &Side<'_>, earlier: &Side<'_>) {
        for (ours, theirs) in colours::refine(now, earlier).into_iter().rev() {
            let count = |colours: &[u32]| {
                let mut count: HashMap<u32, u32> = HashMap::new();
                colours.iter().for_each(|&colour| *count.entry(colour).or_default() += 1);
                count
            };
            let (our_count, their_count) = (count(&ours), count(&theirs));
            let place: HashMap<u32, usize> = theirs.iter().enumerate().map(|(i, &c)| (c, i)).collect();
            for (index, colour) in ours.iter().enumerate() {
                if !self.free(now, index) {
                    continue;
                }
                match (our_count.get(colour), their_count.get(colour), place.get(colour)) {
                    (Some(1), Some(1), Some(&there)) => {
                        self.pair(now, earlier, index, there, Strategy::Neighbourhood);
                    }
                    (_, Some(&many), _) if many > 1 => {
                        if let Some(slot @ 0) = self.alike.get_mut(index) {
                            *slot = many;
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// Goes on from what was found until nothing more is.
    fn grow(&mut self, now: &Side<'_>, earlier: &Side<'_>) {
        for _ in 0..ROUNDS {
            let mut changed = false;
            for op in 0..now.ops.len() {
                changed |= self.forward(now, earlier, op);
            }
            for op in (0..now.ops.len()).rev() {
                changed |= self.backward(now, earlier, op);
            }
            if !changed {
                return;
            }
        }
    }

    /// The only earlier operator with the same signature that reads the same tensors in the same slots.
    fn forward(&mut self, now: &Side<'_>, earlier: &Side<'_>, op: usize) -> bool {
        if !self.free(now, op) {
            return false;
        }
        let read: Option<Vec<(usize, usize)>> =
            now.variable_inputs(op).map(|(slot, t)| Some((slot, self.tensor(t)?))).collect();
        let Some(read) = read else { return false };
        let Some(ours) = now.ops.get(op) else { return false };
        let readers = |t: usize| earlier.tensors.get(t).map_or(&[][..], |tensor| &tensor.users);
        let Some(&(slot, least)) = read.iter().min_by_key(|(_, t)| readers(*t).len()) else { return false };
        if readers(least).len() > READERS {
            return false;
        }
        let same = |&&(candidate, at): &&(usize, u32)| {
            at as usize == slot
                && earlier.ops.get(candidate).is_some_and(|theirs| {
                    theirs.signature == ours.signature
                        && read.iter().all(|&(slot, t)| theirs.inputs.get(slot) == Some(&Some(t)))
                })
        };
        let found: Vec<usize> = readers(least).iter().filter(same).map(|&(op, _)| op).collect();
        match found.as_slice() {
            &[there] => {
                self.pair(now, earlier, op, there, Strategy::Growth);
                true
            }
            [] => false,
            several => {
                if let Some(slot) = self.alike.get_mut(op) {
                    *slot = several.len() as u32;
                }
                false
            }
        }
    }

    /// An operator whose results are anchored to those of one that looks just like it is that operator, and reads what
    /// that one reads.
    fn backward(&mut self, now: &Side<'_>, earlier: &Side<'_>, op: usize) -> bool {
        let Some(ours) = now.ops.get(op) else { return false };
        if self.pairs.get(op).is_none_or(Option::is_some) {
            return false;
        }
        let Some(&(anchor, strategy)) = ours.outputs.first().and_then(|&t| self.tensors.get(t)?.as_ref())
        else {
            return false;
        };
        let there = earlier.tensors.get(anchor).filter(|t| t.port == 0).and_then(|t| t.producer);
        let Some((there, theirs)) = there.and_then(|t| Some((t, earlier.ops.get(t)?))) else { return false };
        if theirs.signature != ours.signature {
            return false;
        }
        self.pair(now, earlier, op, there, strategy);
        true
    }
}
