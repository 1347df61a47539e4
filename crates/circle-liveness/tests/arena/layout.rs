//! Where a plan says that tensors lie, and an arena of bytes to read and write them there.

use std::collections::BTreeMap;

use circle_ir::{Model, SubgraphId, Value, ValueId};
use circle_memory::{Block, Kind, Memory, Piece};

/// A tensor: number of its subgraph, and its identity there.
pub(crate) type Tensor = (u32, ValueId);

/// The bytes of a tensor: so many from a place on, the rest from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pieces: [(usize, usize); 2],
}

impl Place {
    fn new(base: u64, first: Piece, second: Option<Piece>) -> Self {
        let piece = |piece: Piece| {
            let start = base.checked_add(piece.offset).and_then(|start| usize::try_from(start).ok());
            (start.expect("an address"), usize::try_from(piece.size).expect("a size"))
        };
        Self { pieces: [piece(first), second.map_or((0, 0), piece)] }
    }

    /// Bytes of both pieces.
    pub(crate) fn size(&self) -> usize {
        self.pieces[0].1 + self.pieces[1].1
    }

    pub(crate) fn is_wrapped(&self) -> bool {
        self.pieces[1].1 > 0
    }

    fn end(&self) -> usize {
        self.pieces.iter().map(|(start, size)| start + size).max().unwrap_or(0)
    }

    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        let meet = |a: (usize, usize), b: (usize, usize)| a.0.max(b.0) < (a.0 + a.1).min(b.0 + b.1);
        self.pieces.iter().any(|&a| other.pieces.iter().any(|&b| meet(a, b)))
    }

    /// Whether an element of so many bits lies in two pieces, where no kernel reads or writes it.
    pub(crate) fn cuts(&self, bits: usize) -> bool {
        self.is_wrapped() && !self.pieces[0].1.is_multiple_of(bits.div_ceil(8))
    }

    /// The address of a byte.
    fn address(&self, at: usize) -> usize {
        let [first, second] = self.pieces;
        if at < first.1 { first.0 + at } else { second.0 + at - first.1 }
    }

    /// The addresses of bytes from `at` on, in up to two stretches.
    fn stretches(&self, at: usize, bytes: usize) -> [std::ops::Range<usize>; 2] {
        let [first, second] = self.pieces;
        let end = at + bytes;
        let in_first = |at: usize| first.0 + at.min(first.1);
        let in_second = |at: usize| second.0 + at.saturating_sub(first.1);
        [in_first(at)..in_first(end), in_second(at)..in_second(end)]
    }
}

/// What a plan says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    places: BTreeMap<Tensor, Place>,
    /// By subgraph and position of an operator.
    scratch: BTreeMap<(u32, u32), Vec<Place>>,
    size: usize,
}

impl Layout {
    /// The places of a plan as it is written. Its segments lie behind one another.
    pub(crate) fn of(model: &Model, memory: &Memory) -> Self {
        let numbers: Vec<Vec<ValueId>> =
            model.subgraphs().map(|(_, sg)| sg.values().map(|(id, _)| id).collect()).collect();
        let mut layout = Self::default();
        for segment in &memory.segments {
            let base = layout.size as u64;
            for block in &segment.blocks {
                let place = Place::new(base, block.first(), block.wrap);
                layout.size = layout.size.max(place.end());
                layout.enter(&numbers, block, place);
            }
        }
        for (&(sg, v), place) in &layout.places {
            let value = model.subgraph(SubgraphId::from_number(sg)).and_then(|sg| sg.value(v));
            let due =
                value.and_then(bits).zip(value.and_then(Value::elements)).map(|(b, n)| (b * n).div_ceil(8));
            let is_constant = value.is_some_and(|value| is_constant(model, value));
            // What is stored may be packed.
            if let Some(due) = due.filter(|_| !is_constant) {
                assert_eq!(place.size() as u64, due, "bytes of {sg}:{v}");
            }
        }
        layout
    }

    fn enter(&mut self, numbers: &[Vec<ValueId>], block: &Block, place: Place) {
        if block.kind == Some(Kind::Scratch) {
            let operator = block.written_by.as_ref().expect("an operator that needs it");
            let key = (operator.subgraph, operator.index.expect("its position"));
            self.scratch.entry(key).or_default().push(place);
            return;
        }
        let tensor = block.tensor.as_ref().expect("a tensor");
        let index = tensor.index.expect("its number") as usize;
        let v = numbers[tensor.subgraph as usize][index];
        assert_eq!(self.places.insert((tensor.subgraph, v), place), None, "{v} lies in two places");
    }

    /// The same tensors, each in bytes of its own.
    pub(crate) fn apart(&self) -> Self {
        let mut apart = Self { size: 0, ..self.clone() };
        for place in apart.places.values_mut().chain(apart.scratch.values_mut().flatten()) {
            let size = place.size();
            *place = Place { pieces: [(apart.size, size), (0, 0)] };
            apart.size += size;
        }
        apart
    }

    pub(crate) fn place(&self, tensor: Tensor) -> Option<Place> {
        self.places.get(&tensor).copied()
    }

    pub(crate) fn scratch(&self, operator: (u32, u32)) -> &[Place] {
        self.scratch.get(&operator).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn size(&self) -> usize {
        self.size
    }
}

/// Whether a tensor is what the file says.
pub(crate) fn is_constant(model: &Model, value: &Value) -> bool {
    let held = model.buffer(value.buffer()).is_some_and(|buffer| !buffer.is_empty());
    held && value.def().is_none() && !value.is_input() && !value.is_variable()
}

/// Bits of an element, where it has a fixed number of them.
pub(crate) fn bits(value: &Value) -> Option<u64> {
    match value.ty().0 {
        17 | -1 => Some(4),
        _ => value.ty().bytes().map(|bytes| 8 * bytes),
    }
}

/// Mixes a number into a hash.
pub(crate) fn mix(hash: u64, number: u64) -> u64 {
    let mixed = (hash.rotate_left(5) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ mixed >> 29
}

/// Bytes to which a plan applies.
pub(crate) struct Arena {
    bytes: Vec<u8>,
    /// Changes each time that something is destroyed.
    garbage: u64,
}

impl Arena {
    pub(crate) fn new(size: usize) -> Self {
        Self { bytes: vec![0xa7; size], garbage: 1 }
    }

    /// An element of so many bits, which lies in one piece, as a number. What has more than 64 bits is mixed into them.
    pub(crate) fn element(&self, place: &Place, index: usize, bits: usize) -> u64 {
        if bits == 4 {
            let byte = self.bytes[place.address(index / 2)];
            return u64::from(if index.is_multiple_of(2) { byte & 15 } else { byte >> 4 });
        }
        let start = place.address(index * bits / 8);
        match self.bytes[start..start + bits / 8] {
            [a] => u64::from(a),
            [a, b] => u64::from(u16::from_le_bytes([a, b])),
            [a, b, c, d] => u64::from(u32::from_le_bytes([a, b, c, d])),
            ref more => words(more, 3),
        }
    }

    /// Writes an element that follows from a number. What has less bits holds the lowest ones.
    pub(crate) fn put(&mut self, place: &Place, index: usize, bits: usize, value: u64) {
        if bits == 4 {
            let byte = &mut self.bytes[place.address(index / 2)];
            let number = value as u8 & 15;
            *byte = if index.is_multiple_of(2) { *byte & 0xf0 | number } else { *byte & 0x0f | number << 4 };
            return;
        }
        let start = place.address(index * bits / 8);
        for (number, chunk) in self.bytes[start..start + bits / 8].chunks_mut(8).enumerate() {
            let value = if number == 0 { value } else { mix(value, number as u64) };
            chunk.copy_from_slice(&value.to_le_bytes()[..chunk.len()]);
        }
    }

    /// Garbage over some bytes of a tensor.
    pub(crate) fn destroy(&mut self, place: &Place, at: usize, bytes: usize) {
        self.garbage = mix(self.garbage, 1);
        for stretch in place.stretches(at, bytes) {
            self.bytes[stretch].fill((self.garbage >> 32) as u8);
        }
    }

    /// Garbage over the bytes of a tensor that are in none of `others`.
    pub(crate) fn destroy_but(&mut self, place: &Place, others: &[Place]) {
        let mut taken: Vec<(usize, usize)> = (others.iter().flat_map(|other| other.pieces))
            .filter(|&(_, size)| size > 0)
            .map(|(start, size)| (start, start + size))
            .collect();
        taken.sort_unstable();
        self.garbage = mix(self.garbage, 1);
        for (start, size) in place.pieces {
            let (mut at, end) = (start, start + size);
            for &(from, till) in &taken {
                if from > at {
                    self.bytes[at..from.min(end).max(at)].fill((self.garbage >> 32) as u8);
                }
                at = at.max(till).min(end);
            }
            self.bytes[at..end].fill((self.garbage >> 32) as u8);
        }
    }

    /// A hash of some bytes of a tensor.
    pub(crate) fn hash(&self, place: &Place, at: usize, bytes: usize, seed: u64) -> u64 {
        match place.stretches(at, bytes) {
            [one, none] | [none, one] if none.is_empty() => words(&self.bytes[one], seed),
            both => words(&both.map(|stretch| &self.bytes[stretch]).concat(), seed),
        }
    }

    /// A hash of all bytes of a tensor.
    pub(crate) fn digest(&self, place: &Place) -> u64 {
        self.hash(place, 0, place.size(), 1)
    }

    /// Bytes that follow from a number, over some of a tensor.
    pub(crate) fn fill(&mut self, place: &Place, at: usize, bytes: usize, seed: u64) {
        let words = (0..bytes.div_ceil(8)).flat_map(|word| mix(seed, word as u64).to_le_bytes());
        let all: Vec<u8> = words.collect();
        let mut from = 0;
        for stretch in place.stretches(at, bytes) {
            let till = from + stretch.len();
            self.bytes[stretch].copy_from_slice(&all[from..till]);
            from = till;
        }
    }

    /// The bytes of one tensor into another one as large.
    pub(crate) fn copy(&mut self, from: &Place, to: &Place) {
        for at in 0..from.size().min(to.size()) {
            self.bytes[to.address(at)] = self.bytes[from.address(at)];
        }
    }
}

fn words(bytes: &[u8], seed: u64) -> u64 {
    let words = bytes.chunks(8).map(|chunk| match *chunk {
        [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        ref few => few.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)),
    });
    words.fold(seed, mix)
}
