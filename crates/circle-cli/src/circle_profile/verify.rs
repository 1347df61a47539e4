//! `circle-profile verify`: proves or refutes what a model says of its provenance.

use circle_format::lineage::audit::audit;
use circle_format::lineage::identity::identify;
use circle_format::lineage::import::Basis;
use circle_format::read::{ReadOptions, read};
use circle_metadata::problem::Severity;
use circle_profile::coverage::{Coverage, Percent};
use circle_profile::verify::against::{Start, against};
use circle_profile::verify::{Compared, Finding, Report, law, to_json, to_text};

use super::Form;
use crate::args::Common;
use crate::failure::{FAILED, Failure};
use crate::model::{Input, Model, SidecarUse, load_with, profile_data};
use crate::output;
use crate::places::Places;

/// The verb's options.
#[derive(Debug, clap::Args)]
#[command(rename_all = "snake_case")]
pub(super) struct Options {
    /// Model to verify; - for standard input
    model: String,
    /// A file that the lineage starts from; repeat for several
    #[arg(long, value_name = "ORIGIN")]
    against: Vec<String>,
    /// Percentage of operators, helpers left out, that must be proven
    #[arg(long, value_name = "P")]
    min_coverage: Option<Percent>,
    /// Lineage beside the model, or a folder that holds it, where the model has lost its
    #[arg(long, value_name = "FILE.json")]
    sidecar: Option<String>,
    /// Leave out what this version does not know instead of refusing a model
    #[arg(long)]
    allow_loss: bool,
    /// Form of the output
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,
}

pub(super) fn run(options: &Options, common: Common) -> Result<(), Failure> {
    let inputs = std::iter::once(&options.model).chain(&options.against).map(String::as_str).collect();
    Places { inputs, ..Places::default() }.check()?;
    let _shown = crate::progress::show(common);
    let input = Input::open(&options.model)?;
    let reading = ReadOptions { allow_loss: options.allow_loss };
    let model = load_with(&input, reading, common, options.sidecar.as_deref())?;
    let graph = &model.imported.model;
    let (mut findings, mut remarks) = (Vec::new(), Vec::new());
    let shown = model.imported.basis != Basis::Fresh;
    entries(&input, &model, reading, &mut findings, &mut remarks)?;
    findings.extend(law::check(graph));
    let mut compared = Vec::new();
    let mut coverage = Coverage::of(graph);
    if shown {
        for path in &options.against {
            compared.push(compare(path, &input, &model, reading, &mut findings, &mut remarks)?);
        }
        let files = graph.store().origins.files.iter().enumerate();
        for (number, file) in files.filter(|_| !options.against.is_empty()) {
            if !compared.iter().any(|done| done.file == Some(number as u32)) {
                let text = "is a file of the lineage and was not compared";
                remarks.push(Finding::new("against", &*file.name, text));
            }
        }
        remarks.extend(law::remarks(graph));
        findings.extend(law::unconfirmed(graph, &coverage));
        findings.extend(law::nothing_known(&coverage));
    } else {
        // What reading made up for a model without lineage proves nothing.
        coverage =
            Coverage { operators: coverage.operators, unknown: coverage.operators, ..Coverage::default() };
        findings.push(Finding::new("lineage", input.name(), "the model carries no lineage"));
    }
    findings.extend(law::coverage(&coverage, options.min_coverage));
    let report = Report {
        file: &model.file,
        profile_data: profile_data(model.imported.basis),
        origin_files: if shown { &graph.store().origins.files } else { &[] },
        coverage,
        minimum: options.min_coverage,
        originals: if shown { law::originals(graph) } else { law::Originals::default() },
        compared,
        findings,
        remarks,
    };
    output::print(&match options.format {
        Form::Text => to_text(&report),
        Form::Json => to_json(&report).map_err(|error| Failure::at(input.name(), error))?,
    })?;
    if report.holds() { Ok(()) } else { Err(Failure::silent(FAILED)) }
}

/// What the file's metadata entries say of each other.
fn entries(
    input: &Input,
    model: &Model,
    reading: ReadOptions,
    findings: &mut Vec<Finding>,
    remarks: &mut Vec<Finding>,
) -> Result<(), Failure> {
    for problem in &model.imported.problems {
        let list = if problem.severity == Severity::Error { &mut *findings } else { &mut *remarks };
        list.push(Finding::new("metadata", problem.place(), &*problem.text));
    }
    let loaded = read(input.bytes(), reading);
    let loaded = loaded.map_err(|error| Failure::at(input.name(), error))?;
    for name in &loaded.own.repeated {
        let text = "stands there several times: the last one counts, and another reader may take another";
        findings.push(Finding::new("metadata", name, text));
    }
    let discord = audit(input.bytes(), &loaded);
    match model.imported.basis {
        // What the file itself says is set aside for the sidecar.
        Basis::Sidecar => {
            remarks.extend(discord.into_iter().map(|d| Finding::new(d.code, d.place, d.text)));
            remarks.push(Finding::new("sidecar", "lineage", "is that of the sidecar, not of the model"));
        }
        _ => {
            let exact = discord.iter().any(|d| d.code == "stale");
            findings.extend(discord.into_iter().map(|d| Finding::new(d.code, d.place, d.text)));
            if let (false, Some(reason)) = (exact, &model.imported.stale) {
                findings.push(Finding::new("stale", "lineage", &**reason));
            }
        }
    }
    beside(model.sidecar, findings, remarks);
    if let Some(doubt) = &model.imported.doubt {
        findings.push(Finding::new("tables", "ONE_op_table", &**doubt));
    }
    if model.imported.basis == Basis::OneTables {
        let (all, named) = law::by_tables(&model.imported.model);
        let text = format!(
            "are all there is: they prove nothing and know neither roles nor history; {named} of {all} operators bear \
             the name of an original that they are credited to"
        );
        remarks.push(Finding::new("tables", "ONE's tables", text));
    }
    Ok(())
}

/// What a sidecar says that the file itself does not: what its constants held. That counts whoever brought the lineage.
fn beside(sidecar: Option<SidecarUse>, findings: &mut Vec<Finding>, remarks: &mut Vec<Finding>) {
    let (agrees, same_constants) = match sidecar {
        None => return,
        Some(SidecarUse::Brought { same_constants }) => (true, same_constants),
        Some(SidecarUse::NotNeeded { agrees, same_constants }) => (agrees, same_constants),
    };
    if !agrees {
        let text = "holds another lineage than the model, whose own counts; nothing was verified of it";
        findings.push(Finding::new("sidecar", "sidecar", text));
    }
    match same_constants {
        Some(true) => {}
        Some(false) => {
            let text = "hold other bytes than when the sidecar was written";
            findings.push(Finding::new("constant", "constants", text));
        }
        None => {
            let text = "were not compared with those that the sidecar was written for";
            remarks.push(Finding::new("constant", "constants", text));
        }
    }
}

fn compare(
    path: &str,
    input: &Input,
    model: &Model,
    reading: ReadOptions,
    findings: &mut Vec<Finding>,
    remarks: &mut Vec<Finding>,
) -> Result<Compared, Failure> {
    let origin = Input::open(path)?;
    let loaded = read(origin.bytes(), reading);
    let loaded = loaded.map_err(|error| Failure::at(path, error))?;
    let file = identify(path, Some(loaded.format), origin.bytes());
    let carries_lineage = loaded.own.lineage.is_some() || loaded.own.op_table.is_some();
    let bytes = origin.bytes();
    let start = Start { file: &file, draft: &loaded.draft, bytes: &bytes, carries_lineage };
    let compared = against(&model.imported.model, &input.bytes(), start, findings);
    remarks.extend(compared.remarks(&model.imported.model));
    Ok(compared)
}
