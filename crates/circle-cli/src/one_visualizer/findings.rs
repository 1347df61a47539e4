//! What was found in the inputs, as text and as JSON.

use circle_memory::check::CheckOptions;
use circle_memory::{Block, Finding, Memory, Named, Part, Places, Severity, check_part};
use serde_json::{Value, json};

use super::{Form, Options, part, planned};
use crate::failure::{FAILED, Failure, note, warn};
use crate::model::{Input, Model};
use crate::{output, plans};

/// A finding, ready to be told.
pub(super) struct Reported {
    pub(super) severity: Severity,
    /// With the file that it is in.
    pub(super) text: String,
    pub(super) json: Value,
}

impl Reported {
    /// Something that was found in memory data.
    pub(super) fn of_memory(input: &Input, finding: &Finding) -> Self {
        let named = |named: &Option<Named>| {
            named.as_ref().map(|named| json!({ "index": named.index, "name": named.name }))
        };
        let json = json!({
            "file": input.path,
            "severity": finding.severity.to_string(),
            "code": finding.code.name(),
            "line": finding.line,
            "segment": named(&finding.place.segment),
            "block": named(&finding.place.block),
            "other": finding.other,
            "field": finding.place.field,
            "further": finding.further,
            "at_least": finding.at_least,
            "message": finding.message,
        });
        Self { severity: finding.severity, text: finding.in_file(input.name()).to_string(), json }
    }

    /// Something about a file as a whole, or about a field of it.
    pub(super) fn of_file(
        input: &Input,
        (code, severity): (&str, Severity),
        field: Option<&str>,
        message: &str,
    ) -> Self {
        let json = json!({
            "file": input.path, "severity": severity.to_string(), "code": code, "line": null, "segment": null,
            "block": null, "other": null, "field": field, "further": 0, "at_least": false, "message": message,
        });
        Self { severity, text: format!("{}: {message}", input.name()), json }
    }
}

impl Reported {
    /// Why a file cannot be read; the text names it.
    pub(super) fn unreadable(path: &str, text: String) -> Self {
        let json = json!({
            "file": path, "severity": Severity::Error.to_string(), "code": "unreadable", "line": null,
            "segment": null, "block": null, "other": null, "field": null, "further": 0, "at_least": false,
            "message": text,
        });
        Self { severity: Severity::Error, text, json }
    }
}

/// What is known of the plans that a model carries.
pub(super) struct OfPlans {
    /// How many it carries.
    pub(super) count: usize,
    /// What is at fault with the part of them that is asked for.
    pub(super) found: Vec<Reported>,
    /// Names of their segments.
    pub(super) segments: Vec<String>,
}

/// Looks at the plans that a model carries. Each finding of a plan names the entry that holds it, and the tensors of its
/// blocks.
pub(super) fn of_plans(options: &Options, input: &Input, model: &Model) -> OfPlans {
    let part = part::asked(options);
    let carried = plans::carried(&model.imported.model, input.bytes());
    let count = carried.len();
    let (mut found, mut segments) = (Vec::new(), Vec::new());
    for plan in carried {
        let plan = match plan {
            Ok(plan) => plan,
            Err(reason) => {
                found.push(Reported::of_file(input, ("plan", Severity::Error), None, &reason));
                continue;
            }
        };
        if let Some(places) = plan.unplaced() {
            let message = format!("its {} gives no place to {places}", plan.key);
            found.push(Reported::of_file(input, ("partial", Severity::Note), None, &message));
        }
        let memory = planned::memory(model, &plan);
        segments.extend(part::names(&memory).map(str::to_owned));
        for remark in part::remarks(&part, &memory, &plan.remarks) {
            let severity = if remark.fault { Severity::Error } else { Severity::Warning };
            let message = format!("its {}: {}", plan.key, remark.text);
            let mut reported = Reported::of_file(input, (remark.code, severity), None, &message);
            if let Some(object) = reported.json.as_object_mut() {
                object.insert("plan".into(), plan.key.into());
                let tensor = remark
                    .tensor
                    .map(|(subgraph, index)| json!({ "subgraph": subgraph, "index": index, "name": null }));
                object.insert("tensor".into(), tensor.into());
            }
            found.push(reported);
        }
        for finding in of_model(&memory, &part) {
            let block = block(&memory, &finding, finding.place.block.as_ref().map(|block| block.index));
            let tensor = block.and_then(|block| block.tensor.as_ref()).map(
                |tensor| json!({ "subgraph": tensor.subgraph, "index": tensor.index, "name": tensor.name }),
            );
            let mut reported = Reported::of_memory(input, &finding);
            reported.text = finding.in_file(&format!("{}: its {}", input.name(), plan.key)).to_string();
            if let Some(object) = reported.json.as_object_mut() {
                object.insert("plan".into(), plan.key.into());
                object.insert("tensor".into(), tensor.into());
            }
            found.push(reported);
        }
    }
    OfPlans { count, found, segments }
}

/// What is found in a part of the plan of a model, with the tensors and operators whose blocks are at fault.
fn of_model(memory: &Memory, part: &Part) -> Vec<Finding> {
    let mut findings = check_part(memory, &Places::default(), CheckOptions::default(), part).findings;
    for finding in &mut findings {
        let both = [finding.place.block.as_ref().map(|block| block.index), finding.other];
        let held: Vec<String> = both.into_iter().filter_map(|at| held(block(memory, finding, at)?)).collect();
        if !held.is_empty() {
            finding.message = format!("{} ({})", finding.message, held.join(", "));
        }
    }
    findings
}

fn block<'a>(memory: &'a Memory, finding: &Finding, at: Option<usize>) -> Option<&'a Block> {
    memory.segments.get(finding.place.segment.as_ref()?.index)?.blocks.get(at?)
}

/// What a block of a model holds: the place of its tensor, or of the operator whose scratch memory it is.
fn held(block: &Block) -> Option<String> {
    let (what, subgraph, index) = match (&block.tensor, &block.written_by) {
        (Some(tensor), _) => ("tensor", tensor.subgraph, tensor.index?),
        (None, Some(operator)) => ("operator", operator.subgraph, operator.index?),
        (None, None) => return None,
    };
    Some(format!("subgraph {subgraph} {what} {index}"))
}

/// Tells the outcome of a check, on standard error as text or on standard output as JSON.
///
/// # Errors
/// When it cannot be written.
pub(super) fn tell<'a>(options: &Options, found: impl Iterator<Item = &'a Reported>) -> Result<(), Failure> {
    if options.format == Some(Form::Json) {
        let findings: Vec<&Value> = found.map(|reported| &reported.json).collect();
        let report = json!({ "schema_version": 1, "findings": findings });
        output::write_text(options.output.as_deref().unwrap_or("-"), &format!("{report:#}\n"))?;
    } else {
        for reported in found {
            match reported.severity {
                Severity::Error => crate::failure::error(&reported.text),
                Severity::Warning => warn(&reported.text),
                Severity::Note if options.common.quiet => {}
                Severity::Note => note(&reported.text),
            }
        }
    }
    Ok(())
}

/// Whether what was checked is sound. What is at fault has been told.
///
/// # Errors
/// When it is not.
pub(super) fn verdict(found: &[Reported]) -> Result<(), Failure> {
    let faulty = found.iter().any(|reported| reported.severity == Severity::Error);
    if faulty { Err(Failure::silent(FAILED)) } else { Ok(()) }
}
