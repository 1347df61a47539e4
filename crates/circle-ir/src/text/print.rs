//! Model to text.

use std::fmt::Write;

use circle_tables::{Record, opcode, quote};

use super::MAX_SHOWN_ELEMENTS;
use crate::buffer::{Buffer, Bytes};
use crate::entity::{OpId, SubgraphId, ValueId};
use crate::lineage::Store;
use crate::lineage::annotation::{Note, NoteValue};
use crate::lineage::claims::Claim;
use crate::lineage::ledger::Departure;
use crate::model::Model;
use crate::operator::Operator;
use crate::subgraph::Subgraph;
use crate::value::{ElementType, Value};

/// What to show besides the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// The graph alone.
    Graph,
    /// Lineage of operators and constants, what was measured on constants, and the ledger.
    Lineage,
}

/// The text of a model.
pub fn print(model: &Model, bytes: &dyn Bytes, show: Show) -> String {
    let mut out = String::new();
    for (id, sg) in model.subgraphs() {
        subgraph(&mut out, model, id, sg, bytes, show);
    }
    let ledger = &model.store().ledger;
    if show == Show::Lineage && !ledger.is_empty() {
        out.push_str("ledger\n");
        ledger.iter().for_each(|departure| ledger_line(&mut out, model, departure));
    }
    out
}

fn subgraph(out: &mut String, model: &Model, id: SubgraphId, sg: &Subgraph, bytes: &dyn Bytes, show: Show) {
    // Writing to a string cannot fail.
    let _ = write!(out, "subgraph {id} ");
    let _ = quote(out, sg.name());
    let _ = writeln!(out, " ({}) -> ({})", list(sg.inputs()), list(sg.outputs()));
    for (v, value) in sg.values() {
        let _ = write!(out, "  {v}: ");
        value_text(out, model, value, value.is_input(), bytes);
        let claims = value.lineage().claims();
        if show == Show::Lineage {
            let store = model.store();
            let claims = Some(claims_text(store.claim_sets.get(claims))).filter(|text| !text.is_empty());
            let notes = sg.notes(v).iter().map(|note| note_text(store, note));
            let about: Vec<String> = claims.into_iter().chain(notes).collect();
            if !about.is_empty() {
                let _ = write!(out, "  ; {}", about.join(", "));
            }
        }
        out.push('\n');
    }
    for (op, operator) in sg.operators() {
        let _ = writeln!(out, "  {}", print_operator(model, op, operator, show));
    }
}

fn list(values: &[ValueId]) -> String {
    values.iter().map(ValueId::to_string).collect::<Vec<_>>().join(", ")
}

fn optional_list(values: &[Option<ValueId>]) -> String {
    let text = |v: &Option<ValueId>| v.map_or_else(|| "_".into(), |v| v.to_string());
    values.iter().map(text).collect::<Vec<_>>().join(", ")
}

fn value_text(out: &mut String, model: &Model, value: &Value, is_input: bool, bytes: &dyn Bytes) {
    let signature = value.record().ints("shape_signature");
    let dims = value.shape().iter().enumerate().map(|(i, d)| match signature.get(i) {
        Some(-1) if signature.len() == value.shape().len() => "?".to_owned(),
        _ => d.to_string(),
    });
    let _ = write!(out, "{}[{}] ", value.ty(), dims.collect::<Vec<_>>().join(","));
    let _ = quote(out, value.name());
    let mut rest = value.record().clone();
    for field in ["shape", "type", "name", "shape_signature"] {
        rest.remove(field);
    }
    braces(out, " ", &rest);
    let Some(buffer) = model.buffer(value.buffer()).filter(|b| !b.is_empty() && !is_input) else { return };
    match (value.elements(), bytes.bytes(buffer)) {
        (Some(n), Some(data))
            if n <= MAX_SHOWN_ELEMENTS && value.ty().bytes() == Some(data.len() as u64 / n.max(1)) =>
        {
            let _ = write!(out, " = [{}]", elements(value.ty(), data).join(", "));
        }
        _ => {
            let _ = match buffer {
                Buffer::Source { range, .. } => {
                    write!(out, " = {} source[{:#x}..{:#x}]", value.buffer(), range.start, range.end)
                }
                _ => write!(out, " = {} {} bytes", value.buffer(), buffer.len()),
            };
        }
    }
}

/// The elements of a constant; one stands for all if they are equal.
fn elements(ty: ElementType, data: &[u8]) -> Vec<String> {
    let width = ty.bytes().unwrap_or(1) as usize;
    let mut all: Vec<String> = data.chunks_exact(width).map(|chunk| element(ty, chunk)).collect();
    if all.iter().all(|e| *e == all[0]) {
        all.truncate(1);
    }
    all
}

fn element(ty: ElementType, chunk: &[u8]) -> String {
    fn array<const N: usize>(chunk: &[u8]) -> [u8; N] {
        std::array::from_fn(|i| chunk.get(i).copied().unwrap_or(0))
    }
    match ty {
        ElementType::FLOAT32 => format!("{:?}", f32::from_le_bytes(array(chunk))),
        ElementType::FLOAT64 => format!("{:?}", f64::from_le_bytes(array(chunk))),
        ElementType::INT32 => i32::from_le_bytes(array(chunk)).to_string(),
        ElementType::INT64 => i64::from_le_bytes(array(chunk)).to_string(),
        ElementType::INT16 => i16::from_le_bytes(array(chunk)).to_string(),
        ElementType::INT8 => i8::from_le_bytes(array(chunk)).to_string(),
        ElementType::UINT8 | ElementType::BOOL => array::<1>(chunk)[0].to_string(),
        _ => format!("0x{}", chunk.iter().rev().map(|b| format!("{b:02x}")).collect::<String>()),
    }
}

fn braces(out: &mut String, before: &str, record: &Record) {
    if !record.is_empty() {
        let _ = write!(out, "{before}{record}");
    }
}

/// One operator's line.
pub fn print_operator(model: &Model, id: OpId, op: &Operator, show: Show) -> String {
    let mut out = format!("{id} {}", op.code().name());
    if op.code().version != 1 {
        let _ = write!(out, " v{}", op.code().version);
    }
    if let Some(options) = op.options() {
        let usual = opcode::options(op.code().builtin).is_some_and(|o| o.table.name == options.name());
        if usual {
            braces(&mut out, " ", options);
        } else {
            let _ = write!(out, " {}{options}", options.name());
        }
    }
    braces(&mut out, " +", op.extra());
    let outputs = op.outputs().iter().map(ValueId::to_string).collect::<Vec<_>>().join(", ");
    let _ = write!(out, " ({}) -> {outputs}", optional_list(op.inputs()));
    if !op.intermediates().is_empty() {
        let _ = write!(out, " ~({})", optional_list(op.intermediates()));
    }
    if show == Show::Lineage {
        let store = model.store();
        let _ = write!(out, "  ; {}", claims_text(store.claim_sets.get(op.lineage().claims())));
        if let Some(reason) = op.lineage().unknown() {
            let _ = write!(out, " unknown: {}", store.reason_text(reason));
        }
        let chain = store.pass_chain(op.lineage().event());
        if !chain.is_empty() {
            let _ = write!(out, " by {}", chain.join(", "));
        }
    }
    out
}

fn claims_text(claims: &[Claim]) -> String {
    let one = |claim: &Claim| match claim.part {
        Some(part) => format!("{} {} {}/{}", claim.origin, claim.role, part.index, part.count),
        None => format!("{} {}", claim.origin, claim.role),
    };
    claims.iter().map(one).collect::<Vec<_>>().join(" + ")
}

/// A measured value, such as `time 5 ns`.
fn note_text(store: &Store, note: &Note) -> String {
    let metric = store.metrics.get(note.metric.number() as usize);
    let (name, unit) = metric.map_or(("", ""), |metric| (&*metric.name, &*metric.unit));
    let value = match &note.value {
        NoteValue::Integer(value) => value.to_string(),
        NoteValue::Decimal(text) => text.to_string(),
        NoteValue::Text(text) => format!("{text:?}"),
    };
    format!("{} {value} {}", name.escape_debug(), unit.escape_debug()).trim().to_owned()
}

fn ledger_line(out: &mut String, model: &Model, departure: &Departure) {
    let store = model.store();
    let claims = store.claim_sets.get(departure.claims).iter().map(|c| c.origin.to_string());
    let tensors = store.tensor_sets.get(departure.tensors).iter().map(|t| t.to_string());
    let who: Vec<String> = claims.chain(tensors).collect();
    let pass = store.history.get(departure.event).map_or("", |event| store.pass_name(event.pass));
    let _ = writeln!(out, "  {} {} by {pass}", who.join(" + "), departure.reason.name());
}
