//! A plan as TensorFlow Lite Micro's `OfflineMemoryAllocation`, and back.

use std::fmt;

use circle_ir::{Model, SubgraphId};
use circle_metadata::offline_memory::{OfflineMemory, VERSION};

use crate::fixed::{self, Misfit, Overlaps};
use crate::lifetimes::{Liveness, Options, What, lifetimes};
use crate::names::Numbers;
use crate::plan::{Arena, bases};

/// Why a plan cannot be written so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OfflineError {
    /// The model has several subgraphs.
    Subgraphs(usize),
    /// An offset exceeds the format's 31 bits.
    Offset {
        /// Number of the tensor.
        tensor: u32,
        /// Its offset.
        offset: u64,
    },
    /// Tensors run around a ring.
    Ring,
}

impl fmt::Display for OfflineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Subgraphs(count) => write!(
                f,
                "the model has {count} subgraphs, and the runtime takes a list of offsets for models of one only"
            ),
            Self::Offset { tensor, offset } => {
                write!(f, "tensor {tensor}: offset {offset}, the most is {}", i32::MAX)
            }
            Self::Ring => f.write_str(RING),
        }
    }
}

impl std::error::Error for OfflineError {}

/// Why no runtime that reads offsets can be told of a ring.
pub(crate) const RING: &str =
    "tensors run around a ring, and their runtime takes each in one piece, with memory of its own";

/// Where each tensor lies; several arenas lie behind one another. The runtime places constants, variables and scratch
/// memory itself.
///
/// # Errors
/// When the model has several subgraphs, an offset is too large, or tensors run around a ring.
pub fn to_offline(
    model: &Model,
    liveness: &Liveness,
    arenas: &[Arena],
) -> Result<OfflineMemory, OfflineError> {
    let mut subgraphs = model.subgraphs();
    let (Some((_, sg)), None) = (subgraphs.next(), subgraphs.next()) else {
        return Err(OfflineError::Subgraphs(model.subgraphs().count()));
    };
    if has_rings(liveness, arenas) {
        return Err(OfflineError::Ring);
    }
    let numbers = Numbers::new(sg);
    let mut offsets = vec![None; sg.value_count()];
    for (item, _, offset) in placed(liveness, arenas) {
        use circle_memory::Kind::{Constant, Variable};
        let What::Tensor(v) = item.what else { continue };
        if matches!(item.kind, Constant | Variable) {
            continue;
        }
        let tensor = numbers.value(v);
        let fitting = i32::try_from(offset).ok().and_then(|offset| u32::try_from(offset).ok());
        let Some(fitting) = fitting else { return Err(OfflineError::Offset { tensor, offset }) };
        if let Some(slot) = offsets.get_mut(tensor as usize) {
            *slot = Some(fitting);
        }
    }
    Ok(OfflineMemory { version: VERSION, subgraph: 0, offsets })
}

/// Bytes of which the address of every buffer that TensorFlow Lite Micro places itself is a multiple, for the sake of vector
/// instructions. Offsets that a list gives it takes as they are.
pub const ALIGNMENT: u64 = 16;

/// A tensor whose offset is no multiple of what it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misaligned {
    /// Number of the tensor in its subgraph.
    pub tensor: u32,
    /// Its offset in bytes.
    pub offset: u64,
    /// Bytes of one of its elements, where the offset is not even a multiple of these: then no kernel reads it as it should.
    pub element: Option<u64>,
}

impl fmt::Display for Misaligned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tensor, offset, element } = self;
        match element {
            Some(bytes) => {
                write!(
                    f,
                    "tensor {tensor}: offset {offset} is no multiple of the {bytes} bytes of its elements"
                )
            }
            None => write!(
                f,
                "tensor {tensor}: offset {offset} is no multiple of {ALIGNMENT}, as those that the runtime gives are"
            ),
        }
    }
}

/// The tensors whose offsets are no multiples of [`ALIGNMENT`], in the order of their numbers; none where the plan is not of
/// the model.
pub fn misaligned(model: &Model, plan: &OfflineMemory) -> Vec<Misaligned> {
    let Some(sg) = model.subgraph(subgraph(model, plan)) else { return Vec::new() };
    if sg.value_count() != plan.offsets.len() {
        return Vec::new();
    }
    let numbers = Numbers::new(sg);
    let mut found: Vec<Misaligned> = sg
        .values()
        .filter_map(|(id, value)| {
            let tensor = numbers.value(id);
            let offset = u64::from((*plan.offsets.get(tensor as usize)?)?);
            let split = |bytes: &u64| !offset.is_multiple_of(*bytes);
            split(&ALIGNMENT).then(|| Misaligned {
                tensor,
                offset,
                element: value.ty().bytes().filter(split),
            })
        })
        .collect();
    found.sort_unstable_by_key(|misaligned| misaligned.tensor);
    found
}

/// Whether anything in the arenas runs around a ring.
pub(crate) fn has_rings(liveness: &Liveness, arenas: &[Arena]) -> bool {
    let mut units = arenas.iter().flat_map(|arena| &arena.units).filter_map(|&u| liveness.units.get(u));
    units.any(crate::Unit::is_ring)
}

/// Items with the number of their arena and their offset, counted from the start of the first arena.
pub(crate) fn placed<'a>(
    liveness: &'a Liveness,
    arenas: &'a [Arena],
) -> impl Iterator<Item = (&'a crate::Item, usize, u64)> + 'a {
    arenas.iter().zip(bases(arenas)).enumerate().flat_map(move |(number, (arena, base))| {
        let units = arena.units.iter().zip(&arena.offsets);
        units.flat_map(move |(&unit, &offset)| {
            let members = liveness.units.get(unit).map_or(&[][..], |unit| &unit.members);
            let items = members.iter().filter_map(|&item| liveness.items.get(item));
            items.map(move |item| (item, number, base.saturating_add(offset)))
        })
    })
}

/// The subgraph that a plan is of. The runtime does not look at that word of the list, and some take it for the number of
/// subgraphs: in a model of one subgraph it is of that one, whatever stands there.
fn subgraph(model: &Model, plan: &OfflineMemory) -> SubgraphId {
    let mut all = model.subgraphs().map(|(id, _)| id);
    match (all.next(), all.next()) {
        (Some(only), None) => only,
        _ => SubgraphId::from_number(plan.subgraph),
    }
}

/// The plan with the lifetimes of the model, if it fits.
///
/// # Errors
/// When it is that of another number of tensors, or tensors that live at one tick overlap.
pub fn from_offline(model: &Model, plan: &OfflineMemory) -> Result<(Liveness, Arena), Misfit> {
    offline_as_it_is(model, plan).and_then(fixed::sound)
}

/// A plan as [`offline_as_it_is`] reads it, and what overlaps in it.
pub type AsItIs = ((Liveness, Arena), Option<Overlaps>);

/// The same for a plan that may have faults: tensors that live at one tick may overlap, which is told.
///
/// # Errors
/// When it is that of another number of tensors.
pub fn offline_as_it_is(model: &Model, plan: &OfflineMemory) -> Result<AsItIs, Misfit> {
    let id = subgraph(model, plan);
    let Some(sg) = model.subgraph(id) else {
        return Err(Misfit::Other(format!(
            "the plan is of subgraph {}, which does not exist",
            plan.subgraph
        )));
    };
    if sg.value_count() != plan.offsets.len() {
        let (planned, there) = (plan.offsets.len(), sg.value_count());
        return Err(Misfit::Other(format!("the plan is of {planned} tensors, the subgraph has {there}")));
    }
    let options = Options { inplace: true, stated: true, ..Options::default() };
    let mut liveness = lifetimes(model, &options).map_err(Misfit::Lifetimes)?;
    let numbers = Numbers::new(sg);
    let offsets: Vec<Option<u64>> = liveness
        .items
        .iter()
        .map(|item| match item.what {
            What::Tensor(v) if item.subgraph == id => {
                plan.offsets.get(numbers.value(v) as usize).copied().flatten().map(u64::from)
            }
            _ => None,
        })
        .collect();
    let planner = circle_metadata::offline_memory::KEY;
    let place_of = |item: usize| Some((0, offsets.get(item).copied().flatten()?));
    let (mut arenas, overlaps) = fixed::arenas(model, &mut liveness, true, &["arena"], planner, place_of)?;
    let arena = arenas.pop().ok_or_else(|| Misfit::Other("the plan has no arena".into()))?;
    Ok(((liveness, arena), overlaps))
}
