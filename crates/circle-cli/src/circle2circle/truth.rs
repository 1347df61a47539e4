//! `--truth`: judges the claims that passes make on a model, instead of writing the result.

use circle_ir::Model;
use circle_passes::proof::truth::{TruthReport, check};
use circle_passes::{Pass, Settings};

use super::Form;
use crate::failure::{FAILED, Failure};
use crate::model::Input;
use crate::{output, progress};

/// Judges and prints.
///
/// # Errors
/// When a claim is not true or wanting, or the model cannot be judged.
pub(super) fn run(
    input: &Input,
    model: &Model,
    passes: &[Pass],
    settings: &Settings,
    form: Form,
) -> Result<(), Failure> {
    progress::step("judging claims");
    let bytes = input.bytes();
    let report = check(model, &bytes, passes, settings).map_err(|error| Failure::at(input.name(), error))?;
    output::print(&match form {
        Form::Text => text(&report),
        Form::Json => json(&report),
    })?;
    if report.untrue.is_empty() && report.confirmed == 0 && report.patches > 0 {
        crate::failure::note(&format!(
            "{}: nothing could be judged: no constant was seen to reach an operator of the result",
            input.name()
        ));
    }
    if report.untrue.is_empty() { Ok(()) } else { Err(Failure::silent(FAILED)) }
}

fn percent(part: u64, rest: u64) -> String {
    match part.checked_add(rest) {
        None | Some(0) => "-".into(),
        Some(all) => format!("{:.1} %", 100.0 * part as f64 / all as f64),
    }
}

fn text(report: &TruthReport) -> String {
    let mut text = String::new();
    for untrue in &report.untrue {
        text.push_str(&format!("{untrue}\n"));
    }
    for constant in &report.undecided {
        text.push_str(&format!(
            "undecided: constant {constant}: with other numbers the passes take another course\n"
        ));
    }
    text.push_str(&format!(
        "{} claims confirmed, {} wanting, {} unfounded: recall {}, precision {}\n",
        report.confirmed,
        report.missing(),
        report.unfounded(),
        percent(report.confirmed, report.missing()),
        percent(report.confirmed, report.unfounded()),
    ));
    if report.untried > 0 {
        text.push_str(&format!(
            "{} claims are not decided by numbers: parts and results of one step, constants of zeros\n",
            report.untried
        ));
    }
    text.push_str(&format!(
        "{} operators have numbers to change, {} have none and were not judged; {} patches, {} runs\n",
        report.judged, report.without_numbers, report.patches, report.runs
    ));
    text
}

fn json(report: &TruthReport) -> String {
    let untrue: Vec<_> = report
        .untrue
        .iter()
        .map(|untrue| {
            serde_json::json!({
                "where": untrue.operator, "original": untrue.original.number(), "opcode": untrue.code,
                "name": untrue.name, "finding": if untrue.claimed { "unfounded" } else { "wanting" },
            })
        })
        .collect();
    let value = serde_json::json!({
        "schema_version": 1,
        "confirmed": report.confirmed, "wanting": report.missing(), "unfounded": report.unfounded(),
        "untried": report.untried, "untrue": untrue, "undecided": report.undecided,
        "judged": report.judged, "without_numbers": report.without_numbers,
        "patches": report.patches, "runs": report.runs,
    });
    format!("{value:#}\n")
}
