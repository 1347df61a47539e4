//! The report for people, readable at 100 columns.

use std::fmt::Write as _;

use super::{Finding, Report};
use crate::dump::{file_line, file_row};
use crate::lines::{safe, wrapped};

/// The report as text.
pub fn to_text(report: &Report<'_>) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(out, "model     {}", file_line(&file_row(report.file)));
    for file in report.origin_files {
        let _ = writeln!(out, "origin    {}", file_line(&file_row(file)));
    }
    let c = report.coverage;
    let _ = writeln!(
        out,
        "coverage  {} of {} operators proven ({} %); {} inferred, {} unknown, {} helpers beside them",
        c.proven,
        c.counted(),
        c.percent(),
        c.inferred,
        c.unknown,
        c.helper
    );
    let o = report.originals;
    let untraced = match o.untraced {
        0 => String::new(),
        count => format!("{count} untraced, "),
    };
    let _ = writeln!(
        out,
        "originals {}: {} carried by operators, {} held by constants, {} in the ledger, {untraced}{} lost",
        o.all, o.live, o.constants, o.ledger, o.lost
    );
    for compared in report.compared.iter().filter(|compared| compared.file.is_some()) {
        let _ = writeln!(
            out,
            "against   {}: {} operators and {} tensors compared, and the bytes of {}",
            safe(&compared.name),
            compared.operators,
            compared.tensors,
            if compared.constants == 1 {
                "1 constant".to_owned()
            } else {
                format!("{} constants", compared.constants)
            }
        );
    }
    list(&mut out, "remark", &report.remarks);
    list(&mut out, "finding", &report.findings);
    let verdict = match report.findings.len() {
        0 => "holds".to_owned(),
        1 => "does not hold: 1 finding".to_owned(),
        count => format!("does not hold: {count} findings"),
    };
    let _ = writeln!(out, "verdict   {verdict}");
    out
}

fn list(out: &mut String, kind: &str, findings: &[Finding]) {
    for Finding { code, place, text } in findings {
        let words = format!("[{code}] {}: {}", safe(place), safe(text));
        wrapped(out, &format!("{kind:<10}"), words.split(' '));
    }
}
