//! A plan of a model in the memory allocation form, with the original layers that each block belongs to.

use std::collections::BTreeSet;

use circle_ir::{Model, Subgraph, ValueId};
use circle_memory::form::{self, Memory};
use circle_memory::{
    ModelFile, OperatorRef, Piece, Producer, Segment, Space, SpaceReason, TensorRef, Tick, TickUnit,
};
use circle_metadata::hex;

use crate::lifetimes::{Item, Liveness, What};
use crate::names::{Numbers, operator_name};
use crate::origins::Origins;
use crate::plan::Arena;

/// The plan of a model, for drawing, checking and other tools. Each arena becomes a segment; blocks refer to tensors and
/// operators by their numbers in the file, and to the original layers that the model's lineage knows (see `origins.rs`).
pub fn to_memory(model: &Model, liveness: &Liveness, arenas: &[Arena], file: Option<ModelFile>) -> Memory {
    let mut made = Made {
        model,
        left: MOST_NAME_BYTES,
        numbers: Numbers::of(model),
        origins: Origins::new(model.store()),
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
        origins: made.origins.list(),
        segments,
        ..Memory::default()
    }
}

/// Names of operators stand wherever these write or read a block. Of models with long ones, no more bytes than this are
/// written out; their numbers stand in any case.
const MOST_NAME_BYTES: usize = 64 << 20;

struct Made<'a> {
    model: &'a Model,
    /// Bytes left for names of operators.
    left: usize,
    numbers: Vec<Numbers>,
    origins: Origins<'a>,
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
                    open: unit.is_ring(),
                });
                id
            });
            for (&item, &start) in unit.members.iter().zip(&unit.starts) {
                let Some(item) = liveness.items.get(item) else { continue };
                let block = self.block(item, offset.saturating_add(start), space);
                // What reaches beyond the end of a ring goes on at its begin.
                let beyond = start.saturating_add(item.size).saturating_sub(unit.size);
                let wrap = (beyond > 0).then_some(Piece { offset, size: beyond });
                blocks.extend(block.map(|block| form::Block { wrap, ..block }));
            }
        }
        Segment {
            name: arena.name.clone(),
            size: Some(arena.capacity.unwrap_or(arena.peak)),
            alignment: arena.alignment,
            spaces,
            blocks,
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
        let store = self.model.store();
        block.origins = self.origins.of(claims.iter().flat_map(|&set| store.claim_sets.get(set)));
        // What an operator writes belongs to that operator's layers or to none that is known.
        if let (What::Tensor(v), true, true) =
            (item.what, block.written_by.is_none(), block.origins.is_empty())
        {
            let tensors = sg.value(v)?.lineage().tensors();
            block.origins = self.origins.of_tensors(store.tensor_sets.get(tensors));
        }
        Some(block)
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
