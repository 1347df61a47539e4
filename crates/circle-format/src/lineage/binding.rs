//! The binding digest: SHA-256 over the operators and tensors of all subgraphs and ONE's two tables. A tool that knows
//! nothing of our lineage and changes, moves, renames or renumbers operators or tensors changes it. It does not cover
//! the bytes of constants: that would cost as much as reading all weights, and other weights in the same layer are no
//! other origin. [`constants`](super::constants) are compared where files are read as a whole anyway.
//!
//! Hashed, all numbers little-endian, a length being a u64:
//!
//! - for each subgraph the number of its tensors (u64) and each of them: its type (i8), its shape (length, each i64), its
//!   name (length, bytes);
//! - then the number of its operators (u64) and each of them: its builtin code (i32), the length and bytes of its custom
//!   name, its inputs (length, each as i64, -1 for none), its outputs likewise, its options, and the length and bytes of
//!   its custom options;
//! - at the end for each of ONE's tables its length and bytes.
//!
//! Options are a byte 0 if there are none, else 1 and a table: its name (length, bytes), the number of fields that say
//! something (length) and for each its slot (u16), a byte for the kind of its value, and the value. A field that holds its
//! default, or a list or text without elements, says nothing: most writers leave such fields out, whoever read them.

use circle_ir::OpCode;
use circle_ir::import::Draft;
use circle_tables::{Datum, DefaultValue, FieldDef, Record, circle};
use sha2::{Digest, Sha256};

/// Takes in tensors and operators and gives the digest.
#[derive(Clone, Debug, Default)]
pub struct Binding {
    hasher: Sha256,
    /// What waits to be hashed: the hasher is quicker with many bytes at a time.
    waiting: Vec<u8>,
}

/// So many bytes wait at most.
const BLOCK: usize = 4096;

/// An operator, with tensor indices of the file.
#[derive(Clone, Copy, Debug)]
pub struct Bound<'a> {
    /// What it computes.
    pub code: &'a OpCode,
    /// Its options.
    pub options: Option<&'a Record>,
    /// The other fields of its table.
    pub extra: &'a Record,
    /// What it reads; -1 for none.
    pub inputs: &'a [i64],
    /// What it computes.
    pub outputs: &'a [i64],
}

impl Binding {
    fn put(&mut self, bytes: &[u8]) {
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() >= BLOCK {
            self.hasher.update(&self.waiting);
            self.waiting.clear();
        }
    }
    fn length(&mut self, length: usize) {
        self.put(&(length as u64).to_le_bytes());
    }
    fn ints(&mut self, list: &[i64]) {
        self.length(list.len());
        list.iter().for_each(|i| self.put(&i.to_le_bytes()));
    }

    /// A subgraph of so many tensors follows.
    pub fn tensors(&mut self, count: usize) {
        self.length(count);
    }
    /// The next tensor, by its table.
    pub fn tensor(&mut self, record: &Record) {
        const NAME: u16 = circle::TENSOR.slot("name");
        const SHAPE: u16 = circle::TENSOR.slot("shape");
        const TYPE: u16 = circle::TENSOR.slot("type");
        let ty = match record.get_at(TYPE) {
            Some(Datum::Int(ty)) => *ty as i8,
            _ => 0,
        };
        self.put(&ty.to_le_bytes());
        match record.get_at(SHAPE) {
            Some(Datum::Ints(shape)) => self.ints(shape),
            _ => self.ints(&[]),
        }
        match record.get_at(NAME) {
            Some(Datum::Str(name)) => self.bytes(name.as_bytes()),
            _ => self.bytes(&[]),
        }
    }
    /// So many operators of the subgraph follow.
    pub fn operators(&mut self, count: usize) {
        self.length(count);
    }
    /// The next operator.
    pub fn operator(&mut self, op: &Bound<'_>) {
        const CUSTOM_OPTIONS: u16 = circle::OPERATOR.slot("custom_options");
        self.put(&op.code.builtin.to_le_bytes());
        self.bytes(op.code.custom.as_deref().unwrap_or("").as_bytes());
        self.ints(op.inputs);
        self.ints(op.outputs);
        match op.options {
            None => self.put(&[0]),
            Some(options) => {
                self.put(&[1]);
                self.record(options);
            }
        }
        match op.extra.get_at(CUSTOM_OPTIONS) {
            Some(Datum::Bytes(bytes)) => self.bytes(bytes),
            _ => self.bytes(&[]),
        }
    }
    /// A table. No table contains itself, so the depth is that of the schema.
    fn record(&mut self, record: &Record) {
        let fields = || record.fields().filter(|(field, datum)| !says_nothing(field, datum));
        self.bytes(record.name().as_bytes());
        self.length(fields().count());
        for (field, datum) in fields() {
            self.put(&field.slot.to_le_bytes());
            self.datum(datum);
        }
    }
    fn datum(&mut self, datum: &Datum) {
        match datum {
            Datum::Bool(value) => self.put(&[0, u8::from(*value)]),
            Datum::Int(value) => {
                self.put(&[1]);
                self.put(&value.to_le_bytes());
            }
            Datum::F32(value) => {
                self.put(&[2]);
                self.put(&value.to_bits().to_le_bytes());
            }
            Datum::F64(value) => {
                self.put(&[3]);
                self.put(&value.to_bits().to_le_bytes());
            }
            Datum::Str(text) => {
                self.put(&[4]);
                self.bytes(text.as_bytes());
            }
            Datum::Bools(values) => {
                self.put(&[5]);
                self.length(values.len());
                values.iter().for_each(|value| self.put(&[u8::from(*value)]));
            }
            Datum::Ints(values) => {
                self.put(&[6]);
                self.ints(values);
            }
            Datum::Bytes(bytes) => {
                self.put(&[7]);
                self.bytes(bytes);
            }
            Datum::F32s(values) => {
                self.put(&[8]);
                self.length(values.len());
                values.iter().for_each(|value| self.put(&value.to_bits().to_le_bytes()));
            }
            Datum::F64s(values) => {
                self.put(&[9]);
                self.length(values.len());
                values.iter().for_each(|value| self.put(&value.to_bits().to_le_bytes()));
            }
            Datum::Strs(texts) => {
                self.put(&[10]);
                self.length(texts.len());
                texts.iter().for_each(|text| self.bytes(text.as_bytes()));
            }
            Datum::Record(record) => {
                self.put(&[11]);
                self.record(record);
            }
            Datum::Records(records) => {
                self.put(&[12]);
                self.length(records.len());
                records.iter().for_each(|record| self.record(record));
            }
            Datum::Union(record) => {
                self.put(&[13]);
                self.record(record);
            }
        }
    }
    /// A table of ONE's, after all subgraphs; any other bytes with their length.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.length(bytes.len());
        self.put(bytes);
    }
    /// The digest.
    pub fn finish(mut self) -> [u8; 32] {
        self.hasher.update(&self.waiting);
        self.hasher.finalize().into()
    }
}

/// Whether a model that leaves the field out means the same. Zero of either sign is the default zero, since writers
/// compare numbers, not bits.
fn says_nothing(field: &FieldDef, datum: &Datum) -> bool {
    match (datum, field.default) {
        (Datum::F32(value), DefaultValue::F32(default)) => *value == default,
        (Datum::F64(value), DefaultValue::F64(default)) => *value == default,
        (Datum::Str(text), _) => text.is_empty(),
        (Datum::Bools(values), _) => values.is_empty(),
        (Datum::Ints(values), _) => values.is_empty(),
        (Datum::Bytes(bytes), _) => bytes.is_empty(),
        (Datum::F32s(values), _) => values.is_empty(),
        (Datum::F64s(values), _) => values.is_empty(),
        (Datum::Strs(texts), _) => texts.is_empty(),
        (Datum::Records(records), _) => records.is_empty(),
        (datum, default) => datum.is_default(default),
    }
}

/// The digest of a model as read, with its two tables.
pub fn of_draft(draft: &Draft, source_table: &[u8], op_table: &[u8]) -> [u8; 32] {
    let mut binding = Binding::default();
    for sg in &draft.subgraphs {
        binding.tensors(sg.values.len());
        sg.values.iter().for_each(|value| binding.tensor(&value.record));
        binding.operators(sg.operators.len());
        for op in &sg.operators {
            let inputs: Vec<i64> =
                op.inputs.iter().map(|v| v.map_or(-1, |v| i64::from(v.number()))).collect();
            let outputs: Vec<i64> = op.outputs.iter().map(|v| i64::from(v.number())).collect();
            let (options, extra) = (op.options.as_ref(), &op.extra);
            binding.operator(&Bound { code: &op.code, options, extra, inputs: &inputs, outputs: &outputs });
        }
    }
    binding.bytes(source_table);
    binding.bytes(op_table);
    binding.finish()
}
