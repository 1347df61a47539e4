//! SVG: one group an operator with a title to hover, text as text.

use super::svg_header;
use crate::card::{HEIGHT, KIND_SIZE, PAD, TEXT_SIZE, terminal, tooltip};
use crate::drawing::{Drawing, Panel};
use crate::error::Error;
use crate::layout::{Piece, Point, Rect};
use crate::options::{Options, Theme};
use crate::palette::{Skin, skin};
use crate::scene::Scene;
use crate::text::{shorten, xml};
use crate::text_metrics::FAMILY;
use std::fmt::Write as _;

/// Space around the graphs, in pixels.
pub(super) const MARGIN: f64 = 28.0;

/// Draws a scene as an SVG document of its own.
///
/// # Errors
/// [`Error::Scene`] where the scene contradicts itself.
pub fn svg(scene: &Scene, options: &Options) -> Result<String, Error> {
    scene.validate()?;
    let drawing = Drawing::new(scene, options.colour);
    Ok(document(&drawing, options.theme, true))
}

/// Size of the document in pixels.
pub(super) fn size(drawing: &Drawing<'_>) -> (f64, f64) {
    let widest = drawing.panels.iter().map(|panel| panel.layout.width).fold(0.0, f64::max);
    let width = (widest + 2.0 * MARGIN).max(svg_header::WIDTH);
    let graphs: f64 =
        drawing.panels.iter().map(|panel| heading_height(drawing) + panel.layout.height + MARGIN).sum();
    (width, svg_header::height(drawing, width) + graphs + MARGIN)
}

/// Builds the document. `detail` switches text in boxes and tool tips, which a tiny raster picture has no use for.
pub(super) fn document(drawing: &Drawing<'_>, theme: Theme, detail: bool) -> String {
    let (width, height) = size(drawing);
    let s = skin(theme);
    let mut out = String::new();
    // Writing to a string does not fail, here and below.
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"'{FAMILY}', Verdana, sans-serif\" font-size=\"{TEXT_SIZE}\">"
    );
    let _ = writeln!(out, "<title>{}</title>", xml(&shorten(&drawing.scene.title, 200)));
    let _ = writeln!(
        out,
        "<defs><pattern id=\"hatch\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\" \
         patternTransform=\"rotate(45)\"><rect width=\"3\" height=\"8\" fill=\"{}\"/></pattern></defs>",
        s.hatch
    );
    let _ = writeln!(out, "<rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>", s.background);
    svg_header::write(&mut out, drawing, theme, width);
    let mut y = svg_header::height(drawing, width);
    for panel in &drawing.panels {
        let heading = heading_height(drawing);
        if heading > 0.0 {
            let name = &panel.subgraph.name;
            let name = if name.is_empty() { String::new() } else { format!(" · {}", shorten(name, 80)) };
            let _ = writeln!(
                out,
                "<text x=\"{MARGIN}\" y=\"{}\" font-size=\"14\" font-weight=\"bold\" fill=\"{}\">subgraph {}{}</text>",
                y + 16.0,
                s.text,
                panel.subgraph.index,
                xml(&name)
            );
        }
        y += heading;
        let x = ((width - panel.layout.width) / 2.0).clamp(MARGIN, MARGIN + 200.0).round();
        let _ = writeln!(out, "<g transform=\"translate({x} {y})\">");
        lines(&mut out, panel, &s, detail);
        stubs(&mut out, panel, &s, detail);
        boxes(&mut out, drawing, panel, theme, detail);
        out.push_str("</g>\n");
        y += panel.layout.height + MARGIN;
    }
    out.push_str("</svg>\n");
    out
}

fn heading_height(drawing: &Drawing<'_>) -> f64 {
    if drawing.panels.len() > 1 { 30.0 } else { 0.0 }
}

/// Path data of a piece.
fn piece_path(piece: &Piece) -> String {
    match piece {
        Piece::Curve(a, b) => {
            let middle = (a.y + b.y) / 2.0;
            format!("M{} {}C{} {middle} {} {middle} {} {}", a.x, a.y, a.x, b.x, b.x, b.y)
        }
        Piece::Line(points) => polyline(points),
        Piece::Continuation(points) => rounded(points, 7.0),
    }
}

fn polyline(points: &[Point]) -> String {
    let mut out = String::new();
    for (position, p) in points.iter().enumerate() {
        let _ = write!(out, "{}{} {}", if position == 0 { 'M' } else { 'L' }, p.x, p.y);
    }
    out
}

/// Straight lines whose corners are rounded by at most `radius`.
fn rounded(points: &[Point], radius: f64) -> String {
    let mut out = String::new();
    for (position, p) in points.iter().enumerate() {
        let (Some(before), Some(after)) =
            (position.checked_sub(1).and_then(|k| points.get(k)), points.get(position + 1))
        else {
            let _ = write!(out, "{}{} {}", if position == 0 { 'M' } else { 'L' }, p.x, p.y);
            continue;
        };
        let towards = |q: &Point| {
            let length = (q.x - p.x).abs() + (q.y - p.y).abs();
            let part = if length > 0.0 { radius.min(length / 2.0) / length } else { 0.0 };
            (p.x + (q.x - p.x) * part, p.y + (q.y - p.y) * part)
        };
        let ((ax, ay), (bx, by)) = (towards(before), towards(after));
        let _ = write!(out, "L{ax} {ay}Q{} {} {bx} {by}", p.x, p.y);
    }
    out
}

fn lines(out: &mut String, panel: &Panel<'_>, s: &Skin, detail: bool) {
    let _ = writeln!(out, "<g fill=\"none\" stroke=\"{}\" stroke-width=\"1.2\">", s.line);
    for (net, route) in panel.nets.iter().zip(&panel.layout.routes) {
        if route.pieces.is_empty() {
            continue;
        }
        let mut near = String::new();
        let mut far = String::new();
        for piece in &route.pieces {
            let path = piece_path(piece);
            if matches!(piece, Piece::Continuation(_)) { far.push_str(&path) } else { near.push_str(&path) }
        }
        out.push_str("<g>");
        if detail {
            let text = format!("{} {}", shorten(net.tensor, 200), shorten(net.label, 100));
            let _ = write!(out, "<title>{}</title>", xml(text.trim()));
        }
        if !near.is_empty() {
            let _ = write!(out, "<path d=\"{near}\"/>");
        }
        if !far.is_empty() {
            let _ = write!(out, "<path d=\"{far}\" stroke=\"{}\" stroke-dasharray=\"5 3\"/>", s.continuation);
        }
        for head in &route.heads {
            let Point { x, y } = head.tip;
            let _ = write!(
                out,
                "<path d=\"M{} {}L{x} {y}L{} {}Z\" fill=\"{}\" stroke=\"none\"/>",
                x - 3.5,
                y - 7.0,
                x + 3.5,
                y - 7.0,
                s.line
            );
        }
        out.push_str("</g>\n");
    }
    out.push_str("</g>\n");
}

/// How a box is called at the far end of a stub.
fn box_name(panel: &Panel<'_>, index: u32) -> String {
    let (nodes, inputs) = (panel.subgraph.nodes.len(), panel.subgraph.inputs.len());
    let index = index as usize;
    match panel.subgraph.nodes.get(index) {
        Some(node) => format!("#{}", node.operator),
        None if index < nodes + inputs => format!("input {}", index - nodes),
        None => format!("output {}", index - nodes - inputs),
    }
}

fn stubs(out: &mut String, panel: &Panel<'_>, s: &Skin, detail: bool) {
    for stub in &panel.layout.stubs {
        let Point { x, y } = stub.at;
        let (end, baseline, arrow) =
            if stub.outgoing { (y + 9.0, y + 17.0, "→ ") } else { (y - 9.0, y - 11.0, "") };
        let _ = write!(
            out,
            "<path d=\"M{x} {y}L{x} {end}\" stroke=\"{}\" stroke-dasharray=\"2 2\" fill=\"none\"/>",
            s.line
        );
        if detail && let Some(first) = stub.others.first() {
            let more = match stub.others.len() {
                1 => String::new(),
                n => format!(" +{}", n - 1),
            };
            let back = if stub.outgoing { "" } else { " →" };
            let _ = write!(
                out,
                "<text x=\"{x}\" y=\"{baseline}\" font-size=\"8\" text-anchor=\"middle\" fill=\"{}\">{arrow}{}{more}{back}</text>",
                s.faint,
                box_name(panel, *first)
            );
        }
        out.push('\n');
    }
}

fn boxes(out: &mut String, drawing: &Drawing<'_>, panel: &Panel<'_>, theme: Theme, detail: bool) {
    let s = skin(theme);
    let names = |id: u32| drawing.source_name(id);
    let (nodes, inputs) = (panel.subgraph.nodes.len(), panel.subgraph.inputs.len());
    for (index, rect) in panel.layout.boxes.iter().enumerate() {
        let Some(node) = panel.subgraph.nodes.get(index) else {
            let end = index - nodes;
            let (what, end) = if end < inputs {
                ("input", panel.subgraph.inputs.get(end))
            } else {
                ("output", panel.subgraph.outputs.get(end - inputs))
            };
            if let Some(end) = end {
                out.push_str("<g>");
                frame(out, rect, &format!("fill=\"{}\" stroke=\"{}\"", s.terminal, s.border), 16.0);
                if detail {
                    let [head, name] = terminal(end, what, rect.width);
                    let middle = rect.x + rect.width / 2.0;
                    let _ = write!(
                        out,
                        "<g text-anchor=\"middle\" fill=\"{}\"><text x=\"{middle}\" y=\"{}\" font-weight=\"bold\">{}</text><text x=\"{middle}\" y=\"{}\">{}</text></g>",
                        s.text,
                        rect.y + 14.0,
                        xml(&head),
                        rect.y + 27.0,
                        xml(&name)
                    );
                }
                out.push_str("</g>\n");
            }
            continue;
        };
        let (fill, hatched) = drawing.fill(panel, index, theme);
        // Helpers and operators of unknown origin are also marked by their border and by words.
        let dash = match (node.is_helper(), node.is_unknown()) {
            (true, _) => " stroke-dasharray=\"5 3\"",
            (_, true) => " stroke-dasharray=\"2 2\"",
            _ => "",
        };
        let _ = write!(out, "<g id=\"op-{}-{}\">", panel.subgraph.index, node.operator);
        if detail {
            let _ = write!(out, "<title>{}</title>", title_xml(&tooltip(drawing.scene, &names, node)));
        }
        frame(out, rect, &format!("fill=\"{fill}\" stroke=\"{}\"{dash}", s.border), 4.0);
        let measured = drawing.metric.is_some_and(|metric| node.integer(metric).is_some());
        if hatched && measured {
            // Colour means cost here: the hatched strip at the edge leaves text and colour alone.
            let strip = Rect { width: 6.0, ..*rect };
            frame(out, &strip, "fill=\"url(#hatch)\"", 3.0);
        } else if hatched {
            frame(out, rect, "fill=\"url(#hatch)\"", 4.0);
        }
        if detail {
            let card = &panel.cards[index];
            let (left, right) = (rect.x + PAD, rect.x + rect.width - PAD);
            let line = |out: &mut String, x: f64, y: f64, attributes: &str, text: &str| {
                if !text.is_empty() {
                    let _ =
                        write!(out, "<text x=\"{x}\" y=\"{}\"{attributes}>{}</text>", rect.y + y, xml(text));
                }
            };
            let _ = write!(out, "<g fill=\"{}\">", fill.ink());
            line(out, left, 15.0, &format!(" font-size=\"{KIND_SIZE}\" font-weight=\"bold\""), &card.kind);
            line(out, right, 15.0, " text-anchor=\"end\"", &card.cost);
            line(out, left, 29.0, "", &card.name);
            line(out, left, HEIGHT - 7.0, "", &card.origins);
            line(out, right, HEIGHT - 7.0, " text-anchor=\"end\"", &card.output);
            out.push_str("</g>");
        }
        out.push_str("</g>\n");
    }
}

fn frame(out: &mut String, rect: &Rect, paint: &str, radius: f64) {
    let Rect { x, y, width, height } = rect;
    let _ = write!(
        out,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{radius}\" {paint}/>"
    );
}

/// A tool tip keeps its own line ends; everything else in it has been made visible.
fn title_xml(text: &str) -> String {
    text.split('\n').map(xml).collect::<Vec<_>>().join("\n")
}
