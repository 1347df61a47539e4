//! The blocks of a plot: spaces, blocks, merged cells, connectors of wrapped blocks, marks of faulty ones.

use super::axis::{bytes, end};
use super::cells::{Cells, Drawn, Scale};
use super::chart::{Chart, Panel};
use super::names::{block_name, kind_name, layers, reason_name, tick_word};
use super::svg_lines::Lines;
use super::svg_names;
use super::svg_panel::alarm;
use crate::palette::{Skin, skin};
use crate::text::{grouped, grouped_bytes, shorten, xml};
use circle_memory::Piece;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Outlines of spaces, connectors and tool tips beyond these numbers would be more than the blocks.
const SPACES: usize = 1_500;
const JOINS: usize = 1_500;
const TIPS: usize = 5_000;

/// Writes the blocks of panel `number`.
pub(super) fn write(
    out: &mut String,
    chart: &Chart<'_>,
    number: usize,
    drawn: &Cells,
    scale: &Scale,
    lines: &Lines,
    tips: bool,
) {
    let Some(panel) = chart.panels.get(number) else { return };
    let s = skin(chart.options.theme);
    spaces(out, panel, scale, &s, Some(tips));
    let mut alike: BTreeMap<(u32, u64, u64), u32> = BTreeMap::new();
    let outline = drawn.whole.len() <= 2_500;
    let mut inside: Vec<(Drawn, f64)> = Vec::with_capacity(drawn.whole.len());
    for d in &drawn.whole {
        let Some(block) = panel.segment.blocks.get(d.block) else { continue };
        let Some(class) = chart.paint.get(chart.paint.class(number, d.block)) else { continue };
        // Blocks of a space are drawn smaller, and smaller again where they lie on one that began with them.
        let mut inset = if outline { 0.5 } else { 0.0 };
        if let Some(space) = block.space {
            let before = alike.entry((space, block.alive_from, block.offset)).or_insert(0);
            inset += 1.5 + 2.5 * f64::from((*before).min(4));
            *before += 1;
        }
        let inset = inset.min(d.width / 4.0).min(d.height / 4.0);
        let d = Drawn {
            x: d.x + inset,
            y: d.y + inset,
            width: d.width - 2.0 * inset,
            height: d.height - 2.0 * inset,
            ..*d
        };
        let paint = if outline && d.width > 3.0 && d.height > 3.0 {
            format!("fill=\"{}\" stroke=\"{}\" stroke-width=\"0.6\"", class.colour, s.border)
        } else {
            format!("fill=\"{}\"", class.colour)
        };
        let Drawn { x, y, width, height, .. } = d;
        if tips && drawn.whole.len() <= TIPS {
            let _ = write!(out, "<g><title>{}</title>", tip(chart, panel, d.block));
        }
        let rect = format!("x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\"");
        let _ = write!(out, "<rect {rect} {paint}/>");
        if class.hatched {
            let _ = write!(out, "<rect {rect} fill=\"url(#hatch)\"/>");
        }
        if tips && drawn.whole.len() <= TIPS {
            out.push_str("</g>");
        }
        out.push('\n');
        inside.push((d, inset));
    }
    for run in &drawn.runs {
        let Some(class) = chart.paint.get(run.class) else { continue };
        let colour = if class.hatched { s.hatch } else { class.colour };
        let _ = writeln!(
            out,
            "<path d=\"{}\" fill=\"{colour}\" fill-opacity=\"{}\" shape-rendering=\"crispEdges\"/>",
            run.path, run.strength
        );
    }
    spaces(out, panel, scale, &s, None);
    lines.strokes(out, &s);
    marks(out, chart, panel, scale, &s);
    // Names can be read on marks, too.
    svg_names::write(out, chart, number, &inside, lines);
    joins(out, panel, scale, &s);
}

/// Stripes under closed spaces, with words for the pointer if `below` says so; or, where that is `None`, dashed outlines of
/// all spaces above their blocks.
fn spaces(out: &mut String, panel: &Panel<'_>, scale: &Scale, s: &Skin, below: Option<bool>) {
    let mut left = SPACES;
    for (position, space) in panel.segment.spaces.iter().enumerate() {
        let (x, till) = (scale.x(space.alive_from), scale.x(space.alive_till));
        let whole = Piece { offset: space.offset, size: space.size };
        let (y, low) = (scale.y(end(whole)), scale.y(space.offset));
        if till - x < 3.0 || low - y < 3.0 || left == 0 {
            continue;
        }
        left -= 1;
        let rect =
            format!("<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{:.2}\" height=\"{:.2}\"", till - x, low - y);
        if let Some(tips) = below {
            // What is reserved and taken by no block stays striped; the rest of an open space is nobody's.
            if space.open {
                continue;
            }
            let stripes = format!("{rect} fill=\"{}\"/>{rect} fill=\"url(#reserved)\"/>", s.blank);
            let _ = match tips {
                true => writeln!(out, "<g><title>{}</title>{stripes}</g>", space_tip(panel, position)),
                false => writeln!(out, "{stripes}"),
            };
        } else {
            let _ = writeln!(
                out,
                "{rect} fill=\"none\" stroke=\"{}\"{}/>",
                s.text,
                // Dashes need room.
                if till - x >= 12.0 && low - y >= 12.0 {
                    " stroke-width=\"1.3\" stroke-dasharray=\"4 2.5\""
                } else {
                    " stroke-width=\"0.8\" stroke-opacity=\"0.7\""
                }
            );
        }
    }
}

/// What is reserved of a space, for the pointer.
fn space_tip(panel: &Panel<'_>, position: usize) -> String {
    let Some(space) = panel.whole_space(position) else { return String::new() };
    let end = end(Piece { offset: space.offset, size: space.size });
    let lines = [
        format!("space {}, {}: reserved as a whole", space.id, reason_name(space.reason)),
        format!("{} B = {}", grouped(space.size.into()), bytes(space.size.into())),
        format!("address {} to before {}", grouped(space.offset.into()), grouped_bytes(end)),
        format!(
            "reserved from {} {} to before {}",
            tick_word(panel.unit),
            grouped(space.alive_from.into()),
            grouped(space.alive_till.into())
        ),
        "no block takes what is striped".to_owned(),
    ];
    lines.map(|line| xml(&line)).join("\n")
}

/// Everything about a block, for the pointer.
fn tip(chart: &Chart<'_>, panel: &Panel<'_>, block: usize) -> String {
    let place = panel.place(block);
    // The block as it is in the plan: one that is cut to the ticks shown has another life.
    let Some(b) = panel.memory.segments.get(panel.at).and_then(|segment| segment.blocks.get(place)) else {
        return String::new();
    };
    let none = BTreeMap::new();
    let origins = chart.origins.get(panel.plan).unwrap_or(&none);
    let mut lines = vec![shorten(&block_name(b, place, origins), 200)];
    if !b.origins.is_empty() {
        lines.push(format!("from {}", shorten(&layers(b, origins), 300)));
    }
    if let Some(operator) = &b.written_by {
        let text = [&operator.opcode, &operator.name].into_iter().flatten().map(|t| shorten(t, 80));
        lines.push(format!("written by {}", text.collect::<Vec<_>>().join(" ")));
    }
    if let Some(tensor) = &b.tensor {
        let mut text = tensor.dtype.as_deref().map(|t| shorten(t, 30)).unwrap_or_default();
        if let Some(shape) = &tensor.shape {
            let shape: Vec<String> = shape.iter().take(12).map(i64::to_string).collect();
            let _ = write!(text, "[{}]", shape.join(","));
        }
        if !text.is_empty() {
            lines.push(text);
        }
    }
    lines.push(format!("{} B = {}", grouped(b.size.into()), bytes(b.size.into())));
    for piece in b.pieces() {
        let (from, end) = (grouped(piece.offset.into()), grouped_bytes(end(piece)));
        lines.push(format!("address {from} to before {end}"));
    }
    let word = tick_word(panel.unit);
    let (from, till) = (grouped(b.alive_from.into()), grouped(b.alive_till.into()));
    lines.push(format!(
        "alive from {word} {from} to before {till}{}",
        if b.stays { " and after" } else { "" }
    ));
    if let Some(kind) = b.kind {
        lines.push(kind_name(kind).to_owned());
    }
    if let Some(space) = b.space {
        lines.push(format!("in space {space}"));
    }
    lines.iter().map(|line| xml(line)).collect::<Vec<_>>().join("\n")
}

/// Brackets between the two pieces of wrapped blocks.
fn joins(out: &mut String, panel: &Panel<'_>, scale: &Scale, s: &Skin) {
    let wrapped = panel.segment.blocks.iter().filter_map(|block| block.wrap.map(|second| (block, second)));
    let shown = wrapped.filter(|(block, _)| scale.x(block.alive_till) - scale.x(block.alive_from) >= 1.0);
    for (block, second) in shown.take(JOINS) {
        let first = block.first();
        let x = scale.x(block.alive_from) + 2.5;
        let middle = |piece: Piece| (scale.y(piece.offset) + scale.y(end(piece))) / 2.0;
        let (a, b) = (middle(first), middle(second));
        let bow = (x - 9.0).max(1.0);
        let path = format!("M{x:.2} {a:.2}C{bow:.2} {a:.2} {bow:.2} {b:.2} {x:.2} {b:.2}");
        let _ = writeln!(
            out,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{}\" stroke-width=\"3\" stroke-opacity=\"0.7\"/>\
             <path d=\"{path}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.2\"/>\
             <circle cx=\"{x:.2}\" cy=\"{a:.2}\" r=\"2\" fill=\"{}\"/><circle cx=\"{x:.2}\" cy=\"{b:.2}\" r=\"2\" fill=\"{}\"/>",
            s.background, s.text, s.text, s.text
        );
    }
}

/// Outlines of faulty blocks.
fn marks(out: &mut String, chart: &Chart<'_>, panel: &Panel<'_>, scale: &Scale, s: &Skin) {
    let colour = alarm(chart.options.theme);
    let mut faulty: BTreeMap<usize, &str> = BTreeMap::new();
    for mark in &panel.marks {
        for block in mark.blocks() {
            faulty.entry(block).or_insert(&mark.message);
        }
    }
    if faulty.is_empty() {
        return;
    }
    for (block, b) in panel.segment.blocks.iter().enumerate() {
        let Some(message) = faulty.get(&panel.place(block)) else { continue };
        for piece in b.pieces() {
            // A faulty block may have no size or no life; its mark is seen all the same.
            let (x, right) =
                (scale.x(b.alive_from.min(b.alive_till)), scale.x(b.alive_from.max(b.alive_till)));
            let (y, low) = (scale.y(end(piece)), scale.y(piece.offset));
            let (wide, high) = ((right - x).max(4.0), (low - y).max(4.0));
            // Nor is it cut at the edges of the plot.
            let (x, y) = (x.min(scale.width - wide).max(0.0), y.min(scale.height - high).max(0.0));
            let rect = format!(
                "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{wide:.2}\" height=\"{high:.2}\" fill=\"none\""
            );
            let _ = writeln!(
                out,
                "<g><title>{}</title>{rect} stroke=\"{}\" stroke-width=\"4.5\"/>{rect} stroke=\"{colour}\" stroke-width=\"2.4\" stroke-dasharray=\"6 2\"/>",
                xml(&shorten(message, 200)),
                s.background
            );
            let (cx, cy) = (x + wide.min(9.0), y + high.min(9.0));
            let (cx, cy) = (cx.min(scale.width - 7.0).max(0.0), cy.min(scale.height - 7.0).max(0.0));
            let _ = writeln!(
                out,
                "<circle cx=\"{cx:.2}\" cy=\"{cy:.2}\" r=\"6.5\" fill=\"{colour}\" stroke=\"{}\"/><text x=\"{cx:.2}\" y=\"{:.2}\" font-size=\"10\" font-weight=\"bold\" text-anchor=\"middle\" fill=\"{}\">!</text></g>",
                s.background,
                cy + 3.7,
                s.background
            );
        }
    }
}
