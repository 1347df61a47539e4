//! Title, files, sums, legend and notices above the graphs.

use super::svg::MARGIN;
use crate::drawing::Drawing;
use crate::options::Theme;
use crate::palette::{category, ramp, skin};
use crate::scene::MetricKind;
use crate::text::{grouped, quantity, shorten, xml};
use crate::text_metrics::{Weight, fit};
use std::fmt::Write as _;

/// Least width of a picture: the header fits into it, in pixels.
pub(super) const WIDTH: f64 = 640.0;
/// Most notices and files shown.
const LISTED: usize = 5;
const LINE: f64 = 17.0;
const LEGEND: f64 = 66.0;
/// Room of a line, in pixels.
const ROOM: f64 = WIDTH - 2.0 * MARGIN;

/// Height of the header in pixels, in a picture `width` pixels wide.
pub(super) fn height(drawing: &Drawing<'_>, width: f64) -> f64 {
    ((MARGIN + 26.0 + LINE * lines(drawing).len() as f64 + LEGEND + 14.0) * scale(width)).round()
}

/// Enlargement of the header: it is to be read also where a wide picture is first seen as a whole.
fn scale(width: f64) -> f64 {
    (width / 1500.0).clamp(1.0, 3.0)
}

/// A number of things, in the plural where it has to be.
fn counted(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// Lines below the title; `true` for a notice.
fn lines(drawing: &Drawing<'_>) -> Vec<(String, bool)> {
    let scene = drawing.scene;
    let mut lines = Vec::new();
    let operators: usize = scene.subgraphs.iter().map(|subgraph| subgraph.nodes.len()).sum();
    let unknown = scene.subgraphs.iter().flat_map(|s| &s.nodes).filter(|node| node.is_unknown()).count();
    let mut counts = counted(operators, "operator");
    if !scene.sources.is_empty() {
        let _ = write!(
            counts,
            " from {}, {} retired",
            counted(scene.sources.len(), "original"),
            scene.retired.len()
        );
    }
    if unknown > 0 {
        let _ = write!(counts, ", {unknown} of unknown origin");
    }
    lines.push((counts, false));
    for file in scene.files.iter().take(LISTED) {
        let digest =
            if file.md5.is_empty() { String::new() } else { format!(" · md5 {}", shorten(&file.md5, 40)) };
        lines.push((format!("origin {}{digest}", shorten(&file.name, 40)), false));
    }
    if scene.files.len() > LISTED {
        lines.push((format!("and {} more files", scene.files.len() - LISTED), false));
    }
    for notice in scene.notices.iter().take(LISTED) {
        lines.push((format!("note: {}", shorten(notice, 200)), true));
    }
    if scene.notices.len() > LISTED {
        lines.push((format!("and {} more notes", scene.notices.len() - LISTED), true));
    }
    lines
}

/// Writes the header.
pub(super) fn write(out: &mut String, drawing: &Drawing<'_>, theme: Theme, width: f64) {
    let s = skin(theme);
    let _ = writeln!(out, "<g transform=\"scale({:.3})\">", scale(width));
    let _ = writeln!(
        out,
        "<text x=\"{MARGIN}\" y=\"{}\" font-size=\"18\" font-weight=\"bold\" fill=\"{}\">{}</text>",
        MARGIN + 10.0,
        s.text,
        xml(&fit(&drawing.scene.title, 18.0, Weight::Bold, ROOM))
    );
    let mut y = MARGIN + 30.0;
    for (line, notice) in lines(drawing) {
        let style = if notice { " font-weight=\"bold\"" } else { "" };
        let colour = if notice { s.text } else { s.faint };
        let _ = writeln!(
            out,
            "<text x=\"{MARGIN}\" y=\"{y}\" font-size=\"11.5\" fill=\"{colour}\"{style}>{}</text>",
            xml(&fit(&line, 11.5, if notice { Weight::Bold } else { Weight::Regular }, ROOM))
        );
        y += LINE;
    }
    match drawing.metric {
        Some(metric) => cost_legend(out, drawing, metric, theme, y),
        None => origin_legend(out, theme, y),
    }
    marks(out, theme, y, drawing.metric.is_some());
    out.push_str("</g>\n");
}

fn cost_legend(out: &mut String, drawing: &Drawing<'_>, metric: usize, theme: Theme, y: f64) {
    let s = skin(theme);
    let (Some(info), Some(Some(total))) = (drawing.scene.metrics.get(metric), drawing.totals.get(metric))
    else {
        let _ = writeln!(
            out,
            "<text x=\"{MARGIN}\" y=\"{}\" fill=\"{}\">no operator has a value</text>",
            y + 8.0,
            s.text
        );
        return;
    };
    let unit = shorten(&info.unit, 12);
    let mut caption = format!("{} per operator", shorten(&info.name, 30));
    if info.kind == MetricKind::Additive {
        let _ = write!(
            caption,
            ", sum {} {unit} over {} operators",
            grouped(total.sum),
            grouped(total.operators as i128)
        );
    } else {
        let _ = write!(caption, " in {unit}, {} operators", grouped(total.operators as i128));
    }
    let _ = writeln!(
        out,
        "<text x=\"{MARGIN}\" y=\"{}\" font-size=\"11.5\" font-weight=\"bold\" fill=\"{}\">{}</text>",
        y + 4.0,
        s.text,
        xml(&fit(&caption, 11.5, Weight::Bold, ROOM))
    );
    let (left, width, steps) = (MARGIN, 320.0, 64);
    for step in 0..steps {
        let part = (f64::from(step) + 0.5) / f64::from(steps);
        let _ = write!(
            out,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"12\" fill=\"{}\"/>",
            left + width * f64::from(step) / f64::from(steps),
            y + 11.0,
            width / f64::from(steps) + 0.3,
            ramp(part, theme)
        );
    }
    let low = i128::from(total.low.min(0));
    let span = i128::from(total.high) - low;
    for tick in 0..=4_u32 {
        let part = f64::from(tick) / 4.0;
        // The inverse of the ramp's scale, exact in sixteenths.
        let value =
            if low < 0 { low + span * i128::from(tick) / 4 } else { span * i128::from(tick * tick) / 16 };
        let anchor = ["start", "middle", "middle", "middle", "end"][tick as usize];
        let x = left + width * part;
        let _ = write!(
            out,
            "<path d=\"M{x} {}v4\" stroke=\"{}\"/><text x=\"{x}\" y=\"{}\" font-size=\"10\" text-anchor=\"{anchor}\" fill=\"{}\">{}</text>",
            y + 23.0,
            s.line,
            y + 37.0,
            s.text,
            xml(&quantity(value, &info.unit))
        );
    }
    out.push('\n');
}

fn origin_legend(out: &mut String, theme: Theme, y: f64) {
    let s = skin(theme);
    let _ = writeln!(
        out,
        "<text x=\"{MARGIN}\" y=\"{}\" font-size=\"11.5\" font-weight=\"bold\" fill=\"{}\">colour: the originals that an operator stands for</text>",
        y + 4.0,
        s.text
    );
    for index in 0..7 {
        let _ = write!(
            out,
            "<rect x=\"{}\" y=\"{}\" width=\"18\" height=\"12\" rx=\"2\" fill=\"{}\"/>",
            MARGIN + 22.0 * index as f64,
            y + 11.0,
            category(index, theme)
        );
    }
    let _ = writeln!(
        out,
        "<text x=\"{MARGIN}\" y=\"{}\" font-size=\"10\" fill=\"{}\">equal sets share a colour, neighbours differ; ← ids of the originals</text>",
        y + 37.0,
        s.text
    );
}

/// The marks that do not depend on colour.
fn marks(out: &mut String, theme: Theme, y: f64, cost: bool) {
    let s = skin(theme);
    let left = MARGIN + 400.0;
    let rows = [
        ("? unknown origin", "stroke-dasharray=\"2 2\"", true),
        ("helper added by a pass", "stroke-dasharray=\"5 3\"", false),
        ("no measured value", "", false),
    ];
    for (row, (text, dash, hatched)) in rows.iter().enumerate() {
        if !cost && row == 2 {
            break;
        }
        let top = y + 10.0 + 16.0 * row as f64;
        let _ = write!(
            out,
            "<rect x=\"{left}\" y=\"{top}\" width=\"22\" height=\"12\" rx=\"2\" fill=\"{}\" stroke=\"{}\" {dash}/>",
            s.blank, s.border
        );
        if *hatched {
            let _ = write!(
                out,
                "<rect x=\"{left}\" y=\"{top}\" width=\"22\" height=\"12\" rx=\"2\" fill=\"url(#hatch)\"/>"
            );
        }
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" font-size=\"10\" fill=\"{}\">{text}</text>",
            left + 29.0,
            top + 10.0,
            s.text
        );
    }
}
