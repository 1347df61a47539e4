//! Changed constants: which numbers operators read, and how they are changed so that nothing can hide it.
//!
//! Each finite float that is not zero is multiplied by 1.5 (by half where that would be too large), so that no rounding
//! to fewer bits makes it equal again, and the first of each outermost row changes sign, too, so that a product with
//! another changed number shows. Zeros become small numbers, and infinities large ones. Each integer changes its lowest bit, which keeps it within its type.
//!
//! Left alone are numbers that say *what* an operator does (axes, shapes, permutations, paddings): with others the
//! operator would not fit its tensors.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use circle_ir::import::Draft;
use circle_ir::{Buffer, BufferId, Bytes, ElementType, OpSpec, OriginId};
use circle_tables::opcode;

/// A tensor of the draft: subgraph and number.
type Tensor = (usize, usize);

/// A constant that is changed as a whole, or several equal ones together.
#[derive(Clone, Debug)]
pub struct Unit {
    tensors: Vec<Tensor>,
    /// Type and content.
    ty: ElementType,
    buffer: Buffer,
    /// How many elements follow one another in a row of the outermost dimension.
    row: usize,
    name: String,
    /// The operators that read it, counted through all subgraphs.
    pub readers: BTreeSet<OriginId>,
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let readers: Vec<String> = self.readers.iter().map(OriginId::to_string).collect();
        write!(f, "{:?} of {}", self.name, readers.join(", "))
    }
}

/// Input slots of each operator that hold numbers it computes with, if they are integers. Floats always are such.
pub(super) fn computes_with(builtin: i32, slot: usize) -> bool {
    use opcode::*;
    match builtin {
        CONV_2D | DEPTHWISE_CONV_2D | FULLY_CONNECTED | ADD | SUB | MUL | DIV | MAXIMUM | MINIMUM | PRELU
        | CONCATENATION | DEQUANTIZE | QUANTIZE | CAST => true,
        TRANSPOSE_CONV => slot > 0,
        GATHER | PAD => slot == 0,
        PADV2 => slot != 1,
        _ => false,
    }
}

fn is_float(ty: ElementType) -> bool {
    matches!(ty, ElementType::FLOAT32 | ElementType::FLOAT64 | ElementType::FLOAT16)
}

fn is_integer(ty: ElementType) -> bool {
    matches!(
        ty,
        ElementType::INT8 | ElementType::UINT8 | ElementType::INT16 | ElementType::INT32 | ElementType::INT64
    )
}

/// The constants whose numbers operators compute with, by subgraph and tensor.
pub(super) fn units(draft: &Draft, bytes: &dyn Bytes) -> Vec<Unit> {
    let mut readers: BTreeMap<Tensor, BTreeSet<OriginId>> = BTreeMap::new();
    let mut barred: BTreeSet<Tensor> = BTreeSet::new();
    let mut number = 0;
    for (sg, subgraph) in draft.subgraphs.iter().enumerate() {
        let produced: BTreeSet<usize> =
            subgraph.operators.iter().flat_map(|op| &op.outputs).map(|v| v.number() as usize).collect();
        for op in &subgraph.operators {
            let origin = OriginId::from_number(number);
            number += 1;
            for (slot, v) in op.inputs.iter().enumerate() {
                let Some(v) = v.map(|v| v.number() as usize).filter(|v| !produced.contains(v)) else {
                    continue;
                };
                match draft.subgraphs[sg].values.get(v).map(|value| ty_of(&value.record)) {
                    Some(ty) if is_float(ty) || (is_integer(ty) && is_number(op, slot)) => {
                        readers.entry((sg, v)).or_default().insert(origin);
                    }
                    // One operator's number may be another's axis.
                    _ => drop(barred.insert((sg, v))),
                }
            }
        }
        barred.extend(subgraph.inputs.iter().map(|v| (sg, v.number() as usize)));
    }
    let unit = |(tensor, readers): (Tensor, BTreeSet<OriginId>)| {
        let value = draft.subgraphs.get(tensor.0)?.values.get(tensor.1)?;
        let buffer = draft.buffers.get(value.buffer.number() as usize)?;
        let ty = ty_of(&value.record);
        let elements = value
            .record
            .ints("shape")
            .iter()
            .try_fold(1u64, |n, &d| n.checked_mul(u64::try_from(d).ok()?))?;
        let plain = value.record.get("sparsity").is_none()
            && value.record.int("compression_type") == 0
            && !value.record.bool("is_variable");
        let whole = elements.checked_mul(ty.bytes()?)? == bytes.bytes(buffer)?.len() as u64;
        let rows = value.record.ints("shape").first().copied().unwrap_or(1).max(1);
        let row = usize::try_from(elements / u64::try_from(rows).ok()?).ok()?.max(1);
        let name = value.record.str("name").unwrap_or("").to_owned();
        (plain && whole && elements > 0).then(|| Unit {
            tensors: vec![tensor],
            ty,
            buffer: buffer.clone(),
            row,
            name,
            readers,
        })
    };
    readers.into_iter().filter(|(tensor, _)| !barred.contains(tensor)).filter_map(unit).collect()
}

fn ty_of(record: &circle_tables::Record) -> ElementType {
    ElementType(i8::try_from(record.int("type")).unwrap_or(i8::MIN))
}

fn is_number(op: &OpSpec, slot: usize) -> bool {
    computes_with(op.code.builtin, slot)
}

impl Unit {
    /// Size in bytes.
    pub fn size(&self) -> u64 {
        self.buffer.len()
    }

    /// Equal for constants of one type that hold the same bytes, and hardly ever for others.
    pub(super) fn content(&self, bytes: &dyn Bytes) -> (i8, u64) {
        let mut hasher = DefaultHasher::new();
        bytes.bytes(&self.buffer).hash(&mut hasher);
        (self.ty.0, hasher.finish())
    }

    /// All of `units`, changed alike. They must be equal.
    pub(super) fn together(units: &[&Self]) -> Self {
        let mut all = units[0].clone();
        for unit in &units[1..] {
            all.tensors.extend(&unit.tensors);
            all.readers.extend(&unit.readers);
        }
        all
    }

    /// Changes the constant in `draft`, for the readers of this tensor only.
    pub(super) fn apply(&self, draft: &mut Draft, bytes: &dyn Bytes) {
        let Some(old) = bytes.bytes(&self.buffer) else { return };
        let new = Buffer::Owned(Arc::from(changed(self.ty, old, self.row)));
        let id = BufferId::from_number(draft.buffers.len() as u32);
        draft.buffers.push(new);
        for &(sg, v) in &self.tensors {
            if let Some(value) = draft.subgraphs.get_mut(sg).and_then(|sg| sg.values.get_mut(v)) {
                value.buffer = id;
            }
        }
    }
}

/// The numbers in `old`, each changed. `row` is the number of elements in a row of the outermost dimension.
fn changed(ty: ElementType, old: &[u8], row: usize) -> Vec<u8> {
    let mut new = old.to_vec();
    let Some(width) = ty.bytes().and_then(|width| usize::try_from(width).ok()) else { return new };
    for (place, element) in new.chunks_exact_mut(width).enumerate() {
        let first = place % row == 0;
        match (ty, &mut *element) {
            (ElementType::FLOAT32, [a, b, c, d]) => {
                let x = f32::from_le_bytes([*a, *b, *c, *d]);
                let small = 0.25 / (1.0 + (place % 7) as f32);
                let factor = if x.abs() < f32::MAX / 2.0 { 1.5 } else { 0.5 };
                let y = match x {
                    _ if !x.is_finite() => f32::MAX / 2.0,
                    0.0 => small,
                    _ if first => x * -factor,
                    _ => x * factor,
                };
                element.copy_from_slice(&y.to_le_bytes());
            }
            (ElementType::FLOAT64, _) => {
                let mut wide = [0; 8];
                wide.copy_from_slice(element);
                let x = f64::from_le_bytes(wide);
                let factor = if x.abs() < f64::MAX / 2.0 { 1.5 } else { 0.5 };
                let y = match x {
                    _ if !x.is_finite() => f64::MAX / 2.0,
                    0.0 => 0.25,
                    _ if first => x * -factor,
                    _ => x * factor,
                };
                element.copy_from_slice(&y.to_le_bytes());
            }
            // One more or less in the last place of the exponent: twice or half the number.
            (ElementType::FLOAT16, [low, high]) => match u16::from_le_bytes([*low, *high]) & 0x7c00 {
                0 | 0x7800 | 0x7c00 => *low ^= 1,
                _ => *high ^= 4,
            },
            (_, [low, ..]) => *low ^= 1,
            (_, []) => {}
        }
    }
    new
}
