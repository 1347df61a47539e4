//! Text to model.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use circle_tables::{CIRCLE, Datum, Record, circle, opcode};

use crate::buffer::Buffer;
use crate::entity::{BufferId, Entity, ValueId};
use crate::import::{Draft, DraftSubgraph, DraftValue, ImportError, ImportedLineage};
use crate::lineage::origin::{FileFormat, OriginFile};
use crate::model::{Frame, Layout, Model};
use crate::operator::{OpCode, OpSpec};
use crate::value::{ElementType, ValueSpec, tensor_table};

/// Text that is no model, with the line where it stops being one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Line, from 1.
    pub line: usize,
    /// What is wrong.
    pub text: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.text)
    }
}

impl std::error::Error for ParseError {}

type Result<T, E = String> = std::result::Result<T, E>;

/// No tensor of a text has a larger number than this, and no constant more elements.
const MAX_NUMBER: u32 = 1 << 20;

/// A constant of one element may stand for many; those of a text may come to this many elements altogether, so that a
/// short text cannot ask for gigabytes.
const MAX_REPEATED: u64 = 1 << 22;

/// Reads a model. Each operator and tensor is its own origin, in a file named `text` whose digest is zero.
///
/// # Errors
/// With the line, when the text is no model.
pub fn parse(text: &str) -> Result<Model, ParseError> {
    let mut draft =
        Draft { frame: frame(), subgraphs: Vec::new(), buffers: vec![Buffer::Empty { vector: false }] };
    let mut given = Given::default();
    let mut lines = 0;
    for (index, line) in text.lines().enumerate() {
        lines = index + 1;
        let mut cursor = Cursor { rest: line };
        let done = statement(&mut draft, &mut given, &mut cursor);
        let fail = |text| ParseError { line: index + 1, text };
        if !done.map_err(fail)? {
            break; // the ledger, which is not parsed
        }
    }
    let end = |text: String| ParseError { line: lines, text };
    for (number, (sg, tensors)) in draft.subgraphs.iter_mut().zip(given.tensors).enumerate() {
        if let Some((due, _)) = (0..).zip(tensors.keys()).find(|(due, given)| due != *given) {
            return Err(end(format!("subgraph {number}: %{due} is skipped")));
        }
        sg.values = tensors.into_values().collect();
    }
    let file = OriginFile {
        name: Arc::from("text"),
        format: FileFormat::Other,
        bytes: text.len() as u64,
        md5: [0; 16],
        sha256: None,
    };
    let lineage = ImportedLineage::fresh(&draft, file);
    draft.adopt(lineage).map_err(|error: ImportError| end(error.to_string()))
}

/// What lines have given so far.
#[derive(Default)]
struct Given {
    /// Of each subgraph, by number: memory follows the lines, not the numbers in them.
    tensors: Vec<BTreeMap<u32, DraftValue>>,
    /// Elements of constants that were written as one for all.
    repeated: u64,
}

fn frame() -> Frame {
    Frame {
        record: Record::new(&circle::MODEL),
        codes: Vec::new(),
        signatures: None,
        metadata: None,
        metadata_buffer: None,
        unused_buffers: Vec::new(),
        archive: None,
        layout: Layout::Inline,
    }
}

/// Reads one line. `false` ends the text.
fn statement(draft: &mut Draft, given: &mut Given, c: &mut Cursor<'_>) -> Result<bool> {
    c.space();
    if c.rest.is_empty() || c.rest.starts_with(['#', ';']) {
        return Ok(true);
    }
    if c.rest.trim_end() == "ledger" {
        return Ok(false);
    }
    if c.word("subgraph") {
        let number = c.number("sg")?;
        if number as usize != draft.subgraphs.len() {
            return Err(format!("sg{number} is out of turn"));
        }
        let mut record = Record::new(&circle::SUB_GRAPH);
        let name = c.string()?;
        if !name.is_empty() {
            record.set("name", Datum::Str(Arc::from(name))).map_err(|e| e.to_string())?;
        }
        let inputs = c.values()?;
        c.want("->")?;
        let outputs = c.values()?;
        draft.subgraphs.push(DraftSubgraph {
            record,
            values: Vec::new(),
            operators: Vec::new(),
            inputs,
            outputs,
        });
        given.tensors.push(BTreeMap::new());
        return c.end().map(|()| true);
    }
    let Some(sg) = draft.subgraphs.last_mut() else { return Err("a subgraph is expected first".into()) };
    if c.rest.starts_with('%') {
        value(given, &mut draft.buffers, c)?;
    } else if c.rest.starts_with("op") {
        let number = c.number("op")?;
        if number as usize != sg.operators.len() {
            return Err(format!("op{number} is out of turn"));
        }
        let spec = operator(c)?;
        sg.operators.push(spec);
    } else {
        return Err("a tensor, an operator or a subgraph is expected".into());
    }
    c.end().map(|()| true)
}

fn value(given: &mut Given, buffers: &mut Vec<Buffer>, c: &mut Cursor<'_>) -> Result<()> {
    let number = c.number("%")?;
    if number >= MAX_NUMBER {
        return Err(format!("%{number} is beyond the limit of {MAX_NUMBER}"));
    }
    c.want(":")?;
    c.space();
    let end = c.rest.find('[').ok_or("a type with its shape is expected")?;
    let (ty, rest) = c.rest.split_at(end);
    let ty = ElementType::from_short_name(ty).ok_or_else(|| format!("there is no type {ty:?}"))?;
    c.rest = rest;
    let (mut shape, mut signature) = (Vec::new(), Vec::new());
    for dim in c.list('[', ']')? {
        let open = dim == "?";
        let dim =
            if open { 1 } else { dim.parse::<i64>().map_err(|_| format!("{dim:?} is no dimension"))? };
        shape.push(dim);
        signature.push(if open { -1 } else { dim });
    }
    let name = c.string()?;
    let mut spec = ValueSpec::new(&name, ty, &shape);
    if signature.contains(&-1) {
        spec = spec.with_signature(&signature);
    }
    c.space();
    if c.rest.starts_with('{') {
        for (field, datum) in c.record(tensor_table())?.fields() {
            spec.record.set(field.name, datum.clone()).map_err(|e| e.to_string())?;
        }
    }
    let mut buffer = BufferId::new(0);
    if c.token("=") {
        let elements = c.list('[', ']')?;
        let count = shape.iter().try_fold(1u64, |n, &d| n.checked_mul(u64::try_from(d).ok()?));
        let count =
            count.filter(|&n| n <= u64::from(MAX_NUMBER)).ok_or("the constant is too large")? as usize;
        let one = elements.len() == 1;
        if !one && elements.len() != count {
            return Err(format!("{} elements for a shape of {count}", elements.len()));
        }
        if one {
            given.repeated += count as u64;
            if given.repeated > MAX_REPEATED {
                return Err(format!(
                    "constants of one repeated element have more than {MAX_REPEATED} altogether"
                ));
            }
        }
        let mut data = Vec::new();
        for i in 0..count {
            let text = elements.get(if one { 0 } else { i }).ok_or("elements are missing")?;
            element(ty, text, &mut data)?;
        }
        buffer = BufferId::new(buffers.len() as u32);
        buffers.push(Buffer::Owned(Arc::from(data)));
    }
    let tensors = given.tensors.last_mut().ok_or("a subgraph is expected first")?;
    match tensors.insert(number, DraftValue { record: spec.record, buffer }) {
        None => Ok(()),
        Some(_) => Err(format!("%{number} is given twice")),
    }
}

fn element(ty: ElementType, text: &str, out: &mut Vec<u8>) -> Result<()> {
    let bad = || format!("{text:?} is no {ty}");
    match ty {
        ElementType::FLOAT32 => out.extend(text.parse::<f32>().map_err(|_| bad())?.to_le_bytes()),
        ElementType::FLOAT64 => out.extend(text.parse::<f64>().map_err(|_| bad())?.to_le_bytes()),
        ElementType::INT32 => out.extend(text.parse::<i32>().map_err(|_| bad())?.to_le_bytes()),
        ElementType::INT64 => out.extend(text.parse::<i64>().map_err(|_| bad())?.to_le_bytes()),
        ElementType::INT16 => out.extend(text.parse::<i16>().map_err(|_| bad())?.to_le_bytes()),
        ElementType::INT8 => out.extend(text.parse::<i8>().map_err(|_| bad())?.to_le_bytes()),
        ElementType::UINT8 | ElementType::BOOL => out.push(text.parse::<u8>().map_err(|_| bad())?),
        _ => {
            let width = ty.bytes().ok_or_else(bad)? as usize;
            let digits =
                text.strip_prefix("0x").filter(|d| d.len() == 2 * width && d.is_ascii()).ok_or_else(bad)?;
            for i in (0..width).rev() {
                out.push(u8::from_str_radix(&digits[2 * i..2 * i + 2], 16).map_err(|_| bad())?);
            }
        }
    }
    Ok(())
}

fn operator(c: &mut Cursor<'_>) -> Result<OpSpec> {
    c.space();
    let end =
        c.rest.find([' ', '{', '(']).filter(|_| !c.rest.starts_with("UNKNOWN(")).or_else(|| c.rest.find(' '));
    let (name, rest) = c.rest.split_at(end.ok_or("operands are expected")?);
    c.rest = rest;
    let (builtin, custom) = match name.strip_prefix("CUSTOM:") {
        Some(custom) => (opcode::CUSTOM, Some(Arc::from(custom))),
        None => {
            let number = name.strip_prefix("UNKNOWN(").and_then(|n| n.strip_suffix(')')?.parse().ok());
            let code =
                opcode::code(name).or(number).ok_or_else(|| format!("there is no operator {name:?}"))?;
            (code, None)
        }
    };
    let version = if c.token("v") { i32::try_from(c.digits()?).map_err(|e| e.to_string())? } else { 1 };
    c.space();
    let usual = opcode::options(builtin).map(|o| o.table);
    let options = match (c.rest.starts_with('{'), usual) {
        (true, Some(table)) => Some(c.record(table)?),
        (true, None) => return Err(format!("{name} takes no options; name their table")),
        (false, usual) => {
            let table = c
                .rest
                .find('{')
                .map(|end| &c.rest[..end])
                .filter(|t| t.bytes().all(|b| b.is_ascii_alphanumeric()));
            match table.and_then(|t| CIRCLE.table(t)) {
                Some(table) => {
                    c.rest = &c.rest[table.name.len()..];
                    Some(c.record(table)?)
                }
                None => usual.map(Record::new),
            }
        }
    };
    let extra = if c.token("+") { c.record(&circle::OPERATOR)? } else { Record::new(&circle::OPERATOR) };
    let inputs = c.optional_values()?;
    c.want("->")?;
    let mut outputs = Vec::new();
    c.space();
    while c.rest.starts_with('%') {
        outputs.push(ValueId::from_number(c.number("%")?));
        c.token(",");
        c.space();
    }
    let intermediates = if c.token("~") { c.optional_values()? } else { Vec::new() };
    Ok(OpSpec { code: OpCode { builtin, custom, version }, options, extra, inputs, outputs, intermediates })
}

/// What is left of a line.
struct Cursor<'a> {
    rest: &'a str,
}

impl<'a> Cursor<'a> {
    fn space(&mut self) {
        self.rest = self.rest.trim_start();
    }
    fn token(&mut self, token: &str) -> bool {
        self.space();
        let found = self.rest.strip_prefix(token);
        self.rest = found.unwrap_or(self.rest);
        found.is_some()
    }
    fn word(&mut self, word: &str) -> bool {
        let found = self.rest.strip_prefix(word).filter(|rest| rest.starts_with(' '));
        self.rest = found.unwrap_or(self.rest);
        found.is_some()
    }
    fn want(&mut self, token: &str) -> Result<()> {
        if self.token(token) { Ok(()) } else { Err(format!("{token:?} is expected at {:?}", self.ahead())) }
    }
    fn ahead(&self) -> String {
        self.rest.chars().take(20).collect()
    }
    fn digits(&mut self) -> Result<u32> {
        let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        self.rest = rest;
        digits.parse().map_err(|_| format!("a number is expected at {:?}", self.ahead()))
    }
    fn number(&mut self, prefix: &str) -> Result<u32> {
        self.want(prefix)?;
        self.digits()
    }
    fn end(&mut self) -> Result<()> {
        self.space();
        if self.rest.is_empty() || self.rest.starts_with(';') {
            Ok(())
        } else {
            Err(format!("the end of the line is expected at {:?}", self.ahead()))
        }
    }
    fn list(&mut self, open: char, close: char) -> Result<Vec<&'a str>> {
        self.space();
        let inner = self.rest.strip_prefix(open).and_then(|rest| rest.split_once(close));
        let (inner, rest) =
            inner.ok_or_else(|| format!("{open}...{close} is expected at {:?}", self.ahead()))?;
        self.rest = rest;
        if inner.trim().is_empty() { Ok(Vec::new()) } else { Ok(inner.split(',').map(str::trim).collect()) }
    }
    fn optional_values(&mut self) -> Result<Vec<Option<ValueId>>> {
        let one = |text: &str| match text {
            "_" => Ok(None),
            _ => match text.strip_prefix('%').and_then(|n| n.parse().ok()) {
                Some(number) => Ok(Some(ValueId::from_number(number))),
                None => Err(format!("a tensor is expected, not {text:?}")),
            },
        };
        self.list('(', ')')?.into_iter().map(one).collect()
    }
    fn values(&mut self) -> Result<Vec<ValueId>> {
        let all = self.optional_values()?;
        all.into_iter().map(|v| v.ok_or_else(|| "a tensor is expected, not \"_\"".into())).collect()
    }
    fn record(&mut self, table: &'static circle_tables::TableDef) -> Result<Record> {
        let (record, used) = circle_tables::parse_prefix(table, self.rest).map_err(|e| e.to_string())?;
        self.rest = self.rest.get(used..).unwrap_or("");
        Ok(record)
    }
    /// A quoted string, which is the string field of a record by itself.
    fn string(&mut self) -> Result<String> {
        self.space();
        let (name, used) = circle_tables::unquote(self.rest).map_err(|e| e.to_string())?;
        self.rest = self.rest.get(used..).unwrap_or("");
        Ok(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Show, print};

    const MODEL: &str = r#"subgraph sg0 "main" (%0) -> (%3)
  %0: f32[?,8] "x"
  %1: f32[8] "half" {quantization={scale=[0.5], zero_point=[0]}} = [0.5]
  %2: i32[2] "shape\n" = [-1, 8]
  %3: f32[1,8] "y"
  %4: f32[1,8] "z"
  op0 MUL {fused_activation_function=RELU} (%0, %1) -> %4
  op1 CUSTOM:Erf v3 +{custom_options=x"0102"} (%4, _, %2) -> %3
"#;

    #[test]
    fn text_round_trips() {
        let model = parse(MODEL).unwrap();
        let none: &[u8] = &[];
        assert_eq!(print(&model, &none, Show::Graph), MODEL);
        assert!(print(&model, &none, Show::Lineage).contains("-> %4  ; @0 primary\n"));
    }

    #[test]
    fn errors_name_the_line() {
        for (text, want) in [
            ("%0: f32[] \"x\"", "line 1: a subgraph is expected first"),
            ("subgraph sg0 \"\" () -> ()\n%1: f32[] \"x\"", "line 2: subgraph 0: %0 is skipped"),
            ("subgraph sg0 \"\" () -> ()\n%0: f99[] \"x\"", "line 2: there is no type \"f99\""),
            (
                "subgraph sg0 \"\" () -> ()\n%9999999: f32[] \"x\"",
                "line 2: %9999999 is beyond the limit of 1048576",
            ),
            ("subgraph sg0 \"\" () -> ()\nop0 NOPE () -> %0", "line 2: there is no operator \"NOPE\""),
            ("subgraph sg0 \"\" (%7) -> ()", "line 1: subgraph 0: tensor 7 does not exist"),
        ] {
            assert_eq!(parse(text).unwrap_err().to_string(), want);
        }
    }
}
