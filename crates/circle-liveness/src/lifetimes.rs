//! When each tensor lives.
//!
//! | tensor | alive |
//! |---|---|
//! | input of the model | from the start, until the last operator that reads it has run |
//! | computed by an operator | from the start of that operator until the last that reads it has run; if none does, while its operator runs |
//! | output of the model | until the end |
//! | input and output of a body | likewise, with start and end of the body |
//! | constant, variable | always |
//! | scratch memory | while its operator runs |
//!
//! An operator that calls bodies runs until the last of them ends, so what it reads and what it computes is alive with
//! all that lives in them: loops carry their values in the tensors that they compute. Ticks are those of the
//! `timeline`: all operators one after another, those of bodies behind their callers.
//!
//! Tensors that nothing refers to, those without bytes, and those that only carry quantization for an operator
//! (its intermediates) take no memory.

use std::collections::{BTreeMap, HashSet};

use circle_ir::{BufferId, Entity, Model, OpId, Subgraph, SubgraphId, Value, ValueId};
use circle_memory::{Kind, SpaceReason};

use crate::error::{LivenessError, MOST_LISTED, Place, SizeFault};
use crate::inplace::{self, PlaceOf, Shared, Wanted};
use crate::names::{Numbers, tensor_place};
use crate::scratch::{self, Platform};
use crate::size;
use crate::timeline::{Course, Timeline};

/// Names of more ticks are not kept, nor of more bytes: bodies that are called often would repeat theirs without end.
const MOST_NAMES: usize = 1 << 20;
const MOST_NAME_BYTES: usize = 16 << 20;

/// What takes part in a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whether the inputs of the model lie in the planned memory.
    pub inputs: bool,
    /// Whether constants do.
    pub constants: bool,
    /// Whether variables do.
    pub variables: bool,
    /// Whose kernels ask for scratch memory; none where it is not known.
    pub platform: Option<Platform>,
    /// Whether operators may write their output over an input that nobody needs any more.
    pub inplace: bool,
    /// Whether operators that go through their input from its first byte to its last may write around a ring, behind what
    /// they still have to read; tensors then begin at multiples of so many bytes. Only for kernels that do so.
    pub rings: Option<u64>,
    /// Whether outputs of the model are to lie in a memory of their own, so that nothing else takes their place.
    pub apart: bool,
    /// Whether tensors with open dimensions are taken in the shape that the file states; they are refused otherwise.
    pub stated: bool,
}

impl Default for Options {
    /// Inputs and variables, no constants, no scratch memory, nothing in place.
    fn default() -> Self {
        Self {
            inputs: true,
            constants: false,
            variables: true,
            platform: None,
            inplace: false,
            rings: None,
            apart: false,
            stated: false,
        }
    }
}

/// What lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A tensor.
    Tensor(ValueId),
    /// Scratch memory of an operator, and which of its pieces.
    Scratch(OpId, u32),
}

/// Something that takes memory, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The subgraph it belongs to.
    pub subgraph: SubgraphId,
    /// What it is.
    pub what: What,
    /// What kind of thing that is.
    pub kind: Kind,
    /// Its size in bytes, more than 0.
    pub size: u64,
    /// First tick at which it is alive.
    pub from: u64,
    /// First tick at which it no longer is.
    pub till: u64,
    /// Whether it is needed after the last tick.
    pub stays: bool,
}

/// Items that share one piece of memory; mostly a single one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unit {
    /// Positions in [`Liveness::items`], in the order in which they live.
    pub members: Vec<usize>,
    /// Where each begins, in bytes from the begin of the unit. In a ring, what reaches beyond the end of the unit goes on at
    /// its begin.
    pub starts: Vec<u64>,
    /// Bytes of the largest, or of the ring.
    pub size: u64,
    /// First tick at which one is alive.
    pub from: u64,
    /// First tick at which none is any more.
    pub till: u64,
    /// Why there are several.
    pub reason: Option<SpaceReason>,
    /// Its name in problems and messages, where it is of no model.
    pub id: Option<String>,
    /// Its offset is a multiple of so many bytes, where that is not what the settings say.
    pub alignment: Option<u64>,
}

/// The lifetimes of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Liveness {
    /// All that takes memory: by subgraph, tensors by number, then scratch memory by operator.
    pub items: Vec<Item>,
    /// How it shares memory: each item is in one unit.
    pub units: Vec<Unit>,
    /// How many ticks there are, at least 1.
    pub ticks: u64,
    /// What runs at each tick, from the first on; of very long timelines, of the first million.
    pub tick_names: Vec<String>,
}

/// The lifetimes of a model in the order in which its operators stand.
///
/// # Errors
/// When a tensor that needs memory has no known size, scratch memory is of unknown size, or calls of subgraphs lead
/// nowhere or around.
pub fn lifetimes(model: &Model, options: &Options) -> Result<Liveness, LivenessError> {
    let timeline = Timeline::new(model)?;
    let numbers = Numbers::of(model);
    let mut collected = Collected { model, options, items: Vec::new(), faults: Vec::new(), more: 0 };
    let mut shared = Vec::new();
    for (((id, sg), course), numbers) in model.subgraphs().zip(&timeline.courses).zip(&numbers) {
        let of_value = collected.tensors(id, sg, course, numbers, timeline.ticks);
        if collected.faults.is_empty() {
            collected.scratch(id, sg, course)?;
        }
        if options.inplace {
            let wanted =
                Wanted { apart: options.apart, rings: options.rings, over_inputs: false, places: None };
            inplace::chains(sg, &collected.items, &of_value, &wanted, &mut shared);
        }
    }
    if !collected.faults.is_empty() {
        return Err(LivenessError::Sizes { faults: collected.faults, more: collected.more });
    }
    let items = collected.items;
    shared.extend(same_constants(model, &items));
    let units = units(&items, shared);
    let tick_names = timeline.names(model, &numbers, MOST_NAMES, MOST_NAME_BYTES);
    Ok(Liveness { items, units, ticks: timeline.ticks, tick_names })
}

/// Groups items anew by the places that a plan gives them: what lies in one place shares it wherever an operator may write
/// its output over that input, and not only where our planners would choose so.
pub(crate) fn regroup(model: &Model, liveness: &mut Liveness, over_inputs: bool, place_of: &PlaceOf<'_>) {
    let items = &liveness.items;
    let mut shared = Vec::new();
    let wanted = Wanted { apart: false, rings: None, over_inputs, places: Some(place_of) };
    let mut by_subgraph: BTreeMap<SubgraphId, Vec<(ValueId, usize)>> = BTreeMap::new();
    for (index, item) in items.iter().enumerate() {
        if let What::Tensor(v) = item.what {
            by_subgraph.entry(item.subgraph).or_default().push((v, index));
        }
    }
    for (id, tensors) in by_subgraph {
        let Some(sg) = model.subgraph(id) else { continue };
        let mut of_value = vec![None; sg.next_value().index()];
        for (v, index) in tensors {
            if let Some(slot) = of_value.get_mut(v.index()) {
                *slot = Some(index);
            }
        }
        inplace::chains(sg, items, &of_value, &wanted, &mut shared);
    }
    shared.extend(same_constants(model, items));
    liveness.units = units(items, shared);
}

struct Collected<'a> {
    model: &'a Model,
    options: &'a Options,
    items: Vec<Item>,
    faults: Vec<(Place, SizeFault)>,
    more: usize,
}

impl Collected<'_> {
    /// Items of the tensors of a subgraph; which item each tensor has, by identity.
    fn tensors(
        &mut self,
        id: SubgraphId,
        sg: &Subgraph,
        course: &Course,
        numbers: &Numbers,
        ticks: u64,
    ) -> Vec<Option<usize>> {
        let inputs: HashSet<ValueId> = sg.inputs().iter().copied().collect();
        let outputs: HashSet<ValueId> = sg.outputs().iter().copied().collect();
        let mut of_value = vec![None; sg.next_value().index()];
        for (v, value) in sg.values() {
            let (is_input, is_output) = (inputs.contains(&v), outputs.contains(&v));
            let kind = kind(self.model, value, course.entry, is_input, is_output);
            let wanted = match kind {
                Kind::Input => self.options.inputs,
                Kind::Constant => self.options.constants,
                Kind::Variable => self.options.variables,
                _ => true,
            };
            let needed = is_input || is_output || value.def().is_some() || !value.uses().is_empty();
            if !wanted || !needed {
                continue;
            }
            let size = match kind {
                // What is stored may be sparse or compressed.
                Kind::Constant => Ok(self.model.buffer(value.buffer()).map_or(0, circle_ir::Buffer::len)),
                _ if self.options.stated => size::stated(value),
                _ => size::bytes(value),
            };
            let size = match size {
                Ok(0) => continue,
                Ok(size) => size,
                Err(fault) => {
                    let place = tensor_place(id, sg, numbers.value(v), value.name());
                    match self.faults.len() < MOST_LISTED {
                        true => self.faults.push((place, fault)),
                        false => self.more += 1,
                    }
                    continue;
                }
            };
            let (from, till) = match kind {
                Kind::Constant | Kind::Variable => (0, ticks),
                _ => {
                    let (from, till) = local(value, course, numbers, is_output);
                    (course.first + from, course.last + till)
                }
            };
            let stays = matches!(kind, Kind::Constant | Kind::Variable) || (is_output && course.entry);
            if let Some(slot) = of_value.get_mut(v.index()) {
                *slot = Some(self.items.len());
            }
            self.items.push(Item { subgraph: id, what: What::Tensor(v), kind, size, from, till, stays });
        }
        of_value
    }

    fn scratch(&mut self, id: SubgraphId, sg: &Subgraph, course: &Course) -> Result<(), LivenessError> {
        let Some(platform) = self.options.platform else { return Ok(()) };
        for ((position, (op, operator)), span) in (0..).zip(sg.operators()).zip(&course.spans) {
            let sizes = scratch::sizes(platform, sg, operator).map_err(|text| LivenessError::Scratch {
                place: crate::names::operator_place(id, sg, position, operator),
                text,
            })?;
            for (number, size) in (0..).zip(sizes).filter(|&(_, size)| size > 0) {
                self.items.push(Item {
                    subgraph: id,
                    what: What::Scratch(op, number),
                    kind: Kind::Scratch,
                    size,
                    from: course.first + span.start,
                    till: course.last + span.end,
                    stays: false,
                });
            }
        }
        Ok(())
    }
}

/// What a tensor is. Inputs and outputs are those of the model; those of bodies are tensors as others.
fn kind(model: &Model, value: &Value, entry: bool, is_input: bool, is_output: bool) -> Kind {
    let held = || model.buffer(value.buffer()).is_some_and(|buffer| !buffer.is_empty());
    if value.is_variable() {
        Kind::Variable
    } else if is_input {
        if entry { Kind::Input } else { Kind::Activation }
    } else if value.def().is_none() && held() {
        Kind::Constant
    } else if is_output && entry {
        Kind::Output
    } else {
        Kind::Activation
    }
}

/// From when to when a tensor lives, in ticks of its subgraph. A tensor that nothing computes is there from the start.
fn local(value: &Value, course: &Course, numbers: &Numbers, is_output: bool) -> (u64, u64) {
    let span = |op: OpId| course.spans.get(numbers.operator(op) as usize).copied().unwrap_or_default();
    let def = value.def().map(|(op, _)| span(op));
    let from = def.map_or(0, |def| def.start);
    let mut till = def.map_or(1, |def| def.end);
    till = value.uses().iter().map(|&(op, _)| span(op).end).fold(till, u64::max);
    (from, if is_output { course.length } else { till })
}

/// Constants that lie in one buffer of the file lie in one place of the memory.
fn same_constants(model: &Model, items: &[Item]) -> Vec<Shared> {
    let mut buffers: BTreeMap<BufferId, Vec<usize>> = BTreeMap::new();
    for (index, item) in items.iter().enumerate().filter(|(_, item)| item.kind == Kind::Constant) {
        let What::Tensor(v) = item.what else { continue };
        if let Some(buffer) = model.subgraph(item.subgraph).and_then(|sg| sg.buffer_of(v)) {
            buffers.entry(buffer).or_default().push(index);
        }
    }
    let lists = buffers.into_values().filter(|list| list.len() > 1);
    lists.map(|members| Shared::in_one_place(members, SpaceReason::Shared)).collect()
}

/// One unit for each list of items that share memory, and for each item that does not.
fn units(items: &[Item], shared: Vec<Shared>) -> Vec<Unit> {
    let mut taken = vec![false; items.len()];
    let mut units: Vec<Unit> = Vec::with_capacity(items.len());
    for &index in shared.iter().flat_map(|shared| &shared.members) {
        if let Some(taken) = taken.get_mut(index) {
            *taken = true;
        }
    }
    let single =
        taken.iter().enumerate().filter(|(_, taken)| !**taken).map(|(index, _)| Shared::alone(index));
    for Shared { members, reason, ring } in shared.into_iter().chain(single) {
        let of = || members.iter().filter_map(|&index| items.get(index));
        let largest = of().map(|item| item.size).max().unwrap_or(0);
        let (size, starts) = ring.unwrap_or_else(|| (largest, vec![0; members.len()]));
        units.push(Unit {
            starts,
            size,
            from: of().map(|item| item.from).min().unwrap_or(0),
            till: of().map(|item| item.till).max().unwrap_or(1),
            members,
            reason,
            ..Unit::default()
        });
    }
    units.sort_by_key(|unit| unit.members.first().copied());
    units
}

impl Unit {
    /// Whether tensors run around it, so that they begin at different places and may lie in two pieces.
    pub fn is_ring(&self) -> bool {
        self.reason == Some(SpaceReason::Wrapped)
    }
}
