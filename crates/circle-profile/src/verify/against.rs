//! The lineage against a file that it starts from: that file must have the operators and tensors that are claimed,
//! constants that nobody changed must hold what they hold there, and it must not itself come from another.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use circle_ir::import::{Draft, DraftSubgraph};
use circle_ir::lineage::origin::{Origin, OriginFile, TensorOrigin};
use circle_ir::{BufferId, Bytes, Model};
use circle_metadata::hex;
use serde::Serialize;

use super::Finding;

/// An origin file as it was compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Compared {
    /// Its base name.
    pub name: String,
    /// Its number among the files of the lineage; `None` if it is none of them, and nothing could be compared.
    pub file: Option<u32>,
    /// How many original operators were compared with those in it.
    pub operators: u64,
    /// How many of these by their name alone, since of their kind or their place nothing was recorded.
    pub by_name: u64,
    /// How many original tensors were compared with those in it.
    pub tensors: u64,
    /// How many constants of the model are said to be as they were there, and have their bytes compared.
    pub constants: u64,
}

impl Compared {
    /// What was not compared in it.
    pub fn remarks(&self, model: &Model) -> Vec<Finding> {
        let mut remarks = Vec::new();
        if self.by_name > 0 {
            let text = format!(
                "{} of {} operators were compared by name only: of their kind or place nothing was recorded",
                self.by_name, self.operators
            );
            remarks.push(Finding::new("against", &*self.name, text));
        }
        if self.file.is_some() && self.operators > 0 && nothing_of_tensors(model) {
            let text = "no tensor has an origin: constants were not compared";
            remarks.push(Finding::new("against", &*self.name, text));
        }
        remarks
    }
}

/// Whether there are tensors and none of them has an origin.
fn nothing_of_tensors(model: &Model) -> bool {
    let none = model.store().tensor_sets.empty();
    let mut values = model.subgraphs().flat_map(|(_, sg)| sg.values()).peekable();
    values.peek().is_some() && values.all(|(_, value)| value.lineage().tensors() == none)
}

/// A file that a lineage starts from.
#[derive(Clone, Copy)]
pub struct Start<'a> {
    /// What it is known by.
    pub file: &'a OriginFile,
    /// The model in it.
    pub draft: &'a Draft,
    /// Where its constants lie.
    pub bytes: &'a dyn Bytes,
    /// Whether it carries lineage of its own.
    pub carries_lineage: bool,
}

impl fmt::Debug for Start<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Start({:?})", self.file)
    }
}

/// Compares what `model`, whose constants lie in `bytes`, says of a file with that file.
pub fn against(model: &Model, bytes: &dyn Bytes, start: Start<'_>, findings: &mut Vec<Finding>) -> Compared {
    let Start { file, draft, carries_lineage, .. } = start;
    let origins = &model.store().origins;
    let mut compared = Compared {
        name: file.name.to_string(),
        file: None,
        operators: 0,
        by_name: 0,
        tensors: 0,
        constants: 0,
    };
    let mut report = |code, text: String| findings.push(Finding::new(code, &*file.name, text));
    let Some(number) = origins.files.iter().position(|known| known.md5 == file.md5) else {
        let known: Vec<String> =
            origins.files.iter().map(|f| format!("{} (md5 {})", f.name, hex::encode(&f.md5))).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        report(
            "digest",
            format!("md5 {} is that of no file of the lineage, which knows {known}", hex::encode(&file.md5)),
        );
        return compared;
    };
    compared.file = Some(number as u32);
    if let Some(known) = origins.files.get(number) {
        identity(known, file, &mut report);
    }
    if carries_lineage {
        report("intermediate", "it carries lineage itself, so that the claims end half way".into());
    }
    let here = |file: Option<circle_ir::FileId>| file.is_some_and(|f| f.number() as usize == number);
    for (id, origin) in origins.operators.iter().filter(|(_, origin)| here(origin.file)) {
        let Some(index) = origin.operator else { continue };
        let place = format!("{id} subgraph {}, operator {index}", origin.subgraph);
        let Some(sg) = subgraph(draft, origin.subgraph) else {
            report("target", format!("{place}: it has {} subgraphs", draft.subgraphs.len()));
            continue;
        };
        let Some(op) = sg.operators.get(index as usize) else {
            report("target", format!("{place}: that subgraph has {} operators", sg.operators.len()));
            continue;
        };
        compared.operators += 1;
        compared.by_name += u64::from(origin.opcode.is_empty());
        let opcode = op.code.name();
        if !origin.opcode.is_empty() && *origin.opcode != *opcode {
            report("target", format!("{place}: is {opcode} there and {} in the lineage", origin.opcode));
        }
        let name = op.outputs.first().map_or("", |v| name(sg, v.number()));
        if *origin.name != *name {
            report(
                "target",
                format!("{place}: is called {name:?} there and {:?} in the lineage", origin.name),
            );
        }
    }
    // What was taken over from ONE's tables has no place in a file, and names one at best: names can be compared.
    let outputs: BTreeSet<&str> = draft
        .subgraphs
        .iter()
        .flat_map(|sg| sg.operators.iter().flat_map(|op| &op.outputs).map(|v| name(sg, v.number())))
        .collect();
    let alone = origins.files.len() == 1;
    let named = |file: Option<circle_ir::FileId>| here(file) || (alone && file.is_none());
    let placed = |origin: &Origin| here(origin.file) && origin.operator.is_some();
    let by_name = |origin: &&Origin| named(origin.file) && !placed(origin);
    for (id, origin) in origins.operators.iter().filter(|(_, origin)| by_name(origin)) {
        compared.operators += 1;
        compared.by_name += 1;
        if !outputs.contains(&*origin.name) {
            report("target", format!("{id}: no operator of it computes a tensor called {:?}", origin.name));
        }
    }
    for (id, origin) in origins.tensors.iter().enumerate().filter(|(_, origin)| here(origin.file)) {
        compared.tensors += 1;
        let place = format!("@%{id} subgraph {}, tensor {}", origin.subgraph, origin.tensor);
        match subgraph(draft, origin.subgraph) {
            Some(sg) if (origin.tensor as usize) < sg.values.len() => {
                let name = name(sg, origin.tensor);
                if *origin.name != *name {
                    let text =
                        format!("{place}: is called {name:?} there and {:?} in the lineage", origin.name);
                    report("target", text);
                }
            }
            _ => report("target", format!("{place}: there is no such tensor")),
        }
    }
    compared.constants = same_constants(model, bytes, start, number, &mut report);
    if compared.operators == 0 && compared.tensors == 0 && !origins.operators.is_empty() {
        report(
            "target",
            "none of the originals is said to lie in it, so that nothing could be compared".into(),
        );
    }
    compared
}

/// Constants that no pass has made or changed hold what a tensor holds that they are said to be.
fn same_constants(
    model: &Model,
    bytes: &dyn Bytes,
    start: Start<'_>,
    file: usize,
    report: &mut impl FnMut(&'static str, String),
) -> u64 {
    let store = model.store();
    let mut compared = 0;
    // Large constants that many tensors share are compared once.
    let mut known: BTreeMap<(BufferId, BufferId), bool> = BTreeMap::new();
    for (id, sg) in model.subgraphs() {
        let constants = sg.values().filter(|(_, v)| v.def().is_none() && v.lineage().event().is_none());
        for (v, value) in constants {
            let Some(buffer) = model.buffer(value.buffer()) else { continue };
            let said = store.tensor_sets.get(value.lineage().tensors()).iter();
            let said = said.filter_map(|&origin| store.origins.tensor(origin));
            // Tensors that are not there are told by others.
            let there: Vec<(&TensorOrigin, BufferId)> = said
                .filter(|said| said.file.is_some_and(|f| f.number() as usize == file))
                .filter_map(|said| {
                    let sg = subgraph(start.draft, said.subgraph)?;
                    Some((said, sg.values.get(said.tensor as usize)?.buffer))
                })
                .collect();
            let mut same = |there: BufferId| {
                *known.entry((value.buffer(), there)).or_insert_with(|| {
                    let other = start.draft.buffers.get(there.number() as usize);
                    other.and_then(|other| start.bytes.bytes(other)) == bytes.bytes(buffer)
                })
            };
            let Some((said, _)) = there.first() else { continue };
            // What held nothing there and here is no constant.
            let empty = |there: BufferId| {
                start.draft.buffers.get(there.number() as usize).is_none_or(|other| other.is_empty())
            };
            if buffer.is_empty() && there.iter().any(|&(_, buffer)| empty(buffer)) {
                continue;
            }
            compared += 1;
            // Readers of others, which passes have computed from other tensors, may have moved to this one.
            if !there.iter().any(|&(_, buffer)| same(buffer)) {
                let place = format!("subgraph {}, tensor {}", said.subgraph, said.tensor);
                let others = if there.len() > 1 { " or another that it stands for" } else { "" };
                let held = if buffer.is_empty() { "holds none" } else { "holds other bytes" };
                let text = format!("{id} {v} {:?} is said to be {place}{others}, and {held}", value.name());
                report("constant", text);
            }
        }
    }
    compared
}

fn subgraph(draft: &Draft, index: u32) -> Option<&DraftSubgraph> {
    draft.subgraphs.get(index as usize)
}

fn name(sg: &DraftSubgraph, tensor: u32) -> &str {
    sg.values.get(tensor as usize).and_then(|value| value.record.str("name")).unwrap_or("")
}

/// Two files of one md5 must agree in what else is known of them.
fn identity(known: &OriginFile, file: &OriginFile, report: &mut impl FnMut(&'static str, String)) {
    if let (Some(a), Some(b)) = (known.sha256, file.sha256)
        && a != b
    {
        let text = format!("sha256 {} is not {}, as the lineage has it", hex::encode(&b), hex::encode(&a));
        report("digest", text);
    }
    if known.bytes != 0 && known.bytes != file.bytes {
        report("digest", format!("has {} bytes, and {} in the lineage", file.bytes, known.bytes));
    }
}
