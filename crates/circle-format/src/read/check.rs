//! Checks of meaning, after the verifier has checked the bytes. Every fault is located; all are looked for.

use circle_ir::import::{Draft, DraftSubgraph, quantization_tensors};
use circle_ir::{Buffer, ElementType, OpSpec, ValueId};
use circle_tables::{Datum, Record, opcode};

use crate::fault::{Faults, Place, short};

/// Adds to `faults` everything that makes the draft impossible.
pub(super) fn check(bytes: &[u8], draft: &Draft, faults: &mut Faults) {
    if draft.subgraphs.is_empty() {
        faults.add(Place { part: Some("model".into()), ..Place::default() }, "has no subgraph");
    }
    for (index, sg) in draft.subgraphs.iter().enumerate() {
        Subgraph { index, sg, draft, file_len: bytes.len() as u64 }.check(faults);
    }
    signatures(draft, faults);
    for (index, buffer) in draft.frame.metadata_buffer.iter().flatten().enumerate() {
        if buffer.number() as usize >= draft.buffers.len() {
            let place = Place { part: Some(format!("metadata_buffer entry {index}")), ..Place::default() };
            faults.add(
                place,
                format!("buffer {} does not exist ({} buffers)", buffer.number(), draft.buffers.len()),
            );
        }
    }
}

struct Subgraph<'a> {
    index: usize,
    sg: &'a DraftSubgraph,
    draft: &'a Draft,
    file_len: u64,
}

impl Subgraph<'_> {
    fn place(&self) -> Place {
        let name = short(self.sg.record.str("name").unwrap_or(""));
        Place { subgraph: Some((self.index, name)), ..Place::default() }
    }
    fn at_operator(&self, index: usize, op: &OpSpec, part: Option<String>) -> Place {
        Place { operator: Some((index, op.code.name())), part, ..self.place() }
    }
    fn at_tensor(&self, index: usize) -> Place {
        let name = short(self.sg.values.get(index).and_then(|v| v.record.str("name")).unwrap_or(""));
        Place { tensor: Some((index, name)), ..self.place() }
    }
    fn missing(&self, v: ValueId) -> Option<String> {
        let count = self.sg.values.len();
        let index = v.number();
        (index as usize >= count).then(|| match index {
            u32::MAX => format!("a negative tensor number ({count} tensors)"),
            _ => format!("tensor {index} does not exist ({count} tensors)"),
        })
    }

    fn check(&self, faults: &mut Faults) {
        for (what, list) in [("graph input", &self.sg.inputs), ("graph output", &self.sg.outputs)] {
            for (i, &v) in list.iter().enumerate() {
                if let Some(text) = self.missing(v) {
                    faults.add(Place { part: Some(format!("{what} {i}")), ..self.place() }, text);
                }
            }
        }
        if self.index == 0 && self.sg.outputs.is_empty() {
            faults.add(self.place(), "the graph has no outputs");
        }
        for index in 0..self.sg.values.len() {
            self.tensor(index, faults);
        }
        self.operators(faults);
    }

    fn tensor(&self, index: usize, faults: &mut Faults) {
        let Some(value) = self.sg.values.get(index) else { return };
        for v in quantization_tensors(&value.record) {
            if let Some(text) = self.missing(v) {
                let place = Place { part: Some("quantization".into()), ..self.at_tensor(index) };
                faults.add(place, text);
            }
        }
        let Some(buffer) = self.draft.buffers.get(value.buffer.number() as usize) else {
            let count = self.draft.buffers.len();
            faults.add(
                self.at_tensor(index),
                format!("buffer {} does not exist ({count} buffers)", value.buffer.number()),
            );
            return;
        };
        if let Some(text) = size_fault(&value.record, buffer) {
            faults.add(self.at_tensor(index), text);
        }
    }

    fn operators(&self, faults: &mut Faults) {
        /// What gives a tensor its value.
        #[derive(Clone, Copy)]
        enum Source {
            Nothing,
            Graph,
            Operator(usize),
        }
        let mut sources = vec![Source::Nothing; self.sg.values.len()];
        for v in &self.sg.inputs {
            if let Some(source) = sources.get_mut(v.number() as usize) {
                *source = Source::Graph;
            }
        }
        for (index, op) in self.sg.operators.iter().enumerate() {
            for (port, &v) in op.outputs.iter().enumerate() {
                let place = || self.at_operator(index, op, Some(format!("output {port}")));
                let Some(source) = sources.get_mut(v.number() as usize) else {
                    faults.add(place(), self.missing(v).unwrap_or_default());
                    continue;
                };
                match *source {
                    Source::Nothing => {}
                    Source::Graph => {
                        let text = format!("tensor {} is a graph input and cannot be computed", v.number());
                        faults.add(place(), text);
                    }
                    Source::Operator(other) => {
                        let text = format!("tensor {} is computed by operator {other} already", v.number());
                        faults.add(place(), text);
                    }
                }
                *source = Source::Operator(index);
            }
        }
        for (index, op) in self.sg.operators.iter().enumerate() {
            let inputs = op.inputs.iter().enumerate().map(|(i, v)| ("input", i, v));
            let intermediates = op.intermediates.iter().enumerate().map(|(i, v)| ("intermediate", i, v));
            for (what, slot, v) in inputs.chain(intermediates) {
                let Some(v) = *v else { continue };
                let place = || self.at_operator(index, op, Some(format!("{what} {slot}")));
                let source = sources.get(v.number() as usize);
                if let Some(text) = self.missing(v) {
                    faults.add(place(), text);
                } else if let Some(&Source::Operator(by)) = source
                    && what == "input"
                    && by >= index
                {
                    let text = format!(
                        "reads tensor {} before operator {by} has computed it: a cycle, or operators out of order",
                        v.number()
                    );
                    faults.add(place(), text);
                }
            }
            self.options(index, op, faults);
        }
    }

    fn options(&self, index: usize, op: &OpSpec, faults: &mut Faults) {
        let strided = matches!(
            op.code.builtin,
            opcode::CONV_2D
                | opcode::DEPTHWISE_CONV_2D
                | opcode::TRANSPOSE_CONV
                | opcode::AVERAGE_POOL_2D
                | opcode::MAX_POOL_2D
                | opcode::L2_POOL_2D
        );
        if strided {
            let read = |field: &str| match &op.options {
                Some(o) if o.def().field(field).is_some() => o.int(field),
                _ => 0,
            };
            for field in ["stride_w", "stride_h"] {
                let stride = read(field);
                if stride <= 0 {
                    let text = format!("is {stride}, and a stride is at least 1");
                    faults.add(self.at_operator(index, op, Some(field.into())), text);
                }
            }
        }
        for (field, datum) in op.options.iter().flat_map(Record::fields) {
            if let (true, Datum::Int(number)) = (field.name.ends_with("subgraph_index"), datum) {
                let count = self.draft.subgraphs.len();
                // -1 stands for none where the schema's default is that.
                if *number < -1 || *number >= count as i64 {
                    let text = format!("subgraph {number} does not exist ({count} subgraphs)");
                    faults.add(self.at_operator(index, op, Some(field.name.into())), text);
                }
            }
        }
        let (offset, size) =
            (op.extra.uint("large_custom_options_offset"), op.extra.uint("large_custom_options_size"));
        if offset > 1 && offset.checked_add(size).is_none_or(|end| end > self.file_len) {
            let text = format!(
                "{size} bytes at offset {offset} lie beyond the end of the file, which has {}",
                self.file_len
            );
            faults.add(self.at_operator(index, op, Some("large_custom_options".into())), text);
        }
    }
}

/// What is wrong between a tensor's shape and its buffer's length. Only for constants that hold their elements
/// plainly; sparse and compressed ones and strings have lengths of their own.
fn size_fault(record: &Record, buffer: &Buffer) -> Option<String> {
    let ty = ElementType(record.int("type") as i8);
    let packed = record.get("sparsity").is_some() || record.int("compression_type") != 0;
    let shape = record.ints("shape");
    if buffer.is_empty() || packed || shape.iter().any(|&d| d < 0) {
        return None;
    }
    let Some(elements) = shape.iter().try_fold(1u64, |n, &d| n.checked_mul(d as u64)) else {
        return Some(format!("shape {shape:?} has more elements than can be counted"));
    };
    let want = match ty.0 {
        // Two 4-bit elements share a byte. Some writers keep one a byte.
        17 | -1 => elements.div_ceil(2),
        _ => elements.checked_mul(ty.bytes()?)?,
    };
    let have = buffer.len();
    let unpacked = matches!(ty.0, 17 | -1) && have == elements;
    (have != want && !unpacked)
        .then(|| format!("shape {shape:?} of {ty} takes {want} bytes and its buffer has {have}"))
}

fn signatures(draft: &Draft, faults: &mut Faults) {
    for (index, signature) in draft.frame.signatures.iter().flatten().enumerate() {
        let place = |part: &str| Place { part: Some(format!("signature {index}{part}")), ..Place::default() };
        let number = signature.subgraph.number();
        let Some(sg) = draft.subgraphs.get(number as usize) else {
            let text = format!("subgraph {number} does not exist ({} subgraphs)", draft.subgraphs.len());
            faults.add(place(""), text);
            continue;
        };
        let maps = [(", input", &signature.inputs), (", output", &signature.outputs)];
        for (what, i, v) in
            maps.iter().flat_map(|(what, m)| m.iter().flatten().enumerate().map(move |(i, m)| (what, i, m.1)))
        {
            if v.number() as usize >= sg.values.len() {
                let text = format!("tensor {} does not exist ({} tensors)", v.number(), sg.values.len());
                faults.add(place(&format!("{what} {i}")), text);
            }
        }
    }
}

/// Names that tell nothing apart: none at all, or one for all tensors. Such models run; but whatever joins by name (ONE's
/// tools, people) cannot tell their operators apart.
pub(super) fn nameless(draft: &Draft) -> Option<String> {
    let values = draft.subgraphs.iter().flat_map(|sg| &sg.values);
    untold(values.map(|value| value.record.str("name").unwrap_or("")))
}

/// What is wrong with names of tensors that tell nothing apart.
pub(crate) fn untold<'a>(mut names: impl Iterator<Item = &'a str>) -> Option<String> {
    let first = names.next()?;
    let mut count = 1_usize;
    for name in names {
        if name != first {
            return None;
        }
        count += 1;
    }
    (count >= 3).then(|| match first.is_empty() {
        true => format!("none of its {count} tensors has a name"),
        false => format!("all of its {count} tensors have one name"),
    })
}
