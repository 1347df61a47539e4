//! The lineage against a file that it starts from: that file must have the operators and tensors that are claimed, and
//! must not itself come from another.

use std::collections::BTreeSet;

use circle_ir::Model;
use circle_ir::import::{Draft, DraftSubgraph};
use circle_ir::lineage::origin::OriginFile;
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
    /// How many original operators lie in it.
    pub operators: u64,
    /// How many original tensors lie in it.
    pub tensors: u64,
}

/// Compares what `model` says of `file` with that file, read as `draft`. `carries_lineage` tells whether the file
/// carries lineage of its own.
pub fn against(
    model: &Model,
    file: &OriginFile,
    draft: &Draft,
    carries_lineage: bool,
    findings: &mut Vec<Finding>,
) -> Compared {
    let origins = &model.store().origins;
    let mut compared = Compared { name: file.name.to_string(), file: None, operators: 0, tensors: 0 };
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
        compared.operators += 1;
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
    // What was taken over from ONE's tables names no file: the names are what can be compared.
    let outputs: BTreeSet<&str> = draft
        .subgraphs
        .iter()
        .flat_map(|sg| sg.operators.iter().flat_map(|op| &op.outputs).map(|v| name(sg, v.number())))
        .collect();
    let alone = origins.files.len() == 1;
    for (id, origin) in origins.operators.iter().filter(|(_, origin)| alone && origin.file.is_none()) {
        compared.operators += 1;
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
    if compared.operators == 0 && compared.tensors == 0 && !origins.operators.is_empty() {
        report(
            "target",
            "none of the originals is said to lie in it, so that nothing could be compared".into(),
        );
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
