//! The dump for people: aligned, readable at 100 columns, long names shortened in the middle.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::{ConstantRow, Dump, FileRow, MetricRow, SourceRow};
use crate::lines::{WIDTH, pad, safe, shorten, wrapped};

/// Columns of a name.
const NAME: usize = 36;

/// What a file is known by, in a line.
pub(crate) fn file_line(file: &FileRow) -> String {
    format!("{}  {}  {} bytes  md5 {}", shorten(&file.name, 40), file.format, file.bytes, file.md5)
}

/// The text.
pub fn to_text(dump: &Dump) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "model    {}", file_line(&dump.model));
    match dump.profile_data {
        "none" => out.push_str("no profile data (circle2circle --profiling_data creates it)\n"),
        "disbelieved" => out.push_str("profile data that cannot be believed; see the problems below\n"),
        _ => {}
    }
    for file in &dump.origin_files {
        let _ = writeln!(out, "origin   {}", file_line(&file.known));
    }
    for run in &dump.history.runs {
        let line = format!("{} {} {}", safe(&run.tool), safe(&run.version), shorten(&run.options, 70));
        let _ = writeln!(out, "run      {}", line.trim_end());
    }
    let c = dump.coverage;
    let inferred = if c.inferred > 0 { format!(", {} inferred", c.inferred) } else { String::new() };
    let _ = writeln!(
        out,
        "coverage {} operators: {} attributed, {} synthetic, {} unknown{inferred}",
        c.operators, c.attributed, c.synthetic, c.unknown
    );
    operators(&mut out, dump);
    constants(&mut out, dump);
    retired(&mut out, dump);
    if !dump.metadata.is_empty() {
        out.push_str("\nmetadata\n");
        for entry in &dump.metadata {
            let known = if entry.known { "" } else { "  (carried as it is)" };
            let _ =
                writeln!(out, "  {} {:>10} bytes{known}", pad(&shorten(&entry.name, 40), 40), entry.bytes);
        }
    }
    if !dump.problems.is_empty() {
        out.push_str("\nproblems\n");
        for problem in &dump.problems {
            let _ = writeln!(out, "  {}: {}: {}", problem.severity, problem.place, safe(&problem.text));
        }
    }
    out
}

fn sources(dump: &Dump) -> HashMap<u32, &SourceRow> {
    dump.sources.iter().map(|source| (source.id, source)).collect()
}

fn source_text(sources: &HashMap<u32, &SourceRow>, id: u32, room: usize) -> String {
    let head = match sources.get(&id) {
        Some(source) if source.opcode.is_empty() => format!("@{id} "),
        Some(source) => format!("@{id} {} ", source.opcode),
        None => return format!("@{id}"),
    };
    let room = room.saturating_sub(head.chars().count()).max(8);
    format!("{head}{}", shorten(&sources[&id].name, room))
}

fn metrics_text(metrics: &[MetricRow]) -> String {
    let one = |m: &MetricRow| {
        let value = match &m.value {
            serde_json::Value::String(text) => shorten(text, 20),
            value => value.to_string(),
        };
        let unit = if m.unit.is_empty() { String::new() } else { format!(" {}", safe(&m.unit)) };
        format!("{} {value}{unit}", shorten(&m.name, 16))
    };
    metrics.iter().map(one).collect::<Vec<_>>().join("  ")
}

fn operators(out: &mut String, dump: &Dump) {
    let sources = sources(dump);
    let opcode_width =
        dump.operators.iter().map(|op| op.opcode.chars().count()).max().unwrap_or(0).clamp(6, 24);
    let mut subgraph = None;
    for op in &dump.operators {
        if subgraph != Some(op.subgraph) {
            subgraph = Some(op.subgraph);
            let _ = writeln!(out, "\nsubgraph {}", op.subgraph);
        }
        let head = format!(
            "{:>5}  {}  {}  {}",
            op.operator,
            pad(&shorten(&op.opcode, opcode_width), opcode_width),
            pad(&shorten(&op.name, NAME), NAME),
            metrics_text(&op.metrics)
        );
        let _ = writeln!(out, "{}", head.trim_end());
        if dump.profile_data == "none" {
            continue;
        }
        for origin in &op.origins {
            let role = match (origin.part, origin.parts) {
                (Some(part), Some(parts)) => format!("{} {part}/{parts}", origin.role),
                _ => origin.role.to_owned(),
            };
            let room = WIDTH - 9 - 14;
            let _ = writeln!(out, "         {} {}", pad(&role, 13), source_text(&sources, origin.id, room));
        }
        if let Some(reason) = &op.unknown {
            let _ = writeln!(out, "         unknown: {}", shorten(reason, WIDTH - 18));
        }
        let last = op.history.len().saturating_sub(1);
        let comma = |(i, name): (usize, &String)| safe(name) + if i == last { "" } else { "," };
        let names: Vec<String> = op.history.iter().enumerate().map(comma).collect();
        wrapped(out, "         by ", names.iter().map(String::as_str));
    }
}

fn constants(out: &mut String, dump: &Dump) {
    let (holding, measured): (Vec<&ConstantRow>, Vec<&ConstantRow>) =
        dump.constants.iter().partition(|constant| !constant.origins.is_empty());
    let sources = sources(dump);
    if !holding.is_empty() {
        out.push_str("\nconstants that hold the work of originals\n");
    }
    let line = |constant: &ConstantRow| {
        let name = shorten(&constant.name, if constant.metrics.is_empty() { 80 } else { NAME });
        let line = format!(
            "  {}:{} {name}  {}",
            constant.subgraph,
            constant.tensor,
            metrics_text(&constant.metrics)
        );
        line.trim_end().to_owned()
    };
    for constant in holding {
        let _ = writeln!(out, "{}", line(constant));
        for origin in &constant.origins {
            let _ = writeln!(
                out,
                "         {} {}",
                pad(origin.role, 13),
                source_text(&sources, origin.id, WIDTH - 23)
            );
        }
    }
    if !measured.is_empty() {
        out.push_str("\nother constants on which something was measured\n");
    }
    for constant in measured {
        let _ = writeln!(out, "{}", line(constant));
    }
}

fn retired(out: &mut String, dump: &Dump) {
    if dump.retired.is_empty() {
        return;
    }
    let sources = sources(dump);
    out.push_str("\nretired: originals that no operator stands for\n");
    for gone in &dump.retired {
        let why = format!("{} by {}", gone.reason, safe(&gone.by));
        let _ = writeln!(out, "  {} {why}", pad(&source_text(&sources, gone.id, 54), 54));
    }
}
