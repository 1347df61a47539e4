//! One segment: heading, axes, blocks, lines.

use super::axis::{address, address_ticks, bytes, tick, time_ticks};
use super::cells::{Scale, cells};
use super::chart::{Chart, Panel};
use super::names::{block_count, tick_word, time_caption};
use super::place::{Area, Place};
use super::svg_blocks;
use super::svg_lines::Lines;
use crate::options::Theme;
use crate::palette::{Skin, skin};
use crate::text::{grouped, grouped_bytes, shorten, xml};
use crate::text_metrics::{Weight, fit, width};
use circle_memory::{TickUnit, is_unplanned};
use std::fmt::Write as _;

/// Part of the plot's height that is left free above the peak, for its label.
const HEADROOM: f64 = 0.07;

/// Colour of marks on faulty blocks.
pub(super) fn alarm(theme: Theme) -> &'static str {
    match theme {
        Theme::Light => "#c00018",
        Theme::Dark => "#ff7a70",
    }
}

/// Writes a panel.
pub(super) fn write(out: &mut String, chart: &Chart<'_>, place: &Place, number: usize, tips: bool) {
    let (Some(panel), Some(area)) = (chart.panels.get(number), place.plots.get(number)) else { return };
    let s = skin(chart.options.theme);
    let headroom = (area.height * HEADROOM).clamp(3.0, 30.0).max(if area.height > 60.0 { 18.0 } else { 0.0 });
    let span = panel.ticks.end.saturating_sub(panel.ticks.start).max(1);
    let scale = Scale {
        from: panel.ticks.start,
        per_tick: area.width / span as f64,
        base: panel.base,
        per_byte: (area.height - headroom) / panel.reach.saturating_sub(panel.base.into()).max(1) as f64,
        width: area.width,
        height: area.height,
    };
    heading(out, chart, panel, area, &s);
    let Area { x, y, width, height } = *area;
    // Nothing leaves the plot, so that clipping is needed for connectors and outlines only.
    let _ = writeln!(
        out,
        "<clipPath id=\"plot{number}\"><rect x=\"-1\" y=\"-1\" width=\"{}\" height=\"{}\"/></clipPath>",
        width + 2.0,
        height + 2.0
    );
    let _ = writeln!(out, "<g transform=\"translate({x} {y})\">");
    let _ = writeln!(out, "<rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>", s.terminal);
    if !panel.empty {
        address_axis(out, panel, &scale, &s);
    }
    if panel.is_timed(chart.options) {
        time_axis(out, panel, &scale, place.timed.get(number) == Some(&true), &s);
    }
    if panel.empty {
        // Lines of the time axis do not go through it.
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" font-size=\"13\" text-anchor=\"middle\" fill=\"{}\" stroke=\"{}\" stroke-width=\"6\" paint-order=\"stroke\">{}</text>",
            width / 2.0,
            height / 2.0 + 5.0,
            s.faint,
            s.terminal,
            nothing(chart, panel)
        );
    }
    let _ = writeln!(out, "<g clip-path=\"url(#plot{number})\">");
    let drawn = cells(panel, number, &chart.paint, &scale);
    let lines = Lines::new(panel, &scale);
    svg_blocks::write(out, chart, number, &drawn, &scale, &lines, tips);
    out.push_str("</g>\n");
    lines.captions(out, &s);
    let _ = writeln!(out, "<path d=\"M0 0V{height}H{width}\" fill=\"none\" stroke=\"{}\"/>\n</g>", s.border);
}

fn heading(out: &mut String, chart: &Chart<'_>, panel: &Panel<'_>, area: &Area, s: &Skin) {
    let mut name = shorten(&panel.segment.name, 80);
    if chart.plans.len() > 1 {
        let title = chart.plans.get(panel.plan).map_or("", |plan| plan.title.as_str());
        name = if name.is_empty() { shorten(title, 80) } else { format!("{} · {name}", shorten(title, 80)) };
    }
    if name.is_empty() {
        name = "memory".to_owned();
    }
    if let Some(size) = panel.segment.size {
        let _ = write!(name, " · {} in all", bytes(size.into()));
    }
    let left = area.x - 60.0;
    let room = area.x + area.width - left;
    let _ = writeln!(
        out,
        "<text x=\"{left}\" y=\"{}\" font-size=\"13\" font-weight=\"bold\" fill=\"{}\">{}</text>",
        area.y - 24.0,
        s.text,
        xml(&fit(&name, 13.0, Weight::Bold, room))
    );
    let lines = figures(chart, panel);
    let text = lines.iter().find(|line| width(line, 11.0, Weight::Regular) <= room);
    let text = text.or(lines.last()).map_or("", String::as_str);
    let _ = writeln!(
        out,
        "<text x=\"{left}\" y=\"{}\" fill=\"{}\">{}</text>",
        area.y - 8.0,
        s.text,
        xml(&fit(text, 11.0, Weight::Regular, room))
    );
}

/// Why no byte is in use. Blocks that live may have no bytes.
fn nothing(chart: &Chart<'_>, panel: &Panel<'_>) -> &'static str {
    let lives = panel.segment.blocks.iter().any(|block| block.alive_from < block.alive_till);
    match (chart.options.ticks.is_some(), lives) {
        (true, false) => "no blocks in this range",
        (true, true) => "no block in this range has bytes",
        (false, true) => "no block that is ever alive has bytes",
        (false, false) if panel.segment.blocks.is_empty() => "no blocks in this segment",
        (false, false) => "no block is ever alive",
    }
}

/// The figures in words, from long to short.
fn figures(chart: &Chart<'_>, panel: &Panel<'_>) -> Vec<String> {
    let f = &panel.figures;
    let Some(at) = f.peak_tick else {
        return vec![nothing(chart, panel).to_owned()];
    };
    if is_unplanned(&panel.segment) {
        let bound = format!("offsets are not planned yet · lower bound {}", bytes(f.lower_bound));
        return vec![format!("{bound} · {}", block_count(f.blocks, f.without_lifetime)), bound];
    }
    let exact = |value: u128| match value {
        0..1024 => bytes(value),
        _ => format!("{} ({} B)", bytes(value), grouped_bytes(value)),
    };
    let (peak, bound, gaps) = (f.peak, f.lower_bound, f.gaps_at_peak());
    let word = tick_word(panel.unit);
    let at = grouped(at.into());
    // Where memory begins at an address far above 0, what lies below is not the plan's.
    let above = f.above_bound().min(peak.saturating_sub(u128::from(panel.base)).saturating_sub(bound));
    let mut over = match above {
        0 => "which is the least".to_owned(),
        _ => format!("{} above it", percent(above, bound)),
    };
    if panel.base > 0 {
        let _ = write!(over, " from {:#x} on", panel.base);
    }
    let over = if panel.bound().is_none() {
        "overlapping blocks would need more than there is".to_owned()
    } else {
        over
    };
    vec![
        format!(
            "peak {} at {word} {at} · lower bound {}, {over} · gaps at the peak {} = {} · {}",
            exact(peak),
            exact(bound),
            exact(gaps),
            percent(gaps, peak),
            block_count(f.blocks, f.without_lifetime)
        ),
        format!(
            "peak {} at {word} {at} · lower bound {}, {over} · gaps at the peak {} = {}",
            bytes(peak),
            bytes(bound),
            bytes(gaps),
            percent(gaps, peak)
        ),
        format!("peak {} at {at} · lower bound {} · gaps {}", bytes(peak), bytes(bound), bytes(gaps)),
    ]
}

/// A share, to a tenth of a percent; halves of the last digit go to the even one.
pub(super) fn percent(part: u128, whole: u128) -> String {
    if whole == 0 {
        return "0.0 %".to_owned();
    }
    let Some(scaled) = part.checked_mul(1000) else { return "over 100 %".to_owned() };
    let (least, over) = (scaled / whole, scaled % whole);
    let up = over > whole - over || (over == whole - over && least % 2 == 1);
    let tenths = least + u128::from(up);
    format!("{}.{} %", tenths / 10, tenths % 10)
}

fn address_axis(out: &mut String, panel: &Panel<'_>, scale: &Scale, s: &Skin) {
    let most = (scale.height / 34.0).clamp(2.0, 12.0) as usize;
    // Counted from where the axis begins, as its caption says.
    let base = u128::from(panel.base);
    let span = panel.reach.saturating_sub(base);
    let ticks = address_ticks(span, most);
    let step = ticks.get(1).copied().unwrap_or(1);
    for at in &ticks {
        let y = scale.y(base.saturating_add(*at));
        let _ = writeln!(
            out,
            "<path d=\"M-4 {y}H{}\" stroke=\"{}\" stroke-opacity=\"0.45\" stroke-width=\"0.7\"/><text x=\"-8\" y=\"{}\" text-anchor=\"end\" fill=\"{}\">{}</text>",
            scale.width,
            s.line,
            y + 4.0,
            s.text,
            xml(&address(*at, step, span))
        );
    }
    if scale.height > 90.0 {
        let middle = scale.height / 2.0;
        let caption = match panel.base {
            0 => "address".to_owned(),
            base => format!("address − {base:#x}"),
        };
        let _ = writeln!(
            out,
            "<text transform=\"translate(-70 {middle}) rotate(-90)\" text-anchor=\"middle\" fill=\"{}\">{caption}</text>",
            s.faint
        );
    }
}

fn time_axis(out: &mut String, panel: &Panel<'_>, scale: &Scale, labelled: bool, s: &Skin) {
    let (from, till) = (panel.ticks.start, panel.ticks.end);
    let span = till.saturating_sub(from);
    let widest = width(&tick(till, panel.unit, span), 11.0, Weight::Regular) + 24.0;
    let most = (scale.width / widest.max(60.0)).max(1.0) as usize;
    // Operators and steps are stretches, clocks are moments.
    let stretch = !matches!(panel.unit, TickUnit::Cycle | TickUnit::Ns);
    let names = &panel.memory.tick_of(&panel.segment).names;
    let ticks = time_ticks(from, till, most);
    let apart = match ticks.as_slice() {
        [a, b, ..] => (b - a) as f64 * scale.per_tick,
        _ => scale.width,
    };
    for at in ticks {
        let x = scale.x(at);
        let middle = if stretch { x + scale.per_tick / 2.0 } else { x };
        let _ = writeln!(
            out,
            "<path d=\"M{x} {}V{}\" stroke=\"{}\" stroke-opacity=\"0.45\" stroke-width=\"0.7\"/>",
            0.0,
            scale.height + if labelled { 4.0 } else { 0.0 },
            s.line
        );
        if !labelled || middle > scale.width {
            continue;
        }
        let number = tick(at, panel.unit, span);
        let name = usize::try_from(at).ok().and_then(|at| names.get(at)).filter(|_| scale.per_tick >= 48.0);
        let text = match name {
            // What stands beside the plot is not written over.
            Some(name) => {
                let beside = (middle + 8.0).min(scale.width - middle + 8.0) * 2.0;
                fit(&format!("{number} {name}"), 11.0, Weight::Regular, (apart - 6.0).min(beside))
            }
            None => number,
        };
        let _ = writeln!(
            out,
            "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\" fill=\"{}\">{}</text>",
            scale.height + 16.0,
            s.text,
            xml(&text)
        );
    }
    if labelled {
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"{}\">{}</text>",
            scale.width / 2.0,
            scale.height + 32.0,
            s.faint,
            time_caption(panel.unit)
        );
    }
}
