//! The picture as SVG: text is text.

use super::chart::Chart;
use super::names::{block_count, tick_word};
use super::options::Options;
use super::place::{MARGIN, Place};
use super::plan::Plan;
use super::{svg_panel, svg_side};
use crate::error::Error;
use crate::palette::skin;
use crate::text::{grouped, shorten, xml};
use crate::text_metrics::{FAMILY, Weight, fit};
use circle_memory::analysis::Figures;
use std::fmt::Write as _;

/// Draws memory plans as an SVG document of its own.
///
/// # Errors
/// [`Error::Segment`] and [`Error::Ticks`] where what is asked for is not there, [`Error::Segments`] where there is too
/// much of it, [`Error::Size`] where the size asked for
/// is not within 1 to 16,384 pixels a side and 64 Mi pixels in all.
pub fn svg(plans: &[Plan], options: &Options) -> Result<String, Error> {
    let chart = Chart::new(plans, options)?;
    let place = Place::new(&chart)?;
    Ok(document(&chart, &place, true))
}

/// Builds the document; `tips` adds what a browser shows at the pointer.
pub(super) fn document(chart: &Chart<'_>, place: &Place, tips: bool) -> String {
    let s = skin(chart.options.theme);
    let (width, height) = place.own;
    let mut out = String::new();
    // Writing to a string does not fail, here and below.
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"'{FAMILY}', Verdana, sans-serif\" font-size=\"11\">",
        place.pixels.0, place.pixels.1
    );
    let title = title(chart.plans);
    let _ = writeln!(out, "<title>{}</title>", xml(&shorten(&title, 200)));
    let _ = writeln!(
        out,
        "<defs><pattern id=\"hatch\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" \
         patternTransform=\"rotate(45)\"><rect width=\"2.5\" height=\"7\" fill=\"{}\"/></pattern></defs>",
        s.hatch
    );
    // What is reserved is striped the other way than blocks of which nothing is known.
    if chart.panels.iter().any(|panel| panel.segment.spaces.iter().any(|space| !space.open)) {
        let _ = writeln!(
            out,
            "<defs><pattern id=\"reserved\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" \
             patternTransform=\"rotate(-45)\"><rect width=\"2.5\" height=\"7\" fill=\"{}\"/></pattern></defs>",
            s.hatch
        );
    }
    let _ = writeln!(out, "<rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>", s.background);
    let room = width - 2.0 * MARGIN;
    let _ = writeln!(
        out,
        "<text x=\"{MARGIN}\" y=\"{}\" font-size=\"19\" font-weight=\"bold\" fill=\"{}\">{}</text>",
        MARGIN + 16.0,
        s.text,
        xml(&fit(&title, 19.0, Weight::Bold, room))
    );
    let _ = writeln!(
        out,
        "<text x=\"{MARGIN}\" y=\"{}\" font-size=\"12\" fill=\"{}\">{}</text>",
        MARGIN + 37.0,
        s.faint,
        xml(&fit(&subtitle(chart), 12.0, Weight::Regular, room))
    );
    for number in 0..chart.panels.len() {
        svg_panel::write(&mut out, chart, place, number, tips);
    }
    svg_side::write(&mut out, chart, place);
    out.push_str("</svg>\n");
    out
}

/// What the picture is called.
pub(super) fn title(plans: &[Plan]) -> String {
    let names: Vec<String> = plans
        .iter()
        .take(6)
        .map(|plan| match (plan.title.is_empty(), plan.memory.model.as_ref().and_then(|m| m.name.as_ref())) {
            (false, _) => shorten(&plan.title, 120),
            (true, Some(name)) => shorten(name, 120),
            (true, None) => "memory plan".to_owned(),
        })
        .collect();
    match (plans.len(), plans.len().saturating_sub(6)) {
        (0, _) => "no memory plan".to_owned(),
        (2, _) => names.join(" and "),
        (_, 0) => names.join(", "),
        (_, more) => format!("{} and {more} more", names.join(", ")),
    }
}

fn subtitle(chart: &Chart<'_>) -> String {
    let mut parts = Vec::new();
    let sum = |of: fn(&Figures) -> usize| chart.panels.iter().map(|panel| of(&panel.figures)).sum();
    parts.push(block_count(sum(|f| f.blocks), sum(|f| f.without_lifetime)));
    if let Some(ticks) = &chart.options.ticks {
        let word = chart.panels.first().map_or("tick", |panel| tick_word(panel.unit));
        let till = match ticks.end {
            // A range without an end.
            u64::MAX => "on".to_owned(),
            end => format!("to before {}", grouped(end.into())),
        };
        parts.push(format!("only {word} {} {till}: figures, too, are of these", grouped(ticks.start.into())));
    }
    for plan in chart.plans.iter().take(3) {
        let memory = &plan.memory;
        if let Some(producer) = &memory.producer {
            let mut text = String::new();
            for word in [&producer.name, &producer.version].into_iter().flatten() {
                let _ = write!(text, "{}{}", if text.is_empty() { "by " } else { " " }, shorten(word, 40));
            }
            if let Some(planner) = &producer.planner {
                let _ = write!(
                    text,
                    "{}planner {}",
                    if text.is_empty() { "" } else { ", " },
                    shorten(planner, 40)
                );
            }
            if !text.is_empty() && !parts.contains(&text) {
                parts.push(text);
            }
        }
        if let Some(name) = memory.model.as_ref().and_then(|model| model.name.as_ref())
            && *name != plan.title
            && !plan.title.is_empty()
        {
            parts.push(format!("model {}", shorten(name, 60)));
        }
    }
    parts.join(" · ")
}
