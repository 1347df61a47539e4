//! A plan of a model in the memory allocation form, with the original layers that each block belongs to.

use std::collections::{BTreeMap, BTreeSet};

use circle_ir::{Model, OriginId, Subgraph, TensorOriginId, ValueId};
use circle_memory::form::{self, Memory};
use circle_memory::{
    ModelFile, OperatorRef, Producer, Segment, Space, SpaceReason, TensorRef, Tick, TickUnit,
};
use circle_metadata::hex;

use crate::lifetimes::{Item, Liveness, What};
use crate::names::{Numbers, operator_name};
use crate::plan::Arena;

/// The plan of a model, for drawing, checking and other tools. Each arena becomes a segment; blocks refer to tensors and
/// operators by their numbers in the file, and to the original layers that the model's lineage knows. The lower bound of
/// a segment stands in its `extra` as `lower_bound`.
///
/// Origins are operators, by the ids of the lineage; a tensor that no operator writes, such as an input, belongs to the
/// tensor of the origin file that it is, whose id follows above those of all operators.
pub fn to_memory(model: &Model, liveness: &Liveness, arenas: &[Arena], file: Option<ModelFile>) -> Memory {
    let last = model.store().origins.operators.keys().next_back();
    let mut made = Made {
        model,
        left: MOST_NAME_BYTES,
        numbers: Numbers::of(model),
        origins: BTreeSet::new(),
        first_tensor: last.map_or(Some(0), |id| id.number().checked_add(1)),
        tensors: BTreeSet::new(),
    };
    let segments: Vec<Segment> = arenas.iter().map(|arena| made.segment(liveness, arena)).collect();
    let planners: BTreeSet<&str> = arenas.iter().map(|arena| arena.planner.as_str()).collect();
    let store = model.store();
    Memory {
        producer: Some(Producer {
            name: Some("circle-lineage".into()),
            version: Some(env!("CARGO_PKG_VERSION").into()),
            created: None,
            planner: Some(planners.into_iter().collect::<Vec<_>>().join(", "))
                .filter(|text| !text.is_empty()),
        }),
        model: file,
        tick: Tick { unit: TickUnit::Operator, names: liveness.tick_names.clone() },
        files: store
            .origins
            .files
            .iter()
            // All zero stands for a digest that is not known.
            .map(|file| form::File {
                name: file.name.to_string(),
                md5: Some(hex::encode(&file.md5)).filter(|_| file.md5 != [0; 16]),
            })
            .collect(),
        origins: made
            .origins
            .iter()
            .filter_map(|&id| origin(model, id))
            .chain(made.tensors.iter().filter_map(|&id| made.tensor_origin(id)))
            .collect(),
        segments,
        ..Memory::default()
    }
}

fn origin(model: &Model, id: OriginId) -> Option<form::Origin> {
    let origin = model.store().origins.operator(id)?;
    Some(form::Origin {
        id: id.number(),
        name: origin.name.to_string(),
        file: origin.file.map(|file| file.number()),
        subgraph: Some(origin.subgraph),
        operator: origin.operator,
        opcode: Some(origin.opcode.to_string()).filter(|opcode| !opcode.is_empty()),
    })
}

/// Names of operators stand wherever these write or read a block. Of models with long ones, no more bytes than this are
/// written out; their numbers stand in any case.
const MOST_NAME_BYTES: usize = 64 << 20;

struct Made<'a> {
    model: &'a Model,
    /// Bytes left for names of operators.
    left: usize,
    numbers: Vec<Numbers>,
    /// Origins that blocks name.
    origins: BTreeSet<OriginId>,
    /// The id of the first tensor of the origin files among the operators, if there is room for it.
    first_tensor: Option<u32>,
    /// Tensors of the origin files that blocks name.
    tensors: BTreeSet<TensorOriginId>,
}

impl Made<'_> {
    fn segment(&mut self, liveness: &Liveness, arena: &Arena) -> Segment {
        let mut spaces = Vec::new();
        let mut blocks = Vec::new();
        for (&index, &offset) in arena.units.iter().zip(&arena.offsets) {
            let Some(unit) = liveness.units.get(index) else { continue };
            let space = (unit.members.len() > 1).then(|| {
                let id = u32::try_from(spaces.len()).unwrap_or(u32::MAX);
                spaces.push(Space {
                    id,
                    offset,
                    size: unit.size,
                    alive_from: unit.from,
                    alive_till: unit.till,
                    reason: unit.reason.unwrap_or(SpaceReason::Shared),
                });
                id
            });
            for item in unit.members.iter().filter_map(|&item| liveness.items.get(item)) {
                blocks.extend(self.block(item, offset, space));
            }
        }
        let mut extra = BTreeMap::new();
        extra.insert("lower_bound", arena.lower_bound);
        Segment {
            name: arena.name.clone(),
            size: Some(arena.capacity.unwrap_or(arena.peak)),
            alignment: arena.alignment,
            spaces,
            blocks,
            extra: extra.into_iter().map(|(key, value)| (key.to_owned(), value.into())).collect(),
            ..Segment::default()
        }
    }

    fn block(&mut self, item: &Item, offset: u64, space: Option<u32>) -> Option<form::Block> {
        let sg = self.model.subgraph(item.subgraph)?;
        let numbers = self.numbers.get(item.subgraph.number() as usize)?;
        let left = &mut self.left;
        let subgraph = item.subgraph.number();
        let mut block = form::Block {
            offset,
            size: item.size,
            alive_from: item.from,
            alive_till: item.till,
            stays: item.stays,
            kind: Some(item.kind),
            space,
            ..form::Block::default()
        };
        let mut claims = Vec::new();
        match item.what {
            What::Tensor(v) => {
                let value = sg.value(v)?;
                let number = numbers.value(v);
                block.id = Some(format!("{subgraph}:{number}"));
                block.name = Some(value.name().to_owned()).filter(|name| !name.is_empty());
                block.tensor = Some(tensor(sg, subgraph, number, v)?);
                if let Some((op, port)) = value.def() {
                    let written_by = operator(sg, numbers, subgraph, op, left)?;
                    block.written_by = Some(OperatorRef { output: Some(port), ..written_by });
                    claims.push(sg.operator(op)?.lineage().claims());
                }
                claims.push(value.lineage().claims());
                let readers: BTreeSet<_> =
                    value.uses().iter().map(|&(op, _)| (numbers.operator(op), op)).collect();
                block.read_by = readers
                    .into_iter()
                    .filter_map(|(_, op)| operator(sg, numbers, subgraph, op, left))
                    .collect();
            }
            What::Scratch(op, piece) => {
                let written_by = operator(sg, numbers, subgraph, op, left)?;
                let name = written_by.name.as_deref().or(written_by.opcode.as_deref()).unwrap_or_default();
                block.id = Some(format!("{subgraph}:op{}.{piece}", numbers.operator(op)));
                block.name = Some(format!("{name} (scratch {piece})"));
                block.written_by = Some(written_by);
                claims.push(sg.operator(op)?.lineage().claims());
            }
        }
        let sets = &self.model.store().claim_sets;
        let claimed: BTreeSet<OriginId> =
            claims.iter().flat_map(|&set| sets.get(set)).map(|claim| claim.origin).collect();
        block.origins = claimed.iter().map(|id| id.number()).collect();
        self.origins.extend(claimed);
        if let (What::Tensor(v), true) = (item.what, block.origins.is_empty()) {
            let tensors = self.model.store().tensor_sets.get(sg.value(v)?.lineage().tensors());
            for &id in tensors {
                if let Some(number) = self.number_of(id) {
                    block.origins.push(number);
                    self.tensors.insert(id);
                }
            }
        }
        Some(block)
    }

    fn number_of(&self, tensor: TensorOriginId) -> Option<u32> {
        self.first_tensor?.checked_add(tensor.number())
    }

    fn tensor_origin(&self, id: TensorOriginId) -> Option<form::Origin> {
        let origin = self.model.store().origins.tensor(id)?;
        Some(form::Origin {
            id: self.number_of(id)?,
            name: origin.name.to_string(),
            file: origin.file.map(|file| file.number()),
            subgraph: Some(origin.subgraph),
            operator: None,
            opcode: None,
        })
    }
}

/// An operator by number and kind, and by name as long as there are bytes left for it.
fn operator(
    sg: &Subgraph,
    numbers: &Numbers,
    subgraph: u32,
    op: circle_ir::OpId,
    left: &mut usize,
) -> Option<OperatorRef> {
    let operator = sg.operator(op)?;
    let name = Some(operator_name(sg, operator)).filter(|name| !name.is_empty() && name.len() <= *left);
    *left -= name.map_or(0, str::len);
    Some(OperatorRef {
        subgraph,
        index: Some(numbers.operator(op)),
        name: name.map(str::to_owned),
        opcode: Some(operator.code().name()),
        output: None,
    })
}

fn tensor(sg: &Subgraph, subgraph: u32, number: u32, v: ValueId) -> Option<TensorRef> {
    let value = sg.value(v)?;
    Some(TensorRef {
        subgraph,
        index: Some(number),
        name: Some(value.name().to_owned()).filter(|name| !name.is_empty()),
        dtype: Some(value.ty().short_name()),
        shape: Some(value.shape().to_vec()),
    })
}
