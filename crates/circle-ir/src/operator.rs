//! Operators.

use std::sync::Arc;

use circle_tables::{Datum, Kind, Record, Scalar, circle, opcode};

use crate::entity::ValueId;
use crate::lineage::Lineage;
use crate::lineage::annotation::Note;

/// What an operator computes: a builtin code of circle's `BuiltinOperator` (negative for circle's own), the name of
/// a custom operator, and the version of its kernel.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OpCode {
    /// The builtin code.
    pub builtin: i32,
    /// Name of a custom operator, if there is one.
    pub custom: Option<Arc<str>>,
    /// Version of the kernel, from 1.
    pub version: i32,
}

impl OpCode {
    /// Version 1 of a builtin operator.
    pub fn builtin(code: i32) -> Self {
        Self { builtin: code, custom: None, version: 1 }
    }
    /// The name: `CONV_2D`, `CUSTOM:Erf`, `UNKNOWN(213)`.
    pub fn name(&self) -> String {
        match (&self.custom, opcode::name(self.builtin)) {
            (Some(custom), Some("CUSTOM")) => format!("CUSTOM:{custom}"),
            (_, Some(name)) => name.to_owned(),
            (_, None) => format!("UNKNOWN({})", self.builtin),
        }
    }
}

/// An operator of a subgraph. Built by import and by patches only.
#[derive(Clone, Debug)]
pub struct Operator {
    pub(crate) code: OpCode,
    pub(crate) options: Option<Record>,
    pub(crate) extra: Record,
    pub(crate) inputs: Vec<Option<ValueId>>,
    pub(crate) outputs: Vec<ValueId>,
    pub(crate) intermediates: Vec<Option<ValueId>>,
    pub(crate) lineage: Lineage,
    pub(crate) notes: Vec<Note>,
}

impl Operator {
    /// What it computes.
    pub fn code(&self) -> &OpCode {
        &self.code
    }
    /// Whether it is the builtin operator `code`.
    pub fn is(&self, code: i32) -> bool {
        self.code.builtin == code
    }
    /// Its options, if it has any.
    pub fn options(&self) -> Option<&Record> {
        self.options.as_ref()
    }
    /// An integer, boolean or enum option; 0 if there are no options or no such field.
    pub fn option(&self, name: &str) -> i64 {
        let Some(options) = &self.options else { return 0 };
        match options.def().field(name).map(|field| field.kind) {
            Some(Kind::Scalar(Scalar::Bool)) => i64::from(options.bool(name)),
            Some(Kind::Scalar(scalar)) if scalar.is_integer() => options.int(name),
            Some(Kind::Enum(_)) => options.int(name),
            _ => 0,
        }
    }
    /// The other fields of its table: custom options, mutating inputs and whatever else the file holds.
    pub fn extra(&self) -> &Record {
        &self.extra
    }
    /// Input slots; `None` where an optional input is left out.
    pub fn inputs(&self) -> &[Option<ValueId>] {
        &self.inputs
    }
    /// Input `slot`, if it is there.
    pub fn input(&self, slot: usize) -> Option<ValueId> {
        self.inputs.get(slot).copied().flatten()
    }
    /// Output tensors.
    pub fn outputs(&self) -> &[ValueId] {
        &self.outputs
    }
    /// Intermediate tensors (LSTM).
    pub fn intermediates(&self) -> &[Option<ValueId>] {
        &self.intermediates
    }
    /// Where it comes from.
    pub fn lineage(&self) -> &Lineage {
        &self.lineage
    }
    /// What was measured on it or on what it stands for.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }
    /// Everything a rule may say of an operator like this one, as a start for a changed one.
    pub fn spec(&self) -> OpSpec {
        OpSpec {
            code: self.code.clone(),
            options: self.options.clone(),
            extra: self.extra.clone(),
            inputs: self.inputs.clone(),
            outputs: self.outputs.clone(),
            intermediates: self.intermediates.clone(),
        }
    }
}

/// What a rule may say about a new operator: everything but lineage and notes.
#[derive(Clone, Debug)]
pub struct OpSpec {
    /// What it computes.
    pub code: OpCode,
    /// Its options.
    pub options: Option<Record>,
    /// The other fields of its table.
    pub extra: Record,
    /// Input slots.
    pub inputs: Vec<Option<ValueId>>,
    /// Output tensors.
    pub outputs: Vec<ValueId>,
    /// Intermediate tensors.
    pub intermediates: Vec<Option<ValueId>>,
}

impl OpSpec {
    /// Version 1 of builtin operator `code` with its options table at defaults.
    pub fn builtin(code: i32, inputs: &[ValueId], outputs: &[ValueId]) -> Self {
        Self {
            code: OpCode::builtin(code),
            options: opcode::options(code).map(|options| Record::new(options.table)),
            extra: Record::new(&circle::OPERATOR),
            inputs: inputs.iter().copied().map(Some).collect(),
            outputs: outputs.to_vec(),
            intermediates: Vec::new(),
        }
    }
    /// The same with an integer or enum option set. Unknown names are ignored in release and caught in tests.
    #[must_use]
    pub fn with(mut self, name: &str, value: i64) -> Self {
        let set = self.options.as_mut().is_some_and(|options| {
            let datum = match options.def().field(name).map(|field| field.kind) {
                Some(Kind::Scalar(Scalar::Bool)) => Datum::Bool(value != 0),
                _ => Datum::Int(value),
            };
            options.set(name, datum).is_ok()
        });
        debug_assert!(set, "{} has no option {name}", self.code.name());
        self
    }
    /// The same in another kernel version.
    #[must_use]
    pub fn version(mut self, version: i32) -> Self {
        self.code.version = version;
        self
    }
}
